"""The whole agent, end to end, on replies that a language model gave and that were recorded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from triad import Agent, Answer
from triad.answers import MIN_CONFIDENCE
from triad.configs import load_config
from triad.datasets import load_dataset
from triad.evaluation.folder import RunFolder
from triad.evaluation.metrics.scoring import aggregate, score
from triad.evaluation.metrics.sets import challenge_f, mean, set_f
from triad.evaluation.report import Report
from triad.evaluation.run import run
from triad.trace import Usage

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
REPLIES = ROOT / "tests" / "replies"
RECORDED = str(REPLIES / "demo.yaml")
DEMO = json.loads((ROOT / "configs" / "demo" / "questions.json").read_text(encoding="utf-8"))["questions"]


def gold(record: dict[str, Any]) -> set[str]:
    [result] = record["answers"]
    if "boolean" in result:
        return {str(result["boolean"]).lower()}
    return {binding["value"] for row in result["results"]["bindings"] for binding in row.values()}


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, dict[str, Answer | None]]:
    """A run of the demo's questions, and their answers."""
    out = tmp_path_factory.mktemp("demo") / "run"
    report = run(RECORDED, out=out, changes={"run.workers": 4})
    return report, {record.question.text: record.answer for record in RunFolder(out).records()}


def test_the_demo_is_reproduced(demo: tuple[Report, dict[str, Answer | None]]) -> None:
    report, _ = demo
    assert (report.asked, report.failed, report.scores["set_f"].mean) == (len(DEMO), 0, 1)


@pytest.mark.parametrize("record", DEMO, ids=[f"{record['id']}-{record['type']}" for record in DEMO])
def test_a_demo_question_is_answered_from_the_graph(
    demo: tuple[Report, dict[str, Answer | None]], record: dict[str, Any]
) -> None:
    _, answers = demo
    answer = answers[record["question"][0]["string"]]
    assert answer is not None
    assert answer.source == "graph"
    assert set_f(gold(record), {one.term.value for one in answer}) == 1
    assert answer.trace is not None
    assert answer.trace.usage.calls <= (10 if answer.rung == "exploration" else 4)


def test_an_answer_says_what_it_rests_on() -> None:
    with Agent.from_config(RECORDED) as agent:
        answer = agent.ask("Who founded Big Blue?")
    assert answer.query is not None
    assert "dbo:foundedBy" in answer.query
    assert any("foundedBy" in fact.predicate.value for fact in answer.provenance)
    assert answer.links["IBM"].iri == "http://dbpedia.org/resource/IBM"
    assert "IBM" in answer.explain()
    assert "```" in answer.explain(markdown=True)


def test_corporate_questions_reach_their_goals_and_are_reproduced_to_the_digit(
    shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(shared_data))
    folder = shared_data / "ck25"
    wanted = json.loads((folder / "true_result_set.json").read_text(encoding="utf-8"))
    records = yaml.safe_load((folder / "questions.yml").read_text(encoding="utf-8"))["questions"]
    changes = {"model": f"replay:{REPLIES}/ck25.jsonl", "route": {"sure": 1}, "min_confidence": MIN_CONFIDENCE}
    report = run("ck25", out=tmp_path / "run", changes=changes)
    assert (report.asked, report.failed) == (len(records), 0)
    kept = {record.question.text: record.answer for record in RunFolder(tmp_path / "run").records()}
    answers = {record["id"]: kept[record["question"]["en"]] for record in records}
    golds = {key: set(wanted[f"ck25:{key}-en"]) for key in answers}
    usages = [answer.trace.usage for answer in answers.values() if answer and answer.trace]
    assert len(usages) == len(records)
    given = {key: {one.term.value for one in answer or ()} for key, answer in answers.items()}
    assert mean(challenge_f(golds[key], values) for key, values in given.items()) >= 0.88
    assert mean(set_f(golds[key], values) for key, values in given.items()) >= 0.88
    assert mean(usage.calls for usage in usages) <= 3
    assert mean(usage.input_tokens for usage in usages) <= 6_000
    booleans = [answer for key, answer in answers.items() if answer and golds[key] <= {"true"}]
    assert booleans
    assert all(answer.boolean for answer in booleans)
    # What the report says is what is found from the answers alone.
    config = load_config("ck25", changes)
    items = load_dataset(config.dataset_path, answers=config.answers_path).items
    scored = [score(item, item.gold, kept[item.question.text]) for item in items if item.gold is not None]
    assert {name: one.mean for name, one in report.scores.items()} == pytest.approx(aggregate(scored), abs=1e-12)
    total = Usage.total(usages)
    assert (report.usage.calls, report.usage.input_tokens) == (total.calls, total.input_tokens)


def test_dialogues_keep_what_their_questions_score_alone(shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "dialogues" / "dbpedia"
    recording = f"replay:{REPLIES}/dialogues.jsonl"
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
