"""What the server tells of the way to an answer, as JSON: each call, and what it cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Self

from pydantic import BaseModel, ConfigDict

from triad import trace
from triad.server.problems import without_addresses

__all__ = ["StepView", "TraceView", "View"]

_LONGEST: Final = 20_000
"""Characters of a prompt or a reply that a step shows."""


class View(BaseModel):
    """Base of all that the server tells."""

    model_config = ConfigDict(from_attributes=True, populate_by_name=True, frozen=True)


class MessageView(View):
    """A message to a model."""

    role: str
    content: str


class StepView(View):
    """One call on the way to an answer."""

    number: int
    phase: trace.Phase
    rung: trace.Rung | None
    service: trace.Service
    action: str
    role: str | None
    request: str
    reply: str
    prompt: list[MessageView] | None
    """Null for those who may not see it."""
    candidates: list[str]
    usage: trace.Usage
    seconds: float
    attempt: int
    error: str | None

    @classmethod
    def of(cls, number: int, step: trace.Step, *, inspect: bool) -> Self:
        """Return the view of a step.

        Args:
            number: Which step it is, from 1.
            step: The step.
            inspect: Whether prompts and replies of the model are told, and where the servers are that failed.
        """
        model = step.service == "model"
        prompt = [MessageView(role=one.role, content=one.content[:_LONGEST]) for one in step.prompt]
        return cls(
            number=number,
            **{name: getattr(step, name) for name in ("phase", "rung", "service", "action", "role", "attempt")},
            request=step.request[:_LONGEST],
            reply=step.reply[:_LONGEST] if inspect or not model else "",
            prompt=prompt if inspect and model else None,
            candidates=list(step.candidates),
            usage=step.usage,
            seconds=step.seconds,
            error=step.error if inspect or step.error is None else without_addresses(step.error),
        )


class PartView(View):
    """What one phase or one rung cost."""

    usage: trace.Usage
    seconds: float


class TraceView(View):
    """All calls on the way to an answer."""

    steps: list[StepView]
    seconds: float
    usage: trace.Usage
    by_phase: dict[str, PartView]
    by_rung: dict[str, PartView]

    @classmethod
    def of(cls, steps: Sequence[trace.Step], seconds: float, *, inspect: bool) -> Self:
        """Return the view of all steps."""
        return cls(
            steps=[StepView.of(number, step, inspect=inspect) for number, step in enumerate(steps, 1)],
            seconds=seconds,
            usage=_total(steps),
            by_phase=_parts(steps, "phase"),
            by_rung=_parts(steps, "rung"),
        )


def _total(steps: Iterable[trace.Step]) -> trace.Usage:
    return trace.Usage.total(step.usage for step in steps)


def _parts(steps: Sequence[trace.Step], key: str) -> dict[str, PartView]:
    names = dict.fromkeys(name for step in steps if (name := getattr(step, key)))
    groups = {name: [step for step in steps if getattr(step, key) == name] for name in names}
    return {
        name: PartView(usage=_total(group), seconds=sum(step.seconds for step in group))
        for name, group in groups.items()
    }
