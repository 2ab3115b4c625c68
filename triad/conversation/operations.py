"""Follow-ups on the last answer: why, its query, how many, the first few, another order, only some.

Each is an operator on the query graph of the last answer. The guard checks the new query, and the graph runs it;
nothing is parsed or linked again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Final

from triad import sparql
from triad.answers import Answer
from triad.conversation.conditions import Condition, condition
from triad.conversation.mentions import names_in
from triad.conversation.relation_matching import FITTING, RelationWords
from triad.errors import AnswerError
from triad.kg.guard import check
from triad.kg.schema import Hop
from triad.language.follow_ups import FollowUp
from triad.language.pack import Pack, load_pack
from triad.language.similarity import Wording
from triad.phases import answering
from triad.phases.attempts import BuiltQuery
from triad.phases.context import Context
from triad.queries.building import tree_of
from triad.queries.patterns import (
    Call,
    Comparison,
    EdgePattern,
    Filter,
    Logic,
    NegatedPart,
    OneOf,
    OptionalPart,
    Part,
    Path,
    Values,
    Variable,
    edges,
    substituted,
    terms,
)
from triad.queries.query_graph import Order, QueryGraph
from triad.queries.reading import from_sparql
from triad.questions import AnswerType, Candidate
from triad.rdf import DATED, IRI, NUMERIC, BlankNode, Literal, Value

__all__ = [
    "apply",
    "beside",
    "counted",
    "entities_in",
    "for_each",
    "has_named",
    "held",
    "listed",
    "narrowed_to",
    "swapped",
    "things_of",
    "united",
    "without_entities",
]

_PARTLY: Final = 0.5  # how well words must be a part of its name
_DATES: Final = load_pack("en").stems("date year")
"""Words in the names of relations that hold dates."""
_DEEP: Final = 8  # nested queries from which on a query is replaced by its rows
_LONG: Final = 3_000  # characters from which on it is, too
_SHORT: Final = 500  # rows that may replace a query
_MEASURE: Final = 0.5  # how well a relation must fit what a superlative compares by
_LISTED: Final = 50  # entities of a list that are asked about at once


def apply(context: Context, pack: Pack, last: Answer, follow_up: FollowUp, without: Sequence[Value] = ()) -> Answer:
    """Apply a follow-up to the last answer: ``count``, ``first``, ``sort``, ``column``, ``only`` or ``except``.

    Args:
        context: The graph and the index to answer it with.
        pack: The pack of its language.
        last: The last answer.
        follow_up: The follow-up.
        without: What ``except`` leaves out where its words do not say.

    Raises:
        AnswerError: The answer has no query, or nothing in the graph fits the follow-up; the message says which.
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    if (graph := _shortened(last)) is None:
        raise AnswerError(pack.replies["no_query"])
    kind: AnswerType = "select"
    fit = 1.0
    if follow_up.kind == "count":
        if last.answer_type == "count":
            return last
        graph, kind = graph.counted(), "count"
    elif follow_up.kind == "first":
        skipped = follow_up.place - 1 if follow_up.place > 0 else max(0, len(last.rows) - 1)
        if follow_up.descending and not graph.order and (measure := _own_measure(last)):
            graph = graph.sorted_by(Order(Variable(measure), descending=True))
        graph = graph.first(follow_up.number, skipped)
    elif follow_up.kind == "column":
        graph, fit = _with_column(context, pack, graph, last, follow_up.what)
    elif follow_up.kind == "sort":
        graph, fit = _sorted(context, pack, graph, last, follow_up)
    elif follow_up.of_order(pack):
        graph, fit = _best(context, pack, graph, last, follow_up)
    else:
        leave_out = follow_up.kind == "except"
        found = _left_out(context, pack, last, follow_up.what, without) if leave_out else None
        if found is None and (found := condition(context, pack, last, graph, follow_up.what)) and leave_out:
            found = replace(found, parts=(NegatedPart(found.parts),))
        if found is None:
            raise _no_such(pack, follow_up.what)
        graph, fit = graph.narrowed(*found.parts), found.fit
        last = replace(last, links={**last.links, **found.links})
    return _run(context, graph, last, kind, fit)


def for_each(context: Context, last: Answer, things: Sequence[Candidate]) -> Answer | None:
    """Return the answer for each of a list of entities, given the one for the first of them; None if that cannot be."""
    if last.query is None or not 1 < len(things) <= _LISTED:
        return None
    graph, first = from_sparql(sparql.parse(last.query)), IRI(things[0].iri)
    if graph.is_sliced or graph.groups or first not in terms(graph):
        return None
    each = graph.for_each(first, [IRI(one.iri) for one in things], graph.free("thing"))
    return _run(context, each, last, "select")


