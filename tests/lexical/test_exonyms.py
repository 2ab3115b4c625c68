"""How names are said in a language, and that things are found by what they are called there."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cases import cases
from triad.agent import Agent
from triad.language import exonyms
from triad.language.exonyms import load_naming
from triad.language.pack import languages
from triad.questions import Question

FILES = sorted(Path(exonyms.__file__).with_name("names").glob("*.csv"))

PLACES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Film rdfs:label "film"@en .
:capital rdfs:label "capital"@en .
:currency rdfs:label "currency"@en .
:country rdfs:label "country"@en .
:director rdfs:label "director"@en .
:visitors rdfs:label "number of visitors"@en .

:Spain rdfs:label "Spain"@en ; :capital :Madrid ; :currency :Euro .
:Czechia rdfs:label "Czech Republic"@en ; :capital :Prague ; :currency :Koruna .
:Madrid rdfs:label "Madrid"@en .
:Prague rdfs:label "Prague"@en .
:Euro rdfs:label "euro"@en .
:Koruna rdfs:label "koruna"@en .
:Heron rdfs:label "Heron Lake"@en ; :country :Spain .
:Alarm a :Film ; rdfs:label "Alarm"@en ; :country :Spain ; :director :Vera .
:Basta a :Film ; rdfs:label "Basta"@en ; :country :Czechia ; :director :Olga .
:Vera rdfs:label "Vera Kubrick"@en .
:Olga rdfs:label "Olga Novak"@en .
"""


@pytest.fixture(scope="module")
def places(open_text: Callable[[str], Agent]) -> Agent:
    """An agent over a graph with English names."""
    return open_text(PLACES)


@pytest.mark.parametrize(
    ("language", "text", "form"), cases(__file__, "test_a_name_is_looked_up_without_its_ending_and_in_english")
)
def test_a_name_is_looked_up_without_its_ending_and_in_english(language: str, text: str, form: str) -> None:
    assert form in load_naming(language).forms(text)


@pytest.mark.parametrize(
    ("language", "text"), [("de", "Gas"), ("en", "Kubricks"), ("en", "Paris"), ("de", "s"), ("de", "")]
)
def test_a_name_that_is_said_the_same_everywhere_has_one_form(language: str, text: str) -> None:
    assert load_naming(language).forms(text) == (text,)


def test_nouns_are_written_big_in_german_alone() -> None:
    assert load_naming("de").is_common("Hauptstädte")
    assert not load_naming("de").is_common("Kubrick")
    assert not load_naming("nl").is_common("Hoofdstad")


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_every_line_of_names_has_all_languages(file: Path) -> None:
    with file.open(encoding="utf-8", newline="") as lines:
        header, *rows = csv.reader(lines)
    assert set(languages()) == set(header) - {"place"}
    assert [row for row in rows if len(row) != len(header) or not row[0]] == []
    assert len({row[0] for row in rows}) == len(rows)


@pytest.mark.parametrize(
    ("language", "question", "answer"), cases(__file__, "test_a_graph_with_english_names_answers_in_other_languages")
)
def test_a_graph_with_english_names_answers_in_other_languages(
    places: Agent, language: str, question: str, answer: str
) -> None:
    found = places.ask(Question(question, language), min_confidence=0)
    assert [str(value) for value in found.values] == [answer]


@pytest.mark.slow
def test_a_class_is_found_by_any_form_of_its_word(open_text: Callable[[str], Agent]) -> None:
    agent = open_text(
        PLACES
        + """
:River a :Class ; rdfs:label "river"@en . :City a :Class ; rdfs:label "city"@en .
:Ebro a :River ; rdfs:label "Ebro"@en ; :country :Spain .
:Toledo a :City ; rdfs:label "Toledo"@en ; :country :Spain .
"""
    )
    answer = agent.ask(Question("Welche Flüsse fließen durch Spanien?", "de"))
    assert [value.label for value in answer.values] == ["Ebro"]
