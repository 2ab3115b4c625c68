"""How much of a gold query the first prompt names, and how long and how noisy the prompt is: no model is needed.

    TRIAD_DATA=… .venv/bin/python benchmarks/grounding.py
    TRIAD_DATA=… .venv/bin/python benchmarks/grounding.py --only ck25,qald9 --missing
    TRIAD_DATA=… .venv/bin/python benchmarks/grounding.py --only qald9 --show "Who wrote"   # print a prompt

An entity, a class or a relation of a gold query counts as named if the vocabulary has its label in the place of one; a
text that the gold query compares with a label counts as an entity, and so does a text that a thing is told by. Of two
relations that say the same in opposite directions either will do. Properties that hold labels are left out. A whole
query is named if all of these are. Noise is how many things and classes the vocabulary has at the head of a line, and
of those how many the gold query does not name. Tokens are those of the whole prompt, system text and examples included,
at four characters each. Sets without gold queries have only these.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import statistics
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Annotated, Any

import typer
from learn import SETS
from loguru import logger

from triad import sparql
from triad.agent import Agent
from triad.configs import load_config
from triad.datasets import load_dataset
from triad.kg.base import SafeQuery
from triad.language.normalize import fold
from triad.models import ScriptedModel
from triad.phases import parsing
from triad.phases.grounding.ends import says_the_same
from triad.questions import Question
from triad.rdf import IRI, RDF_TYPE, Literal
from triad.sparql.patterns import GraphPart
from triad.text import table

LIMITS = {
    **{"ck25": None, "qald9": None, "yago": None, "lcquad": 60, "free": None, "spider": 60, "acme": None},
    **{"building": None, "ck26": None, "ck26-de": None, "talk2power": 40, "breadth": 40, "geo-en": 40, "geo-de": 40},
}
"""Questions of each set at most; those with the least hash."""
FOLDERS = ("free", "spider")
LINES = {
    "acme": {"peers/acme/questions.jsonl": "peers/acme/graph.nt"},
    "building": {
        f"peers/buildingqa/{name}.jsonl": f"peers/buildingqa/{name}.ttl"
        for name in ("TUC_building", "dflexlibs_multizone")
    },
    "ck26": {"peers/ck26/en.jsonl": "ck25/kg.nt.gz"},
    "ck26-de": {"peers/ck26/de.jsonl": "ck25/kg.nt.gz"},
    "talk2power": {"peers/talk2powersystem/v3-dev.jsonl": "peers/talk2powersystem/graph.nt.gz"},
    "breadth": {"peers/talk2powersystem/breadth.jsonl": "peers/talk2powersystem/graph.nt.gz"},
    "geo-en": {"peers/geoquery/en.jsonl": "peers/geoquery/graph.nt"},
    "geo-de": {"peers/geoquery/de.jsonl": "peers/geoquery/graph.nt"},
}
"""Files of questions in JSON lines, with their graphs."""
GRAPHS = ("graph.ttl", "graph.trig", "kg.nt.gz")
REPLY = json.dumps({"triples": [], "answer_type": "boolean", "sparql": "ASK { <a> <b> ?c }"})
STANDARD = tuple(sparql.PREFIXES[prefix] for prefix in ("rdf", "rdfs", "owl", "xsd", "skos"))
KINDS = ("entities", "relations", "classes")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with its gold query."""

    set: str
    question: Question
    gold: str


@dataclass(slots=True)
class Seen:
    """What the prompt of a question has."""

    asked: Asked
    tokens: int
    vocabulary: int
    seconds: float
    prompt: str
    found: dict[str, set[str]] = field(default_factory=dict)
    missing: dict[str, set[str]] = field(default_factory=dict)
    heads: tuple[int, int, int] = (0, 0, 0)
    """How many things and classes have a line, and how many of both the gold query does not name."""


def first(items: Iterable[Asked], limit: int | None) -> list[Asked]:
    ranked = sorted(items, key=lambda one: hashlib.sha1(one.question.text.encode()).hexdigest())
    return ranked[:limit]


def known(name: str) -> Iterator[tuple[Agent, list[Asked]]]:
    """Yield the agent and the questions of a set with a config."""
    config = load_config(SETS[name][0], {"model": "none"})
    assert config.dataset is not None
    data = load_dataset(
        config.dataset_path, config.dataset.format, language="en", answers=config.answers_path, strict=False
    )
    items = [Asked(name, Question(item.question.text, "en"), item.gold_query) for item in data.items if item.gold_query]
    yield Agent.from_config(config), first(items, LIMITS[name])


