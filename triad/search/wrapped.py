"""Label indexes around another one, which change what it finds, or how often it is asked.

>>> from triad.search.local import LocalIndex
>>> momo = Candidate("http://example.org/Momo", "entity", "Momo")
>>> index = KnownFirst(LocalIndex(), lambda text: [momo] if text.lower() == "momo" else [])
>>> [(found.iri, found.score, found.exact) for found in index.search("momo")]
[('http://example.org/Momo', 1.0, True)]
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from triad.questions import Candidate
from triad.search.base import LabelIndex, Lookup


class WrappedIndex(LabelIndex):
    """Another index, of which subclasses change something; it stays open when this one is closed."""

    def __init__(self, index: LabelIndex) -> None:
        self.name = index.name
        self.labels = index.labels
        self._index = index

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return what the other index finds."""
        return self._index.search_many(lookups)


class KnownFirst(WrappedIndex):
    """Finds what names are known to stand for, as in a glossary or in earlier turns, and all else in another index.

    The other index, whose errors are raised, is not asked for names that are known.
    """

    def __init__(self, index: LabelIndex, known: Callable[[str], Iterable[Candidate]]) -> None:
        super().__init__(index)
        self._known = known

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates."""
        found = [self._found(lookup) for lookup in lookups]
        asked = [lookup for lookup, known in zip(lookups, found, strict=True) if not known]
        others = iter(super().search_many(asked) if asked else ())
        return [known or next(others) for known in found]

    def _found(self, lookup: Lookup) -> list[Candidate]:
        known = (one for one in self._known(lookup.text) if not lookup.kinds or one.kind in lookup.kinds)
        return [replace(one, score=1.0, exact=True, matched=lookup.text) for one in known][: lookup.limit]


class RememberingIndex(WrappedIndex):
    """Remembers what another index has found, for the time of one question.

    The solver, the vocabulary and linking look up the same words, and each request to a server takes its time.
    """

    def __init__(self, index: LabelIndex) -> None:
        super().__init__(index)
        self._found: dict[Lookup, list[Candidate]] = {}

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates; those that are new are one request."""
        if new := [lookup for lookup in dict.fromkeys(lookups) if lookup not in self._found]:
            self._found.update(zip(new, super().search_many(new), strict=True))
        return [list(self._found[lookup]) for lookup in lookups]
