"""Strict reading of what users write in YAML: unknown keys are named, together with the known ones."""

import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, TypeVar, Union, get_args, get_type_hints
from urllib.parse import quote

import yaml
from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

from triad.errors import ConfigError
from triad.naming import among, meant_of
from triad.text import shortened, without_secrets_within

Seconds = Annotated[float, Field(gt=0, allow_inf_nan=False)]
"""How long something may take."""
Amount = Annotated[int, Field(ge=0)]
"""How much, or how often."""
UNSAID: Final = "unsaid"
"""The tag of a kind of value that errors leave out of a key's name."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Marks a key for which Python may give an object in place of what opens it; files never do."""

    kind: type

    def written(self, annotation: Any) -> Any:
        """Return the type of what files may say."""
        return Union[tuple(one for one in get_args(annotation) if one is not self.kind)]  # noqa: UP007  # made here

    def __get_pydantic_core_schema__(self, annotation: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        def taken(value: Any, check: Callable[[Any], Any]) -> Any:
            return value if isinstance(value, self.kind) else check(value)

        checked = handler.generate_schema(self.written(annotation))
        return core_schema.no_info_wrap_validator_function(taken, checked)


class Strict(BaseModel):
    """Base of all models of what users write: frozen, no unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    unwritten: ClassVar[frozenset[str]] = frozenset()
    """Fields that are no keys: what reads the file fills them in."""


M = TypeVar("M", bound=BaseModel)

# libyaml reads {question: Who?, reply: …} as YAML means it; PyYAML's own parser stumbles over "?,".
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_DEPTH: Final = 50
"""Mappings and lists that may be one in another: no file of ours has ten, and some thousands crash the parser."""
_ALIASES: Final = 100
"""Aliases that a text may have; none stands within what another one stands for, so that they cannot multiply."""


def load_yaml(text: str, origin: str) -> dict[str, Any]:
    """Return a YAML text's mapping.

    Raises:
        ConfigError: The text is not YAML, not a mapping, or breaks the bounds of `parse_yaml`.
    """
    try:
        data = parse_yaml(text)
    except ValueError as error:
        raise ConfigError(f"{origin}: {error}") from error
    if not isinstance(data, dict):
        raise ConfigError(f"{origin}: a mapping of keys and values is expected, got {type(data).__name__}")
    return data


def parse_yaml(text: str) -> Any:
    r"""Return what a YAML text says.

    A text of some hundred bytes can crash the parser by its depth, stand for gigabytes by its aliases, and hold itself.

    >>> parse_yaml("calls: 1\ncalls: 2")
    Traceback (most recent call last):
        ...
    ValueError: the key 'calls' is there twice, in lines 1 and 2

    Raises:
        ValueError: It is no YAML, nested too deeply, has aliases in aliases or too many, or has a key twice.
    """
    try:
        _check_bounds(text)
    except (yaml.YAMLError, UnicodeError) as error:
        mark = getattr(error, "problem_mark", None)
        if mark and "nesting depth" in str(error):  # a bound of LibYAML's own, from 0.2.6 on
            raise ValueError(f"nested more than {_DEPTH} deep, in line {mark.line + 1}") from error
        raise ValueError(f"not YAML: {' '.join(str(error).split())}") from error
    try:
        return yaml.load(text, _LOADER)
    except (yaml.YAMLError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        # of values such as the 99th of May, whatever its reader stumbles over
        raise ValueError(f"not YAML: {' '.join(str(error).split())}") from error


@dataclass(slots=True)
class _Open:
    """A mapping or a list whose end is not read yet."""

    anchored: bool = False
    keys: dict[str, int] | None = None  # of a mapping, its keys with their lines
    at_key: bool = False

    def take(self, event: Any) -> None:
        """Take the beginning of a value, or of the key before one."""
        self.at_key = self.keys is not None and not self.at_key
        if self.keys is not None and self.at_key and isinstance(event, yaml.ScalarEvent):
            if event.value in self.keys:
                lines = f"{self.keys[event.value]} and {_line(event)}"
                raise ValueError(f"the key {shortened(event.value)!r} is there twice, in lines {lines}")
            self.keys[event.value] = _line(event)


def _check_bounds(text: str) -> None:
    """Read the structure of a YAML text, which needs no recursion, and compare it with the bounds."""
    aliases = 0
    above = [_Open()]
    for event in yaml.parse(text, _LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            above.pop()
        elif isinstance(event, yaml.NodeEvent):
            above[-1].take(event)
        if isinstance(event, yaml.CollectionStartEvent):
            keys: dict[str, int] | None = {} if isinstance(event, yaml.MappingStartEvent) else None
            above.append(_Open(bool(event.anchor) or above[-1].anchored, keys))
            if len(above) > _DEPTH:
                raise ValueError(f"nested more than {_DEPTH} deep, in line {_line(event)}")
        elif isinstance(event, yaml.AliasEvent):
            aliases += 1
            if above[-1].anchored or aliases > _ALIASES:
                why = "stands within what an alias stands for" if above[-1].anchored else f"is one of over {_ALIASES}"
                raise ValueError(f"the alias {event.anchor!r} {why}, in line {_line(event)}")


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


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


def check_options(
    options: Mapping[str, Any], what: str, *takers: Callable[..., Any], besides: Iterable[str] = ()
) -> None:
    """Check options that a user wrote against the keywords of what takes them.

    The types of the keywords of functions or classes that take them say what is allowed; some are ``besides`` those of
    users.

    Raises:
        ConfigError: One is not known, or has a value that is not allowed.
    """
    known: dict[str, Any] = {}
    for taker in takers:
        for name, one in inspect.signature(taker, eval_str=bool(options)).parameters.items():
            if one.kind is one.KEYWORD_ONLY and name not in besides:
                known[name] = one.annotation
            elif one.kind is one.VAR_KEYWORD and (several := get_args(one.annotation)):  # of ``Unpack``
                known |= get_type_hints(several[0])
    for name, value in options.items():
        if name not in known:
            raise ConfigError(f"{what} has no option {name!r}; it takes {among(sorted(known), name)}")
        try:
            TypeAdapter(known[name]).validate_python(value, strict=True)
        except ValidationError as error:
            [fault, *_] = error.errors()
            why = f"{fault['msg'][:1].lower()}{fault['msg'][1:]}, got {shortened(repr(fault['input']))}"
            question = meant_of(str(fault["input"]), fault["msg"])
            raise ConfigError(f"the option {name!r} of {what}: {why}{question}") from error


def _fault(model: type[BaseModel], fault: Any) -> str:
    where = ".".join(str(part) for part in fault["loc"] if part != UNSAID)
    if fault["type"] == "extra_forbidden":
        known = among(_known_keys(model, fault["loc"][:-1]), str(fault["loc"][-1]))
        return f"unknown key {where!r}; known here: {known}"
    if fault["type"] == "missing":
        return f"the key {where!r} is missing"
    message = fault["msg"].removeprefix("Value error, ")
    question = meant_of(fault["input"], message) if isinstance(fault["input"], str) else ""
    got = shortened(repr(without_secrets_within(fault["input"])))
    return f"{where!r}: {message[:1].lower()}{message[1:]}, got {got}{question}"


def _known_keys(model: Any, path: tuple[Any, ...]) -> list[str]:
    for part in path:
        if (field := getattr(model, "model_fields", {}).get(part)) is not None:
            model = next((kind for kind in kinds(field.annotation) if hasattr(kind, "model_fields")), model)
    return sorted(getattr(model, "model_fields", {}).keys() - getattr(model, "unwritten", ()))


def kinds(annotation: Any) -> Iterator[Any]:
    """Yield a type and those that it is made of."""
    yield annotation
    for part in get_args(annotation):
        yield from kinds(part)


_VARIABLE: Final = re.compile(r"\$(?:(\w+)|\{(\w+)(?::-([^}]*))?\})", re.ASCII)
_BRACED: Final = re.compile(r"\$\{(\w+)\}", re.ASCII)
_USER: Final = re.compile(r"(?<=://)(?:[^/?#@$]|\$\{[^}]*+\}|\$)++(?=@)")
"""The user and the password of an address; a variable may have any characters in its default."""


def filled(text: str) -> str:
    """Return a text with its variables filled in; one that is neither set nor has a default stays as it is.

    A value in the user or the password of an address is quoted: a password may have characters that would end it there,
    and what follows them be taken for the host.

    >>> os.environ["PASSWORD"] = "a/b@c"
    >>> filled("https://ann:${PASSWORD}@${HOST:-example.org}/sparql")
    'https://ann:a%2Fb%40c@example.org/sparql'
    """
    return _filled(_USER.sub(lambda found: _filled(found[0], lambda value: quote(value, safe=":")), text))


def missing(text: str) -> str:
    """Return the name of a variable that was not filled in; nothing if there is none.

    A ``$`` may belong to a path or an address; only at the beginning, or with braces, it is a variable for certain.
    """
    if found := _BRACED.search(text):
        return found[1]
    found = _VARIABLE.match(text)
    return found[1] or found[2] if found else ""


def _filled(text: str, written: Callable[[str], str] = str) -> str:
    def value(found: re.Match[str]) -> str:
        known = os.environ.get(found[1] or found[2])
        if found[3] is not None:
            return written(known or found[3])
        return found[0] if known is None else written(known)

    return _VARIABLE.sub(value, text)
