"""Animals of a zoo, who cares for them and what that costs; the offices of a charity, whose addresses have no name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

ZOO = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Animal rdfs:label "animal" . :Keeper rdfs:label "keeper" . :Species rdfs:label "species" . :Cage rdfs:label "cage" .
:Exam rdfs:label "examination" . :sex rdfs:label "sex" . :species rdfs:label "species" . :born rdfs:label "born" .
:keptBy rdfs:label "cared for by" . :livesIn rdfs:label "lives in" . :salary rdfs:label "monthly salary" .
:cost rdfs:label "cost" . :patient rdfs:label "patient" . :on rdfs:label "date" . :life rdfs:label "life expectancy" .
:lion a :Species ; rdfs:label "Asian lion" ; :life 15 . :giraffe a :Species ; rdfs:label "Giraffe" ; :life 25 .
:rock a :Cage ; rdfs:label "Lion Rock" . :house a :Cage ; rdfs:label "High House" .
:tom a :Keeper ; rdfs:label "Tom Bradley" ; :salary 2850 . :ida a :Keeper ; rdfs:label "Ida Kern" ; :salary 2900 .
:a1 a :Animal ; rdfs:label "Simba" ; :species :lion ; :sex "male" ; :keptBy :tom ; :livesIn :rock ;
  :born "2010-05-01"^^xsd:date .
:a2 a :Animal ; rdfs:label "Nala" ; :species :lion ; :sex "female" ; :keptBy :tom ; :livesIn :rock ;
  :born "2012-05-01"^^xsd:date .
:a3 a :Animal ; rdfs:label "Twiga" ; :species :giraffe ; :sex "male" ; :keptBy :ida ; :livesIn :house ;
  :born "2015-05-01"^^xsd:date .
:e1 a :Exam ; :patient :a1 ; :cost 120 ; :on "2023-02-01"^^xsd:date .
:e2 a :Exam ; :patient :a3 ; :cost 120 ; :on "2023-06-01"^^xsd:date .
:e3 a :Exam ; :patient :a2 ; :cost 50 ; :on "2024-06-01"^^xsd:date .
"""

OFFICES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Unit rdfs:label "organizational unit" . :Person rdfs:label "person" . :Role rdfs:label "role" .
:Membership rdfs:label "membership" . :Charity rdfs:label "charity" . :Van rdfs:label "van" .
:State rdfs:label "state" .
:member rdfs:label "member" . :unit rdfs:label "unit" . :role rdfs:label "role" . :unitOf rdfs:label "unit of" .
:address rdfs:label "address" . :street rdfs:label "street" . :town rdfs:label "town" . :state rdfs:label "state" .
:aid a :Charity ; rdfs:label "Bright Aid" .
:o1 a :Unit ; rdfs:label "Lisbon Office" ; :unitOf :aid ; :address [ :street "Rua Augusta 12" ; :town "Lisbon" ] .
:o2 a :Unit ; rdfs:label "Oslo Office" ; :unitOf :aid ; :address [ :street "Storgata 5" ; :town "Oslo" ] .
:o3 a :Unit ; rdfs:label "Quito Office" ; :unitOf :aid ; :address [ :street "Amazonas 3" ; :town "Quito" ] .
:boss a :Role ; rdfs:label "Director" . :raiser a :Role ; rdfs:label "Fundraiser" .
:p1 a :Person ; rdfs:label "Ines Costa" . :p2 a :Person ; rdfs:label "Lars Haug" .
:p3 a :Person ; rdfs:label "Eva Ruiz" .
:m1 a :Membership ; :member :p1 ; :unit :o1 ; :role :boss .
:m2 a :Membership ; :member :p2 ; :unit :o2 ; :role :raiser .
:m3 a :Membership ; :member :p3 ; :unit :o3 ; :role :raiser .
:up a :State ; rdfs:label "operational by radio" . :down a :State ; rdfs:label "not operational" .
:v1 a :Van ; rdfs:label "Van One" ; :state :up . :v2 a :Van ; rdfs:label "Van Two" ; :state :down .
"""

LOANS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Loan rdfs:label "loan" . :Person rdfs:label "person" . :Tool rdfs:label "tool" . :Shed rdfs:label "shed" .
:borrower rdfs:label "borrower" . :tool rdfs:label "tool" . :manager rdfs:label "manager" .
:keptIn rdfs:label "kept in" .
:ivy a :Person ; rdfs:label "Ivy Chan" . :max a :Person ; rdfs:label "Max Weir" .
:saw a :Tool ; rdfs:label "Bow Saw" ; :keptIn :north . :drill a :Tool ; rdfs:label "Pocket Drill" ; :keptIn :south .
:north a :Shed ; rdfs:label "North Shed" ; :manager :ivy . :south a :Shed ; rdfs:label "South Shed" ; :manager :max .
:l1 a :Loan ; rdfs:label "Loan 1" ; :borrower :max ; :tool :saw . :l2 a :Loan ; rdfs:label "Loan 2" ; :borrower :ivy ;
  :tool :drill .
"""


@pytest.fixture(scope="module")
def zoo(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(ZOO)


@pytest.fixture(scope="module")
def offices(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(OFFICES)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who is the oldest animal?", [["Simba"]]),
        ("Who lives in Lion Rock?", [["Nala"], ["Simba"]]),
        ("Who are the giraffes?", [["Twiga"]]),
        ("How many giraffes are there?", [["1"]]),
        ("List all Asian lions", [["Nala"], ["Simba"]]),
        ("Where do the giraffes live?", [["High House"]]),
        ("What is the life expectancy of giraffes?", [["25"]]),
        ("What species is Simba?", [["Asian lion"]]),
        ("How much was spent on examinations in 2023?", [["240"]]),
        ("How much did the examinations cost?", [["290"]]),
        ("What does Tom Bradley earn per month?", [["2850"]]),
    ],
)
def test_zoo(zoo: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(zoo, question, "en") == rows


@pytest.mark.parametrize(
    "question",
    [
        "Is Tom Bradley male?",
        "What species is Tom Bradley?",
        "What does Tom Bradley earn per year?",
        "What is the hourly salary of Tom Bradley?",
    ],
)
def test_nobody_is_what_somebody_has_to_do_with(zoo: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        labels(zoo, question, "en")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many offices are there?", [["3"]]),
        ("Which office does Eva Ruiz work in?", [["Quito Office"]]),
        ("Who is the director?", [["Ines Costa"]]),
        ("Who are the fundraisers?", [["Eva Ruiz"], ["Lars Haug"]]),
        ("What is the address of the Oslo Office?", [["Storgata 5", "Oslo"]]),
        ("Which vans are operational?", [["Van One"]]),
        ("Which vans are not operational?", [["Van Two"]]),
    ],
)
def test_offices(offices: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(offices, question, "en") == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who are the borrowers?", [["Ivy Chan"], ["Max Weir"]]),
        ("Who was the borrower of the Bow Saw?", [["Max Weir"]]),
        ("Manager of each shed", [["Ivy Chan"], ["Max Weir"]]),
    ],
)
def test_who_borrows_is_no_loan(open_text: Callable[[str], Agent], question: str, rows: list[list[str]]) -> None:
    assert labels(open_text(LOANS), question, "en") == rows
