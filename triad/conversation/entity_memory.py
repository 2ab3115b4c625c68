"""A label index that remembers the entities of earlier turns.

>>> from triad.search.local import LocalIndex
>>> momo = Candidate("http://example.org/Momo", "entity", "Momo")
>>> [(found.iri, found.score, found.exact) for found in RememberedIndex(LocalIndex(), {"Momo": momo}).search("momo")]
[('http://example.org/Momo', 1.0, True)]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from triad.language.normalize import fold
from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup

__all__ = ["RememberedIndex"]


class RememberedIndex(LabelIndex):
    """Finds the entities that earlier turns named by those names, and everything else in another index.

    Args:
        index: The other index; it is not asked for names that are known.
        known: The entity that each name stands for.
    """

    def __init__(self, index: LabelIndex, known: Mapping[str, Candidate]) -> None:
        self.name = index.name
        self._index = index
        found = {name: thing for name, thing in known.items() if thing.iri}
        self._known = {fold(name): replace(one, score=1.0, exact=True, matched=name) for name, one in found.items()}

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries to the other index and return how many.

        Raises:
            SearchError: That index failed.
        """
        return self._index.add(entries)

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates: of a known name the entity that it stands for.

        Raises:
            SearchError: The other index failed.
        """
        found = [self._remembered(lookup) for lookup in lookups]
        rest = iter(self._index.search_many(asked) if (asked := _missing(lookups, found)) else ())
        return [[one] if one is not None else next(rest) for one in found]

    def _remembered(self, lookup: Lookup) -> Candidate | None:
        thing = self._known.get(fold(lookup.text))
        return thing if thing is not None and (not lookup.kinds or thing.kind in lookup.kinds) else None


def _missing(lookups: Sequence[Lookup], found: Sequence[Candidate | None]) -> list[Lookup]:
    return [lookup for lookup, one in zip(lookups, found, strict=True) if one is None]
