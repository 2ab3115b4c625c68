from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triad.agent import Agent
from triad.configs import make_config
from triad.datasets import load_dataset
from triad.errors import ConfigError
from triad.evaluation.executors.base import Dialogues
from triad.evaluation.folder import RunFolder
from triad.evaluation.run import run

EX = "http://example.org/"
TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Company rdfs:label "company" . ex:Person rdfs:label "person" .
ex:foundedBy rdfs:label "founded by" . ex:birthPlace rdfs:label "birth place" . ex:founded rdfs:label "founded" .
ex:Intel a ex:Company ; rdfs:label "Intel" ; ex:foundedBy ex:Moore ; ex:founded 1968 .
ex:Moore a ex:Person ; rdfs:label "Gordon Moore" ; ex:birthPlace "Pescadero" .
"""


def answers(*values: dict[str, str]) -> list[Any]:
    return [{"head": {"vars": ["x"]}, "results": {"bindings": [{"x": value} for value in values]}}]


def turn(question: str, standalone: str, *values: dict[str, str], **more: Any) -> dict[str, Any]:
    sparql = "SELECT ?x WHERE { ?x ?y ?z }"
    return {"question": question, "standalone": standalone, "sparql": sparql, "answers": answers(*values), **more}


FOUNDED = turn("Who founded Intel?", "Who founded Intel?", {"type": "uri", "value": EX + "Moore"})
BORN = turn("Where was he born?", "Where was Gordon Moore born?", {"type": "literal", "value": "Pescadero"})
COLOUR = turn("What is the colour of Intel?", "What is the colour of Intel?", answerable=False)
WHEN = turn("Who was it founded by?", "Who was Intel founded by?", {"type": "uri", "value": EX + "Moore"})


@pytest.fixture
def files(kept_file: Callable[[str, str], Path]) -> dict[str, Path]:
    dialogues = [
        {"id": "one", "kg": "intel", "turns": [FOUNDED, BORN]},
        {"id": "two", "kg": "intel", "turns": [COLOUR, WHEN, BORN]},
    ]
    data = kept_file("dialogues.json", json.dumps({"dialogues": dialogues}))
    return {"graph": kept_file("intel.ttl", TURTLE), "data": data}


@pytest.fixture
def agent(files: dict[str, Path]) -> Iterator[Agent]:
    with Agent(files["graph"]) as agent:
        yield agent


def test_the_formats_have_the_same_turns_and_gold(files: dict[str, Path]) -> None:
    alone = load_dataset(files["data"], "dialogues").items
    inside = load_dataset(files["data"], "dialogues-in-context").items
    assert [item.question.id for item in alone] == [item.question.id for item in inside]
    assert [item.gold for item in alone] == [item.gold for item in inside]
    assert [item.question.id for item in inside] == ["one-1", "one-2", "two-2", "two-3"]
    assert [item.question.text for item in alone][1] == "Where was Gordon Moore born?"
    assert [item.question.text for item in inside][1] == "Where was he born?"
    assert [item.tags["dependent"] for item in inside] == ["false", "true", "true", "true"]


def test_a_turn_knows_the_turns_before_it_those_without_answer_too(files: dict[str, Path]) -> None:
    items = load_dataset(files["data"], "dialogues-in-context").items
    assert [item.history for item in items] == [
        (),
        ("Who founded Intel?",),
        ("What is the colour of Intel?",),
        ("What is the colour of Intel?", "Who was it founded by?"),
    ]
    assert [item.dialogue for item in items] == ["one", "one", "two", "two"]


@pytest.mark.slow
def test_turns_are_asked_in_order_whatever_order_they_are_wanted_in(agent: Agent, files: dict[str, Path]) -> None:
    alone = {item.question.id: item.question.text for item in load_dataset(files["data"], "dialogues").items}
    dialogues = Dialogues()
    for item in reversed(load_dataset(files["data"], "dialogues-in-context").items):
        outcome = dialogues.ask(agent, item)
        assert outcome.answer is not None, (item.question, outcome.failure)
        assert {value.label for value in outcome.answer.values} <= {"Gordon Moore", "Pescadero"}
        assert outcome.answer.question.text == alone[item.question.id]
        assert outcome.trace is not None


@pytest.mark.slow(0.6)
def test_a_turn_that_is_only_guessed_is_declined(agent: Agent, files: dict[str, Path]) -> None:
    agent.min_confidence = 0.999
    item = load_dataset(files["data"], "dialogues-in-context").items[0]
    outcome = Dialogues().ask(agent, item)
    assert outcome.answer is None
    assert outcome.failure is not None
    assert outcome.failure.type == "AnswerError"
    assert outcome.unknown is not None
    assert outcome.unknown.guess is not None


@pytest.mark.slow
def test_a_run_asks_dialogues_and_scores_their_turns(files: dict[str, Path], tmp_path: Path) -> None:
    keys = {"graph": str(files["graph"]), "dataset": {"path": str(files["data"]), "format": "dialogues-in-context"}}
    out = tmp_path / "run"
    report = run(make_config({**keys, "run": {"workers": 4}}), out=out)
    assert report.scores["p_at_1"].mean == 1.0
    digests = {digest.id: digest for digest in RunFolder(out).digests()}
    assert digests.keys() == {"one-1", "one-2", "two-2", "two-3"}
    assert digests["two-3"].question.text == "Where was he born?"


@pytest.mark.slow
def test_a_turn_can_be_asked_alone_with_those_before_it(files: dict[str, Path], tmp_path: Path) -> None:
    keys = {"graph": str(files["graph"]), "dataset": {"path": str(files["data"]), "format": "dialogues-in-context"}}
    report = run(make_config(keys), ids=["two-3"], out=tmp_path / "run")
    assert report.scores["p_at_1"].mean == 1.0


def test_a_cluster_cannot_ask_dialogues(files: dict[str, Path], tmp_path: Path) -> None:
    keys = {"graph": str(files["graph"]), "dataset": {"path": str(files["data"]), "format": "dialogues-in-context"}}
    config = make_config({**keys, "run": {"executor": "dask://localhost:1"}})
    with pytest.raises(ConfigError, match="in one process"):
        run(config, out=tmp_path / "run")
