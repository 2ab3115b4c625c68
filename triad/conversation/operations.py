"""Follow-ups on the last answer: why, its query, how many, the first few, another order, only some.

Each is an operator on the query graph of the last answer. The guard checks the new query, and the graph runs it;
nothing is parsed or linked again.
"""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triad import sparql
from triad.answers import Answer
from triad.conversation.conditions import Condition, condition, relations_of
from triad.conversation.mentions import FITTING, PARTLY, RelationWords, names_in
from triad.conversation.turns import LISTED, things_of
from triad.errors import AnswerError
from triad.kg.guard import check
from triad.kg.schema import Hop
from triad.language.follow_ups import FollowUp
from triad.language.pack import Pack, load_pack
from triad.language.similarity import Wording
from triad.language.turn_schema import FollowUpKind
from triad.lexical.composition import schema_names
from triad.phases import answering
from triad.phases.attempts import BuiltQuery
from triad.phases.context import Context
from triad.queries.naming import identifier
from triad.questions import AnswerType, Candidate
from triad.rdf import DATED, IRI, NUMERIC, BlankNode, Literal, Value, count_of, is_number
from triad.sparql import patterns
from triad.sparql.patterns import Call, Comparison, EdgePattern, Filter, OptionalPart, Path, Values, Variable, nodes
from triad.sparql.query_graph import Order, QueryGraph

_DATES: Final = load_pack("en").stems("date year")  # words in the names of relations that hold dates
_OWN: Final = 0.9  # how well words must be the name of a column of the answer itself, which is then meant for sure
_DEEP, _LONG, _FEW = 8, 3_000, 500
"""Nested queries, and characters, from which on a query of so few rows is replaced by them: endpoints refuse longer."""

_Way = Callable[[Sequence[Hop], RelationWords], tuple[Hop, float] | None]
"""Returns which of some relations words mean, and how well they fit."""


@dataclass(frozen=True, slots=True)
class _Operand:
    """What a follow-up is applied to."""

    context: Context
    pack: Pack
    last: Answer
    graph: QueryGraph  # the query of the last answer
    follow_up: FollowUp
    without: Sequence[Value]

    def relation(self, words: RelationWords, *ways: _Way) -> tuple[Variable, Hop, float]:
        """Return the relation that words mean, in the first of some ways, with whose it is and how well they fit."""
        name, iris = things_of(self.last)
        hops = relations_of(self.context, iris) if name else []
        found = next(filter(None, (way(hops, words) for way in ways)), None)
        if name is None or found is None:
            raise self.no_such()
        return Variable(name), *found

    @property
    def words(self) -> RelationWords:
        """The words that may name a relation."""
        return RelationWords(self.follow_up.by or self.follow_up.what, self.pack.language, self.context.glossary)

    def no_such(self) -> AnswerError:
        """Return the error that says that nothing fits the words."""
        return AnswerError(self.pack.replies["not_found"].format(what=repr(self.follow_up.by or self.follow_up.what)))


@dataclass(frozen=True, slots=True)
class _Result:
    """The query that comes of a follow-up."""

    graph: QueryGraph
    fit: float = 1.0  # how well the words fit what was taken of the graph
    kind: AnswerType = "select"
    links: Mapping[str, Candidate] = field(default_factory=dict)  # what the words were understood as


def apply(context: Context, pack: Pack, last: Answer, follow_up: FollowUp, without: Sequence[Value] = ()) -> Answer:
    """Apply a follow-up, of a kind that makes a new query, to the last answer.

    ``without`` is what ``except`` leaves out where its words do not say.

    Raises:
        AnswerError: The answer has no query, or nothing in the graph fits the follow-up; the message says which.
        GraphError: The graph failed.
        SearchError: The label index failed.
    """
    if (graph := _shortened(last)) is None:
        raise AnswerError(pack.replies["no_query"])
    if follow_up.kind == "count" and last.answer_type == "count":
        return last
    made = _OPERATIONS[follow_up.kind](_Operand(context, pack, last, graph, follow_up, without))
    return _run(context, made.graph, replace(last, links={**last.links, **made.links}), made.kind, made.fit)