def lines(name: str) -> Iterator[tuple[Agent, list[Asked]]]:
    """Yield the agent and the questions of each file of a set in JSON lines."""
    for file, graph in LINES[name].items():
        texts = Path(os.environ["TRIAD_DATA"], file).read_text(encoding="utf-8").splitlines()
        rows = [json.loads(text) for text in texts]
        items = [
            Asked(name, Question(row["question"], row.get("language", "en")), row.get("sparql", "")) for row in rows
        ]
        yield Agent(graph=Path(os.environ["TRIAD_DATA"], graph), model="none"), first(items, LIMITS[name])


def asked_of(name: str) -> Iterator[tuple[Agent, list[Asked]]]:
    """Yield the agents and the questions of a set."""
    yield from (folder if name in FOLDERS else lines if name in LINES else known)(name)


def folder(name: str) -> Iterator[tuple[Agent, list[Asked]]]:
    """Yield the agent and the questions of each graph of a folder."""
    by_file: dict[Path, list[Asked]] = defaultdict(list)
    for path in sorted(Path(os.environ["TRIAD_DATA"], name).glob("*/questions.json")):
        content: Any = json.loads(path.read_text(encoding="utf-8"))
        file = next(path.parent / one for one in GRAPHS if (path.parent / one).exists())
        for one in content if isinstance(content, list) else content["questions"]:
            if isinstance(content, list):
                text, language, gold = one["question"], one["language"], one["sparql"]
            else:
                text = next(q["string"] for q in one["question"] if q["language"] == "en")
                language, gold = "en", one["query"]["sparql"]
            if gold:
                by_file[file].append(Asked(name, Question(text, language), gold))
    chosen = {id(one) for one in first((one for part in by_file.values() for one in part), LIMITS[name])}
    for file, part in by_file.items():
        if kept := [one for one in part if id(one) in chosen]:
            yield Agent(graph=file, model="none"), kept


# What a gold query names ----------------------------------------------------------------------------------


def named(agent: Agent, gold: str) -> dict[str, set[str]]:
    """Return the entities, relations and classes of a query, by their labels."""
    tree = sparql.parse(gold)
    iris: dict[str, set[str]] = {kind: set() for kind in KINDS}
    texts: set[str] = set()
    for subject, path, value in sparql.triples(tree):
        steps = {str(term) for term in sparql.terms(path) if isinstance(term, IRI)}
        iris["relations"] |= steps
        iris["entities"] |= {str(subject)} if isinstance(subject, IRI) else set()
        if isinstance(value, IRI):
            iris["classes" if RDF_TYPE in steps else "entities"].add(str(value))
        elif isinstance(value, Literal) and steps & set(agent.schema.label_properties):
            texts.add(str(value))
    sources = {str(one.graph) for one in sparql.nodes(tree, GraphPart)}
    others = {str(term) for term in sparql.terms(tree) if isinstance(term, IRI)} - sources
    iris["entities"] |= others - iris["relations"] - iris["classes"]
    iris["relations"] -= set(agent.schema.label_properties)
    labels = {
        kind: set(agent.schema.labels(iri for iri in found if not iri.startswith(STANDARD)).values())
        for kind, found in iris.items()
    }
    labels["entities"] |= texts
    return labels


def mirrored(agent: Agent, labels: set[str]) -> dict[str, set[str]]:
    """Return the labels of the relations that say the same as those with some labels, in either direction."""
    profile = agent.begin(Question("x")).profile
    found: dict[str, set[str]] = {label: set() for label in labels}
    if profile is None or not labels:
        return found
    names = agent.schema.labels(one.iri for one in profile.relations)
    for one in profile.relations:
        if names[one.iri] in labels:
            for turned, other in product((False, True), profile.relations):
                if says_the_same(profile, agent.schema, one.iri, other.iri, turned=turned):
                    found[names[one.iri]].add(names[other.iri])
    return found


def stands(vocabulary: str, kind: str, label: str) -> bool:
    """Tell whether a vocabulary has a name in the place of a thing, a relation or a class."""
    text = re.escape(" ".join(re.sub(r"[<>]", " ", label).split())[:59])
    if kind == "entities":
        return re.search(rf'"{text.replace(chr(34), chr(39))}', vocabulary, re.IGNORECASE) is not None
    if kind == "classes":
        return re.search(rf"(?<![\w]){text}(?![\w])", vocabulary, re.IGNORECASE) is not None
    return (
        re.search(
            rf"(?:[:;,] |<- |- |^|also |value of |-> ){text}(?=[;,.]| ->| =| of | \(|$)(?!, a class)",
            vocabulary,
            re.I | re.M,
        )
        is not None
    )


def told(agent: Agent, vocabulary: str) -> set[str]:
    """Return the labels of the things that have a text which the vocabulary tells them by."""
    found: set[str] = set()
    for text in re.findall(r'^- "([^"\n]*)"[^\n:]*, a text, value of ', vocabulary, re.MULTILINE):
        rows = agent.graph.select(SafeQuery(f"SELECT DISTINCT ?x {{ ?x ?p {Literal(text).n3()} }} LIMIT 20")).rows
        found |= set(agent.schema.labels(str(row[0]) for row in rows if isinstance(row[0], IRI)).values())
    return found


