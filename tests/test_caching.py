"""Properties that are worked out once: each object by itself."""

from __future__ import annotations

import pickle
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, timedelta
from types import FrameType, SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from triad import caching
from triad.acquaintance import Acquaintance
from triad.agent import Agent
from triad.caching import cached_property
from triad.configs import load_config
from triad.kg.profile import GraphProfile
from triad.opening import Parts, Setup

if TYPE_CHECKING:
    from _typeshed import TraceFunction


@dataclass(frozen=True)
class Asked:
    """Something whose property may take a while."""

    work: Callable[[], int]

    @cached_property
    def found(self) -> int:
        """What comes of the work."""
        return self.work()


def test_what_one_object_waits_for_holds_no_other_one_up() -> None:
    begun, go_on = threading.Event(), threading.Event()

    def hang() -> int:
        begun.set()
        return int(go_on.wait(60))

    with ThreadPoolExecutor(2) as pool:
        waits = pool.submit(lambda: Asked(hang).found)
        assert begun.wait(60)
        try:
            assert pool.submit(lambda: Asked(lambda: 7).found).result(10) == 7
            assert not waits.done()
        finally:
            go_on.set()


def test_a_property_is_worked_out_once_and_goes_with_its_object_to_another_process() -> None:
    one = Asked(iter(range(3)).__next__)
    assert [one.found, one.found] == [0, 0]
    assert Asked.found.__doc__ == "What comes of the work."
    profile = GraphProfile()
    assert profile.class_profile("x") is None
    assert pickle.loads(pickle.dumps(profile)) == profile


def test_all_threads_have_what_was_made_of_a_profile() -> None:
    profile, start = GraphProfile(), threading.Barrier(2)

    def pause(frame: FrameType, event: str, _: object) -> TraceFunction | None:
        if frame.f_code.co_name == "derived" and event == "return":
            start.wait(10)  # so that neither has kept it before the other one has it
        return pause

    threading.settrace(pause)
    try:
        with ThreadPoolExecutor(2) as pool:
            made = [*pool.map(lambda _: profile.derived, range(2))]
    finally:
        threading.settrace(None)
    assert made[0] is made[1]


def test_threads_that_ask_a_graph_first_read_its_profile_once(
    demo_agent: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[GraphProfile | None] = []

    def slow(parts: Parts) -> GraphProfile | None:
        time.sleep(0.05)
        read.append(demo_agent.profile)
        return read[-1]

    known = Acquaintance(demo_agent.parts, Setup.of(load_config("demo")).model_copy(update={"words": {}}))
    monkeypatch.setattr(Parts, "profile", slow)
    with ThreadPoolExecutor(3) as pool:
        assert [*pool.map(lambda _: known.profile, range(3))] == read * 3


def test_what_was_remembered_yesterday_is_worked_out_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    @caching.remembered_today(10)
    def work(text: str) -> str:
        calls.append(text)
        return text.upper()

    assert [work("a"), work("a"), calls] == ["A", "A", ["a"]]
    tomorrow = date.today() + timedelta(days=1)
    monkeypatch.setattr(caching, "date", SimpleNamespace(today=lambda: tomorrow))
    assert [work("a"), calls] == ["A", ["a", "a"]]
