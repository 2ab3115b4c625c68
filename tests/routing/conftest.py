from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.phases.films import Script, World, world
from triad.agent import Agent
from triad.models import ScriptedModel
from triad.roles import load_roles
from triad.route import Route

__all__ = ["world"]

Make = Callable[..., Agent]


@pytest.fixture
def make(world: World) -> Make:
    """Make an agent over the films with a script, and with a route's keys."""

    def make(script: Script, budget: dict[str, float] | None = None, cards: Any = None, **route: Any) -> Agent:
        model = ScriptedModel(script)
        roles = load_roles(cards or {})
        return Agent(world.graph, world.index, model, roles=roles, budget=budget, route=Route(**route))

    return make
