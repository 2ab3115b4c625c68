"""The parent's side of the workers: a pool of processes that may be lost to a query.

A worker ends when its query's time is up, and may die of the query in other ways. Either way the caller gets an
error, and the next query a new worker.
"""

from __future__ import annotations

import contextlib
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, cast

from triad.errors import GraphError, QuerySyntaxError, QueryTimeout
from triad.kg import worker
from triad.kg.worker import RawResult, Reply, Request

__all__ = ["WorkerPool"]

OUT_OF_MEMORY = ("memory allocation", "bad_alloc", "Cannot allocate memory")
"""What the engine, written in Rust and C++, says when it gets no more memory."""


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
            return place.run((query, row_limit, byte_limit, timeout))
        except GraphError as error:
            if self._closed:
                raise GraphError("the graph is closed") from error
            raise
        finally:
            self._places.put(place)

    def close(self) -> None:
        """Kill all workers, also those that are at work."""
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
    """One process; used by one thread at a time, but for `close`."""

    def __init__(self, folder: Path, memory_limit: int) -> None:
        self._memory_limit = memory_limit
        self._closing = threading.Lock()
        self._started = False
        # A file, because nobody reads a pipe while the worker is at work, and a full one would block it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        # Not multiprocessing: its processes import the main module of the program once more, and a script that
        # opens a graph at its top level would do so again in each worker. -P keeps the modules that lie beside
        # the worker's file from standing in for others of their names.
        command = [sys.executable, "-P", worker.__file__, str(folder.absolute()), str(memory_limit)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except OSError as error:
            self._complaints.close()
            raise GraphError(f"cannot start a worker process: {error}") from error
        self._requests = cast(IO[bytes], self._process.stdin)
        self._replies = cast(IO[bytes], self._process.stdout)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def run(self, request: Request) -> RawResult:
        if not self._started:
            self._content(self._exchange(None))
            self._started = True
        return self._content(self._exchange(request))

    def close(self) -> None:
        with self._closing:  # whoever waits for a reply closes the worker, too, once it is killed
            self._process.kill()
            self._process.wait()
            for stream in (self._requests, self._replies, self._complaints):
                with contextlib.suppress(OSError):  # a request that was not sent in full cannot be flushed any more
                    stream.close()

    def _exchange(self, request: Request | None) -> Reply:
        """Send a request and wait for the reply; whatever goes wrong here is the end of the worker."""
        try:
            if request is not None:
                pickle.dump(request, self._requests, pickle.HIGHEST_PROTOCOL)
                self._requests.flush()
            reply: Reply = pickle.load(self._replies)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError) as error:
            complaint = self._complaint()
            self.close()
            raise self._death(request, complaint) from error
        except BaseException:  # such as Ctrl-C: a reply that is still to come is not to be taken for the next one
            self.close()
            raise
        return reply

    def _death(self, request: Request | None, complaint: str) -> GraphError:
        if request is None:
            return GraphError(f"a worker process did not start: {complaint}")
        if self._process.returncode == worker.EXPIRED:
            return QueryTimeout(f"the query did not finish in {request[-1]:g} seconds")
        if any(sign in complaint for sign in OUT_OF_MEMORY):
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

    def _complaint(self) -> str:
        try:
            self._complaints.seek(0)
            text = self._complaints.read(10_000).decode(errors="replace").strip()
        except (OSError, ValueError):  # closed meanwhile
            text = ""
        return text.partition("\n")[0] or "it left no message"

    def _out_of_memory(self) -> str:
        return f"the query needs more memory than the {self._memory_limit / 2**30:g} GiB that it may take"
