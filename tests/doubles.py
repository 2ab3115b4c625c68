"""What stands in for a graph where a test asks what the graph was asked, and for the clock of deadlines."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
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


class Busy(Counting):
    """A server that takes a second of a clock for as many look-ups as a graph says, and lets further ones wait."""

    def __init__(self, graph: KnowledgeGraph, clock: Clock, at_once: int) -> None:
        super().__init__(graph)
        self.concurrency = at_once
        self.questions = 0
        """Questions that are being asked, each of which makes one look-up after the other."""
        self._clock = clock
        self._here, self._seconds = 0, 0
        self._changed = threading.Condition()

    @contextmanager
    def asking(self) -> Iterator[None]:
        """End a question, for which other questions wait no longer."""
        try:
            yield
        finally:
            with self._changed:
                self.questions -= 1
                self._pass()

    def lookup(self, query: str) -> ResultSet:
        with self._changed:
            self._here += 1
            second = self._seconds
            self._pass()
            assert self._changed.wait_for(lambda: self._seconds > second, 120)
        return super().lookup(query)

    def _pass(self) -> None:
        """Let a second pass once all that it can do, or all that it may be asked, is there."""
        if self._here and self._here >= min(self.concurrency, self.questions):
            self._clock.now += 1
            self._seconds += 1
            self._here = 0
            self._changed.notify_all()
