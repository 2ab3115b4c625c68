"""A look-up is made once a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from triad import Agent
from triad.kg.local import LocalGraph
from triad.kg.lookups import GraphWrapper, QuestionGraph
from triad.rdf import ResultSet

pytestmark = pytest.mark.slow(0.2)

DEMO = Path(__file__).parents[2] / "configs" / "demo" / "graph.ttl"


class Counting(GraphWrapper):
    """A graph that counts its look-ups."""

    def __init__(self, graph: LocalGraph) -> None:
        super().__init__(graph)
        self.asked: Counter[str] = Counter()

    def lookup(self, query: str) -> ResultSet:
        self.asked[query] += 1
        return self.graph.lookup(query)


@pytest.fixture
def counting() -> Iterator[Counting]:
    with LocalGraph.load(DEMO) as graph:
        yield Counting(graph)


def test_what_was_looked_up_is_not_looked_up_again(counting: Counting) -> None:
    graph = QuestionGraph(counting)
    query = "SELECT * { ?s ?p ?o } LIMIT 3"
    assert graph.lookup(query) == graph.limited(1.0).lookup(query)
    assert counting.asked[query] == 1


@pytest.mark.slow
def test_a_question_asks_the_graph_for_nothing_twice(counting: Counting) -> None:
    with Agent(counting, model="none", min_confidence=0) as agent:
        agent.profile  # noqa: B018 - it is made of look-ups of its own
        counting.asked.clear()
        agent.ask("Which rivers flow through countries that border Germany?")
        assert counting.asked
        assert max(counting.asked.values()) == 1


def test_the_next_question_looks_anew(counting: Counting) -> None:
    with Agent(counting, model="none", min_confidence=0) as agent:
        one, other = (agent.begin(agent.ask("Who founded Intel?").question) for _ in range(2))
        query = "SELECT * { ?s ?p ?o } LIMIT 4"
        for context in (one, one, other):
            context.graph.lookup(query)
        assert counting.asked[query] == 2
