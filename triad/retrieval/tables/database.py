"""The tables of a graph, opened to be asked: read-only, without files, bounded in all that a query takes."""

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from triad.closing import Closing
from triad.errors import need_extra
from triad.language.definitions import Defined, is_defined
from triad.resources import from_home
from triad.retrieval.sql import ROW_LIMIT, SafeSql, check
from triad.retrieval.tables.defined import DefinedColumns
from triad.retrieval.tables.schema import DATABASE_FILE, FOLDER, SqlColumn, SqlSchema, read_schema
from triad.worker.pool import WorkerPool

_JOB: Final = str(Path(__file__).with_name("worker.py"))


@dataclass(frozen=True, slots=True)
class SqlLimits:
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


class Tables(Closing):
    """The tables of a graph's index. Safe to use from several threads, one query after the other.

    Raises:
        DataError: The folder has no tables.
        ConfigError: The extra is not installed.
    """

    def __init__(self, folder: str | Path, limits: SqlLimits = SqlLimits()) -> None:
        self.folder = from_home(folder) / FOLDER
        need_extra("retrieval", "SQL on tables takes", "sqlglot")
        self.schema: SqlSchema = read_schema(self.folder)
        self._defined = DefinedColumns(self.schema, {})
        self._names = tuple(table.name for table in self.schema)
        self._limits = limits
        self._lock = threading.Lock()
        self._pool: WorkerPool | None = None

    def define(self, known: Mapping[str, Defined]) -> None:
        """Give the tables columns for what is defined."""
        self._defined = DefinedColumns(self.schema, known)
        self.schema = self._defined.schema

    def query(self, sql: str) -> Rows:
        """Run a query that a model or a user wrote.

        Raises:
            QuerySyntaxError: It is not SQL, or names a column that there is not.
            QueryRejected: It is not allowed.
            QueryTimeout: It took too long.
            GraphError: It took too much memory, or failed.
        """
        return self.run(self._defined.unfolded(check(sql, self._names, self._limits.rows)))

    def named_in(self, query: str) -> list[SqlColumn]:
        """Return the columns that a query names, of the tables that it asks; none where it is not SQL."""
        words = set(re.findall(r"\w+", query.casefold()))
        return [one for table in self.schema.named_in(query) for one in table.columns if one.name.casefold() in words]

    def used(self, query: str) -> tuple[Defined, ...]:
        """Return the definitions whose columns a query names."""
        return tuple(self._defined.known[one.relation] for one in self.named_in(query) if is_defined(one.relation))

    def run(self, sql: SafeSql) -> Rows:
        """Run a query that passed the guard; see `query` for what it raises."""
        limits = self._limits
        with self._lock:
            if self._pool is None:
                arguments = (str(self.folder / DATABASE_FILE), str(limits.memory), str(limits.threads))
                self._pool = WorkerPool(_JOB, arguments, workers=1, memory_limit=limits.memory)
        columns, rows, cut = self._pool.run(sql, limits.rows, limits.size, limits.seconds)
        return Rows(columns, tuple(rows), sql, truncated=cut)

    def close(self) -> None:
        """End the process that runs queries."""
        with self._lock:
            if self._pool is not None:
                self._pool.close()
                self._pool = None


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, dict):
        return {str(key): _plain(one) for key, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
