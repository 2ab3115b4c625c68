"""The keys of a config as they may be shown and kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from triad.http import without_secrets

__all__ = ["without_secrets_of"]

_SECRETS: Final = ("api_key", "headers", "password")


def without_secrets_of(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a config without users and passwords: run folders are shared, and what is shown is, too."""
    kept: dict[str, Any] = _cleaned(keys)
    for key in ("graph_options", "index_options"):
        kept[key] = {name: "(not kept)" if name in _SECRETS else value for name, value in kept[key].items()}
    return kept


def _cleaned(value: Any) -> Any:
    """Return a value with its addresses as they may be shown, wherever in it they are."""
    if isinstance(value, str):
        return without_secrets(value) if "://" in value else value
    if isinstance(value, Mapping):
        return {key: _cleaned(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_cleaned(one) for one in value]
    return value
