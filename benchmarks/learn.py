"""Learn the weights of the lexical solver from questions with known answers, and see how it does.

    TRIAD_DATA=… .venv/bin/python benchmarks/learn.py                    # learn from all sets, write the weights
    TRIAD_DATA=… .venv/bin/python benchmarks/learn.py --only qald9 --dry-run --failures 20
    TRIAD_DATA=… .venv/bin/python benchmarks/learn.py --dry-run --ablate   # what each feature is worth

First, how likely words mean a thing: a logistic regression on which things a question's gold query names. Then,
for each question the candidate queries are made with the weights at hand, and each is scored by the F1 of what it
finds. The weights of the features maximise the probability that a softmax over the candidates gives to the best ones
(L-BFGS, L2); large sets count little more than small ones. What the best candidate is worth on questions that were not
learned from is told by cross-validation: questions are divided in five, by their text, and mentions of each division
are weighed by what was learned from the others. The confidence is a logistic regression on the same divisions.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import numpy as np
import typer
from loguru import logger
from regression import logistic

from triad.agent import Agent
from triad.configs import load_config
from triad.datasets import Item, load_dataset
from triad.errors import TriadError
from triad.evaluation.metrics.calibration import bins, calibration_error
from triad.evaluation.metrics.queries import iris
from triad.evaluation.metrics.sets import harmonic, precision_recall
from triad.kg.guard import check
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.candidates import CandidateQuery
from triad.lexical.fitting import best_of, named, ranking, softmax, vector
from triad.lexical.mention_detection import found_mentions
from triad.lexical.nodes import Node
from triad.lexical.ranking import certainty, confidence
from triad.lexical.solver import candidates
from triad.lexical.weights import WEIGHTS, Weights, load_weights, weighted
from triad.questions import Question
from triad.rdf import IRI, Literal, ResultSet, Term
from triad.sparql.patterns import Variable

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
EXPECTED = {"missing": -1.0}
"""What weights are drawn to of which the sets' questions tell too little; all others are drawn to 0."""
FEWEST = 15
"""Features that the ablation stops at."""
TRIED = 6
"""Features whose weights move scores least, of which the ablation leaves out the one that is missed least."""
EVENNESS = 0.75
"""How far each set counts the same, whatever its size: 1 is fully, 0 is not at all. Parts of one set count together."""
PARTS = Counter(config for config, _ in SETS.values())

T = TypeVar("T")


@dataclass
class Spotted:
    """A question with all that it may name."""

    set: str
    text: str
    evidence: list[dict[str, float]]
    """What is known of each mention."""
    meant: list[float]
    """1 for each mention that the gold query names, else 0."""


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
        return division(self.text)


def division(text: str) -> int:
    """Return which of the divisions a question is in."""
    return int(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), 16) % FOLDS


def each(name: str, limit: int | None, language: str, work: Callable[[str, Agent, Item], T]) -> list[T]:
    """Return what comes of some work on each question of a set."""
    logger.remove()
    config_name, changes = SETS[name]
    config = load_config(config_name, {"model": "none", "language": language, **changes})
    agent = Agent.from_config(config)
    assert config.dataset is not None
    data = load_dataset(
        config.dataset_path, config.dataset.format, language=language, answers=config.answers_path, strict=False
    )
    chosen = sorted(data.items, key=lambda item: hashlib.sha1(item.question.text.encode()).hexdigest())[:limit]
    return [work(name, agent, item) for item in chosen]


def spotted(name: str, agent: Agent, item: Item) -> Spotted:
    """Look up all that a question may name."""
    question = Question(item.question.text, item.question.language, item.question.id)
    gold = iris(item.gold_query)
    if gold is None:
        return Spotted(name, question.text, [], [])
    analysis = analyse(question.text, load_pack(question.language))
    mentions, _ = found_mentions(agent.begin(question).at("linking"), analysis)
    things = [mention.candidate for mention in mentions]
    meant = [
        thing.iri in gold.relations and thing.label in (item.gold_query or "")
        if thing.kind == "literal"
        else thing.iri in gold.entities
        for thing in things
    ]
    return Spotted(name, question.text, [dict(mention.evidence) for mention in mentions], list(map(float, meant)))


