"""What a conversation consists of: turns, and the entities that they speak of.

A `Turn` is a question and its reply, with all that later turns need: the question in a form that stands alone, the
entities that it names with their IRIs, and the answer with its query. Turns are frozen and can be written as JSON and
read back, as the values of `triad.answers` are.
"""

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal as Choice

from triad.answers import Answer, Reading, Unknown
from triad.notebook import to_html
from triad.questions import AnswerSet, Candidate
from triad.rdf import IRI, Value
from triad.text import shortened
from triad.trace import Trace, Usage

CHOICES: Final = 5
"""Interpretations, or things of one name, among which the user chooses: a list that is read at a glance."""
LISTED: Final = 50
"""Entities of a list that stand in one query: as many as tell its class and relations, and no query gets long."""

TurnKind = Choice["question", "follow_up", "clarification", "social", "complaint", "undo", "start_over"]
"""A question to the graph; a follow-up on the last answer, such as "sort by population"; a question to the user; what
is said without a question; that the last answer is wrong, without what is meant instead; or what takes back the last
turn, or all of them."""

Outcome = Choice["answer", "unknown", "said"]
"""An answer; that it is not known; or what tells nothing of the graph, such as a question back."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to understand a question."""

    label: str
    """What distinguishes this interpretation from the others: the name that a word is taken for."""
    question: str
    """The question, put so that it stands alone."""
    known: Mapping[str, Candidate] = field(default_factory=dict)
    """The entities that names in the question stand for, as far as earlier turns tell."""
    each: tuple[Candidate, ...] = ()
    """Where the question is about a list of entities: all of them. It names the first only."""
    within: AnswerSet | None = None
    """The earlier answer to whose entities the question is limited."""
    query: str | None = None
    """The query that it was read as, where an answer offered that."""


@dataclass(frozen=True, slots=True, repr=False)
class Turn:
    """A question, how it was understood, and the reply."""

    question: str
    """The question as it was asked."""
    standalone: str
    """The same, put so that it can be understood without the turns before."""
    dependent: bool = False
    """True if the question could not be understood without the turns before."""
    language: str = "en"
    """The language of question and reply, as a tag."""
    reply: str = ""
    """The reply to the user: the answer in a sentence, or why there is none."""
    kind: TurnKind = "question"
    corrects: bool = False
    """True if it takes the place of the turn before it, which was not what the user meant."""
    answer: Answer | None = None
    """Values, query, source and confidence; None where nothing was found out. With ``unknown`` it is a guess."""
    unknown: Unknown | None = None
    """Why the question has no answer, or only a guess."""
    things: Mapping[str, Candidate] = field(default_factory=dict)
    """What the names in ``standalone`` stand for: what later turns may point back to. One without an IRI was not
    found."""
    each: tuple[Candidate, ...] = ()
    """Where the question was asked of a list of entities: all of them. ``standalone`` names the first only."""
    about: AnswerSet | None = None
    """Where the question was asked of an earlier answer: the entities of that answer."""
    options: tuple[Interpretation, ...] = ()
    """For a clarification, the interpretations to choose from; for any other turn, those that were not chosen."""
    error: str | None = None
    """Why no answer was reached."""
    usage: Usage = Usage()
    """What the turn cost, the understanding of the question included."""
    understanding: int = 0
    """Model calls that went into understanding the question in context."""
    seconds: float = 0.0
    asked_with: str = ""
    """The options of a request to a server that is known by an idempotency key."""
    trace: Trace | None = None
    """All calls of the turn, those of its understanding included; a store does not keep it."""

    @property
    def outcome(self) -> Outcome:
        """What it came to."""
        if self.unknown is not None or self.error is not None:
            return "unknown"
        return "answer" if self.answer is not None else "said"

    @property
    def readings(self) -> tuple[Reading, ...]:
        """What else the question may mean, with what that gives."""
        told = self.unknown or self.answer
        readings = told.readings if told else ()
        # Where no guess is shown, nothing is said of what it assumes.
        return readings if self.answer else tuple(replace(one, taken="") for one in readings)

    @property
    def told_readings(self) -> tuple[Reading, ...]:
        """The readings that people are told of: none beside a sure answer."""
        return self.readings if self.unknown or self.answer is None else self.answer.told_readings

    @property
    def choices(self) -> tuple[Interpretation, ...]:
        """The ways to understand the question that were not taken: other interpretations, and other readings."""
        read = (Interpretation(one.text, one.text, self.things, query=one.query) for one in self.readings)
        return (*self.options, *read)

    def __repr__(self) -> str:
        return f"Turn({shortened(self.question)!r}, {self.kind!r}, {shortened(self.reply)!r})"

    def _repr_html_(self) -> str:
        return to_html(self.answer, unknown=self.unknown, reply=self.reply)


def named_answers(turn: Turn) -> list[Sequence[Value]]:
    """Return the entities among the values of a turn's answer, in order: a list for each variable that has any."""
    columns = zip(*turn.answer.rows, strict=True) if turn.answer else ()
    lists = ([value for value in column if value and isinstance(value.term, IRI)] for column in columns)
    return [list(dict.fromkeys(values)) for values in lists if values]


def given_in(turn: Turn) -> list[list[Candidate]]:
    """Return the entities of a turn's answer as `named_answers` does, as what later turns may speak of."""
    return [[Candidate(one.term.value, "entity", one.label) for one in column] for column in named_answers(turn)]


def things_of(last: Answer) -> tuple[str | None, list[str]]:
    """Return the first variable of an answer whose values are entities, and their IRIs."""
    for name in last.variables:
        if iris := [term.value for term in last.result.column(name) if isinstance(term, IRI)]:
            return name, list(dict.fromkeys(iris))
    return None, []


def is_sure(turn: Turn, but: Container[str] = ()) -> bool:
    """Return whether a turn has an answer that heeds all words, or all but some, or has no need of one."""
    if turn.kind == "clarification" or (turn.kind == "follow_up" and turn.answer is None and not turn.error):
        return True
    if (answer := turn.answer) is None or turn.error or turn.unknown:
        return False
    # A condition that leaves nothing was understood; a question that finds nothing may not have been.
    found = bool(answer.values) or (turn.kind == "follow_up" and bool(answer.confidence))
    return found and all(word in but for word in answer.ignored)


def closeness(turn: Turn) -> tuple[bool, float]:
    """Return how close a turn came to an answer, for comparison."""
    answer = turn.answer if not turn.error and turn.answer and turn.answer.values else None
    return answer is not None, answer.confidence if answer else 0.0


def things_in(turn: Turn) -> set[str]:
    """Return the entities of a turn's answer, or its values where there are none."""
    answer = turn.answer
    named = named_answers(turn)
    values = answer.values if answer else ()
    return {str(value.term.value) for value in named[0]} if named else {value.label for value in values}
