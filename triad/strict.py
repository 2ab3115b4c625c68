"""Strict reading of what users write in YAML: unknown keys are named, together with the known ones."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError, model_validator

from triad.errors import ConfigError
from triad.log import logger
from triad.naming import among, meant_of

__all__ = ["Strict", "load_yaml", "validate", "with_current_keys"]


class Strict(BaseModel):
    """Base of all models of what users write: frozen, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    formerly: ClassVar[Mapping[str, str]] = {}
    """Keys that have another name now, with that name; they are understood for one release, with a warning."""

    @model_validator(mode="before")
    @classmethod
    def _with_current_keys(cls, data: Any) -> Any:
        return with_current_keys(cls, data) if isinstance(data, Mapping) else data


def with_current_keys(model: type[Strict], keys: Mapping[str, Any], *, warn: bool = True) -> dict[str, Any]:
    """Return keys with those of an earlier release under the names that they have now.

    Args:
        model: What the keys are of.
        keys: The keys.
        warn: Whether to say which keys have another name now.

    Raises:
        ConfigError: A key is there under both names.
    """
    current = dict(keys)
    for old, new in model.formerly.items():
        if old in current:
            if new in current:
                raise ConfigError(f"{old!r} is the former name of {new!r}; keep only the latter")
            current[new] = current.pop(old)
            if warn:
                _warn_of(old, new)
    return current


@cache  # once is enough
def _warn_of(old: str, new: str) -> None:
    logger.warning("the key {!r} is called {!r} now; the former name goes with the next release", old, new)


M = TypeVar("M", bound=BaseModel)

# libyaml reads {question: Who?, reply: …} as YAML means it; PyYAML's own parser stumbles over "?,".
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def load_yaml(text: str, origin: str) -> dict[str, Any]:
    """Return a YAML text's mapping.

    Raises:
        ConfigError: The text is not YAML, or not a mapping.
    """
    try:
        data = yaml.load(text, _LOADER)
    except yaml.YAMLError as error:
        raise ConfigError(f"{origin}: not YAML: {' '.join(str(error).split())}") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{origin}: a mapping of keys and values is expected, got {type(data).__name__}")
    return data


def validate(model: type[M], data: Any, origin: str | Path) -> M:
    """Check data against a model.

    Raises:
        ConfigError: They do not fit; every fault is named by its key.
    """
    try:
        return model.model_validate(data)
    except ValidationError as error:
        faults = "; ".join(_fault(model, fault) for fault in error.errors())
        raise ConfigError(f"{os.fspath(origin)}: {faults}") from error


def _fault(model: type[BaseModel], fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"])
    if fault["type"] == "extra_forbidden":
        known = among(_known_keys(model, fault["loc"][:-1]), str(fault["loc"][-1]))
        return f"unknown key {where!r}; known here: {known}"
    if fault["type"] == "missing":
        return f"the key {where!r} is missing"
    message = fault["msg"].removeprefix("Value error, ")
    question = meant_of(fault["input"], message) if isinstance(fault["input"], str) else ""
    return f"{where!r}: {message[:1].lower()}{message[1:]}, got {fault['input']!r}{question}"


def _known_keys(model: Any, path: tuple[Any, ...]) -> list[str]:
    for part in path:
        field = getattr(model, "model_fields", {}).get(part)
        if field is None:
            continue
        kinds = [field.annotation, *getattr(field.annotation, "__args__", ())]
        model = next((kind for kind in kinds if hasattr(kind, "model_fields")), model)
    return sorted(getattr(model, "model_fields", {}))
