"""The process that runs SQL, from its parent's side: `triad.retrieval.tables.worker` is its program."""

from __future__ import annotations

import contextlib
import pickle
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, cast

from triad.errors import GraphError
from triad.retrieval.sql import ROW_LIMIT

if TYPE_CHECKING:
    from triad.retrieval.tables.worker import Reply, Request

__all__ = ["Limits", "Worker", "first_line"]

_EXPIRED: Final = -int(getattr(signal, "SIGALRM", -124))
"""The exit status of a worker that reached a deadline."""
_PROGRAM: Final = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a query may take."""

    seconds: float = 10.0
    rows: int = ROW_LIMIT
    size: int = 5_000_000
    """Characters of all values together."""
    memory: int = 512 << 20
    """Bytes."""
    threads: int = 2


class Worker:
    """The process that runs queries."""

    def __init__(self, file: Path, limits: Limits) -> None:
        # A file, because nobody reads a pipe while the worker is at work, and a full one would block it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        # -P keeps the modules that lie beside the worker's file from standing in for others of their names.
        command = [sys.executable, "-P", str(_PROGRAM), str(file), str(limits.memory), str(limits.threads)]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._complaints
            )
        except OSError as error:
            self._complaints.close()
            raise GraphError(f"cannot start a worker process: {error}") from error
        self._input = cast(IO[bytes], self._process.stdin)
        self._output = cast(IO[bytes], self._process.stdout)
        opened = self._receive()
        if opened[0] != "result":
            self.close()
            raise GraphError(f"cannot open the tables: {first_line(opened[1])}")

    def is_alive(self) -> bool:
        """Tell whether it still runs."""
        return self._process.poll() is None

    def run(self, request: Request) -> Reply:
        """Run a query; a worker that ends meanwhile gives a reply that says so."""
        try:
            pickle.dump(request, self._input, pickle.HIGHEST_PROTOCOL)
            self._input.flush()
        except OSError:
            pass  # it died, which its output tells
        except BaseException:
            self.close()
            raise
        return self._receive()

    def close(self) -> None:
        """Kill it, if it still runs, and close its pipes."""
        self._process.kill()
        self._process.wait()
        for stream in (self._input, self._output, self._complaints):
            with contextlib.suppress(OSError, ValueError):
                stream.close()

    def _receive(self) -> Reply:
        try:
            reply: Reply = pickle.load(self._output)
        except (OSError, EOFError, ValueError, pickle.UnpicklingError):
            self._process.wait()
            complaint = self._complaint()
            code = self._process.returncode
            self.close()
            if code == _EXPIRED:
                return ("late", "")
            if any(sign in complaint for sign in ("bad_alloc", "allocat", "MemoryError", "out of memory")):
                return ("memory", complaint)
            return ("failure", f"the process that ran it ended: {complaint or code}")
        except BaseException:  # such as Ctrl-C: a late reply must not count as the reply to the next request
            self.close()
            raise
        return reply

    def _complaint(self) -> str:
        self._complaints.seek(0)
        return self._complaints.read(10_000).decode(errors="replace").strip()[-500:]


def first_line(message: str) -> str:
    """Return what the database says, without the query."""
    return " ".join(message.partition("\nLINE")[0].split())[:500]
