"""Learn how far the checks of an answer speak against it, and see how true the number is on sets that were left out.

    TRIAD_DATA=… .venv/bin/python benchmarks/learn_doubt.py                          # ask, leave sets out, and report
    TRIAD_DATA=… .venv/bin/python benchmarks/learn_doubt.py --write                  # the same, then write the weights
    TRIAD_DATA=… .venv/bin/python benchmarks/learn_doubt.py --answers runs/ladder/answers.jsonl     # with a model's

No model is needed. Right answers are those of gold queries. Wrong ones are those of gold queries that were corrupted as
models err: a pattern, a filter, the order, an aggregate or a negation left out, another relation of the same ends,
another direction, class or entity; those of the solver's lower candidates; and those of gold for a question of which a
word was replaced. What shows the same as gold is left out. Sets count the same; the wrong answers of a set together
count `WRONG` of it, as often as models err. With ``--answers``, the answers that a model gave in a run of
``benchmarks/ladder.py`` count a quarter of all of these, and a table tells how true the confidence is in them. A
finding that speaks against answers gets no weight that speaks for them, and the other way round.
"""

from __future__ import annotations

import json
import os
import pickle
import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from corruption import ADDED, corruptions
from learn import each
from loguru import logger
from regression import logistic
from unseen import GRAPHS, REPLACED_COUNT, WORD, Record, records, replaced

from triad import sparql
from triad.agent import Agent
from triad.answers import Answer
from triad.datasets import Item
from triad.errors import TriadError
from triad.kg.guard import check
from triad.language.pack import load_pack
from triad.lexical.solver import candidates, solve
from triad.lexical.weights import load_weights
from triad.phases import answering
from triad.phases.attempts import BuiltQuery
from triad.phases.context import Context
from triad.questions import Question
from triad.routing.doubt import confidence, features, findings
from triad.text import table

FILE = Path(__file__).resolve().parents[1] / "triad" / "routing" / "doubt.json"
KNOWN = ("qald9", "lcquad", "ck25", "yago")
FOLDERS = {"free": 40, "spider": 12}
"""Sets that are folders of graphs, with the questions of each graph that are asked."""
MOST = 70
"""Questions of a known set that are asked."""
WRONG = 0.08
"""The share of answers of a model that are wrong, on questions that nothing was chosen on."""
OF_MODEL = 0.25
"""What the answers of a model count together, as a share of all made ones: of theirs, few are wrong."""
KEPT = 4
"""Wrong answers of a question that are learned from, each of another kind."""
SELDOM = 0.15
"""The share of the questions of which a count is taken that nobody asked for: models seldom do that."""
STRENGTH = 1e-3
"""Of the L2 penalty, on each weight."""
RIGHT = 0.99
"""The worth from which on an answer of a model is right."""
SPEAKING_FOR = ("agree", "fitting", "shared")
"""Findings that speak for an answer; none of the others may."""
UNSEEN = {"unit": -1.0, "bound_unit": -1.0, "left_out": -1.0, "readings": -0.5}
"""What findings count of which the sets have too few cases to learn from."""
GRAPHS_OF = {"qald9": "dbpedia", "lcquad": "dbpedia"}
"""Sets of one graph, which are left out together."""
BINS = 10

