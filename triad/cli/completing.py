"""What a shell completes: names of configs, roles, prompts and recipes, forms of models, rungs.

Where nothing is known here, the shell completes paths by itself. It waits for this at each press of a key, so that
nothing is imported here that takes long.
"""

from collections.abc import Iterable
from typing import Any, Final

from triad import resources

_SCHEMES: Final = ("openai", "ollama", "litellm", "replay", "records")
_RUNGS: Final = ("solver", "template", "repair", "retrieval", "exploration", "knowledge")


def complete_config(incomplete: str) -> list[str]:
    """Return the names of configs."""
    return _begin(resources.available("configs"), incomplete)


def complete_name(ctx: Any, incomplete: str) -> list[str]:
    """Return the names of a kind of what users edit, which is the argument before."""
    kind = ctx.params.get("kind")
    return _begin(resources.available(getattr(kind, "value", kind)), incomplete) if kind else []


def complete_model(incomplete: str) -> list[str]:
    """Return the forms of models."""
    return _begin(("none", *(f"{scheme}:" for scheme in _SCHEMES)), incomplete)


def complete_route(incomplete: str) -> list[str]:
    """Return the rungs that may follow those that are named."""
    before, comma, last = incomplete.rpartition(",")
    rest = [rung for rung in _RUNGS if rung not in before.split(",")]
    return [f"{before}{comma}{rung}" for rung in _begin(rest if comma else [*rest, "phases"], last)]


def _begin(names: Iterable[str], incomplete: str) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]