def swapped(context: Context, last: Answer, old: Candidate, new: Candidate) -> Answer | None:
    """Return the answer to the same question with another entity in place of one; None if it is not about that one."""
    graph = _graph_of(last)
    if graph is None or IRI(old.iri) not in terms(graph):
        return None
    links = {name: one for name, one in last.links.items() if one.iri != old.iri}
    kept = replace(last, links={**links, new.label: new})
    return _run(context, graph.swapped(IRI(old.iri), IRI(new.iri)), kept, last.answer_type)


def united(context: Context, one: Answer, other: Answer) -> Answer | None:
    """Return the answer that has the rows of two answers, without columns that only one has; None if it makes no list.

    Things that have no class in common, such as rivers and countries, are not put in one list.
    """
    left, right = _shortened(one), _shortened(other)
    kinds = [context.schema.types(iris[0]) if (iris := things_of(answer)[1]) else None for answer in (one, other)]
    if (kinds[0] is None) != (kinds[1] is None) or (kinds[0] and kinds[1] and not set(kinds[0]) & set(kinds[1])):
        return None
    if len(one.variables) != len(other.variables):
        left, right = _things_alone(left, one), _things_alone(right, other)
    return _run(context, left.united(right), _both(one, other), "select") if left and right else None


def beside(context: Context, one: Answer, other: Answer) -> Answer | None:
    """Return the answer that has the columns of two answers; None if one of them has none."""
    left, right = _graph_of(one), _graph_of(other)
    return _run(context, left.beside(right), _both(one, other), "select") if left and right else None


def _things_alone(graph: QueryGraph | None, answer: Answer) -> QueryGraph | None:
    name, _ = things_of(answer)
    return QueryGraph.of(Variable(name), graph.nested()) if graph and name else None


def _both(one: Answer, other: Answer) -> Answer:
    return replace(one, links={**other.links, **one.links}, confidence=min(one.confidence, other.confidence))


def entities_in(answer: Answer) -> list[str]:
    """Return the IRIs in the query of an answer that may be entities: what its patterns start from or lead to."""
    graph = _graph_of(answer)
    found = (term for edge in edges(graph) for term in (edge.subject, edge.object)) if graph else ()
    return list(dict.fromkeys(term.value for term in found if isinstance(term, IRI)))


def without_entities(context: Context, answer: Answer, iris: Container[str]) -> Answer | None:
    """Return an answer without some entities; None if it has none of them, or no others."""
    graph, (name, own) = _graph_of(answer), things_of(answer)
    left_out = [IRI(iri) for iri in own if iri in iris]
    if graph is None or name is None or not left_out or len(left_out) == len(own):
        return None
    return _run(context, graph.without_values(Variable(name), left_out), answer, "select")


def narrowed_to(context: Context, last: Answer, found: Answer) -> Answer | None:
    """Return the last answer with those of its entities that another one gives; None if it has no columns to keep."""
    graph, others = _graph_of(last), _graph_of(found)
    name, iris = things_of(last)
    kept = things_of(found)[1]
    if graph is None or others is None or name is None or not (graph.order or len(graph.variables) > 1):
        return None
    if len(others.variables) != 1 or not kept or not set(kept) <= set(iris):
        return None
    apart = {term: Variable(f"left_{term.name}") for term in terms(others) if isinstance(term, Variable)}
    inner = substituted(others, {**apart, others.variables[0]: Variable(name)})
    narrowed = graph.narrowed(inner.nested())
    return _run(context, narrowed, replace(found, links={**last.links, **found.links}), "select")


def held(context: Context, one: Answer, sign: str, other: Answer) -> Answer | None:
    """Return the answer to whether the only value of an answer is more (``>``) or less (``<``) than that of another."""
    left, right = _graph_of(one), _graph_of(other)
    if left is None or right is None or len(left.variables) != 1 or len(right.variables) != 1:
        return None
    joined = left.beside(right)
    asked = QueryGraph.whether(*joined.where, Filter(Comparison(joined.variables[0], sign, joined.variables[1])))
    return _run(context, asked, _both(one, other), "boolean")


def _graph_of(answer: Answer) -> QueryGraph | None:
    """Return the query graph of an answer that has rows."""
    if answer.query is None or answer.boolean is not None:
        return None
    return from_sparql(sparql.parse(answer.query))