def answered(name: str, agent: Agent, item: Item, mentions: Mapping[int, Mapping[str, float]]) -> Example:
    """Make the candidate queries of a question and score them.

    Args:
        name: The set.
        agent: What answers.
        item: The question.
        mentions: For each division the weights of mentions.
    """
    question = Question(item.question.text, item.question.language, item.question.id)
    weights = replace(load_weights(), mentions=mentions[division(question.text)])
    started = time.perf_counter()
    context = agent.begin(question)
    try:
        ranked = candidates(context, weights)
    except TriadError as error:
        print(f"{name} {item.question.id}: {error}")
        ranked = []
    seconds = time.perf_counter() - started
    ranked = ranked[:KEPT]
    gold = gold_of(agent, item)
    values = [_value(agent, proposal, texts(gold), item.by_name) for proposal in ranked]
    return Example(
        name, item.question.id or "", question.text, [proposal.features for proposal in ranked], values,
        list(map(_stripped, ranked)), seconds, [proposal.query for proposal in ranked],
        " ".join((item.gold_query or "").split()),
    )  # fmt: skip


def gold_of(agent: Agent, item: Item) -> ResultSet:
    """Return the gold answers of a question; the graph is asked for what the set does not hold."""
    return item.gold if item.gold is not None else agent.graph.select(check(item.gold_query or ""))


def texts(result: ResultSet) -> set[str]:
    """Return the values of a result as texts."""
    if result.boolean is not None:
        return {"true" if result.boolean else "false"}
    return {term.value for row in result.rows for term in row if term is not None}


def result_f1(agent: Agent, result: ResultSet, wanted: set[str], by_name: bool) -> float:
    """Return the F1 of the values of a result.

    Args:
        agent: What knows the names of things.
        result: What was found.
        wanted: The gold values.
        by_name: Whether gold has names in place of IRIs.
    """
    terms = [term for row in result.rows for term in row if term is not None]
    return _f1(texts(result) if result.boolean is not None else _texts(agent, terms, wanted, by_name), wanted)


def _f1(given: set[str], wanted: set[str]) -> float:
    return harmonic(*precision_recall(len(given & wanted), len(given), len(wanted)))


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
            return result_f1(agent, agent.graph.select(check(proposal.query), timeout=1), wanted, by_name)
    except TriadError:
        return 0.0
    return _f1(given, wanted)


def _texts(agent: Agent, terms: Sequence[Term], wanted: set[str], by_name: bool) -> set[str]:
    given = {term.value for term in terms}
    if by_name:
        labels = agent.schema.labels(term.value for term in terms if isinstance(term, IRI))
        given = {labels[text] if labels.get(text) in wanted else text for text in given}
    return given


# Learning -------------------------------------------------------------------------------------------------


