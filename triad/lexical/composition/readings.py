"""Readings of a question over the schema of a graph: queries, ranked by what speaks for them and by what they find.

In the line of systems that read a question as a tree over an ontology (Lei et al., "ATHENA: an ontology-driven system
for natural language querying over relational data stores", 2016) and of semantic parsers that rank what they compose
by a log-linear model (Liang, "Learning executable semantic parsers for natural language understanding", 2016).
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from triad import sparql
from triad.errors import QuerySyntaxError, QueryTimeout
from triad.kg.base import SafeQuery
from triad.kg.profile import GraphProfile
from triad.language.analysis import Analysis
from triad.language.comparisons import Comparison
from triad.language.glossary import Glossary
from triad.language.operators import Operator, find_bounds, find_operators
from triad.language.pack import load_pack
from triad.language.vocabulary import COMPOUND
from triad.lexical.asked_units import absolute_shares, foreign_bounds, foreign_rates
from triad.lexical.candidates import CandidateQuery
from triad.lexical.choice import TRIAL, Tried, result_key
from triad.lexical.composition.breaches import breaches
from triad.lexical.composition.demands import averaged_alone, is_said_twice, loses_each, sums_one_each
from triad.lexical.composition.elements import Constraint, Extreme, Span, Thing
from triad.lexical.composition.evidence import describe, describe_result, find_strayed, unaccounted
from triad.lexical.composition.measuring import of_numbers, of_parts, of_truths
from triad.lexical.composition.names import Names
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.reading import Reader
from triad.lexical.composition.refinements import asks_for_others, with_others
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.shares import Share
from triad.lexical.composition.sources import find_sources
from triad.lexical.composition.spans import find_spans, of_glossary
from triad.lexical.composition.tagging import Tagging, find_taggings, without_idle_parts
from triad.lexical.composition.texts import find_parts
from triad.lexical.composition.values import own_comparisons
from triad.lexical.composition.wording import Wording
from triad.lexical.composition.yes_no import which_of
from triad.lexical.contract import Cue, has_idle_parts, says_twice
from triad.lexical.matching import NOTHING, Match
from triad.lexical.mention_detection import LONGEST_QUESTION, LinkedMention, Mentions
from triad.lexical.narrowing import narrowing
from triad.lexical.nodes import Edge, Node
from triad.lexical.voice import infinitive
from triad.lexical.weights import weighted
from triad.phases.context import Context
from triad.questions import AnswerSet, AnswerType
from triad.rdf import IRI
from triad.sparql.patterns import Aggregate, ClassPattern, EdgePattern, Values, Variable, rewritten, substituted
from triad.sparql.query_graph import QueryGraph, in_scope
from triad.sparql.stated import FACT
from triad.sparql.writer import render, render_normalised

_ROWS: Final = 1_001  # of a result that tell enough of it
_RUN: Final = 12  # queries whose queries are run, the most promising first
_PATIENCE: Final = 2.0  # seconds after which no more are run
_MEASURED: Final = (foreign_bounds, foreign_rates, absolute_shares)  # what may be asked for in another measure

_NAMES: Final = 600  # of classes and relations up to which a schema is small enough to be read this way


@dataclass(slots=True)
class Reading(Tried):
    """A way to read a question, with its query and what that found."""

    partial: PartialQuery
    tagging: Tagging
    graph: QueryGraph
    query: str
    missed: tuple[int, ...]
    """Positions of the content words that it does not account for."""
    broken: tuple[Cue, ...] = ()
    """What the question asks of it and it does not do."""
    called: tuple[str, ...] = ()
    """What the things, classes and relations are called that it uses."""


@dataclass(frozen=True, slots=True)
class Readings:
    """The ways to read a question, the best first."""

    ranked: tuple[Reading, ...] = ()
    strange: tuple[int, ...] = ()
    """Positions of the content words that are like nothing in the graph."""
    tried: bool = False
    """False where the schema is too large to be read this way."""


def find_readings(
    context: Context,
    profile: GraphProfile,
    analysis: Analysis,
    mentions: Mentions,
    classes: Mentions,
    weights: Mapping[str, float],
) -> Readings:
    """Return the ways to read a question, the best first; none where the schema is too large."""
    names = schema_names(profile, analysis.language, context.glossary)
    if names is None or len(analysis.words) > LONGEST_QUESTION:
        return Readings()
    pack = names.packs[0]
    mentions = [_typed(context, mention) for mention in mentions]
    spans = find_spans(analysis, names, mentions, classes)
    spans += of_glossary(context.glossary, analysis, names)
    # "Which of these is longer" chooses as "A or B" does.
    choice = bool(context.within) or (analysis.either and sum(span.kind == "thing" for span in spans) > 1)
    operators = find_operators(analysis.text, pack, choice=choice)
    analysis, spans = without_idle_parts(analysis, spans, operators, names)
    spans += find_sources(analysis, pack, profile, mentions)
    parts = list(find_parts(analysis, names, mentions))
    like: list[Span | Operator | Comparison] = [*spans, *(part for part in parts if part.part != "whole")]
    like += [*operators, *analysis.comparisons]
    strange = tuple(analysis.content(analysis.form.union(*(range(one.start, one.end) for one in like))))
    spans += parts
    bounds = find_bounds(analysis.text, pack, boolean=analysis.answer_type == "boolean")
    wording = Wording(analysis, names, context.schema, spans, choice=choice)
    limit = _Within(context.within, names.schema) if context.within else None
    found: list[Reading] = []
    for tagging in find_taggings(analysis, spans, operators, bounds, names):
        of_kinds = [span.iri for span in tagging.spans if span.kind_by]  # lions and zebras are no animals of both kinds
        if loses_each(tagging, operators, wording) or len(of_kinds) > len(set(of_kinds)):
            continue
        for partial in Reader(wording).partials(tagging):
            spoken = limit.typed(partial) if limit else partial
            reading = _reading(spoken, tagging, wording, limit) if spoken else None
            if reading is not None:
                reading.score = weighted(weights, reading.features)
                found.append(reading)
    best: dict[str, Reading] = {}
    for reading in sorted(found, key=lambda one: -one.score):
        known = best.get(reading.query)
        if known is None and sum(one.score > reading.score for one in best.values()) >= _RUN:
            continue
        if known is None or known.score < reading.score:  # which what is broken only lowers
            _examine(reading, wording)
            reading.score = weighted(weights, reading.features)
            if known is None or known.score < reading.score:
                best[reading.query] = reading
    ranked = sorted(best.values(), key=lambda one: (-one.score, len(one.query), one.query))
    return Readings(tuple(_ran(context, ranked[:_RUN], wording, weights)), strange, tried=True)


def _typed(context: Context, mention: LinkedMention) -> LinkedMention:
    """Return a mention whose entity has its classes: one that was spoken of before may come without them."""
    candidate = mention.candidate
    if candidate.kind != "entity" or candidate.types:
        return mention
    return replace(mention, candidate=replace(candidate, types=context.schema.types(candidate.iri)))


class _Within:
    """Limits what a question asks of a class, or of one below it, to the entities of an earlier answer."""

    def __init__(self, within: AnswerSet, schema: SchemaGraph) -> None:
        self.cls, self.schema = within.cls, schema
        graph = sparql.parse(within.query).explicit()
        column = Variable(within.variable)
        one = graph.showing(column) if graph.is_open else QueryGraph((column,), (graph.nested(),))
        apart = {term: Variable(f"earlier_{term.name}") for term in sparql.nodes(one, Variable)}
        self._members = substituted(replace(one, distinct=True), apart).nested()
        self._column = apart[column]

    def typed(self, partial: PartialQuery) -> PartialQuery | None:
        """Return a query with the class in its query; None if it does not speak of it."""
        meant = self._meant(partial)
        return partial.changed(replace(meant, typed=True)) if meant else None

    def _meant(self, partial: PartialQuery) -> Thing | None:
        own = [one for one in partial.things if not one.terms and self.schema.is_a(one.cls, self.cls)]
        return min(own, key=lambda one: one.cls != self.cls, default=None)

    def __call__(self, partial: PartialQuery, graph: QueryGraph) -> QueryGraph:
        """Return the query of a query limited to the entities; a value of them stands beside its entity."""
        meant = self._meant(partial)
        graph = rewritten(graph, lambda part: self._limited(part, meant.cls if meant else self.cls))
        match partial.columns:
            case (column,) if column.relation and not column.function and meant and column.thing == meant.id:
                return graph.showing(meant.variable, *graph.columns) if graph.is_open else graph
        return graph

    def _limited(self, part: Any, cls: str) -> Any:
        if isinstance(part, ClassPattern) and IRI(cls) in part.classes and isinstance(part.instance, Variable):
            members = substituted(self._members, {self._column: part.instance})
            return members if cls == self.cls else (part, members)
        return part


def as_candidate(reading: Reading, analysis: Analysis, context: Context, mentions: Mentions) -> CandidateQuery:
    """Return a reading as the candidate query that explanations, displays and follow-ups know."""
    partial, spans = reading.partial, reading.tagging.spans
    used = [span for span in spans if not partial.said.isdisjoint(span.positions)]
    taken = {(span.start, span.end, span.iri) for span in used if span.kind == "thing"}
    named = tuple(one for one in mentions if (one.start, one.end, one.candidate.iri) in taken)
    relations = partial.relations
    labels = context.schema.labels(relations)
    said = {span.iri: Match(span.score, frozenset(span.positions)) for span in used if span.kind == "relation"}
    of = named[0] if named else None
    edges = tuple(Edge(iri, labels[iri], True, said.get(iri, NOTHING), of) for iri in dict.fromkeys(relations))
    kinds = frozenset(at for span in used if span.kind == "class" for at in span.positions)
    root = partial.root.term
    focus = root if isinstance(root, Variable | IRI) else partial.root.variable
    node = Node(focus, mentions=named, edges=edges, kinds=Match(1.0, kinds) if kinds else NOTHING)
    heeded = frozenset(range(len(analysis.words))) - frozenset(reading.missed)
    counting = [one.function for one in partial.columns] == ["COUNT"] and not isinstance(partial, Share)
    kind: AnswerType = "boolean" if partial.ask else "count" if counting else "select"
    found = tuple(row[0] for row in reading.result.rows if row and row[0] is not None)
    return CandidateQuery(
        reading.graph,
        kind,
        "list",
        node,
        ends=found,
        positions=heeded,
        features=reading.features,
        score=reading.score,
        named=tuple(span for span in used if span.kind in ("class", "text", "source", "part")),
        broken=reading.broken,
        result=replace(reading.result, truncated=reading.result.truncated or len(reading.result.rows) >= _ROWS),
    )


def schema_names(profile: GraphProfile, language: str, glossary: Glossary | None = None) -> Names | None:
    """Return the names of a graph's terms, made once for a profile and a language; None where there are too many.

    Formulas of a glossary are relations, too.
    """
    if len(profile.classes) + len(profile.relations) > _NAMES:
        return None
    formulas = tuple(one for one in glossary.defined.values() if one.value is not None) if glossary else ()
    known: dict[str, Names] = profile.derived.setdefault((Names, tuple(one.iri for one in formulas)), {})
    if language not in known:
        other = next(iter(known.values()), None)
        packs = [load_pack(language)] if language == "en" else [load_pack(language), load_pack("en")]
        known[language] = Names(other.schema if other else SchemaGraph(profile, formulas), packs)
    return known[language]


def _reading(partial: PartialQuery, tagging: Tagging, wording: Wording, limit: _Within | None) -> Reading | None:
    """Return a reading with what speaks for it; none of what is no question, or no query."""
    analysis, names = wording.analysis, wording.names
    if any(not one.relation and partial.thing(one.thing).cls.startswith(FACT) for one in partial.columns):
        return None  # what states a fact is nothing to ask for
    lasting = (one for one in partial.columns if one.relation in names.schema.lasting and one.per == 1)
    if any(one.function not in ("", "COUNT") for one in lasting):
        return None  # of seconds, which nobody asks for
    alone = list(averaged_alone(partial, wording))
    each = not alone and any(one.kind == "each" for one in wording.contract.cues)
    if not each and sums_one_each(partial, names.schema):
        return None
    try:
        graph = of_parts(of_truths(of_numbers(partial.query(), names.schema), names), wording)
        counted = (one.of for one in sparql.nodes(graph.columns, Aggregate))
        columns = {one for one in (*graph.columns, *counted) if isinstance(one, Variable)}
        if all(isinstance(part, Values) for part in graph.where) or not columns <= set(in_scope(graph.where)):
            return None
        if analysis.both and not partial.ask and partial.columns and not partial.columns[0].relation and graph.is_open:
            apart = {one.than for one in partial.constraints}
            named = [term for thing in partial.things if thing.id not in apart for term in thing.terms]
            graph = graph.without_values(graph.variables[0], named)  # who else; who is from the same place as
        others = asks_for_others(partial, analysis)
        shared = with_others(graph, partial, others, tagging.spans) if others else None
        graph = shared or graph
        if limit:
            graph = limit(partial, graph)
        if any(is_said_twice(one, partial, analysis, names) for one in partial.extremes) or has_idle_parts(graph):
            return None
        query = render_normalised(graph)
    except QuerySyntaxError:
        return None  # SPARQL cannot write a name that the graph has
    missed = tuple(unaccounted(partial, analysis, names))
    features = describe(partial, missed, tagging, wording)
    called = (*_called(partial, tagging, analysis, names), *(analysis.said(one.start, one.end) for one in alone))
    broken = (Cue("kind", 0, 1),) if others and shared is None else ()
    return Reading(partial, tagging, graph, query, missed, broken, called, features=features)


def _examine(reading: Reading, wording: Wording) -> None:
    """Note what the question asks of a reading and it does not do."""
    analysis, names, contract, known = wording.analysis, wording.names, wording.contract, wording.exact
    partial, graph, missed, features = reading.partial, reading.graph, reading.missed, reading.features
    # What has small letters only may be a common word; scripts without capitals have no small letters.
    said = partial.said & known.things
    joined = (at for at in missed if wording.joined(at - 1, at) or wording.joined(at + 1, at + 2))  # Ann and Bob
    beside = {at for at in joined if not said.isdisjoint((at - 2, at + 2))}
    inside = (one for one in reading.tagging.spans if one.inside and said.issuperset(one.positions))
    beside.update(at for one in inside for at in (one.start - 1, one.end))  # the Cork branch is not Cork
    done = known.called & {infinitive(analysis)}  # what somebody refused is refused
    named = (at for at in missed if at in known.things and (at in beside or not analysis.words[at].text.islower()))
    dropped = done.intersection(missed).union(named)
    used = {analysis.words[at].stem for at in partial.said}
    again = (at for at in missed if analysis.words[at].stem in used)  # the teacher of somebody's teacher
    held = () if partial.held_against else own_comparisons(reading.tagging.spans, wording)
    broken = (
        *(Cue("kind", at, at + 1) for at in (*sorted(dropped), *again)),
        *breaches(partial, missed, reading.tagging, wording),
        *contract.broken(graph, reading.called),
        *(Cue("than", one.start, one.end) for one in held),
        *(cue for find in _MEASURED for cue in find(graph, analysis, names.schema.profile, wording.pack)),
    )
    if reading.broken or says_twice(graph):
        broken += (Cue("kind", 0, 1),)
    if features["given"] and len(partial.columns) == 1:
        broken += contract.question_words or (Cue("kind", 0, 1),)  # that which the question itself says is no answer
    features["broken"] = float(len(broken))
    features["narrowing"] = float(any(narrowing(analysis, missed, wording.pack, known.called)))
    reading.broken = broken


def _lacking(context: Context, partial: PartialQuery, timeout: float) -> Iterator[Cue]:
    """Yield the words that compare named things of which some have no value to be compared by."""
    compared: list[Extreme | Constraint] = [one for one in partial.extremes if one.relation and one.counted is None]
    for one in (*compared, *(limit for limit in partial.constraints if limit.than is not None)):
        named = partial.thing(one.thing).terms
        if isinstance(one, Constraint) and one.than is not None and named:
            named += partial.thing(one.than).terms
        if len(named) > 1:
            thing, value = Variable("thing"), Variable("value")
            of_all = (Values.of(thing, *named), EdgePattern(thing, IRI(one.relation), value))
            found = context.execute(_trial(context, QueryGraph.of(thing, *of_all)), ask=False, timeout=timeout)
            if len(found.rows) < len(named):
                yield Cue("superlative" if isinstance(one, Extreme) else "than", min(one.said), max(one.said) + 1)


def _unsaid(context: Context, reading: Reading, names: Names, timeout: float) -> Iterator[Cue]:
    """Yield of what a query says no though the graph does not say; and "or" where it says yes, and not to which."""
    partial = reading.partial
    if reading.result.boolean and which_of(partial, reading.tagging):
        yield from (Cue("either", one.start, one.end) for one in reading.tagging.operators if one.kind == "or")
    if reading.result.boolean is not False:
        return
    said: list[tuple[frozenset[int], QueryGraph]] = []
    for thing in partial.things:
        if thing.terms and thing.way and names.is_within(thing.way[-1]):
            said.append((thing.said, partial.changed(replace(thing, terms=(), typed=False)).query()))
    for limit in partial.constraints:
        owner = partial.thing(limit.thing).term
        if limit.relation in names.schema.truths and isinstance(owner, IRI):
            edge = EdgePattern(owner, IRI(limit.relation), Variable("value"))
            said.append((limit.said, QueryGraph.whether(edge)))
    for positions, graph in said:
        if not context.execute(_trial(context, graph), ask=True, timeout=timeout).boolean:
            yield Cue("kind", min(positions), max(positions) + 1)


def _called(partial: PartialQuery, tagging: Tagging, analysis: Analysis, names: Names) -> Iterator[str]:
    """Yield what the things, texts, classes and relations are called that words of a query stand for.

    Phrases that are translated are names, too: "der höchste Punkt" of something is its highest point.
    """
    owned = any(thing.terms for thing in partial.things)
    for span in tagging.spans:
        if not partial.said.isdisjoint(span.positions):
            yield span.text
            yield from (name.text for name in names.of(span.iri))
            if owned and span.score >= COMPOUND and len(span.positions) > 1:
                yield analysis.said(span.start, span.end)


def _trial(context: Context, graph: QueryGraph) -> SafeQuery:
    """Return a query to be tried: Triad's own, whose form is known, and so not the guard's to parse."""
    limited = graph if graph.ask or graph.limit is not None else replace(graph, limit=_ROWS)
    tree = context.glossary.unfolded(limited).normalised()
    return SafeQuery(render(tree), tree)


def _ran(context: Context, best: Sequence[Reading], wording: Wording, weights: Mapping[str, float]) -> list[Reading]:
    """Run the queries, and rank them by what they find, too."""
    spent = 0.0
    ran: list[tuple[Reading, object, tuple[Cue, ...]]] = []
    is_hopeless = bool(context.least and best) and all(reading.missed for reading in best)
    if is_hopeless and context.on_doubt:
        context.on_doubt()
    for reading in best:
        started = time.monotonic()
        try:
            timeout = min(TRIAL, context.graph.timeout)
            reading.result = context.execute(_trial(context, reading.graph), ask=reading.partial.ask, timeout=timeout)
            lacking = (*_lacking(context, reading.partial, timeout), *_unsaid(context, reading, wording.names, timeout))
            reading.broken += tuple(one for one in lacking if one.kind in ("than", "either"))
            lacking = tuple(one for one in lacking if one not in reading.broken)
        except QueryTimeout:
            pass  # too slow to be tried, as others may be not; the search comes next
        else:
            ran.append((reading, result_key(reading.result), lacking))
            if is_hopeless and not reading.result.is_empty:
                break  # each leaves a word out, and is a guess
        spent += min(time.monotonic() - started, TRIAL)  # of the first, which may load SPARQL's grammar, no more
        if spent > _PATIENCE:
            break
    for reading, key, lacking in ran:
        support = sum(key == other for _, other, _ in ran) - 1
        reading.features |= describe_result(reading.partial, reading.result, wording.schema, support)
        further = wording.contract.broken(reading.graph, reading.called, reading.result)
        reading.broken = tuple(dict.fromkeys((*reading.broken, *further)))
        reading.features["broken"] = float(len(reading.broken))
        reading.score = weighted(weights, reading.features)
        reading.broken += lacking  # what the graph does not know makes a reading no answer, and others no better
        reading.features["lacking"] = float(len(lacking))
    tried = [reading for reading, *_ in ran]
    strayed = find_strayed(tried)
    for reading in strayed:
        reading.features["lacking"] += 1
        reading.broken += (Cue("kind", 0, 1),)
    whole = [_alike(one) for one in tried if not one.features["lacking"]]
    gone = strayed if any(not (one.is_empty or one.broken or one.missed) for one in tried) else []
    gone += [one for one in tried if one.features["lacking"] and _alike(one) in whole]
    found = (one for one in tried if not any(one is other for other in gone))
    return sorted(found, key=lambda one: (-one.score, len(one.query), one.query))


def _alike(reading: Reading) -> dict[str, float]:
    """Return what is the same of readings that nothing tells apart but what the graph knows."""
    return {name: value for name, value in reading.features.items() if name not in ("support", "lacking")}
