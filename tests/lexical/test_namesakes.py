"""Things that share their name, with each other or with other things once the word for their class is added."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.questions import Question

pytestmark = pytest.mark.slow(0.1)

RIVERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:River rdfs:label "river" . :State rdfs:label "state" . :Town rdfs:label "town" . :Ferry rdfs:label "ferry" .
:crosses rdfs:label "flows through" . :in rdfs:label "state" . :length rdfs:label "length" .
:residents rdfs:label "population" . :crew rdfs:label "crew" .
:ohio a :State ; rdfs:label "Ohio" . :iowa a :State ; rdfs:label "Iowa" . :utah a :State ; rdfs:label "Utah" .
:r1 a :River ; rdfs:label "Ohio" ; :crosses :ohio, :iowa ; :length 1569 .
:r2 a :River ; rdfs:label "Snake" ; :crosses :utah ; :length 1735 .
:f1 a :Ferry ; rdfs:label "Ohio River" ; :crew 7 ; :in :utah .
:t1 a :Town ; rdfs:label "Salem" ; :in :ohio ; :residents 300 .
:t2 a :Town ; rdfs:label "Salem" ; :in :iowa ; :residents 500 .
:t3 a :Town ; rdfs:label "Logan" ; :in :utah ; :residents 900 .
:t4 a :Town ; rdfs:label "Troy" ; :in :utah ; :residents 200 . :t5 a :Town ; rdfs:label "Nome" ; :residents 100 .
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("how long is the ohio river", ["1569"]),
        ("Which states does the Ohio River flow through?", ["Iowa", "Ohio"]),
        ("What is the crew of the Ohio River?", ["7"]),
        ("What is the length of the river Ohio?", ["1569"]),
        ("Which rivers flow through the state of Ohio?", ["Ohio"]),
    ],
)
def test_a_name_with_the_word_for_its_class_is_as_good_as_the_very_name_of_something_else(
    question: str, values: list[str], open_text: Callable[[str], Agent]
) -> None:
    answer = open_text(RIVERS).ask(Question(question, "en"), min_confidence=0)
    assert sorted(map(str, answer.values)) == values


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("In which state is Salem?", ["Iowa", "Ohio"]),
        ("How many states have a town called Salem?", ["2"]),
        ("What is the population of Salem in Iowa?", ["500"]),
        ("In which state is Logan?", ["Utah"]),
        ("In which state is Salem (population 300)?", ["Ohio"]),
        ("In which state is Salem (population 500)?", ["Iowa"]),
    ],
)
def test_all_things_of_one_class_and_name_are_meant_unless_the_question_tells_them_apart(
    question: str, values: list[str], open_text: Callable[[str], Agent]
) -> None:
    answer = open_text(RIVERS).ask(Question(question, "en"), min_confidence=0)
    assert sorted(map(str, answer.values)) == values


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Is Logan bigger than Salem?", True),
        ("Is Troy bigger than Salem?", False),  # it is bigger than Nome
        ("Is Salem bigger than Logan?", False),
    ],
)
def test_a_thing_is_compared_with_those_of_the_other_name_and_with_nothing_else(
    question: str, holds: bool, open_text: Callable[[str], Agent]
) -> None:
    assert open_text(RIVERS).ask(Question(question, "en")).boolean is holds
