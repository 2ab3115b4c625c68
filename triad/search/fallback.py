"""A label index that replaces another one while that fails.

Linking by the graph itself is slower and forgives no typos, but it is better than no answer while Elasticsearch is
away. The first index is asked again after a while, so that nothing has to be restarted.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence

from triad.deadline import Deadline
from triad.errors import SearchError
from triad.log import logger
from triad.questions import Candidate
from triad.search.base import LabelIndex, Lookup, WrappedIndex


class FallbackIndex(WrappedIndex):
    """Asks one index and, while that fails, another one."""

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
