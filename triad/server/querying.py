"""Queries that a person wrote: run under the guard, and shown with the names of things."""

from __future__ import annotations

import time

from triad.agent import Agent
from triad.errors import QuerySyntaxError
from triad.kg.base import SafeQuery
from triad.kg.guard import Policy, check
from triad.rdf import IRI
from triad.server.steps import View
from triad.server.views import ValueView

__all__ = ["QueryView", "run"]

ROWS = 1_000
"""Rows that are shown."""


class QueryView(View):
    """What a query gave."""

    variables: list[str]
    rows: list[list[ValueView | None]]
    boolean: bool | None
    truncated: bool
    query: str
    """The query as it ran."""
    seconds: float


def run(agent: Agent, query: str, seconds: float) -> QueryView:
    """Run a query.

    Raises:
        GraphError: The guard refused it, or it failed.
    """
    safe = check(query, Policy(row_limit=min(ROWS, agent.graph.row_limit)))
    try:
        return _ran(agent, safe, seconds)
    except QuerySyntaxError as error:  # it may quote IRIs of the query, which stay; where the graph is, nobody is told
        raise QuerySyntaxError(str(error).replace(repr(agent.graph.name), "the graph")) from error


def _ran(agent: Agent, safe: SafeQuery, seconds: float) -> QueryView:
    started = time.perf_counter()
    if safe.graph is not None and safe.graph.ask:
        variables: tuple[str, ...] = ()
        rows: list[list[ValueView | None]] = []
        boolean, truncated = agent.graph.ask(safe, timeout=seconds), False
    else:
        result = agent.graph.select(safe, timeout=seconds)
        truncated, boolean, variables = result.truncated or len(result) > ROWS, None, result.variables
        found = result.rows[:ROWS]
        names = agent.schema.labels(dict.fromkeys(one.value for row in found for one in row if isinstance(one, IRI)))
        rows = [
            [None if term is None else ValueView.named(term, names, agent.language) for term in row] for row in found
        ]
    taken = round(time.perf_counter() - started, 4)
    return QueryView(
        variables=list(variables), rows=rows, boolean=boolean, truncated=truncated, query=safe, seconds=taken
    )
