"""The route of a question: the rungs of the ladder that it may climb, when it climbs, and what each rung may cost.

    route: {rungs: [solver, template, repair, exploration], sure: 0.87, content: 0.6, calls: {exploration: 6}}

    retrieval: {branches: [graph, sql, passages], rule: as needed, rounds: 3}

The ladder itself is `triad.routing`; how evidence is gathered, `triad.retrieval.rounds`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, Literal as Choice, get_args

from pydantic import Field, field_validator

from triad.strict import Strict
from triad.trace import Rung

RUNGS: Final[tuple[Rung, ...]] = get_args(Rung)
"""All rungs, the lowest first."""

_CALLS: Final[Mapping[Rung, int]] = {"template": 8, "repair": 3, "retrieval": 8, "exploration": 6, "knowledge": 1}

Branch = Choice["graph", "sql", "passages"]
"""What evidence may come from: the graph, by the four phases; its tables, by SQL; passages and documents, by search."""
BRANCHES: Final[tuple[Branch, ...]] = get_args(Branch)


class Retrieval(Strict):
    """How evidence is gathered on the rung ``retrieval``."""

    branches: tuple[Branch, ...] | None = None
    """The branches that may be used; by default those that there are: tables and passages lie in the graph's folder."""
    rule: Choice["as needed", "every branch once"] = "as needed"
    """Whether the model uses the branches that it needs, or each at least once, as in RAGonite."""
    rounds: int = Field(default=3, ge=1, le=10)
    """How often evidence may be asked for."""
    tokens: int = Field(default=3_000, ge=2_000)
    """How long a prompt may be, about."""
    passages: int = Field(default=6, ge=1, le=50)
    """Passages that a search gives; one for the question is made before the first call."""
    rows: int = Field(default=20, ge=1, le=1_000)
    """Rows of a result that a prompt shows; of the others only how many there are."""
    strict: bool = False
    """Whether a sentence whose evidence does not hold it is taken out; otherwise it is marked."""

    @field_validator("branches")
    @classmethod
    def _some_branches(cls, branches: tuple[Branch, ...] | None) -> tuple[Branch, ...] | None:
        if branches is not None and not branches:
            raise ValueError("at least one branch is needed")
        return branches if branches is None else tuple(branch for branch in BRANCHES if branch in branches)


class Route(Strict):
    """The rungs that a question may climb, when it climbs, and what each may cost."""

    rungs: tuple[Rung, ...] = RUNGS
    """The rungs that are not switched off; they are climbed from the lowest to the highest."""
    sure: float = Field(default=0.87, ge=0, le=1)
    """The solver's confidence from which its answer is given without asking the model. By default the least that costs
    under a point of F1 against asking a strong model always, on 553 questions of fifteen sets."""
    content: float = Field(default=0.6, ge=0, le=1)
    """The confidence from which the answer of a higher rung is given; below it, the next rung is climbed."""
    calls: Mapping[Rung, Annotated[int, Field(ge=1)]] = Field(default_factory=dict)
    """How often a rung may call the model for one question, a reply that fails its check included; for rungs that are
    not named here, template 8, repair 3, retrieval 8, exploration 6 and knowledge 1."""

    @field_validator("rungs")
    @classmethod
    def _some_in_order(cls, rungs: tuple[Rung, ...]) -> tuple[Rung, ...]:
        if not rungs:
            raise ValueError("at least one rung is needed")
        return tuple(rung for rung in RUNGS if rung in rungs)

    def most_calls(self, rung: Rung) -> int:
        """Return how often a rung may call the model; the solver never does."""
        return self.calls.get(rung, _CALLS.get(rung, 0))
