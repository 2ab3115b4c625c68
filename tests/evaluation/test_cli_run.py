from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from triad.answers import from_json
from triad.cli.program import app
from triad.configs import Config
from triad.evaluation.folder import RunFolder
from triad.evaluation.report import Report
from triad.models import ScriptedModel

pytestmark = [pytest.mark.usefixtures("scripted"), pytest.mark.slow]


def triad(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture
def out(config: Path, tmp_path: Path) -> Path:
    assert triad("run", config, "--out", tmp_path / "run").exit_code == 0
    return tmp_path / "run"


def test_run_shows_the_report_and_says_where_it_is(config: Path, tmp_path: Path) -> None:
    result = triad("run", config, "--out", tmp_path / "run")
    assert result.exit_code == 0
    assert result.stdout.startswith("companies\nmodel ")
    assert "\nset_f\t1.000\t" in result.stdout
    assert len(result.stdout.splitlines()) < 15, "definitions are in the report"
    assert "set_f" in (tmp_path / "run" / "report.md").read_text(encoding="utf-8")
    assert "companies: 13 of 13, score 1.000" in result.stderr
    assert f"are in {tmp_path / 'run'}" in result.stderr


def test_run_gives_the_report_as_json(config: Path, tmp_path: Path) -> None:
    report = from_json(Report, triad("run", config, "--out", tmp_path / "run", "--json").stdout)
    assert (report.asked, report.scores["set_f"].mean) == (13, 1)


def test_run_takes_a_selection_and_settings(config: Path, tmp_path: Path) -> None:
    common = ("run", config, "--json", "--set", "run.workers=2", "--set", "roles.generalist.examples=1")
    assert from_json(Report, triad(*common, "--out", tmp_path / "1", "--limit", "3").stdout).asked == 3
    assert from_json(Report, triad(*common, "--out", tmp_path / "2", "--ids", "q1, q2").stdout).asked == 2
    chosen = triad(*common, "--out", tmp_path / "3", "--filter", "answer_type=boolean")
    assert from_json(Report, chosen.stdout).asked == 1
    assert RunFolder(tmp_path / "1").config()["roles"]["generalist"]["examples"] == 1
    nothing = triad(*common, "--out", tmp_path / "4", "--ids", "")
    assert (nothing.exit_code, nothing.stderr) == (1, "triad: no question is selected: the filters leave none\n")


def test_run_refuses_and_resumes(config: Path, out: Path) -> None:
    result = triad("run", config, "--out", out)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.startswith(f"triad: '{out}' holds a run; resume it (--resume)")
    changed = triad("run", config, "--out", out, "--resume", "--set", "roles.advisor.tries=1")
    assert "  roles.advisor.tries: 3 → 1\n" in changed.stderr
    assert triad("run", config, "--out", out, "--resume").exit_code == 0


def test_a_run_that_stops_early_fails(config: Path, tmp_path: Path) -> None:
    result = triad("run", config, "--out", tmp_path / "run", "--set", "run.budget.calls=3")
    assert result.exit_code == 1
    assert "stopped early: the budget of 3 calls is used up" in result.stdout


def test_a_run_in_which_every_question_fails_is_a_failure(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Config, "open_model", lambda *_: ScriptedModel([]))
    result = triad("run", config, "--out", tmp_path / "run", "--limit", "2")
    assert result.exit_code == 1
    assert "2 of 2 questions asked, 0 declined, 2 failed" in result.stdout
    assert re.search(r"2 failed: \w+Error, the first of them: \w+", result.stdout)


def test_the_folder_of_a_run_may_be_at_home(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert triad("run", config, "--limit", "1", "--out", "~/first").exit_code == 0
    assert (tmp_path / "first" / "report.md").is_file()
    assert not (tmp_path / "~").exists()


def test_a_dry_run_tells_what_it_would_cost(config: Path, tmp_path: Path) -> None:
    result = triad("run", config, "--out", tmp_path / "run", "--dry-run")
    assert result.stdout.startswith("13 questions: 26 model calls, ")
    data = json.loads(triad("run", config, "--out", tmp_path / "run", "--dry-run", "--json").stdout)
    assert data["questions"] == 13
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("--filter", "hops"), "--filter takes TAG=VALUE, such as answer_type=count, not 'hops'"),
        (("--ids", "nope"), "the data set has no question 'nope'"),
        (("--set", "run.budget.cals=1"), "unknown key 'run.budget.cals'; known here: calls, input_tokens, money"),
        (("--set", "run.executor=ray"), "'run.executor'"),
    ],
)
def test_faults_of_the_user_are_told(config: Path, arguments: tuple[str, ...], fault: str, tmp_path: Path) -> None:
    result = triad("run", config, "--out", tmp_path / "run", *arguments)
    assert result.exit_code == 1
    assert result.stderr.startswith("triad: ")
    assert fault in result.stderr


