"""A graph around another one: it passes on what it does not do otherwise."""

from __future__ import annotations

from collections.abc import Mapping

from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.rdf import ResultSet

__all__ = ["GraphWrapper"]


class GraphWrapper(KnowledgeGraph):
    """Has the name, limits and dialect of the graph inside, and runs queries on it.

    Args:
        graph: The graph inside.
    """

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.graph = graph
        self.name = graph.name
        self.timeout = graph.timeout
        self.row_limit = graph.row_limit
        self.concurrency = graph.concurrency
        self.prefixes: Mapping[str, str] = graph.prefixes

    @property
    def fingerprint(self) -> str:
        """The fingerprint of the graph inside."""
        return self.graph.fingerprint

    @property
    def dialect(self) -> str:
        """The dialect of the graph inside."""
        return self.graph.dialect

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        """Run a SELECT query on the graph inside."""
        return self.graph.select(query, timeout=timeout)

    def ask(self, query: SafeQuery, *, timeout: float | None = None) -> bool:
        """Run an ASK query on the graph inside."""
        return self.graph.ask(query, timeout=timeout)
