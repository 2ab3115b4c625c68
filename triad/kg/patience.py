"""Patience: how long a question waits for look-ups in the graph.

A question makes dozens of look-ups, and on a slow server a single one may take as long as the server allows. So they
share one time: each gets what the ones before it left, whatever a model's calls between them take.

>>> patience = Patience(10.0)
>>> with patience.waiting():
...     pass  # a look-up
>>> 9.0 < patience.left <= 10.0
True
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from triad.cancelling import check
from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.kg.wrapper import GraphWrapper
from triad.rdf import ResultSet

__all__ = ["PATIENCE", "Patience", "PatientGraph"]

PATIENCE: Final = 10.0
"""Seconds that a question waits for look-ups, unless it is told otherwise."""


class Patience:
    """Seconds that look-ups may take together; those that are made at once count once. Safe to use from threads."""

    def __init__(self, seconds: float = PATIENCE) -> None:
        """Have waited for nothing yet.

        Args:
            seconds: How long look-ups may take together.
        """
        self.seconds = seconds
        self.slow: list[QueryTimeout] = []
        """Look-ups that took too long, or came too late."""
        self._spent = 0.0
        self._under_way = 0
        self._since = 0.0
        self._lock = threading.Lock()

    @property
    def left(self) -> float:
        """The seconds that are left."""
        with self._lock:
            return self.seconds - self._spent - (time.monotonic() - self._since if self._under_way else 0.0)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Count the time in which at least one look-up is under way."""
        with self._lock:
            self._under_way += 1
            if self._under_way == 1:
                self._since = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= 1
                if not self._under_way:
                    self._spent += time.monotonic() - self._since


class PatientGraph(GraphWrapper):
    """A graph whose look-ups take no longer than a question's patience.

    Args:
        graph: The graph.
        patience: How long look-ups may take.
    """

    def __init__(self, graph: KnowledgeGraph, patience: Patience) -> None:
        super().__init__(graph)
        self.patience = patience

    def lookup(self, query: str) -> ResultSet:
        """Run a look-up in the time that is left.

        Raises:
            QueryTimeout: It took longer, or no time is left.
        """
        try:
            check()
            if (left := self.patience.left) <= 0:
                raise QueryTimeout(f"look-ups in {self.name!r} took {self.patience.seconds:g} seconds together")
            with self.patience.waiting():
                return self.graph.limited(left).lookup(query)
        except QueryTimeout as error:
            self.patience.slow.append(error)
            raise

    def limited(self, seconds: float) -> PatientGraph:
        """Return the graph with less time for each look-up."""
        return PatientGraph(self.graph.limited(seconds), self.patience)
