"""The route of a question: the rungs of the ladder that it may climb, when it climbs, and what each rung may cost.

    route: {rungs: [solver, template, repair, exploration], sure: 0.85, content: 0.7, calls: {exploration: 6}}

The ladder itself is `triad.routing`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, get_args

from pydantic import Field, field_validator

from triad.strict import Strict
from triad.trace import Rung

__all__ = ["RUNGS", "Route"]

RUNGS: Final[tuple[Rung, ...]] = get_args(Rung)
"""All rungs, the lowest first."""

_CALLS: Final[Mapping[Rung, int]] = {"template": 8, "repair": 3, "exploration": 6, "knowledge": 1}


class Route(Strict):
    """The rungs that a question may climb, when it climbs, and what each may cost."""

    rungs: tuple[Rung, ...] = RUNGS
    """The rungs that are not switched off; they are climbed from the lowest to the highest."""
    sure: float = Field(default=0.85, ge=0, le=1)
    """The solver's confidence from which its answer is given without asking the model. By default the least that costs
    under a point against a model that is right in 96 of 100, on graphs that were left out of learning."""
    content: float = Field(default=0.7, ge=0, le=1)
    """The confidence from which the answer of a higher rung is given; below it, the next rung is climbed."""
    calls: Mapping[Rung, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    """How often a rung may call the model for one question, a reply that fails its check included; for rungs that are
    not named here, template 8, repair 3, exploration 6 and knowledge 1."""

    @field_validator("rungs")
    @classmethod
    def _some_in_order(cls, rungs: tuple[Rung, ...]) -> tuple[Rung, ...]:
        if not rungs:
            raise ValueError("at least one rung is needed")
        return tuple(rung for rung in RUNGS if rung in rungs)

    def most_calls(self, rung: Rung) -> int:
        """Return how often a rung may call the model; the solver never does."""
        return self.calls.get(rung, _CALLS.get(rung, 0))
