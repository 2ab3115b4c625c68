"""How long the graph is looked at before a model is asked, and how often: the vocabulary of questions.

python benchmarks/lookups.py                          # QALD-9 on the embedded store
python benchmarks/lookups.py --only ck25 --limit 40
python benchmarks/lookups.py --servers                # through the Virtuoso and Elasticsearch of `make services`

Each question is asked as if it was the first one: nothing is known but the profile of the graph.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections import Counter, defaultdict
from dataclasses import replace
from typing import Annotated, Any, Final

import typer
from loguru import logger
from quality import DATA, load, name_servers

from triad.agent import Agent
from triad.configs import load_config
from triad.evaluation.plan import load_items
from triad.kg.base import KnowledgeGraph
from triad.kg.lookups import CachedLookups
from triad.kg.schema import Schema
from triad.phases.grounding import vocabulary
from triad.questions import Question
from triad.rdf import ResultSet

TOKENS: Final = 2_000


class Watched(KnowledgeGraph):
    """A graph that notes how long its look-ups take and which method of the schema makes them."""

    def __init__(self, graph: KnowledgeGraph) -> None:
        self.name, self.timeout, self.row_limit = graph.name, graph.timeout, graph.row_limit
        self.concurrency, self.prefixes = graph.concurrency, graph.prefixes
        self.graph = graph
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.count: Counter[str] = Counter()

    def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
        """Run a query on the graph inside."""
        return self.graph.select(query, timeout=timeout)

    def lookup(self, query: str) -> ResultSet:
        """Run a look-up on the graph inside, and note it."""
        started = time.perf_counter()
        try:
            return self.graph.lookup(query)
        finally:
            who = _caller()
            self.seconds[who] += time.perf_counter() - started
            self.count[who] += 1


def _caller() -> str:
    """Return the method of the schema that makes a look-up."""
    frame = sys._getframe(2)
    while frame.f_back and not frame.f_code.co_filename.endswith("schema.py"):
        frame = frame.f_back
    return frame.f_code.co_name


def main(
    only: Annotated[str, typer.Option(help="The set.")] = "qald9",
    limit: Annotated[int, typer.Option(help="Questions at most.")] = 40,
    servers: Annotated[bool, typer.Option("--servers", help="Through Virtuoso and Elasticsearch.")] = False,
    tokens: Annotated[int, typer.Option(help="Tokens of a vocabulary at most.")] = TOKENS,
    show: Annotated[bool, typer.Option("--show", help="Print the vocabularies.")] = False,
) -> None:
    logger.remove()
    os.environ.setdefault("TRIAD_DATA", str(DATA))
    if servers:
        name_servers()
        load(only)
    config = load_config(f"{only}-servers" if servers else only, {"model": "none"})
    seconds: list[float] = []
    busy: list[float] = []
    watched: list[Watched] = []
    with Agent.from_config(config) as agent:
        profile = agent.profile
        for item in load_items(config).items[:limit]:
            question = Question(item.question.text, language=item.question.language or "en")
            context = agent.begin(question)
            graph = agent.schema.graph
            watched.append(Watched(graph.graph if isinstance(graph, CachedLookups) else graph))
            schema = Schema(watched[-1], context.schema.languages, agent.schema.finder)
            if profile:
                schema.know(profile)
            started, before = time.perf_counter(), time.process_time()
            lines = vocabulary(replace(context, schema=schema), tokens)
            seconds.append(time.perf_counter() - started)
            busy.append(time.process_time() - before)
            if show:
                print(f"# {question.text}", *lines, "", sep="\n")
    times = sorted(1_000 * second for second in seconds)
    print(
        f"{len(times)} questions: p50 {statistics.median(times):.0f} ms, of which this process was busy for "
        f"{1_000 * statistics.median(busy):.0f} ms; mean {statistics.mean(times):.0f} ms, longest {times[-1]:.0f} ms; "
        f"look-ups of each: {sum(one.count.total() for one in watched) / len(times):.1f}"
    )
    names = {name: sum(one.seconds[name] for one in watched) for one in watched for name in one.seconds}
    for name, total in sorted(names.items(), key=lambda item: -item[1]):
        count = sum(one.count[name] for one in watched)
        print(f"  {name:22} {count / len(times):6.1f} of {1_000 * total / count:6.1f} ms")


if __name__ == "__main__":
    typer.run(main)
