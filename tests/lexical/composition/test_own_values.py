"""Values that things have themselves, by way of others, or not at all, and what things are called by."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from triad.agent import Agent
from triad.conversation import Conversation
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.3)

MILLS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Mill rdfs:label "mill" . :Model rdfs:label "mill model" . :Park rdfs:label "mill park" .
:Operator rdfs:label "operator" .
:Visit rdfs:label "maintenance visit" . :Part rdfs:label "spare part" . :Report rdfs:label "annual report" .
:Maker rdfs:label "manufacturer" . :Boat rdfs:label "boat" .
:power rdfs:label "rated power" . :ofModel rdfs:label "model" . :inPark rdfs:label "park" .
:makes rdfs:label "manufacturer" .
:offshore rdfs:label "offshore" . :operatedBy rdfs:label "operated by" . :cost rdfs:label "cost" .
:unitPrice rdfs:label "unit price" . :replaced rdfs:label "replaced part" . :visited rdfs:label "visited mill" .
:hours rdfs:label "duration" . :reportPark rdfs:label "reported park" . :reportYear rdfs:label "report year" .
:energy rdfs:label "energy produced" . :kind rdfs:label "type" . :load rdfs:label "load" .

:big a :Model ; rdfs:label "Gale 90" ; :power 90 ; :makes :vane . :small a :Model ; rdfs:label "Gale 30" ; :power 30 .
:vane a :Maker ; rdfs:label "Vane Works" .
:m1 a :Mill ; rdfs:label "A-1" ; :ofModel :big ; :inPark :north .
:m2 a :Mill ; rdfs:label "A-2" ; :ofModel :big ; :inPark :north .
:m3 a :Mill ; rdfs:label "A-3" ; :ofModel :small ; :inPark :south .
:north a :Park ; rdfs:label "North Bank" ; :offshore true ; :operatedBy :o1 .
:south a :Park ; rdfs:label "South Hill" ; :offshore false ; :operatedBy :o2 .
:east a :Park ; rdfs:label "East Moor" ; :offshore false ; :operatedBy :o2 .
:o1 a :Operator ; rdfs:label "Dune Energy" . :o2 a :Operator ; rdfs:label "Hill Power" .
:v1 a :Visit ; rdfs:label "visit 701" ; :visited :m1 ; :replaced :gear ; :cost 900 ; :hours 10 .
:v2 a :Visit ; rdfs:label "visit 702" ; :visited :m2 ; :replaced :drive ; :cost 500 ; :hours 4 .
:gear a :Part ; rdfs:label "gearbox" ; :unitPrice 700 . :drive a :Part ; rdfs:label "yaw drive" ; :unitPrice 300 .
:r1 a :Report ; :reportPark :north ; :reportYear 2022 ; :energy 61000 .
:r2 a :Report ; :reportPark :north ; :reportYear 2023 ; :energy 57000 .
:b1 a :Boat ; rdfs:label "Tern" ; :kind "Crew boat" ; :load 12 .
:b2 a :Boat ; rdfs:label "Gull" ; :kind "Cargo boat" ; :load 80 .
:b3 a :Boat ; rdfs:label "Skua" ; :kind "Cargo boat" ; :load 60 .
"""

CHOIR = """
@prefix : <http://example.org/> .
@prefix s: <https://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:anna a :Composer ; s:name "Anna Birk" . :otto a :Conductor ; s:name "Otto Lind" .
:chapel a s:Place ; s:name "Old Chapel" ; :foundedIn 1999 . :hall a s:Place ; s:name "Mill Hall" ; :foundedIn 1950 .
:w1 a s:MusicComposition ; s:name "Mass in Winter" ; s:composer :anna ; :minutes 42 ; s:inLanguage "Latin" .
:w2 a s:MusicComposition ; s:name "Reed Song" ; s:composer :anna ; :minutes 9 ; s:inLanguage "Latin" .
:w3 a s:MusicComposition ; s:name "Night Psalm" ; s:composer :anna ; :minutes 14 ; s:inLanguage "German" .
:c1 a s:MusicEvent ; s:name "Advent Night" ; s:startDate "2019-12-01"^^xsd:date ; s:location :hall .
:c2 a s:MusicEvent ; s:name "Summer Gala" ; s:startDate "2022-06-01"^^xsd:date ; s:location :chapel .
:c3 a s:MusicEvent ; s:name "Spring Hour" ; s:startDate "2022-04-01"^^xsd:date ; s:location :hall .
:c1 :programme :w1 ; :conductedBy :otto . :c2 :programme :w2 ; :conductedBy :otto . :c3 :programme :w3 .
:s1 a :Solo ; :atConcert :c1 ; :ofWork :w1 . :s2 a :Solo ; :atConcert :c2 ; :ofWork :w2 .
"""