# Asking ---------------------------------------------------------------------------------------------------


def see(agent: Agent, asked: Asked) -> Seen:
    """Make the first prompt of a question."""
    model = ScriptedModel(lambda messages, schema: REPLY)
    agent.models = dict.fromkeys(("generalist", "decision_maker", "advisor"), model)
    started = time.perf_counter()
    parsing.parse(agent.begin(asked.question).at("parsing"))
    seconds = time.perf_counter() - started
    messages = model.calls[0]
    vocabulary = messages[-1].content.partition("\nQuestion: ")[0]
    prompt = "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)
    tokens = sum(len(message.content) for message in messages) // 4
    seen = Seen(asked, tokens, len(vocabulary) // 4, seconds, prompt)
    gold = named(agent, asked.gold) if asked.gold else {kind: set[str]() for kind in KINDS}
    for kind, labels in gold.items():
        seen.found[kind] = {label for label in labels if stands(vocabulary, kind, label)}
        if kind == "entities":
            seen.found[kind] |= {label for label in labels if label in told(agent, vocabulary)}
        if kind == "relations":
            mirrors = mirrored(agent, labels - seen.found[kind])
            seen.found[kind] |= {
                label for label, others in mirrors.items() if any(stands(vocabulary, kind, one) for one in others)
            }
        seen.missing[kind] = labels - seen.found[kind]
    things = [fold(name) for name in re.findall(r'^- "([^"\n]*)"(?! (?:->|<-))', vocabulary, re.MULTILINE)]
    classes = [
        fold(name)
        for name in re.findall(r"^- ([^\n:]*?)(?: \([^\n:]*\))?, (?:a class|classes)", vocabulary, re.MULTILINE)
    ]
    meant = {fold(label) for kind in ("entities", "classes") for label in gold[kind]}
    seen.heads = len(things), len(classes), sum(name not in meant for name in [*things, *classes])
    return seen


def row(name: str, seen: list[Seen]) -> list[str]:
    cells = [name, str(len(seen))]
    for kind in KINDS:
        found, missing = (sum(len(getattr(one, part)[kind]) for one in seen) for part in ("found", "missing"))
        cells.append(f"{found / (found + missing):.3f} of {found + missing}" if found + missing else "-")
    whole = statistics.mean(not any(one.missing.values()) for one in seen)
    heads = [statistics.mean(one.heads[at] for one in seen) for at in range(3)]
    tokens, times = [one.tokens for one in seen], [1000 * one.seconds for one in seen]
    return [
        *cells, f"{whole:.3f}" if any(one.asked.gold for one in seen) else "-",
        *(f"{value:.2f}" for value in heads), f"{statistics.mean(one.vocabulary for one in seen):,.0f}",
        f"{statistics.mean(tokens):,.0f}", f"{statistics.quantiles(tokens, n=20, method='inclusive')[-1]:,.0f}",
        f"{statistics.median(times):.0f}", f"{statistics.quantiles(times, n=20, method='inclusive')[-1]:.0f}",
    ]  # fmt: skip


def main(
    only: Annotated[str, typer.Option(help="Sets, with commas.")] = ",".join(LIMITS),
    limit: Annotated[int | None, typer.Option(help="Questions of each set at most.")] = None,
    missing: Annotated[bool, typer.Option("--missing", help="Print what prompts lack.")] = False,
    show: Annotated[str, typer.Option(help="Print the prompts of questions with these words.")] = "",
) -> None:
    logger.remove()
    rows: list[list[str]] = []
    for name in only.split(","):
        if limit:
            LIMITS[name] = min(limit, LIMITS[name] or limit)
        seen: list[Seen] = []
        for agent, part in asked_of(name):
            with agent:
                for asked in part:
                    if show and fold(show) not in fold(asked.question.text):
                        continue
                    seen.append(see(agent, asked))
                    if show:
                        print(seen[-1].prompt, "\n\n", asked.gold, "\n", "=" * 80)
        if not seen:
            continue
        if missing:
            for one in seen:
                lacks = {kind: sorted(labels) for kind, labels in one.missing.items() if labels}
                if lacks:
                    print(f"{name}: {one.asked.question.text} lacks {lacks}")
        rows.append(row(name, seen))
        print("\t".join(rows[-1]), flush=True)
    header = [
        "set",
        "questions",
        *KINDS,
        "whole",
        "things",
        "class lines",
        "not in gold",
        "vocabulary",
        "tokens",
        "p95",
        "p50 ms",
        "p95 ms",
    ]
    print("\n".join(table(header, rows)))


if __name__ == "__main__":
    typer.run(main)
