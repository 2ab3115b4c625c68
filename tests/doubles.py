"""What stands in for a graph where a test asks what the graph was asked, and for the clock of deadlines."""

from __future__ import annotations

import threading
import time
from typing import Any

from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.rdf import ResultSet


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


class Counting(KnowledgeGraph):
    """A graph that remembers what it was asked."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.name, self.timeout, self.row_limit = graph.name, graph.timeout, graph.row_limit
        self.prefixes = graph.prefixes
        self.graph = graph
        self.asked: list[str] = []

    def on_query(self, query: str) -> None:
        """Note a query that a model or a user wrote."""
        self.asked.append(query)

    def on_lookup(self, query: str) -> None:
        """Note a query of Triad's own."""
        self.asked.append(query)

    def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
        self.on_query(query)
        return self.graph.select(query, timeout=timeout)

    def ask(self, query: Any, *, timeout: float | None = None) -> bool:
        self.on_query(query)
        return self.graph.ask(query, timeout=timeout)

    def lookup(self, query: str) -> ResultSet:
        self.on_lookup(query)
        return self.graph.lookup(query)


class Late(Counting):
    """A graph whose first look-ups of relations take too long."""

    def __init__(self, graph: KnowledgeGraph, late: int) -> None:
        super().__init__(graph)
        self.late = late

    def on_lookup(self, query: str) -> None:
        if "COUNT(DISTINCT ?x)" in query:
            self.late -= 1
            if self.late >= 0:
                raise QueryTimeout("too slow")


class Shared(Counting):
    """A graph whose look-ups take as many times as long as there are at once."""

    def __init__(self, graph: KnowledgeGraph, seconds: float) -> None:
        super().__init__(graph)
        self.seconds = seconds
        self.most = 0
        """Look-ups that there were at once."""
        self._now = 0
        self._lock = threading.Lock()

    def lookup(self, query: str) -> ResultSet:
        with self._lock:
            self._now += 1
            self.most = max(self.most, self._now)
        try:
            time.sleep(self.seconds * self._now)
            return super().lookup(query)
        finally:
            with self._lock:
                self._now -= 1
