from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from triad.agent import Agent
from triad.cli.program import app
from triad.datasets import Item, load_dataset
from triad.errors import ConfigError, DataError
from triad.evaluation.learning import learn_from
from triad.lexical import learning
from triad.lexical.known import Judged, KnownQuestion
from triad.lexical.weights import Weights, load_weights
from triad.resources import find

pytestmark = pytest.mark.slow


def doubts(told: Sequence[Judged]) -> list[float]:
    return [1 - one.confidence for one in told]


@pytest.fixture(scope="module")
def items() -> Sequence[Item]:
    return load_dataset(find("configs", "demo").parent / "demo" / "questions.json", language="en").items[:12]


def surer(known: Sequence[KnownQuestion], weights: Weights) -> Weights:
    return replace(weights, composed={**weights.composed, "bias": weights.composed["bias"] + 4})


def test_weights_that_left_out_questions_are_better_with_are_written(
    demo_agent: Agent, items: Sequence[Item], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "STEPS", {"calibration": (surer, doubts)})
    report = learn_from(demo_agent, items, tmp_path / "weights.json", folds=3)
    assert report.steps == ("calibration",)
    assert report.before.questions == 12
    assert len(report.folds) == 3
    learned = load_weights(report.path)
    assert learned.composed["bias"] == load_weights().composed["bias"] + 4
    agent = Agent("configs/demo/graph.ttl", model="none", weights=report.path)
    before, after = (one.ask("Who founded Intel?").confidence for one in (demo_agent, agent))
    assert after > before
    agent.close()


def test_weights_that_do_not_help_are_written_only_by_force(
    demo_agent: Agent, items: Sequence[Item], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "STEPS", {"ranking": (surer, learning.errors)})
    path = tmp_path / "weights.json"
    report = learn_from(demo_agent, items, path)
    assert (report.steps, report.path, path.exists()) == ((), None, False)
    assert "not answered better" in report.to_text()
    assert learn_from(demo_agent, items, path, force=True).path == path
    assert path.exists()


def test_too_few_questions_are_an_error(demo_agent: Agent, items: Sequence[Item], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="3 questions with an answer are too few"):
        learn_from(demo_agent, items[:3], tmp_path / "weights.json")


def test_the_command_says_what_it_is_worth_and_exits_with_2_if_nothing_helped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(learning, "STEPS", {"ranking": (surer, learning.errors)})
    records = [
        {"question": f"Who founded {name}?", "answers": [f"http://example.org/{name}"]}
        for name in "Intel Apple Microsoft Google IBM Siemens Nokia Sony Amazon Tesla".split()
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    result = CliRunner().invoke(app, ["-q", "learn", str(path), "--to", str(tmp_path / "w.json")])
    assert result.exit_code == 2, result.output
    assert "| all | 10 |" in result.stdout
    assert not (tmp_path / "w.json").exists()


@pytest.mark.parametrize(
    ("text", "fault"),
    [("{", "holds no weights"), ('{"a": 1}', "holds no weights"), ('{"a": {"b": 1}}', "an unknown model 'a'")],
)
def test_a_file_that_holds_no_weights_is_an_error(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=fault):
        load_weights(path)
    with pytest.raises(ConfigError, match="cannot be read"):
        load_weights(tmp_path / "none.json")
