"""Queries that somebody wrote: read with the prefixes of their graph, run under the guard, and told of."""

from dataclasses import replace

from triad import sparql
from triad.agent import Agent
from triad.answers import Answer
from triad.deadline import Deadline
from triad.kg.base import SafeQuery
from triad.kg.guard import Policy, check
from triad.kg.lookups import LookupTime
from triad.language.pack import load_pack
from triad.phases.context import Context
from triad.phases.values import values_of
from triad.queries.in_words import in_words
from triad.questions import Question
from triad.rdf import IRI


def prefixes_of(agent: Agent) -> dict[str, str]:
    """Return the prefixes that queries over a graph need not declare."""
    return {**sparql.PREFIXES, **agent.graph.prefixes, **(agent.profile.prefixes if agent.profile else {})}


def begun(agent: Agent, query: str, rows: int | None = None) -> tuple[Context, SafeQuery, sparql.QueryGraph]:
    """Return what a query runs in, and the query as it may run, as a text and as a tree; raises as `check` does."""
    limit = min(rows or agent.graph.row_limit, agent.graph.row_limit)
    safe = check(query, Policy(row_limit=limit), prefixes_of(agent))
    assert safe.graph is not None
    return agent.begin(Question(query, agent.language)), safe, safe.graph


def found_by(agent: Agent, query: str, deadline: Deadline, *, rows: int | None = None, cells: int = 0) -> Answer:
    """Return what a query finds, with the names of things; at most so many rows, and where cells are few, fewer.

    Raises:
        GraphError: The guard refused it, or it failed.
    """
    most = rows or agent.graph.row_limit
    context, safe, tree = begun(agent, query, most)
    if cells and len(tree.variables) * most > cells:
        most = max(1, cells // len(tree.variables))
        context, safe, tree = begun(agent, query, most)
    result = context.execute(safe, ask=tree.ask, timeout=deadline.left)
    if len(result) > most:
        result = replace(result, rows=result.rows[:most], truncated=True)
    context = context.waiting(LookupTime(deadline.left))
    names = context.schema.labels(term.value for row in result.rows for term in row if isinstance(term, IRI))
    return Answer(
        context.question,
        variables=result.variables,
        rows=values_of(context, tree, result, names),
        boolean=result.boolean,
        query=safe,
        truncated=result.truncated,
        prefixes=prefixes_of(agent),
    )


def told(agent: Agent, query: str) -> str:
    """Return in words what a query asks for; nothing if it names nothing that can be told."""
    tree = sparql.parse(query, prefixes_of(agent)).explicit()
    return in_words(tree, agent.schema.labels, load_pack(agent.language))
