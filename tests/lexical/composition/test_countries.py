"""Some of many, one place and not another, multiples, years of what was done, and what only a longer name has."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.answers import Answer
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

COUNTRIES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Country rdfs:label "country" . :Speaking rdfs:label "country language" . :City rdfs:label "city" .
:language rdfs:label "language" . :of rdfs:label "country" . :continent rdfs:label "continent" .
:population rdfs:label "population" . :government rdfs:label "government form" . :seat rdfs:label "country" .
:built rdfs:label "year built" . :by rdfs:label "built by" . :Bridge rdfs:label "bridge" .
:es a :Country ; rdfs:label "Spain" ; :continent "Europe" ; :population 47 ; :government "monarchy" .
:de a :Country ; rdfs:label "Germany" ; :continent "Europe" ; :population 83 ; :government "republic" .
:be a :Country ; rdfs:label "Belgium" ; :continent "Europe" ; :population 11 ; :government "monarchy" .
:za a :Country ; rdfs:label "South Africa" ; :continent "Africa" ; :population 60 ; :government "republic" .
:ls a :Country ; rdfs:label "Lesotho" ; :continent "Africa" ; :population 2 ; :government "monarchy" .
:c1 a :City ; rdfs:label "Gent" ; :seat :be ; :population 1 .
:c2 a :City ; rdfs:label "Ulm" ; :seat :de ; :population 1 .
:s1 a :Speaking ; :of :be ; :language "Dutch" . :s2 a :Speaking ; :of :be ; :language "French" .
:s3 a :Speaking ; :of :be ; :language "German" . :s4 a :Speaking ; :of :de ; :language "German" .
:s5 a :Speaking ; :of :es ; :language "Spanish" . :s6 a :Speaking ; :of :de ; :language "Turkish" .
:b1 a :Bridge ; rdfs:label "Long Bridge" ; :built 1874 ; :by :p1 .
:b2 a :Bridge ; rdfs:label "Old Bridge" ; :built 1509 .
:b3 a :Bridge ; rdfs:label "New Bridge" ; :built 1990 ; :by :p1 .
:p1 a :Engineer ; rdfs:label "Ada Lind" . :Engineer rdfs:label "engineer" .
"""


def shown(answer: Answer) -> set[str]:
    return {value.label or str(value) for value in answer.values}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which languages are spoken in Belgium but not in Germany?", {"Dutch", "French"}),
        ("What are the government forms in Africa?", {"republic", "monarchy"}),
        ("When was the Long Bridge built?", {"1874"}),
        ("In which year was the Old Bridge built?", {"1509"}),
        ("Who built the New Bridge?", {"Ada Lind"}),
        ("Which countries have a population greater than or equal to 60?", {"Germany", "South Africa"}),
        ("Show me a list of all bridges", {"Long Bridge", "Old Bridge", "New Bridge"}),
    ],
)
def test_each_word_is_read_as_it_is_said(open_text: Callable[[str], Agent], question: str, expected: set[str]) -> None:
    assert shown(open_text(COUNTRIES).ask(question)) == expected


@pytest.mark.parametrize(
    ("question", "of", "how_many"),
    [
        ("Name two countries in Europe", {"Spain", "Germany", "Belgium"}, 2),
        ("Give me 2 bridges", {"Long Bridge", "Old Bridge", "New Bridge"}, 2),
        ("List any three countries", {"Spain", "Germany", "Belgium", "South Africa", "Lesotho"}, 3),
    ],
)
def test_so_many_are_told_as_are_demanded(
    open_text: Callable[[str], Agent], question: str, of: set[str], how_many: int
) -> None:
    found = shown(open_text(COUNTRIES).ask(question))
    assert len(found) == how_many
    assert found <= of


@pytest.mark.parametrize(
    "question",
    [
        "Which countries have more than twice the population of Spain?",
        "What is the population of the capital of Belgium?",
        "What was built by Ada Lind's company?",
    ],
)
def test_what_a_query_leaves_out_makes_it_no_sure_one(open_text: Callable[[str], Agent], question: str) -> None:
    with contextlib.suppress(AnswerError):
        assert open_text(COUNTRIES).ask(question).confidence < 0.75
