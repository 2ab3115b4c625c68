"""Phase 4, answer generation: from the chosen query to the answer, by the advisor.

The result of the query is the answer: the model never changes booleans and numbers. Where the graph gives nothing,
the model's own knowledge may answer, if the advisor's card allows it for that type of answer, and the answer says so.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from triad import sparql
from triad.answers import Answer, WordUse
from triad.errors import GraphError
from triad.kg.guard import check
from triad.language.pack import load_pack
from triad.language.telling import computed
from triad.phases.attempts import BuiltQuery
from triad.phases.context import Context
from triad.phases.values import figures_of, formulas, largest_first, owners_of, values_of
from triad.queries.naming import variable_names
from triad.questions import AnswerType
from triad.rdf import IRI, BlankNode, Literal, ResultSet, Term, Triple, Value, compact
from triad.sparql import QueryGraph
from triad.sparql.patterns import EdgePattern, GraphPart, OptionalPart, Part, QueryTerm, Union, Values, Variable
from triad.sparql.stated import facts_in

PROVENANCE_LIMIT = 100
"""Facts that an answer carries at most."""
_SHOWN = 10  # rows that are written on a line
_MODEL_CONFIDENCE = 0.3  # the model's own knowledge is not checked against a source


def answer(context: Context, query: BuiltQuery, answer_type: AnswerType) -> Answer:
    """Return the answer that a query's result gives."""
    query = _named(context, query)
    result = query.result if query.result is not None else ResultSet()
    with context.look_around("labels of the values, facts behind them"):
        names = context.schema.labels(str(one) for row in result.rows for one in row if isinstance(one, IRI))
        names |= _names_of_nodes(context, query.tree, result)
        provenance = _provenance(context, query.tree, result)
        owners = owners_of(context, query.tree, result, provenance)
    edges = [edge for edge, _ in _required(query.tree.where)]
    compared, figures = figures_of(query.tree, edges, result, provenance)
    result = result if query.tree.order else largest_first(result, figures)
    rows = values_of(context, query.tree, result, names, owners, (compared, figures))
    prefixes = {**sparql.PREFIXES, **context.graph.prefixes}
    made = Answer(
        context.question,
        answer_type,
        result.variables,
        rows,
        result.boolean,
        query=sparql.write(query.tree, prefixes),
        links=query.links,
        provenance=provenance,
        confidence=query.score if not result.is_empty else query.score / 2,
        truncated=result.truncated,
        notes=query.notes,
        words=tuple(WordUse(one.word, one.kind, one.meaning) for one in query.defined),
    )
    return replace(made, text=in_a_line(made), prefixes=_used(prefixes, made))


def _named(context: Context, query: BuiltQuery) -> BuiltQuery:
    """Return a query whose variables are called what they stand for, with its result."""
    question, profile, pack = context.question, context.profile, context.pack

    def class_of(relation: str, is_value: bool) -> str | None:
        """Return the narrowest class of all subjects, or of all values if the question asks for things of it."""
        known = profile.relation_profile(relation) if profile else None
        if profile is None or known is None:
            return None
        places = map(profile.classes.__getitem__, known.object_classes if is_value else known.subject_classes)
        uses = [(one, use) for one in places for use in (*one.outgoing, *one.incoming)]
        whole = [one for one, use in uses if use.relation == relation and use.triples == known.triples]
        narrow = min(whole, key=lambda one: one.instances, default=None)
        if narrow and is_value and not pack.said_in(question.text, context.schema.label(IRI(narrow.iri))):
            return None
        return narrow.iri if narrow else None

    def aggregated(function: str, name: str) -> str:
        return computed(function, question.text, name, pack)

    words = {name: one.word for name, one in formulas(context, query.tree).items()}
    names = variable_names(query.tree, context.schema.labels, class_of, aggregated, words)
    tree = sparql.substituted(query.tree, {Variable(one): Variable(name) for one, name in names.items()})
    if query.result is None:
        return replace(query, tree=tree)
    columns = tuple(names.get(one, one) for one in query.result.variables)
    return replace(query, tree=tree, result=replace(query.result, variables=columns))


def _used(prefixes: Mapping[str, str], answer: Answer) -> dict[str, str]:
    iris = {link.iri for link in answer.links.values()}
    iris |= {value.term.value for value in answer.values if isinstance(value.term, IRI)}
    facts = ((one.subject, one.predicate, one.object, *one.graphs) for one in answer.provenance)
    iris |= {term.value for fact in facts for term in fact if isinstance(term, IRI)}
    shown = {compact(iri, prefixes).partition(":")[0] for iri in iris}
    return {prefix: prefixes[prefix] for prefix in sorted(shown & prefixes.keys())}


