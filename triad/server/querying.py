"""Queries that a person wrote: run under the guard, and shown with the names of things."""

from __future__ import annotations

import time
from functools import partial

from triad.agent import Agent
from triad.deadline import Deadline
from triad.errors import QueryRejected, QuerySyntaxError
from triad.kg.guard import Policy, check
from triad.rdf import IRI, ResultSet
from triad.server.metrics import Metrics
from triad.server.served import Served
from triad.server.views import ValueView, View

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


async def run(served: Served, query: str, seconds: float, account: str, metrics: Metrics) -> QueryView:
    """Run a query on a graph, for who has an account.

    Raises:
        Problem: Too many queries wait already.
        GraphError: The guard refused it, or it failed.
    """
    agent = await served.agent()
    try:
        return await served.queries.do_within(seconds, partial(_run, agent, query), account)
    except QueryRejected:
        metrics.refused.labels(served.name).inc()
        raise


def _run(agent: Agent, query: str, deadline: Deadline) -> QueryView:
    safe = check(query, Policy(row_limit=min(ROWS, agent.graph.row_limit)))
    started = time.perf_counter()
    try:
        if safe.graph is not None and safe.graph.ask:
            result = ResultSet(boolean=agent.graph.ask(safe, timeout=deadline.left))
        else:
            result = agent.graph.select(safe, timeout=deadline.left)
    except QuerySyntaxError as error:  # it may quote IRIs of the query, which stay; where the graph is, nobody is told
        raise QuerySyntaxError(str(error).replace(repr(agent.graph.name), "the graph")) from error
    found = result.rows[:ROWS]
    names = agent.schema.labels(dict.fromkeys(one.value for row in found for one in row if isinstance(one, IRI)))
    return QueryView(
        variables=list(result.variables),
        rows=[[ValueView.named(term, names, agent.language) if term else None for term in row] for row in found],
        boolean=result.boolean,
        truncated=result.truncated or len(result.rows) > ROWS,
        query=safe,
        seconds=round(time.perf_counter() - started, 4),
    )
