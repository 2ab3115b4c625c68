"""Queries that a person wrote: run under the guard, and shown with the names of things."""

from __future__ import annotations

from functools import partial

from starlette.datastructures import State

from triad.agent import Agent
from triad.deadline import Deadline
from triad.errors import QueryRejected, QuerySyntaxError
from triad.handwritten import found_by
from triad.rdf import Value
from triad.server.access import Asker
from triad.server.served import Served
from triad.server.views import ValueView, View

ROWS = 1_000
"""Rows that are shown."""
CELLS = 20_000
"""Cells that are shown: of a wide result fewer rows."""
SIZE = 2_000_000
"""Characters that are shown."""


class QueryView(View):
    """What a query gave."""

    variables: list[str]
    rows: list[list[ValueView | None]]
    boolean: bool | None
    truncated: bool
    query: str
    """The query as it ran."""
    seconds: float


async def run(served: Served, query: str, seconds: float, asker: Asker, state: State) -> QueryView:
    """Run a query on a graph of a server, whose state counts it and writes it down.

    Raises:
        Problem: Too many queries wait already.
        GraphError: The guard refused it, or it failed.
    """
    try:
        async with state.audit.of(asker, served.name, "query", query) as entry:
            agent = await served.agent()
            found: QueryView = await served.queries.do_within(seconds, partial(_run, agent, query), asker.account)
            entry.query, entry.rows = found.query, len(found.rows)
        return found
    except QueryRejected:
        state.metrics.refused.labels(served.name).inc()
        raise


def _run(agent: Agent, query: str, deadline: Deadline) -> QueryView:
    try:
        found = found_by(agent, query, deadline, rows=ROWS, cells=CELLS)
    except QuerySyntaxError as error:  # it may quote IRIs of the query, which stay; where the graph is, nobody is told
        raise QuerySyntaxError(str(error).replace(repr(agent.graph.name), "the graph")) from error
    views: dict[Value | None, ValueView | None] = {None: None}
    rows: list[list[ValueView | None]] = []
    size = 0
    for row in found.rows:
        deadline.check("to show what the query found")
        views |= {value: ValueView.model_validate(value) for value in row if value not in views}
        shown = [views[value] for value in row]
        size += sum(len(one.value) + len(one.label) for one in shown if one)
        if size > SIZE:
            break
        rows.append(shown)
    return QueryView(
        variables=list(found.variables),
        rows=rows,
        boolean=found.boolean,
        truncated=found.truncated or len(found.rows) > len(rows),
        query=found.query or "",
        seconds=round(deadline.elapsed, 4),
    )
