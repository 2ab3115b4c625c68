"""Question sets on which other systems have published figures, with Triad's beside them.

    TRIAD_DATA=… .venv/bin/python benchmarks/peers.py --model openai:gpt-4.1-mini
    TRIAD_DATA=… .venv/bin/python benchmarks/peers.py --model none
    TRIAD_DATA=… .venv/bin/python benchmarks/peers.py --only acme,ck26 --model replay:replies.jsonl --sure 1
    TRIAD_DATA=… .venv/bin/python benchmarks/peers.py --only tuc --limit 10 --show   # what is not right

TRIAD_DATA names the folder that holds peers/ and ck25/. Triad has no examples of a set. Each set is measured as its
publishers do, as far as that can be told from what they say; their figures are of the whole sets, ours of the questions
that lie here, or of so many of each file with the least hash.

- rows found: all rows of gold are rows of the answer, which may have further columns and rows
- rows: the rows are those of gold, in any order of rows and columns
- set F1: of the values of all columns; official: as TEXT2SPARQL computes it, in which a yes or no never counts
- wrong: an answer is given that shares under half with gold; unknown: none is given
"""

from __future__ import annotations

import hashlib
import json
import os
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from learn import gold_of

from triad import Agent, Answer
from triad.datasets import Item, load_dataset
from triad.errors import AnswerError, TriadError
from triad.evaluation.metrics.scoring import score
from triad.garbage import kept
from triad.models import open_model
from triad.questions import Question
from triad.rdf import ResultSet
from triad.route import Route
from triad.text import table
from triad.trace import Trace

ACME: Final = {
    "loss payment": {"of": "Claim", "formula": "<has loss payment>/<loss payment amount>"},
    "loss reserve": {"of": "Claim", "formula": "<has loss reserve>/<loss reserve amount>"},
    "expense payment": {"of": "Claim", "formula": "<has expense payment>/<expense payment amount>"},
    "expense reserve": {"of": "Claim", "formula": "<has expense reserve>/<expense reserve amount>"},
    "total loss": "loss payment + loss reserve + expense payment + expense reserve",
    "premium": {"of": "Policy Coverage Detail", "formula": "<has premium amount>/<premium amount>"},
    "loss ratio": {"of": "Policy Coverage Detail", "formula": "sum(^<against>/<total loss>) / premium"},
}
"""The amounts of an insurance, over its ontology's names."""
MAJOR: Final = {
    "major city": {"of": "City", "where": "population > 150000"},
    "major river": {"of": "River", "where": "length > 750"},
}
"""What GeoQuery means by major."""
POWER, BUILDINGS, CK25 = "peers/talk2powersystem", "peers/buildingqa", "ck25/kg.nt.gz"


@dataclass(frozen=True, slots=True)
class Peers:
    """A set: its files of questions with their graphs, and what others published on it."""

    files: dict[str, str]
    measure: str
    published: str
    without: str = ""
    """A tag whose questions are left out."""
    tag: str = ""
    """A tag that its questions have."""
    words: Mapping[str, Any] = field(default_factory=dict)
    """Definitions of what the questions name and the graph has no term for."""


SETS: Final = {
    "talk2power": Peers(
        {f"{POWER}/v3-dev.jsonl": f"{POWER}/graph.nt.gz"},
        "rows found",
        "gpt-5.4 .749, with examples .928 (150,000 tokens and more)",
    ),
    "breadth": Peers({f"{POWER}/breadth.jsonl": f"{POWER}/graph.nt.gz"}, "rows found", "–"),
    "tuc": Peers(
        {f"{BUILDINGS}/TUC_building.jsonl": f"{BUILDINGS}/TUC_building.ttl"},
        "set F1",
        "all buildings: ReAct with gemini-2.5-flash .493 (127,000 tokens)",
    ),
    "dflexlibs": Peers(
        {f"{BUILDINGS}/dflexlibs_multizone.jsonl": f"{BUILDINGS}/dflexlibs_multizone.ttl"}, "set F1", "as above"
    ),
    "ck26": Peers({"peers/ck26/en.jsonl": CK25}, "official", "SPARQL-LLM .851 with CK25's gold, INFAI-A .644"),
    "ck26-de": Peers({"peers/ck26/de.jsonl": CK25}, "official", "SPARQL-LLM .810 with CK25's gold, INFAI-A .623"),
    "acme": Peers({"peers/acme/questions.jsonl": "peers/acme/graph.nt"}, "rows", "GPT-4 with a check .726, .20 wrong"),
    "acme-words": Peers({"peers/acme/questions.jsonl": "peers/acme/graph.nt"}, "rows", "as above", words=ACME),
    "geo-en": Peers(
        {"peers/geoquery/en.jsonl": "peers/geoquery/graph.nt"}, "rows", "trained parsers .90 to .91", without="major"
    ),
    "geo-de": Peers({"peers/geoquery/de.jsonl": "peers/geoquery/graph.nt"}, "rows", "–", without="major"),
    "geo-major": Peers({"peers/geoquery/en.jsonl": "peers/geoquery/graph.nt"}, "set F1", "–", tag="major", words=MAJOR),
}


@dataclass(slots=True)
class Outcome:
    """What became of a question."""

    item: Item
    answer: Answer | None
    trace: Trace | None
    failure: str
    scores: dict[str, float] = field(default_factory=dict)


def items(peers: Peers, limit: int | None) -> Iterator[tuple[Path, list[Item]]]:
    """Yield the graph and the questions of each file of a set."""
    for file, graph in peers.files.items():
        data = load_dataset(Path(os.environ["TRIAD_DATA"], file), "jsonl", language="en")
        found = [one for one in data.items if not has(one, peers.without) and (not peers.tag or has(one, peers.tag))]
        found.sort(key=lambda one: hashlib.sha1(one.question.text.encode()).hexdigest())
        yield Path(os.environ["TRIAD_DATA"], graph), found[:limit]


