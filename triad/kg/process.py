"""One worker process from its parent's side, which runs `triad.kg.worker`: pipes, end and last message."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import tempfile
import threading
from typing import IO, Final, cast

from triad.kg import worker

__all__ = ["WorkerProcess"]

_OUT_OF_MEMORY: Final = ("memory allocation", "bad_alloc", "Cannot allocate memory")
"""Messages of pyoxigraph, written in Rust and C++, when it runs out of memory."""


class WorkerProcess:
    """A process; `close` may be called from any thread, and more than once."""

    def __init__(self, *arguments: str) -> None:
        """Start it.

        Args:
            arguments: The command-line arguments of `triad.kg.worker`.

        Raises:
            OSError: The system cannot start another process.
        """
        self._closing = threading.Lock()
        # A file, because nobody reads a pipe while the worker is at work, and a full one would block it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        # Not multiprocessing: its processes import the main module of the program once more, and a script that
        # opens a graph at its top level would do so again in each worker. -P keeps the modules that lie beside
        # the worker's file from standing in for others of their names.
        command = [sys.executable, "-P", worker.__file__, *arguments]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except OSError:
            self._complaints.close()
            raise
        self.input = cast(IO[bytes], self._process.stdin)
        self.output = cast(IO[bytes], self._process.stdout)

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def is_alive(self) -> bool:
        """Tell whether it still runs."""
        return self._process.poll() is None

    @property
    def expired(self) -> bool:
        """Whether it ended because it reached a deadline."""
        return self._process.returncode == worker.EXPIRED

    @staticmethod
    def is_out_of_memory(complaint: str) -> bool:
        """Tell whether a worker with such a last message ran out of memory."""
        return any(sign in complaint for sign in _OUT_OF_MEMORY)

    def close(self) -> None:
        """Kill it, if it still runs, and close its pipes."""
        with self._closing:  # whoever waits for a reply closes the worker, too, once it is killed
            self._process.kill()
            self._process.wait()
            for stream in (self.input, self.output, self._complaints):
                with contextlib.suppress(OSError):  # a request that was not sent in full cannot be flushed any more
                    stream.close()

    def complaint(self) -> str:
        """Return the first line that it wrote to its standard error."""
        try:
            self._complaints.seek(0)
            text = self._complaints.read(10_000).decode(errors="replace").strip()
        except (OSError, ValueError):  # closed meanwhile
            text = ""
        return text.partition("\n")[0] or "it left no message"
