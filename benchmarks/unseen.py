"""Learn which of two readings of a question to trust, and see how that does on graphs that were left out.

    TRIAD_DATA=… .venv/bin/python benchmarks/unseen.py            # ask, leave graphs out, and report
    TRIAD_DATA=… .venv/bin/python benchmarks/unseen.py --write    # the same, then learn from all, and write the weights
    TRIAD_DATA=… .venv/bin/python benchmarks/unseen.py --only free --only geo-de

Questions of small graphs are asked (``free``, ``spider``), of which some cannot be answered: those that say so, ten
of other databases a graph of ``spider``, and half of all others with one content word replaced by a word of other
graphs' questions. Three known sets are asked besides, and sets that are never learned from: GeoQuery in three languages
without the questions that depend on what is major, and the first turns of dialogues of people. Of each question the
readings over the schema that are run are kept, and the best candidate of the search (`triad.lexical.choice`). The best
of these by gold is what a perfect choice would answer; what is not right even then was not drafted.

The ranking of readings is learned as that of candidate queries is in ``learn.py``: its weights maximise the probability
that a softmax gives to the best readings. Two logistic regressions then tell how likely the best reading is right, and
how likely the best candidate. Graphs are divided in six; figures are of graphs that none of these weights was learned
from. Not left out are the weights at hand, which tell what drafts are run, and those of the search, which knows the
three known sets.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from displayed import cells, is_right, rows_f1
from learn import SETS, each, gold_of, result_f1, texts
from loguru import logger
from regression import logistic

from triad.agent import Agent
from triad.datasets import Item
from triad.errors import TriadError
from triad.evaluation.metrics.calibration import bins, calibration_error
from triad.evaluation.metrics.sets import mean
from triad.language.analysis import analyse
from triad.language.pack import load_pack
from triad.lexical.choice import (
    Tried,
    agree,
    behind_best,
    composed_evidence,
    contest,
    decided,
    evidence_alone,
    evidence_beside,
    found_at,
    question_evidence,
    result_key,
)
from triad.lexical.fitting import best_of, named, ranking
from triad.lexical.mention_detection import LinkedQuestion
from triad.lexical.solver import schema_readings, search
from triad.lexical.weights import WEIGHTS, Weights, load_weights, probability, weighted
from triad.phases.context import Context
from triad.questions import Question
from triad.rdf import Literal, ResultSet
from triad.text import table

FOLDERS = ("free", "spider")
"""Sets that are folders of graphs with questions."""
HELD = ("geo-en", "geo-de", "geo-es", "talks")
"""Sets that are only measured."""
KNOWN = ("demo", "ck25", "yago", "metaqa1", "metaqa2", "metaqa3")
"""Sets of one graph each, as ``learn.py`` knows them; those of MetaQA have one together."""
MOST = 50
"""Questions of a known set that are asked at most."""
GRAPHS = ("graph.ttl", "graph.trig", "kg.nt.gz", "graph.nt")
FOREIGN = 10
"""Questions of other databases that each graph of ``spider`` is asked."""
REPLACED = 0.5
"""Share of the questions that are asked again with another word."""
REPLACED_COUNT = 0.35
"""What such a question counts for, for nobody asks them: without any, names that are dropped cost too little."""
FOLDS = 6
GIVEN = {"broken": -4.0, "role": -1.5, "dropped": -3.0}
"""Weights that are rules and not learned: no data set asks for a city's country by saying neither, and few have
questions of which a name that is left out leads to another answer."""
CHOICE = 0.03
"""Of the L2 penalty of the two regressions, over the number of their weights."""
RIGHT, WRONG = 0.99, 0.5
"""The F1 from which on an answer is right, and below which it is wrong."""
SURELY = 0.75
"""The confidence from which on a wrong answer is sure of itself."""
LEAST = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""The confidences that answers are given from."""

WORD = re.compile(r"[A-Za-z]{4,}")

Judge = Callable[[Context, ResultSet], float]
"""Tells what a result is worth, from 0 to 1."""


@dataclass(slots=True)
class Found(Tried):
    """A query of one of the two ways that was run, with a digest of what it found."""

    value: float
    """What that is worth."""
    evidence: Mapping[str, float] = field(default_factory=dict)
    """What its sureness rests on, the other way aside."""
    tied: int = 0