def _run(context: Context, graph: QueryGraph, last: Answer, kind: AnswerType, fit: float = 1.0) -> Answer:
    """Run a query that was made from the last answer's, which is as sure as that one and as the words fit the graph."""
    tree = tree_of(graph)
    safe = check(tree, context.policy)
    result = context.at("construction").execute(safe, ask=kind == "boolean")
    built = BuiltQuery(safe, dict(last.links), last.confidence, result, tree=tree)
    found = answering.answer(context.at("answering"), built, kind)
    # The facts of a sub-select are those that the answer before rests on, as far as they are about what is left.
    left = {value.term for value in found.values}
    facts = tuple(fact for fact in last.provenance if kind == "count" or left & {fact.subject, fact.object})
    facts = tuple(dict.fromkeys((*facts, *found.provenance)))[: answering.PROVENANCE_LIMIT]
    return replace(found, provenance=facts, method=last.method, confidence=round(last.confidence * fit, 4))


# Query graphs -------------------------------------------------------------------------------------------


def _shortened(last: Answer) -> QueryGraph | None:
    """Return the query graph of an answer; one that lists its rows, where many follow-ups have made it deep or long."""
    graph = _graph_of(last)
    deep = graph is not None and (graph.depth >= _DEEP or len(last.query or "") > _LONG)
    blank = any(isinstance(value.term, BlankNode) for value in last.values)
    if not deep or blank or last.truncated or len(last.rows) > _SHORT:
        return graph
    names = tuple(map(Variable, last.variables))
    return QueryGraph(names, (Values(names, tuple(tuple(map(_given, row)) for row in last.rows)),))


def _given(value: Value | None) -> IRI | Literal | None:
    return value.term if value and not isinstance(value.term, BlankNode) else None


def _sorted(
    context: Context, pack: Pack, graph: QueryGraph, last: Answer, follow_up: FollowUp
) -> tuple[QueryGraph, float]:
    """Return the query in another order, and how well the words fit what it is sorted by."""
    wording = Wording(follow_up.by)
    own = [name for name in last.variables if wording.similarity(name.replace("_", " ")) >= 0.9]
    if own:
        samples = last.result.column(own[0])[:1]
        down = _falls(samples[0] if samples else None) if follow_up.descending is None else follow_up.descending
        return graph.sorted_by(Order(Variable(own[0]), down)), 1.0
    name, iris = things_of(last)
    if name is None:
        raise _no_such(pack, follow_up.by)
    fit = 1.0
    if pack.is_by_name(follow_up.by):
        key, down = graph.free("sorted_by"), bool(follow_up.descending)
        value = OptionalPart(_names(context, Variable(name), key.any_value))
    else:
        words = RelationWords(follow_up.by, pack.language, context.glossary)
        hop, fit = _named(context, iris, words) or _measured(context, iris, words) or (None, 0.0)
        if hop is None:
            raise _no_such(pack, follow_up.by)
        down = words.order.descending if words.order else _falls(hop.sample)
        down = down if follow_up.descending is None else follow_up.descending
        if own_column := graph.column_of(Variable(name), IRI(hop.relation)):
            return graph.ordered_by_column(own_column, descending=down), fit
        key = graph.free(_variable(hop))
        value = OptionalPart((EdgePattern(Variable(name), IRI(hop.relation), key.any_value),))
    return graph.with_column(key, value, greatest=down).ordered_by_column(key, descending=down), fit


def _with_column(context: Context, pack: Pack, graph: QueryGraph, last: Answer, what: str) -> tuple[QueryGraph, float]:
    """Return the query with the values of a relation of its entities as a further column, and how well it fits."""
    name, iris = things_of(last)
    found = _named(context, iris, RelationWords(what, pack.language, context.glossary))
    if name is None or found is None:
        raise _no_such(pack, what)
    hop, fit = found
    value = graph.free(_variable(hop))
    return graph.with_column(value, OptionalPart((EdgePattern(Variable(name), IRI(hop.relation), value),))), fit


def _names(context: Context, thing: Variable, name: Variable) -> tuple[Part, ...]:
    """Return the patterns of an entity's names in the languages of the graph, or in none."""
    tag = Call("LANG", (name,))
    matches = (Call("LANGMATCHES", (tag, Literal(one))) for one in context.schema.languages)
    right = Logic((Comparison(tag, "=", Literal("")), *matches), "||")
    return EdgePattern(thing, Path(tuple(map(IRI, context.schema.label_properties)), "|"), name), Filter(right)


def _best(
    context: Context, pack: Pack, graph: QueryGraph, last: Answer, follow_up: FollowUp
) -> tuple[QueryGraph, float]:
    """Return the query for the largest, or the second largest, of the entities of an answer, and how well it fits."""
    if (measure := _own_measure(last)) and (falls := follow_up.falls(pack)) is not None:
        return graph.extreme(Variable(measure), descending=falls), 1.0
    name, iris = things_of(last)
    words = RelationWords(follow_up.what, pack.language, context.glossary)
    (hop, fit), order = _measured(context, iris, words) or (None, 0.0), words.order
    if name is None or hop is None or order is None:
        raise _no_such(pack, follow_up.what)
    key = graph.free(_variable(hop))
    edge = EdgePattern(Variable(name), IRI(hop.relation), key.any_value)
    measured = graph.with_column(key, edge, greatest=order.descending)
    return measured.extreme(key, descending=order.descending, count=order.count, skip=order.first - 1), fit


