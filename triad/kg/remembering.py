"""A graph that is asked for each look-up once."""

from __future__ import annotations

import copy
from typing import Self

from triad.kg.base import KnowledgeGraph
from triad.kg.wrapper import GraphWrapper
from triad.rdf import ResultSet

__all__ = ["RememberingGraph"]


class RememberingGraph(GraphWrapper):
    """Remembers what look-ups have found, for the time of one question.

    Several names of one thing, and several ways to it, lead to the same look-ups.

    Args:
        graph: The graph; it stays open when this one is closed.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        super().__init__(graph)
        self._found: dict[str, ResultSet] = {}

    def lookup(self, query: str) -> ResultSet:
        """Return what a look-up has found before, or run it; raises as the graph inside."""
        if (found := self._found.get(query)) is None:
            found = self._found[query] = self.graph.lookup(query)
        return found

    def limited(self, seconds: float) -> Self:
        """Return the same graph with less time for a look-up that was not run before."""
        other = copy.copy(self)
        other.graph = self.graph.limited(seconds)
        return other