def for_each(context: Context, last: Answer, things: Sequence[Candidate]) -> Answer | None:
    """Return the answer for each of a list of entities, given the one for the first of them; None if that cannot be."""
    if last.query is None or not 1 < len(things) <= LISTED:
        return None
    graph, first = sparql.parse(last.query).explicit(), IRI(things[0].iri)
    listed = any(first in row for values in nodes(graph, Values) for row in values.rows)  # which have no variables
    if graph.is_sliced or graph.groups or listed or first not in patterns.terms(graph):
        return None
    return _run(context, graph.for_each(first, [IRI(one.iri) for one in things], graph.free("thing")), last, "select")


def swapped(context: Context, last: Answer, old: Candidate, new: Candidate) -> Answer | None:
    """Return the answer to the same question with another entity in place of one; None if it is not about that one."""
    if (graph := _graph_of(last)) is None or IRI(old.iri) not in patterns.terms(graph):
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
    found = (term for edge in nodes(graph, EdgePattern) for term in (edge.subject, edge.object)) if graph else ()
    return list(dict.fromkeys(term.value for term in found if isinstance(term, IRI)))


def without_entities(context: Context, answer: Answer, iris: Container[str], *, empty: bool = False) -> Answer | None:
    """Return an answer without some entities; None if it has none of them, or would be ``empty`` and must not."""
    graph, (name, own) = _graph_of(answer), things_of(answer)
    left_out = [IRI(iri) for iri in own if iri in iris]
    if graph is None or name is None or not left_out or (len(left_out) == len(own) and not empty):
        return None
    return _run(context, graph.without_values(Variable(name), left_out), answer, "select")


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
    return sparql.parse(answer.query).explicit() if answer.query and answer.boolean is None else None


def _run(context: Context, graph: QueryGraph, last: Answer, kind: AnswerType, fit: float = 1.0) -> Answer:
    """Run a query that was made from the last answer's, which is as sure as that one and as the words fit the graph."""
    tree = sparql.plain(context.glossary.unfolded(graph))
    safe = check(tree, context.policy)
    result = context.at("construction").execute(safe, ask=kind == "boolean")
    used = context.glossary.used(graph)
    built = BuiltQuery(safe, dict(last.links), last.confidence, result, tree=tree, defined=used)
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
    if not deep or blank or last.truncated or len(last.rows) > _FEW:
        return graph
    names = tuple(map(Variable, last.variables))
    given = ((one.term if one and not isinstance(one.term, BlankNode) else None for one in row) for row in last.rows)
    return QueryGraph(names, (Values(names, tuple(map(tuple, given))),))


def _counted(on: _Operand) -> _Result:
    """Count the rows; of one that has the most of something, the number of these is asked for."""
    if is_extreme(on.last):
        shown = on.graph.showing(*on.graph.extremes)
        if all(is_number(one.term) for one in _run(on.context, shown, on.last, "select").values):
            return _Result(shown)
    return _Result(on.graph.counted(), kind="count")


def _first(on: _Operand) -> _Result:
    graph, follow_up, count = on.graph, on.follow_up, len(on.last.rows)
    if follow_up.place < 0 and on.last.truncated:
        count = count_of(_run(on.context, graph.counted(), on.last, "count").values[0].term)
    skipped = follow_up.place - 1 if follow_up.place > 0 else max(0, count - 1)
    if follow_up.descending and not graph.order and (measure := _own_measure(on.last)):
        graph = graph.sorted_by(Order(Variable(measure), descending=True))
    return _Result(graph.first(follow_up.number, skipped))


