"""Phase 4, answer generation: from the chosen query to the answer, by the advisor.

The result of the query is the answer: the model never changes booleans and numbers. Where the graph gives nothing,
the model's own knowledge may answer, if the advisor's card allows it for that type of answer, and the answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import BaseModel
from rdflib.term import BNode, URIRef, Variable

from triad import sparql
from triad.answers import Answer
from triad.errors import GraphError
from triad.kg.guard import check
from triad.phases.construction import BuiltQuery
from triad.phases.context import Context
from triad.queries.patterns import Variable as QueryVariable
from triad.queries.patterns import from_rdflib, to_rdflib
from triad.questions import AnswerType
from triad.rdf import IRI, BlankNode, Literal, ResultSet, Term, Triple, Value

__all__ = ["PROVENANCE_LIMIT", "answer", "answer_from_knowledge", "in_a_line", "sentence"]

PROVENANCE_LIMIT = 100
"""Facts that an answer carries at most."""
_EXPLAINED = 25  # rows of a result whose facts are looked for
_MODEL_CONFIDENCE = 0.3  # the model's own knowledge is not checked against a source


def answer(context: Context, query: BuiltQuery, answer_type: AnswerType) -> Answer:
    """Return the answer that a query's result gives.

    Raises:
        GraphError: The graph failed.
    """
    result = query.result if query.result is not None else ResultSet()
    with context.look_around("labels of the values, facts behind them"):
        names = context.schema.labels(
            dict.fromkeys(term.value for row in result.rows for term in row if isinstance(term, IRI))
        )
        provenance = _provenance(context, query.tree, result)
    rows = tuple(
        tuple(Value(term, names.get(str(term), str(term))) if term is not None else None for term in row)
        for row in result.rows
    )
    made = Answer(
        context.question,
        answer_type,
        result.variables,
        rows,
        result.boolean,
        query=sparql.write(query.tree, {**context.graph.prefixes, **sparql.PREFIXES}),
        links=query.links,
        provenance=provenance,
        confidence=query.score if not result.is_empty else query.score / 2,
        truncated=result.truncated,
    )
    return replace(made, text=in_a_line(made))


def in_a_line(answer: Answer) -> str:
    """Return the values of an answer on one line."""
    if answer.boolean is not None:
        return "yes" if answer.boolean else "no"
    shown = ["; ".join(", ".join(str(value) for value in row if value is not None) for row in answer.rows[:10])]
    if len(answer.rows) > 10:
        shown.append(f"and {len(answer.rows) - 10:,} more")
    return ", ".join(filter(None, shown)) or "nothing found"


# Provenance -----------------------------------------------------------------------------------------------


def _provenance(context: Context, tree: sparql.Node, result: ResultSet) -> tuple[Triple, ...]:
    """Return the facts that match the query's own triple patterns, for the rows of its result."""
    where = sparql.substitute(tree.where, lambda term: Variable(f"blank_{term}") if isinstance(term, BNode) else term)
    patterns = [
        (subject, predicate, value)
        for subject, predicate, value in _required(where)
        if isinstance(predicate, URIRef | Variable)
    ]
    if not patterns or result.boolean is False:
        return ()
    # The query's own conditions hold for its facts, too, so that they stay in.
    part = [*_restricted(result, patterns), *where.part]
    facts_of = sparql.Node("SelectQuery", where=sparql.Node("GroupGraphPatternSub", part=part))
    try:
        text = check(facts_of, replace(context.policy, row_limit=PROVENANCE_LIMIT))
        rows = context.graph.select(text, timeout=5)
    except GraphError:
        return ()  # an answer is of use without its facts, too
    facts: dict[Triple, None] = {}
    for row in rows:
        for pattern in patterns:
            subject, predicate, value = (_bound(term, row) for term in pattern)
            if isinstance(subject, IRI | BlankNode) and isinstance(predicate, IRI) and value is not None:
                facts[Triple(subject, predicate, value)] = None
    return tuple(facts)[:PROVENANCE_LIMIT]


def _required(where: sparql.Node) -> Iterator[tuple[object, object, object]]:
    """Yield the patterns that every row must match: those not in an OPTIONAL, UNION, MINUS, filter or sub-select."""
    for part in where.part or []:
        if part.name == "TriplesBlock":
            yield from sparql.patterns(part)
        elif part.name == "GroupOrUnionGraphPattern" and len(part.graph) == 1 and part.graph[0].name != "SubSelect":
            yield from _required(part.graph[0])


def _restricted(result: ResultSet, patterns: Iterable[tuple[object, ...]]) -> Iterator[sparql.Node]:
    """Yield a VALUES clause for the terms of the first rows of a result that occur in the patterns."""
    matched = {str(term) for pattern in patterns for term in pattern if isinstance(term, Variable)}
    columns = [at for at, name in enumerate(result.variables) if name in matched]
    if columns:
        names = [Variable(result.variables[at]) for at in columns]
        rows = [[_value(row[at]) for at in columns] for row in result.rows[:_EXPLAINED]]
        yield sparql.Node("InlineData", var=names, value=rows)


def _value(value: Term | None) -> object:
    return to_rdflib(value) if isinstance(value, IRI | Literal) else "UNDEF"


def _bound(term: object, row: dict[str, Term]) -> Term | None:
    found = from_rdflib(term)
    return row.get(found.name) if isinstance(found, QueryVariable) else found


# The model's part -----------------------------------------------------------------------------------------


class _Known(BaseModel):
    known: bool
    answer: str


class _Sentence(BaseModel):
    sentence: str


def answer_from_knowledge(context: Context, answer_type: AnswerType) -> Answer | None:
    """Return the model's own answer, marked as such; None where it may not answer, or does not know.

    Raises:
        AnswerError: The model's reply failed its checks, or a limit was reached.
        ModelError: The model failed.
    """
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
    """Return the answer in a sentence, written by the model from the values alone.

    Raises:
        AnswerError: The model's reply failed its checks, or a limit was reached.
        ModelError: The model failed.
    """
    values = [", ".join(str(value) for value in row if value is not None) for row in answer.rows]
    inputs = {
        "question": answer.question.text,
        "boolean": None if answer.boolean is None else in_a_line(answer),
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
