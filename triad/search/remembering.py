"""A label index that is asked for each name once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup, WrappedIndex


class RememberingIndex(WrappedIndex):
    """Remembers what another index has found, for the time of one question.

    The solver, the vocabulary and linking look up the same words, and each request to a server takes its time.
    """

    def __init__(self, index: LabelIndex) -> None:
        super().__init__(index)
        self._found: dict[Lookup, list[Candidate]] = {}

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries to the index inside, and forget what was found."""
        self._found.clear()
        return super().add(entries)

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates; those that are new are one request."""
        if new := [lookup for lookup in dict.fromkeys(lookups) if lookup not in self._found]:
            self._found.update(zip(new, super().search_many(new), strict=True))
        return [list(self._found[lookup]) for lookup in lookups]
