"""A run against a model of half a second a call: how close to the ideal do workers come, and how much memory is used?

python benchmarks/throughput.py                        # 1,000 questions, 64 workers
python benchmarks/throughput.py --calls separate       # the paper's form: three calls to read a question
python benchmarks/throughput.py --questions 10000 --seconds 0 --workers 4

The questions are the demo's, over and over; the model gives their recorded replies after a pause. A mark at the end
tells each from the others, also in the replies' templates and the gold queries, so that nothing is gained from a text
that was met before. The ideal is calls x seconds / workers: all else, from label look-ups to writing answers down,
would take no time.
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import psutil
import typer
from loguru import logger

from triad.configs import Config, load_config
from triad.evaluation.progress import Progress
from triad.evaluation.run import run
from triad.models import Completion, Model, ReplayModel
from triad.trace import Message, usage_of

ROOT = Path(__file__).parents[1]
DEMO = ROOT / "configs" / "demo"
RECORDED = ROOT / "tests" / "replies" / "demo.yaml"
REPLIES = RECORDED.with_suffix(".jsonl")
QUESTION = re.compile(r'Question: (".*")')
MARK = "!"
"""What is put behind a question, as often as it was asked before; no name of the graph ends so."""
PARSED = {"triples", "answer_type", "sparql"}
"""What a question is read into, in one call or in three."""


class SlowModel(Model):
    """Gives recorded replies after a pause; where a part of the reply is asked for, that part."""

    name = "slow"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.replay = ReplayModel(REPLIES)
        self.parsed: dict[str, dict[str, Any]] = {}
        for line in REPLIES.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            reply = json.loads(row["content"])
            if "sparql" in reply:
                self.parsed[json.loads(QUESTION.findall(row["prompt"])[-1])] = reply

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the recorded reply, after the pause."""
        time.sleep(self.seconds)
        wanted = set((schema or {}).get("properties", {}))
        asked = QUESTION.findall(messages[-1].content)
        question = json.loads(asked[-1]) if asked else ""
        plain = question.rstrip(MARK)
        reply = self.parsed.get(plain)
        if reply and wanted & PARSED:
            marked = {"triples": [], **reply, "sparql": marked_query(reply["sparql"], len(question) - len(plain))}
            text = json.dumps({key: marked[key] for key in wanted & marked.keys()})
            return Completion(text, usage_of(messages, text))
        return self.replay.complete([replace(one, content=one.content.replace(question, plain)) for one in messages])


def marked_query(query: str, times: int) -> str:
    return f"{query} # {MARK * times}"


def marked_record(record: dict[str, Any], number: int, times: int) -> dict[str, Any]:
    texts = [{**text, "string": text["string"] + MARK * times} for text in record["question"]]
    gold = marked_query(record["query"]["sparql"], times)
    return {**record, "id": str(number), "question": texts, "query": {"sparql": gold}}


class SlowConfig(Config):
    """A config whose model is the slow one."""

    pause: float = 0.5

    def open_model(self, name: str | None = None) -> Model:
        """Open the slow model, whatever its name."""
        return SlowModel(self.pause)


def processor_seconds(process: psutil.Process) -> float:
    """Return what a process and those that it started have computed so far."""
    times = [one.cpu_times() for one in (process, *process.children(recursive=True))]
    return sum(one.user + one.system for one in times)


def main(
    questions: Annotated[int, typer.Option(help="How many questions to ask.")] = 1_000,
    workers: Annotated[int, typer.Option(help="How many at once.")] = 64,
    seconds: Annotated[float, typer.Option(help="What a call takes.")] = 0.5,
    calls: Annotated[str, typer.Option(help="Of the generalist: together or separate.")] = "together",
    vocabulary: Annotated[int, typer.Option(help="Tokens of the graph's words in a prompt.")] = 1_500,
    keep: Annotated[Path | None, typer.Option(help="Folder to keep the run in.")] = None,
) -> None:
    logger.remove()
    records = json.loads((DEMO / "questions.json").read_text(encoding="utf-8"))["questions"]
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "questions.json"
        copies = [marked_record(records[at % len(records)], at, at // len(records)) for at in range(questions)]
        data.write_text(json.dumps({"questions": copies}), encoding="utf-8")
        demo = load_config(RECORDED)
        config = SlowConfig(
            **{
                **demo.model_dump(),
                "folder": demo.folder,
                "pause": seconds,
                "dataset": {"path": str(data)},
                "roles": {"generalist": {"calls": calls, "grounding": vocabulary}},
                "run": {"workers": workers},
                "route": "phases",
            }
        )
        process = psutil.Process()
        marks: list[tuple[int, float, float, float]] = []

        def on_progress(at: Progress) -> None:
            if at.done in (0, at.total) or at.done % max(1, at.total // 10) == 0:
                memory = process.memory_info().rss / 2**20
                marks.append((at.done, time.perf_counter(), memory, processor_seconds(process)))

        started = time.perf_counter()
        report = run(config, out=keep or Path(folder) / "run", on_progress=on_progress)
        ended = time.perf_counter()
        asking = marks[-1][1] - marks[0][1]
        ideal = report.usage.calls * seconds / workers
        print(f"{report.asked:,} questions, {report.failed} failed, set_f {report.scores['set_f'].mean:.3f}")
        print(f"{report.usage.calls:,} calls of {seconds} s, {workers} workers, generalist's calls {calls}")
        print(f"asking {asking:.1f} s, ideal {ideal:.1f} s" + (f": {asking / ideal:.2f} x" if ideal else ""))
        print(f"in all {ended - started:.1f} s; asking took {marks[-1][3] - marks[0][3]:.1f} s of processors")
        print("memory, MB: " + ", ".join(f"{mb:.0f} at {done:,}" for done, _, mb, _ in marks))


if __name__ == "__main__":
    typer.run(main)
