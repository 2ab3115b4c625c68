from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation.companies import questions, turtle
from triad import errors
from triad.answers import from_json
from triad.evaluation.comparison import differences
from triad.evaluation.folder import RecordDigest, RunFolder, Writer, complete_lines
from triad.evaluation.report import facts
from triad.evaluation.run import run
from triad.evaluation.summary import read_report
from triad.kg.base import KnowledgeGraph
from triad.models import ScriptedModel
from triad.questions import Question
from triad.rdf import ResultSet

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
KILLS = 3


class SlowRuns:
    """Runs whose model takes its time, each in a process of its own."""

    def __init__(self, folder: Path) -> None:
        command = [sys.executable, "-m", "tests.evaluation.slow_run"]
        self.log = folder / "log.txt"
        self.server = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self, config: Path, out: Path, seconds: str) -> int:
        """Begin a run, and return its process."""
        assert self.server.stdin
        self.server.stdin.write(f"{config}\t{out}\t{seconds}\t{self.log}\n")
        self.server.stdin.flush()
        return self.said()

    def said(self) -> int:
        """Return what is told next: a process that has begun, or how it ended."""
        assert self.server.stdout
        return int(self.server.stdout.readline())


@pytest.fixture(scope="module")
def slow_runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SlowRuns]:
    runs = SlowRuns(tmp_path_factory.mktemp("slow"))
    with runs.server:
        yield runs
        runs.server.kill()


def ids(folder: Path) -> list[str]:
    return [digest.id for digest in RunFolder(folder).digests()]


# Killed ---------------------------------------------------------------------------------------------------


