"""Questions of other languages over a graph with English names, as people type them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import Reading

LANDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:State rdfs:label "state" . :Country rdfs:label "country" . :River rdfs:label "river" . :Point rdfs:label "point" .
:population rdfs:label "population" . :area rdfs:label "area" . :country rdfs:label "country" .
:crosses rdfs:label "runs through" . :highestPoint rdfs:label "highest point" . :borders rdfs:label "borders" .
:oz a :Country ; rdfs:label "Oz" .
:gale a :State ; rdfs:label "Gale" ; :country :oz ; :population 900 ; :area 40 ; :highestPoint :mo ; :borders :dorn .
:dorn a :State ; rdfs:label "Dorn" ; :country :oz ; :population 300 ; :area 70 ; :highestPoint :ka ; :borders :gale .
:ulme a :River ; rdfs:label "Ulme" ; :crosses :gale , :dorn . :arve a :River ; rdfs:label "Arve" ; :crosses :dorn .
:mo a :Point ; rdfs:label "Mo" . :ka a :Point ; rdfs:label "Ka" .
"""


@pytest.fixture(scope="module")
def lands(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("lands.ttl", LANDS)


@pytest.mark.parametrize(
    ("language", "question", "answers"),
    [
        ("en", "How large is the population of Gale?", {("900",)}),
        ("de", "wie gross ist die bevoelkerung von Gale", {("900",)}),
        ("de", "Wie groß ist Gale?", {("40",)}),
        ("de", "welche staaten gibt es", {("gale",), ("dorn",)}),
        ("de", "durch welche staaten fliesst die Ulme", {("gale",), ("dorn",)}),
        ("de", "was ist der hoechste punkt von Dorn", {("ka",)}),
        ("de", "wie lautet der groesste staat", {("dorn",)}),
        ("es", "cuales rios corren por Gale", {("ulme",)}),
        ("es", "que estados bordean a Gale", {("dorn",)}),
    ],
)
def test_words_of_a_language_mean_what_english_names_say(
    lands: Reading, language: str, question: str, answers: set[tuple[str, ...]]
) -> None:
    assert lands.found(question, language) == answers
