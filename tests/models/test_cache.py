from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from triad.errors import ModelError
from triad.models import ScriptedModel
from triad.models.cache import CachedModel
from triad.models.openai import OpenAIModel
from triad.trace import Message, Usage

ASK = [Message("user", "Who founded Intel?")]


def entry(folder: Path) -> Path:
    """The file of the cache's database."""
    return folder / "cache.db"


def test_a_call_that_was_made_before_costs_nothing(tmp_path: Path) -> None:
    inner = ScriptedModel(["Robert Noyce"])
    model = CachedModel(inner, tmp_path)
    first, again = model.complete(ASK), model.complete(ASK)
    assert first.text == again.text == "Robert Noyce"
    assert len(inner.calls) == 1
    assert again.usage == Usage(
        cached=1, input_tokens=first.usage.input_tokens, output_tokens=first.usage.output_tokens
    )


def test_the_cache_outlives_the_model(tmp_path: Path) -> None:
    CachedModel(ScriptedModel(["ok"]), tmp_path).complete(ASK)
    assert CachedModel(ScriptedModel([]), tmp_path).complete(ASK).text == "ok"


def test_long_replies_of_any_text_are_kept_as_they_are(tmp_path: Path) -> None:
    reply = "é\r\n\ud800" * 50_000
    CachedModel(ScriptedModel([reply]), tmp_path).complete(ASK)
    assert CachedModel(ScriptedModel([]), tmp_path).complete(ASK).text == reply


@pytest.mark.parametrize(
    ("messages", "schema", "name"),
    [
        ([Message("user", "Who founded AMD?")], None, "scripted"),
        ([Message("system", "Who founded Intel?")], None, "scripted"),
        ([*ASK, *ASK], None, "scripted"),
        (ASK, {"type": "object"}, "scripted"),
        (ASK, None, "other"),
    ],
)
def test_another_conversation_schema_or_model_is_another_call(
    tmp_path: Path, messages: Sequence[Message], schema: Mapping[str, Any] | None, name: str
) -> None:
    CachedModel(ScriptedModel(["old"]), tmp_path).complete(ASK)
    assert CachedModel(ScriptedModel(["new"], name=name), tmp_path).complete(messages, schema).text == "new"


def test_settings_and_server_of_the_model_count(tmp_path: Path) -> None:
    options: list[dict[str, Any]] = [
        {},
        {"temperature": 1},
        {"seed": 1},
        {"json_mode": "text"},
        {"base_url": "http://other/v1"},
    ]
    models = [OpenAIModel("m", **{"base_url": "http://localhost/v1"} | one) for one in options]
    assert len({model.fingerprint for model in models}) == len(models)
    assert CachedModel(models[0], tmp_path).fingerprint == models[0].fingerprint


def test_failures_are_not_kept(tmp_path: Path) -> None:
    model = CachedModel(ScriptedModel([]), tmp_path)
    with pytest.raises(ModelError):
        model.complete(ASK)
    assert CachedModel(ScriptedModel(["ok"]), tmp_path).complete(ASK).text == "ok"


def test_a_folder_that_cannot_be_made_costs_the_cache_only(tmp_path: Path, logged: list[str]) -> None:
    (tmp_path / "file").touch()
    model = CachedModel(ScriptedModel(["a", "b"]), tmp_path / "file" / "cache")
    assert [model.complete(ASK).text, model.complete(ASK).text] == ["a", "b"]
    assert len(logged) == 1
    assert "replies are not cached" in logged[0]


def test_a_database_that_is_damaged_from_the_start_costs_the_cache_only(tmp_path: Path, logged: list[str]) -> None:
    entry(tmp_path).write_bytes(b"no database" * 1000)
    model = CachedModel(ScriptedModel(["a", "b"]), tmp_path)
    assert [model.complete(ASK).text, model.complete(ASK).text] == ["a", "b"]
    assert len(logged) == 1


def test_a_database_that_gets_damaged_costs_the_cache_only(tmp_path: Path, logged: list[str]) -> None:
    model = CachedModel(ScriptedModel(["a", "b"]), tmp_path)
    for file in tmp_path.glob("cache.db*"):
        file.write_bytes(b"no database" * 1000)
    assert [model.complete(ASK).text, model.complete(ASK).text] == ["a", "b"]
    assert len(logged) == 1


def test_a_cache_that_cannot_be_written_costs_the_cache_only(tmp_path: Path, logged: list[str]) -> None:
    CachedModel(ScriptedModel(["old"]), tmp_path).complete(ASK)
    database = sqlite3.connect(entry(tmp_path))
    database.execute("CREATE TRIGGER full BEFORE INSERT ON Cache BEGIN SELECT RAISE(ABORT, 'disk full'); END")
    database.close()
    model = CachedModel(ScriptedModel(["new", "newer"]), tmp_path)
    other = [Message("user", "Who founded AMD?")]
    assert model.complete(ASK).text == "old"
    assert [model.complete(other).text, model.complete(other).text] == ["new", "newer"]
    assert len(logged) == 1
    assert "disk full" in logged[0]


@pytest.mark.parametrize("value", ["no JSON", "{}", "[]", '{"text": "x", "input_tokens": "many"}'])
def test_an_entry_that_is_damaged_is_replaced(tmp_path: Path, value: Any) -> None:
    model = CachedModel(ScriptedModel(["old", "new"]), tmp_path)
    model.complete(ASK)
    database = sqlite3.connect(entry(tmp_path))
    with database:
        database.execute("UPDATE Cache SET value = ?", [value])
    database.close()
    assert model.complete(ASK).text == "new"
    assert CachedModel(ScriptedModel([]), tmp_path).complete(ASK).text == "new"


def test_a_pickle_in_the_cache_is_not_run(tmp_path: Path) -> None:
    model = CachedModel(ScriptedModel(["old", "new"]), tmp_path)
    model.complete(ASK)
    database = sqlite3.connect(entry(tmp_path))
    with database:
        database.execute("UPDATE Cache SET value = ?, mode = 4", [pickle.dumps(Trap(tmp_path / "sprung"))])
    database.close()
    assert model.complete(ASK).text == "new"
    assert not (tmp_path / "sprung").exists()


class Trap:
    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self.path).touch, (self.path,)


def test_a_reply_is_not_paid_for_twice(tmp_path: Path) -> None:
    inner = ScriptedModel(["a", "b"])
    model = CachedModel(inner, tmp_path)
    assert [model.complete([Message("user", "q")]).text for _ in range(3)] == ["a"] * 3
    assert len(inner.calls) == 1
    model.close()
