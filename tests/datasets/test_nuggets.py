from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triad.datasets import load_dataset
from triad.datasets.expected import ExpectedValue

WEIGHT = {
    "id": "n-1.1",
    "question": "its weight?",
    "standalone": "What does the Halla weigh?",
    "kind": "lookup",
    "gold": {"type": "exact", "values": [{"value": 24, "unit": "kg", "tolerance": 0.1}], "ordered": True},
    "supports": {"entities": ["http://example.org/halla"], "passages": []},
}
WINTER: dict[str, Any] = {
    "id": "n-1.2",
    "question": "and in winter?",
    "standalone": "How does the Halla do in winter?",
    "kind": "text",
    "gold": {
        "type": "nuggets",
        "min": 1,
        "nuggets": [
            {"text": "snow", "keys": ["snow"], "triples": [["http://example.org/halla", "name", "Halla"]]},
            {"text": "frost", "keys": ["frost|ice"], "required": True, "passages": ["p1"]},
        ],
    },
    "supports": {"passages": ["p1"], "passage_alternatives": {"p1": ["p2"]}, "aggregate_over": ["http://e.org/x"]},
}
POWER = {"id": "n-1.3", "question": "its power?", "gold": {"type": "unanswerable", "why": "not said"}}


def write(folder: Path, *turns: Any) -> Path:
    path = folder / "dialogues.json"
    path.write_text(json.dumps({"set": "tents", "conversations": [{"id": "n-1", "turns": list(turns)}]}))
    return path


def test_turns_have_their_gold_kind_and_supports(tmp_path: Path) -> None:
    data = load_dataset(write(tmp_path, WEIGHT, WINTER, POWER), strict=True)
    weight, winter, power = data.items
    assert data.name == "tents"
    assert (weight.question.text, weight.tags["kind"], weight.order_matters) == (WEIGHT["standalone"], "lookup", True)
    assert weight.expected is not None
    assert winter.expected is not None
    assert power.expected is not None
    assert weight.expected.values == (ExpectedValue(24.0, "kg", 0.1),)
    assert [one.required for one in winter.expected.nuggets] == [False, True]
    assert winter.expected.nuggets[0].things == ("http://example.org/halla", "Halla")
    assert winter.expected.supports.alternatives == {"p1": ("p2",)}
    assert winter.expected.before == weight.expected.values
    assert (power.expected.kind, power.question.text) == ("unanswerable", "its power?")
    assert power.expected.told() == ["not in the data: not said"]


def test_in_context_a_turn_is_asked_as_it_was_after_those_before(tmp_path: Path) -> None:
    path = write(tmp_path, WEIGHT, WINTER, POWER)
    alone, inside = load_dataset(path), load_dataset(path, "nuggets-in-context")
    assert [item.question.id for item in alone.items] == [item.question.id for item in inside.items]
    assert [item.expected for item in alone.items] == [item.expected for item in inside.items]
    last = inside.items[-1]
    assert (last.dialogue, last.history, last.question.text) == ("n-1", ("its weight?", "and in winter?"), "its power?")
    assert alone.items[-1].dialogue is None


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"gold": None}, "'gold' must be an object"),
        ({"gold": {"type": "guess"}}, "must be one of exact, nuggets, unanswerable"),
        ({"gold": {"type": "exact", "values": []}}, "no value that an answer must state"),
        ({"gold": {"type": "exact", "values": [{"value": None}]}}, "values.0.value"),
        (
            {"gold": {"type": "exact", "values": [{"value": 1, "tolerance": "x"}]}},
            "'values.0.tolerance': Input should be a valid number",
        ),
        ({"gold": {"type": "nuggets", "min": 3, "nuggets": WINTER["gold"]["nuggets"]}}, "from 1 to 2, got 3"),
        ({"gold": {"type": "nuggets", "nuggets": [{"text": "x", "keys": ["("]}]}}, "no regular expression"),
        ({"gold": {"type": "nuggets", "nuggets": [{"text": "x", "keys": []}]}}, "has no keys"),
        ({"supports": {"entities": "all"}}, "'supports.entities': Input should be a valid tuple"),
        ({"supports": []}, None),
        ({"supports": ["x"]}, "'supports' must be an object"),
    ],
)
def test_a_turn_that_cannot_be_judged_is_named(tmp_path: Path, change: dict[str, Any], reason: str | None) -> None:
    data = load_dataset(write(tmp_path, {**WEIGHT, **change}))
    assert [one.id for one in data.malformed] == (["n-1.1"] if reason else [])
    assert reason is None or reason in data.malformed[0].reason


def test_the_conversations_on_products_load_whole(shared_data: Path) -> None:
    for form in ("nuggets", "nuggets-in-context"):
        data = load_dataset(shared_data / "products" / "ebikes" / "dialogues.json", form, strict=True)
        kinds = [item.tags["kind"] for item in data.items]
        assert {kind: kinds.count(kind) for kind in kinds} == {"lookup": 10, "complex": 11, "abstract": 9, "text": 10}
        assert sum(item.tags["gold"] == "unanswerable" for item in data.items) == 4
