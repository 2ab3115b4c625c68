"""Families: what relatives are called, whose graph knows parents and marriages, and namesakes told apart by years."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

FAMILY = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Person rdfs:label "person" . :Marriage rdfs:label "marriage" . :Town rdfs:label "town" .
:father rdfs:label "father" . :mother rdfs:label "mother" . :gender rdfs:label "gender" .
:female a :Gender ; rdfs:label "female" . :male a :Gender ; rdfs:label "male" .
:ulm a :Town ; rdfs:label "Ulm" . :bern a :Town ; rdfs:label "Bern" .
:max a :Person ; rdfs:label "Max Rau" ; :gender :male ; :birthPlace :ulm ; :born "1850-02-01"^^xsd:date ;
  :died "1930-03-01"^^xsd:date .
:eva a :Person ; rdfs:label "Eva Rau" ; :gender :female ; :birthPlace :bern ; :born "1855-05-01"^^xsd:date ;
  :died "1940-07-02"^^xsd:date .
:ida a :Person ; rdfs:label "Ida Rau" ; :gender :female ; :father :max ; :mother :eva ; :birthPlace :ulm ;
  :born "1880-06-05"^^xsd:date ; :died "1901-01-09"^^xsd:date .
:tom1 a :Person ; rdfs:label "Tom Rau (1882-1950)" ; :gender :male ; :father :max ; :mother :eva ; :birthPlace :bern ;
  :born "1882-08-08"^^xsd:date ; :died "1950-11-11"^^xsd:date .
:tom2 a :Person ; rdfs:label "Tom Rau (1910-1990)" ; :gender :male ; :father :tom1 ; :birthPlace :ulm ;
  :born "1910-09-10"^^xsd:date ; :died "1990-12-12"^^xsd:date .
:m1 a :Marriage ; rdfs:label "Marriage of Max and Eva Rau" ; :husband :max ; :wife :eva ; :place :ulm .
"""

NAMES = {"max": "Max Rau", "eva": "Eva Rau", "ida": "Ida Rau", "tom1": "Tom Rau", "tom2": "Tom Rau"}


@pytest.fixture
def family(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(FAMILY)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who are the children of Max Rau?", {"ida", "tom1"}),
        ("Max Rau's children", {"ida", "tom1"}),
        ("Who are the children of Eva Rau?", {"ida", "tom1"}),
        ("Who were the parents of Ida Rau?", {"max", "eva"}),
        ("Who was the father of Ida Rau?", {"max"}),
        ("Which women were born in Ulm?", {"ida"}),
        ("list all women", {"eva", "ida"}),
        ("men", {"max", "tom1", "tom2"}),
        ("Who was the husband of Eva Rau?", {"max"}),
        ("Who was Max Rau's wife?", {"eva"}),
    ],
)
def test_relatives_are_found(family: Agent, question: str, expected: set[str]) -> None:
    found = family.ask(question)
    assert {value.term.value.rpartition("/")[2] for value in found.values} == expected
    assert found.confidence >= 0.5


@pytest.mark.parametrize(
    ("question", "expected"), [("How many children did Max Rau have?", 2), ("How many women are there?", 2)]
)
def test_relatives_are_counted(family: Agent, question: str, expected: int) -> None:
    assert family.ask(question).text == str(expected)


@pytest.mark.parametrize(
    ("question", "expected"),
    [("Did Eva Rau have children?", True), ("Did Ida Rau have children?", False), ("Is Ida Rau a woman?", True)],
)
def test_whoever_has_none_has_none(family: Agent, question: str, expected: bool) -> None:
    assert family.ask(question).boolean is expected


@pytest.mark.parametrize(
    "question",
    [
        "Who are the children of Ida Rau?",  # not her parents
        "Who was the mother of Tom Rau (1910-1990)?",  # not his father
        "Who died youngest?",  # not last
        "When was Otto Rau born?",  # who is none of the others
        "When was Tom Rau (1700-1780) born?",  # nor is he
        "Which children were born in Ulm?",  # not their fathers
    ],
)
def test_what_the_graph_does_not_know_is_no_answer(family: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        family.ask(question)


def test_of_namesakes_all_are_told(family: Agent) -> None:
    assert {str(row[0]) for row in family.ask("When was Tom Rau born?").rows} == {"1882-08-08", "1910-09-10"}
    assert {str(row[0]) for row in family.ask("When was Tom Rau (1910-1990) born?").rows} == {"1910-09-10"}
