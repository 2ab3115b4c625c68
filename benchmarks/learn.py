"""Learn the weights of the lexical solver's ranking from questions with known answers, and see how it does.

    TRIAD_DATA=… .venv/bin/python benchmarks/learn.py                    # learn from all sets, write the weights
    TRIAD_DATA=… .venv/bin/python benchmarks/learn.py --only qald9 --dry-run --failures 20

For each question the proposals are made with the weights at hand, and each is scored by the F1 of what it finds. The
weights then maximise the probability that a softmax over the proposals gives to the best ones (L-BFGS, L2); large sets
count little more than small ones. What the best proposal is worth on questions that were not learned from is told by
cross-validation: questions are divided in five, by their text. The confidence is a logistic regression on the same
divisions.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import math
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
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
from triad.evaluation.metrics.calibration import bins, calibration_error
from triad.evaluation.metrics.sets import harmonic, precision_recall
from triad.kg.guard import check
from triad.lexical.forms import CandidateQuery
from triad.lexical.nodes import Node
from triad.lexical.ranking import Weights, certainty, confidence, load_weights
from triad.lexical.solver import candidates
from triad.queries.patterns import Variable
from triad.questions import Question
from triad.rdf import IRI, Literal, Term

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
HOPELESS = 20
"""How many times too many answers are as bad as none, so that the query is not run."""
FOLDS = 5
STRENGTH = 0.02
"""Of the L2 penalty."""
EXPECTED = {"except_missing": -1.0, "than_missing": -1.0, "aggregate_missing": -1.0, "columns_missing": -1.0}
"""What weights are drawn to of which the sets' questions tell too little; all others are drawn to 0."""
EVENNESS = 0.75
"""How far each set counts the same, whatever its size: 1 is fully, 0 is not at all. Parts of one set count together."""
PARTS = Counter(config for config, _ in SETS.values())


@dataclass
class Example:
    """A question with its proposals."""

    set: str
    id: str
    text: str
    features: list[dict[str, float]]
    values: list[float]
    """The F1 of each proposal."""
    proposals: list[CandidateQuery]
    """What the confidence needs of each proposal: nothing that it was made from, and of its answers a digest."""
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
        ranked = candidates(context, load_weights())
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
        list(map(_stripped, ranked)), seconds, [proposal.query for proposal in ranked],
        " ".join((item.gold_query or "").split()),
    )  # fmt: skip


def _stripped(proposal: CandidateQuery) -> CandidateQuery:
    found = str(hash(frozenset(proposal.ends)))
    return replace(proposal, node=Node(Variable("")), ends=(Literal(found),) if proposal.ends else ())


def _value(agent: Agent, proposal: CandidateQuery, wanted: set[str], by_name: bool) -> float:
    try:
        if proposal.answer_type == "boolean":
            given = {"true" if agent.graph.ask(check(proposal.query), timeout=1) else "false"}
        elif proposal.form in ("list", "number") and proposal.node.complete:
            given = _texts(agent, proposal.ends, wanted, by_name)
        elif len(proposal.ends) > HOPELESS * len(wanted):
            return 0.0  # and there are more
        else:
            rows = agent.graph.select(check(proposal.query), timeout=1).rows
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
    counts = _shares(useful)
    matrices = [np.array([[row.get(name, 0.0) for name in names] for row in example.features]) for example in useful]
    targets = [_target(example.values) for example in useful]
    shares = np.array([max(example.values) * counts[example.set] for example in useful])
    shares /= shares.sum()

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        away = weights - expected
        total = STRENGTH * float(away @ away) / len(names)
        gradient = 2 * STRENGTH * away / len(names)
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

    expected = np.array([EXPECTED.get(name, 0.0) for name in names])
    first = np.array([start.get(name, 0.0) for name in names])
    best = minimize(loss, first, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return {name: round(float(value), 4) for name, value in zip(names, best, strict=True)}


def _shares(found: Sequence[Example]) -> dict[str, float]:
    """Return how much each question of a set counts."""
    sizes = Counter(example.set for example in found)
    return {name: size**-EVENNESS / PARTS[SETS[name][0]] for name, size in sizes.items()}


def _target(values: Sequence[float]) -> np.ndarray:
    array = np.array(values)
    return np.where(array >= array.max() - 1e-9, 1.0, 0.0)


def logistic(rows: Sequence[Mapping[str, float]], right: Sequence[float], shares: Sequence[float]) -> dict[str, float]:
    """Return the weights of a logistic regression of ``right`` (0 to 1) on the rows, of which each has its share."""
    names = sorted({name for row in rows for name in row})
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    target = np.array(right)
    parts = np.array(shares) / sum(shares)

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        odds = 1 / (1 + np.exp(-np.clip(matrix @ weights, -30, 30)))
        cost = -parts @ (target * np.log(odds + 1e-12) + (1 - target) * np.log(1 - odds + 1e-12))
        return float(cost + 1e-3 * weights @ weights), matrix.T @ (parts * (odds - target)) + 2e-3 * weights

    best = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B").x
    return {name: round(float(value), 4) for name, value in zip(names, best, strict=True)}


def reranked(example: Example, weights: Mapping[str, float]) -> list[CandidateQuery]:
    """Return the proposals of an example in the order of other weights."""
    scored = [
        replace(proposal, score=Weights(weights, {}).score(row))
        for proposal, row in zip(example.proposals, example.features, strict=True)
    ]
    return sorted(scored, key=lambda proposal: -proposal.score)


def certainties(
    found: Sequence[Example], choices: Mapping[int, Mapping[str, float]]
) -> tuple[dict[str, float], list[tuple[str, float, float]]]:
    """Return the weights of the confidence, and for each example its set, its confidence and what it is worth.

    That confidence is told by weights that were learned from the other divisions.
    """
    answered = [example for example in found if example.values]
    ranked = [reranked(example, choices[example.fold]) for example in answered]
    rows = list(map(certainty, ranked))
    right = [example.values[picked(example, choices[example.fold])] for example in answered]
    counts = _shares(answered)
    shares = [counts[example.set] for example in answered]
    told: list[tuple[str, float, float]] = []
    for fold in range(FOLDS):
        others = [at for at, example in enumerate(answered) if example.fold != fold]
        mine = [at for at, example in enumerate(answered) if example.fold == fold]
        part = logistic([rows[at] for at in others], [right[at] for at in others], [shares[at] for at in others])
        told += [(answered[at].set, confidence(ranked[at], Weights({}, part)), right[at]) for at in mine]
    return logistic(rows, right, shares), told


def report_calibration(told: Sequence[tuple[str, float, float]]) -> None:
    """Print the expected calibration error of each set and of all."""
    print("\nexpected calibration error, on questions not learned from")
    for name in (*dict.fromkeys(name for name, _, _ in told), None):
        pairs = [(sure, right) for each, sure, right in told if name in (each, None)]
        print(f"{name or 'all':10} {len(pairs):5} {calibration_error(bins(pairs)):7.3f}")


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
    sure, told = certainties(found, choices)
    report_calibration(told)
    WEIGHTS.write_text(json.dumps({"features": features, "confidence": sure}, indent=1) + "\n", encoding="utf-8")
    report(found, "with the new weights", dict.fromkeys(range(FOLDS), features))


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