REPLACED, MODEL = "word replaced", "model"


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with what the checks find of it."""

    set: str
    question: str
    kind: str
    """``gold``, or what was done to the query; ``model`` for an answer of a run."""
    right: bool
    features: Mapping[str, float]


# Asking ---------------------------------------------------------------------------------------------------


def judged(name: str, agent: Agent, question: Question, gold_query: str) -> list[Judged]:
    """Return the gold answer of a question, and wrong ones, with what the checks find."""
    chance = random.Random(question.text)
    context = replace(agent.begin(question), min_confidence=0.0, models={}).at("construction")
    try:
        tree = sparql.parse(gold_query)
        gold = _answered(context, tree)
    except (TriadError, ValueError):
        return []
    if gold is None or not gold.values:
        return []
    below: tuple[Answer, ...] = ()
    with suppress(TriadError):
        below = (solve(context),)
    found = [_judged(name, context, "gold", True, gold, below)]
    wrong: dict[str, list[Judged]] = defaultdict(list)
    tried = 0
    pool: list[tuple[str, sparql.QueryGraph]] = []
    with suppress(TriadError):  # of what the query names, the graph may tell nothing
        pool += corruptions(context, tree, chance)
    chance.shuffle(pool)
    if chance.random() > SELDOM:
        pool = [one for one in pool if one[0] != ADDED]
    for kind, other in pool:
        if len(wrong) >= KEPT or tried > 25:
            break
        if kind in wrong:
            continue
        tried += 1
        answer = _answered(context, other)
        if answer is not None and answer.values and not _same(answer, gold) and not _zero(answer):
            wrong[kind].append(_judged(name, context, kind, False, answer, below))
    found += [one for some in wrong.values() for one in some]
    if below and not _same(below[0], gold):
        found.append(_judged(name, context, "solver", False, below[0], below))
    with suppress(TriadError):
        for candidate in candidates(context, load_weights())[1:6]:
            answer = _answered(context, sparql.parse(candidate.query))
            if answer is not None and answer.values and not _same(answer, gold) and not _zero(answer):
                found.append(_judged(name, context, "candidate", False, answer, below))
                break
    if other_question := asked_otherwise(question, chance):
        context = replace(agent.begin(other_question), min_confidence=0.0, models={}).at("construction")
        below = ()
        with suppress(TriadError):
            below = (solve(context),)
        found.append(_judged(name, context, REPLACED, False, gold, below))
    return found


@cache
def _words() -> list[str]:
    """Return English content words of the questions of the folders, to put in place of others."""
    pack = load_pack("en")
    said = {
        word.lower()
        for name in FOLDERS
        for part in records(Path(os.environ["TRIAD_DATA"]) / name).values()
        for one in part
        if one.language == "en"
        for word in WORD.findall(one.text)
    }
    return sorted(word for word in said if word not in pack.empty and not pack.is_idle(word))


def asked_otherwise(question: Question, chance: random.Random) -> Question | None:
    """Return a question with one content word replaced, so that the gold query does not answer it."""
    record = Record(question.text, question.language, "", {})
    text = replaced(record, _words(), chance)
    return Question(text, question.language) if text else None


def _same(answer: Answer, gold: Answer) -> bool:
    """Tell whether an answer shows the values of gold, in whatever columns, or further columns beside them."""
    given, wanted = ({value.label.casefold() for value in one.values} for one in (answer, gold))
    return given == wanted or (wanted <= given and len(answer.rows) == len(gold.rows))


def _zero(answer: Answer) -> bool:
    return [value.label for value in answer.values] in (["0"], ["0.0"])


def _answered(context: Context, tree: sparql.QueryGraph) -> Answer | None:
    try:
        text = check(tree, context.policy)
        ask = tree.ask
        result = context.execute(text, ask=ask, timeout=3)
        kind = "boolean" if ask else "select"
        built = BuiltQuery(text, {}, 1.0, result, tree=tree)
        return replace(answering.answer(context.at("answering"), built, kind), provenance=())  # type: ignore[arg-type]
    except (TriadError, ValueError, TypeError, AttributeError, KeyError):
        return None  # a query that cannot be


def _judged(name: str, context: Context, kind: str, right: bool, answer: Answer, below: Sequence[Answer]) -> Judged:
    return Judged(name, context.question.text, kind, right, features(findings(context, answer, below)))


def ask_item(name: str, agent: Agent, item: Item) -> list[Judged]:
    """Judge the answers of a question of a known set."""
    question = Question(item.question.text, item.question.language)
    return judged(name, agent, question, item.gold_query or "")


def ask_known(name: str) -> list[Judged]:
    """Judge the answers of the questions of a known set."""
    return [one for some in each(name, MOST, "en", ask_item) for one in some]


def ask_graph(name: str, graph: str) -> list[Judged]:
    """Judge the answers of the questions of a graph of a folder."""
    logger.remove()
    folder = Path(os.environ["TRIAD_DATA"]) / name / graph
    asked = [one for one in records(folder.parent)[graph] if one.answerable]
    asked = random.Random(graph).sample(asked, min(FOLDERS[name], len(asked)))
    file = next(path for path in (folder / one for one in GRAPHS) if path.exists())
    with Agent(graph=file, model="none") as agent:
        return [
            one
            for record in asked
            for one in judged(name, agent, Question(record.text, record.language), _gold_query(record.gold))
        ]


def _gold_query(gold: Mapping[str, Any]) -> str:
    return str(gold.get("sparql") or gold.get("query", {}).get("sparql") or "")


def collect() -> list[Judged]:
    """Judge the answers of all sets, in two processes."""
    data = Path(os.environ["TRIAD_DATA"])
    work: list[partial[list[Judged]]] = [partial(ask_known, name) for name in KNOWN]
    work += [
        partial(ask_graph, name, path.parent.name) for name in FOLDERS for path in data.glob(f"{name}/*/questions.json")
    ]
    with ProcessPoolExecutor(2) as pool:
        return [one for done in [pool.submit(one) for one in work] for one in done.result()]


def recorded(file: Path) -> list[Judged]:
    """Return the answers that a model gave on the rungs above the solver, as ``benchmarks/ladder.py`` kept them."""
    return [
        Judged(kept["set"], kept["text"], MODEL, said["value"] >= RIGHT, said["findings"])
        for kept in map(json.loads, file.read_text(encoding="utf-8").splitlines())
        for said in kept["said"]
        if said["findings"]
    ]


# Learning and reporting -----------------------------------------------------------------------------------


def shares(judged: Sequence[Judged]) -> np.ndarray:
    """Return what each answer counts: sets alike, wrong answers `WRONG` of each.

    Answers of a model count `OF_MODEL` of all made ones. They are weighed together, for which set a question is from
    must not tell how likely its answer is wrong.
    """
    counts: defaultdict[tuple[str, bool], float] = defaultdict(float)
    made: set[str] = set()
    for one in judged:
        counts[_group(one), one.right] += _count(one)
        if one.kind != MODEL:
            made.add(one.set)
    return np.array(
        [
            (OF_MODEL * (len(made) or 1) if one.kind == MODEL else 1)
            * _count(one)
            * (1 - WRONG if one.right else WRONG)
            / counts[_group(one), one.right]
            for one in judged
        ]
    )


def _group(one: Judged) -> str:
    return MODEL if one.kind == MODEL else one.set


def _count(one: Judged) -> float:
    return REPLACED_COUNT if one.kind == REPLACED else 1.0


def learn(judged: Sequence[Judged]) -> dict[str, float]:
    """Return the weights of the regression; those that count nothing are left out."""
    rows = [one.features for one in judged]
    right = [float(one.right) for one in judged]
    found = logistic(
        rows, right, shares(judged).tolist(), STRENGTH, free=("bias",), speaking_for=SPEAKING_FOR, expected=UNSEEN
    )
    return {name: weight for name, weight in found.items() if weight}


def error(told: np.ndarray, right: np.ndarray, share: np.ndarray) -> float:
    """Return the expected calibration error, each answer with its share."""
    place = np.minimum(BINS - 1, np.maximum(0, np.ceil(told * BINS).astype(int) - 1))
    total = 0.0
    for at in range(BINS):
        here = place == at
        if share[here].sum():
            total += abs(float(share[here] @ (told[here] - right[here])))
    return total / float(share.sum())


def auroc(told: np.ndarray, right: np.ndarray, share: np.ndarray) -> float:
    """Return how often a right answer has more confidence than a wrong one; a tie counts half."""
    good, bad = right > 0.5, right < 0.5
    ahead = (told[good][:, None] > told[bad]) + 0.5 * (told[good][:, None] == told[bad])
    return float(share[good] @ ahead @ share[bad] / (share[good].sum() * share[bad].sum()))


def left_out(judged: Sequence[Judged]) -> np.ndarray:
    """Return the confidence in each answer by weights that were learned from the sets of other graphs."""
    told = np.zeros(len(judged))
    graphs = [GRAPHS_OF.get(one.set, one.set) for one in judged]
    for name in set(graphs):
        weights = learn([one for one, graph in zip(judged, graphs, strict=True) if graph != name])
        for at, one in enumerate(judged):
            if graphs[at] == name:
                told[at] = confidence(one.features, weights)
    return told


def report(judged: Sequence[Judged]) -> None:
    """Print how true the confidence is: of made answers by set and by kind of error, of a model's answers by set."""
    told, share = left_out(judged), shares(judged)
    of_model = np.array([one.kind == MODEL for one in judged])
    print("Of sets that were left out:")
    _print_sets(judged, told, share, ~of_model)
    if of_model.any():
        print("\nAnswers of a model, one as good as another:")
        _print_sets(judged, told, np.ones(len(judged)), of_model)
    kinds = defaultdict(list)
    for at, one in enumerate(judged):
        kinds[one.kind].append(told[at])
    rows = [
        (kind, str(len(some)), f"{np.mean(some):.3f}", f"{np.mean(np.array(some) < 0.7):.3f}")
        for kind, some in sorted(kinds.items(), key=lambda one: -len(one[1]))
    ]
    print("\n" + "\n".join(table(("kind", "answers", "confidence", "below .7"), rows)))


