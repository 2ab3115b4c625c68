"""CK25, a corporate graph and its questions: scores, calls, tokens, and the time of all but the model.

python benchmarks/ck25.py                                     # the recorded replies
python benchmarks/ck25.py --model openai:gpt-4.1-mini         # a model
python benchmarks/ck25.py --seconds 1                         # replies that take as long as a model's

The solver works while the model is waited for: its time counts as far as it is longer.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
import yaml
from rich.console import Console
from rich.table import Table

from triad import Agent, Answer, errors
from triad.evaluation.metrics.sets import challenge_f, mean, set_f
from triad.garbage import kept
from triad.models import Completion, Model, open_model
from triad.models.wrappers import Wrapper
from triad.questions import Question
from triad.route import Route

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ.get("TRIAD_DATA", ROOT.parent / "shared" / "data"))


def main(
    data: Annotated[Path, typer.Option(help="Folder of the data.")] = DATA,
    model: Annotated[str, typer.Option(help="What opens the model.")] = f"replay:{ROOT}/tests/replies/ck25.jsonl",
    seconds: Annotated[float, typer.Option(help="What a reply takes besides.")] = 0.0,
    workers: Annotated[int, typer.Option(help="Questions at once; times are those of one at a time.")] = 1,
    show: Annotated[bool, typer.Option(help="Print each query.")] = False,
) -> None:
    folder = data / "ck25"
    gold = json.loads((folder / "true_result_set.json").read_text(encoding="utf-8"))
    records = yaml.safe_load((folder / "questions.yml").read_text(encoding="utf-8"))["questions"]
    questions = [Question(record["question"]["en"], id=str(record["id"])) for record in records]
    route = Route(sure=1)  # the model is asked, however sure the solver is
    with kept():  # as the command line and the server do
        thinking = Thinking(open_model(model), seconds)
        agent = Agent(folder / "kg.nt.gz", model=thinking, min_confidence=0, route=route)
    with agent, ThreadPoolExecutor(workers) as pool:
        answers = list(pool.map(lambda question: ask(agent, question), questions))

    console = Console()
    table = Table("id", "question", "set_F", "corrected", "calls", "input", "engine ms", "source")
    scores = []
    for question, (answer, fault) in zip(questions, answers, strict=True):
        values = {one.term.value for one in answer or ()}
        wanted = gold_values(gold[f"ck25:{question.id}-en"])
        official, corrected = challenge_f(wanted, values), set_f(wanted, values)
        trace = answer.trace if answer else fault.trace if isinstance(fault, errors.AnswerError) else None
        usage = trace.usage if trace else None
        engine = 1000 * (trace.seconds - trace.usage.seconds) if trace else 0.0
        scores.append((official, corrected, usage.calls if usage else 0, usage.input_tokens if usage else 0, engine))
        table.add_row(
            question.id, question.text[:60], f"{official:.2f}" if official is not None else "-", f"{corrected:.2f}",
            str(scores[-1][2]), str(scores[-1][3]), f"{engine:.0f}", answer.source if answer else str(fault)[:40],
        )  # fmt: skip
        if show:
            console.print(question.text, answer.query if answer else fault, markup=False, highlight=False)
    console.print(table)
    columns: list[list[Any]] = [list(column) for column in zip(*scores, strict=True)]
    all_official, all_corrected, calls, tokens, times = columns
    slowest = statistics.quantiles(times, n=20, method="inclusive")[-1]
    console.print(
        f"{len(scores)} questions: set_F {mean(all_official):.3f}, corrected {mean(all_corrected):.3f}; "
        f"{mean(calls):.2f} calls and {mean(tokens):,.0f} input tokens a question; all but the model "
        f"p50 {statistics.median(times):.0f} ms, p95 {slowest:.0f} ms, longest {max(times):.0f} ms"
    )


class Thinking(Wrapper):
    """A model that takes some seconds more for each reply."""

    def __init__(self, model: Model, seconds: float) -> None:
        super().__init__(model)
        self.seconds = seconds

    def _pass_on(self, call: Callable[[], list[Completion]]) -> list[Completion]:
        time.sleep(self.seconds)
        return [replace(one, usage=replace(one.usage, seconds=one.usage.seconds + self.seconds)) for one in call()]


def ask(agent: Agent, question: Question) -> tuple[Answer | None, errors.TriadError | None]:
    try:
        return agent.ask(question), None
    except errors.TriadError as error:
        return None, error


def gold_values(record: dict[str, int]) -> set[str]:
    """Return gold values; a boolean is stored as ``{"true": 1}`` or ``{"true": 0}``."""
    return {"false"} if record == {"true": 0} else set(record)


if __name__ == "__main__":
    typer.run(main)
