"""A label index that replaces another one while that fails.

Linking by the graph itself is slower and forgives no typos, but it is better than no answer while Elasticsearch is
away. The first index is asked again after a while, so that nothing has to be restarted.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence

from triad.deadline import Deadline
from triad.errors import SearchError
from triad.kg.profile import GraphProfile
from triad.log import logger
from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup

__all__ = ["FallbackIndex"]


class FallbackIndex(LabelIndex):
    """Asks one index and, while that fails, another one."""

    def __init__(self, primary: LabelIndex, secondary: LabelIndex, *, pause: float = 15.0) -> None:
        """Put an index behind another one.

        Args:
            primary: The index to ask as long as it works.
            secondary: The index to ask while it does not.
            pause: Seconds after a failure in which the primary is not asked again.
        """
        self.name = primary.name
        self._primary = primary
        self._secondary = secondary
        self._pause = pause
        self._pausing: Deadline | None = None
        """Runs while the primary is not asked; None while it works."""
        self._lock = threading.Lock()

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries to the primary and return how many.

        Raises:
            SearchError: The primary failed.
        """
        return self._primary.add(entries)

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates, the best first.

        Raises:
            SearchError: Both indexes failed.
        """
        if self._pausing is not None and not self._pausing.expired:
            return self._secondary.search_many(lookups)
        try:
            found = self._primary.search_many(lookups)
        except SearchError as error:
            self._fails(error)
            return self._secondary.search_many(lookups)
        self._works()
        return found

    def profile(self) -> GraphProfile | None:
        """Return the profile that is kept with the primary."""
        return self._primary.profile()

    def close(self) -> None:
        """Close both indexes."""
        self._primary.close()
        self._secondary.close()

    def _fails(self, error: SearchError) -> None:
        with self._lock:
            if self._pausing is None:
                logger.warning("{}; until it works again, names are looked up in {!r}", error, self._secondary.name)
            self._pausing = Deadline(self._pause)

    def _works(self) -> None:
        with self._lock:
            if self._pausing is not None:
                logger.info("the index {!r} works again", self._primary.name)
            self._pausing = None