def in_a_line(answer: Answer) -> str:
    """Return the values of an answer on one line."""
    if answer.boolean is not None:
        return load_pack(answer.question.language).truth(answer.boolean)
    shown = ["; ".join(", ".join(value.shown for value in row if value is not None) for row in answer.rows[:_SHOWN])]
    if len(answer.rows) > _SHOWN:
        shown.append(f"and {len(answer.rows) - _SHOWN:,}{'+' if answer.truncated else ''} more")
    return ", ".join(filter(None, shown)) or "nothing found"


def in_short(context: Context, tree: QueryGraph, result: ResultSet) -> str:
    """Return what a query found on one line, as the text of an answer."""
    names = context.schema.labels(str(one) for row in result.rows[:_SHOWN] for one in row if isinstance(one, IRI))
    rows = values_of(context, tree, result, names)
    return in_a_line(Answer(context.question, rows=rows, boolean=result.boolean, truncated=result.truncated))


def _names_of_nodes(context: Context, tree: QueryGraph, result: ResultSet) -> dict[str, str]:
    """Return the labels of the blank nodes of a result, where what they are called holds in another query, too."""
    found: dict[str, list[Literal]] = {}
    for name in {name for row in result for name, term in row.items() if isinstance(term, BlankNode)}:
        edge = EdgePattern(Variable(name), way := Variable("way_to_label"), Variable("label_of_node"))
        part = [*tree.where, Values.of(way, *map(IRI, context.schema.label_properties)), edge]
        for row in (context.graph.in_process and _facts(context, part, seconds=2)) or ():
            if isinstance(text := row["label_of_node"], Literal):
                found.setdefault(str(row[name]), []).append(text)
    return {node: context.schema.best(texts) for node, texts in found.items()}


# Provenance -----------------------------------------------------------------------------------------------


_Pattern = tuple[EdgePattern, Variable | IRI | None]
"""A triple pattern of the query, and the graph that it is matched in: a term, or the variable that the graphs of its
facts are bound to; None where they are not asked for."""


def _provenance(context: Context, tree: QueryGraph, result: ResultSet) -> tuple[Triple, ...]:
    """Return the facts that match the query's own triple patterns, for the rows of its result."""

    def named_apart(term: QueryTerm) -> QueryTerm:
        return Variable(f"blank_{term.value}") if isinstance(term, BlankNode) else term

    where = sparql.substituted(tree.where, named_apart)
    patterns = [one for one in _required(where) if isinstance(one[0].relation, IRI | Variable)]
    if not patterns or result.boolean is False:
        return ()
    # The query's own conditions hold for its facts, too, so that they stay in.
    part = [*_restricted(result, patterns), *where]
    patterns, qualifying = _qualified(context, patterns)
    part += [one for one, _, _ in qualifying.values()]
    found: ResultSet | None = None
    if context.profile and len(context.profile.graphs) > 1:
        placed = [(edge, graph or Variable(f"graph_of_{at}")) for at, (edge, graph) in enumerate(patterns)]
        pairs = zip(placed, patterns, strict=True)
        asked = [OptionalPart((GraphPart(graph, (edge,)),)) for (edge, graph), (_, said) in pairs if said is None]
        found = _facts(context, [*part, *asked], seconds=2)
        patterns = [*placed] if found is not None else patterns
    if found is None:
        found = _facts(context, part, seconds=5)
    graphs: dict[Triple, dict[IRI | BlankNode, None]] = {}
    said: dict[Triple, dict[tuple[Term, Term], None]] = {}
    for row in found or ():
        for edge, source in patterns:
            terms = (edge.subject, edge.relation, edge.object, source)
            bound: Iterator[Any] = (row.get(term.name) if isinstance(term, Variable) else term for term in terms)
            subject, predicate, value, graph = bound
            if isinstance(subject, IRI | BlankNode) and isinstance(predicate, IRI) and value is not None:
                fact = Triple(subject, predicate, value)
                names = graphs.setdefault(fact, {})
                if isinstance(graph, IRI | BlankNode):
                    names[graph] = None
                if pair := [row[one.name] for one in qualifying.get(edge, ())[1:] if one.name in row]:
                    said.setdefault(fact, {})[pair[0], pair[1]] = None
    named = (term for pairs in said.values() for pair in pairs for term in pair)
    labels = context.schema.labels(dict.fromkeys(term.value for term in named if isinstance(term, IRI)))

    def called(term: Term) -> Value:
        return Value(term, labels.get(str(term), str(term)))

    ordered = {fact: sorted(said.get(fact, ()), key=str) for fact in graphs}
    told = {fact: tuple((called(one), called(other)) for one, other in pairs) for fact, pairs in ordered.items()}
    facts = (
        replace(fact, graphs=tuple(sorted(names, key=str)), qualifiers=told[fact]) for fact, names in graphs.items()
    )
    return tuple(facts)[:PROVENANCE_LIMIT]


_Qualifying = dict[EdgePattern, tuple[OptionalPart, Variable, Variable]]
"""For each fact the patterns for what is said of it, and the variables of the relations and values."""


