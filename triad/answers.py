"""Answers: typed values with their query, source, confidence and trace; JSON both ways.

`to_json` and `from_json` work for every value type of Triad:

>>> from_json(Question, to_json(Question("Who founded Intel?")))
Question(text='Who founded Intel?', language='', id=None)
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal as Choice, TypeVar, cast

from pydantic import BeforeValidator, TypeAdapter

from triad.citations import Citation, CitedSentence, FoundPassage
from triad.errors import AnswerError
from triad.explain import explain
from triad.notebook import data_frame, to_html
from triad.questions import AnswerType, Candidate, Question
from triad.rdf import XSD, Literal, ResultSet, Triple, Value
from triad.text import shortened
from triad.trace import Rung, Trace

if TYPE_CHECKING:
    import pandas as pd

MIN_CONFIDENCE: Final = 0.5
"""The confidence below which an answer is a guess, if nothing else is set."""

SURE: Final = 0.8
"""The confidence from which an answer is sure: a calibrated one is right so often."""

LEAST_GUESS: Final = 0.3
"""The confidence below which a guess is not shown: it is far from the question."""

CLEAR_LEAD: Final = 0.25
"""The lead in confidence that makes one of several readings clearly the best: from a doubtful answer to a sure one."""

Source = Choice["graph", "table", "passages", "documents", "model"]
"""Where an answer comes from: a query to the graph, SQL on its tables, the graph in words, documents beside it, or the
model's own knowledge."""

Method = Choice["model", "lexical"]
"""How an answer was found: by the phases with a language model, or by the lexical solver, which needs none."""

ReasonKind = Choice["name", "relation", "words", "empty", "doubt"]
"""Why a question has no answer: ``name``, nothing in the graph has that name; ``relation``, an entity or a class has no
such property; ``words``, words were not understood; ``empty``, nothing was found; ``doubt``, too little confidence."""

WordKind = Choice["name", "class", "relation", "value", "operator", "instead", "left_out"]
"""What words became: the name of a thing, a class, a relation or a value; what the query does; ``instead``, another
name, for nothing in the graph has theirs; ``left_out``, nothing."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WordUse:
    """Words of the question, and the part of the query that they became."""

    words: str
    kind: WordKind
    became: str = ""
    """The part of the query in words, in the language of the question; empty where they were left out."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What else a question may mean, and what that gives."""

    text: str
    """What is asked for then, in words, in the language of the question."""
    answer: str = ""
    """What that gives, in a line, as the text of an answer is."""
    query: str | None = None
    """Its query."""
    taken: str = ""
    """What the answer assumes here, if that is all that differs: a measure, or which of several namesakes."""

    def __str__(self) -> str:
        text = self.text if self.text.endswith(("?", "؟")) else f"{self.text}:"
        return f"{text} {self.answer}" if self.answer else self.text


# What an earlier version kept of a reading was its text alone.
_Kept = BeforeValidator(lambda one: Reading(one) if isinstance(one, str) else one)
Readings = tuple[Annotated[Reading, _Kept], ...]


class _Answered:
    """What came of a question, and what its words became."""

    __slots__ = ()
    words: tuple[WordUse, ...]

    @property
    def ignored(self) -> tuple[str, ...]:
        """Words of the question that nothing accounts for, as far as the lexical solver can tell."""
        return tuple(one.words for one in self.words if one.kind == "left_out")

    @property
    def substituted(self) -> tuple[WordUse, ...]:
        """Words in place of which other names were taken, for nothing in the graph has theirs."""
        return tuple(one for one in self.words if one.kind == "instead")

    def to_json(self, *, indent: int | None = None) -> str:
        """Return all of it as JSON text, trace included; `from_json` reads it."""
        return to_json(self, indent=indent)


@dataclass(frozen=True, slots=True)
class Doubt:
    """What speaks against an answer."""

    kind: str
    """The name of the check that it comes from, such as ``answer_type``."""
    text: str
    """The doubt in a sentence, without a stop."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason why a question has no answer."""

    kind: ReasonKind
    words: str
    """The words of the question that it is about."""
    text: str
    """The reason in a sentence, without a stop, in the language of the question."""
    near: tuple[str, ...] = ()
    """Names in the graph that are like the words."""


