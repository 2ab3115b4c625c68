"""Conversations over the films of `tests/phases/films.py`, with a script for the model or without one.

Those without a model are over `tests/conversation/atlas.py`, too, whose classes are known.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conversation.atlas import ATLAS
from tests.phases.films import Script, World, world
from triad.agent import Agent
from triad.conversation import Conversation, Turn
from triad.conversation.resolving import Understood, resolve
from triad.language.pack import load_pack
from triad.models import ScriptedModel
from triad.questions import Question
from triad.roles import load_roles

__all__ = ["world"]


@pytest.fixture
def talk(world: World) -> Callable[..., Conversation]:
    """Begin a conversation: with a script, or without a model."""

    def talk(script: Script | None = None, cards: dict[str, Any] | None = None, **options: Any) -> Conversation:
        model = ScriptedModel(script) if script else None
        made = Agent(world.graph, world.index, model, roles=load_roles(cards or {}), route="phases")
        return Conversation(made, **{"language": "en", **options})

    return talk


@pytest.fixture
def understand(world: World) -> Callable[..., Understood]:
    """Understand a question after some turns, without a model."""

    def understand(text: str, *turns: Turn, language: str = "en") -> Understood:
        context = Agent(world.graph, world.index).begin(Question(text, language))
        return resolve(context, load_pack(language), text, turns)

    return understand


Said = Callable[..., list[Turn]]


def remembering(agent: Agent) -> Said:
    """Say some texts one after the other, and give the turns; what was said so before is not asked again."""
    known: dict[Any, Turn] = {}

    def say(*texts: str, **options: Any) -> list[Turn]:
        turns: list[Turn] = []
        for number, text in enumerate(texts, 1):
            key = (*texts[:number], *options.items())
            if key not in known:
                known[key] = Conversation(agent, turns=turns, **options).ask(text)
            turns.append(known[key])
        return turns

    return say


@pytest.fixture(scope="session")
def demo_turns(demo_agent: Agent) -> Said:
    """Say some texts one after the other over the demo, and give the turns."""
    return remembering(demo_agent)


@pytest.fixture(scope="session")
def said(world: World) -> Said:
    """Say some texts one after the other over the films, in English and without a model, and give the turns."""
    return functools.partial(remembering(Agent(world.graph, world.index, route="phases")), language="en")


@pytest.fixture(scope="session")
def atlas(kept_file: Callable[[str, str], Path]) -> Iterator[Agent]:
    """The agent of the atlas, without a model."""
    with Agent(kept_file("atlas.ttl", ATLAS), model="none") as agent:
        yield agent


@pytest.fixture(scope="session")
def told(atlas: Agent) -> Said:
    """Say some texts one after the other over the atlas, in English, and give the turns."""
    return functools.partial(remembering(atlas), language="en")
