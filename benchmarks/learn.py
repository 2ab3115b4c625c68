"""Learn the weights of the lexical solver's ranking from questions with known answers, and see how it does.

    TRIAD_DATA=… .venv/bin/python benchmarks/learn.py                    # learn from all sets, write the weights
    TRIAD_DATA=… .venv/bin/python benchmarks/learn.py --only qald9 --dry-run --failures 20

For each question the proposals are made with the weights at hand, and each is scored by the F1 of what it finds. The
weights then maximise the probability that a softmax over the proposals gives to the best ones (L-BFGS, L2); each set
counts the same. What the best proposal is worth on questions that were not learned from is told by cross-validation:
questions are divided in five, by their text. The confidence is a logistic regression on the same divisions.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from loguru import logger
from scipy.optimize import minimize

from triad.agent import Agent
from triad.configs import load_config
from triad.errors import TriadError
from triad.evaluation.datasets import Item, load_dataset
from triad.evaluation.metrics.sets import harmonic, precision_recall
from triad.kg.guard import check
from triad.lexical.forms import Proposal
from triad.lexical.ranking import certainty, load_weights
from triad.lexical.solver import proposals
from triad.types import IRI, Question, Term

WEIGHTS = Path(__file__).resolve().parents[1] / "triad" / "lexical" / "weights.json"
SETS = {
    "lcquad": ("lcquad", {}),
    "qald9": ("qald9", {}),
    "yago": ("yago", {}),
    "metaqa1": ("metaqa", {"dataset.path": "$TRIAD_DATA/metaqa/1-hop_dev.txt"}),
    "metaqa2": ("metaqa", {"dataset.path": "$TRIAD_DATA/metaqa/2-hop_dev.txt"}),
    "metaqa3": ("metaqa", {"dataset.path": "$TRIAD_DATA/metaqa/3-hop_dev.txt"}),
    "ck25": ("ck25", {}),
    "demo": ("demo", {}),
}
KEPT = 30
"""Proposals of a question that are learned from."""
FOLDS = 5
STRENGTH = 0.02
"""Of the L2 penalty."""


@dataclass
class Example:
    """A question with its proposals."""

    set: str
    id: str
    text: str
    features: list[dict[str, float]]
    values: list[float]
    """The F1 of each proposal."""
    certainty: dict[str, float]
    seconds: float
    queries: list[str]
    gold: str

    @property
    def fold(self) -> int:
        """Which of the divisions it is in."""
        return int(hashlib.sha1(self.text.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def examples(name: str, limit: int | None, language: str = "en", embedder: str | None = None) -> list[Example]:
    """Make the proposals for a set and score them."""
    logger.remove()
    config_name, changes = SETS[name]
    config = load_config(config_name, {"model": "none", "language": language, "embedder": embedder, **changes})
    agent = Agent.from_config(config)
    assert config.dataset is not None
    data = load_dataset(
        config.dataset_path, config.dataset.format, language=language, answers=config.answers_path, strict=False
    )
    chosen = sorted(data.items, key=lambda item: hashlib.sha1(item.question.text.encode()).hexdigest())[:limit]
    return [_example(name, agent, item) for item in chosen]


def _example(name: str, agent: Agent, item: Item) -> Example:
    started = time.perf_counter()
    question = Question(item.question.text, item.question.language, item.question.id)
    context = agent.begin(question)
    try:
        ranked = proposals(context, load_weights())
    except TriadError as error:
        print(f"{name} {item.question.id}: {error}")
        ranked = []
    seconds = time.perf_counter() - started
    ranked = ranked[:KEPT]
    gold = item.gold if item.gold is not None else agent.graph.select(check(item.gold_query or ""))
    wanted = (
        {"true" if gold.boolean else "false"}
        if gold.boolean is not None
        else {term.value for row in gold.rows for term in row if term is not None}
    )
    values = [_value(agent, proposal, wanted, item.by_name) for proposal in ranked]
    return Example(
        name, item.question.id or "", question.text, [proposal.features for proposal in ranked], values,
        certainty(ranked) if ranked else {}, seconds, [proposal.query for proposal in ranked],
        " ".join((item.gold_query or "").split()),
    )  # fmt: skip


def _value(agent: Agent, proposal: Proposal, wanted: set[str], by_name: bool) -> float:
    try:
        if proposal.answer_type == "boolean":
            given = {"true" if agent.graph.ask(check(proposal.query), timeout=2) else "false"}
        elif proposal.form in ("list", "number") and proposal.node.complete:
            given = _texts(agent, proposal.ends, wanted, by_name)
        else:
            rows = agent.graph.select(check(proposal.query), timeout=2).rows
            given = _texts(agent, [term for row in rows for term in row if term is not None], wanted, by_name)
    except TriadError:
        return 0.0
    return harmonic(*precision_recall(len(given & wanted), len(given), len(wanted)))


def _texts(agent: Agent, terms: Sequence[Term], wanted: set[str], by_name: bool) -> set[str]:
    texts = {term.value for term in terms}
    if by_name:
        labels = agent.schema.labels(term.value for term in terms if isinstance(term, IRI))
        texts = {labels[text] if labels.get(text) in wanted else text for text in texts}
    return texts


# Learning -------------------------------------------------------------------------------------------------


def learn(found: Sequence[Example], names: Sequence[str], start: Mapping[str, float]) -> dict[str, float]:
    """Return the weights under which the best proposals are the most probable."""
    useful = [example for example in found if example.values and max(example.values) > 0]
    sizes = {name: sum(example.set == name for example in useful) for name in {example.set for example in useful}}
    matrices = [np.array([[row.get(name, 0.0) for name in names] for row in example.features]) for example in useful]
    targets = [_target(example.values) for example in useful]
    shares = np.array([max(example.values) / math.sqrt(sizes[example.set]) for example in useful])
    shares /= shares.sum()

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        total = STRENGTH * float(weights @ weights) / len(names)
        gradient = 2 * STRENGTH * weights / len(names)
        for matrix, target, share in zip(matrices, targets, shares, strict=True):
            scores = matrix @ weights
            scores -= scores.max()
            odds = np.exp(scores)
            odds /= odds.sum()
            good = odds * target
            mass = max(good.sum(), 1e-12)
            total -= share * math.log(mass)
            gradient -= share * (matrix.T @ (good / mass - odds))
        return total, gradient

    first = np.array([start.get(name, 0.0) for name in names])
    best = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return {name: round(float(value), 4) for name, value in zip(names, best, strict=True)}


def _target(values: Sequence[float]) -> np.ndarray:
    array = np.array(values)
    return np.where(array >= array.max() - 1e-9, 1.0, 0.0)


def logistic(rows: Sequence[Mapping[str, float]], right: Sequence[float]) -> dict[str, float]:
    """Return the weights of a logistic regression of ``right`` (0 to 1) on the rows."""
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    target = np.array(right)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        odds = 1 / (1 + np.exp(-np.clip(matrix @ weights, -30, 30)))
        cost = -np.mean(target * np.log(odds + 1e-12) + (1 - target) * np.log(1 - odds + 1e-12))
        return float(cost + 1e-3 * weights @ weights), matrix.T @ (odds - target) / len(target) + 2e-3 * weights

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(value), 4) for name, value in zip(names, best, strict=True)}


def picked(example: Example, weights: Mapping[str, float]) -> int:
    scores = [sum(weights.get(name, 0.0) * value for name, value in row.items()) for row in example.features]
    return max(range(len(scores)), key=scores.__getitem__)


def report(found: Sequence[Example], title: str, choose: Mapping[int, Mapping[str, float]]) -> None:
    """Print for each set what the choice is worth, what the best choice would be, and the time."""
    print(f"\n{title}\n{'set':10} {'n':>5} {'F1':>7} {'oracle':>7} {'none':>6} {'p50 ms':>7} {'p95 ms':>7}")
    for name in dict.fromkeys(example.set for example in found):
        mine = [example for example in found if example.set == name]
        scored = [example.values[picked(example, choose[example.fold])] if example.values else 0 for example in mine]
        best = [max(example.values, default=0) for example in mine]
        times = sorted(1000 * example.seconds for example in mine)
        none = sum(not example.values for example in mine)
        print(
            f"{name:10} {len(mine):5} {np.mean(scored):7.3f} {np.mean(best):7.3f} {none:6} "
            f"{times[len(times) // 2]:7.0f} {times[int(len(times) * 0.95)]:7.0f}"
        )


def divided(found: Sequence[Example], names: Sequence[str], start: Mapping[str, float]) -> dict[int, dict[str, float]]:
    """Return for each division the weights learned from the others."""
    return {fold: learn([example for example in found if example.fold != fold], names, start) for fold in range(FOLDS)}


def show_failures(found: Iterable[Example], weights: Mapping[str, float], count: int) -> None:
    shown = 0
    for example in found:
        at = picked(example, weights) if example.values else None
        value = example.values[at] if at is not None else 0.0
        if value < 0.99 and shown < count:
            shown += 1
            best = max(example.values, default=0.0)
            print(f"\n[{example.set}] {example.text}\n  gold {example.gold[:300]}")
            print(f"  {value:.2f} {example.queries[at][:300]}" if at is not None else "  nothing was proposed")
            if best > value:
                rank = example.values.index(best)
                print(f"  {best:.2f} at {rank}: {example.queries[rank][:300]}")
                assert at is not None
                one, other = example.features[at], example.features[rank]
                change = {name: round(one.get(name, 0) - other.get(name, 0), 2) for name in {*one, *other}}
                print("  ", {name: value for name, value in sorted(change.items()) if value})


def sets(only: Sequence[str]) -> Iterator[str]:
    data = Path(os.environ["TRIAD_DATA"])
    for name in only or SETS:
        if name == "demo" or (data / name.rstrip("123")).is_dir():
            yield name


def main(
    only: Annotated[list[str], typer.Option(help="Sets; all by default.")] = [],  # noqa: B006
    limit: Annotated[int | None, typer.Option(help="Questions of each set.")] = None,
    language: Annotated[str, typer.Option(help="Language of the questions.")] = "en",
    embedder: Annotated[str | None, typer.Option(help="An embedder, as a config names it.")] = None,
    failures: Annotated[int, typer.Option(help="Questions to show that are answered wrongly.")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Learn nothing.")] = False,
) -> None:
    """Learn the weights, and print what they are worth."""
    chosen = list(sets(only))
    with ProcessPoolExecutor(2) as pool:
        found = [
            example
            for part in pool.map(
                examples, chosen, itertools.repeat(limit), itertools.repeat(language), itertools.repeat(embedder)
            )
            for example in part
        ]
    now = load_weights()
    report(found, "with the weights at hand", dict.fromkeys(range(FOLDS), now.features))
    show_failures(found, now.features, failures)
    if dry_run:
        return
    names = sorted({name for example in found for row in example.features for name in row})
    choices = divided(found, names, now.features)
    report(found, "on questions not learned from (five divisions)", choices)
    features = learn(found, names, now.features)
    answered = [example for example in found if example.values]
    right = [example.values[picked(example, choices[example.fold])] for example in answered]
    confidence = logistic([example.certainty for example in answered], right)
    WEIGHTS.write_text(json.dumps({"features": features, "confidence": confidence}, indent=1) + "\n", encoding="utf-8")
    report(found, "with the new weights", dict.fromkeys(range(FOLDS), features))


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