CREW = """
@prefix : <http://example.org/> .
@prefix s: <https://schema.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:p1 a :Sailor ; s:name "Ada Moen" ; s:birthDate "YEAR40-01-01"^^xsd:date ; :joinedIn 2022 .
:p2 a :Sailor ; s:name "Bo Lund" ; s:birthDate "YEAR30-01-01"^^xsd:date ; :joinedIn 2010 .
:p3 a :Sailor ; s:name "Cai Rask" ; s:birthDate "YEAR20-01-01"^^xsd:date ; :joinedIn 2015 .
:o1 a s:Organization ; s:name "Tar Guild" ; :foundedIn 1950 ; :bosun :p1 ; :openedTickets 40 .
:o2 a s:Organization ; s:name "Rope Guild" ; :foundedIn 2001 ; :bosun :p2 ; :openedTickets 90 .
:b1 a :Gull ; s:name "Kip" ; :birthYear YEAR20 . :b2 a :Gull ; s:name "Rip" ; :birthYear YEAR40 .
"""
for years in (20, 30, 40):
    CREW = CREW.replace(f"YEAR{years}", str(date.today().year - years))

PLAIN = """
@prefix : <http://lava.example/> .
:PortLumen a :City ; :country :Costaverde . :Tolimar a :City ; :country :Costaverde . :Costaverde a :Country .
:IdaCorrel a :Scientist ; :bornIn :PortLumen ; :worksFor :LumenLab .
:MinaSato a :Scientist ; :bornIn :Tolimar ; :worksFor :LumenLab .
:LumenLab a :Laboratory ; :foundedIn 1999 . :BlackPeak a :Volcano ; :monitoredBy :LumenLab ; :country :Costaverde .
:PlomoAscent a :Expedition ; :leader :IdaCorrel ; :destination :BlackPeak .
:IceCore a :Expedition ; :leader :MinaSato ; :destination :BlackPeak .
"""


def shown(agent: Agent, question: str) -> list[str]:
    return sorted(value.label for value in agent.ask(question).values)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the total rated power of all mills?", ["210"]),
        ("What is the average rated power of the mills of North Bank?", ["90"]),
        ("What is the total rated power of all models?", ["120"]),
        ("How much does a yaw drive cost?", ["300"]),
        ("How much does a gearbox cost?", ["700"]),
        ("What is the average cost of a visit?", ["700"]),
        ("Which visits cost more than 600?", ["visit 701"]),
        ("How much energy did North Bank produce in 2022?", ["61000"]),
        ("List the cargo boats", ["Gull", "Skua"]),
        ("How many crew boats are there?", ["1"]),
        ("What is the highest load of cargo boats?", ["80"]),
    ],
)
def test_values_are_those_of_what_is_asked_for(
    question: str, expected: list[str], open_text: Callable[[str], Agent]
) -> None:
    assert [one.replace(",", "").removesuffix(".0") for one in shown(open_text(MILLS), question)] == expected


