"""``triad query``: SPARQL by hand, in words, and what each part of it finds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from triad.cli.program import app

pytestmark = pytest.mark.slow

GRAPH = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Car rdfs:label "car" . ex:price rdfs:label "price" .
ex:a a ex:Car ; rdfs:label "Ape" ; ex:price 4500 .
ex:b a ex:Car ; rdfs:label "Bee" ; ex:price 900 .
"""
PRICES = "SELECT ?car ?price { ?car a ex:Car ; ex:price ?price } ORDER BY ?price"


@pytest.fixture
def cars(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("cars.ttl", GRAPH)


def query(*arguments: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["-q", "query", *map(str, arguments)], input=stdin)


def test_a_query_knows_the_prefixes_of_its_graph_and_gives_names(cars: Path) -> None:
    lines = "car\tprice\nBee\t900\nApe\t4,500\n"
    assert query(cars, PRICES).stdout == lines
    assert query(cars, "-", stdin=PRICES).stdout == lines
    assert query(cars, "ASK { ex:a ex:price 1 }").stdout == "no\n"
    assert query(cars, "PREFIX ex: <http://other.org/> ASK { ?x a ex:Car }").stdout == "no\n"


def test_a_query_gives_the_formats_of_answers_and_the_json_of_sparql(cars: Path) -> None:
    csv = "car,car_label,price\nhttp://example.org/b,Bee,900\nhttp://example.org/a,Ape,4500\n"
    assert query(cars, PRICES, "--format", "csv").stdout == csv
    assert "[Bee](<http://example.org/b>) | 900 |" in query(cars, PRICES, "--format", "markdown").stdout
    first, _ = json.loads(query(cars, PRICES, "--format", "json").stdout)["results"]["bindings"]
    assert first["car"] == {"type": "uri", "value": "http://example.org/b"}


def test_what_cannot_be_read_is_told_with_its_place(cars: Path) -> None:
    wrong = query(cars, "SELECT ?x {\n  ?x a ; }")
    assert (wrong.exit_code, wrong.stdout) == (1, "")
    assert "line 2, column 8, at '  ?x a ' >>> '; }'" in wrong.stderr
    assert "'xx:' is not declared: line 2, column 6; known" in query(cars, "SELECT ?x {\n  ?x xx:y 1 }").stderr
    assert "DELETE is not allowed" in query(cars, "DELETE WHERE { ?x a ex:Car }").stderr


def test_a_query_is_told_in_words(cars: Path) -> None:
    dear = "SELECT ?car { ?car a ex:Car ; ex:price ?price FILTER(?price > 1000) }"
    assert query(cars, dear, "--words").stdout == "car; price > 1000\n"
    assert "--words, --explain and --format are for one each" in query(cars, dear, "--words", "--explain").stderr


def test_each_part_of_a_query_is_counted_alone_and_left_out(cars: Path) -> None:
    none = "SELECT ?car { ?car a ex:Car ; ex:price ?price FILTER(?price > 5000) }"
    header, *rows = query(cars, none, "--explain").stdout.splitlines()
    assert header == "part\talone\twithout it\tsuch as"
    assert rows[0].startswith("?car a ex:Car\t2\t0\t")
    assert rows[2].startswith("FILTER (?price > 5000)\t\t2\t?price = ")
