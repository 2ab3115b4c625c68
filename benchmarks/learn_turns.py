"""Learn how likely each reading of a turn is right, and see how that does in dialogues over graphs that were left out.

    PYTHONPATH=. TRIAD_DATA=… python benchmarks/learn_turns.py                # play, leave graphs out, and report
    PYTHONPATH=. TRIAD_DATA=… python benchmarks/learn_turns.py --write        # the same, then write the weights

No model is asked. Dialogues of people over databases (``talks``), dialogues as people type them (``chats``, and those
of the tests over the graphs of ``free``), generated ones (``dialogues``), those in eleven languages and the tables of
the tests are played from first to last. Of each turn that leans on those before it, all readings are kept, with whether
they give what gold does; a question back is right if one of its options is. The weights maximise the probability that a
softmax gives to the right readings, or to that none is right. A dialogue goes on from what the weights at hand give.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from displayed import cells, rows_f1
from loguru import logger

from tests.conversation.test_dialogues_in_languages import DATA, GIVEN, LABELS, TURTLE
from tests.conversation.test_free_dialogues import DIALOGUES, is_right as as_typed
from triad.agent import Agent
from triad.answers import Answer
from triad.conversation import Conversation, Turn
from triad.conversation.choice import NONE, WEIGHTS, Reading, features, giving, likeliest
from triad.conversation.dialogue import Utterance
from triad.conversation.turns import named_answers
from triad.conversation.understanding import by_itself, readings
from triad.evaluation.metrics.calibration import bins, calibration_error
from triad.language.follow_ups import recognise
from triad.lexical.fitting import named, ranking, softmax, vector
from triad.lexical.weights import weighted
from triad.questions import Question
from triad.strict import load_yaml
from triad.text import table

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "conversation"
ORDERED = ("test_columns_and_order_are_added", "test_one_is_picked")
"""Tables of tests whose rows are in order."""
SHARES = {"talks": 1.0, "chats": 3.0, "free": 3.0, "tests": 1.0, "languages": 0.3, "generated": 0.2}
"""What a turn of a set counts: those of people weigh the more, the fewer there are."""
FOLDS = 4
"""Parts of the graphs of ``talks``, each of which is left out at once; other graphs are left out one by one."""
SELDOM = 2
"""Readings of which a feature is known at least, to have a weight."""
STRENGTH = 0.1
MOST = 30
"""Dialogues of a graph of generated ones that are played."""
SAME = 0.99
"""The F1 of rows that are the same."""
LEAST = (0.25, 0.4, 0.5, 0.75)
"""The confidences that answers are given from."""


@dataclass(slots=True)
class Played:
    """A turn that leans on those before it, with its readings."""

    set: str
    graph: str
    learned: bool
    """False for a turn whose gold is arguable: it is only measured."""
    known: list[Mapping[str, float]] = field(default_factory=list)
    """What is known of each reading that gives something; then of none."""
    gives: list[object] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)


class Observed(Conversation):
    """A conversation that keeps the readings of its last turn."""

    seen: tuple[Utterance, list[Reading]] | None = None

    def _best(self, said: Utterance) -> Turn:
        told = recognise(said.text, said.pack)
        whole = said.dialogue.last is None or not said.leans or by_itself(said)
        if whole or (told and told.kind in ("why", "query")):
            return super()._best(said)
        self.seen = said, list(readings(said))
        return likeliest(*self.seen)


# Dialogues ------------------------------------------------------------------------------------------------

Dialogue = list[dict[str, Any]]


def dialogues(folder: Path, languages: Path) -> Iterator[tuple[str, str, Agent, list[Dialogue]]]:
    """Yield the set, the graph, its agent and the turns of its dialogues."""
    for name, content in (("talks", _read(folder / "talks")), ("chats", _read(folder / "chats")), ("free", DIALOGUES)):
        for graph in sorted({one["graph"] for one in content["dialogues"]}):
            path = {"talks": folder / "spider" / graph / "kg.nt.gz", "chats": ROOT / "configs" / graph / "graph.ttl"}
            agent = Agent(graph=str(path.get(name) or folder / content["graphs"][graph]), model="none")
            yield name, graph, agent, [one["turns"] for one in content["dialogues"] if one["graph"] == graph]
    tables = load_yaml((TESTS / "test_understanding.yaml").read_text(encoding="utf-8"), "test_understanding.yaml")
    pairs = (
        (name, *row) for name, rows in tables.items() for row in rows if len(row) == 2 and isinstance(row[0], list)
    )
    said = [
        [*({"text": text} for text in texts[:-1]), _of_table(name, texts[-1], wanted)] for name, texts, wanted in pairs
    ]
    yield "tests", "demo", Agent.from_config("demo"), said
    for graph in ("dblp", "dbpedia", "makg", "yago"):
        dialogue = folder / "dialogues" / graph
        turns = [one["turns"] for one in _read(dialogue)["dialogues"][:MOST]]
        said = [[{"text": one["question"], **one} for one in some] for some in turns]
        yield "generated", graph, Agent(graph=str(dialogue / "kg.nt.gz"), model="none"), said
    labels = (
        f':{name} rdfs:label "{label}"@{tag} .\n' for name, names in LABELS.items() for tag, label in names.items()
    )
    languages.write_text(TURTLE + "".join(labels), encoding="utf-8")
    said = [
        [_of_language(name, text, tag) for name, text in texts.items()]
        for which in ("dialogues", "further")
        for tag, texts in DATA[which].items()
    ]  # fmt: skip
    yield "languages", "rivers", Agent(str(languages), model="none", min_confidence=0.2), said


def _of_language(name: str, text: str, tag: str) -> dict[str, Any]:
    if name not in GIVEN:
        return {"text": text}
    return {"text": text, "given": [LABELS.get(one, {}).get(tag, one) for one in GIVEN[name]], "sort": name == "sort"}


def _of_table(name: str, text: str, shown: Sequence[object]) -> dict[str, Any]:
    return {"text": text, "shown": [*map(str, shown)], "sort": name in ORDERED}


def _read(folder: Path) -> Any:
    return json.loads((folder / "dialogues.json").read_text(encoding="utf-8"))


def judged(agent: Agent, gold: Mapping[str, Any], turn: Turn) -> bool | None:
    """Return whether a turn gives what gold does; None if there is no gold."""
    answer = turn.answer
    if not {"rows", "values", "boolean", "given", "shown", "answers"} & gold.keys():
        return None
    if answer is None or turn.error:
        return False
    if "given" in gold:
        columns = named_answers(turn)
        given = [one.label for one in (columns[-1] if columns else answer.values)]
        return given == gold["given"] if gold["sort"] else sorted(given) == sorted(gold["given"])
    if "shown" in gold:
        lines = [", ".join(value.label for value in row if value) for row in answer.rows]
        lines = lines if answer.boolean is None else ["yes" if answer.boolean else "no"]
        return lines == gold["shown"] if gold["sort"] else sorted(lines) == sorted(gold["shown"])
    if "rows" in gold:
        return _displayed(agent, gold["rows"], answer)
    if "answers" not in gold:
        return any(as_typed(answer, one) for one in (gold, *gold.get("accept", ())))
    [first, *_] = gold["answers"]
    if "boolean" in first:
        return answer.boolean == bool(first["boolean"])
    rows = {tuple(sorted(one["value"] for one in row.values())) for row in first["results"]["bindings"]}
    return rows == {tuple(sorted(str(value.term.value) for value in row if value)) for row in answer.rows}


def _displayed(agent: Agent, gold: Sequence[Sequence[str]], answer: Answer) -> bool:
    """Return whether rows are gold's, or a column is one of gold that names things or is all of it."""
    if answer.boolean is not None:
        return False
    shown = cells(answer.result, agent.begin(Question("?")).schema)
    if rows_f1(gold, shown) >= SAME:
        return True
    names = [column for column in zip(*gold, strict=True) if len(gold[0]) == 1 or not all(map(_is_number, column))]
    columns = [{(one,) for one in column} for column in zip(*shown, strict=True)]
    return any(rows_f1([(one,) for one in name], column) >= SAME for name in names for column in columns)


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).replace("-", "", 1).isdecimal()


