"""What a conversation consists of: turns, and the things that they speak of.

A `Turn` is what was asked and what was said, and carries all that later turns need: the question in a form that
stands alone, the things that it names with their IRIs, and the answer with its query. Turns are frozen and are JSON
both ways, as the values of `triad.answers` are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal as Choice

from triad.answers import Answer
from triad.questions import Candidate
from triad.rdf import IRI, Value
from triad.trace import Trace, Usage

__all__ = ["Interpretation", "Turn", "TurnKind", "named_answers"]

TurnKind = Choice["question", "follow_up", "clarification"]
"""A question to the graph; a wish about the last answer, such as "sort by population"; or a question back."""


@dataclass(frozen=True, slots=True)
class Interpretation:
    """One way to understand a question."""

    label: str
    """What tells it from the other readings: the name of what a word is taken for."""
    question: str
    """The question, put so that it stands alone."""
    known: Mapping[str, Candidate] = field(default_factory=dict)
    """What names in the question stand for, as far as earlier turns tell."""
    each: tuple[Candidate, ...] = ()
    """Where the question is about a list of things: all of them. It names the first only."""


@dataclass(frozen=True, slots=True)
class Turn:
    """What was asked, how it was understood, and what was said."""

    question: str
    """The question as it was asked."""
    standalone: str
    """The same, put so that it can be understood without the turns before."""
    dependent: bool = False
    """True if the question could not be understood without the turns before."""
    language: str = "en"
    """The language of question and reply, as a tag."""
    reply: str = ""
    """What is said to the user: the answer in a sentence, or why there is none."""
    kind: TurnKind = "question"
    answer: Answer | None = None
    """Values, query, source and confidence; None where nothing was found out."""
    things: Mapping[str, Candidate] = field(default_factory=dict)
    """What the names in ``standalone`` stand for: what later turns may point back to. One without an IRI was not
    found."""
    each: tuple[Candidate, ...] = ()
    """Where the question was asked of a list of things: all of them. ``standalone`` names the first only."""
    options: tuple[Interpretation, ...] = ()
    """Of a clarification the readings to choose from; of any other turn those that were not chosen."""
    error: str | None = None
    """Why no answer was reached."""
    usage: Usage = Usage()
    """What the turn cost, the understanding of the question included."""
    understanding: int = 0
    """Model calls that went into understanding the question in context."""
    seconds: float = 0.0
    trace: Trace | None = None
    """All calls of the turn, those of its understanding included; a store does not keep it."""


def named_answers(turn: Turn) -> list[Sequence[Value]]:
    """Return the things among the values of a turn's answer, in order: a list for each variable that has any."""
    columns = zip(*turn.answer.rows, strict=True) if turn.answer else ()
    lists = ([value for value in column if value and isinstance(value.term, IRI)] for column in columns)
    return [list(dict.fromkeys(values)) for values in lists if values]
