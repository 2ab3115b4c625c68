"""The tables of a graph, opened to be asked: read-only, without files, bounded in all that a query takes.

A definition is a column, too: a condition one of yes or no, and a formula one of values. These columns are in no
database. A query that names some gets them by a subquery in the place of their table, before it runs. What a row of a
class's table does not tell, such as a way over several relations, has no column.
"""

import re
import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from triad.closing import Closing
from triad.errors import need_extra
from triad.language.definitions import IT, Defined, is_defined, unfolded
from triad.rdf import IRI, NUMERIC, RDF_TYPE, XSD, Literal
from triad.resources import from_home
from triad.retrieval.sql import ROW_LIMIT, SafeSql, check
from triad.retrieval.tables.schema import DATABASE_FILE, FOLDER, SqlColumn, SqlSchema, SqlTable, quoted, read_schema
from triad.sparql import patterns as sparql
from triad.worker.pool import WorkerPool

_JOB: Final = str(Path(__file__).with_name("worker.py"))

_CALLS: Final = {
    **{name: name.lower() for name in "ABS CEIL COALESCE CONTAINS DAY FLOOR MONTH ROUND SUBSTR YEAR".split()},
    **{"LCASE": "lower", "STRENDS": "ends_with", "STRLEN": "length", "STRSTARTS": "starts_with", "UCASE": "upper"},
}
_CASTS: Final = {"STR": "VARCHAR", XSD + "integer": "BIGINT", XSD + "decimal": "DOUBLE", XSD + "double": "DOUBLE"}


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


# Definitions as columns -----------------------------------------------------------------------------------


class DefinedColumns:
    """A schema with a column for each definition that a row of one of its tables tells, and what gives these."""

    def __init__(self, schema: SqlSchema, known: Mapping[str, Defined]) -> None:
        self.known = known
        self._sql: dict[str, dict[str, str]] = {}  # for each table, in small letters, what gives its columns
        self.schema = replace(schema, tables=tuple(self._with_columns(table) if known else table for table in schema))

    def unfolded(self, query: SafeSql) -> SafeSql:
        """Return a query with what gives tables the defined columns that it names."""
        if not self._sql:
            return query
        import sqlglot
        from sqlglot import exp

        tree = sqlglot.parse_one(query, dialect="duckdb")
        named = {one.name.casefold() for one in tree.find_all(exp.Column)}
        for table in list(tree.find_all(exp.Table)):
            own = self._sql.get(table.name.casefold(), {})
            if used := [f"{sql} AS {quoted(name)}" for name, sql in own.items() if name.casefold() in named]:
                inner = sqlglot.parse_one(f"SELECT *, {', '.join(used)} FROM {quoted(table.name)}", dialect="duckdb")
                assert isinstance(inner, exp.Select)
                table.replace(inner.subquery(table.alias_or_name))
        return SafeSql(tree.sql(dialect="duckdb"))

    def _with_columns(self, table: SqlTable) -> SqlTable:
        columns, sql = {one.name.casefold(): one for one in table.columns}, dict[str, str]()
        for iri, one in self.known.items():
            name = iri.rpartition(":")[2]
            if table.kind == "class" and table.iri in {one.cls, *one.kinds} and name.casefold() not in columns:
                with suppress(LookupError):
                    sql[name] = _Row(table, one.kinds).sql(one, self.known)
                    kind = "BOOLEAN" if one.value is None else "DOUBLE"
                    columns[name.casefold()] = SqlColumn(name, kind, iri, comment=one.meaning)
        if sql:
            self._sql[table.name.casefold()] = sql
        return replace(table, columns=tuple(columns.values()))


class _Row:
    """Says in SQL what a row of a table tells."""

    def __init__(self, table: SqlTable, kinds: Iterable[str]) -> None:
        self.columns: dict[str, str] = {}
        for column in table.columns:
            if column.relation and not column.references:
                self.columns.setdefault(column.relation, quoted(column.name))
        self.kinds = {table.iri, *kinds}
        self.values: dict[Any, str] = {}

    def sql(self, one: Defined, known: Mapping[str, Defined]) -> str:
        """Return the SQL of a definition: whether it holds, or its value; a `LookupError` if no row tells it."""
        value = sparql.Variable("value")
        tests = []
        for part in unfolded(one.patterns(IT, value, {IT.name, value.name}), known):
            match part:
                case sparql.EdgePattern(thing, IRI(iri), IRI(cls)) if (thing, iri) == (
                    IT,
                    RDF_TYPE,
                ) and cls in self.kinds:
                    pass
                case sparql.EdgePattern(thing, IRI(iri), sparql.Variable() as at) if (
                    thing == IT and iri in self.columns
                ):
                    self.values[at] = self.columns[iri]
                    tests.append(f"{self.columns[iri]} IS NOT NULL")
                case sparql.Bind(expression, at):
                    self.values[at] = self.said(expression)
                case sparql.Filter(test):
                    tests.append(self.said(test))
                case _:
                    raise LookupError(part)
        if one.value is None:
            return f"coalesce({' AND '.join(tests)}, FALSE)"
        return f"CASE WHEN {' AND '.join(tests)} THEN {self.values[value]} END"

    def said(self, value: Any) -> str:
        """Return an expression in SQL."""
        match value:
            case sparql.Variable() if value in self.values:
                return self.values[value]
            case Literal():
                is_bare = value.datatype in NUMERIC and value.number is not None  # of any text it may be said
                return value.value if is_bare else "'" + value.value.replace("'", "''") + "'"
            case sparql.Comparison(left, sign, right) | sparql.Arithmetic(left, sign, right):
                return f"({self.said(left)} {sign} {self.said(right)})"
            case sparql.Logic(parts, sign):
                return "(" + {"&&": " AND ", "||": " OR "}[sign].join(map(self.said, parts)) + ")"
            case sparql.OneOf(inner, options, negated):
                return f"({self.said(inner)} {'NOT ' * negated}IN ({', '.join(map(self.said, options))}))"
            case sparql.Not(inner):
                return f"(NOT {self.said(inner)})"
            case sparql.Signed(sign, inner):
                return f"({sign}{self.said(inner)})"
            case sparql.Call("IF", (test, then, other)):
                return f"CASE WHEN {self.said(test)} THEN {self.said(then)} ELSE {self.said(other)} END"
            case sparql.Call(function, arguments):
                name = function.value if isinstance(function, IRI) else function.upper()
                listed = ", ".join(map(self.said, arguments))
                if name in _CASTS:
                    return f"CAST({listed} AS {_CASTS[name]})"
                if name in _CALLS:
                    return f"{_CALLS[name]}({listed})"
        raise LookupError(value)
