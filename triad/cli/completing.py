"""What a shell completes: names of configs, roles, prompts and recipes, graphs, data sets, forms of models.

A shell waits for this at each press of a key, so that nothing is imported here that takes long.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from triad import resources

_GRAPHS: Final = (".ttl", ".nt", ".nq", ".trig", ".rdf", ".xml", ".owl", ".n3", ".jsonld", ".zip")
_PACKED: Final = (".gz", ".bz2", ".xz", ".zst")
_DATA: Final = (".json", ".jsonl", ".csv", ".txt", ".yaml")
_SCHEMES: Final = ("openai", "ollama", "litellm", "replay", "records")
_RUNGS: Final = ("solver", "template", "repair", "retrieval", "exploration", "knowledge")


def complete_config(incomplete: str) -> list[str]:
    """Return the configs, by name and those in folders."""
    return [
        *_begin(resources.available("configs"), incomplete),
        *_paths(incomplete, lambda path: path.suffix == ".yaml"),
    ]


def complete_name(ctx: Any, incomplete: str) -> list[str]:
    """Return the names of a kind of what users edit, which is the argument before."""
    kind = ctx.params.get("kind")
    return _begin(resources.available(getattr(kind, "value", kind)), incomplete) if kind else []


def complete_graph(incomplete: str) -> list[str]:
    """Return RDF files, and folders."""
    return list(_paths(incomplete, lambda path: _unpacked(path) in _GRAPHS))


def complete_served(incomplete: str) -> list[str]:
    """Return configs and graphs."""
    return list(dict.fromkeys([*complete_config(incomplete), *complete_graph(incomplete)]))


def complete_data(incomplete: str) -> list[str]:
    """Return files that may be data sets, and folders."""
    return list(_paths(incomplete, lambda path: _unpacked(path) in _DATA))


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


def _unpacked(path: Path) -> str:
    suffixes = path.suffixes
    return next((one.lower() for one in reversed(suffixes) if one.lower() not in _PACKED), "")


def _paths(incomplete: str, fits: Callable[[Path], bool]) -> Iterator[str]:
    """Yield the paths that an incomplete one begins, as it is written: folders, and files that fit."""
    folder, slash, begun = incomplete.rpartition("/")
    place = Path(f"{folder}{slash}" or ".")
    try:
        found = sorted(place.expanduser().iterdir())
    except (OSError, RuntimeError):
        return
    for path in found:
        if path.name.startswith(begun) and (begun.startswith(".") or not path.name.startswith(".")):
            if path.is_dir():
                yield f"{folder}{slash}{path.name}/"
            elif fits(path):
                yield f"{folder}{slash}{path.name}"
