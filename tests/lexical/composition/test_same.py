"""What has the same as something else, and as much or as many of it; where customers live."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

BIKES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Bicycle rdfs:label "bicycle" . :Customer rdfs:label "customer" . :Brand rdfs:label "brand" .
:frame rdfs:label "frame material" . :gears rdfs:label "number of gears" . :weight rdfs:label "weight (kg)" .
:price rdfs:label "price (EUR)" . :brand rdfs:label "brand" . :city rdfs:label "city" . :birth rdfs:label "birth date" .
:released rdfs:label "release date" .
:cube a :Brand ; rdfs:label "Cube" . :trek a :Brand ; rdfs:label "Trek" .
:b1 a :Bicycle ; rdfs:label "Domane" ; :frame "carbon" ; :gears 22 ; :weight 9 ; :price 3000 ; :brand :trek ;
  :released "2022-02-10"^^xsd:date .
:b2 a :Bicycle ; rdfs:label "Defy" ; :frame "carbon" ; :gears 11 ; :weight 9 ; :price 2000 ; :brand :cube ;
  :released "2021-03-10"^^xsd:date .
:b3 a :Bicycle ; rdfs:label "Touring" ; :frame "steel" ; :gears 22 ; :weight 15 ; :price 2000 ; :brand :cube ;
  :released "2022-11-11"^^xsd:date .
:c1 a :Customer ; rdfs:label "Ann Lee" ; :city "Leipzig" ; :birth "1980-04-01"^^xsd:date .
:c2 a :Customer ; rdfs:label "Bob Marsh" ; :city "Dresden" ; :birth "1980-12-24"^^xsd:date .
:c3 a :Customer ; rdfs:label "Carla Diaz" ; :city "Leipzig" ; :birth "1975-06-30"^^xsd:date .
"""


@pytest.fixture(scope="module")
def bikes(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(BIKES)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which bicycles have the same frame material as the Domane?", [["Defy"]]),
        ("Which bicycles weigh as much as the Domane?", [["Defy"]]),
        ("Which bicycles have as many gears as the Domane?", [["Touring"]]),
        ("Which bicycles have the same number of gears as the Domane?", [["Touring"]]),
        ("Which bicycles cost the same as the Defy?", [["Touring"]]),
        ("Which bicycles cost as much as the Defy?", [["Touring"]]),
        ("Which bicycles have the same brand as the Defy?", [["Touring"]]),
        ("Which bicycles were released in the same year as the Domane?", [["Touring"]]),
        ("How many bicycles have the same frame material as the Domane?", [["1"]]),
        ("Which bicycles do not have the same frame material as the Touring?", [["Defy"], ["Domane"]]),
        ("Which bicycles don't weigh as much as the Domane?", [["Touring"]]),
        ("Which customers are from the same city as Ann Lee?", [["Carla Diaz"]]),
        ("Which customers live in the same city as Ann Lee?", [["Carla Diaz"]]),
        ("Where does Ann Lee live?", [["Leipzig"]]),
    ],
)
def test_same(bikes: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(bikes, question, "en") == rows


def test_same_in_german(bikes: Agent) -> None:
    assert labels(bikes, "Welche Kunden sind aus derselben Stadt wie Ann Lee?", "de") == [["Carla Diaz"]]


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Is Ann Lee from the same city as Carla Diaz?", True),
        ("Is Ann Lee from the same city as Bob Marsh?", False),
        ("Does the Defy weigh as much as the Domane?", True),
        ("Does Ann Lee live in Leipzig?", True),
    ],
)
def test_whether_it_is_the_same(bikes: Agent, question: str, holds: bool) -> None:
    assert bikes.ask(question).boolean is holds


@pytest.mark.parametrize(
    "question", ["Which brands have as many bicycles as Cube?", "Which bicycles shine as the Defy?"]
)
def test_what_is_not_compared_is_not_answered(bikes: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        bikes.ask(question)
