"""What the server tells of answers, as JSON: plain values that a page or a program reads without knowing Triad."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Any, Final, Literal as Choice, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationInfo, model_validator

from triad import answers, citations, questions, rdf
from triad.conversation.turns import Outcome
from triad.language.written import PLACE, unit_of, written
from triad.rdf import IRI, XSD, Literal
from triad.server.problems import discreet
from triad.server.settings import Reach
from triad.text import clean
from triad.trace import Message, Phase, Rung, Service, Step, Trace, Usage

_LONGEST: Final = 20_000  # characters of a prompt or a reply that a step shows


class View(BaseModel):
    """Base of all that the server tells."""

    model_config = ConfigDict(from_attributes=True, populate_by_name=True, frozen=True)

    @classmethod
    def made_of(cls, found: object, /, **known: Any) -> Self:
        """Return the view of something, with what is known of it besides."""
        return cls.model_validate({name: getattr(found, name, None) for name in cls.model_fields} | known)


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

    @model_validator(mode="before")
    @classmethod
    def _of(cls, value: Any) -> Any:
        """Take a value of an answer."""
        if not isinstance(value, rdf.Value):
            return value
        term = value.term
        known: dict[str, Any] = {"value": term.value, "label": value.label, "text": value.text or None}
        if not isinstance(term, Literal):
            return {**known, "type": "uri" if isinstance(term, IRI) else "bnode", "kind": "entity"}
        datatype = None if term.language else term.datatype
        kind = {XSD + "boolean": "boolean", PLACE: "place"}.get(term.datatype) or rdf.kind_of(term)
        return {**known, "type": "literal", "datatype": datatype, "language": term.language, "kind": kind}


def named(term: rdf.Term, labels: Mapping[str, str], language: str) -> rdf.Value:
    """Return a term with the label of a thing, or a literal as people of a language write it."""
    if isinstance(term, Literal):
        return rdf.Value(term, term.value, written(term, language, unit_of(term)))
    return rdf.Value(term, labels.get(term.value) or term.value)


class LinkView(View):
    """What a name stands for."""

    iri: str
    label: str
    kind: questions.Kind
    description: str = ""
    score: float = 0.0


def _value(term: Any, info: ValidationInfo) -> Any:
    """Return the value of a term, by the names that the answer has for things."""
    if not isinstance(term, rdf.Term):
        return term
    names: Mapping[str, str] = info.context or {}
    local = term.value.rstrip("/#").replace("#", "/").rpartition("/")[2] if isinstance(term, IRI) else ""
    return rdf.Value(term, names.get(term.value) or local or term.value)


class FactView(View):
    """A fact of the graph."""

    subject: Annotated[ValueView, BeforeValidator(_value)]
    predicate: Annotated[ValueView, BeforeValidator(_value)]
    object: Annotated[ValueView, BeforeValidator(_value)]
    inferred: bool = False
    """Whether it was not stated, but follows from what was."""
    qualifiers: list[tuple[ValueView, ValueView]] = []
    """What is said of the fact itself: relations with their values."""


class CitationView(View):
    """A piece of evidence."""

    number: int
    source: citations.EvidenceSource
    title: str
    text: str
    things: list[str]
    facts: list[FactView] = Field(validation_alias="triples")
    query: str | None
    document: str | None
    date: str | None


class BelowView(View):
    """What another rung of the ladder said."""

    rung: Rung | None
    text: str
    confidence: float
    query: str | None


class AnswerView(View):
    """An answer, and how it was found."""

    type: questions.AnswerType = Field(validation_alias="answer_type")
    variables: list[str]
    rows: list[list[ValueView | None]]
    values: list[ValueView]
    boolean: bool | None
    text: Annotated[str, BeforeValidator(clean)]
    query: str | None
    links: dict[str, LinkView]
    facts: list[FactView] = Field(validation_alias="provenance")
    source: answers.Source
    method: answers.Method
    rung: Rung | None
    confidence: float
    truncated: bool
    words: list[answers.WordUse]
    readings: list[answers.Reading]
    notes: list[str]
    prefixes: dict[str, str]
    doubts: list[answers.Doubt]
    sentences: list[citations.CitedSentence]
    citations: list[CitationView]
    below: list[BelowView]


def _answer(found: Any) -> Any:
    """Take an answer, whose facts have the names that it has for things."""
    if not isinstance(found, answers.Answer):
        return found
    names = {what.iri: what.label for what in found.links.values() if what.kind != "literal"}
    names |= {value.term.value: value.label for value in found.values if isinstance(value.term, IRI)}
    return AnswerView.model_validate(found, context=names)


_Answered = Annotated[AnswerView | None, BeforeValidator(_answer)]
_Cited = BeforeValidator(lambda found: [getattr(one, "citation", one) for one in found])


class UnknownView(View):
    """Why there is no answer, and what it may be."""

    reasons: list[answers.Reason]
    guess: _Answered
    words: list[answers.WordUse]
    readings: list[answers.Reading]
    passages: Annotated[list[CitationView], _Cited]
    """What a search found for the question where no model could read it."""


class Body(BaseModel):
    """Base of what a request says: no unknown keys."""

    model_config = ConfigDict(extra="forbid")


class StepView(View):
    """One call on the way to an answer."""

    number: int
    phase: Phase
    rung: Rung | None
    service: Service
    action: str
    role: str | None
    request: str
    reply: str
    prompt: list[Message] | None
    """Null for those who may not see it."""
    candidates: list[str]
    usage: Usage
    seconds: float
    attempt: int
    error: str | None

    @classmethod
    def of(cls, number: int, step: Step, *, inspect: bool) -> Self:
        """Return the view of a step; only who inspects sees prompts and replies, and where servers are that failed."""
        model = step.service == "model"
        prompt = [replace(one, content=one.content[:_LONGEST]) for one in step.prompt]
        shown = {
            "number": number,
            "request": step.request[:_LONGEST],
            "reply": step.reply[:_LONGEST] if inspect or not model else "",
            "prompt": prompt if inspect and model else None,
            "error": step.error if inspect or step.error is None else discreet(step.error),
        }
        return cls.made_of(step, **shown)


class PartView(View):
    """What one phase or one rung cost."""

    usage: Usage
    seconds: float


class TraceView(View):
    """All calls on the way to an answer."""

    steps: list[StepView]
    seconds: float
    usage: Usage
    by_phase: dict[str, PartView]
    by_rung: dict[str, PartView]

    @classmethod
    def of(cls, trace: Trace, *, inspect: bool) -> Self:
        """Return the view of all steps."""
        steps = [StepView.of(number, step, inspect=inspect) for number, step in enumerate(trace.steps, 1)]
        return cls.made_of(trace, steps=steps, by_phase=_parts(trace, "phase"), by_rung=_parts(trace, "rung"))


def _parts(trace: Trace, key: Choice["phase", "rung"]) -> dict[str, PartView]:
    usages, seconds = trace.usage_by(key), trace.seconds_by(key)
    return {name: PartView(usage=usages.get(name, Usage()), seconds=spent) for name, spent in seconds.items()}


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


class PinView(View):
    """An answer on a board."""

    id: str  # of its turn, which nobody can guess
    graph: str
    question: str
    query: str
    at: datetime
    """When it was first given."""
    part: Reach
    """What its owner sees of the graph."""
    state: str | None = None
    """A text that changes with the graph; null where only asking tells, as at an endpoint."""


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
    reply: Annotated[str, BeforeValidator(clean)]
    answer: _Answered
    unknown: UnknownView | None
    options: list[OptionView]
    usage: Usage
    seconds: float
    feedback: FeedbackView | None = None
    trace: TraceView | None = None
