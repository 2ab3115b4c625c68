"""The guard of SQL: what may be asked of a database by a query that a model or a user wrote.

As with SPARQL, the query is read as a tree, what is not allowed is refused, and the tree is written anew: what runs is
what was checked. It must be one SELECT of tables that the schema has. Functions that read files, settings or other
queries are refused, and so is what no list of functions knows.

>>> print(check("select label from bike -- all", tables=["bike"], row_limit=10))
SELECT label FROM bike LIMIT 11
>>> check("SELECT * FROM 'secret.csv'", tables=["bike"])
Traceback (most recent call last):
    ...
triad.errors.QueryRejected: there is no table 'secret.csv'; there are: bike

The database is opened read-only besides, without access to files and with its settings locked; time, rows, bytes and
memory are bounded by `triad.retrieval.tables.database`.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NewType

from triad.errors import QueryRejected, QuerySyntaxError
from triad.resources import read
from triad.strict import load_yaml
from triad.text import writable

if TYPE_CHECKING:
    from sqlglot import exp

SafeSql = NewType("SafeSql", str)
"""SQL that the guard wrote."""

ROW_LIMIT: Final = 1000
"""Rows that a result has at most, if nothing else is said."""

_LENGTH: Final = 20_000
_DEPTH: Final = 60  # how deep brackets may be nested
_ALLOWED: Final = "allowed is one SELECT (with CTEs) of the tables that 'triad tables show' names"
_LISTS: Final = load_yaml(read(Path(__file__).with_suffix(".yaml")), "sql.yaml")
_FUNCTIONS, _ROW_SOURCES, _REFUSED = (frozenset(_LISTS[name].split()) for name in ("functions", "rows", "refused"))


def tables_in(query: str) -> list[str]:
    """Return the names that a query has in the place of tables; none where it is not SQL.

    >>> tables_in('SELECT label FROM "Lake", Region')
    ['Lake', 'Region']
    """
    from sqlglot import exp

    try:
        return list(dict.fromkeys(node.name for node in _parse(query).find_all(exp.Table) if node.name))
    except (QuerySyntaxError, QueryRejected):
        return []


def check(query: str, tables: Collection[str], row_limit: int = ROW_LIMIT) -> SafeSql:
    """Return SQL of DuckDB in the form in which it may run; it asks for one row too many, so that a cut is noticed.

    Raises:
        QuerySyntaxError: It is not SQL, or too long or too deeply nested.
        QueryRejected: It is SQL, but not allowed.
    """
    tree = _checked(query, tables)
    if (limit := _limit(tree)) is None or limit > row_limit:
        tree = tree.limit(row_limit + 1, copy=False)
    try:
        text = tree.sql(dialect="duckdb", comments=False)
    except (RecursionError, ValueError) as error:
        raise QuerySyntaxError(f"the query cannot be written anew: {error}") from error
    _checked(text, tables)  # of some queries another one is written, or none
    return SafeSql(text)


def _checked(query: str, tables: Collection[str]) -> exp.Query:
    """Return the tree of a query that is allowed."""
    from sqlglot import exp

    tree = _parse(query)
    if not isinstance(tree, exp.Select | exp.SetOperation | exp.Subquery):
        raise QueryRejected(f"{_called(tree)} is not allowed: queries can only read; {_ALLOWED}")
    known = {name.casefold() for name in tables}
    for node in tree.walk():
        _check_node(node, known, tables)
    return tree


def _parse(query: str) -> exp.Expr:
    """Return the tree of the only statement of a text."""
    import sqlglot
    from sqlglot.errors import SqlglotError

    logging.getLogger("sqlglot").setLevel(logging.ERROR)  # it would print what a stranger wrote
    if len(query) > _LENGTH:
        raise QuerySyntaxError(f"the query has {len(query):,} characters; at most {_LENGTH:,} are read")
    if _depth(query) > _DEPTH:
        raise QuerySyntaxError(f"the query is nested too deeply; at most {_DEPTH} brackets are read")
    if writable(query) != query:
        raise QuerySyntaxError("the query has half a surrogate pair, which no database reads")
    try:
        found = [tree for tree in sqlglot.parse(query, dialect="duckdb") if tree is not None]
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, IndexError, KeyError) as error:
        raise QuerySyntaxError(f"not SQL of DuckDB: {' '.join(str(error).split())[:300]}") from error
    if not found:
        raise QuerySyntaxError("there is no query")
    if len(found) > 1:
        raise QueryRejected(f"there are {len(found)} statements; {_ALLOWED}")
    tree: exp.Expr = found[0]
    return tree


def _depth(query: str) -> int:
    """Return how deep brackets are nested, in texts, too; operators before an operand nest as well."""
    depth = deepest = run = 0
    for char in query:
        depth += (char in "([{") - (char in ")]}")
        run = run + 1 if char in "-+~!" else 0
        deepest = max(deepest, depth, run)
    return deepest


def _check_node(node: exp.Expr, known: Collection[str], tables: Collection[str]) -> None:
    from sqlglot import exp

    kind = type(node).__name__
    if kind in _REFUSED or (isinstance(node, exp.DDL | exp.DML) and not isinstance(node, exp.Query)):
        raise QueryRejected(f"{_called(node)} is not allowed; {_ALLOWED}")
    if isinstance(node, exp.Table):
        _check_table(node, known, tables)
    elif isinstance(node, exp.Dot) and isinstance(node.expression, exp.Func):
        raise QueryRejected(
            f"the function {node.sql(dialect='duckdb')[:80]!r} is not allowed: call it by its name alone"
        )
    elif isinstance(node, exp.Anonymous | exp.AnonymousAggFunc | exp.CombinedAggFunc):
        name = str(node.name or node.this).casefold()
        if name not in _FUNCTIONS and name not in _ROW_SOURCES:
            raise QueryRejected(
                f"the function {name!r} is not allowed; functions that only compute on their arguments are"
            )


def _check_table(node: exp.Table, known: Collection[str], tables: Collection[str]) -> None:
    from sqlglot import exp

    if isinstance(node.this, exp.Func):
        name = (node.this.name if isinstance(node.this, exp.Anonymous) else node.this.sql_name()).casefold()
        if name not in _ROW_SOURCES and not isinstance(node.this, exp.GenerateSeries | exp.Unnest):
            allowed = ", ".join(sorted(_ROW_SOURCES))
            raise QueryRejected(f"the function {name!r} is not allowed as a table; {allowed} are")
        return
    if node.args.get("db") or node.args.get("catalog"):
        raise QueryRejected(f"the table {node.sql(dialect='duckdb')[:80]!r} is not allowed: name it without a schema")
    if node.args.get("when") or node.args.get("version"):
        raise QueryRejected("former versions of a table are not kept")
    if node.name.casefold() not in known and node.name.casefold() not in set(_visible(node)):
        listed = ", ".join(sorted(tables)[:40]) + (" …" if len(tables) > 40 else "")
        raise QueryRejected(f"there is no table {node.name!r}; there are: {listed}")


def _visible(node: exp.Expr) -> Iterator[str]:
    """Yield the names of the CTEs that a part of a query may name: within one, those before it."""
    from sqlglot import exp

    below: Any = node
    while (above := below.parent) is not None:
        clause = above if isinstance(above, exp.With) else above.args.get("with_") or above.args.get("with")
        for cte in clause.expressions if clause is not None and clause is not below else ():
            if cte is below:
                break
            yield cte.alias.casefold()
        # A recursive one names itself behind UNION; with BY NAME it is none, and names a table.
        in_cte = isinstance(above, exp.Union) and isinstance(above.parent, exp.CTE) and not above.args.get("by_name")
        if in_cte and below is above.expression and above.parent.parent.recursive:
            yield above.parent.alias.casefold()
        below = above


def _limit(tree: exp.Expr) -> int | None:
    """Return the number of a query's LIMIT; None if it has none, or one that is to be computed."""
    from sqlglot import exp

    limit = tree.args.get("limit")
    number = limit.expression if isinstance(limit, exp.Limit) else None
    return int(number.name) if isinstance(number, exp.Literal) and number.name.isdecimal() else None


def _called(tree: exp.Expr) -> str:
    """Return what a statement that is not allowed is called: ATTACH, COPY, DROP."""
    from sqlglot import exp

    return str(tree.this).upper() if isinstance(tree, exp.Command) else type(tree).__name__.upper()
