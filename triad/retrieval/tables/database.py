"""The tables of a graph, opened to be asked: read-only, without files, bounded in all that a query takes."""

from __future__ import annotations

import contextlib
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, Self, cast

from triad.errors import ConfigError, GraphError, QueryRejected, QuerySyntaxError, QueryTimeout
from triad.retrieval.sql import ROW_LIMIT, SafeSql, check
from triad.retrieval.tables.schema import DATABASE_FILE, FOLDER, Schema, read_schema

if TYPE_CHECKING:
    from triad.retrieval.tables.worker import Reply, Request

__all__ = ["Limits", "Rows", "Tables"]

_EXPIRED: Final = -int(getattr(signal, "SIGALRM", -124))
"""The exit status of a worker that reached a deadline."""
_WORKER: Final = Path(__file__).with_name("worker.py")


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


@dataclass(frozen=True, slots=True)
class Rows:
    """The result of a query."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    sql: str
    """The query as it ran."""
    truncated: bool = False
    """True if the cap on rows or on their size cut the result."""

    def plain(self) -> list[list[Any]]:
        """Return the rows with values that JSON knows."""
        return [list(map(_plain, row)) for row in self.rows]


class Tables:
    """The tables of a graph. Safe to use from several threads, one query after the other.

    Args:
        folder: The folder of the index whose tables they are.
        limits: What a query may take.

    Raises:
        DataError: The folder has no tables.
        ConfigError: The extra is not installed.
    """

    def __init__(self, folder: str | Path, limits: Limits = Limits()) -> None:
        self.folder = Path(folder).expanduser() / FOLDER
        if find_spec("duckdb") is None or find_spec("sqlglot") is None:
            raise ConfigError("tables need an extra: pip install 'triad-kgqa[retrieval]'")
        self.schema: Schema = read_schema(self.folder)
        self._names = tuple(table.name for table in self.schema)
        self._limits = limits
        self._lock = threading.Lock()
        self._worker: _Worker | None = None

    def query(self, sql: str) -> Rows:
        """Run a query that a model or a user wrote.

        Raises:
            QuerySyntaxError: It is not SQL, or names a column that there is not.
            QueryRejected: It is not allowed.
            QueryTimeout: It took too long.
            GraphError: It took too much memory, or failed.
        """
        return self.run(check(sql, self._names, self._limits.rows))

    def run(self, sql: SafeSql) -> Rows:
        """Run a query that passed the guard; see `query` for what it raises."""
        limits = self._limits
        with self._lock:
            if self._worker is None or not self._worker.is_alive():
                self._worker = _Worker(self.folder / DATABASE_FILE, limits)
            reply = self._worker.run((sql, limits.rows, limits.size, limits.seconds))
        match reply:
            case ("result", columns, rows, cut):
                return Rows(columns, tuple(rows), sql, truncated=cut)
            case ("syntax", message):
                raise QuerySyntaxError(_first(message))
            case ("rejected", message):
                raise QueryRejected(_first(message))
            case ("late", _):
                raise QueryTimeout(f"the query did not finish in {limits.seconds:g} seconds")
            case ("memory", _):
                raise GraphError(f"the query needs more memory than the {limits.memory >> 20} MiB that it may take")
            case (_, message):
                raise GraphError(f"the query failed: {_first(message)}")

    def close(self) -> None:
        """End the process that runs queries."""
        with self._lock:
            if self._worker is not None:
                self._worker.close()
                self._worker = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Worker:
    """The process that runs queries."""

    def __init__(self, file: Path, limits: Limits) -> None:
        # A file, because nobody reads a pipe while the worker is at work, and a full one would block it.
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - open as long as the process
        # -P keeps the modules that lie beside the worker's file from standing in for others of their names.
        command = [sys.executable, "-P", str(_WORKER), str(file), str(limits.memory), str(limits.threads)]
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
            raise GraphError(f"cannot open the tables: {_first(opened[1])}")

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def run(self, request: Request) -> Reply:
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


def _first(message: str) -> str:
    """Return what the database says, without the query."""
    return " ".join(message.partition("\nLINE")[0].split())[:500]


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
