from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import triad.models
from tests.models.openai_server import Connect, Server
from triad.errors import ModelError
from triad.models import Completion, Model, ReplayModel, ScriptedModel
from triad.models.cache import CachedModel
from triad.models.replay import RecordingModel
from triad.models.wrappers import Budget, BudgetedModel, RateLimitedModel
from triad.trace import Message, prompt_text

ASK = (Message("system", "Answer in JSON."), Message("user", "Who founded Intel?"))
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
REPLY = '{"answer": "Robert Noyce"}'


def scripted() -> ScriptedModel:
    return ScriptedModel({"Intel": REPLY})


def failing() -> ScriptedModel:
    return ScriptedModel([])


@pytest.fixture(
    params=["openai", "scripted", "replay", "cached", "budgeted", "rate limited", "recording", "all wrappers"]
)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def make(kind: str, server: Server, connect: Connect, tmp_path: Path) -> Any:
    """Build a model of a kind that answers REPLY to ASK, or one that fails."""

    def make(fails: bool = False) -> Any:
        inner = failing() if fails else scripted()
        match kind:
            case "openai":
                for _ in range(20):
                    server.fail(400) if fails else server.reply(REPLY)
                return connect()
            case "scripted":
                return inner
            case "replay":
                row = {"prompt": "" if fails else prompt_text(ASK), "content": REPLY}
                (tmp_path / "replies.jsonl").write_text(json.dumps(row))
                return ReplayModel(tmp_path / "replies.jsonl")
            case "cached":
                return CachedModel(inner, tmp_path / "cache")
            case "budgeted":
                return BudgetedModel(inner, Budget(calls=100))
            case "rate limited":
                return RateLimitedModel(inner, per_minute=60_000)
            case "recording":
                return RecordingModel(inner, tmp_path / "replies.jsonl")
            case "all wrappers":
                limited = RateLimitedModel(BudgetedModel(inner, Budget(money=1)), per_minute=60_000)
                return RecordingModel(CachedModel(limited, tmp_path / "cache"), tmp_path / "replies.jsonl")

    return make


@pytest.mark.parametrize("schema", [None, SCHEMA])
def test_a_model_replies_and_says_what_the_call_cost(
    make: Callable[..., Model], schema: Mapping[str, Any] | None
) -> None:
    completion = make().complete(ASK, schema)
    assert isinstance(completion, Completion)
    assert completion.text == REPLY
    assert (completion.usage.calls, completion.usage.cached) == (1, 0)
    assert completion.usage.input_tokens > 0
    assert completion.usage.output_tokens > 0


def test_a_model_has_a_name_and_shows_itself(make: Callable[..., Model]) -> None:
    model = make()
    assert isinstance(model, Model)
    assert model.name
    assert type(model).__name__ in repr(model)


def test_a_model_takes_any_sequence_of_messages(make: Callable[..., Model]) -> None:
    assert make().complete(list(ASK)).text == REPLY


@pytest.mark.slow(0.1)
def test_a_model_serves_several_threads(make: Callable[..., Model]) -> None:
    model = make()
    with ThreadPoolExecutor(4) as pool:
        assert {c.text for c in pool.map(model.complete, [ASK] * 12)} == {REPLY}


def test_a_model_that_fails_raises_a_model_error(make: Callable[..., Model]) -> None:
    with pytest.raises(ModelError):
        make(fails=True).complete(ASK)


def test_a_model_can_be_closed_twice(make: Callable[..., Model]) -> None:
    model = make()
    model.complete(ASK)
    model.close()
    model.close()


def test_every_public_name_can_be_loaded() -> None:
    assert list(triad.models.__all__) == sorted(triad.models.__all__)
    for name in triad.models.__all__:
        assert getattr(triad.models, name).__name__ == name
