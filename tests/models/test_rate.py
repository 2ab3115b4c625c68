from __future__ import annotations

import pytest

from triad.deadline import Pace
from triad.errors import ConfigError
from triad.models import ScriptedModel
from triad.models.wrappers import RateLimitedModel
from triad.trace import Message

ASK = [Message("user", "?")]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def on_clock(clock: Clock, per_minute: float) -> RateLimitedModel:
    pace = Pace(per_minute / 60, clock.sleep, lambda: clock.now)
    return RateLimitedModel(ScriptedModel(["ok"] * 9), per_minute=per_minute, pace=pace)


def test_calls_are_spaced_evenly() -> None:
    clock = Clock()
    model = on_clock(clock, per_minute=30)
    for _ in range(3):
        model.complete(ASK)
    assert clock.waits == [2, 2]


def test_who_comes_late_does_not_wait_and_saves_nothing_up() -> None:
    clock = Clock()
    model = on_clock(clock, per_minute=30)
    model.complete(ASK)
    clock.now = 60
    model.complete(ASK)
    assert clock.waits == []
    model.complete(ASK)
    assert clock.waits == [2]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_that_is_not_positive_is_named(limit: float) -> None:
    with pytest.raises(ConfigError, match=r"per_minute is .* must be positive"):
        RateLimitedModel(ScriptedModel([]), per_minute=limit)