@dataclass(frozen=True, slots=True, repr=False)
class Answer(_Answered):
    """What was found out, and how."""

    question: Question
    answer_type: AnswerType = "select"
    variables: tuple[str, ...] = ()
    rows: tuple[tuple[Value | None, ...], ...] = ()
    """A value for each variable, row by row."""
    boolean: bool | None = None
    """The answer to a yes/no question."""
    text: str = ""
    """A sentence, where one was asked for; else the values in a line."""
    query: str | None = None
    """The query that gave the answer, pretty-printed, with prefixes."""
    links: Mapping[str, Candidate] = field(default_factory=dict)
    """What each mention of the question was taken for."""
    provenance: tuple[Triple, ...] = ()
    """Facts of the graph that the answer rests on, the first hundred of them."""
    source: Source = "graph"
    method: Method = "model"
    confidence: float = 0.0
    """From 0 to 1. Of the lexical solver, and on each rung of the ladder, it is calibrated: about 80 % of the answers
    with 0.8 are right. On the rung ``retrieval`` it says how much of the answer its evidence holds; in the form of the
    Triad paper (``route: phases``) it ranks answers. Neither is a probability."""
    truncated: bool = False
    """True if there were more rows than the cap allows."""
    words: tuple[WordUse, ...] = ()
    """What the words of the question became in the query, in their order; empty where that is not known."""
    readings: Readings = ()
    """What else the question may mean where none is clearly the best, and what was assumed, the likeliest first."""
    notes: tuple[str, ...] = ()
    """Sentences on what else a reader should know, such as that the graph has no names in the question's language."""
    prefixes: Mapping[str, str] = field(default_factory=dict)
    """Namespaces by prefix, as far as its IRIs are in them: those of the graph's files, and usual ones."""
    rung: Rung | None = None
    """The rung of the ladder that gave the answer; None where there is no ladder."""
    doubts: tuple[Doubt, ...] = ()
    """What speaks against it, the weightiest first."""
    findings: Mapping[str, float] = field(default_factory=dict)
    """What the checks of a rung above the solver found, as numbers by name, of which the confidence is made."""
    below: tuple[Answer, ...] = ()
    """What the other rungs said that were climbed, the lowest first, without their own and without their traces."""
    sentences: tuple[CitedSentence, ...] = ()
    """The answer in words, sentence by sentence, each with the numbers of its citations."""
    citations: tuple[Citation, ...] = ()
    """The evidence that the sentences cite."""
    trace: Trace | None = None

    @property
    def values(self) -> tuple[Value, ...]:
        """The distinct values of all rows, in order; for a yes/no question the boolean."""
        if self.boolean is not None:
            word = "true" if self.boolean else "false"
            return (Value(Literal(word, XSD + "boolean"), "yes" if self.boolean else "no"),)
        return tuple(dict.fromkeys(value for row in self.rows for value in row if value is not None))

    @property
    def headers(self) -> tuple[str, ...]:
        """What people read above the columns: the variables in words; those that a solver numbers say nothing."""
        return tuple(
            "answer" if re.fullmatch(r"v\d+", one) else one.replace("_", " ").strip() for one in self.variables
        )

    @property
    def told_readings(self) -> Readings:
        """The readings that people are told of: none beside a sure answer."""
        return self.readings if self.confidence < SURE else ()

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)

    def explain(self, *, markdown: bool = False) -> str:
        """Tell in words how the answer came about, as plain text or as Markdown."""
        return explain(self, markdown=markdown)

    def to_dataframe(self) -> pd.DataFrame:
        """Return the rows as a data frame of pandas: a column a variable, and one of IRIs beside a column of things.

        Raises:
            ConfigError: The extra ``notebook`` is not installed.
        """
        return data_frame(self)

    def __repr__(self) -> str:
        about = f"source={self.source!r}, confidence={self.confidence:.2f}"
        return f"Answer({shortened(self.text)!r}, {about}, rows={len(self.rows)})"

    def _repr_html_(self) -> str:
        return to_html(self)

    @property
    def result(self) -> ResultSet:
        """The answer as a result set."""
        rows = tuple(tuple(value.term if value else None for value in row) for row in self.rows)
        return ResultSet(self.variables, rows, self.boolean, self.truncated)


@dataclass(frozen=True, slots=True, repr=False)
class Unknown(_Answered):
    """Why a question has no answer, and what the answer may be."""

    question: Question
    reasons: tuple[Reason, ...] = ()
    guess: Answer | None = None
    """The best answer, if there is one; its confidence is below the least that an answer needs. `Agent.ask` gives none
    below 0.3."""
    words: tuple[WordUse, ...] = ()
    """What the words of the question became in the query of the guess, or which ones nothing accounts for."""
    readings: Readings = ()
    """What the question may mean instead of what the guess takes it for, the likeliest first: "did you mean"."""
    passages: tuple[FoundPassage, ...] = ()
    """Passages that a search found for the question where no model could read them, the best first."""
    trace: Trace | None = None

    def explain(self, *, markdown: bool = False) -> str:
        """Tell in words why there is no answer, and how the guess came about, as plain text or as Markdown."""
        guess = self.guess or Answer(self.question)
        return explain(replace(guess, trace=self.trace), unknown=self, markdown=markdown)

    @property
    def reason(self) -> Reason | None:
        """The reason that people are told: the first that has near names, or the relations that there are, if any."""
        return min(self.reasons, key=lambda one: (not one.near, one.kind != "relation"), default=None)

    def shown(self) -> Unknown:
        """Return it as people are shown it: without a guess that is far from the question, and what that may mean."""
        if self.guess is None or self.guess.confidence >= LEAST_GUESS:
            return self
        words = tuple(one for one in self.words if one.kind == "left_out")
        return replace(self, guess=None, words=words, readings=())

    def error(self) -> AnswerError:
        """Return the error that no answer was reached."""
        return AnswerError(f"no answer was reached for {self.question.text!r}: {self}", unknown=self)

    def __repr__(self) -> str:
        return f"Unknown({shortened(str(self))!r}, guess={self.guess!r})"

    def _repr_html_(self) -> str:
        return to_html(self.guess, unknown=self)

    def __str__(self) -> str:
        """Return the reason that people are told."""
        return self.reason.text if self.reason else ""


@cache
def _adapter(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


def to_json(value: Any, *, indent: int | None = None) -> str:
    """Return a value, or a sequence of them, as JSON text."""
    kind: Any = type(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _adapter(list[Any]).dump_json(list(value), indent=indent).decode()
    return _adapter(kind).dump_json(value, indent=indent).decode()


def from_json(kind: type[T], text: str | bytes) -> T:
    """Read a value from JSON text; a `ValueError` says that it is none, or not of this type."""
    value: T = _adapter(cast(Any, kind)).validate_json(text)
    return value
