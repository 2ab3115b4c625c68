"""The parent's side of the workers: a pool of processes that run queries.

A worker ends when its query exceeds the deadline, and a query may crash it in other ways. In both cases the caller gets
an error, and a new worker runs the next query.
"""

from __future__ import annotations

import pickle
import queue
import threading
from pathlib import Path

from triad.cancelling import under_way
from triad.errors import GraphError, QuerySyntaxError, QueryTimeout
from triad.kg.process import WorkerProcess
from triad.kg.worker import RawResult, Reply, Request

__all__ = ["WorkerPool"]


class WorkerPool:
    """Runs queries over a store in up to a fixed number of processes. Safe to use from several threads."""

    def __init__(self, folder: Path, *, workers: int, memory_limit: int) -> None:
        """Start the first worker; the others start when they are needed."""
        self._folder = folder
        self._memory_limit = memory_limit
        self._lock = threading.Lock()
        self._closed = False
        self._workers: set[_Worker] = set()
        # Last in, first out: a worker that is up is taken before a place where one would have to be started.
        self._places: queue.LifoQueue[_Worker | None] = queue.LifoQueue()
        for _ in range(workers - 1):
            self._places.put(None)
        self._places.put(self._start())

    def run(self, query: str, *, row_limit: int, byte_limit: int, timeout: float) -> RawResult:
        """Run a query in the next free worker; waiting for one is not part of the timeout.

        Raises:
            QueryTimeout: It did not finish in ``timeout`` seconds.
            QuerySyntaxError: The engine could not parse it.
            GraphError: The engine failed or died.
        """
        place = self._places.get()
        try:
            if place is None or not place.is_alive():
                place = self._start(instead_of=place)
            with under_way(place.close):
                return place.run((query, row_limit, byte_limit, timeout))
        except GraphError as error:
            if self._closed:
                raise GraphError("the graph is closed") from error
            raise
        finally:
            self._places.put(place)

    def close(self) -> None:
        """Kill all workers, including those that run a query."""
        with self._lock:
            self._closed = True
            workers, self._workers = self._workers, set()
        for each in workers:
            each.close()

    def _start(self, *, instead_of: _Worker | None = None) -> _Worker:
        if instead_of is not None:
            instead_of.close()
        with self._lock:
            if self._closed:
                raise GraphError("the graph is closed")
            started = _Worker(self._folder, self._memory_limit)
            self._workers = {each for each in self._workers if each is not instead_of} | {started}
        return started


class _Worker:
    """One process. Only `close` may be called while another thread uses it."""

    def __init__(self, folder: Path, memory_limit: int) -> None:
        self._memory_limit = memory_limit
        self._started = False
        try:
            self._process = WorkerProcess("query", str(folder.absolute()), str(memory_limit))
        except OSError as error:
            raise GraphError(f"cannot start a worker process: {error}") from error

    def is_alive(self) -> bool:
        return self._process.is_alive()

    def run(self, request: Request) -> RawResult:
        if not self._started:
            self._content(self._exchange(None))
            self._started = True
        return self._content(self._exchange(request))

    def close(self) -> None:
        self._process.close()

    def _exchange(self, request: Request | None) -> Reply:
        """Send a request and wait for the reply; any failure here ends the worker."""
        try:
            if request is not None:
                pickle.dump(request, self._process.input, pickle.HIGHEST_PROTOCOL)
                self._process.input.flush()
            reply: Reply = pickle.load(self._process.output)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError) as error:
            complaint = self._process.complaint()
            self.close()
            raise self._death(request, complaint) from error
        except BaseException:  # such as Ctrl-C: a late reply must not count as the reply to the next request
            self.close()
            raise
        return reply

    def _death(self, request: Request | None, complaint: str) -> GraphError:
        if request is None:
            return GraphError(f"a worker process did not start: {complaint}")
        if self._process.expired:
            return QueryTimeout(f"the query did not finish in {request[-1]:g} seconds")
        if self._process.is_out_of_memory(complaint):
            return GraphError(self._out_of_memory())
        return GraphError(f"the engine died on this query: {complaint}")

    def _content(self, reply: Reply) -> RawResult:
        match reply:
            case ("result", content):
                return content
            case ("syntax", message):
                raise QuerySyntaxError(f"not a SPARQL query: {message}")
            case ("memory", _):
                raise GraphError(self._out_of_memory())
            case ("failure", message):
                raise GraphError(f"the query failed: {message}")

    def _out_of_memory(self) -> str:
        return f"the query needs more memory than the {self._memory_limit / 2**30:g} GiB that it may take"