def played(name: str, graph: str, agent: Agent, dialogue: Dialogue) -> Iterator[Played]:
    """Yield the turns of a dialogue that lean on those before them and have gold."""
    conversation = Observed(agent)
    for gold in dialogue:
        conversation.seen = None
        conversation.ask(gold["text"])
        if conversation.seen is None or judged(agent, gold, conversation.turns[-1]) is None:
            continue
        said, found = conversation.seen
        turn = Played(name, graph, not gold.get("arguable"))
        for one in giving(found):
            answers = (said.answers.turn(said.request, option, dependent=True) for option in one.turn.options)
            given = answers if one.turn.kind == "clarification" else [one.turn]
            turn.known.append(features(said, one))
            turn.gives.append(one.gives)
            turn.right.append(any(judged(agent, gold, each) for each in given))
        turn.known.append(NONE)
        turn.gives.append(None)
        turn.right.append(not any(turn.right))
        yield turn


# Learning -------------------------------------------------------------------------------------------------


def learn(turns: Sequence[Played]) -> dict[str, float]:
    """Return the weights under which the right readings of turns are the most probable."""
    counts = Counter(name for turn in turns for known in turn.known for name in known)
    names = sorted(name for name, count in counts.items() if count >= SELDOM)
    matrix = np.array([vector(names, known) for turn in turns for known in turn.known])
    right = np.array([float(one) for turn in turns for one in turn.right])
    starts = np.cumsum([0, *(len(turn.known) for turn in turns[:-1])])
    shares = np.array([SHARES[turn.set] for turn in turns])
    return named(names, ranking(matrix, right, starts, shares, strength=STRENGTH))


