"""Queries that a person wrote: run under the guard, and shown with the names of things."""

from __future__ import annotations

from functools import partial

from starlette.datastructures import State

from triad.agent import Agent
from triad.deadline import Deadline
from triad.errors import QueryRejected, QuerySyntaxError
from triad.kg.guard import Policy, check
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.rdf import IRI, ResultSet, Term
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
    safe = check(query, Policy(row_limit=min(ROWS, agent.graph.row_limit)))
    assert safe.graph is not None
    most = max(1, min(ROWS, CELLS // max(1, len(safe.graph.variables))))
    safe = check(safe.graph, Policy(row_limit=min(most, agent.graph.row_limit)))
    try:
        if safe.graph and safe.graph.ask:
            result = ResultSet(boolean=agent.graph.ask(safe, timeout=deadline.left))
        else:
            result = agent.graph.select(safe, timeout=deadline.left)
    except QuerySyntaxError as error:  # it may quote IRIs of the query, which stay; where the graph is, nobody is told
        raise QuerySyntaxError(str(error).replace(repr(agent.graph.name), "the graph")) from error
    found = dict.fromkeys(term for row in result.rows[:most] for term in row)
    schema = agent.schema.over(QuestionGraph(agent.graph, LookupTime(deadline.left)))
    names = schema.labels(term.value for term in found if isinstance(term, IRI))
    views: dict[Term | None, ValueView | None] = {None: None}
    rows: list[list[ValueView | None]] = []
    size = 0
    for row in result.rows[:most]:
        deadline.check("to show what the query found")
        for term in row:
            if term is not None and term not in views:
                views[term] = ValueView.named(term, names, agent.language)
        shown = [views[term] for term in row]
        size += sum(len(one.value) + len(one.label) for one in shown if one)
        if size > SIZE:
            break
        rows.append(shown)
    return QueryView(
        variables=list(result.variables),
        rows=rows,
        boolean=result.boolean,
        truncated=result.truncated or len(result.rows) > len(rows),
        query=safe,
        seconds=round(deadline.elapsed, 4),
    )
