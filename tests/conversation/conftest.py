"""Conversations over the films of `tests/phases/films.py`, with a script for the model or without one."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def _load(path: Path) -> None:
    if path.stem not in sys.modules:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[path.stem])


_load(HERE.parent / "phases" / "films.py")
_load(HERE / "talks.py")

from films import Script, World, world  # noqa: E402

from triad.agent import Agent  # noqa: E402
from triad.conversation import Conversation, Turn  # noqa: E402
from triad.conversation.resolving import Understood, resolve  # noqa: E402
from triad.language.pack import load_pack  # noqa: E402
from triad.models import ScriptedModel  # noqa: E402
from triad.questions import Question  # noqa: E402
from triad.roles import load_roles  # noqa: E402

__all__ = ["world"]


@pytest.fixture
def talk(world: World) -> Callable[..., Conversation]:
    """Begin a conversation: with a script, or without a model."""

    def talk(script: Script | None = None, cards: dict[str, Any] | None = None, **options: Any) -> Conversation:
        model = ScriptedModel(script) if script else None
        made = Agent(world.graph, world.index, model, roles=load_roles(cards or {}))
        return Conversation(made, **{"language": "en", **options})

    return talk


@pytest.fixture
def understand(world: World) -> Callable[..., Understood]:
    """Understand a question after some turns, without a model."""

    def understand(text: str, *turns: Turn, language: str = "en") -> Understood:
        context = Agent(world.graph, world.index).begin(Question(text, language))
        return resolve(context, load_pack(language), text, turns)

    return understand
