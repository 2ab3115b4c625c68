"""The ladder with a model: how good its answers are, what they cost, and how true its confidence is.

    TRIAD_DATA=… .venv/bin/python benchmarks/ladder.py ask runs/ladder --model openai:gpt-4.1-mini
    TRIAD_DATA=… .venv/bin/python benchmarks/ladder.py report runs/ladder

A sample of each development set is asked, always with a model, and what each rung said is kept, a line a question.
The report has a table of the sets, one of the rungs, and one of what it would cost to trust the solver from which
confidence on; for the last no question is asked again. Questions that have no answer are those of ``free``, and
questions of other databases that graphs of ``spider`` are asked.
"""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import peers
import typer
from displayed import cells, is_right, rows_f1
from learn import gold_of, result_f1, texts
from loguru import logger
from unseen import GRAPHS, Record, folder_of, foreign, records

from triad.agent import Agent
from triad.answers import MIN_CONFIDENCE, Answer
from triad.configs import load_config
from triad.datasets import Item, load_dataset
from triad.errors import AnswerError, TriadError
from triad.evaluation.metrics.calibration import bins, calibration_error
from triad.evaluation.metrics.sets import mean
from triad.questions import Question
from triad.route import Route
from triad.routing.ladder import climb
from triad.text import table
from triad.trace import Usage

SETS: Final = {"ck25": 24, "qald9": 60, "yago": 47, "lcquad": 60}
"""Sets of one graph, and how many of their questions are asked."""
PEERS: Final = 20
"""Questions of each set of peers.py that are asked."""
FREE: Final = (15, 8)
"""Questions of each graph of ``free`` that are asked, those with and those without an answer."""
SPIDER: Final = (60, 30)
"""Questions of all graphs of ``spider`` together, and such of other graphs."""
ALL: Final = (*SETS, "free", "spider", *peers.SETS)
ALWAYS: Final = 1.0
"""No solver is that sure: all questions go on to the model."""
LEAST: Final = (ALWAYS, 0.95, 0.9, 0.87, 0.85, 0.8, 0.7, 0.5)
"""Confidences of the solver from which the sweep trusts it."""
RIGHT: Final = 0.99
"""The F1 from which on an answer is right."""

app = typer.Typer(add_completion=False, help=__doc__)


@dataclass(slots=True)
class Said:
    """What one rung said."""

    rung: str
    confidence: float
    value: float
    """What the answer is worth, from 0 to 1."""
    findings: dict[str, float] = field(default_factory=dict)
    """What the checks found, which ``learn_doubt.py`` learns from."""


@dataclass(slots=True)
class Kept:
    """A question with what all rungs said of it."""

    set: str
    graph: str
    text: str
    answerable: bool
    said: list[Said] = field(default_factory=list)
    """What the rungs said, the one that answered last; nothing where no rung found anything."""
    source: str = ""
    calls: dict[str, int] = field(default_factory=dict)
    """Calls to a model by rung."""
    tokens: dict[str, int] = field(default_factory=dict)
    """Input tokens by rung."""
    doubts: list[str] = field(default_factory=list)
    query: str = ""
    error: str = ""
    solver: Said | None = None
    """What the solver says alone, where no answer was reached."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with what tells the worth of its answers."""

    set: str
    graph: str
    question: Question
    answerable: bool
    judge: Callable[[Answer], float]


# Asking ---------------------------------------------------------------------------------------------------


def _known(name: str, agent: Agent, limit: int) -> Iterator[Asked]:
    config = load_config(name)
    data = load_dataset(config.dataset_path, config.dataset.format if config.dataset else None, language="en")
    for item in sorted(data.items, key=lambda item: hashlib.sha1(item.question.text.encode()).hexdigest())[:limit]:
        yield Asked(name, name, Question(item.question.text, "en"), True, _by_values(agent, item))


def _by_values(agent: Agent, item: Item) -> Callable[[Answer], float]:
    return lambda answer: result_f1(agent, answer.result, texts(gold_of(agent, item)), item.by_name)


def _by_rows(agent: Agent, item: Item) -> Callable[[Answer], float]:
    def worth(answer: Answer) -> float:
        found = peers.scores(agent, item, answer)
        return max(found["rows"], found["set F1"])

    return worth


def _by_display(agent: Agent, record: Record) -> Callable[[Answer], float]:
    def worth(answer: Answer) -> float:
        result, shown = answer.result, cells(answer.result, agent.schema)
        if "display" not in record.gold:
            return float(is_right(record.gold, result, shown))
        return 0.0 if result.boolean is not None else rows_f1(record.gold["display"], shown)

    return worth