def _named(context: Context, iris: Sequence[str], words: RelationWords) -> tuple[Hop, float] | None:
    """Return the relation of entities that words name, as a whole or as the only one in part, and how well."""
    if found := _fitting(context, iris, words.fits, FITTING):
        return found
    hops = (hop for hop in context.schema.joint_card(iris) if hop.direction == "out")
    partly = [hop for hop in hops if words.names(hop.label, hop.relation) >= _PARTLY]
    return (partly[0], words.names(partly[0].label, partly[0].relation)) if len(partly) == 1 else None


def _measured(context: Context, iris: Sequence[str], words: RelationWords) -> tuple[Hop, float] | None:
    """Return the relation that a superlative compares by, or the only date where it compares dates, and how well."""
    if found := _fitting(context, iris, words.measures, _MEASURE):
        return found
    if words.order is None or not any(_DATES & measure for measure in words.order.measures):
        return None
    hops = [hop for hop in context.schema.joint_card(iris) if hop.direction == "out"]
    dated = [hop for hop in hops if isinstance(hop.sample, Literal) and hop.sample.datatype in DATED]
    return (dated[0], _MEASURE) if len(dated) == 1 else None


def _fitting(
    context: Context, iris: Sequence[str], fit: Callable[[str, str], float], least: float
) -> tuple[Hop, float] | None:
    """Return the relation of entities to values that fits best, and how well, if it fits at all."""
    hops = [hop for hop in context.schema.joint_card(iris) if hop.direction == "out"]
    ranked = [(fit(hop.label, hop.relation), isinstance(hop.sample, Literal), hop.count, hop) for hop in hops]
    best = max(ranked, key=lambda one: one[:3], default=None)
    return (best[3], best[0]) if best and best[0] >= least else None


def _own_measure(last: Answer) -> str | None:
    """Return the column of an answer that has numbers, if it is the only one beside others."""
    columns = {name: last.result.column(name) for name in last.variables}
    own = [name for name, values in columns.items() if values and all(map(_falls, values))]
    return own[0] if len(own) == 1 < len(columns) else None


def _falls(sample: object) -> bool:
    return isinstance(sample, Literal) and sample.datatype in NUMERIC


def has_named(context: Context, pack: Pack, answer: Answer, what: str) -> bool:
    """Tell whether words name some of an answer's values."""
    return _left_out(context, pack, answer, what, ()) is not None


def _left_out(context: Context, pack: Pack, last: Answer, what: str, without: Sequence[Value]) -> Condition | None:
    """Return the condition that leaves out some values of an answer: given ones, or those that words name."""
    meant = {value.term for value in without} or {IRI(name.thing.iri) for name in names_in(context, what, pack)}
    stems = {pack.stem(word) for word in pack.keys(what) if word not in pack.idle} if what else set()
    meant |= {value.term for value in last.values if stems and stems <= set(pack.stem_list(value.label))}
    for name in last.variables:
        found = {term for term in last.result.column(name) if term in meant and not isinstance(term, BlankNode)}
        if found:
            options = tuple(sorted(found, key=lambda term: term.n3()))
            return Condition((Filter(OneOf(Variable(name), options, negated=True)),))
    return None


def _variable(hop: Hop) -> str:
    """Return a relation's name as a variable name, in its own script."""
    return re.sub(r"[^\w\u0900-\u0963]+", "_", hop.label.lower()).strip("_") or "sorted_by"


def _no_such(pack: Pack, what: str) -> AnswerError:
    return AnswerError(pack.replies["not_found"].format(what=repr(what)))


def counted(context: Context, answer: Answer) -> Answer | None:
    """Return what an answer counts, as an answer; None if it counts nothing."""
    graph = _graph_of(answer) if answer.answer_type == "count" else None
    return _run(context, graph.counted_rows, answer, "select") if graph and graph.counted_rows else None


def listed(context: Context, things: Sequence[Candidate]) -> Answer:
    """Return some entities as an answer, so that follow-ups can work on them."""
    thing = Variable("thing")
    graph = QueryGraph((thing,), (Values.of(thing, *(IRI(one.iri) for one in things)),))
    return _run(context, graph, Answer(context.question), "select")


def things_of(last: Answer) -> tuple[str | None, list[str]]:
    """Return the first variable of an answer whose values are entities, and their IRIs."""
    for name in last.variables:
        iris = [term.value for term in last.result.column(name) if isinstance(term, IRI)]
        if iris:
            return name, list(dict.fromkeys(iris))
    return None, []
