"""Several replies to one conversation, through the models around a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from triad.errors import BudgetExceeded
from triad.models import Completion, Model, ScriptedModel
from triad.models.cache import CachedModel
from triad.models.wrappers import Budget, BudgetedModel, RateLimitedModel
from triad.trace import Message, Usage

ASK = [Message("user", "Who?")]


class Several(Model):
    def __init__(self) -> None:
        self.name = "several"
        self.calls = 0

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        return self.complete_many(messages, 1)[0]

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        self.calls += 1
        return [Completion(f"reply {at}", Usage(calls=int(not at), output_tokens=5)) for at in range(min(count, 2))]


def test_a_model_that_gives_one_reply_gives_one() -> None:
    assert [one.text for one in ScriptedModel(["a", "b"]).complete_many(ASK, 5)] == ["a"]


def test_several_replies_are_one_call_of_a_budget() -> None:
    budget = Budget(calls=1)
    model = RateLimitedModel(BudgetedModel(Several(), budget), per_minute=60_000)
    assert [one.text for one in model.complete_many(ASK, 5)] == ["reply 0", "reply 1"]
    assert (budget.spent.calls, budget.spent.output_tokens) == (1, 10)
    with pytest.raises(BudgetExceeded):
        model.complete_many(ASK, 5)


def test_several_replies_are_kept_on_disk(tmp_path: Path) -> None:
    inside = Several()
    model = CachedModel(inside, tmp_path)
    asked, kept = model.complete_many(ASK, 5), model.complete_many(ASK, 5)
    assert [one.text for one in asked] == [one.text for one in kept]
    assert inside.calls == 1
    model.complete(ASK)
    assert inside.calls == 2