def test_report_writes_a_page_and_gives_its_path(out: Path, tmp_path: Path) -> None:
    (out / "report.html").unlink()
    assert triad("report", out).stdout.strip() == str(out / "report.html")
    assert (out / "report.html").is_file()
    assert triad("report", out, out, "--to", tmp_path / "both.html").exit_code == 0
    assert (tmp_path / "both.html").is_file()


def test_report_writes_where_a_link_leads(out: Path, tmp_path: Path) -> None:
    (tmp_path / "link.html").symlink_to(tmp_path / "page.html")
    assert triad("report", out, "--to", tmp_path / "link.html").exit_code == 0
    assert (tmp_path / "link.html").is_symlink()
    assert (tmp_path / "page.html").is_file()


def test_report_in_other_formats(out: Path, tmp_path: Path) -> None:
    assert triad("report", out, "--format", "markdown").stdout.startswith("# companies\n")
    assert from_json(Report, triad("report", out, "--format", "json").stdout).asked == 13
    triad("report", out, "--format", "qald", "--to", tmp_path / "answers.json")
    assert len(json.loads((tmp_path / "answers.json").read_text(encoding="utf-8"))["questions"]) == 13
    two = triad("report", out, out, "--format", "qald")
    assert "triad: --format qald is of one run, not of 2" in two.stderr


def test_runs_of_one_config_are_told_apart(config: Path, out: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    assert triad("run", config, "--out", other, "--limit", "2").exit_code == 0
    names = [f"companies in {out}", f"companies in {other}"]
    assert [one["name"] for one in json.loads(triad("report", out, other, "--format", "json").stdout)] == names
    tables = triad("report", out, other, "--format", "markdown").stdout
    assert [line for line in tables.splitlines() if line.startswith("# ")] == [f"# {name}" for name in names]
    assert triad("report", out, other, "--to", tmp_path / "both.html").exit_code == 0
    page = (tmp_path / "both.html").read_text(encoding="utf-8")
    assert all(f">{name}</option>" in page for name in names)


def test_report_of_a_sweep(config: Path, tmp_path: Path) -> None:
    sweep = ("--set", "sweep={generalist.examples: [1, 2]}", "--limit", "2", "--out", tmp_path / "sweep")
    assert "\ngeneralist.examples=2\t1.000" in triad("run", config, *sweep).stdout
    assert "| generalist.examples=2 | 1.000" in triad("report", tmp_path / "sweep", "--format", "markdown").stdout
    assert triad("report", tmp_path / "sweep").exit_code == 0
    page = (tmp_path / "sweep" / "report.html").read_text(encoding="utf-8")
    assert "<h2>generalist.examples=1</h2>" in page


def test_a_sweep_that_was_moved_is_reported_on_from_any_folder(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    sweep = ("--set", "sweep={generalist.examples: [1, 2]}", "--limit", "2", "--out", "sweep")
    assert triad("run", config, *sweep).exit_code == 0
    (tmp_path / "sweep").rename(tmp_path / "kept")
    monkeypatch.chdir(tmp_path.parent)
    assert "| generalist.examples=2 | 1.000" in triad("report", tmp_path / "kept", "--format", "markdown").stdout
    compared = triad("compare", tmp_path / "kept", tmp_path / "kept")
    assert "is not the folder of a run, but has some: " in compared.stderr
    assert str(tmp_path / "kept" / "generalist.examples=1") in compared.stderr


def test_compare_shows_what_changed(config: Path, out: Path, tmp_path: Path) -> None:
    assert triad("run", config, "--out", tmp_path / "other").exit_code == 0
    result = triad("compare", out, tmp_path / "other")
    assert "- 13 questions that both asked, by set_f: 0 better, 0 worse, 13 the same" in result.stdout
    data = json.loads(triad("compare", out, tmp_path / "other", "--metric", "exact_match", "--json").stdout)
    assert (data["metric"], data["same"]) == ("exact_match", 13)


def test_what_is_no_run_is_named(tmp_path: Path) -> None:
    for command in ("report", "compare"):
        result = triad(command, *[tmp_path] * (2 if command == "compare" else 1))
        assert result.exit_code == 1
        assert f"'{tmp_path}' is not the folder of a run" in result.stderr
