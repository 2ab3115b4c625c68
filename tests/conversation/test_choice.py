"""The choice among readings of a turn: one is given, as a guess, or not at all, by how likely it is right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.conversation import Conversation, Turn, choice as module
from triad.conversation.choice import Reading, giving, likeliest
from triad.conversation.dialogue import Utterance

pytestmark = pytest.mark.slow

FIRST, THEN = "Which rivers flow through Germany?", "which of them flow through Austria?"


@pytest.fixture
def seen(demo_agent: Agent, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Turn, list[Reading]]]:
    """Say two texts, and give the last turn with its readings, under some weights."""

    def seen(**weights: float) -> tuple[Turn, list[Reading]]:
        found: list[Reading] = []

        def watched(said: Utterance, readings: list[Reading]) -> Turn:
            found.extend(readings)
            return likeliest(said, readings)

        monkeypatch.setattr("triad.conversation.understanding.likeliest", watched)
        conversation = Conversation(demo_agent)
        conversation.ask(FIRST)
        if weights:
            monkeypatch.setattr(module, "_WEIGHTS", weights)
        return conversation.ask(THEN), found

    return seen


def test_all_ways_propose_readings_and_one_is_given(seen: Callable[..., tuple[Turn, list[Reading]]]) -> None:
    turn, found = seen()
    assert {"among", "operated", "alone"} <= {one.way for one in found}
    assert turn.answer is not None
    assert sorted(value.label for value in turn.answer.values) == ["Danube", "Rhine"]


def test_a_way_counts_what_it_gives_twice_once(seen: Callable[..., tuple[Turn, list[Reading]]]) -> None:
    _, found = seen()
    kept = giving([*found, *found])
    assert len({(one.way, one.gives) for one in kept}) == len(kept)


def test_what_is_not_likely_is_a_guess_and_what_is_unlikely_not_known(
    seen: Callable[..., tuple[Turn, list[Reading]]],
) -> None:
    others = dict.fromkeys(("operated", "resolved", "added part", "alone"), -9.0)
    guess, _ = seen(among=-0.2, **others)
    assert guess.unknown is not None
    assert guess.answer is not None
    assert guess.reply.startswith("Perhaps: ")
    unknown, _ = seen(among=-9.0, **others)
    assert unknown.answer is None
    assert unknown.error
