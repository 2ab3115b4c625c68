"""What stands in for a graph where a test asks what the graph was asked."""

from __future__ import annotations

from typing import Any

from triad.kg.base import KnowledgeGraph
from triad.rdf import ResultSet


class Counting(KnowledgeGraph):
    """A graph that remembers what it was asked."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.name, self.timeout, self.row_limit = graph.name, graph.timeout, graph.row_limit
        self.prefixes = graph.prefixes
        self.graph = graph
        self.asked: list[str] = []

    def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
        self.asked.append(query)
        return self.graph.select(query, timeout=timeout)

    def ask(self, query: Any, *, timeout: float | None = None) -> bool:
        self.asked.append(query)
        return self.graph.ask(query, timeout=timeout)

    def lookup(self, query: str) -> ResultSet:
        self.asked.append(query)
        return self.graph.lookup(query)