@dataclass(slots=True)
class Asked:
    """A question with what the two ways make of it."""

    set: str
    graph: str
    kind: str
    answerable: bool
    replaced: bool = False
    """Whether a word of it was replaced."""
    readings: list[Found] = field(default_factory=list)
    setting: dict[str, float] = field(default_factory=dict)
    """What is known of the question and the graph."""
    searched: Found | None = None

    @property
    def best(self) -> float:
        """What the best of all queries is worth that were run."""
        return max((one.value for one in (*self.readings, self.searched) if one), default=0.0)

    @property
    def family(self) -> str:
        """What counts together: the set, and the parts of one set."""
        return SETS[self.set][0] if self.set in SETS else self.set

    @property
    def group(self) -> str:
        """What is reported, and counts, together."""
        return f"{self.set}, a word replaced" if self.replaced else self.set


@dataclass(frozen=True, slots=True)
class Told:
    """A question with what is answered, by weights that were not learned from its graph."""

    asked: Asked
    confidence: float
    """0 if nothing is answered."""
    value: float
    composed: float
    """What the best reading over the schema is worth."""
    by_search: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A question of a folder."""

    text: str
    language: str
    kind: str
    gold: Mapping[str, Any]
    answerable: bool = True
    replaced: bool = False


def folder_of(name: str) -> Path:
    """Return the folder of a set."""
    return Path(os.environ["TRIAD_DATA"]) / name


# Asking ---------------------------------------------------------------------------------------------------


def records(folder: Path) -> dict[str, list[Record]]:
    """Return the questions of each graph of a folder."""
    found: dict[str, list[Record]] = {}
    for file in sorted(folder.glob("*/questions.json")):
        content: Any = json.loads(file.read_text(encoding="utf-8"))
        found[file.parent.name] = [
            Record(one["question"], one["language"], one["kind"], one, not one.get("unanswerable"))
            if isinstance(content, list)
            else Record(next(q["string"] for q in one["question"] if q["language"] == "en"), "en", one["type"], one)
            for one in (content if isinstance(content, list) else content["questions"])
        ]
    return found


def held(name: str) -> dict[str, list[Record]]:
    """Return the questions of a set that is only measured, by the folder of their graph."""
    found: defaultdict[str, list[Record]] = defaultdict(list)
    if name == "talks":
        content = json.loads((folder_of(name) / "dialogues.json").read_text(encoding="utf-8"))
        for one in content["dialogues"]:
            first, graph = one["turns"][0], f"spider/{one['graph']}"
            if first["expect"] == "rows" and folder_of(graph).exists():
                gold = {"display": first["rows"]}
                found[graph].append(Record(first["text"], one["language"], first["kind"], gold))
        return found
    graph = "peers/geoquery"
    for line in (folder_of(graph) / f"{name.removeprefix('geo-')}.jsonl").read_text(encoding="utf-8").splitlines():
        one = json.loads(line)
        if not one["tags"]["major"]:
            found[graph].append(Record(one["question"], one["language"], one["tags"]["kind"], one))
    return found


def foreign(graph: str, by_graph: Mapping[str, Sequence[Record]]) -> list[Record]:
    """Return some questions of other graphs; they have no answer here."""
    others = [one for name, part in by_graph.items() if name != graph for one in part]
    return [replace(one, answerable=False) for one in random.Random(graph).sample(others, FOREIGN)]


def with_replaced_words(graph: str, by_graph: Mapping[str, Sequence[Record]]) -> Iterator[Record]:
    """Yield some questions of a graph with a content word replaced by one that only other graphs' questions have."""
    chance, pack = random.Random(graph), load_pack("en")
    said = {name: {word.lower() for one in part for word in WORD.findall(one.text)} for name, part in by_graph.items()}
    english = {
        word.lower()
        for name, part in by_graph.items()
        for one in part
        if name != graph and one.language == "en"
        for word in WORD.findall(one.text)
    }
    pool = [word for word in sorted(english - said[graph]) if word not in pack.empty and not pack.is_idle(word)]
    for one in by_graph[graph]:
        if one.answerable and chance.random() < REPLACED and (text := replaced(one, pool, chance)):
            yield replace(one, text=text, answerable=False, replaced=True)


def replaced(record: Record, pool: Sequence[str], chance: random.Random) -> str | None:
    """Return a question with a content word replaced by one of a pool; None if it has no such word."""
    analysis = analyse(record.text, load_pack(record.language))
    words = [
        word
        for at, word in enumerate(analysis.words)
        if not word.empty and at not in analysis.used and len(word.text) >= 4 and word.text.isalpha()
    ]
    if not words:
        return None
    word, other = chance.choice(words), chance.choice(pool)
    if word.start and word.text[0].isupper():
        other = other.capitalize()
    return record.text[: word.start] + other + record.text[word.end :]


