from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from triad.errors import ConfigError, ModelError
from triad.models import Completion, Model, RateLimitedModel, ScriptedModel
from triad.trace import Message

ASK = [Message("user", "?")]


class Clock:
    def __init__(self) -> None:
        self.now = 0.0
        self.waits: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def on_clock(clock: Clock, **limits: Any) -> RateLimitedModel:
    return RateLimitedModel(ScriptedModel(["ok"] * 9), clock=lambda: clock.now, sleep=clock.sleep, **limits)


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


def test_without_limits_nobody_waits() -> None:
    clock = Clock()
    model = on_clock(clock)
    for _ in range(9):
        model.complete(ASK)
    assert clock.waits == []


class Counting(Model):
    """A model that notes how many calls are under way, and holds each until it is let go."""

    name = "counting"

    def __init__(self) -> None:
        self.order: list[str] = []
        self.let_go = threading.Semaphore(0)
        self.entered = threading.Semaphore(0)
        self.under_way = self.most = 0
        self.lock = threading.Lock()

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        with self.lock:
            self.order.append(messages[0].content)
            self.under_way += 1
            self.most = max(self.most, self.under_way)
        self.entered.release()
        assert self.let_go.acquire(timeout=5)
        with self.lock:
            self.under_way -= 1
        return Completion("ok")


def test_no_more_calls_are_under_way_than_allowed() -> None:
    inner = Counting()
    model = RateLimitedModel(inner, concurrency=2)
    with ThreadPoolExecutor(8) as pool:
        calls = [pool.submit(model.complete, ASK) for _ in range(8)]
        assert inner.entered.acquire(timeout=5)
        assert inner.entered.acquire(timeout=5)
        inner.let_go.release(8)
        assert [call.result(5).text for call in calls] == ["ok"] * 8
    assert inner.most == 2


def test_who_waits_is_served_in_the_order_of_arrival() -> None:
    inner = Counting()
    model = RateLimitedModel(inner, concurrency=1)
    with ThreadPoolExecutor(5) as pool:
        for number in range(5):
            pool.submit(model.complete, [Message("user", str(number))])
            assert model._queue is not None
            while len(model._queue._waiting) < number:
                time.sleep(0.001)
            if number == 0:
                assert inner.entered.acquire(timeout=5)
        inner.let_go.release(5)
    assert inner.order == ["0", "1", "2", "3", "4"]


def test_a_call_that_fails_gives_its_place_back() -> None:
    model = RateLimitedModel(ScriptedModel([]), concurrency=1)
    for _ in range(2):
        with pytest.raises(ModelError):
            model.complete(ASK)


@pytest.mark.parametrize("limit", [{"per_minute": 0}, {"per_minute": -1}, {"concurrency": 0}])
def test_a_limit_that_is_not_positive_is_named(limit: Any) -> None:
    with pytest.raises(ConfigError, match=f"{next(iter(limit))} is .* must be positive"):
        RateLimitedModel(ScriptedModel([]), **limit)
