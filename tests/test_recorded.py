"""The whole agent, end to end, on replies that a language model gave and that were recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from triad import Agent, Answer
from triad.evaluation.metrics import answer_values, challenge_f, mean, set_f
from triad.evaluation.run import run
from triad.questions import Question
from triad.route import Route

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
DEMO = json.loads((ROOT / "configs" / "demo" / "questions.json").read_text(encoding="utf-8"))["questions"]


def gold(record: dict[str, Any]) -> set[str]:
    [result] = record["answers"]
    if "boolean" in result:
        return {str(result["boolean"]).lower()}
    return {binding["value"] for row in result["results"]["bindings"] for binding in row.values()}


@pytest.fixture(scope="module")
def demo() -> Iterator[Agent]:
    # The solver is sure of many of them: no solver is that sure, so that the model is asked.
    with Agent.from_config("demo", model=f"replay:{ROOT}/tests/replies/demo.jsonl", route={"sure": 1}) as agent:
        yield agent


@pytest.mark.parametrize("record", DEMO, ids=[f"{record['id']}-{record['type']}" for record in DEMO])
def test_a_demo_question_is_answered_from_the_graph(demo: Agent, record: dict[str, Any]) -> None:
    answer = demo.ask(record["question"][0]["string"])
    assert answer.source == "graph"
    assert set_f(gold(record), answer_values(answer)) == 1
    assert answer.trace is not None
    assert answer.trace.usage.calls <= (10 if answer.rung == "exploration" else 4)


def test_an_answer_says_what_it_rests_on(demo: Agent) -> None:
    answer = demo.ask("Who founded Big Blue?")
    assert answer.query is not None
    assert "dbo:foundedBy" in answer.query
    assert any("foundedBy" in fact.predicate.value for fact in answer.provenance)
    assert answer.links["IBM"].iri == "http://dbpedia.org/resource/IBM"
    assert "IBM" in answer.explain()
    assert "```" in answer.explain(markdown=True)


def test_corporate_questions_reach_their_goals(shared_data: Path) -> None:
    folder = shared_data / "ck25"
    wanted = json.loads((folder / "true_result_set.json").read_text(encoding="utf-8"))
    records = yaml.safe_load((folder / "questions.yml").read_text(encoding="utf-8"))["questions"]
    recording = ROOT / "tests" / "replies" / "ck25.jsonl"
    with Agent(folder / "kg.nt.gz", model=f"replay:{recording}", route=Route(sure=1)) as agent:
        answers = {record["id"]: agent.ask(Question(record["question"]["en"])) for record in records}
    golds = {key: set(wanted[f"ck25:{key}-en"]) for key in answers}
    usages = [answer.trace.usage for answer in answers.values() if answer.trace]
    assert mean(challenge_f(golds[key], answer_values(answer)) for key, answer in answers.items()) >= 0.88
    assert mean(set_f(golds[key], answer_values(answer)) for key, answer in answers.items()) >= 0.88
    assert mean(usage.calls for usage in usages) <= 3
    assert mean(usage.input_tokens for usage in usages) <= 6_000
    booleans = [
        (golds[key], answer) for key, answer in answers.items() if isinstance(answer, Answer) and golds[key] <= {"true"}
    ]
    assert booleans
    assert all(answer.boolean for _, answer in booleans)


def test_dialogues_keep_what_their_questions_score_alone(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "dialogues" / "dbpedia"
    recording = f"replay:{ROOT}/tests/replies/dialogues.jsonl"
    config = {"graph": str(folder / "kg.nt.gz"), "model": recording, "run": {"workers": 2}}
    reports = {}
    for form in ("dialogues", "dialogues-in-context"):
        file = tmp_path / f"{form}.yaml"
        dataset = {"path": str(folder / "dialogues.json"), "format": form}
        file.write_text(yaml.safe_dump({**config, "dataset": dataset}), encoding="utf-8")
        reports[form] = run(file, out=tmp_path / form)
    alone, inside = (report.scores["macro_f1_gerbil"].mean for report in reports.values())
    assert alone >= 0.95
    assert inside >= 0.97 * alone
    assert reports["dialogues-in-context"].usage.calls <= 1.8 * 61
