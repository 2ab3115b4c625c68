"""A query in words."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from triad import sparql
from triad.language.pack import load_pack
from triad.queries.in_words import in_words


def labels(iris: Iterable[str]) -> dict[str, str]:
    return {iri: iri.replace("_", " ") for iri in iris}


def told(query: str, language: str = "en") -> str:
    return in_words(sparql.parse(query), labels, load_pack(language))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT ?x { <Tom_Hale> <plays_for> ?y . ?y <city> ?x }", "city; Tom Hale: plays for"),
        ("SELECT ?x { VALUES ?y { <Ulm> <Bonn> } ?y <mayor> ?x }", "Ulm, Bonn: mayor"),
        ("SELECT ?x { ?x a <film> ; <director> <Lynch> }", "film; director: Lynch"),
        ("SELECT ?x { ?x <director>/<birth_place> <Ulm> }", "director, birth place: Ulm"),
        ("SELECT ?x { <Ulm> ^<birth_place> ?x }", "birth place: Ulm"),
        ("SELECT ?x { ?x a <country> ; <area> ?y } ORDER BY DESC(?y) LIMIT 1", "country; the greatest area"),
        ("SELECT ?z { ?x a <country> ; <area> ?y ; <capital> ?z } ORDER BY ?y LIMIT 1",
         "capital; country; the least area"),
        ("SELECT ?x { ?x <area> ?y { SELECT (MAX(?z) AS ?m) { ?w <area> ?z } } FILTER(?y = ?m) }", "the greatest area"),
        ("SELECT (COUNT(?x) AS ?n) { ?x a <film> ; <length> ?y FILTER(?y >= 90) }", "how many: film; length ≥ 90"),
        ("SELECT ?x { ?x a <film> ; <length> ?y FILTER(?y < 90) }", "film; length < 90"),
        ("SELECT ?x { ?x a <film> ; <length> ?y FILTER(?y != 90 && ?y <= 120) }", "film; length ≠ 90; length ≤ 120"),
        ("SELECT ?x { ?x a <film> ; <length> ?y ; <width> ?z FILTER(?y > ?z) }", "film"),
        ("SELECT ?x { ?x a/<below>* <film> ; <director> ?y . ?y a <person> }", "film; person; director"),
        ("SELECT (SUM(?y) AS ?n) { ?x a <river> ; <length> ?y }", "sum: length; river"),
        ("SELECT (MAX(?y) AS ?n) { ?x a <river> ; <length> ?y }", "length; river; the greatest length"),
        ("SELECT ?n { ?x <length> ?y BIND(?y * 2 AS ?n) }", "length"),
        ("SELECT ?x { ?x <title> 'Dune' }", "title: Dune"),
        ("SELECT (AVG(?y) AS ?n) { ?x a <river> ; <length> ?y }", "average: length; river"),
        ("SELECT ?x { ?y a <film> ; <director> ?x } GROUP BY ?x ORDER BY DESC(COUNT(?y)) LIMIT 1",
         "director; film; the greatest number: film"),
        ("SELECT ?x { ?x a <person> MINUS { ?x <spouse> ?y } }", "person; without what follows: spouse"),
        ("SELECT ?x { VALUES ?k { <film> <short> } ?x a ?k ; <director> <Lynch> }", "film; director: Lynch"),
        ("ASK { <Dune> <director> <Lynch> }", "Dune: director: Lynch"),
        ("SELECT * { <Dune> <director> ?x }", "Dune: director"),
    ],
)  # fmt: skip
def test_a_query_is_told_by_what_it_asks_for_its_facts_and_what_it_does_besides(query: str, words: str) -> None:
    assert told(query) == words


def test_a_query_is_told_in_the_language_of_the_question() -> None:
    query = "SELECT ?x { ?x a <Land> ; <Fläche> ?y } ORDER BY DESC(?y) LIMIT 1"
    assert told(query, "de") == "Land; größter Wert: Fläche"


def test_a_query_that_names_nothing_is_told_by_nothing() -> None:
    assert told("SELECT ?x { ?x ?y ?z }") == ""