def _sampled(name: str) -> dict[str, list[Record]]:
    """Return the questions of each graph of a folder that are asked."""
    by_graph, chance = records(folder_of(name)), random.Random(name)
    if name == "free":
        return {
            graph: [
                one
                for answerable, most in zip((True, False), FREE, strict=True)
                for one in chance.sample([one for one in part if one.answerable == answerable], most)
            ]
            for graph, part in by_graph.items()
        }
    own = [(graph, one) for graph, part in by_graph.items() for one in part]
    others = [(graph, one) for graph in by_graph for one in foreign(graph, by_graph)]
    chosen: dict[str, list[Record]] = {}
    for graph, one in [*chance.sample(own, SPIDER[0]), *chance.sample(others, SPIDER[1])]:
        chosen.setdefault(graph, []).append(one)
    return chosen


def _collected(only: Sequence[str], model: str) -> Iterator[tuple[Agent, list[Asked]]]:
    """Yield each graph's agent with the questions that it is asked."""
    options: dict[str, Any] = {"model": model, "min_confidence": 0.0}
    for name in only:
        if name in peers.SETS:
            for file, items in peers.items(peers.SETS[name], PEERS):
                agent = Agent(file, **options, route=Route(sure=ALWAYS))
                yield agent, [Asked(name, name, one.question, True, _by_rows(agent, one)) for one in items]
            continue
        if name in SETS:
            agent = Agent.from_config(name, **options, route={"sure": ALWAYS})
            yield agent, list(_known(name, agent, SETS[name]))
            continue
        for graph, part in _sampled(name).items():
            folder = folder_of(name) / graph
            agent = Agent(
                next(folder / file for file in GRAPHS if (folder / file).exists()), **options, route=Route(sure=ALWAYS)
            )
            yield (
                agent,
                [
                    Asked(name, graph, Question(one.text, one.language), one.answerable, _by_display(agent, one))
                    for one in part
                ],
            )


def _ask(agent: Agent, asked: Asked) -> Kept:
    kept = Kept(asked.set, asked.graph, asked.question.text, asked.answerable)
    try:
        answer = agent.ask(asked.question)
    except AnswerError as error:
        kept.error = str(error)
        _count(kept, error.trace.usage_by("rung") if error.trace else {})
        kept.solver = _solved(agent, asked)
        return kept
    except TriadError as error:
        kept.error = f"{type(error).__name__}: {error}"
        return kept
    worth = asked.judge if asked.answerable else lambda _: 0.0
    kept.said = [
        Said(
            one.rung or "", one.confidence, worth(one), {name: round(value, 4) for name, value in one.findings.items()}
        )
        for one in (*answer.below, answer)
    ]
    kept.source, kept.query = answer.source, answer.query or ""
    kept.doubts = [doubt.kind for doubt in answer.doubts]
    _count(kept, answer.trace.usage_by("rung") if answer.trace else {})
    return kept


def _solved(agent: Agent, asked: Asked) -> Said | None:
    with suppress(TriadError):
        answer = climb(agent.begin(asked.question), Route(rungs=("solver",)))
        return Said("solver", answer.confidence, asked.judge(answer) if asked.answerable else 0.0)
    return None


def _count(kept: Kept, usages: dict[str, Usage]) -> None:
    kept.calls = {rung: usage.calls for rung, usage in usages.items()}
    kept.tokens = {rung: usage.input_tokens for rung, usage in usages.items()}


@app.command()
def ask(
    to: Annotated[Path, typer.Argument(help="Folder of what is kept.")],
    model: Annotated[str, typer.Option(help="The model.")],
    only: Annotated[str, typer.Option(help="Sets to ask, with commas.")] = ",".join(
        [*SETS, "free", "spider", *peers.SETS]
    ),
    workers: Annotated[int, typer.Option(help="Questions at once.")] = 16,
    part: Annotated[str, typer.Option(help="Which part is asked, such as 1/4 for the first of four.")] = "1/1",
) -> None:
    """Ask the questions, and keep what each rung says."""
    logger.remove()
    to.mkdir(parents=True, exist_ok=True)
    file, lock = to / "answers.jsonl", threading.Lock()
    done = {(one.set, one.graph, one.text) for one in _read(file)} if file.exists() else set()
    at, parts = map(int, part.split("/"))

    def work(pair: tuple[Agent, Asked]) -> None:
        line = json.dumps(asdict(_ask(*pair)), ensure_ascii=False)
        with lock, file.open("a", encoding="utf-8") as out:
            out.write(line + "\n")

    pairs = [
        (agent, one)
        for agent, part in _collected([name.strip() for name in only.split(",")], model)
        for one in part
        if (one.set, one.graph, one.question.text) not in done
    ]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, pairs[at - 1 :: parts]))
    for agent in {id(agent): agent for agent, _ in pairs}.values():
        agent.close()
    report(to)


