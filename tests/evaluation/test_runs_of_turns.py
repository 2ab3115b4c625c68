from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triad.configs import Config, make_config
from triad.evaluation.comparison import compare_runs
from triad.evaluation.folder import RunFolder
from triad.evaluation.rendering import derivation
from triad.evaluation.run import run

pytestmark = pytest.mark.slow(0.5)

EX = "http://example.org/"
TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Company rdfs:label "company" . ex:Person rdfs:label "person" .
ex:foundedBy rdfs:label "founded by" . ex:birthPlace rdfs:label "birth place" . ex:weight rdfs:label "weight" .
ex:Intel a ex:Company ; rdfs:label "Intel" ; ex:foundedBy ex:Moore ; ex:weight "24,8 kg" .
ex:Moore a ex:Person ; rdfs:label "Gordon Moore" ; ex:birthPlace "Pescadero" .
"""


def turn(id_: str, question: str, standalone: str, kind: str, **gold: Any) -> dict[str, Any]:
    return {"id": id_, "question": question, "standalone": standalone, "kind": kind, "gold": gold, "supports": {}}


MOORE = {"value": "Gordon Moore", "iri": EX + "Moore"}
TURNS = [
    turn("1.1", "Who founded Intel?", "Who founded Intel?", "lookup", type="exact", values=[MOORE]),
    turn("1.2", "Where was he born?", "Where was Gordon Moore born?", "text", type="nuggets", min=1, nuggets=[
        {"text": "Pescadero", "keys": ["pescadero"]}, {"text": "California", "keys": ["calif"]},
    ]),
    turn("1.3", "Its colour?", "What is the colour of Intel?", "lookup", type="unanswerable", why="none"),
]  # fmt: skip


@pytest.fixture
def config(kept_file: Callable[[str, str], Path]) -> Config:
    conversations = [{"id": "1", "turns": TURNS}]
    data = kept_file("turns.json", json.dumps({"set": "intel", "conversations": conversations}))
    graph = kept_file("intel.ttl", TURTLE)
    return make_config({"graph": str(graph), "dataset": {"path": str(data), "format": "nuggets-in-context"}})


@pytest.mark.slow
def test_a_run_of_turns_is_reported_by_kind_with_definitions(config: Config, tmp_path: Path) -> None:
    report = run(config, out=tmp_path / "run", changes={"run.workers": 4})
    assert {name: score.mean for name, score in report.scores.items()} == {
        "right": 1.0,
        "value_recall": 1.0,
        "nugget_recall": 0.5,
        "declined_unanswerable": 1.0,
        "declined_answerable": 0.0,
    }
    assert {kind: group.count for kind, group in report.groups["kind"].items()} == {"lookup": 2, "text": 1}
    assert report.groups["kind"]["text"].seconds > 0
    assert report.latency["without model"].p50 > 0
    text = report.to_markdown()
    assert "| kind | questions | right | nugget_recall | declined_unanswerable | calls | tokens | seconds |" in text
    assert "- **right**: share of turns answered rightly" in text
    assert "set_f" not in text
    page = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert "right by kind" in page
    assert "set_f by" not in page


def test_a_record_shows_the_gold_in_words(config: Config, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run")
    shown = {record.id: derivation(record)["gold"] for record in RunFolder(tmp_path / "run").records()}
    assert shown == {
        "1.1": ["Gordon Moore"],
        "1.2": ["at least 1 of:", "Pescadero", "California"],
        "1.3": ["not in the data: none"],
    }


def test_runs_of_turns_are_compared_by_what_is_right(config: Config, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run")
    compared = compare_runs(tmp_path / "run", tmp_path / "run")
    assert (compared.metric, compared.same) == ("right", 3)
    assert "nugget_recall" in compared.metrics
