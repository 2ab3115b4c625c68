"""Label indexes around another one, which change what it finds, or how often it is asked.

>>> from triad.search.local import LocalIndex
>>> momo = Candidate("http://example.org/Momo", "entity", "Momo")
>>> index = KnownFirst(LocalIndex(), lambda text: [momo] if text.lower() == "momo" else [])
>>> [(found.iri, found.score, found.exact) for found in index.search("momo")]
[('http://example.org/Momo', 1.0, True)]
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from triad.deadline import Deadline
from triad.errors import SearchError
from triad.kg.profile import GraphProfile
from triad.log import logger
from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup


class WrappedIndex(LabelIndex):
    """Another index, of which subclasses change something; it stays open when this one is closed."""

    def __init__(self, index: LabelIndex) -> None:
        self.name = index.name
        self.labels = index.labels
        self._index = index

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries to the other index."""
        return self._index.add(entries)

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return what the other index finds."""
        return self._index.search_many(lookups)

    def profile(self) -> GraphProfile | None:
        """Return the profile that is kept with the other index."""
        return self._index.profile()


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

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries to the index inside, and forget what was found."""
        self._found.clear()
        return super().add(entries)

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates; those that are new are one request."""
        if new := [lookup for lookup in dict.fromkeys(lookups) if lookup not in self._found]:
            self._found.update(zip(new, super().search_many(new), strict=True))
        return [list(self._found[lookup]) for lookup in lookups]


class FallbackIndex(WrappedIndex):
    """Asks one index and, while that fails, another one; the first is asked again after a while.

    Linking by the graph itself is slower and forgives no typos, but it is better than no answer while Elasticsearch is
    away.
    """

    def __init__(self, primary: LabelIndex, secondary: LabelIndex, *, pause: float = 15.0) -> None:
        """Put an index behind another one, which is not asked again in so many seconds after a failure."""
        super().__init__(primary)
        self._secondary = secondary
        self._pause = pause
        self._pausing: Deadline | None = None
        """Runs while the primary is not asked; None while it works."""
        self._lock = threading.Lock()

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates, the best first.

        Raises:
            SearchError: Both indexes failed.
        """
        if self._pausing is None or self._pausing.expired:
            try:
                found = super().search_many(lookups)
            except SearchError as error:
                self._note(error)
            else:
                self._note(None)
                return found
        return self._secondary.search_many(lookups)

    def close(self) -> None:
        """Close both indexes."""
        self._index.close()
        self._secondary.close()

    def _note(self, error: SearchError | None) -> None:
        """Note whether the primary works, and tell when that changes."""
        with self._lock:
            if error and self._pausing is None:
                logger.warning("{}; until it works again, names are looked up in {!r}", error, self._secondary.name)
            elif not error and self._pausing is not None:
                logger.info("the index {!r} works again", self.name)
            self._pausing = Deadline(self._pause) if error else None
