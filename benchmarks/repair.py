"""How often path repair alone gives the gold answers back after a relation of the gold query was spoilt.

    TRIAD_DATA=… python benchmarks/repair.py qald9 --limit 50 --seed 1

Each gold query that is a reasoning path becomes a plan: its entities stay, its relations become words. ``label`` takes
the relations' own labels, ``turned`` turns one step round besides, ``synonym`` puts the nearest word of the lexical
database in place of one label, and ``wrong`` puts the label of another relation of the graph there, so that only the
question's own words tell what was meant. No model is asked.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from triad import sparql
from triad.agent import Agent
from triad.configs import load_config
from triad.datasets import Item, load_dataset
from triad.errors import GraphError
from triad.kg.guard import check
from triad.language.lexical_database import synonyms
from triad.queries.path_text import mention
from triad.queries.paths import NotAPath, ReasoningPath, from_graph
from triad.questions import Question
from triad.rdf import IRI, RDF_TYPE
from triad.repair.plans import PlannedPath
from triad.repair.repairing import repaired

Spoil = Callable[[ReasoningPath, random.Random], ReasoningPath | None]


def plan_of(agent: Agent, path: ReasoningPath) -> ReasoningPath:
    """Return a path with the labels of its relations in place of the relations."""

    def words(iri: IRI, relation: bool) -> IRI:
        return mention(agent.schema.label(iri)) if relation and iri.value != RDF_TYPE else iri

    return path.mapped(words)


def _steps(path: ReasoningPath) -> list[int]:
    return [at for at, step in enumerate(path.steps) if step.relation.value != RDF_TYPE]


def _with_step(path: ReasoningPath, at: int, **changes: object) -> ReasoningPath:
    steps = list(path.steps)
    steps[at] = replace(steps[at], **changes)  # type: ignore[arg-type]
    return replace(path, steps=tuple(steps))


def turned(path: ReasoningPath, chance: random.Random) -> ReasoningPath | None:
    """Turn one step round."""
    if not (places := _steps(path)):
        return None
    at = chance.choice(places)
    return _with_step(path, at, forward=not path.steps[at].forward)


def synonym(path: ReasoningPath, chance: random.Random) -> ReasoningPath | None:
    """Put a synonym in place of a word of one step; None where no word has one."""
    for at in chance.sample(_steps(path), len(_steps(path))):
        words = path.steps[at].relation.value.removeprefix("mention:").split()
        for place in reversed(range(len(words))):
            if others := [one for one in synonyms(words[place]) if one != words[place]]:
                return _with_step(
                    path, at, relation=mention(" ".join([*words[:place], others[0], *words[place + 1 :]]))
                )
    return None


def wrong(relations: list[str]) -> Spoil:
    """Return what puts the label of another relation in place of one step's."""

    def spoil(path: ReasoningPath, chance: random.Random) -> ReasoningPath | None:
        if not (places := _steps(path)):
            return None
        at = chance.choice(places)
        others = [name for name in relations if name not in path.steps[at].relation.value]
        return _with_step(path, at, relation=mention(chance.choice(others)))

    return spoil


def paths_of(items: tuple[Item, ...]) -> Iterator[tuple[Item, ReasoningPath]]:
    """Yield the questions whose gold query is a reasoning path."""
    for item in items:
        try:
            yield item, from_graph(sparql.parse(item.gold_query or "").explicit())
        except (NotAPath, GraphError, ValueError):
            continue


def main() -> None:
    """Measure, and print a line for each way of spoiling."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("config", help="a config with a data set")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ways", nargs="+", default=["label", "turned", "synonym", "wrong"])
    parser.add_argument("--set", nargs="*", default=[], help="key=value of the config")
    parser.add_argument("--show", action="store_true", help="print what was not restored")
    options = parser.parse_args()
    config = load_config(options.config, {"model": None, **dict(one.split("=", 1) for one in options.set)})
    assert config.dataset
    data = load_dataset(
        config.dataset_path,
        config.dataset.format,
        language=config.dataset.language or "en",
        answers=config.answers_path,
    )
    with Agent.from_config(config) as agent:
        found = list(paths_of(data.items))
        print(f"{options.config}: {len(found)} of {len(data.items)} gold queries are reasoning paths")
        chance = random.Random(options.seed)
        chosen = chance.sample(found, min(options.limit, len(found)))
        gold = {}
        for item, _ in chosen:
            rows = agent.graph.select(check(str(item.gold_query))).rows
            gold[item.question.id] = frozenset(row[0] for row in rows)
        names = sorted({agent.schema.label(iri) for _, path in found for iri in path.relations()})
        ways: dict[str, Spoil] = {
            "label": lambda path, _: path, "turned": turned, "synonym": synonym, "wrong": wrong(names)
        }  # fmt: skip
        for name in options.ways:
            chance = random.Random(options.seed)
            tally: Counter[str] = Counter()
            started = time.perf_counter()
            for item, path in chosen:
                spoilt = ways[name](plan_of(agent, path), chance)
                if spoilt is None or not gold[item.question.id]:
                    continue
                tally["spoilt"] += 1
                language = item.question.language or "en"
                context = agent.begin(Question(item.question.text, language)).at("construction")
                ranked = repaired(context, [PlannedPath(spoilt)], {})
                results = [frozenset(row[0] for row in one.result.rows) for one in ranked]
                tally["first"] += results[:1] == [gold[item.question.id]]
                tally["among ten"] += gold[item.question.id] in results[:10]
                if options.show and results[:1] != [gold[item.question.id]]:
                    _show(item, spoilt, ranked[0].path if ranked else None)
            seconds = (time.perf_counter() - started) / max(1, tally["spoilt"])
            print(
                f"{name:8} {tally['spoilt']:4} spoilt, {tally['first']:4} restored "
                f"({tally['first'] / max(1, tally['spoilt']):.2f}), {tally['among ten']:4} among the first ten, "
                f"{seconds:.2f} s each"
            )


def _show(item: Item, plan: ReasoningPath, found: ReasoningPath | None) -> None:
    def short(path: ReasoningPath) -> str:
        ways = [("" if step.forward else "^") + _local(step.relation) for step in path.steps]
        others = [_local(one.step.relation) for one in path.restrictions if one.step]
        return f"{_local(path.topic)} / {' / '.join(ways)} | {', '.join(others)}"

    def _local(term: object) -> str:
        return str(term.value if isinstance(term, IRI) else term).rsplit("/", 1)[-1]

    print(f"  {item.question.text}\n    {short(plan)}\n    {short(found) if found else 'nothing'}")


if __name__ == "__main__":
    main()
