"""The look-ups of one question: each is made once, and all of them share one time.

A question makes dozens of look-ups, and on a slow server a single one may take as long as the server allows. So each
gets what the ones before it left, whatever a model's calls between them take. Several names of one thing, and several
ways to it, lead to the same look-ups.
"""

from __future__ import annotations

import copy
from typing import Final, Self

from triad.cancelling import check
from triad.deadline import SharedTime
from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.kg.wrapper import GraphWrapper
from triad.rdf import ResultSet

__all__ = ["LookupTime", "QuestionGraph"]

_SECONDS: Final = 10.0  # that a question waits for look-ups: who asks in a chat waits no longer


class LookupTime(SharedTime):
    """Seconds that look-ups may take together, and those that took too long."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        super().__init__(seconds)
        self.slow: list[QueryTimeout] = []
        """Look-ups that took too long, or came too late."""


class QuestionGraph(GraphWrapper):
    """A graph whose look-ups are made once, in the time that a question has for them.

    Args:
        graph: The graph; it stays open when this one is closed.
        time: How long look-ups may take together.
    """

    def __init__(self, graph: KnowledgeGraph, time: LookupTime | None = None) -> None:
        super().__init__(graph)
        self.time = time or LookupTime()
        self._found: dict[str, ResultSet] = {}

    def lookup(self, query: str) -> ResultSet:
        """Return what a look-up has found before, or run it in the time that is left.

        Raises:
            QueryTimeout: It took longer, or no time is left.
        """
        check()
        if (found := self._found.get(query)) is not None:
            return found
        try:
            self.time.check(f"a question's look-ups in {self.name!r}")
            with self.time.waiting():
                found = self._found[query] = self.graph.limited(self.time.left).lookup(query)
        except QueryTimeout as error:
            self.time.slow.append(error)
            raise
        return found

    def limited(self, seconds: float) -> Self:
        """Return the same graph with less time for each look-up that was not made before."""
        other = copy.copy(self)
        other.graph = self.graph.limited(seconds)
        return other
