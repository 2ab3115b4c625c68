"""The keys of a config as they may be shown and kept."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from triad.http import without_secrets

__all__ = ["without_secrets_of"]

_SECRETS: Final = ("api_key", "headers", "password")


def without_secrets_of(keys: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keys of a config without users and passwords: run folders are shared, and what is shown is, too."""
    kept = dict(keys)
    for key in ("graph_options", "index_options"):
        kept[key] = {name: "(not kept)" if name in _SECRETS else value for name, value in keys[key].items()}
    for key in ("graph", "index", "fallback", "embedder", "model"):
        if isinstance(value := keys.get(key), str):
            kept[key] = without_secrets(value)
    if specialist := keys.get("specialist"):
        kept["specialist"] = {**specialist, "model": without_secrets(specialist["model"])}
    return kept