class Table:
    """The candidate queries of all questions that can be answered, one below the other, to be weighed at once."""

    def __init__(self, found: Sequence[Example], names: Sequence[str]) -> None:
        useful = [example for example in found if example.values and max(example.values) > 0]
        counts = _shares(useful)
        lengths = [len(example.values) for example in useful]
        self.names = list(names)
        self.matrix = np.array([[row.get(name, 0.0) for name in names] for one in useful for row in one.features])
        self.best = np.concatenate([best_of(example.values) for example in useful])
        self.values = np.concatenate([np.array(example.values) for example in useful])
        self.starts = np.cumsum([0, *lengths])[:-1]
        self.question = np.repeat(np.arange(len(useful)), lengths)
        """For each row its question."""
        self.shares = np.array([max(example.values) * counts[example.set] for example in useful])
        self.folds = np.array([example.fold for example in useful])
        self.sets = [example.set for example in useful]
        self.sizes = Counter(example.set for example in found)

    def learned(self, start: np.ndarray, kept: np.ndarray, fold: int | None = None) -> np.ndarray:
        """Return the weights under which the best candidates are the most probable.

        Args:
            start: The weights to start from.
            kept: For each feature whether it may have a weight.
            fold: The division that nothing is learned from.
        """
        shares = self.shares * (self.folds != fold) if fold is not None else self.shares
        expected = vector(self.names, EXPECTED)[kept]
        weights = np.zeros(len(self.names))
        weights[kept] = ranking(self.matrix[:, kept], self.best, self.starts, shares, start[kept], expected)
        return weights

    def divided(self, start: Sequence[np.ndarray], kept: np.ndarray) -> list[np.ndarray]:
        """Return for each division the weights learned from the others."""
        return [self.learned(start[fold], kept, fold) for fold in range(FOLDS)]

    def worth(self, weights: Sequence[np.ndarray]) -> tuple[float, dict[str, float]]:
        """Return the log-likelihood of what is best, and the F1 of each set, both by cross-validation."""
        rows = self.folds[self.question]
        scores = np.choose(rows, [self.matrix @ each for each in weights])
        good = softmax(scores, self.starts) * self.best
        likelihood = float(self.shares @ np.log(np.maximum(np.add.reduceat(good, self.starts), 1e-6)))
        f1 = dict.fromkeys(self.sizes, 0.0)
        for at, (start, name) in enumerate(zip(self.starts, self.sets, strict=True)):
            end = self.starts[at + 1] if at + 1 < len(self.starts) else len(scores)
            f1[name] += float(self.values[start + scores[start:end].argmax()]) / self.sizes[name]
        return likelihood / float(self.shares.sum()), f1

    def reach(self, weights: Sequence[np.ndarray]) -> np.ndarray:
        """Return how far each feature moves scores within a question, on average."""
        means = np.add.reduceat(self.matrix, self.starts) / np.bincount(self.question)[:, None]
        spread = (self.matrix - means[self.question]).std(axis=0)
        return np.asarray(spread * np.mean(np.abs(weights), axis=0))


def ablate(found: Sequence[Example], names: Sequence[str], start: Mapping[str, float]) -> None:
    """Print what is left if one feature after the other is left out, each time the one that is missed least."""
    table = Table(found, names)
    kept = np.ones(len(names), dtype=bool)
    weights = table.divided([vector(names, start)] * FOLDS, kept)
    print(f"\nby cross-validation\n{'features':30} {'log-l.':>7} " + " ".join(f"{name:>7}" for name in table.sizes))

    def show(title: str, likelihood: float, f1: Mapping[str, float]) -> None:
        values = " ".join(f"{value:7.3f}" for value in f1.values())
        print(f"{kept.sum():3} {title:26} {likelihood:7.4f} {values}", flush=True)

    show("", *table.worth(weights))
    while kept.sum() > FEWEST:
        reach = table.reach(weights)
        trials = []
        for at in sorted(map(int, np.flatnonzero(kept)), key=reach.__getitem__)[:TRIED]:
            without = kept.copy()
            without[at] = False
            tried = table.divided(weights, without)
            trials.append((*table.worth(tried), at, tried))
        likelihood, f1, at, weights = max(trials, key=lambda trial: trial[0])
        kept[at] = False
        show(f"without {names[at]}", likelihood, f1)


def learn(found: Sequence[Example], names: Sequence[str], start: Mapping[str, float]) -> dict[str, float]:
    """Return the weights under which the best candidates are the most probable."""
    every = np.ones(len(names), dtype=bool)
    return named(names, Table(found, names).learned(vector(names, start), every))


def _shares(found: Sequence[Example] | Sequence[Spotted]) -> dict[str, float]:
    """Return how much each question of a set counts."""
    sizes = Counter(example.set for example in found)
    return {name: size**-EVENNESS / PARTS[SETS[name][0]] for name, size in sizes.items()}


