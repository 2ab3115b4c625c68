"""Tables with the names of things: what a person's query gave, run under the guard, and the things of a class."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from itertools import accumulate
from typing import TypeVar

from starlette.datastructures import State

from triad import sparql
from triad.agent import Agent
from triad.answers import Answer
from triad.deadline import Deadline
from triad.errors import QueryRejected, QuerySyntaxError, QueryTimeout
from triad.grouping import grouped
from triad.handwritten import begun, found_by, prefixes_of, told
from triad.kg.guard import check
from triad.kg.lookups import LookupTime, QuestionGraph
from triad.kg.schema import DOCUMENTATION
from triad.language.normalize import local_name
from triad.phases.diagnosis import CountedPart, count_parts
from triad.questions import Question
from triad.rdf import IRI, RDF_TYPE, Literal, Term, writable
from triad.server.access import Asker
from triad.server.served import Served
from triad.server.things import IMAGES
from triad.server.views import ValueView, View, named

ROWS, CELLS, SIZE = 1_000, 20_000, 2_000_000
"""Rows, cells and characters that are shown: of a wide result, or of one with long texts, fewer rows."""
_COLUMNS = 7  # relations that the things of a class are shown with
_SHARE = 1 / 3  # of these things that have such a relation


class QueryView(View):
    """What a query gave."""

    variables: list[str]
    rows: list[list[ValueView | None]]
    boolean: bool | None
    truncated: bool
    query: str
    """The query as it ran."""
    seconds: float


class ExplainedQuery(View):
    """What a query asks, and what each part of it matches."""

    words: str
    """What it asks, in the language of the graph; empty if it names nothing that can be told."""
    query: str
    """The query, a pattern a line."""
    rows: list[CountedPart]


Found = TypeVar("Found", QueryView, ExplainedQuery)
Work = Callable[[Agent, str, Deadline], Found]


async def run(served: Served, query: str, seconds: float, asker: Asker, state: State, work: Work[Found]) -> Found:
    """Run a query on a graph of a server, or explain it; the state of the server counts it and writes it down.

    Raises:
        Problem: Too many queries wait already.
        GraphError: The guard refused it, or it failed.
    """
    try:
        async with state.audit.of(asker, served.name, "query", query) as entry:
            found = await served.queries.do_within(seconds, partial(work, await served.agent(), query), asker.account)
            entry.query, entry.rows = found.query, len(found.rows)
        return found
    except QueryRejected:
        state.metrics.refused.labels(served.name).inc()
        raise


def explanation_of(agent: Agent, query: str, _: Deadline) -> ExplainedQuery:
    """Return what a query asks in words, and how much each part of it matches."""
    context, _safe, tree = begun(agent, query)
    prefixes = prefixes_of(agent)
    written = sparql.write(sparql.parse(query, prefixes), prefixes)
    return ExplainedQuery(words=told(agent, query), query=written, rows=[*count_parts(context, tree, prefixes)])


def result_of(agent: Agent, query: str, deadline: Deadline) -> QueryView:
    """Return what a query finds, with the names of things."""
    try:
        answer = found_by(agent, query, deadline, rows=ROWS, cells=CELLS)
    except QuerySyntaxError as error:  # it may quote IRIs of the query, which stay; where the graph is, nobody is told
        raise QuerySyntaxError(str(error).replace(repr(agent.graph.name), "the graph")) from error
    return _shown(deadline, answer)


def instances(agent: Agent, deadline: Deadline, iri: str, most: int) -> QueryView:
    """Return things of a class and what many of them have; those first that most is said of, if counted in time."""
    schema = agent.schema.over(QuestionGraph(agent.graph, LookupTime(deadline.left)))
    query = f"SELECT DISTINCT ?x {{ {schema.instance_pattern('?x', iri)} FILTER(isIRI(?x)) }}"
    try:
        found = agent.graph.select(check(schema.best_known(iri, most + 1)), timeout=deadline.left / 2)
    except QueryTimeout:
        found = schema.graph.lookup(f"{query} LIMIT {most + 1}")
    things = [str(one) for one in found.column("x")[:most] if writable(str(one))]
    hops = [hop for hop in schema.class_card(iri, brief=True) if hop.direction == "out" and hop.coverage >= _SHARE]
    hops = [hop for hop in hops if hop.relation not in (RDF_TYPE, *schema.label_properties)]
    hops = [hop for hop in hops if not hop.relation.startswith(DOCUMENTATION)]
    hops = [hop for hop in hops if local_name(hop.relation) not in IMAGES]
    hops = sorted(hops, key=lambda hop: -hop.coverage)[:_COLUMNS]
    these, those = " ".join(f"<{one}>" for one in things), ", ".join(f"<{hop.relation}>" for hop in hops)
    found = schema.graph.lookup(f"SELECT * {{ VALUES ?x {{ {these} }} ?x ?p ?v FILTER(?p IN ({those})) }}")
    values = grouped(((str(row["x"]), str(row["p"])), row["v"]) for row in found)
    labels = schema.labels({iri, *(str(term) for some in values.values() for term in some if isinstance(term, IRI))})
    names = schema.labels([*things, *labels])
    cells = ((IRI(one), *(_cell(values.get((one, hop.relation), []), labels) for hop in hops)) for one in things)
    rows = tuple(tuple(named(term, names, agent.language) if term else None for term in row) for row in cells)
    columns = (labels[iri] if rows else "x", *(hop.label for hop in hops))
    answer = Answer(Question(query), "select", columns, rows, query=query, truncated=len(found) > most)
    return _shown(deadline, answer)


def _cell(terms: list[Term], labels: Mapping[str, str]) -> Term | None:
    if len(terms) > 1:
        return Literal("; ".join(sorted(labels.get(term.value, term.value) for term in terms)))
    return terms[0] if terms else None


def cut(answer: Answer) -> Answer:
    """Return an answer, and those of other rungs, with as many rows as may be shown."""
    most = min(ROWS, CELLS // max(1, len(answer.variables)))
    sizes = (sum(len(one.term.value) + len(one.label) for one in row if one) for row in answer.rows[: max(1, most)])
    shown = answer.rows[: sum(size <= SIZE for size in accumulate(sizes))]
    more = answer.truncated or len(shown) < len(answer.rows)
    return replace(answer, rows=shown, truncated=more, below=tuple(map(cut, answer.below)))


def _shown(deadline: Deadline, answer: Answer) -> QueryView:
    told = cut(answer)
    views = {value: ValueView.model_validate(value) for value in told.values}
    deadline.check("to show what the query found")
    rows = [[views[value] if value else None for value in row] for row in told.rows]
    return QueryView.made_of(told, rows=rows, query=told.query or "", seconds=round(deadline.elapsed, 4))
