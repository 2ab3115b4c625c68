"""Whole runs on replies that a language model gave and that were recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from triad.configs import load_config
from triad.datasets import load_dataset
from triad.evaluation.folder import RunFolder
from triad.evaluation.metrics import aggregate, score
from triad.evaluation.run import run
from triad.trace import Usage

pytestmark = pytest.mark.slow

REPLIES = Path(__file__).parents[1] / "replies"


def test_ck25_is_reproduced_to_the_digit(shared_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRIAD_DATA", str(shared_data))
    changes = {"model": f"replay:{REPLIES / 'ck25.jsonl'}", "route": {"sure": 1}}
    report = run("ck25", out=tmp_path / "run", changes=changes)
    config = load_config("ck25", changes)
    items = load_dataset(config.dataset_path, answers=config.answers_path).items
    kept = {record.id: record.answer for record in RunFolder(tmp_path / "run").records()}
    answers = [kept[str(item.question.id)] for item in items]
    scored = [
        score(item, item.gold, answer) for item, answer in zip(items, answers, strict=True) if item.gold is not None
    ]
    assert {name: one.mean for name, one in report.scores.items()} == pytest.approx(aggregate(scored), abs=1e-12)
    usage = Usage.total(answer.trace.usage for answer in answers if answer and answer.trace)
    assert (report.asked, report.failed) == (len(items), 0)
    assert (report.usage.calls, report.usage.input_tokens) == (usage.calls, usage.input_tokens)
    assert report.scores["set_f"].mean >= 0.88


def test_the_demo_is_reproduced(tmp_path: Path) -> None:
    changes = {"model": f"replay:{REPLIES / 'demo.jsonl'}", "run.workers": 4, "route": {"sure": 1}}
    report = run("demo", out=tmp_path / "run", changes=changes)
    assert (report.failed, report.scores["set_f"].mean) == (0, 1)