def _sorted(on: _Operand) -> _Result:
    graph, by, descending = on.graph, on.follow_up.by, on.follow_up.descending
    wording = Wording(by)
    own = [name for name in on.last.variables if wording.similarity(name.replace("_", " ")) >= _OWN]
    if not own and any(on.pack.compare["number_of"].all(on.pack.keys(by))) and (measure := _own_measure(on.last)):
        own = [measure]  # by the number of photos, beside which each has one
    if own:
        samples = on.last.result.column(own[0])[:1]
        down = _falls(samples[0] if samples else None) if descending is None else descending
        return _Result(graph.sorted_by(Order(Variable(own[0]), down)))
    name, _ = things_of(on.last)
    if name and on.pack.is_by_name(by):
        key, fit, down = graph.free("sorted_by"), 1.0, bool(descending)
        value = OptionalPart(_names(on.context, Variable(name), key.any_value))
    else:
        words = on.words
        thing, hop, fit = on.relation(words, _named, _measured)
        down = words.order.descending if words.order else _falls(hop.sample)
        down = down if descending is None else descending
        if own_column := graph.column_of(thing, IRI(hop.relation)):
            return _Result(graph.ordered_by_column(own_column, descending=down), fit)
        key = graph.free(identifier(hop.label) or "sorted_by")
        value = OptionalPart((EdgePattern(thing, IRI(hop.relation), key.any_value),))
    return _Result(graph.with_column(key, value, greatest=down).ordered_by_column(key, descending=down), fit)


def _with_column(on: _Operand) -> _Result:
    """Add the values of a relation of the entities as a further column."""
    thing, hop, fit = on.relation(on.words, _named)
    value = on.graph.free(identifier(hop.label) or "sorted_by")
    edge = EdgePattern(thing, IRI(hop.relation), value)
    return _Result(on.graph.with_column(value, OptionalPart((edge,))), fit)


def _only(on: _Operand) -> _Result:
    """Keep the largest, or the second largest, of the entities, or those that meet a condition."""
    if on.follow_up.of_order(on.pack):
        return _best(on)
    return _narrowed(on, condition(on.context, on.pack, on.last, on.graph, on.follow_up.what))


def _except(on: _Operand) -> _Result:
    """Leave out values that are given or named, or those that meet a condition."""
    found = _left_out(on.context, on.pack, on.last, on.follow_up.what, on.without)
    if found is None and (met := condition(on.context, on.pack, on.last, on.graph, on.follow_up.what)):
        found = replace(met, parts=(patterns.NegatedPart(met.parts),))
    return _narrowed(on, found)


def _narrowed(on: _Operand, found: Condition | None) -> _Result:
    if found is None:
        raise on.no_such()
    return _Result(on.graph.narrowed(*found.parts), found.fit, links=found.links)


_OPERATIONS: Final[Mapping[FollowUpKind, Callable[[_Operand], _Result]]] = {
    "count": _counted,
    "first": _first,
    "sort": _sorted,
    "column": _with_column,
    "only": _only,
    "except": _except,
}


def _names(context: Context, thing: Variable, name: Variable) -> tuple[patterns.Part, ...]:
    """Return the patterns of an entity's names in the languages of the graph, or in none."""
    tag = Call("LANG", (name,))
    matches = (Call("LANGMATCHES", (tag, Literal(one))) for one in context.schema.languages)
    right = patterns.Logic((Comparison(tag, "=", Literal("")), *matches), "||")
    return EdgePattern(thing, Path(tuple(map(IRI, context.schema.label_properties)), "|"), name), Filter(right)