# Reporting ------------------------------------------------------------------------------------------------


def _read(file: Path) -> list[Kept]:
    lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        Kept(
            **{
                **line,
                "said": [Said(**one) for one in line["said"]],
                "solver": Said(**line["solver"]) if line.get("solver") else None,
            }
        )
        for line in lines
    ]


@dataclass(frozen=True, slots=True)
class Told:
    """What a question comes to where the solver is trusted from a confidence on."""

    kept: Kept
    said: Said | None
    calls: int
    tokens: int

    @property
    def is_declined(self) -> bool:
        """True if no answer is given, or only the model's own knowledge, which is marked."""
        return self.said is None or self.said.confidence < MIN_CONFIDENCE or self.said.rung == "knowledge"


def _told(kept: Kept, least: float) -> Told:
    solver = next((one for one in kept.said if one.rung == "solver"), kept.solver)
    if solver is not None and solver.confidence >= least:
        return Told(kept, solver, 0, 0)
    last = kept.said[-1] if kept.said else None
    return Told(kept, last, sum(kept.calls.values()), sum(kept.tokens.values()))


def _line(name: str, told: Sequence[Told]) -> tuple[str, ...]:
    answerable = [one for one in told if one.kept.answerable]
    others = [one for one in told if not one.kept.answerable]
    given = [
        (one.said.confidence, one.said.value >= RIGHT)
        for one in told
        if one.said is not None and one.said.rung != "knowledge"
    ]
    sure, right = [one for one, _ in given], [one for _, one in given]
    return (
        name,
        str(len(told)),
        f"{mean(one.said.value if one.said else 0.0 for one in answerable):.3f}" if answerable else "-",
        f"{mean(0.0 if one.is_declined or not one.said else one.said.value for one in answerable):.3f}"
        if answerable else "-",
        f"{mean(one.calls for one in told):.2f}",
        f"{mean(one.tokens for one in told):.0f}",
        f"{mean(one.is_declined for one in others):.3f}" if others else "-",
        f"{mean(one.calls for one in others):.2f}" if others else "-",
        f"{calibration_error(bins(zip(sure, map(float, right), strict=True))):.3f}" if given else "-",
        f"{auroc(sure, right):.3f}" if len(set(right)) > 1 else "-",
    )  # fmt: skip


def auroc(sure: Sequence[float], right: Sequence[bool]) -> float:
    """Return how often a right answer has more confidence than a wrong one; ties count half."""
    good = [one for one, is_right_ in zip(sure, right, strict=True) if is_right_]
    bad = [one for one, is_right_ in zip(sure, right, strict=True) if not is_right_]
    return mean((one > other) + 0.5 * (one == other) for one in good for other in bad)


@app.command()
def report(folder: Annotated[Path, typer.Argument(help="Folder of what was kept.")]) -> None:
    """Tell what was kept."""
    kept = _read(folder / "answers.jsonl")
    header = (
        "", "questions", "F1", "F1, given", "calls", "tokens in", "declined", "calls to decline", "ECE", "AUROC",
    )  # fmt: skip
    always = [_told(one, ALWAYS) for one in kept]
    names = dict.fromkeys(one.set for one in kept)
    lines = [_line(name, [one for one in always if one.kept.set == name]) for name in names]
    print("\n".join(table(header, [*lines, _line("all", always)])))
    print("\nThe solver trusted from a confidence on:")
    print("\n".join(table(header, [_line(f"{least:.2f}", [_told(one, least) for one in kept]) for least in LEAST])))
    print("\nRungs: answers given, their worth, calls and input tokens in all")
    spent = [
        (
            rung,
            sum(one.said[-1].rung == rung for one in kept if one.said),
            f"{mean(one.said[-1].value for one in kept if one.said and one.said[-1].rung == rung):.3f}",
            sum(one.calls.get(rung, 0) for one in kept),
            sum(one.tokens.get(rung, 0) for one in kept),
        )
        for rung in dict.fromkeys(rung for one in kept for rung in [*(said.rung for said in one.said), *one.calls])
    ]
    print("\n".join(table(("rung", "answered", "F1", "calls", "tokens in"), spent)))
    if failed := [one for one in kept if one.error and ":" in one.error and one.error.split(":")[0].endswith("Error")]:
        print(f"\n{len(failed)} questions failed; the first: {failed[0].error}")


if __name__ == "__main__":
    app()
