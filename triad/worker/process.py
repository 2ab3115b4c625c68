"""One worker process from its parent's side: pipes, end and last message."""

import contextlib
import pickle
import subprocess
import sys
import tempfile
import threading
from typing import IO, Any, Final, cast

from triad.worker import program

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
                with contextlib.suppress(OSError):  # a request that was not sent in full cannot be flushed any more
                    stream.close()

    def _complaint(self) -> str:
        try:
            self._complaints.seek(0)
            return self._complaints.read(10_000).decode(errors="replace")
        except (OSError, ValueError):  # closed meanwhile
            return ""