@pytest.mark.parametrize("question", ["List all gearboxes", "How many gearboxes are there?", "Who sells the Gale 90?"])
def test_what_is_done_with_things_is_not_these(question: str, open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(MILLS).ask(question)


def test_of_those_that_are_so_none_are_counted_by_whether_they_are(open_text: Callable[[str], Agent]) -> None:
    talk = Conversation(open_text(MILLS))
    replies = [talk.ask(text).reply for text in ("How many parks are offshore?", "Who operates them?")]
    assert replies == ["1 park is offshore.", "Dune Energy operates them."]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many concerts were there?", ["3"]),
        ("Which concerts took place in 2022?", ["Spring Hour", "Summer Gala"]),
        ("Which concerts took place in the Old Chapel?", ["Summer Gala"]),
        ("Which works are in Latin?", ["Mass in Winter", "Reed Song"]),
        ("How many works are there?", ["3"]),
        ("How long is the Reed Song?", ["9"]),
        ("How many minutes does Mass in Winter last?", ["42"]),
        ("What is the longest work?", ["Mass in Winter"]),
        ("Is Mass in Winter longer than the Reed Song?", ["yes"]),
        ("When was the last concert?", ["2022-06-01"]),
        ("When did the first concert take place?", ["2019-12-01"]),
        ("When was the Spring Hour?", ["2022-04-01"]),
        ("How old is the Old Chapel?", [str(date.today().year - 1999)]),
    ],
)
def test_kinds_and_measures_without_a_name_are_called_as_what_leads_to_them(
    question: str, expected: list[str], open_text: Callable[[str], Agent]
) -> None:
    answer = open_text(CHOIR).ask(question)
    values = ["yes" if answer.boolean else "no"] if answer.boolean is not None else shown(open_text(CHOIR), question)
    assert values == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which sailors are older than 30?", ["Ada Moen"]),
        ("Which sailors are at least 30 years old?", ["Ada Moen", "Bo Lund"]),
        ("Which sailors are younger than 30?", ["Cai Rask"]),
        ("Which sailors are between 25 and 35 years old?", ["Bo Lund"]),
        ("How many sailors are over 25?", ["2"]),
        ("Which sailors are under 25 years?", ["Cai Rask"]),
        ("Which gulls are younger than 30?", ["Kip"]),
        ("Which gulls are older than 30 years?", ["Rip"]),
        ("Which organization was founded last?", ["Rope Guild"]),
        ("Who is the newest sailor?", ["Ada Moen"]),
        ("Who is the youngest sailor?", ["Cai Rask"]),
    ],
)
def test_ages_are_told_by_births_and_novelty_is_not(
    question: str, expected: list[str], open_text: Callable[[str], Agent]
) -> None:
    assert shown(open_text(CREW), question) == expected


@pytest.mark.parametrize("question", ["How old is the cook of the Tar Guild?", "Which gulls are under 30 minutes?"])
def test_no_age_is_that_of_somebody_else(question: str, open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(CREW).ask(question)


@pytest.mark.parametrize("question", ["Who designed Mill Hall?", "Who painted the Old Chapel?"])
def test_a_work_is_nobody(question: str, open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(CHOIR).ask(question)


@pytest.mark.parametrize(
    "question",
    [
        "What is the salary of Ida Correl?",
        "How old is Black Peak?",
        "Who is the mayor of Tolimar?",
        "Who is the president of Costaverde?",
    ],
)
def test_names_of_iris_are_names(question: str, open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(PLAIN).ask(question)


BIDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Vase rdfs:label "vase"@en , "jarrón"@es . :price rdfs:label "final price"@en , "precio final"@es .
:low rdfs:label "low estimate"@en , "estimación baja"@es . :high rdfs:label "high estimate"@en , "estimación alta"@es .
:lily a :Vase ; rdfs:label "Lily Vase" ; :price 90 ; :low 100 ; :high 150 .
:rose a :Vase ; rdfs:label "Rose Vase" ; :price 120 ; :low 100 ; :high 140 .
:iris a :Vase ; rdfs:label "Iris Vase" ; :price 300 ; :low 200 ; :high 250 .
:fern a :Vase ; rdfs:label "Fern Vase" ; :low 200 ; :high 250 .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which vases have a final price above their high estimate?", ["Iris Vase"]),
        ("Which vases have a final price below their low estimate?", ["Lily Vase"]),
        ("¿Qué jarrones tienen un precio final superior a su estimación alta?", ["Iris Vase"]),
    ],
)
def test_a_value_is_held_against_another_one_of_its_own(
    question: str, found: list[str], open_text: Callable[[str], Agent]
) -> None:
    assert [value.shown for value in open_text(BIDS).ask(question).values] == found


@pytest.mark.parametrize(
    "question",
    [
        "By how much did the Iris Vase exceed its high estimate?",
        "By how much did the final price of the Iris Vase exceed its high estimate?",
        "Which vases went above their high estimate?",
        "Which vases fell short of their low estimate?",
        "Did the Lily Vase exceed its high estimate?",
    ],
)
def test_half_of_a_comparison_is_no_answer(question: str, open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(BIDS).ask(question)
