"""Values of all types are ordered as SPARQL says, and never end the engine."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pyoxigraph
import pytest

from triad.kg.engine import for_engine
from triad.kg.guard import check
from triad.kg.local import LocalGraph
from triad.rdf import IRI, XSD, BlankNode, Literal

DEMO = Path(__file__).parents[2] / "configs" / "demo" / "graph.ttl"


def typed(datatype: str, *texts: str) -> list[str]:
    return [f'"{text}"^^<{XSD}{datatype}>' for text in texts]


NUMBERS = [
    *typed("double", "-INF", "-1.5e300"),
    *typed("decimal", "-3.5", "0.05"),
    *typed("float", "0.1"),
    *typed("double", "0.2", "0.25"),
    *typed("integer", "1", "9", "10"),
    *typed("int", "11", "100"),
    *typed("integer", "9007199254740992", "9007199254740993"),
    *typed("double", "1e17", "INF"),
]
FAMILIES = {
    "numbers": NUMBERS,
    "booleans": typed("boolean", "false", "true"),
    "dates": typed("date", "-0044-03-15", "0800-12-25", "1973-09-01", "12024-01-01"),
    "dates with a time zone": typed("date", "1970-01-01Z", "1970-01-01-05:00", "1973-09-01+01:00"),
    "moments": typed("dateTime", "1973-09-01T00:00:00", "1973-09-01T10:00:00.5", "12024-01-01T00:00:00"),
    "moments with a time zone": typed("dateTime", "2011-01-10T14:45:13+05:00", "2011-01-10T14:45:13Z"),
    "times": typed("time", "08:00:00", "10:00:00", "23:59:59.9"),
    "years": typed("gYear", "-0500", "0900", "1999", "12024"),
    "durations": typed("duration", "PT5S", "PT1H", "P2D", "P1M", "P1M1D", "P1Y"),
    "durations of days": typed("dayTimeDuration", "PT5S", "PT1H", "P2D"),
    "durations of months": typed("yearMonthDuration", "P9M", "P1Y"),
    "strings": ['""', '"10"', '"9"@de', '"9"@en', '"9"', '"9a"', '"Z"', '"a"@en', '"é"'],
    "literals of a type of their own": ['"1"^^<http://e/t>', '"a"^^<http://e/t>', '"b"^^<http://e/t>'],
    "no dates": typed("date", "1973-13-01", "soon", "yesterday"),
    "no numbers": [*typed("double", "NaN"), *typed("float", "NaN"), *typed("integer", "one", "two")],
}


@pytest.fixture(scope="module")
def demo() -> Iterator[LocalGraph]:
    with LocalGraph.load(DEMO) as graph:
        yield graph


@pytest.mark.slow(0.1)
def test_a_demo_graph_is_ordered_by_values_of_all_types(demo: LocalGraph) -> None:
    result = demo.select(check("SELECT * { ?s ?p ?o } ORDER BY ?o"))
    kinds = [type(value) for value in result.column("o")]
    assert kinds == sorted(kinds, key=[BlankNode, IRI, Literal].index)
    numbers = [float(value.value) for value in result.column("o") if isinstance(value, Literal) and is_number(value)]
    assert numbers == sorted(numbers)
    assert len(numbers) > 100


def is_number(literal: Literal) -> bool:
    return literal.datatype.removeprefix(XSD) in ("integer", "decimal", "double", "float", "nonNegativeInteger")


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o } ORDER BY DESC(?o) ?p",
        "SELECT DISTINCT ?o { ?s ?p ?o } ORDER BY ?o LIMIT 50",
        "SELECT ?s { ?s ?p ?o } ORDER BY ?o",
        "SELECT ?s (MAX(?o) AS ?m) { ?s ?p ?o } GROUP BY ?s ORDER BY DESC(?m)",
        "SELECT ?s { ?s ?p ?o } GROUP BY ?s ORDER BY SAMPLE(?o)",
        "SELECT ?s { { SELECT ?s ?o { ?s ?p ?o } ORDER BY ?o LIMIT 5000 } }",
        "SELECT ?s { ?s ?p ?o } ORDER BY (IF(isIRI(?o), ?s, ?o)) LIMIT 7 OFFSET 3",
        "SELECT * { { ?s ?p ?o } UNION { ?s ?p ?x } } ORDER BY COALESCE(?o, ?x)",
    ],
)
def test_a_query_that_orders_mixed_values_is_answered(demo: LocalGraph, query: str) -> None:
    assert len(demo.select(check(query))) > 0


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("values", FAMILIES.values(), ids=FAMILIES.keys())
def test_values_that_can_be_compared_keep_their_order(values: list[str]) -> None:
    shuffled = random.Random(1).sample(values, len(values))
    assert ordered(shuffled, "?v") == [term(value) for value in values]
    assert ordered(shuffled, "DESC(?v)") == ordered(shuffled, "?v")[::-1]
    if not values[0].startswith('"P') and values is not NUMBERS:
        assert ordered(shuffled, "?v") == ordered(shuffled, "?v", by_engine=True)


@pytest.mark.slow(0.2)
def test_mixed_values_are_ordered_family_by_family() -> None:
    literals = [value for family in FAMILIES.values() for value in family]
    resources = ["<http://e/a>", "<http://e/b>"]
    for seed in range(20):
        shuffled = random.Random(seed).sample(literals + resources + ["UNDEF"], len(literals) + 3)
        found = ordered(shuffled, "?v")
        assert found[0] is None
        assert found[1:3] == [pyoxigraph.NamedNode("http://e/a"), pyoxigraph.NamedNode("http://e/b")]
        for family in FAMILIES.values():
            places = [found.index(term(value)) for value in family]
            assert places == sorted(places)


def term(text: str) -> object:
    [term] = ordered([text], "?v", by_engine=True)
    return term


def ordered(values: list[str], key: str, *, by_engine: bool = False) -> list[object]:
    query = f"SELECT ?v {{ VALUES ?v {{ {' '.join(values)} }} }} ORDER BY {key}"
    return column(query if by_engine else for_engine(query))


def column(query: str) -> list[object]:
    # Apart, for rdflib's complaints about odd values hold on to the frames that reading a query was called from, and
    # the engine's results must be freed by the thread that made them.
    found = pyoxigraph.Store().query(query)
    assert isinstance(found, pyoxigraph.QuerySolutions)
    return [solution[0] for solution in found]


@pytest.mark.slow
@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?s ?p ?o }",
        "SELECT * { ?s ?p 'ORDER BY ?o' }",
        "SELECT ?s { ?s ?p ?o } GROUP BY ?s ORDER BY DESC(COUNT(?o)) LIMIT 1",
        "SELECT * { ?s ?p ?o } ORDER BY LCASE(STR(?o)) RAND()",
        "SELECT * { ?s ?p ?o } ORDER BY ?",
    ],
)
def test_a_query_that_needs_no_other_keys_is_left_as_it_is(query: str) -> None:
    assert for_engine(query) is query


@pytest.mark.slow
def test_gold_queries_have_the_same_results(demo: LocalGraph) -> None:
    questions = json.loads((DEMO.parent / "questions.json").read_text(encoding="utf-8"))["questions"]
    queries = [check(question["query"]["sparql"]) for question in questions]
    queries = [query for query in queries if for_engine(query) != query]
    assert queries
    for query in queries:
        assert demo.select(query) == demo.lookup(query)
