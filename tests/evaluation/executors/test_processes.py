"""The same run on threads and in processes of this machine."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psutil
import pytest
from loky.backend import get_context
from pydantic import Field

from triad import errors
from triad.configs import Config, load_config
from triad.datasets import Item
from triad.evaluation.executors import executor_for
from triad.evaluation.executors.base import Job
from triad.evaluation.executors.processes import Processes
from triad.evaluation.folder import RunFolder
from triad.evaluation.run import run
from triad.models import Model, ScriptedModel
from triad.questions import Question
from triad.trace import Message

pytestmark = pytest.mark.slow(2)

DEMO = str(Path(__file__).parents[2] / "replies" / "demo.yaml")
IN_PROCESSES = {"run.executor": "processes", "run.workers": 4}


class Deadly(Config):
    """A config whose model ends its process, if a question has the word."""

    word: str = Field(default="", exclude=True)

    def open_model(self, name: str | None = None) -> Model:
        word = self.word  # what is sent to another process need not have this file beside it

        def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
            if word in messages[-1].content:
                os._exit(1)
            return "nonsense"

        return ScriptedModel(reply)


def deadly(config: Path, word: str) -> Deadly:
    keys = load_config(config, IN_PROCESSES)
    return Deadly(**{**keys.model_dump(), "folder": keys.folder, "word": word})


@pytest.fixture(autouse=True)
def _two_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("loky.cpu_count", lambda: 2)


def test_processes_give_the_same_results_and_begin_anew_where_the_program_has_threads(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, assert_same_answers: Callable[[Path, Path], None]
) -> None:
    begun: list[str] = []

    def context(kind: str) -> Any:
        begun.append(kind)
        return get_context(kind)

    monkeypatch.setattr("loky.backend.get_context", context)
    here = run(DEMO, out=tmp_path / "here", limit=8)
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    try:
        there = run(DEMO, out=tmp_path / "there", limit=8, changes=IN_PROCESSES)
    finally:
        ended.set()
        other.join()
    assert begun == ["loky"]
    assert not [child for child in psutil.Process().children() if "questions" in " ".join(child.cmdline())]
    assert [one.error for one in RunFolder(tmp_path / "there").records() if one.error] == []
    assert there.failed == 0
    assert there.scores == here.scores
    assert (there.usage.calls, there.usage.input_tokens) == (here.usage.calls, here.usage.input_tokens)
    assert_same_answers(tmp_path / "here", tmp_path / "there")


def test_what_a_process_was_asked_when_it_died_is_a_failure(config: Path, tmp_path: Path) -> None:
    report = run(deadly(config, "Company 2?"), out=tmp_path / "run")
    assert report.asked == 13
    died = [one for one in RunFolder(tmp_path / "run").records() if one.error and one.error.type == "ServiceError"]
    assert "q2" in {record.id for record in died}
    assert len(died) <= 2  # each process has two questions at most
    assert {record.error.message for record in died if record.error} == {"the process that asked this question died"}


def test_a_run_without_any_process_left_says_so(
    config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    monkeypatch.setattr("loky.cpu_count", lambda: 1)
    with pytest.raises(errors.ServiceError, match=r"all processes .* died; the run can be resumed"):
        run(deadly(config, "Company"), out=tmp_path / "run")
    request.getfixturevalue("scripted")
    assert run(config, out=tmp_path / "run", resume=True, changes={"run.executor": "threads"}).failed == 0


def test_what_a_process_cannot_open_is_told(config: Path) -> None:
    processes = Processes(load_config(config, {"graph": "nowhere.ttl"}), 1, 1)
    try:
        with pytest.raises(errors.TriadError, match=r"nowhere\.ttl"):
            list(processes.outcomes(Job(Item(Question(str(number)), None)) for number in range(3)))
    finally:
        processes.close()


def test_a_program_without_a_main_guard_can_have_processes(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\nfrom triad.evaluation.run import run\n"
        f"print('asked', run({DEMO!r}, out=sys.argv[1], limit=2, changes={IN_PROCESSES!r}).asked)\n",
        encoding="utf-8",
    )
    command = [sys.executable, str(program), str(tmp_path / "run")]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert ended.stdout == "asked 2\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a process is killed by a signal")
def test_processes_end_with_the_one_that_started_them(config: Path) -> None:
    program = (
        "import sys, psutil\nfrom triad.configs import load_config\n"
        "from triad.evaluation.executors.processes import Processes\n"
        "processes = Processes(load_config(sys.argv[1]), 2, 1)\n"
        "print(*[child.pid for child in processes._processes], flush=True)\nsys.stdin.read()\n"
    )
    command = [sys.executable, "-c", program, str(config)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        started = [psutil.Process(pid) for pid in pids]
        parent.kill()
    _, alive = psutil.wait_procs(started, timeout=180)
    assert len(started) == 2
    assert not alive


@pytest.mark.skipif(sys.platform == "win32", reason="a process is ended by signals")
def test_a_run_that_was_killed_or_interrupted_loses_nothing(tmp_path: Path) -> None:
    out = tmp_path / "run"
    changes = [f"--set={key}={value}" for key, value in IN_PROCESSES.items()]
    command = [
        sys.executable,
        "-c",
        "from triad.cli import main; main()",
        "run",
        DEMO,
        "--limit=12",
        "--resume",
        f"--out={out}",
        *changes,
    ]
    answered: set[str] = set()
    for how in (signal.SIGKILL, signal.SIGINT):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            while child.poll() is None and len(list(RunFolder(out).digests())) <= len(answered):
                time.sleep(0.01)
            child.send_signal(how)
        now = [digest.id for digest in RunFolder(out).digests()]
        assert len(set(now)) == len(now)
        assert answered < set(now) or len(now) == 12
        answered = set(now)
    report = run(DEMO, out=out, limit=12, resume=True)
    assert (report.asked, report.failed, report.scores["exact_match"].mean) == (12, 0, 1)
    assert len(list(RunFolder(out).digests())) == 12


@pytest.mark.parametrize(
    ("changes", "executor"),
    [
        ({}, "threads"),
        ({"run.workers": 15}, "threads"),
        ({"run.workers": 16}, "processes"),
        ({"run.workers": 16, "run.executor": "threads"}, "threads"),
        ({"run.workers": 16, "run.budget.calls": 100}, "threads"),
        ({"run.workers": 16, "model_options.calls_per_minute": 100}, "threads"),
        ({"run.workers": 2, "run.executor": "processes"}, "processes"),
    ],
)
def test_processes_are_taken_where_they_are_of_use(config: Path, changes: dict[str, Any], executor: str) -> None:
    assert executor_for(load_config(config, changes), []) == executor