def _best(on: _Operand) -> _Result:
    if (measure := _own_measure(on.last)) and (falls := on.follow_up.falls(on.pack)) is not None:
        return _Result(on.graph.extreme(Variable(measure), descending=falls))
    words = on.words
    thing, hop, fit = on.relation(words, _measured)
    key, order = on.graph.free(identifier(hop.label) or "sorted_by"), words.order
    steps = _steps_to_number(on, hop)
    if order is None or steps is None:
        raise on.no_such()  # which address is the greatest says nothing
    measured = on.graph.with_column(key, EdgePattern(thing, steps, key.any_value), greatest=order.descending)
    best = measured.extreme(key, descending=order.descending, count=order.count, skip=order.first - 1)
    return _Result(QueryGraph(on.graph.variables, (best.nested(),), order=best.order, distinct=False), fit)


def _steps_to_number(on: _Operand, hop: Hop) -> IRI | Path | None:
    """Return the steps to what a relation is compared by: its values, or the numbers that they stand for, if any."""
    if isinstance(hop.sample, Literal):
        return IRI(hop.relation)
    names = schema_names(on.context.profile, on.pack.language) if on.context.profile else None
    amount = names.schema.amounts.get(hop.relation) if names else None
    return Path((IRI(hop.relation), IRI(amount)), "/") if amount else None


def _named(hops: Sequence[Hop], words: RelationWords) -> tuple[Hop, float] | None:
    """Return the relation that words name, as a whole or as the only one in part, and how well."""
    if found := _fitting(hops, words.fits, FITTING):
        return found
    partly = [hop for hop in hops if words.names(hop.label, hop.relation) >= PARTLY]
    return (partly[0], words.names(partly[0].label, partly[0].relation)) if len(partly) == 1 else None


def _measured(hops: Sequence[Hop], words: RelationWords) -> tuple[Hop, float] | None:
    """Return the relation that a superlative compares by, or the only date where it compares dates, and how well."""
    if found := _fitting(hops, words.measures, PARTLY):
        return found
    if words.order is None or not any(_DATES & measure for measure in words.order.measures):
        return None
    dated = [hop for hop in hops if isinstance(hop.sample, Literal) and hop.sample.datatype in DATED]
    return (dated[0], PARTLY) if len(dated) == 1 else None


def _fitting(hops: Sequence[Hop], fit: Callable[[str, str], float], least: float) -> tuple[Hop, float] | None:
    """Return the relation that fits best, to values rather than to things, and how well, if it fits at all."""
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


def _left_out(context: Context, pack: Pack, last: Answer, what: str, without: Sequence[Value]) -> Condition | None:
    """Return the condition that leaves out some values of an answer: given ones, or those that words name."""
    meant = {value.term for value in without} or {IRI(name.thing.iri) for name in names_in(context, what, pack)}
    stems = {pack.stem(word) for word in pack.keys(what) if word not in pack.idle} if what else set()
    meant |= {value.term for value in last.values if stems and stems <= set(pack.stem_list(value.label))}
    for name in last.variables:
        if found := {term for term in last.result.column(name) if term in meant and not isinstance(term, BlankNode)}:
            options = tuple(sorted(found, key=lambda term: term.n3()))
            return Condition((Filter(patterns.OneOf(Variable(name), options, negated=True)),))
    return None


def behind(context: Context, answer: Answer, *, ranked: bool = False) -> Answer | None:
    """Return what an answer counts, or is the greatest or the least of, as an answer; None if it is not."""
    graph, counts = _graph_of(answer), answer.answer_type == "count"
    rows = (graph.counted_rows if counts else graph.ranked_rows) if graph and (counts or ranked) else None
    return _run(context, rows, answer, "select") if rows else None


def is_extreme(answer: Answer) -> bool:
    """Return whether an answer is the one thing that has the most or the least of something."""
    graph = _graph_of(answer)
    return graph is not None and bool(graph.extremes) and len(answer.rows) == 1


def listed(context: Context, things: Sequence[Candidate]) -> Answer:
    """Return some entities as an answer, so that follow-ups can work on them."""
    thing = Variable("thing")
    graph = QueryGraph((thing,), (Values.of(thing, *(IRI(one.iri) for one in things)),))
    return _run(context, graph, Answer(context.question, confidence=1.0), "select")
