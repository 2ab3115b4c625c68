"""Definitions as columns: in SQL, a condition is a column of yes or no, and a formula one of values.

The columns are in no database. A query that names some gets them by a subquery in the place of their table, before it
runs. What a row of a class's table does not tell, such as a way over several relations, has no column.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from triad.language.definitions import IT, Defined, unfolded
from triad.rdf import IRI, NUMERIC, RDF_TYPE, XSD, Literal
from triad.retrieval.sql import SafeSql
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable, quoted
from triad.sparql import patterns as sparql

_CALLS: Final = {
    **{
        name: name.lower() for name in ("ABS", "CEIL", "COALESCE", "CONTAINS", "DAY", "FLOOR", "MONTH", "ROUND", "YEAR")
    },
    **{"LCASE": "lower", "STRENDS": "ends_with", "STRLEN": "length", "STRSTARTS": "starts_with", "UCASE": "upper"},
    "SUBSTR": "substr",
}
_CASTS: Final = {"STR": "VARCHAR", XSD + "integer": "BIGINT", XSD + "decimal": "DOUBLE", XSD + "double": "DOUBLE"}


class _Unsayable(Exception):
    """A row of a table does not tell it."""


@dataclass(frozen=True, slots=True)
class DefinedColumns:
    """The columns that definitions give to tables."""

    columns: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """For the name of each table, in small letters, its columns, with the SQL of their values."""

    def unfolded(self, query: SafeSql) -> SafeSql:
        """Return a query with what gives tables the defined columns that it names."""
        import sqlglot
        from sqlglot import exp

        tree = sqlglot.parse_one(query, dialect="duckdb")
        named = {one.name.casefold() for one in tree.find_all(exp.Column)}
        hidden = {one.alias.casefold() for one in tree.find_all(exp.CTE)}
        for table in list(tree.find_all(exp.Table)):
            own = self.columns.get(table.name.casefold(), {}) if table.name.casefold() not in hidden else {}
            if used := [f"{sql} AS {quoted(name)}" for name, sql in own.items() if name.casefold() in named]:
                inner = sqlglot.parse_one(f"SELECT *, {', '.join(used)} FROM {quoted(table.name)}", dialect="duckdb")
                assert isinstance(inner, exp.Select)
                table.replace(inner.subquery(table.alias_or_name))
        return SafeSql(tree.sql(dialect="duckdb"))


def with_defined(schema: SqlSchema, known: Mapping[str, Defined]) -> tuple[SqlSchema, DefinedColumns]:
    """Return a schema with a column for each definition that one of its tables can tell, and what gives these."""
    tables: list[SqlTable] = []
    found: dict[str, dict[str, str]] = {}
    for table in schema:
        made = list(_columns(table, known)) if table.kind == "class" else []
        if made:
            found[table.name.casefold()] = {column.name: sql for column, sql in made}
        tables.append(replace(table, columns=(*table.columns, *(column for column, _ in made))))
    return replace(schema, tables=tuple(tables)), DefinedColumns(found)


def _columns(table: SqlTable, known: Mapping[str, Defined]) -> Iterator[tuple[SqlColumn, str]]:
    taken = {column.name.casefold() for column in table.columns}
    for iri, one in known.items():
        name = "_".join(one.word.split())
        if table.iri not in {one.cls, *one.kinds} or name.casefold() in taken:
            continue
        try:
            sql = _Row(table, one.kinds).sql(one, known)
        except _Unsayable:
            continue
        kind = "BOOLEAN" if one.value is None else "DOUBLE"
        yield SqlColumn(name, kind, iri, required=one.value is None, comment=one.meaning), sql


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
        """Return the SQL of a definition: whether it holds, or its value."""
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
                    raise _Unsayable
        if one.value is None:
            return f"coalesce({' AND '.join(tests)}, FALSE)"
        return f"CASE WHEN {' AND '.join(tests)} THEN {self.values[value]} END"

    def said(self, value: Any) -> str:
        """Return an expression in SQL."""
        match value:
            case sparql.Variable() if value in self.values:
                return self.values[value]
            case Literal():
                is_plain = value.datatype in NUMERIC or value.datatype == XSD + "boolean"
                return value.value if is_plain else "'" + value.value.replace("'", "''") + "'"
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
        raise _Unsayable
