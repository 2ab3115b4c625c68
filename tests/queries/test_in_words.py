"""A query in words."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from triad import sparql
from triad.language.pack import load_pack
from triad.queries.in_words import in_words, step


def labels(iris: Iterable[str]) -> dict[str, str]:
    return {iri: iri.replace("_", " ") for iri in iris}


def told(query: str, language: str = "en") -> str:
    return in_words(sparql.parse(query), labels, load_pack(language))


@pytest.mark.parametrize(
    ("label", "there", "back"),
    [
        ("author", "author of Momo", "what has the author Momo"),
        ("birth date", "birth date of Momo", "what has the birth date Momo"),
        ("plays for", "Momo: plays for", "plays for: Momo"),
        ("founded by", "Momo: founded by", "founded by: Momo"),
        ("is part of", "Momo: is part of", "is part of: Momo"),
        ("has genre", "Momo: has genre", "has genre: Momo"),
        ("wrote", "Momo: wrote", "wrote: Momo"),
        ("isPartOf", "isPartOf of Momo", "what has the isPartOf Momo"),
    ],
)
def test_a_name_that_is_no_noun_is_of_nothing(label: str, there: str, back: str) -> None:
    pack = load_pack("en")
    assert step(label, "Momo", pack, forward=True) == there
    assert step(label, "Momo", pack, forward=False) == back


def test_names_of_relations_may_be_english_in_any_language() -> None:
    pack = load_pack("de")
    assert step("plays for", "Tom Hale", pack, forward=True) == "Tom Hale: plays for"
    assert step("spielt für", "Tom Hale", pack, forward=True) == "Tom Hale: spielt für"
    assert step("Verein", "Tom Hale", pack, forward=True) == "Verein von Tom Hale"


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("SELECT ?x { <Tom_Hale> <plays_for> ?y . ?y <city> ?x }", "city of (Tom Hale: plays for)"),
        ("SELECT ?x { VALUES ?y { <Ulm> <Bonn> } ?y <mayor> ?x }", "mayor of Ulm, Bonn"),
        ("SELECT ?x { ?x a <film> ; <director> <Lynch> }", "film, what has the director Lynch"),
        ("SELECT ?x { ?x <director>/<birth_place> <Ulm> }", "what has the director (what has the birth place Ulm)"),
        ("SELECT ?x { <Ulm> ^<birth_place> ?x }", "what has the birth place Ulm"),
        ("SELECT ?x { ?x a <country> ; <area> ?y } ORDER BY DESC(?y) LIMIT 1", "country, the greatest area"),
        ("SELECT ?z { ?x a <country> ; <area> ?y ; <capital> ?z } ORDER BY ?y LIMIT 1",
         "capital of country, the least area"),
        ("SELECT ?x { ?x <area> ?y { SELECT (MAX(?z) AS ?m) { ?w <area> ?z } } FILTER(?y = ?m) }", "the greatest area"),
        ("SELECT (COUNT(?x) AS ?n) { ?x a <film> ; <length> ?y FILTER(?y >= 90) }", "how many: film, length ≥ 90"),
        ("SELECT (AVG(?y) AS ?n) { ?x a <river> ; <length> ?y }", "average: length of river"),
        ("SELECT ?x { ?x a <person> MINUS { ?x <spouse> ?y } }", "person, without what follows: spouse"),
        ("SELECT ?x { VALUES ?k { <film> <short> } ?x a ?k ; <director> <Lynch> }",
         "film, what has the director Lynch"),
        ("ASK { <Dune> <director> <Lynch> }", "director of Dune = Lynch"),
        ("SELECT * { <Dune> <director> ?x }", "director of Dune"),
    ],
)  # fmt: skip
def test_a_query_is_told_by_what_leads_to_what_it_asks_for_and_what_it_does_besides(query: str, words: str) -> None:
    assert told(query) == words


def test_a_query_is_told_in_the_language_of_the_question() -> None:
    query = "SELECT ?x { ?x a <Land> ; <Fläche> ?y } ORDER BY DESC(?y) LIMIT 1"
    assert told(query, "de") == "Land, größter Wert: Fläche"


def test_a_query_that_names_nothing_is_told_by_nothing() -> None:
    assert told("SELECT ?x { ?x ?y ?z }") == ""