def has(item: Item, tag: str) -> bool:
    return str(item.tags.get(tag)).lower() == "true"


def ask(agent: Agent, item: Item) -> Outcome:
    question = Question(item.question.text, item.question.language, id=item.question.id)
    try:
        answer = agent.ask(question)
        outcome = Outcome(item, answer, answer.trace, "")
    except TriadError as error:
        outcome = Outcome(item, None, error.trace if isinstance(error, AnswerError) else None, str(error))
        if not isinstance(error, AnswerError) or error.unknown is None:
            outcome.failure = f"failed: {error}"
    outcome.scores = scores(agent, item, outcome.answer)
    return outcome


def scores(agent: Agent, item: Item, answer: Answer | None) -> dict[str, float]:
    """Return what an answer is worth by each measure, from 0 to 1."""
    gold = gold_of(agent, item)
    by_definition = score(item, gold, answer)
    alike, within = same_rows(gold, answer)
    return {
        "rows": float(alike),
        "rows found": float(within),
        "set F1": by_definition["macro_f1_gerbil"] or 0.0,
        "official": by_definition["set_f_challenge"] or 0.0,
    }


def same_rows(gold: ResultSet, answer: Answer | None) -> tuple[bool, bool]:
    """Return whether the rows are those of gold, and whether each of gold is a part of one."""
    if answer is None:
        return False, False
    if gold.boolean is not None:
        return (answer.boolean == gold.boolean,) * 2
    wanted = [Counter(written(str(one)) for one in row if one is not None) for row in gold.rows]
    given = [[{written(str(one.term)), written(one.label)} for one in row if one is not None] for row in answer.rows]
    left, found = list(given), 0
    for row in wanted:
        if fit := next((one for one in left if covers(one, row)), None):
            left.remove(fit)
            found += 1
    within = found == len(wanted)
    return within and not left and all(len(a) == len(b.keys()) for a, b in zip(given, wanted, strict=True)), within


def covers(cells: Sequence[set[str]], row: Counter[str]) -> bool:
    return all(sum(value in cell for cell in cells) >= times for value, times in row.items())


def written(value: str) -> str:
    try:
        return f"{float(value):.5g}"
    except ValueError:
        return " ".join(value.casefold().split())


def main(
    model: Annotated[str, typer.Option(help="What opens the model; none for the solver alone.")] = "none",
    only: Annotated[str, typer.Option(help="Sets, with commas.")] = ",".join(SETS),
    limit: Annotated[int | None, typer.Option(help="Questions of each file at most.")] = None,
    sure: Annotated[float, typer.Option(help="The solver's confidence from which no model is asked.")] = Route().sure,
    workers: Annotated[int, typer.Option(help="Questions at once.")] = 1,
    timeout: Annotated[float, typer.Option(help="Seconds that a call may take.")] = 120,
    show: Annotated[bool, typer.Option("--show", help="Print what is not right.")] = False,
    to: Annotated[Path | None, typer.Option(help="A file for the confidence and scores of each question.")] = None,
) -> None:
    rows, kept_lines = [], []
    opened = open_model(model, timeout=timeout) if model.startswith("openai:") else model
    for name in only.split(","):
        peers, outcomes = SETS[name], list[Outcome]()
        for graph, asked in items(peers, limit):
            with kept():
                agent = Agent(graph, model=opened, route=Route(sure=sure), words=peers.words)
            with agent, ThreadPoolExecutor(workers) as pool:
                outcomes += pool.map(lambda item, agent=agent: ask(agent, item), asked)
        rows.append(row(name, peers, outcomes))
        for one in outcomes:
            answer = one.answer
            if show and one.scores[peers.measure] < 1:
                print(f"\n{name} {one.scores} {one.item.question.text}\n  gold: {one.item.gold_query or one.item.gold}")
                print("  ", f"{answer.rung} {answer.confidence:.2f} {answer.query}" if answer else one.failure)
            kept_lines.append(
                {
                    "set": name, "question": one.item.question.text, **one.scores,
                    "confidence": answer.confidence if answer else None, "rung": answer.rung if answer else None,
                }
            )  # fmt: skip
        print("\t".join(rows[-1]), flush=True)
    if to:
        to.write_text("".join(json.dumps(line) + "\n" for line in kept_lines), encoding="utf-8")
    header = [
        "set", "questions", "measure", "Triad", "rows", "set F1", "wrong", "unknown", "failed", "calls", "tokens in",
        "published",
    ]  # fmt: skip
    print("\n" + "\n".join(table(header, rows)))


def row(name: str, peers: Peers, outcomes: Sequence[Outcome]) -> list[str]:
    def share(values: Iterator[bool]) -> str:
        return f"{statistics.fmean(values):.3f}"

    def of(measure: str) -> str:
        return f"{statistics.fmean(one.scores[measure] for one in outcomes):.3f}"

    usages = [one.trace.usage for one in outcomes if one.trace]
    calls = sum(one.calls + one.cached for one in usages) / len(outcomes)
    return [
        name, str(len(outcomes)), peers.measure, of(peers.measure), of("rows"), of("set F1"),
        share(one.answer is not None and one.scores["set F1"] < 0.5 for one in outcomes),
        share(one.answer is None and not one.failure.startswith("failed") for one in outcomes),
        str(sum(one.failure.startswith("failed") for one in outcomes)), f"{calls:.2f}",
        f"{sum(one.input_tokens for one in usages) / len(outcomes):,.0f}", peers.published,
    ]  # fmt: skip


if __name__ == "__main__":
    typer.run(main)
