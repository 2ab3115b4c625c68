"""The tables of a graph, opened to be asked: read-only, without files, bounded in all that a query takes."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from triad.errors import ConfigError, GraphError, QueryRejected, QuerySyntaxError, QueryTimeout
from triad.resources import from_home
from triad.retrieval.sql import SafeSql, check
from triad.retrieval.tables.process import Limits, Worker, first_line
from triad.retrieval.tables.schema import DATABASE_FILE, FOLDER, Schema, read_schema

__all__ = ["Limits", "Rows", "Tables"]


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
        self.folder = from_home(folder) / FOLDER
        if find_spec("duckdb") is None or find_spec("sqlglot") is None:
            raise ConfigError("tables need an extra: pip install 'triad-kgqa[retrieval]'")
        self.schema: Schema = read_schema(self.folder)
        self._names = tuple(table.name for table in self.schema)
        self._limits = limits
        self._lock = threading.Lock()
        self._worker: Worker | None = None

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
            if self._worker is not None and not self._worker.is_alive():
                self._worker.close()
                self._worker = None
            if self._worker is None:
                self._worker = Worker(self.folder / DATABASE_FILE, limits)
            reply = self._worker.run((sql, limits.rows, limits.size, limits.seconds))
        match reply:
            case ("result", columns, rows, cut):
                return Rows(columns, tuple(rows), sql, truncated=cut)
            case ("syntax", message):
                raise QuerySyntaxError(first_line(message))
            case ("rejected", message):
                raise QueryRejected(first_line(message))
            case ("late", _):
                raise QueryTimeout(f"the query did not finish in {limits.seconds:g} seconds")
            case ("memory", _):
                raise GraphError(f"the query needs more memory than the {limits.memory >> 20} MiB that it may take")
            case (_, message):
                raise GraphError(f"the query failed: {first_line(message)}")

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


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
