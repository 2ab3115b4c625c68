"""Graphs around another one, which make fewer look-ups: for some hours on disk, or for one question.

Labels, types and schema cards of a graph on a server change seldom, and every question asks for some, dozens of them;
on a slow server a single one may take as long as the server allows. Only Triad's own look-ups are kept: queries of a
model or a user always go to the graph.
"""

import copy
import json
import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Final, Self
from weakref import WeakKeyDictionary

from triad.admission import questions
from triad.cancelling import check
from triad.deadline import Deadline
from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.rdf import ResultSet
from triad.resources import cache_folder

_SECONDS: Final = 10.0  # that a question's look-ups run: who asks in a chat waits no longer
_TURNS: Final[WeakKeyDictionary[KnowledgeGraph, threading.Semaphore]] = WeakKeyDictionary()  # all questions share them
_LOCK: Final = threading.Lock()
_WAKING: Final = 0.2  # seconds after which what waits for its turn sees whether its question was cancelled


class GraphWrapper(KnowledgeGraph):
    """Has the name, limits and dialect of the graph inside, which it runs queries on and leaves open."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.graph = graph
        self.name = graph.name
        self.timeout = graph.timeout
        self.row_limit = graph.row_limit
        self.concurrency = graph.concurrency
        self.in_process = graph.in_process
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

    def limited(self, seconds: float) -> Self:
        """Return the same graph with less time for a look-up that the one inside has to make."""
        other = copy.copy(self)
        other.graph = self.graph.limited(seconds)
        return other


class CachedLookups(GraphWrapper):
    """A graph that keeps the results of another's lookups for some hours, by default in the cache folder.

    The other graph is closed with this one.
    """

    def __init__(self, graph: KnowledgeGraph, hours: float = 24.0, folder: str | Path | None = None) -> None:
        from triad.textcache import TextCache  # with a database, which graphs on this machine do without

        super().__init__(graph)
        self._seconds = hours * 3600
        self._cache = TextCache(folder or cache_folder() / "lookups", "look-ups")

    def lookup(self, query: str) -> ResultSet:
        """Return the kept result of a query if it is recent enough, else run the query."""
        if (known := self._cache.get(self.graph.fingerprint, query)) is not None:
            return ResultSet.from_sparql_json(json.loads(known))
        result = self.graph.lookup(query)
        if not result.truncated:
            text = json.dumps(result.to_sparql_json())
            self._cache.set(self.graph.fingerprint, query, text=text, seconds=self._seconds)
        return result

    def close(self) -> None:
        """Close the graph inside."""
        self.graph.close()


class LookupTime(Deadline):
    """Seconds that the look-ups of a question may take together: they pass only while somebody waits for one.

    Waits that overlap count once.

    >>> time = LookupTime(10.0)
    >>> with time.waiting():
    ...     pass  # a look-up
    >>> 9.0 < time.left <= 10.0
    True
    """

    def __init__(self, seconds: float = _SECONDS) -> None:
        """Allow so many seconds of waiting; none of them has passed."""
        super().__init__(seconds)
        self.slow: list[QueryTimeout] = []
        """Look-ups that took too long, or came too late."""
        self._spent = 0.0
        self._waiting = 0
        self._lock = threading.Lock()

    @property
    def elapsed(self) -> float:
        """The seconds in which somebody waited."""
        with self._lock:
            return self._spent + (time.monotonic() - self._started if self._waiting else 0.0)

    def renew(self, seconds: float) -> Self:
        """Allow so many seconds of waiting from now on."""
        with self._lock:
            self._spent = 0.0
            return super().renew(seconds)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Let the time pass."""
        with self._lock:
            self._waiting += 1
            if self._waiting == 1:
                self._started = time.monotonic()
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1
                if not self._waiting:
                    self._spent += time.monotonic() - self._started

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let as much time pass as this thread works; to wait for other threads takes none."""
        started = time.thread_time()
        try:
            yield
        finally:
            with self._lock:
                self._spent += time.thread_time() - started


class QuestionGraph(GraphWrapper):
    """A graph whose look-ups are made once, and share the time that a question has for them; that graph is left open.

    All questions about a graph together make no more look-ups at once than one of them may: the others wait for their
    turn, which takes no time from their questions, so that what a question has alone it has beside others, too.
    """

    def __init__(self, graph: KnowledgeGraph, time: LookupTime | None = None) -> None:
        super().__init__(graph)
        self.time = time or LookupTime()
        self._times: tuple[LookupTime, ...] = (self.time,)
        self._found: dict[str, ResultSet] = {}
        with _LOCK:
            places = os.cpu_count() or 1 if graph.in_process else graph.concurrency
            self._turns = _TURNS.setdefault(graph, threading.Semaphore(places))

    def within(self, time: LookupTime) -> Self:
        """Return the same graph with no more time for look-ups than is left of some; what is found is shared."""
        other = copy.copy(self)
        other._times = (*self._times, time)
        return other

    def lookup(self, query: str) -> ResultSet:
        """Return what a look-up has found before, or run it in the time that is left.

        Raises:
            QueryTimeout: It took longer, or no time is left.
        """
        check()
        if (found := self._found.get(query)) is not None:
            return found
        try:
            for time in self._times:
                time.check(f"a question's look-ups in {self.name!r}")
            with nullcontext() if self.in_process else questions.waiting():
                while not self._turns.acquire(timeout=_WAKING):
                    check()
            try:
                with ExitStack() as waits:
                    for time in self._times:
                        waits.enter_context(time.working() if self.in_process else time.waiting())
                    left = min(time.left for time in self._times)
                    found = self._found[query] = self.graph.limited(left).lookup(query)
            finally:
                self._turns.release()
        except QueryTimeout as error:
            for time in self._times:
                time.slow.append(error)
            raise
        return found
