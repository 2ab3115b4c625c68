from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.recorded import record, write
from triad.answers import Answer, from_json
from triad.evaluation.comparison import compare_runs
from triad.evaluation.folder import Record, RunFolder, Said
from triad.evaluation.rendering import write_html
from triad.evaluation.report import Report
from triad.evaluation.run import run
from triad.evaluation.summary import by_rung, read_report
from triad.models import ScriptedModel
from triad.questions import Question
from triad.trace import Rung, Step, Trace, Usage

CALL = Usage(calls=1, input_tokens=700, output_tokens=100, money=0.01, seconds=2.0)
LOOK = Usage(seconds=0.1)


def given(id_: str, rung: Rung, score: float, *said: Said, usage: Usage = CALL) -> Record:
    """A question that a rung answered; what it said itself comes first."""
    one = record(id_, score)
    assert one.answer is not None
    own = next(other for other in said if other.rung == rung)
    answer = replace(one.answer, rung=rung, confidence=own.confidence)
    costs = {"rung": {"solver": LOOK, **({"template": usage} if len(said) > 1 else {})}}
    total = usage if len(said) > 1 else Usage()
    return replace(one, answer=answer, said=said, costs=costs, usage=total)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The solver answers one question alone; of the others, one is worth the call, and one is not."""
    return write(
        tmp_path / "ladder",
        [
            given("1", "solver", 1.0, Said("solver", 0.95, 1.0)),
            given("2", "template", 1.0, Said("template", 0.9, 1.0), Said("solver", 0.55, 0.0)),
            given("3", "template", 0.5, Said("template", 0.8, 0.5), Said("solver", 0.75, 1.0)),
            given("4", "solver", 0.0, Said("solver", 0.65, 0.0), Said("template", 0.3, 0.0)),
        ],
    )


@pytest.mark.slow(0.8)
def test_each_rung_says_what_it_answered_said_and_cost(folder: Path) -> None:
    rungs = read_report(folder).rungs
    assert list(rungs) == ["solver", "template"]
    solver, template = rungs.values()
    assert (solver.climbed, solver.answered, solver.score, solver.below) == (4, 2, 0.5, None)
    assert solver.usage.calls == 0
    assert solver.usage.seconds == pytest.approx(0.4)
    assert (template.climbed, template.answered, template.score) == (3, 2, 0.75)
    assert template.said == 0.5
    assert template.below == 0.5
    assert (template.usage.calls, template.usage.input_tokens) == (3, 2100)


def test_a_lower_threshold_is_told_from_what_the_solver_had_said(folder: Path) -> None:
    points = {one.threshold: one for one in read_report(folder).curve}
    assert (points[0.0].score, points[0.0].calls, points[0.0].alone) == (0.5, 0, 1)
    assert (points[0.6].score, points[0.6].calls, points[0.6].tokens) == (0.75, 0.25, 200)
    assert (points[0.9].score, points[0.9].calls, points[0.9].alone) == (0.625, 0.75, 0.25)


def test_no_threshold_is_told_of_above_what_the_solver_answered_alone(folder: Path) -> None:
    assert max(one.threshold for one in read_report(folder).curve) == 0.95


def test_without_a_ladder_there_are_no_rungs_and_no_curve(tmp_path: Path) -> None:
    report = read_report(write(tmp_path / "plain", [record("1")]))
    assert (report.rungs, report.curve) == ({}, ())
    assert "Rungs" not in report.to_markdown()


@pytest.mark.slow(0.1)
def test_markdown_page_and_json_have_rungs_curve_and_calibration(folder: Path, tmp_path: Path) -> None:
    report = read_report(folder)
    text = report.to_markdown()
    assert "| template | 3 | 2 | 0.750 | 0.500 | 0.500 | 3 | 2,100 | 300 | $0.0300 | 6.0 |" in text
    assert "| 0.6 | 0.750 | 0.25 | 200 | 75% |" in text
    assert "Right answers over wrong ones (AUROC): 1.000" in text
    write_html([report], tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "by the threshold of the solver" in page
    assert "sure from 0.75" in page
    assert from_json(Report, report.to_json()).curve == report.curve


def test_a_comparison_shows_the_rungs_side_by_side(folder: Path, tmp_path: Path) -> None:
    after = write(tmp_path / "after", [given("1", "solver", 1.0, Said("solver", 0.95, 1.0))])
    assert "| template | 2 | 0.750 | 3 | 2,100 |  |  |  |  |" in compare_runs(folder, after).to_markdown()


def test_the_seconds_of_a_rung_are_those_of_all_its_calls() -> None:
    steps = (
        Step("linking", "index", "search", seconds=0.5, rung="solver"),
        Step("parsing", "model", "parsing", usage=CALL, seconds=2.5, rung="template"),
        Step("construction", "graph", "execute", seconds=0.25, rung="template"),
        Step("answering", "graph", "execute", seconds=9),
    )
    found = by_rung(Trace(Question("?"), steps))
    assert {rung: usage.seconds for rung, usage in found.items()} == {"solver": 0.5, "template": 2.75}
    assert found["template"].calls == 1


@pytest.mark.slow(0.5)
def test_a_run_keeps_what_each_rung_said(config: Path, tmp_path: Path, scripted: list[ScriptedModel]) -> None:
    changes: dict[str, Any] = {"route": {"rungs": ["solver", "template"], "sure": 1}}
    report = run(config, out=tmp_path / "run", ids=["q7"], changes=changes)
    [kept] = RunFolder(tmp_path / "run").records()
    assert isinstance(kept.answer, Answer)
    assert {one.rung: one.score for one in kept.said} == {"solver": 1.0, "template": 1.0}
    assert kept.said[0].rung == kept.answer.rung
    assert set(kept.costs["rung"]) == {"solver", "template"}
    assert [one.calls for one in report.curve][:1] == [0]