def test_a_killed_run_loses_nothing_doubles_nothing_and_mislabels_nothing(
    config: Path, write_set: Callable[..., Path], tmp_path: Path, slow_runs: SlowRuns
) -> None:
    chance = random.Random(5)
    numbers = [(repeat, number) for repeat in range(1, 9) for number in range(1, 13)]
    rows: list[dict[str, Any]] = [
        {
            "id": f"{number}.{repeat}",
            "question": f"Who founded Company {number}?" + " " * repeat,
            "answers": [f"http://example.org/F{number}"],
        }
        for repeat, number in numbers
    ]
    text = config.read_text(encoding="utf-8")
    config.write_text(text + "run: {workers: 4}\n", encoding="utf-8")
    out = tmp_path / "run"
    answered: dict[str, bytes] = {}
    for _ in range(KILLS):
        chance.shuffle(rows)
        write_set(rows)
        before = len(answered)
        child = slow_runs.begin(config, out, "0.1")
        # The child spends a while on starting up; it is the appending that is to be hit.
        while len(list(complete_lines(out / "answers.jsonl"))) == before:
            os.kill(child, 0)  # it is alive
            time.sleep(0.005)
        time.sleep(chance.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        assert slow_runs.said() == -signal.SIGKILL
        now = {from_json(RecordDigest, line).id: line for line in complete_lines(out / "answers.jsonl")}
        assert all(now[id_] == line for id_, line in answered.items())
        answered = now
    assert len(answered) < len(rows)
    chance.shuffle(rows)
    write_set(rows)
    slow_runs.begin(config, out, "0.01")
    assert slow_runs.said() == 0
    assert sorted(ids(out)) == sorted(row["id"] for row in rows)
    wanted = {row["id"]: row for row in rows}
    for record in RunFolder(out).records():
        assert record.question.text.strip() == wanted[record.id]["question"].strip()
        assert record.gold is not None
        assert [row[0].value for row in record.gold.rows if row[0]] == wanted[record.id]["answers"]
        assert record.answer is not None
        assert record.answer.question.id == record.id
        assert [value.term.value for value in record.answer.values] == wanted[record.id]["answers"]
        assert record.scores["exact_match"] == 1


def test_an_interrupt_does_not_wait_for_the_calls_under_way(config: Path, tmp_path: Path, slow_runs: SlowRuns) -> None:
    out = tmp_path / "run"
    child = slow_runs.begin(config, out, "600")
    while not ids(out):
        os.kill(child, 0)  # it is alive
        time.sleep(0.01)
    os.kill(child, signal.SIGINT)
    assert slow_runs.said() == 1
    assert "KeyboardInterrupt" in slow_runs.log.read_text(encoding="utf-8")
    assert ids(out) == ["q1"]
    assert RunFolder(out).environment()["sessions"][-1]["stopped"] == "interrupted"


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("cut", [1, 40, 5_000])
def test_a_line_that_was_cut_is_asked_again(config: Path, tmp_path: Path, cut: int) -> None:
    out = tmp_path / "run"
    run(config, out=out, limit=6)
    answers = out / "answers.jsonl"
    size = answers.stat().st_size
    with answers.open("r+b") as file:
        file.truncate(size - cut)
    left = ids(out)
    assert len(left) < 6
    assert run(config, out=out, resume=True, limit=6).asked == 6
    assert ids(out)[: len(left)] == left
    assert sorted(ids(out)) == [f"q{number}" for number in range(1, 7)]


@pytest.mark.usefixtures("scripted")
def test_a_damaged_line_loses_its_question_and_not_the_run(config: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    run(config, out=out, limit=3)
    first, second, third = (out / "answers.jsonl").read_bytes().splitlines(keepends=True)
    broken = second[: len(second) // 2] + b"\xff\n"
    (out / "answers.jsonl").write_bytes(first + broken + third)
    assert read_report(out).asked == 2
    assert run(config, out=out, resume=True, limit=3).asked == 3
    assert sorted(ids(out)) == ["q1", "q2", "q3"]
    assert (out / "damaged.jsonl").read_bytes() == broken


@pytest.mark.usefixtures("scripted")
def test_answers_none_of_which_can_be_read_are_left_as_they_are(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=1)
    answers = tmp_path / "run" / "answers.jsonl"
    answers.write_text('{"id": 3}\n', encoding="utf-8")
    with pytest.raises(errors.DataError, match=r"answers.jsonl', line 1: not a record of a run"):
        run(config, out=tmp_path / "run", resume=True)
    assert answers.read_text(encoding="utf-8") == '{"id": 3}\n'


@pytest.mark.usefixtures("scripted")
def test_a_damaged_environment_is_named(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=1)
    for content in ("{}", "[]", "null", '{"sessions": [1]}', '{"sessions": [{"models": 5}]}', "[" * 9_999):
        (tmp_path / "run" / "environment.json").write_text(content, encoding="utf-8")
        with pytest.raises(errors.ConfigError, match=r"environment\.json"):
            read_report(tmp_path / "run")


@pytest.mark.parametrize("content", ["{}", "graph: [1]", "graph: g.ttl\nrun: {seed: x}"])
def test_a_damaged_config_of_a_run_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "config.yaml").write_text(content, encoding="utf-8")
    with pytest.raises(errors.ConfigError, match=r"config\.yaml"):
        read_report(tmp_path)


def test_a_damaged_report_of_a_sweep_is_named(tmp_path: Path) -> None:
    (tmp_path / "report.json").write_text("[]", encoding="utf-8")
    with pytest.raises(errors.DataError, match=r"report\.json"):
        read_report(tmp_path)


# Resumed --------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("scripted")
def test_answers_stay_as_they_are_and_the_rest_is_asked(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=4)
    before = (tmp_path / "run" / "answers.jsonl").read_bytes()
    assert run(config, out=tmp_path / "run", resume=True).asked == 13
    assert (tmp_path / "run" / "answers.jsonl").read_bytes().startswith(before)
    assert len(RunFolder(tmp_path / "run").environment()["sessions"]) == 2


@pytest.mark.usefixtures("scripted")
def test_what_was_answered_counts_though_another_selection_is_resumed(config: Path, tmp_path: Path) -> None:
    assert run(config, out=tmp_path / "run", limit=5).questions == 5
    assert run(config, out=tmp_path / "run", limit=3, resume=True).questions == 5
    report = run(config, out=tmp_path / "run", ids=["q3", "q9"], resume=True)
    assert (report.questions, report.asked) == (6, 6)
    assert facts(report)[1].startswith("6 of 6 questions asked")


@pytest.mark.usefixtures("scripted")
def test_resuming_what_was_not_begun_begins_it(config: Path, tmp_path: Path) -> None:
    assert run(config, out=tmp_path / "run", resume=True, limit=2).asked == 2


@pytest.mark.usefixtures("scripted")
def test_failures_are_tried_again(config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from triad.agent import Agent

    ask = Agent.ask

    def failing(self: Agent, question: Question, **options: Any) -> Any:
        if question.id in ("q2", "q5"):
            raise errors.ModelError("the server is down")
        return ask(self, question, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Agent, "ask", failing)
        assert run(config, out=tmp_path / "run").failed == 2
    report = run(config, out=tmp_path / "run", resume=True)
    assert (report.asked, report.failed) == (13, 0)
    assert len(set(ids(tmp_path / "run"))) == len(ids(tmp_path / "run")) == 13


@pytest.mark.usefixtures("scripted")
def test_a_changed_config_is_refused_with_its_changes(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=2)
    with pytest.raises(errors.ConfigError) as caught:
        run(config, out=tmp_path / "run", resume=True, changes={"roles.advisor.tries": 1, "model": "ollama:other"})
    message = str(caught.value)
    assert "model: 'ollama:none' → 'ollama:other'" in message
    assert "roles.advisor.tries: 3 → 1" in message
    assert "roles.generalist" not in message


@pytest.mark.usefixtures("scripted")
def test_what_does_not_change_answers_may_change(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=2)
    changes = {"run.workers": 3, "run.budget.calls": 100, "description": "again", "run.repeat": 2}
    assert run(config, out=tmp_path / "run", resume=True, limit=2, changes=changes).asked == 4


@pytest.mark.usefixtures("scripted")
def test_another_graph_under_the_same_name_is_refused(config: Path, tmp_path: Path) -> None:
    graph = tmp_path / "companies.ttl"
    graph.write_text(turtle(), encoding="utf-8")
    own = {"graph": str(graph)}
    run(config, out=tmp_path / "run", limit=2, changes=own)
    graph.write_text(turtle() + 'ex:C1 rdfs:comment "new" .\n', encoding="utf-8")
    with pytest.raises(errors.ConfigError, match=r"this has changed:\n  graph.fingerprint: "):
        run(config, out=tmp_path / "run", resume=True, changes=own)


@pytest.mark.usefixtures("scripted")
def test_another_question_under_an_id_is_refused(config: Path, tmp_path: Path, write_set: Callable[..., Path]) -> None:
    run(config, out=tmp_path / "run", limit=2)
    write_set([{"id": "q1", "question": "Who founded Company 9?", "answers": ["x"]}])
    with pytest.raises(
        errors.ConfigError, match="the question 'q1' was 'Who founded Company 1\\?' and is 'Who founded"
    ):
        run(config, out=tmp_path / "run", resume=True)


@pytest.mark.usefixtures("scripted")
def test_what_was_answered_is_scored_by_the_gold_of_now(
    config: Path, tmp_path: Path, write_set: Callable[..., Path], logged: list[str]
) -> None:
    run(config, out=tmp_path / "run", limit=4)
    first, second, *others = questions()
    write_set([first, second | {"answers": ["http://example.org/F9"]}, *others])
    assert run(config, out=tmp_path / "run", limit=1, resume=True).scores["exact_match"].mean == 0.75
    assert any("1 answers are scored again: their gold has changed" in line for line in logged)
    run(config, out=tmp_path / "new", limit=4)
    again, new = (list(RunFolder(tmp_path / name).records()) for name in ("run", "new"))
    assert [(one.gold, one.scores, one.cause) for one in again] == [(one.gold, one.scores, one.cause) for one in new]


@pytest.mark.usefixtures("scripted")
def test_what_an_earlier_release_scored_stays_as_it_is(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=2)
    answers = tmp_path / "run" / "answers.jsonl"
    lines = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    assert all(line.pop("gold_fingerprint") for line in lines)
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    before = answers.read_bytes()
    assert run(config, out=tmp_path / "run", limit=3, resume=True).scores["exact_match"].mean == 1
    assert answers.read_bytes().startswith(before)


@pytest.mark.usefixtures("scripted")
def test_a_gold_query_that_failed_is_run_again_and_scores_what_was_answered(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def down(query: str, graph: KnowledgeGraph) -> ResultSet:
        raise errors.GraphError("500")

    with monkeypatch.context() as patch:
        patch.setattr("triad.evaluation.gold.gold_of", down)
        assert run(config, out=tmp_path / "run", ids=["ask"]).unscored == 1
    [before] = RunFolder(tmp_path / "run").records()
    report = run(config, out=tmp_path / "run", ids=["ask"], resume=True)
    assert (report.asked, report.unscored, report.scores["exact_match"].mean) == (1, 0, 1)
    [after] = RunFolder(tmp_path / "run").records()
    assert after.gold is not None
    one, other = (replace(record, gold=None, scores={}, gold_fingerprint="", said=()) for record in (before, after))
    assert one == other


@pytest.mark.usefixtures("scripted")
def test_a_run_that_another_process_began_meanwhile_is_not_mixed_with(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(folder: RunFolder) -> Writer:
        folder.begin({"graph": "other.ttl"}, {})
        return Writer(folder)

    monkeypatch.setattr("triad.evaluation.run.Writer", late)
    with pytest.raises(errors.ConfigError, match="holds a run; resume it"):
        run(config, out=tmp_path / "run", limit=1)


@pytest.mark.usefixtures("scripted")
@pytest.mark.parametrize("resume", [True, False])
def test_answers_without_their_config_are_not_mixed_with(config: Path, tmp_path: Path, resume: bool) -> None:
    run(config, out=tmp_path / "run", limit=2)
    (tmp_path / "run" / "config.yaml").unlink()
    with pytest.raises(errors.ConfigError, match=r"holds answers of a run whose config\.yaml is gone; name another"):
        run(config, out=tmp_path / "run", limit=3, resume=resume)


@pytest.mark.usefixtures("scripted")
def test_lines_that_were_doubled_count_once(config: Path, tmp_path: Path) -> None:
    run(config, out=tmp_path / "run", limit=2)
    answers = tmp_path / "run" / "answers.jsonl"
    before = answers.read_bytes()
    answers.write_bytes(before * 2)
    assert run(config, out=tmp_path / "run", limit=2, resume=True).asked == 2
    assert answers.read_bytes() == before


def test_what_failed_questions_cost_counts_towards_the_budget_of_a_resumed_run(
    config: Path, tmp_path: Path, write_set: Callable[..., Path], scripted: list[ScriptedModel]
) -> None:
    write_set([{"id": str(number), "question": f"{number}?", "answers": ["x"]} for number in range(3)])
    assert run(config, out=tmp_path / "run").failed == 3
    scripted.clear()
    report = run(config, out=tmp_path / "run", resume=True, changes={"run.budget.calls": 4})
    assert report.stopped == "the budget of 4 calls is used up: 4 calls used"
    assert sum(len(model.calls) for model in scripted) == 1


def test_a_folder_takes_one_writer(tmp_path: Path) -> None:
    with (
        Writer(RunFolder(tmp_path / "run")),
        pytest.raises(errors.ConfigError, match=f"another process, {os.getpid()}, is writing to the run's folder"),
    ):
        Writer(RunFolder(tmp_path / "run"))
    Writer(RunFolder(tmp_path / "run")).close()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(errors.ConfigError, match="cannot write to the run's folder"):
        Writer(RunFolder(tmp_path / "run"))


@pytest.mark.usefixtures("scripted")
def test_answers_that_cannot_be_written_are_named(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(config, out=tmp_path / "run", limit=2)
    with (tmp_path / "run" / "answers.jsonl").open("a") as file:
        file.write('{"id": "cut')  # so that the file is written anew

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("triad.evaluation.folder._sync", full)
    with pytest.raises(errors.ConfigError, match=r"cannot write '.*answers\.jsonl': .*No space left"):
        run(config, out=tmp_path / "run", limit=2, resume=True)


@pytest.mark.usefixtures("scripted")
def test_answers_are_synced_at_most_once_a_second_and_at_the_end(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[os.stat_result] = []
    monkeypatch.setattr("triad.evaluation.folder._sync", lambda file: synced.append(os.fstat(file)))
    started = time.monotonic()
    run(config, out=tmp_path / "run")
    seconds = time.monotonic() - started
    written = (tmp_path / "run" / "answers.jsonl").stat()
    sizes = [one.st_size for one in synced if one.st_ino == written.st_ino]
    assert len(sizes) <= seconds + 2
    assert sizes[-1] == written.st_size


def test_a_folder_without_a_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(errors.ConfigError, match="is not the folder of a run"):
        RunFolder(tmp_path).config()


def test_differences_leave_out_what_is_the_same() -> None:
    old = {
        "model": "a",
        "roles": {"advisor": {"tries": 3, "checks": 3}},
        "run": {"workers": 1, "seed": 0},
        "index": None,
    }
    new = {"model": "a", "roles": {"advisor": {"tries": 2, "checks": 3}}, "run": {"workers": 9, "seed": 1}}
    assert differences(old, new) == ["roles.advisor.tries: 3 → 2", "run.seed: 0 → 1"]
    assert differences(json.loads(json.dumps(old)), old) == []
