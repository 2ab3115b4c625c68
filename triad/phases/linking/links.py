"""What a slot of a template may be filled with, and the model's choice among it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel

from triad.queries.template import LEFT_OUT
from triad.questions import Candidate

__all__ = ["OMITTED", "RANKS", "Choices", "LinkOption", "Links", "check_choices"]

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


class Choices(BaseModel):
    """The model's reply: for each item, the numbers of candidates."""

    choices: list[_Choice]


def check_choices(sizes: Sequence[int]) -> Any:
    """Return the check that choices name known items and known candidates, each item once."""

    def check(reply: Choices) -> str | None:
        named = [choice.item for choice in reply.choices]
        if sorted(named) != list(range(1, len(sizes) + 1)):
            return f"'choices' must have each item from 1 to {len(sizes)} once, got items {named}"
        for choice in reply.choices:
            size = sizes[choice.item - 1]
            if wrong := [number for number in choice.candidates if not 1 <= number <= size]:
                return f"item {choice.item} has candidates 1 to {size}, got {wrong[0]}"
        return None

    return check
