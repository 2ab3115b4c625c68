"""What the server tells of answers, as JSON: plain values that a page or a program reads without knowing Triad."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Self
from typing import Literal as Choice

from triad import answers, citations, questions, rdf, trace
from triad.conversation.turns import Turn
from triad.rdf import IRI, XSD, BlankNode, Literal
from triad.server.steps import TraceView, UsageView, View

__all__ = [
    "AnswerView",
    "FeedbackView",
    "LinkView",
    "OptionView",
    "Outcome",
    "TurnView",
    "UnknownView",
    "ValueView",
    "outcome",
]

Outcome = Choice["answer", "unknown", "said"]
"""An answer; that it is not known; or what tells nothing of the graph, such as a question back."""

_SAME: Final = ("boolean", "text", "query", "source", "method", "rung", "confidence", "truncated")
"""What an answer and its view have in common."""
_PLACES: Final = ("http://www.opengis.net/ont/geosparql#wktLiteral",)


class ValueView(View):
    """A term of the graph with what people call it."""

    type: Choice["uri", "literal", "bnode"]
    value: str
    datatype: str | None = None
    language: str | None = None
    label: str
    """The name of a thing; of a literal its lexical form."""
    text: str | None = None
    """A date or a number as people write it, with its unit; null where that is the label."""
    kind: Choice["entity", "number", "date", "text", "boolean", "place"]

    @classmethod
    def of(cls, value: rdf.Value) -> Self:
        """Return the view of a value."""
        term = value.term
        match term:
            case IRI():
                return cls(type="uri", value=term.value, label=value.label, text=value.text or None, kind="entity")
            case BlankNode():
                return cls(type="bnode", value=term.value, label=value.label, text=value.text or None, kind="entity")
            case Literal():
                return cls(
                    type="literal",
                    value=term.value,
                    datatype=None if term.language else term.datatype,
                    language=term.language,
                    label=value.label,
                    text=value.text or None,
                    kind=_kind(term),
                )


def _kind(literal: Literal) -> Any:
    if literal.datatype == XSD + "boolean":
        return "boolean"
    return "place" if literal.datatype in _PLACES else rdf.kind_of(literal)


class LinkView(View):
    """What a name stands for."""

    iri: str
    label: str
    kind: questions.Kind
    description: str = ""
    score: float = 0.0


class FactView(View):
    """A fact of the graph."""

    subject: ValueView
    predicate: ValueView
    object: ValueView


class SubstitutionView(View):
    """A name that was taken in place of another one."""

    asked: str
    taken: str


class DoubtView(View):
    """What speaks against an answer."""

    kind: str
    text: str


class ReasonView(View):
    """Why there is no answer."""

    kind: answers.ReasonKind
    words: str
    text: str
    near: list[str]


class SentenceView(View):
    """A sentence with the numbers of what it cites."""

    text: str
    cites: list[int]
    held: bool
    missing: list[str]


class CitationView(View):
    """A piece of evidence."""

    number: int
    source: citations.EvidenceSource
    title: str
    text: str
    things: list[str]
    facts: list[FactView]
    query: str | None
    document: str | None
    date: str | None


class BelowView(View):
    """What another rung of the ladder said."""

    rung: trace.Rung | None
    text: str
    confidence: float
    query: str | None


class AnswerView(View):
    """An answer, and how it was found."""

    type: questions.AnswerType
    variables: list[str]
    rows: list[list[ValueView | None]]
    values: list[ValueView]
    boolean: bool | None
    text: str
    query: str | None
    links: dict[str, LinkView]
    facts: list[FactView]
    source: answers.Source
    method: answers.Method
    rung: trace.Rung | None
    confidence: float
    truncated: bool
    ignored: list[str]
    substituted: list[SubstitutionView]
    readings: list[str]
    notes: list[str]
    prefixes: dict[str, str]
    doubts: list[DoubtView]
    sentences: list[SentenceView]
    citations: list[CitationView]
    below: list[BelowView]

    @classmethod
    def of(cls, answer: answers.Answer) -> Self:
        """Return the view of an answer."""
        names = {what.iri: what.label for what in answer.links.values() if what.kind != "literal"}
        names |= {value.term.value: value.label for value in answer.values if isinstance(value.term, IRI)}
        same: dict[str, Any] = {name: getattr(answer, name) for name in _SAME}
        return cls(
            **same,
            variables=list(answer.variables),
            ignored=list(answer.ignored),
            readings=list(answer.readings),
            notes=list(answer.notes),
            type=answer.answer_type,
            rows=[[ValueView.of(value) if value else None for value in row] for row in answer.rows],
            values=[ValueView.of(value) for value in answer.values],
            links={mention: LinkView.model_validate(what) for mention, what in answer.links.items()},
            facts=_facts(answer.provenance, names),
            substituted=[SubstitutionView.model_validate(one) for one in answer.substituted],
            prefixes=dict(answer.prefixes),
            doubts=[DoubtView.model_validate(one) for one in answer.doubts],
            sentences=[SentenceView.model_validate(one) for one in answer.sentences],
            citations=[_citation(one, names) for one in answer.citations],
            below=[
                BelowView(rung=one.rung, text=one.text, confidence=one.confidence, query=one.query)
                for one in answer.below
            ],
        )


def _citation(citation: citations.Citation, names: Mapping[str, str]) -> CitationView:
    same = ("number", "source", "title", "text", "query", "document", "date")
    return CitationView(
        **{name: getattr(citation, name) for name in same},
        things=list(citation.things),
        facts=_facts(citation.triples, names),
    )


def _facts(triples: Iterable[rdf.Triple], names: Mapping[str, str]) -> list[FactView]:
    def view(term: rdf.Term) -> ValueView:
        label = names.get(term.value) or (_local(term.value) if isinstance(term, IRI) else term.value)
        return ValueView.of(rdf.Value(term, label))

    return [
        FactView(subject=view(one.subject), predicate=view(one.predicate), object=view(one.object)) for one in triples
    ]


def _local(iri: str) -> str:
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] or iri


class UnknownView(View):
    """Why there is no answer, and what it may be."""

    reasons: list[ReasonView]
    guess: AnswerView | None
    ignored: list[str]
    substituted: list[SubstitutionView]
    readings: list[str]
    passages: list[CitationView]
    """What a search found for the question where no model could read it."""

    @classmethod
    def of(cls, unknown: answers.Unknown) -> Self:
        """Return the view."""
        return cls(
            reasons=[ReasonView.model_validate(one) for one in unknown.reasons],
            guess=AnswerView.of(unknown.guess) if unknown.guess else None,
            ignored=list(unknown.ignored),
            substituted=[SubstitutionView.model_validate(one) for one in unknown.substituted],
            readings=list(unknown.readings),
            passages=[_citation(one.citation, {}) for one in unknown.passages],
        )


class OptionView(View):
    """One way to understand a question."""

    label: str
    question: str


class FeedbackView(View):
    """What a person said of a turn."""

    verdict: Choice["right", "wrong", "corrected"]
    query: str | None = None
    comment: str | None = None
    at: datetime
    used: bool
    """Whether it is among the examples that later questions are answered with."""


class TurnView(View):
    """A question, how it was understood, and the reply."""

    id: str
    conversation: str | None
    number: int
    """Its place in the conversation, from 1."""
    at: datetime
    graph: str
    question: str
    standalone: str
    language: str
    kind: str
    outcome: Outcome
    reply: str
    answer: AnswerView | None
    unknown: UnknownView | None
    options: list[OptionView]
    usage: UsageView
    seconds: float
    feedback: FeedbackView | None = None
    trace: TraceView | None = None

    @classmethod
    def of(cls, turn: Turn, **known: Any) -> Self:
        """Return the view of a turn.

        Args:
            turn: The turn.
            known: What the server knows of it: id, conversation, number, at, graph, feedback, trace.
        """
        same = ("question", "standalone", "language", "kind", "reply", "seconds")
        return cls(
            **known,
            **{name: getattr(turn, name) for name in same},
            outcome=outcome(turn),
            answer=AnswerView.of(turn.answer) if turn.answer else None,
            unknown=UnknownView.of(turn.unknown) if turn.unknown else None,
            options=[OptionView(label=one.label, question=one.question) for one in turn.options],
            usage=UsageView.model_validate(turn.usage),
        )


def outcome(turn: Turn) -> Outcome:
    """Return what a turn came to."""
    if turn.unknown is not None or turn.error is not None:
        return "unknown"
    return "answer" if turn.answer is not None else "said"
