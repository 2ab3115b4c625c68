"""The plan of a recipe: the files to fetch, their sizes, and about how long the build takes."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from triad.indexing.crawl import requests_for
from triad.indexing.recipe import Recipe, Source, is_address, local_path
from triad.kg.files import COMPRESSION_SUFFIXES

FETCHED: Final = 10_000_000
"""Bytes that are taken to arrive in a second."""
_INDEXED: Final = 1_200_000  # bytes of compressed files that are read in a second; measured on two cores
STORED: Final = 600_000
"""The same where a store is built, too."""

_PACKED: Final = 12  # how much larger files are when they are not compressed


@dataclass(frozen=True, slots=True)
class Step:
    """A file of the recipe."""

    name: str
    address: str
    size: int | None
    """Its bytes, if they are known, at least about."""
    exact: bool
    """Whether they are known exactly."""
    fetched: int | None
    """The bytes of it that are here; None for a file that need not be fetched."""
    holds: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps."""

    steps: tuple[Step, ...]
    fetch: int
    """Bytes that are still to be fetched, as far as sizes are known."""
    seconds: float | None
    """About how long all takes; None if sizes are missing."""
    things_per_second: float | None = None
    """How many resources of an endpoint are visited in a second at most."""


def plan(recipe: Recipe, downloads: Path, *, store: bool) -> Plan:
    """Return the plan of a recipe, without access to the network."""
    if endpoint := recipe.endpoint:
        return Plan((), 0, None, endpoint.rate * endpoint.page / requests_for(endpoint))
    steps = tuple(_step(source, downloads) for source in recipe.sources)
    fetch = sum(max(step.size - step.fetched, 0) for step in steps if step.fetched is not None and step.size)
    if any(step.size is None for step in steps):
        return Plan(steps, fetch, None)
    return Plan(steps, fetch, fetch / FETCHED + sum(map(_packed, steps)) / (STORED if store else _INDEXED))


def _step(source: Source, downloads: Path) -> Step:
    path = local_path(source, downloads)
    size = path.stat().st_size if path.is_file() else None
    if not is_address(source.address):
        return Step(source.name, str(path), size, size is not None, None, source.holds)
    if size is not None:
        return Step(source.name, source.shown, size, True, size, source.holds)
    part = path.with_name(path.name + ".part")
    here = part.stat().st_size if part.is_file() else 0
    return Step(source.name, source.shown, source.expected_size, source.size is not None, here, source.holds)


def _packed(step: Step) -> float:
    packed = Path(step.name).suffix.lower() in (*COMPRESSION_SUFFIXES, ".zip")
    return (step.size or 0) / (1 if packed else _PACKED)
