"""Breaches: what a query takes for something else than the words say is a guess at most."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

LAND = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:State rdfs:label "state" . :City rdfs:label "city" . :River rdfs:label "river" . :Peak rdfs:label "peak" .
:state rdfs:label "state" . :capital rdfs:label "capital" . :crosses rdfs:label "flows through" .
:population rdfs:label "population" . :rank rdfs:label "reliability" .
:top rdfs:label "top" . :height rdfs:label "height" .
:a a :State ; rdfs:label "Alba" ; :population 900 ; :capital :a1 ; :top :p ; :rank 3 .
:b a :State ; rdfs:label "Bela" ; :population 700 ; :capital :b1 ; :top :q .
:c a :State ; rdfs:label "Cora" ; :population 100 ; :capital :c1 ; :top :r ; :rank 5 .
:a1 a :City ; rdfs:label "Aton" ; :state :a ; :population 90 .
:a2 a :City ; rdfs:label "Port" ; :state :a ; :population 80 .
:b1 a :City ; rdfs:label "Bton" ; :state :b ; :population 70 .
:b2 a :City ; rdfs:label "Port" ; :state :b ; :population 60 .
:a3 a :City ; rdfs:label "West Hall" ; :state :a ; :population 5 .
:b3 a :City ; rdfs:label "West Gate" ; :state :b ; :population 4 .
:c1 a :City ; rdfs:label "Cton" ; :state :c ; :population 10 .
:x a :River ; rdfs:label "Xan" ; :crosses :a , :b . :y a :River ; rdfs:label "Ylm" ; :crosses :a .
:p a :Peak ; rdfs:label "Great River Mountain" ; :height 1 .
:q a :Peak ; rdfs:label "Little River Mountain" ; :height 2 .
:r a :Peak ; rdfs:label "Rock" ; :height 3 .
"""


@pytest.fixture(scope="module")
def land(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LAND)


@pytest.mark.parametrize(
    "question",
    [
        "How many people live in state capitals?",  # not in the states that have one
        "What rivers flow through Aton?",  # not through its state
        "Which states are not reliable?",  # not those without a reliability
        "Which cities are in the west?",  # not all that have the word in their names
    ],
)
def test_what_says_something_else_is_no_answer(land: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        land.ask(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What rivers flow through Alba?", {"Xan", "Ylm"}),
        ("What is the population of the capital of Bela?", {"70"}),
        ("Which states have cities named Port?", {"Alba", "Bela"}),
    ],
)
def test_what_is_said_is_answered(land: Agent, question: str, expected: set[str]) -> None:
    assert set(map(str, land.ask(question).values)) == expected


def test_what_is_called_so_has_the_name(land: Agent) -> None:
    answer = land.ask("Which cities are called Port?")
    assert {value.term.value.rpartition("/")[2] for value in answer.values} == {"a2", "b2"}


def test_a_thing_is_told_about_by_facts(land: Agent) -> None:
    answer = land.ask("Tell me about Alba")
    assert ("population", "900") in {tuple(value.label or str(value) for value in row if value) for row in answer.rows}


def test_things_that_stand_by_a_value_are_sorted_by_it_and_shown_with_it(land: Agent) -> None:
    answer = land.ask("List the peaks by height")
    assert [tuple(map(str, row)) for row in answer.rows][-1] == ("Rock", "3")