def _qualified(context: Context, patterns: Sequence[_Pattern]) -> tuple[list[_Pattern], _Qualifying]:
    """Return patterns with facts in place of what states them, and the patterns for what is said of facts."""
    stated = context.glossary.stated
    stating = list(facts_in([edge for edge, _ in patterns], stated.values()))
    nodes = {node for _, node, _ in stating}
    rest = [(edge, graph) for edge, graph in patterns if nodes.isdisjoint((edge.subject, edge.object))]
    plain = [(one, None, edge) for edge, _ in rest if (one := stated.get(str(edge.relation)))]
    found: _Qualifying = {}
    for at, (one, node, fact) in enumerate([*stating, *plain]):
        relation, value, own = (Variable(f"{name}_of_fact_{at}") for name in ("relation", "value", "node"))
        ways = () if node else one.patterns(own, fact.subject, fact.object)
        said = Values.of(relation, *map(IRI, one.qualifiers)), EdgePattern(node or own, relation, value)
        found[fact] = OptionalPart((*ways, *said)), relation, value
    return [*((fact, None) for *_, fact in stating), *rest], found


def _facts(context: Context, parts: list[Part], seconds: float) -> ResultSet | None:
    """Return the rows that match patterns; None if the graph failed, for an answer is of use without its facts, too."""
    try:
        text = check(QueryGraph(where=tuple(parts)), replace(context.policy, row_limit=PROVENANCE_LIMIT))
        return context.graph.select(text, timeout=seconds)
    except GraphError:
        return None


def _required(where: Iterable[Part], graph: Variable | IRI | None = None) -> Iterator[_Pattern]:
    """Yield the patterns that every row must match: those not in an OPTIONAL, UNION, MINUS, filter or sub-select."""
    for part in where:
        match part:
            case EdgePattern():
                yield part, graph
            case Union((parts,)):
                yield from _required(parts, graph)
            case GraphPart(inner, parts):
                yield from _required(parts, inner)


def _restricted(result: ResultSet, patterns: Iterable[_Pattern]) -> Iterator[Values]:
    """Yield a VALUES clause for the terms of the first rows of a result that occur in the patterns."""
    matched = sparql.terms(tuple(edge for edge, _ in patterns))
    columns = [(at, Variable(name)) for at, name in enumerate(result.variables) if Variable(name) in matched]
    if columns:
        rows = [[row[at] for at, _ in columns] for row in result.rows[:25]]
        known = (tuple(term if isinstance(term, IRI | Literal) else None for term in row) for row in rows)
        yield Values(tuple(name for _, name in columns), tuple(known))


# The model's part -----------------------------------------------------------------------------------------


class _Known(BaseModel):
    known: bool
    answer: str


class _Sentence(BaseModel):
    sentence: str


def answer_from_knowledge(context: Context, answer_type: AnswerType) -> Answer | None:
    """Return the model's own answer, marked as such; None where it may not answer, or does not know."""
    allowed = context.roles.advisor.own_knowledge
    if allowed == "none" or (allowed == "boolean" and answer_type != "boolean"):
        return None

    def fault(reply: _Known) -> str | None:
        if reply.known and answer_type == "boolean" and reply.answer.strip().lower() not in ("yes", "no"):
            return "'answer' must be yes or no"
        return None

    inputs = {"question": context.question.text, "answer_type": answer_type}
    reply = context.call("advisor", "answering", inputs, _Known, fault)
    text = reply.answer.strip()
    if not reply.known or not text:
        return None
    made = Answer(context.question, answer_type, text=text, source="model", confidence=_MODEL_CONFIDENCE)
    if answer_type == "boolean":
        return replace(made, boolean=text.lower() == "yes")
    return replace(made, variables=("answer",), rows=((Value(Literal(text), text),),))


def sentence(context: Context, answer: Answer) -> str:
    """Return the answer in a sentence, written by the model from the values alone."""
    values = [", ".join(value.label for value in row if value is not None) for row in answer.rows]
    inputs = {
        "question": answer.question.text,
        "boolean": {None: None, True: "yes", False: "no"}[answer.boolean],
        "rows": values[:20],
        "more": max(0, len(values) - 20),
        "language": answer.question.language,
    }

    def fault(reply: _Sentence) -> str | None:
        """Say which value the sentence changed: the model may phrase the values of the graph and not change them."""
        if answer.boolean is not None and answer.question.language == "en":
            word = in_a_line(answer)
            return None if reply.sentence.lower().startswith(word) else f"'sentence' must begin with {word.title()!r}"
        sentence = re.sub(r"(?<=\d)[,\s](?=\d)", "", reply.sentence)
        numbers = [value.label for value in answer.values[:3] if re.fullmatch(r"-?\d+", value.label)]
        missing = [number for number in numbers if number.lstrip("-") not in sentence]
        return f"'sentence' must have the number {missing[0]}" if missing else None

    return context.call("advisor", "sentence", inputs, _Sentence, fault).sentence
