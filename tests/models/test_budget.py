from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from triad.errors import BudgetExceeded, ConfigError, ModelError
from triad.models import Completion, Model, ScriptedModel
from triad.models.cache import CachedModel
from triad.models.wrappers import Budget, BudgetedModel
from triad.trace import Message, Usage

ASK = [Message("user", "?")]
CALL = Usage(calls=1, input_tokens=100, output_tokens=10, money=0.25)


class Costly(Model):
    name = "costly"

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        return Completion("ok", CALL)


@pytest.mark.parametrize(
    ("limit", "calls", "words"),
    [
        ({"calls": 2}, 2, "budget of 2 calls is used up: 2 calls used"),
        ({"calls": 0}, 0, "budget of 0 calls is used up: 0 calls used"),
        ({"input_tokens": 150}, 2, "budget of 150 input tokens is used up: 200 input tokens used"),
        ({"output_tokens": 10}, 1, "budget of 10 output tokens is used up: 10 output tokens used"),
        ({"tokens": 221}, 3, "budget of 221 tokens is used up: 330 tokens used"),
        ({"money": 0.5}, 2, "budget of 0.5 dollars is used up: 0.5 dollars used"),
    ],
)
def test_no_call_starts_once_a_limit_is_reached(limit: Any, calls: int, words: str) -> None:
    model = BudgetedModel(Costly(), Budget(**limit))
    for _ in range(calls):
        model.complete(ASK)
    with pytest.raises(BudgetExceeded, match=words):
        model.complete(ASK)
    assert model.budget.spent == Usage.total([CALL] * calls)


@pytest.mark.slow(0.1)
def test_a_call_ends_when_the_time_does_and_none_begins_after_it() -> None:
    left = threading.Event()

    class Hanging(Costly):
        def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
            left.wait(60)
            return super().complete(messages)

    model = BudgetedModel(Hanging(), Budget(seconds=0.2))
    for begun in (1, 0):
        with pytest.raises(BudgetExceeded, match=r"budget of 0\.2 seconds is used up") as late:
            model.complete(ASK)
        assert late.value.begun == begun
    left.set()
    assert BudgetedModel(Hanging(), Budget(seconds=60)).complete(ASK).text == "ok"


def test_a_model_that_times_out_by_itself_has_used_up_no_budget() -> None:
    class Late(Costly):
        def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
            raise TimeoutError

    with pytest.raises(TimeoutError):
        BudgetedModel(Late(), Budget(seconds=60)).complete(ASK)


def test_a_budget_without_limits_only_counts() -> None:
    model = BudgetedModel(Costly(), Budget())
    model.complete(ASK)
    assert model.budget.spent == CALL


def test_models_share_a_budget() -> None:
    budget = Budget(calls=1)
    BudgetedModel(Costly(), budget).complete(ASK)
    with pytest.raises(BudgetExceeded):
        BudgetedModel(Costly(), budget).complete(ASK)


def test_calls_that_fail_count() -> None:
    model = BudgetedModel(ScriptedModel([]), Budget(calls=1))
    with pytest.raises(ModelError):
        model.complete(ASK)
    with pytest.raises(BudgetExceeded):
        model.complete(ASK)


def test_a_reply_that_is_of_no_use_counts_with_its_tokens() -> None:
    class Silent(Costly):
        def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
            raise ModelError("an empty reply", usage=CALL)

    model = BudgetedModel(Silent(), Budget(calls=2))
    with pytest.raises(ModelError):
        model.complete(ASK)
    assert model.budget.spent == CALL


def test_cached_replies_cost_nothing(tmp_path: Path) -> None:
    cached = CachedModel(Costly(), tmp_path)
    cached.complete(ASK)
    model = BudgetedModel(cached, Budget(calls=1, tokens=1))
    model.complete(ASK)
    model.complete(ASK)
    assert model.budget.spent == Usage(cached=2)


def test_calls_at_the_same_time_do_not_exceed_the_limit() -> None:
    inside = threading.Barrier(3)

    class Slow(Costly):
        def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
            inside.wait(120)
            return super().complete(messages)

    model = BudgetedModel(Slow(), Budget(calls=3))

    def call(_: Any) -> str:
        try:
            return model.complete(ASK).text
        except BudgetExceeded:
            return "stopped"

    with ThreadPoolExecutor(10) as pool:
        outcomes = list(pool.map(call, range(10)))
    assert sorted(outcomes) == ["ok"] * 3 + ["stopped"] * 7


def test_a_negative_limit_is_named() -> None:
    with pytest.raises(ConfigError, match="-1 calls"):
        Budget(calls=-1)
