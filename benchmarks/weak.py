"""A model that writes nonsense makes no answer worse: questions with a very small model, and with none.

    make weak                                                     # installs the model and its server, and runs this
    TRIAD_DATA=… .venv/bin/python benchmarks/weak.py --python .venv-weak/bin/python

The model is SmolLM2 with 135 million parameters (`small_model.py`), whose templates are hardly ever SPARQL. It is asked
what the solver is not sure of: the questions of the demo and, where TRIAD_DATA names the folder, some of each graph of
``free``, with an answer and without. It is an error if F1 with the model is below that of no model, if anything fails,
if what the model itself knows is given as sure, or if a question takes longer than it may.
"""

from __future__ import annotations

import os
import random
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from ladder import RIGHT, Asked, _by_display, _known
from loguru import logger
from unseen import GRAPHS, folder_of, records

from triad.agent import Agent
from triad.errors import AnswerError, TriadError
from triad.evaluation.metrics.sets import mean
from triad.questions import Question
from triad.text import table
from triad.trace import Trace

FREE = (10, 5)
"""Questions of each graph of ``free`` that are asked, those with and those without an answer."""
TOKENS = 160
"""Tokens that a reply may have: a template has fewer."""
SLACK = 10.0
"""Seconds that the graph may take after the model's time."""

app = typer.Typer(add_completion=False, help=__doc__)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a question."""

    answerable: bool
    value: float = 0.0
    """What the answer is worth, from 0 to 1; 0 where none was given."""
    given: bool = False
    own: bool = False
    """Whether it is the model's own knowledge."""
    calls: int = 0
    failure: str = ""
    seconds: float = 0.0


@contextmanager
def served(python: Path, threads: int) -> Iterator[str]:
    """Start the small model's server, and give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    program = Path(__file__).with_name("small_model.py")
    command = [str(python), str(program), "--port", str(port), "--threads", str(threads)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as server:
        assert server.stdout is not None
        if not server.stdout.readline():
            raise SystemExit(f"the server did not start: {' '.join(command)}")
        try:
            yield f"openai:smollm2@http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def ask(agent: Agent, asked: Asked) -> Outcome:
    """Ask a question, and tell what its answer is worth."""
    started = time.perf_counter()
    try:
        answer = agent.ask(asked.question)
    except AnswerError as error:
        calls = calls_of(error.trace)
        failure = "" if error.unknown else f"{type(error).__name__}: {error}"
        return Outcome(asked.answerable, calls=calls, failure=failure, seconds=time.perf_counter() - started)
    except TriadError as error:
        failure = f"{type(error).__name__}: {error}"
        return Outcome(asked.answerable, failure=failure, seconds=time.perf_counter() - started)
    seconds = time.perf_counter() - started
    value = asked.judge(answer) if asked.answerable else 0.0
    calls = calls_of(answer.trace)
    return Outcome(asked.answerable, value, given=True, own=answer.source == "model", calls=calls, seconds=seconds)


def calls_of(trace: Trace | None) -> int:
    """Return how often a model was asked, the calls included that took too long."""
    return sum(step.service == "model" for step in trace.steps) if trace else 0


def sets(opened: Callable[..., Agent]) -> Iterator[tuple[str, Agent, list[Asked]]]:
    """Yield each graph's set and agent with the questions that it is asked."""
    agent = opened("demo")
    yield "demo", agent, list(_known("demo", agent, 1_000))
    if "TRIAD_DATA" not in os.environ:
        return
    for graph, part in records(folder_of("free")).items():
        folder, chance = folder_of("free") / graph, random.Random(graph)
        agent = opened(next(folder / file for file in GRAPHS if (folder / file).exists()))
        chosen = [
            one
            for answerable, most in zip((True, False), FREE, strict=True)
            for one in chance.sample([one for one in part if one.answerable == answerable], most)
        ]
        yield "free", agent, [
            Asked("free", graph, Question(one.text, one.language), one.answerable, _by_display(agent, one))
            for one in chosen
        ]  # fmt: skip


def line(name: str, model: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    """Return a line of the table."""
    return (
        name,
        model,
        str(len(outcomes)),
        str(sum(one.calls > 0 for one in outcomes)),
        f"{f1(outcomes):.3f}",
        str(sum(one.given and one.value < RIGHT for one in outcomes)),
        str(sum(one.own for one in outcomes)),
        str(sum(bool(one.failure) for one in outcomes)),
        f"{mean(one.seconds for one in outcomes):.1f}",
        f"{max(one.seconds for one in outcomes):.1f}",
    )


def f1(outcomes: list[Outcome]) -> float:
    """Return what the answers that were given are worth, over the questions that have one."""
    return mean(one.value for one in outcomes if one.answerable)


def faults(name: str, without: list[Outcome], with_model: list[Outcome], seconds: float) -> Iterator[str]:
    """Yield what a model must not do to a set."""
    if f1(with_model) < f1(without):
        yield f"{name}: F1 with the model is {f1(with_model):.3f}, below {f1(without):.3f} without"
    yield from (f"{name}: {one.failure}" for one in with_model if one.failure)
    if own := sum(one.own for one in with_model):
        yield f"{name}: {own} answers are the model's own knowledge"
    if late := [one for one in with_model if one.seconds > seconds + SLACK]:
        yield f"{name}: {len(late)} questions took longer than {seconds:g} s"


@app.command()
def main(
    python: Annotated[Path, typer.Option(help="The Python that has the model and its server.")],
    seconds: Annotated[float, typer.Option(help="How long a model may be asked for one question.")] = 20.0,
    threads: Annotated[int, typer.Option(help="Threads of the model.")] = os.cpu_count() or 1,
    verbose: Annotated[bool, typer.Option(help="Show each question that a model was asked.")] = False,
) -> None:
    """Ask all questions with the model and without, and compare."""
    logger.remove()
    found: dict[tuple[str, str], list[Outcome]] = {}
    with served(python, threads) as small:
        for model in ("none", small):

            def opened(graph: str | Path, model: str = model) -> Agent:
                options, limits = {"max_tokens": TOKENS, "retries": 1}, {"seconds": seconds}
                if graph == "demo":
                    return Agent.from_config("demo", model=model, model_options=options, limits=limits)
                return Agent(graph, model=model, model_options=options, budget=limits)

            for name, agent, asked in sets(opened):
                for one in asked:
                    outcome = ask(agent, one)
                    found.setdefault((name, "none" if model == "none" else "SmolLM2"), []).append(outcome)
                    if verbose:
                        print(f"{model}, {one.graph}: {one.question.text}\n  {outcome}", flush=True)
                agent.close()
    header = ("", "model", "questions", "asked", "F1", "wrong", "own knowledge", "failed", "seconds", "most")
    print("\n".join(table(header, [line(*key, found[key]) for key in sorted(found, key=lambda key: key[0])])))
    names = dict.fromkeys(name for name, _ in found)
    problems = [
        problem
        for name in names
        for problem in faults(name, found[name, "none"], found[name, "SmolLM2"], seconds)
    ]  # fmt: skip
    if problems:
        raise SystemExit("\n".join(["", *problems]))


if __name__ == "__main__":
    app()