def ask_graph(name: str, graph: str) -> list[Asked]:
    """Ask all that a set asks of the graph in a folder."""
    logger.remove()
    own = graph.rpartition("/")[2]
    by_graph = held(name) if name in HELD else records(folder_of(name))
    asked = by_graph[graph] if name in HELD else [*by_graph[own], *with_replaced_words(own, by_graph)]
    if name == "spider":
        asked += foreign(own, by_graph)
    file = next(path for path in (folder_of(graph) / one for one in GRAPHS) if path.exists())
    with Agent(graph=file, model="none") as agent:
        return [
            read(
                agent, Question(one.text, one.language), partial(_worth, one),
                Asked(name, graph, one.kind, one.answerable, one.replaced),
            )
            for one in asked
        ]  # fmt: skip


def ask_known(name: str) -> list[Asked]:
    """Ask the questions of a known set."""
    return each(name, MOST, "en", _ask_item)


def _ask_item(name: str, agent: Agent, item: Item) -> Asked:
    wanted = texts(gold_of(agent, item))

    def judge(_: Context, result: ResultSet) -> float:
        return result_f1(agent, result, wanted, item.by_name)

    return read(agent, Question(item.question.text, "en"), judge, Asked(name, SETS[name][0], "", answerable=True))


def _worth(record: Record, context: Context, result: ResultSet) -> float:
    if not record.answerable:
        return 0.0
    shown = cells(result, context.schema)
    if "display" not in record.gold:
        return float(is_right(record.gold, result, shown))
    return 0.0 if result.boolean is not None else rows_f1(record.gold["display"], shown)


def read(agent: Agent, question: Question, judge: Judge, asked: Asked) -> Asked:
    """Read a question in both ways, and judge what they find.

    Args:
        agent: What knows the graph.
        question: The question.
        judge: Tells what a result is worth.
        asked: What else is known of the question; the readings are put there.
    """
    context = agent.begin(question)
    try:
        linked = LinkedQuestion.of(context, question.text, load_weights())
        readings, profile = schema_readings(linked), context.profile
        asked.setting = question_evidence(readings.strange, profile.things) if profile and readings.tried else {}
        asked.readings = [
            Found(judge(context, one.result), features=one.features, result=_digest(one.result))
            for one in readings.ranked
        ]
        best = search(linked)
    except TriadError as error:
        print(f"{asked.graph}: {question.text}: {error}")
        return asked
    if best is not None:
        value, digest = judge(context, best.result), _digest(best.result)
        asked.searched = Found(value, features=dict(best.evidence), result=digest)
    return asked


def _digest(result: ResultSet) -> ResultSet:
    if result.boolean is not None:
        return ResultSet(boolean=result.boolean)
    return ResultSet(("found",), ((Literal(str(hash(result_key(result)))),),))


def collect(only: Sequence[str]) -> list[Asked]:
    """Ask all questions in two processes, the largest graphs first."""
    graphs = [
        (name, file.parent)
        for name in FOLDERS
        if name in only or not only
        for file in folder_of(name).glob("*/questions.json")
    ]
    graphs.sort(key=lambda graph: -sum(path.stat().st_size for path in graph[1].iterdir()))
    with ProcessPoolExecutor(2) as pool:
        parts = [pool.submit(ask_known, name) for name in KNOWN if name in only or not only]
        parts += [pool.submit(ask_graph, name, f"{name}/{folder.name}") for name, folder in graphs]
        asked = [name for name in HELD if name in only or not only]
        parts += [pool.submit(ask_graph, name, graph) for name in asked for graph in held(name)]
        return [one for part in parts for one in part.result()]


# Learning -------------------------------------------------------------------------------------------------


def shares(asked: Sequence[Asked]) -> list[float]:
    """Return how much each question counts: the larger its set, with all parts, the less."""
    sizes = Counter((one.family, one.replaced) for one in asked)
    return [1 / math.sqrt(sizes[one.family, one.replaced]) for one in asked]


def learn_ranking(asked: Sequence[Asked]) -> dict[str, float]:
    """Return the weights of the readings' features."""
    useful = [one for one in asked if one.answerable and any(found.value for found in one.readings)]
    names = sorted({name for one in useful for found in one.readings for name in found.features} - GIVEN.keys())
    values = [[found.value for found in one.readings] for one in useful]
    rows = [[found.features.get(name, 0.0) for name in names] for one in useful for found in one.readings]
    given = [weighted(GIVEN, found.features) for one in useful for found in one.readings]
    starts = np.cumsum([0, *map(len, values)])[:-1]
    counts = np.array([share * max(mine) for share, mine in zip(shares(useful), values, strict=True)])
    best = np.concatenate(list(map(best_of, values)))
    return named(names, ranking(np.array(rows), best, starts, counts, given=np.array(given))) | GIVEN


