"""Worker processes from their parent's side, and a pool of them for queries, each with a deadline and a cap on memory.

A worker ends when its query exceeds the deadline, and a query may crash it in other ways. In both cases the caller gets
an error, and a new worker runs the next query.
"""

import math
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final, cast

from triad.admission import questions
from triad.cancelling import under_way
from triad.deadline import Deadline
from triad.errors import GraphError, QueryRejected, QuerySyntaxError, QueryTimeout
from triad.text import quoted
from triad.worker import program

QUICK: Final = 0.5
"""Seconds that a quick query takes at most."""
PROCESSES: Final = "TRIAD_PROCESSES"
"""Names the variable with how many processes serve the same graphs on this machine."""
_MOST: Final = 4 * 2**30
_GROUPS: Final = Path("/sys/fs/cgroup")
_OWN: Final = Path("/proc/self/cgroup")
_BUSY: Final = "no worker was free for the query in {:g} seconds"
_OUT_OF_MEMORY: Final = ("memory allocation", "bad_alloc", "Cannot allocate memory", "MemoryError", "out of memory")
"""Last messages of Python, and of engines in Rust and C++, when they run out of memory."""


class WorkerEnded(Exception):
    """A worker ended before it replied; its message is the last one of the worker."""

    def __init__(self, complaint: str, *, expired: bool) -> None:
        """Take what the worker wrote to its standard error."""
        lines = complaint.strip().splitlines() or ["it left no message"]
        super().__init__(lines[-1] if lines[0].startswith("Traceback") else lines[0])
        self.expired = expired
        self.out_of_memory = any(sign in complaint for sign in _OUT_OF_MEMORY)


