"""What differs between the configs of two sessions of a run, as far as it affects answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

__all__ = ["WATCHED", "differences"]

INDIFFERENT: Final = (
    "description", "run.workers", "run.out", "run.budget", "run.executor", "run.repeat", "sweep",
    "dataset.limit", "dataset.ids", "dataset.filter",
)  # fmt: skip
"""Keys of a config that may change when a run is resumed: they do not change answers."""
WATCHED: Final = ("graph", "prompts", "weights", "examples")
"""What a session says of its surroundings that changes answers, though the config stays the same."""


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the keys of two configs that differ and affect answers.

    >>> differences({"roles": {"advisor": {"tries": 3}}, "model": "a"}, {"roles": {"advisor": {"tries": 1}}})
    ["model: 'a' → nothing", 'roles.advisor.tries: 3 → 1']
    """
    before, after = dict(_flat(old)), dict(_flat(new))
    return [
        f"{key}: {_shown(before, key)} → {_shown(after, key)}"
        for key in sorted(before.keys() | after.keys())
        if before.get(key) != after.get(key)
        and not any(key == name or key.startswith(f"{name}.") for name in INDIFFERENT)
    ]


def _flat(keys: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in keys.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        elif value not in (None, [], ()):  # an empty key counts as a missing one
            yield f"{above}{key}", value


def _shown(keys: Mapping[str, Any], key: str) -> str:
    return repr(keys[key]) if key in keys else "nothing"
