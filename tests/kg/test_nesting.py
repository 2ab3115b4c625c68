"""An EXISTS of several patterns finds the same, in the same order, when each is matched with what is known by then."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest

from triad.kg.engine import for_engine
from triad.kg.local import LocalGraph
from triad.kg.worker import evaluate

CONDITIONS = ("STR(?x)", "STR(?b)", '"M"', '"http://dbpedia.org/resource/M"')
DEMO = Path(__file__).parents[2] / "configs" / "demo" / "graph.ttl"


@pytest.fixture(scope="module")
def store() -> pyoxigraph.Store:
    store = pyoxigraph.Store()
    store.load(path=DEMO)
    return store


@pytest.fixture(scope="module")
def relations(store: pyoxigraph.Store) -> list[str]:
    found = evaluate(store, "SELECT DISTINCT ?p { ?s ?p ?o }", row_limit=1_000, byte_limit=10**6)
    assert not isinstance(found, bool)
    return sorted(row[0] for row in found[1])


def queries(relations: list[str], count: int) -> Iterator[str]:
    """Yield queries with an EXISTS of two or three random patterns, and at times with values."""
    chance = random.Random(7)
    for _ in range(count):
        names = ["?x", "?y", "?a", "?b"]
        parts = [
            f"{chance.choice(names)} <{chance.choice(relations)}> {chance.choice(names)} ."
            for _ in range(chance.choice((2, 3)))
        ]
        if chance.random() < 0.3:
            kinds = " ".join(f"<{one}>" for one in chance.sample(relations, 2))
            parts += [f"VALUES ?k {{ {kinds} }}", f"{chance.choice(names)} ?k ?c ."]
        if chance.random() < 0.4:
            parts.append(f"FILTER(STR({chance.choice(names)}) {chance.choice('<>')} {chance.choice(CONDITIONS)})")
        chance.shuffle(parts)
        negation = chance.choice(("", "NOT "))
        yield (
            f"SELECT * {{ ?x <{chance.choice(relations)}> ?y . FILTER({negation}EXISTS {{ {' '.join(parts)} }}) }} "
            "LIMIT 500"
        )


@pytest.mark.slow
def test_random_queries_find_the_same_in_the_same_order(store: pyoxigraph.Store, relations: list[str]) -> None:
    changed = 0
    for query in queries(relations, 150):
        other = for_engine(query)
        changed += other != query
        one, same = (evaluate(store, text, row_limit=500, byte_limit=10**7) for text in (query, other))
        assert one == same, query
    assert changed > 100


@pytest.mark.parametrize(
    "inner",
    [
        "?y <p> ?z .",
        "?y <p> _:b . _:b <q> ?z .",
        "?y <p> ?z . ?z <q> ?u . FILTER EXISTS { ?u <p> ?x . }",
        "?y <p> ?z . OPTIONAL { ?z <q> ?u . }",
        "?y <p> ?z . { SELECT ?z { ?z <q> ?u . } }",
        "VALUES ?z { <a> <b> } ?y <p> ?z . ?z <q> ?u .",
        "VALUES (?z ?u) { (<a> <b>) } ?y <p> ?z . ?y <q> ?u .",
    ],
)
def test_what_more_than_patterns_needs_stays_as_it_is(inner: str) -> None:
    query = f"SELECT * {{ ?x <of> ?y . FILTER(NOT EXISTS {{ {inner} }}) }}"
    assert for_engine(query) == query


def test_values_stand_with_the_pattern_that_they_limit() -> None:
    query = "ASK { ?x <of> ?y . FILTER(EXISTS { VALUES ?k { <a> <b> } ?z <is> ?k . ?y <at> ?z . }) }"
    lines = [line.strip() for line in for_engine(query).splitlines()]
    assert lines[3:8] == [
        "FILTER (EXISTS {",
        "?y <at> ?z .",
        "FILTER (EXISTS {",
        "VALUES ?k { <a> <b> }",
        "?z <is> ?k .",
    ]


def test_a_condition_stands_where_all_that_it_compares_is_known() -> None:
    query = "ASK { ?x <of> ?y . FILTER(NOT EXISTS { ?y <p> ?z . ?z <q> ?u . FILTER(?u > 1) FILTER(?z != ?x) }) }"
    lines = [line.strip() for line in for_engine(query).splitlines()]
    assert lines[4:9] == ["?y <p> ?z .", "FILTER (?z != ?x)", "FILTER (EXISTS {", "?z <q> ?u .", "FILTER (?u > 1)"]


def test_a_text_that_is_no_query_is_left_to_the_engine() -> None:
    query = "SELECT * { FILTER EXISTS { ?a <b> ?c . ?c <d> ?e . } "
    assert for_engine(query) == query


@pytest.mark.slow(0.1)
def test_a_graph_answers_with_what_the_query_asks(tmp_path: Path) -> None:
    file = tmp_path / "graph.ttl"
    file.write_text("@prefix e: <http://e/> . e:a e:in e:b . e:b e:in e:c . e:c e:is e:D .", encoding="utf-8")
    with LocalGraph.load(file) as graph:
        query = "SELECT ?x { ?x <http://e/in> ?y . FILTER(NOT EXISTS { ?y <http://e/in> ?z . ?z <http://e/is> ?k . }) }"
        assert for_engine(query) != query
        assert [str(one) for one in graph.select(query).column("x")] == ["http://e/b"]  # type: ignore[arg-type]