class WorkerProcess:
    """A process; `close` may be called from any thread, and more than once."""

    def __init__(self, job: str, *arguments: str) -> None:
        """Start it on the file of a job that `triad.worker.program` does.

        Raises:
            OSError: The system cannot start another process.
        """
        self.opened = False
        """Whether it has said that it opened what it works on; whoever receives that notes it here."""
        self._closing = threading.Lock()
        # A file, because nobody reads a pipe while the worker is at work, and a full one would block it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        # Not multiprocessing: its processes import the main module of the program once more, and a script that
        # opens a graph at its top level would do so again in each worker. -P keeps the modules that lie beside
        # the program's file from standing in for others of their names.
        command = [sys.executable, "-P", program.__file__, job, *arguments]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except OSError:
            self._complaints.close()
            raise
        self.input = cast(IO[bytes], self._process.stdin)
        self._output = cast(IO[bytes], self._process.stdout)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Return whether it still runs."""
        return self._process.poll() is None

    def ask(self, request: tuple[Any, ...]) -> Any:
        """Send a request, and return the reply; any failure ends the worker, and is a `WorkerEnded`."""
        try:
            pickle.dump(request, self.input, pickle.HIGHEST_PROTOCOL)
            self.input.flush()
        except (OSError, ValueError):
            pass  # it ended, which its output tells
        except BaseException:
            self.close()
            raise
        return self.receive()

    def receive(self) -> Any:
        """Return the next message; any failure ends the worker, and is a `WorkerEnded`."""
        try:
            return pickle.load(self._output)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError) as error:
            complaint = self._complaint()
            self.close()
            raise WorkerEnded(complaint, expired=self._process.returncode == program.EXPIRED) from error
        except BaseException:  # such as Ctrl-C: a late reply must not count as the reply to the next request
            self.close()
            raise

    def close(self) -> None:
        """Kill it, if it still runs, and close its pipes."""
        with self._closing:  # whoever waits for a reply closes the worker, too, once it is killed
            self._process.kill()
            self._process.wait()
            for stream in (self.input, self._output, self._complaints):
                with suppress(OSError):  # a request that was not sent in full cannot be flushed any more
                    stream.close()

    def _complaint(self) -> str:
        try:
            self._complaints.seek(0)
            return self._complaints.read(10_000).decode(errors="replace")
        except (OSError, ValueError):  # closed meanwhile
            return ""


class _Slow(Exception):
    """A query is not quick."""


class WorkerPool:
    """Runs queries in up to a fixed number of processes. Safe to use from several threads."""

    def __init__(self, job: str, arguments: Sequence[str], *, workers: int, memory_limit: int) -> None:
        """Start the first worker on the file of a job and its arguments; up to so many start when they are needed.

        What memory the job allows a query, in bytes, is for messages.
        """
        self._command = (job, *arguments)
        self._memory_limit = memory_limit
        self._lock = threading.Lock()
        self._closed = False
        self._long = threading.Semaphore(workers - 1 or sys.maxsize)
        self._workers: set[WorkerProcess] = set()
        # Last in, first out: a worker that is up is taken before a place where one would have to be started.
        self._places: queue.LifoQueue[WorkerProcess | None] = queue.LifoQueue()
        for _ in range(workers - 1):
            self._places.put(None)
        self._places.put(self._start())

    @questions.waiting()
    def run(self, *request: Any) -> Any:
        """Run a query in the next free worker; waiting for one is part of its time.

        One worker is left to quick queries: what is not quick, while others have the rest, is run anew after these.

        Args:
            request: What the job needs to run it; the last is its time in seconds.

        Raises:
            QueryTimeout: It did not finish in its time.
            QuerySyntaxError: The engine could not parse it.
            QueryRejected: The engine does not allow it.
            GraphError: It needs too much memory, or the engine failed or died.
        """
        *task, seconds = request
        deadline = Deadline(seconds)
        if not self._long.acquire(blocking=False):
            with suppress(_Slow):
                return self._run(task, deadline, QUICK)
            if not self._long.acquire(timeout=min(deadline.left, threading.TIMEOUT_MAX)):
                raise QueryTimeout(_BUSY.format(seconds))
        try:
            return self._run(task, deadline)
        finally:
            self._long.release()

    def _run(self, task: Sequence[Any], deadline: Deadline, most: float = math.inf) -> Any:
        """Run a query, which is `_Slow` where it takes longer than it may at most and has time left."""
        try:
            place = self._places.get(timeout=min(deadline.left, threading.TIMEOUT_MAX))
        except queue.Empty:
            raise QueryTimeout(_BUSY.format(deadline.seconds)) from None
        try:
            if place is None or not place.is_alive():
                place = self._start(instead_of=place)
            with under_way(place.close):
                self._open(place)
                try:
                    reply = place.ask((*task, min(deadline.left, most)))
                except WorkerEnded as ended:
                    if not ended.expired and not ended.out_of_memory:
                        raise GraphError(f"the engine died on this query: {quoted(str(ended))}") from ended
                    reply = ("late" if ended.expired else "memory", "")
                if reply[0] == "late" and most < math.inf and not deadline.expired:
                    raise _Slow
                return self._result(reply, deadline.seconds)
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

    def _start(self, *, instead_of: WorkerProcess | None = None) -> WorkerProcess:
        if instead_of is not None:
            instead_of.close()
        with self._lock:
            if self._closed:
                raise GraphError("the graph is closed")
            try:
                started = WorkerProcess(*self._command)
            except OSError as error:
                raise GraphError(f"cannot start a worker process: {error}") from error
            self._workers = {each for each in self._workers if each is not instead_of} | {started}
        return started

    def _open(self, worker: WorkerProcess) -> None:
        """Wait until a worker has opened what it works on."""
        if not worker.opened:
            try:
                self._result(worker.receive(), 0.0)
            except WorkerEnded as ended:
                raise GraphError(f"a worker process did not start: {ended}") from ended
            worker.opened = True

    def _result(self, reply: Any, seconds: float) -> Any:
        match reply:
            case ("result", content):
                return content
            case ("syntax", message):
                raise QuerySyntaxError(message)
            case ("rejected", message):
                raise QueryRejected(message)
            case ("late", _):
                raise QueryTimeout(f"the query did not finish in {seconds:g} seconds")
            case ("memory", _):
                most = self._memory_limit / 2**30
                raise GraphError(f"the query needs more memory than the {most:.3g} GiB that it may take")
            case (_, message):
                raise GraphError(f"the query failed: {quoted(message)}")


def share_of_memory(workers: int) -> int:
    """Return how many bytes each of some workers may take, so that all at once take half of the memory at most."""
    return min(_MOST, _memory() // 2 // (workers * int(os.environ.get(PROCESSES, 1))))


def _memory() -> int:
    """Return the bytes that there are; only of Linux, which alone holds workers to a limit, they are known."""
    if sys.platform != "linux":
        return 2**63
    found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    with suppress(OSError):
        for line in _OWN.read_text(encoding="utf-8").splitlines():
            _, kind, path = line.split(":", 2)
            within = _GROUPS / kind / path.lstrip("/")  # of version 1, a folder a kind; version 2 has no kinds
            found += (limit for folder in (within, *within.parents) for limit in _limits(folder))
    return min(found)


def _limits(folder: Path) -> Iterator[int]:
    for name in ("memory.max", "memory.limit_in_bytes"):
        with suppress(OSError, ValueError):  # there is none, or it says "max"
            yield int((folder / name).read_text(encoding="ascii"))
