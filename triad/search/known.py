"""A label index with what is known already before its own names: entities of earlier turns, words of a glossary.

>>> from triad.search.local import LocalIndex
>>> momo = Candidate("http://example.org/Momo", "entity", "Momo")
>>> index = KnownFirst(LocalIndex(), lambda text: [momo] if text.lower() == "momo" else [])
>>> [(found.iri, found.score, found.exact) for found in index.search("momo")]
[('http://example.org/Momo', 1.0, True)]
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from triad.questions import Candidate
from triad.search.base import LabelIndex, Lookup, WrappedIndex


class KnownFirst(WrappedIndex):
    """Finds what names are known to stand for, and everything else in another index.

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
