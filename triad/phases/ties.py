"""Ties: a query that gives the first few rows of an order also gives those that share the last place.

Who asks for the oldest film means all films of that year. The limit of such a query is raised, so that the query still
gives the result.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count, takewhile
from typing import Final

from triad import sparql
from triad.errors import GraphError
from triad.kg.guard import check
from triad.phases.context import Context
from triad.rdf import ResultSet
from triad.sparql.patterns import Computed, Variable

__all__ = ["with_ties"]

_LIMIT: Final = 20  # rows up to which a limit is a place in an order, and no size of a page
_MORE: Final = 50  # rows that share the last place, above which the order tells nothing


def with_ties(context: Context, tree: sparql.QueryGraph, result: ResultSet) -> tuple[sparql.QueryGraph, ResultSet]:
    """Return a query and its result, both with the rows that share the last place.

    They stay the same if there are none, and where the first rows are passed over: the second is one place, and no tie.
    """
    limit = tree.limit
    if not tree.order or limit is None or tree.offset or not tree.columns:
        return tree, result
    if not 0 < limit <= _LIMIT or len(result.rows) != limit:
        return tree, result
    width, places, keys = len(result.variables), list[int](), list[Computed]()
    for one, name in zip(tree.order, _unused(tree), strict=False):
        if isinstance(one.key, Variable) and one.key.name in result.variables:
            places.append(result.variables.index(one.key.name))
        else:
            places.append(width + len(keys))
            keys.append(Computed(one.key, name))
    keyed = replace(tree, columns=(*tree.columns, *keys), limit=limit + _MORE)
    try:
        rows = context.execute(check(keyed, context.policy), ask=False).rows
    except GraphError:
        return tree, result
    ordered = [tuple(row[place] for place in places) for row in rows]
    if len(rows) <= limit or not any(ordered[limit - 1]):
        return tree, result
    sharing = sum(1 for _ in takewhile(ordered[limit - 1].__eq__, ordered[limit:]))
    found = tuple(dict.fromkeys(row[:width] for row in rows[: limit + sharing]))
    if sharing == _MORE or len(found) <= len(set(result.rows)):
        return tree, result
    limit = len(found) if tree.distinct else limit + sharing
    return replace(tree, limit=limit), replace(result, rows=found)


def _unused(tree: sparql.QueryGraph) -> Iterator[Variable]:
    """Yield variables that a query does not have."""
    taken = {term.name for term in sparql.terms(tree) if isinstance(term, Variable)}
    return (Variable(name) for at in count(1) if (name := f"key{at}") not in taken)