def learn_mentions(found: Sequence[Spotted]) -> dict[str, float]:
    """Return the weights by which words are told to mean a thing.

    What is meant is told from what is not by pairs of a question's mentions, for where they stand among the others is
    what matters; a second regression makes a probability of it. Each question of a set counts the same.
    """
    useful = [one for one in found if any(one.meant) and not all(one.meant)]
    counts = _shares(useful)
    pairs: list[dict[str, float]] = []
    shares: list[float] = []
    for one in useful:
        meant = [row for row, value in zip(one.evidence, one.meant, strict=True) if value]
        others = [row for row, value in zip(one.evidence, one.meant, strict=True) if not value]
        pairs += [{name: row[name] - other[name] for name in row} for row in meant for other in others]
        shares += [counts[one.set] / len(meant) / len(others)] * (len(meant) * len(others))
    weights = logistic(pairs, [1.0] * len(pairs), shares)
    sums = [{"bias": 1.0, "sum": weighted(weights, row)} for one in useful for row in one.evidence]
    told = [counts[one.set] / len(one.meant) for one in useful for _ in one.meant]
    line = logistic(sums, [value for one in useful for value in one.meant], told)
    return {name: round(line["sum"] * value, 4) for name, value in weights.items()} | {"bias": line["bias"]}


def report_mentions(found: Sequence[Spotted], choices: Mapping[int, Mapping[str, float]]) -> None:
    """Print how often the likeliest of a question's mentions is one that the gold query names."""
    print("\nthe likeliest mention is meant, where any is; on questions not learned from")
    for name in dict.fromkeys(one.set for one in found):
        useful = [one for one in found if one.set == name and any(one.meant)]
        firsts = []
        for one in useful:
            scores = [Weights(choices[division(one.text)]).score(row) for row in one.evidence]
            firsts.append(one.meant[max(range(len(scores)), key=scores.__getitem__)])
        if firsts:
            print(f"{name:10} {len(firsts):5} {np.mean(firsts):7.3f}")


def reranked(example: Example, weights: Mapping[str, float]) -> list[CandidateQuery]:
    """Return the proposals of an example in the order of other weights."""
    scored = [
        replace(proposal, score=Weights(weights).score(row))
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
        told += [(answered[at].set, confidence(ranked[at], Weights(confidence=part)), right[at]) for at in mine]
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
    every = np.ones(len(names), dtype=bool)
    weights = Table(found, names).divided([vector(names, start)] * FOLDS, every)
    return {fold: named(names, one) for fold, one in enumerate(weights)}


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
    failures: Annotated[int, typer.Option(help="Questions to show that are answered wrongly.")] = 0,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Write nothing.")] = False,
    ablation: Annotated[bool, typer.Option("--ablate", help="Show what each feature is worth.")] = False,
) -> None:
    """Learn the weights, and print what they are worth."""
    chosen = list(sets(only))
    now = load_weights()
    mentions, by_division = now.mentions, dict.fromkeys(range(FOLDS), now.mentions)
    on = partial(each, limit=limit, language=language)
    with ProcessPoolExecutor(2) as pool:
        if not dry_run or ablation:
            named = [one for part in pool.map(partial(on, work=spotted), chosen) for one in part]
            mentions = learn_mentions(named)
            by_division = {
                fold: learn_mentions([one for one in named if division(one.text) != fold]) for fold in range(FOLDS)
            }
            report_mentions(named, by_division)
        work = partial(answered, mentions=by_division)
        found = [one for part in pool.map(partial(on, work=work), chosen) for one in part]
    report(found, "with the weights at hand", dict.fromkeys(range(FOLDS), now.features))
    show_failures(found, now.features, failures)
    names = sorted({name for example in found for row in example.features for name in row})
    if ablation:
        ablate(found, names, now.features)
    if dry_run:
        return
    choices = divided(found, names, now.features)
    report(found, "on questions not learned from (five divisions)", choices)
    features = learn(found, names, now.features)
    sure, told = certainties(found, choices)
    report_calibration(told)
    weights = replace(now, features=features, confidence=sure, mentions=mentions)
    WEIGHTS.write_text(json.dumps(asdict(weights), indent=1) + "\n", encoding="utf-8")
    report(found, "with the new weights", dict.fromkeys(range(FOLDS), features))


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
