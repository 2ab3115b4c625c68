"""What a slot of a template may be filled with, and the model's choice among it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from triad.phases.context import Context
from triad.queries.template import LEFT_OUT
from triad.questions import Candidate

__all__ = ["OMITTED", "RANKS", "LinkOption", "Links", "choose"]

RANKS: Final = 0.05
"""Deduction for each place further down in a list of choices."""


@dataclass(frozen=True, slots=True)
class LinkOption:
    """A link that may fill a slot."""

    candidate: Candidate
    filler: Any
    """The term or path that takes the slot's place."""
    score: float
    ends: Mapping[str, frozenset[str]] | None = None
    """For a relation: by slot of an end, the IRIs that have it. None: no particular IRI is known to have it."""
    stands_in: bool = False
    """True if it is only for where others of its name find nothing."""


OMITTED: Final = LinkOption(Candidate("", "relation", ""), LEFT_OUT, 1.0)
"""The option of a relation of a choice of paths which the graph does not have there, where it has another one."""

Links = dict[str, tuple[LinkOption, ...]]
"""For each slot of a template its options, the best first; none means that nothing was found."""


class _Choice(BaseModel):
    item: int
    candidates: list[int]


class _Choices(BaseModel):
    choices: list[_Choice]


def choose(
    context: Context, subtask: str, name: str, items: Mapping[str, Mapping[str, Any]], most: int
) -> dict[str, list[int]]:
    """Have the decision-maker choose among numbered candidates; return for each slot the places of those it picked.

    Args:
        context: The question, and who is asked.
        subtask: The subtask of the decision-maker.
        name: What its prompt calls the items.
        items: For each slot its words and its ``candidates``.
        most: How many of a slot may be picked.
    """

    def fault(reply: _Choices) -> str | None:
        named = [choice.item for choice in reply.choices]
        if sorted(named) != list(range(1, len(items) + 1)):
            return f"'choices' must have each item from 1 to {len(items)} once, got items {named}"
        for choice, item in zip(sorted(reply.choices, key=lambda one: one.item), items.values(), strict=True):
            size = len(item["candidates"])
            if wrong := [number for number in choice.candidates if not 1 <= number <= size]:
                return f"item {choice.item} has candidates 1 to {size}, got {wrong[0]}"
        return None

    inputs = {"question": context.question.text, name: list(items.values()), "limit": most}
    reply = context.call("decision_maker", subtask, inputs, _Choices, fault)
    picked = {choice.item: dict.fromkeys(choice.candidates) for choice in reply.choices}
    return {slot: [number - 1 for number in picked[at]][:most] for at, slot in enumerate(items, 1)}