def ranked_readings(asked: Asked, weights: Mapping[str, float]) -> list[Found]:
    """Return the readings of a question, the best first."""
    scored = (replace(one, score=weighted(weights, one.features)) for one in asked.readings)
    return sorted(scored, key=lambda one: -one.score)


def best_reading(asked: Asked, weights: Mapping[str, float]) -> Found | None:
    """Return the best reading of a question that found something, with its evidence."""
    ranked = ranked_readings(asked, weights)
    place = found_at(ranked)
    return None if place is None else replace(ranked[place], evidence=composed_evidence(ranked, place, weights))


def best_candidate(asked: Asked, weights: Mapping[str, float]) -> Found | None:
    """Return the best candidate of the search, with how it stands among the readings."""
    found = asked.searched
    if found is None:
        return None
    return replace(found, evidence={**found.features, **behind_best(found.result, ranked_readings(asked, weights))})


def learn(asked: Sequence[Asked]) -> Weights:
    """Return the weights of the readings' features, and how sure each of the two ways is."""
    weights = Weights(composition=learn_ranking(asked))
    counts = [
        share * (REPLACED_COUNT if one.replaced else 1.0) for one, share in zip(asked, shares(asked), strict=True)
    ]
    both = [(best_reading(one, weights.composition), best_candidate(one, weights.composition)) for one in asked]
    rows: list[tuple[dict[str, float], float, float]] = []
    for one, (found, other), count in zip(asked, both, counts, strict=True):
        if found is None:
            continue
        rivalled = None not in contest(found, other)
        rows.append((evidence_alone(found.evidence, one.setting), found.value, count / 2 if rivalled else count))
        if other and rivalled:
            known = evidence_beside(found.evidence, one.setting, other.evidence["confidence"], agree(found, other))
            rows.append((known, found.value, count / 2))
    weights = replace(weights, composed=_regression(rows))
    rows = []
    for one, (found, other), count in zip(asked, both, counts, strict=True):
        if other is None or not one.setting:
            continue  # where the schema is not read, the search is as sure as it says
        known = evidence_alone(other.evidence, one.setting)
        if found is not None and None not in contest(found, other):
            own = probability(weights.composed, evidence_alone(found.evidence, one.setting))
            known = evidence_beside(other.evidence, one.setting, own, agree(found, other))
        rows.append((known, other.value, count))
    return replace(weights, searched=_regression(rows))


def _regression(rows: Sequence[tuple[Mapping[str, float], float, float]]) -> dict[str, float]:
    known, right, counts = zip(*rows, strict=True)
    names = {name for row in known for name in row}
    return logistic(known, right, counts, CHOICE / len(names), free=("bias",))


def told(asked: Asked, weights: Weights) -> Told:
    """Return what is answered, and how sure that is, as `triad.lexical.solver` does."""
    composed, searched = best_reading(asked, weights.composition), best_candidate(asked, weights.composition)
    found = decided(composed, lambda: searched, asked.setting, weights)
    chosen, confidence = next(iter(found), (None, 0.0))
    value, own = chosen.value if chosen else 0.0, composed.value if composed else 0.0
    return Told(asked, confidence, value, own, chosen is not None and chosen is searched)


def left_out(asked: Sequence[Asked]) -> list[Told]:
    """Return what is answered to each question by what was learned from graphs of the other divisions."""
    graphs = sorted({one.graph for one in asked})
    random.Random(1).shuffle(graphs)
    graphs.sort(key=lambda graph: graph.startswith("spider/"))  # each division has some of either kind
    folds = min(FOLDS, len(graphs))
    division = {graph: at % folds for at, graph in enumerate(graphs)}
    found = []
    for fold in range(folds):
        known = [one for one in asked if division[one.graph] != fold and one.set not in HELD]
        weights = learn(known) if known else load_weights()
        found += [told(one, weights) for one in asked if division[one.graph] == fold]
    return found


# Reporting ------------------------------------------------------------------------------------------------


