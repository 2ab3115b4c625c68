"""The port to a knowledge graph: run a query, get a result.

There are two ways in. `KnowledgeGraph.select` and `KnowledgeGraph.ask` take what a model or a user wrote, and
only after `triad.kg.guard` has passed it: the type `SafeQuery` is what the guard gives. `KnowledgeGraph.lookup`
takes Triad's own queries (labels, one hop), whose form and size are known.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Final, Self, TypeVar

from triad.admission import questions
from triad.cancelling import carried
from triad.closing import Closing
from triad.errors import GraphError
from triad.rdf import ResultSet
from triad.sparql.query_graph import QueryGraph


class SafeQuery(str):
    """The text of a query that the guard has passed."""

    __slots__ = ("graph",)
    graph: QueryGraph | None
    """What the text was written of, so that nobody needs to read it again; None if it is not known."""

    def __new__(cls, text: str, graph: QueryGraph | None = None) -> Self:
        """Make one of the text, and of what it was written of."""
        self = super().__new__(cls, text)
        self.graph = graph
        return self

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        return str, (str(self),)  # another process runs it as it is


ROW_LIMIT: Final = 10_000
"""Rows that a result may have, unless a graph is told otherwise."""

T = TypeVar("T")
R = TypeVar("R")


class KnowledgeGraph(Closing, ABC):
    """An RDF graph that answers SPARQL queries. Safe to use from several threads."""

    name: str
    """The path or address that the user gave, without secrets."""
    timeout: float
    """Seconds that a query may take by default."""
    row_limit: int
    """Rows that a result may have; a longer one is cut and has ``truncated`` set."""
    concurrency: int = 1
    """How many lookups to make at once: several where most of the time is spent waiting for a server."""
    in_process: bool = False
    """Whether a look-up is work of the thread that makes it, and no waiting for others."""
    prefixes: Mapping[str, str] = MappingProxyType({})
    """Namespaces by prefix that its queries are shown with, in addition to the usual ones."""

    @property
    def fingerprint(self) -> str:
        """A short text that differs between graphs and, as far as can be told, between states of one graph."""
        return self.name

    @property
    def dialect(self) -> str:
        """Its extensions of SPARQL, one of `triad.kg.dialects.DIALECTS`."""
        return "plain"

    @abstractmethod
    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        """Run a SELECT query.

        Raises:
            QueryTimeout: It did not finish in ``timeout`` seconds.
            QuerySyntaxError: The engine could not parse it.
            GraphError: The graph failed otherwise.
        """

    def ask(self, query: SafeQuery, *, timeout: float | None = None) -> bool:
        """Run an ASK query; raises as `select` does."""
        if (boolean := self.select(query, timeout=timeout).boolean) is None:
            raise GraphError("the query has rows and not a boolean; use ASK")
        return boolean

    @abstractmethod
    def lookup(self, query: str) -> ResultSet:
        """Run a small SELECT or ASK query of Triad's own; raises as `select` does."""

    def at_once(self, work: Callable[[T], R], of: Sequence[T]) -> list[R]:
        """Return what comes of some work with look-ups, which is done at once where most time is spent waiting."""
        if self.concurrency == 1 or len(of) < 2:
            return [work(one) for one in of]
        with questions.waiting(), ThreadPoolExecutor(min(self.concurrency, len(of))) as pool:
            return list(pool.map(questions.beside()(carried(work)), of))

    def limited(self, seconds: float) -> KnowledgeGraph:
        """Return the same graph with no more than so many seconds for a look-up, where that can be had."""
        return self
