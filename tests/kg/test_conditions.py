"""A query finds the same where the values that meet a condition stand in place of it."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from triad.kg.base import SafeQuery
from triad.kg.engine import FEW, with_values
from triad.kg.local import LocalGraph
from triad.kg.worker import evaluate
from triad.rdf import IRI, Literal

DEMO = Path(__file__).parents[2] / "configs" / "demo" / "graph.ttl"
TESTS = (
    'LCASE(STR({})) = "germany"', 'STRENDS(STR({}), "a")', "{} > 1000000", "{} IN (3, 4, 5)", "isLITERAL({})",
    'CONTAINS(STR({}), "19") && !isIRI({})', "YEAR({}) = 1968", 'LANG({}) = "en"', "BOUND({})", '{} = "no such value"',
)  # fmt: skip
GROUPS = (
    "?x <{0}> ?y . ?y <{1}> ?z . FILTER({2})",
    "?x <{0}> ?y . ?x <{1}> ?z . FILTER({2}) FILTER({3})",
    "?x <{0}> ?y . OPTIONAL {{ ?x <{1}> ?z . ?x <{0}> ?u . FILTER({2}) }}",
    "?x <{0}> ?y . FILTER NOT EXISTS {{ ?y <{1}> ?z . ?u <{0}> ?y . FILTER({2}) }}",
    "{{ ?x <{0}> ?y . ?y <{1}> ?z . FILTER({2}) }} UNION {{ ?x <{1}> ?y . ?x <{0}> ?z . FILTER({3}) }}",
    "?x <{0}> ?y . {{ SELECT ?x (COUNT(?z) AS ?n) {{ ?x <{1}> ?z . ?x <{0}> ?u . FILTER({2}) }} GROUP BY ?x }}",
)


def queries(relations: Sequence[str], count: int) -> Iterator[str]:
    chance = random.Random(11)
    for _ in range(count):
        tests = (chance.choice(TESTS).replace("{}", chance.choice(("?y", "?z"))) for _ in range(2))
        group = chance.choice(GROUPS).format(*chance.sample(relations, 2), *tests)
        yield f"SELECT * {{ {group} }}"


@pytest.mark.slow
def test_random_queries_find_the_same() -> None:
    store = pyoxigraph.Store()
    store.load(path=DEMO)
    found = evaluate(store, "SELECT DISTINCT ?p { ?s ?p ?o }", row_limit=1_000, byte_limit=10**6)
    assert not isinstance(found, bool)
    changed, few = 0, 0
    with LocalGraph.load(DEMO, row_limit=10**6) as graph:
        for query in queries(sorted(row[0] for row in found[1]), 200):
            other = with_values(SafeQuery(query), graph._few)
            one, same = (evaluate(store, text, row_limit=10**6, byte_limit=10**8) for text in (query, other))
            assert not isinstance(one, bool)
            assert not isinstance(same, bool)
            changed += other != query
            few += other != query and bool(same[1])
            assert sorted(one[0]) == sorted(same[0]), query
            order = [same[0].index(name) for name in one[0]]
            assert Counter(map(tuple, one[1])) == Counter(tuple(row[at] for at in order) for row in same[1]), query
    assert changed > 60
    assert few > 20


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?x <p> ?y . FILTER(?y = 1) }",
        "SELECT * { ?x <p> ?y . ?y <q> ?z . FILTER(?y = ?z) }",
        "SELECT * { ?x <p> ?y . ?y <q> ?z . FILTER(?z > RAND()) }",
        "SELECT * { ?x <p> ?y . ?y <q> ?z . FILTER EXISTS { ?z <r> 1 . } }",
        "SELECT * { ?x <p>/<q> ?z . ?x <r> ?y . FILTER(?z = 1) }",
        "SELECT * { ?x <p> ?y . OPTIONAL { ?y <q> ?z } ?y <r> ?u . FILTER(?z = 1) }",
        "SELECT * { GRAPH <g> { ?x <p> ?y . ?y <q> ?z . FILTER(?z = 1) } }",
        "SELECT * FROM <g> { ?x <p> ?y . ?y <q> ?z . FILTER(?z = 1) }",
        "SELECT * { this is no query FILTER",
    ],
)
def test_other_conditions_stay(query: str) -> None:
    assert with_values(SafeQuery(query), lambda _: [Literal("1")]) == query


def test_too_many_values_or_none_in_time_leave_the_condition() -> None:
    asked: list[str] = []

    def find(query: str) -> None:
        asked.append(query)

    query = SafeQuery("SELECT * { ?x <p> ?y . ?y <q> ?z . FILTER(?z = 1) }")
    assert with_values(query, find) == query
    [only] = asked
    assert only == f"SELECT DISTINCT ?value {{ ?any <q> ?value . FILTER(?value = 1) }} LIMIT {FEW + 1}"


def test_values_are_of_any_kind_and_may_be_none() -> None:
    query = SafeQuery("SELECT * { ?x <p> ?y . ?y <q> ?z . FILTER(STR(?z) = 'a') }")
    text = with_values(query, lambda _: [IRI("a"), Literal("a", language="en")])
    assert 'VALUES ?z { <a> "a"@en }' in text
    assert "VALUES ?z {  }" in with_values(query, lambda _: [])


@pytest.mark.slow(0.2)
def test_many_values_are_not_looked_for_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "graph.nt"
    file.write_text("".join(f'<s{at}:> <p:> <s{at + 1}:> .\n<s{at}:> <q:> "{at}" .\n' for at in range(50)), "utf-8")
    with LocalGraph.load(file) as graph:
        ran: list[str] = []
        run = graph._pool.run

        def noted(*request: Any) -> Any:
            ran.append(request[0])
            return run(*request)

        monkeypatch.setattr(graph._pool, "run", noted)
        for _ in range(2):
            query = "SELECT ?x { ?x <p:> ?y . ?y <q:> ?z . FILTER(STRLEN(?z) = 2) }"
            assert len(graph.select(SafeQuery(query)).rows) == 40
    assert len(ran) == 3
    assert sum("DISTINCT ?value" in one for one in ran) == 1