def _print_sets(judged: Sequence[Judged], told: np.ndarray, share: np.ndarray, chosen: np.ndarray) -> None:
    sets, right = np.array([one.set for one in judged]), np.array([float(one.right) for one in judged])
    lines = []
    for name in (*sorted(set(sets[chosen])), ""):
        here = chosen & ((sets == name) | (not name))
        wrong = 1 - right[here]
        ranked = f"{auroc(told[here], right[here], share[here]):.3f}" if 0 < wrong.sum() < len(wrong) else "-"
        fitting = f"{error(told[here], right[here], share[here]):.3f}"
        lines.append((name or "all", str(int(right[here].sum())), str(int(wrong.sum())), fitting, ranked))
    print("\n".join(table(("set", "right", "wrong", "ECE", "AUROC"), lines)))


def main(
    answers: Annotated[
        Path | None, typer.Option(help="The answers of a model that benchmarks/ladder.py kept, to learn from, too.")
    ] = None,
    keep: Annotated[Path | None, typer.Option(help="A file that what was asked is kept in, and read from.")] = None,
    write: Annotated[bool, typer.Option("--write", help="Learn from all, and write the weights.")] = False,
) -> None:
    """Make answers, judge them, leave sets out, and print how true the confidence is."""
    if keep and keep.exists():
        judged: list[Judged] = pickle.loads(keep.read_bytes())
    else:
        judged = collect()
        if keep:
            keep.write_bytes(pickle.dumps(judged))
    judged += recorded(answers) if answers else []
    report(judged)
    if write:
        weights = learn(judged)
        FILE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
