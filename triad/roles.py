"""Role cards: files that users edit, one for each of the agent's three roles.

The generalist parses a question, the decision-maker chooses among candidates, the advisor answers. The defaults
are those of the Triad paper: N = 3 examples, K = 2 entities and 2 relations, T = 3 tries; θ = 3 checks of a
reply is Chatty-KG's.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal as Choice, TypeVar

from pydantic import Field

from triad import resources
from triad.errors import ConfigError
from triad.naming import among
from triad.strict import Amount, Strict, load_yaml, validate

M = TypeVar("M")

Positive = Annotated[int, Field(ge=1)]


class Role(Strict):
    """The keys that all roles have."""

    purpose: str
    """What the role is for, in a sentence."""
    prompts: dict[str, str]
    """The prompt of each subtask: a name or a path."""
    model: str | None = None
    """The model that plays it; the config's, if none is named."""
    examples: Amount = 3
    """N: examples shown with a prompt, as far as the prompt has them."""
    checks: Amount = 3
    """θ: how often a reply that fails its check is asked for again."""


class Generalist(Role):
    """Masters small tasks from a few examples: triplets, answer type, query template."""

    calls: Choice["together", "separate"] = "together"
    """Whether one call does the three subtasks, or one call each does, as in the paper."""
    grounding: Amount = 700
    """Tokens of the graph's vocabulary that the prompt may show for the question; 0 shows none, as in the paper."""


class DecisionMaker(Role):
    """Chooses: entities, relations, and the query among those that execute."""

    entities: Positive = 2
    """K for entities: how many a mention may keep."""
    relations: Positive = 2
    """K for relations: how many a pattern may keep."""
    candidates: Positive = 10
    """Candidates that it sees of a mention or a pattern."""
    beam: Positive = 20
    """Candidate queries that are executed at most."""
    uri_selection: Choice["results", "model", "match"] = "results"
    """Who chooses where several things have exactly the name: what the queries with each find (the model, if that
    differs); the model at once, as in the paper; or the best match of names, which chooses relations, too."""
    query_selection: Choice["model", "rank"] = "model"
    """Whether the model chooses among queries that execute, or the best linking score does."""


class Advisor(Role):
    """Answers: from the graph, or from the model's own knowledge, or asks for another try."""

    tries: Positive = 3
    """T: how often the earlier phases are run. On the ladder, with 1 no other template is written and the graph is not
    explored."""
    own_knowledge: Choice["all", "boolean", "none"] = "all"
    """What the model may answer itself where the graph gives nothing: all, yes/no questions only, nothing."""
    turn_tries: Positive = 1
    """T for a turn of a conversation, where it costs the user less to put the question again than to wait."""
    turn_knowledge: Choice["all", "boolean", "none"] = "none"
    """What the model may answer itself in a conversation."""


ROLES: Final[dict[str, type[Role]]] = {"generalist": Generalist, "decision_maker": DecisionMaker, "advisor": Advisor}
"""The class of each role's card."""


@dataclass(frozen=True, slots=True)
class Roles:
    """The cards of the three roles."""

    generalist: Generalist
    decision_maker: DecisionMaker
    advisor: Advisor

    def card(self, name: str) -> Role:
        """Return the card of a role by the role's name."""
        card: Role = getattr(self, name)
        return card


def load_roles(cards: Mapping[str, str | Path | Mapping[str, Any]] | None = None) -> Roles:
    """Load the cards of the three roles.

    A role may have another card, by name or path, or changed keys; the key ``card`` among them names the card that they
    change.

    Raises:
        ConfigError: A card cannot be found or used.
    """
    if unknown := sorted((cards or {}).keys() - ROLES.keys()):
        raise ConfigError(f"unknown role {unknown[0]!r}; known: {among(ROLES, unknown[0])}")
    loaded: dict[str, Any] = {}
    for role, kind in ROLES.items():
        card = (cards or {}).get(role)
        changes = dict(card) if isinstance(card, Mapping) else {}
        name = changes.pop("card", None) if isinstance(card, Mapping) else card
        path = resources.find("roles", name or role)
        own = load_yaml(resources.read(path), str(path))
        loaded[role] = validate(kind, own, path)
        if changes:
            loaded[role] = validate(kind, own | changes, f"'roles', {role!r}")
    return Roles(**loaded)


def all_or_none(models: Mapping[str, M | None]) -> dict[str, M]:
    """Return the model of each role; nothing where no role has one, and questions are answered without.

    >>> all_or_none({"generalist": None, "decision_maker": None, "advisor": None})
    {}

    Raises:
        ConfigError: One role has a model and another one has none.
    """
    found = {role: model for role, model in models.items() if model is not None}
    if found and (without := [role for role in models if role not in found]):
        raise ConfigError(
            f"the role {without[0]!r} has no model, but {next(iter(found))!r} has one of its own; name one for all, "
            "such as model: openai:gpt-4.1-mini, or one on each card, or none at all"
        )
    return found
