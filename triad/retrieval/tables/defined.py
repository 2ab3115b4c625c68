"""Definitions as columns: in SQL, a condition is a column of yes or no, and a formula one of values.

The columns are in no database. A query that names some gets them by a subquery in the place of their table, before it
runs. What a row of a class's table does not tell, such as a way over several relations, has no column.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from triad.language.definitions import IT, Defined, unfolded
from triad.rdf import IRI, NUMERIC, RDF_TYPE, XSD, Literal
from triad.retrieval.sql import SafeSql
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable, quoted
from triad.sparql import patterns as sparql

_CALLS: Final = {
    **{name: name.lower() for name in "ABS CEIL COALESCE CONTAINS DAY FLOOR MONTH ROUND SUBSTR YEAR".split()},
    **{"LCASE": "lower", "STRENDS": "ends_with", "STRLEN": "length", "STRSTARTS": "starts_with", "UCASE": "upper"},
}
_CASTS: Final = {"STR": "VARCHAR", XSD + "integer": "BIGINT", XSD + "decimal": "DOUBLE", XSD + "double": "DOUBLE"}


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