def report(found: Sequence[Told]) -> None:
    """Print what is right, what is declined, and how true the confidence is."""
    by_group: defaultdict[str, list[Told]] = defaultdict(list)
    for one in found:
        by_group[one.asked.group].append(one)
    by_group["all, no word replaced"] = [one for one in found if not one.asked.replaced]
    lines = [
        (
            group, str(len(can := [one for one in part if one.asked.answerable])), str(len(part) - len(can)),
            _mean(one.value for one in can), _mean(one.asked.best for one in can), _mean(one.composed for one in can),
            _mean(one.asked.searched.value if one.asked.searched else 0.0 for one in can),
            _mean(one.by_search for one in part), _number(error(part)), _number(worst(part)), _number(auroc(part)),
            _mean(one.confidence >= SURELY and one.value < WRONG for one in part),
        )
        for group, part in by_group.items()
    ]  # fmt: skip
    header = (
        "set",
        "with answer",
        "without",
        "F1",
        "best",
        "schema",
        "search",
        "by search",
        "ECE",
        "worst",
        "AUROC",
        "sure",
    )
    print("\nF1 of questions with an answer: of what is answered, of the best query that was run, and of each way;")
    print("the share answered by search; calibration error, and that of the worst graph; AUROC;")
    print(f"share that is wrong at {SURELY} and above")
    print("\n".join(table(header, lines)))
    for title, figure in FIGURES.items():
        print(f"\n{title}, by the least confidence")
        rows = [(group, *(figure(part, least) for least in LEAST)) for group, part in by_group.items()]
        print("\n".join(table(("set", *map(str, LEAST)), [row for row in rows if any(row[1:])])))
    by_kind: defaultdict[tuple[str, str], list[Told]] = defaultdict(list)
    for one in found:
        if one.asked.answerable and one.asked.kind:
            by_kind[one.asked.set, one.asked.kind].append(one)
    kinds = [
        (
            *kind, str(len(part)), _mean(one.value for one in part), _mean(one.asked.best for one in part),
            _mean(one.asked.best < WRONG for one in part),
        )
        for kind, part in sorted(by_kind.items())
    ]  # fmt: skip
    print("\nby type: F1, that of the best query that was run, and the share of which none that was run is right")
    print("\n".join(table(("set", "type", "questions", "F1", "best", "not drafted"), kinds)))


def _given(part: Sequence[Told], least: float) -> list[Told]:
    return [one for one in part if one.confidence and one.confidence >= least]


FIGURES: Mapping[str, Callable[[Sequence[Told], float], str]] = {
    "Share of the questions that is answered": lambda part, least: _number(len(_given(part, least)) / len(part)),
    "F1 of what is answered": lambda part, least: _mean(one.value for one in _given(part, least)),
    "F1 of all questions with an answer": lambda part, least: _mean(
        one.value if one.confidence >= least else 0.0 for one in part if one.asked.answerable
    ),
    "Share of the questions without an answer that is declined": lambda part, least: _mean(
        one.confidence < least for one in part if not one.asked.answerable
    ),
}


def error(part: Iterable[Told]) -> float | None:
    """Return the expected calibration error of what is answered."""
    return calibration_error(bins((one.confidence, one.value) for one in part if one.confidence))


def worst(part: Iterable[Told]) -> float | None:
    """Return the greatest calibration error of a graph."""
    by_graph: defaultdict[str, list[Told]] = defaultdict(list)
    for one in part:
        by_graph[one.asked.graph].append(one)
    return max((found for part in by_graph.values() if (found := error(part)) is not None), default=None)


def auroc(part: Iterable[Told]) -> float | None:
    """Return how often a right answer has more confidence than a wrong one; a tie counts half."""
    answered = [one for one in part if one.confidence]
    right = np.array([one.confidence for one in answered if one.value >= RIGHT])[:, None]
    wrong = np.array([one.confidence for one in answered if one.value < WRONG])
    return float(np.mean((right > wrong) + 0.5 * (right == wrong))) if right.size and wrong.size else None


def _mean(values: Iterable[float]) -> str:
    """Return a mean for a table; nothing of no values."""
    there = list(values)
    return _number(mean(there)) if there else ""


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def main(
    only: Annotated[list[str], typer.Option(help="Sets; all by default.")] = [],  # noqa: B006
    write: Annotated[bool, typer.Option("--write", help="Learn from all, and write the weights.")] = False,
) -> None:
    """Ask, leave graphs out, and print what is right and how sure it is."""
    started = time.monotonic()
    asked = collect(only)
    if len({one.graph for one in asked if one.set not in HELD}) == 1:
        raise typer.BadParameter("at least two graphs are needed, so that one can be left out")
    print(f"{len(asked)} questions in {time.monotonic() - started:.0f} s")
    report(left_out(asked))
    if write:
        learned = learn([one for one in asked if one.set not in HELD])
        weights = replace(
            load_weights(), composition=learned.composition, composed=learned.composed, searched=learned.searched
        )
        WEIGHTS.write_text(json.dumps(asdict(weights), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
