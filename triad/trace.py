"""Traces: each call to the model, the graph and the label index on the way to an answer, and what it cost."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal as Choice, Self

from triad.questions import Question
from triad.text import writable

Phase = Choice["parsing", "linking", "construction", "answering"]
"""The four phases of answering a question."""

Rung = Choice["solver", "template", "repair", "retrieval", "exploration", "knowledge"]
"""The rungs of the ladder, the cheapest first: the lexical solver, one template, its repair, rounds of evidence,
the model with tools, and the model's own knowledge."""

Service = Choice["model", "graph", "index", "tables", "passages"]
"""What a step calls."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message to or from a language model."""

    role: Choice["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What model calls cost."""

    calls: int = 0
    """Calls to a model, replies from the response cache not included."""
    cached: int = 0
    """Replies that the response cache gave instead."""
    input_tokens: int = 0
    output_tokens: int = 0
    money: float = 0.0
    """US dollars, by the price list; 0 for a model that the list does not name."""
    seconds: float = 0.0
    """Time spent waiting for the model."""

    def __add__(self, other: Self) -> Self:
        return self.total((self, other))

    @classmethod
    def total(cls, usages: Iterable[Self]) -> Self:
        """Return the sum."""
        return cls(*map(sum, zip(*map(attrgetter(*cls.__match_args__), usages), strict=True)))


@dataclass(frozen=True, slots=True)
class Step:
    """One call on the way to an answer: to the model, the graph or the label index."""

    phase: Phase
    service: Service
    action: str
    """The subtask of a model call, such as ``entity_selection``; else what was asked, such as ``execute``."""
    role: str | None = None
    """The role that the model played."""
    prompt: tuple[Message, ...] = ()
    """What the model was sent."""
    request: str = ""
    """What the graph or the index was sent."""
    reply: str = ""
    """What came back; of a graph or an index, a summary."""
    candidates: tuple[str, ...] = ()
    """IRIs of what linking found for its mentions, before any choice among them."""
    usage: Usage = Usage()
    seconds: float = 0.0
    attempt: int = 1
    """Which of the at most T tries the step belongs to."""
    error: str | None = None
    rung: Rung | None = None
    """The rung of the ladder that the step belongs to; None where there is no ladder."""


@dataclass(frozen=True, slots=True)
class Trace:
    """All calls on the way to an answer, in order."""

    question: Question
    steps: tuple[Step, ...] = ()
    seconds: float = 0.0
    """Wall time from question to answer."""

    @property
    def usage(self) -> Usage:
        """What the model calls cost in all."""
        return Usage.total(step.usage for step in self.steps)

    @property
    def attempts(self) -> int:
        """How many of the at most T tries were made."""
        return max((step.attempt for step in self.steps), default=1)

    def usage_by(self, key: Choice["phase", "role", "action", "rung"]) -> dict[str, Usage]:
        """Return the cost of the model calls for each phase, role, subtask or rung; those of no rung are left out."""
        asked = [(getattr(step, key), step.usage) for step in self.steps if step.service == "model"]
        names = dict.fromkeys(name for name, _ in asked if name is not None)
        return {name: Usage.total(usage for one, usage in asked if one == name) for name in names}

    def seconds_by(self, key: Choice["phase", "rung"]) -> dict[str, float]:
        """Return the time that the calls of each phase or rung took, in seconds; those of no rung are left out."""
        names = dict.fromkeys(name for step in self.steps if (name := getattr(step, key)))
        return {name: sum(step.seconds for step in self.steps if getattr(step, key) == name) for name in names}


def prompt_text(messages: Sequence[Message]) -> str:
    """Return a conversation as a text for people: each message under its role, a blank line in between.

    >>> print(prompt_text([Message("system", "Be brief."), Message("user", "Who founded Intel?")]))
    [system]
    Be brief.
    <BLANKLINE>
    [user]
    Who founded Intel?
    """
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)


def request_messages(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Return a conversation as servers take it."""
    return [{"role": message.role, "content": writable(message.content)} for message in messages]


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text has: one for each four characters, the rule of thumb for English."""
    return math.ceil(len(text) / 4)


def usage_of(messages: Sequence[Message], reply: str, sent: int | None = None, received: int | None = None) -> Usage:
    """Return what a call costs by the tokens that its server counted; what it did not count is estimated."""
    return Usage(1, 0, sent or estimate_tokens(prompt_text(messages)), received or estimate_tokens(reply))