def likely(turn: Played, weights: Mapping[str, float]) -> tuple[float, bool]:
    """Return how likely the best answer to a turn is right, and whether it is; nothing is as likely as can be wrong."""
    odds = softmax(np.array([weighted(weights, known) for known in turn.known]), np.array([0]))
    sums: defaultdict[object, float] = defaultdict(float)
    for gives, odd in zip(turn.gives[:-1], odds, strict=False):
        sums[gives] += float(odd)
    best = max(sums, key=sums.__getitem__, default=None)
    return sums[best] if best else 0.0, any(
        right and gives == best for gives, right in zip(turn.gives[:-1], turn.right, strict=False)
    )


def left_out(turns: Sequence[Played]) -> Iterator[tuple[Played, float, bool]]:
    """Yield each turn with what is made of it by weights that were not learned from its graph."""
    graphs = sorted({turn.graph for turn in turns if turn.set == "talks"})
    random.Random(1).shuffle(graphs)
    parts = [{("talks", graph) for graph in graphs[at::FOLDS]} for at in range(FOLDS)]
    known = sorted({turn.graph for turn in turns if turn.set != "talks"})
    parts += [
        {(turn.set, turn.graph) for turn in turns if turn.graph == graph and turn.set != "talks"} for graph in known
    ]
    for part in parts:
        weights = learn([turn for turn in turns if turn.learned and (turn.set, turn.graph) not in part])
        yield from ((turn, *likely(turn, weights)) for turn in turns if (turn.set, turn.graph) in part)


def report(found: Sequence[tuple[Played, float, bool]]) -> None:
    """Print what is right and what is wrong of what is given, and how true the number is."""
    lines = []
    for name in SHARES:
        part = [(sure, right) for turn, sure, right in found if turn.set == name]
        best = sum(any(turn.right[:-1]) for turn, _, _ in found if turn.set == name)
        given = [
            f"{sum(r for s, r in part if s >= least)} / {sum(not r for s, r in part if s >= least)}" for least in LEAST
        ]
        error = calibration_error(bins((sure, float(right)) for sure, right in part if sure >= LEAST[0]))
        lines.append((name, str(len(part)), str(best), *given, f"{error or 0.0:.3f}"))
    print("\nTurns that lean on others: right and wrong of what is given, by the least confidence")
    print("\n".join(table(("set", "turns", "some reading right", *map(str, LEAST), "ECE"), lines)))


def main(
    only: Annotated[list[str], typer.Option(help="Sets; all by default.")] = [],  # noqa: B006
    write: Annotated[bool, typer.Option("--write", help="Learn from all, and write the weights.")] = False,
) -> None:
    """Play, leave graphs out, and print what is right and how sure it is."""
    logger.remove()
    with tempfile.TemporaryDirectory() as folder:
        turns = [
            turn
            for name, graph, agent, said in dialogues(Path(os.environ["TRIAD_DATA"]), Path(folder) / "rivers.ttl")
            if not only or name in only
            for dialogue in said
            for turn in played(name, graph, agent, dialogue)
        ]
    report(list(left_out(turns)))
    if write:
        WEIGHTS.write_text(
            json.dumps(learn([turn for turn in turns if turn.learned]), indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(main)
    app()
