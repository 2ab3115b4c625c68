"""Bounds limit the values that hold what they name, whatever datatype these have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lexical.composition.conftest import Reading
from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which lessons start before 9 am?", {("maths",)}),
        ("Which lesson starts at a quarter past one in the afternoon?", {("music",)}),
        ("Which trips were in October?", {("zoo",)}),
        ("Which trip was on a Monday?", {("ski",)}),
        ("Which trips close after 7 pm?", {("ski",)}),
        ("Which trips open before 9:00?", {("zoo",)}),
        ("How many trips were in January?", {("1",)}),
    ],
)
def test_what_comes_again_is_held_against_dates_times_and_texts(lessons: Reading, question: str, found: object) -> None:
    assert lessons.found(question) == found


ROUTES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Route rdfs:label "route" . :Film rdfs:label "film" . :runtime rdfs:label "runtime" .
:length rdfs:label "length km" . :duration rdfs:label "duration minutes" . :fee rdfs:label "price eur" .
:east a :Route ; rdfs:label "East Ridge" ; :length 7.5 ; :duration 270 ; :fee 12 .
:low a :Route ; rdfs:label "Low Way" ; :length 4.2 ; :duration 135 ; :fee 20 .
:face a :Route ; rdfs:label "North Face" ; :length 1.8 ; :duration 480 ; :fee 31 .
:dune a :Film ; rdfs:label "Dune" ; :runtime 155 .
:up a :Film ; rdfs:label "Up" ; :runtime 96 .
"""


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> Agent:
    file: Path = tmp_path_factory.mktemp("graphs") / "routes.ttl"
    file.write_text(ROUTES)
    return Agent(graph=file, model="none")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which routes are longer than 4000 m?", {"East Ridge (7.5 km)", "Low Way (4.2 km)"}),
        ("Which routes are longer than 3 hours?", {"East Ridge (270 min)", "North Face (480 min)"}),
        ("Which routes cost less than 15 euros?", {"East Ridge (€12)"}),
        ("Which films are longer than 100 minutes?", {"Dune (155)"}),
    ],
)
def test_a_bound_is_held_against_values_in_its_unit(routes: Agent, question: str, found: set[str]) -> None:
    assert {value.shown for value in routes.ask(question).values} == found


@pytest.mark.parametrize(
    "question", ["Which routes cost less than 15 dollars?", "Which films are longer than 2 hours?"]
)
def test_values_in_another_or_an_unknown_unit_are_no_answer(routes: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        routes.ask(question)


PEOPLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Person rdfs:label "person" . :height rdfs:label "height cm" . :climbed rdfs:label "first ascent by" .
:ann a :Person ; rdfs:label "Ann Reed" ; :height 182 . :bea a :Person ; rdfs:label "Bea Holm" ; :height 152 .
:cem a :Person ; rdfs:label "Cem Kaya" ; :height 195 .
:top a :Mountain ; rdfs:label "High Top" ; :climbed :bea .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Who is taller than 1.9 m?", {"Cem Kaya"}),
        ("Who is taller than 6 feet?", {"Cem Kaya"}),
        ("Who is taller than Bea Holm?", {"Ann Reed", "Cem Kaya"}),
    ],
)
def test_who_is_of_the_class_that_has_what_is_compared(
    open_text: Callable[[str], Agent], question: str, found: set[str]
) -> None:
    assert set(map(str, open_text(PEOPLE).ask(question).values)) == found


STATIONS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Station rdfs:label "weather station" .
:temperature rdfs:label "temperature" . :altitude rdfs:label "altitude" .
:arktos a :Station ; rdfs:label "Arktos" ; :temperature -12.5 ; :altitude 15 .
:calor a :Station ; rdfs:label "Calor" ; :temperature 4.0 ; :altitude -40 .
:delta a :Station ; rdfs:label "Delta" ; :temperature 21.5 ; :altitude 40 .
:eureka a :Station ; rdfs:label "Eureka" ; :temperature -38.0 ; :altitude 10 .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which weather stations have a temperature below -5?", {("arktos",), ("eureka",)}),
        ("Which weather stations have a temperature below −5?", {("arktos",), ("eureka",)}),
        ("Which weather stations have a temperature above minus 20 degrees?", {("arktos",), ("calor",), ("delta",)}),
        ("Which weather stations have a temperature between -20 and 5?", {("arktos",), ("calor",)}),
        ("Which weather station has an altitude of -40?", {("calor",)}),
        ("Which weather station has an altitude of minus 40?", {("calor",)}),
    ],
)
def test_a_number_below_zero_keeps_its_sign(
    open_reading: Callable[[str, str], Reading], question: str, found: object
) -> None:
    assert open_reading("stations.ttl", STATIONS).found(question) == found


STALLS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Buyer rdfs:label "buyer" . :Purchase rdfs:label "purchase" . :Fruit rdfs:label "fruit" . :Stall rdfs:label "stall" .
:by rdfs:label "buyer" . :of rdfs:label "fruit" . :at rdfs:label "stall" . :code rdfs:label "buyer code" .
:spent rdfs:label "money spent" . :age rdfs:label "age" .
:ann a :Buyer ; rdfs:label "Ann" ; :code 7 ; :spent 30 ; :age 50 .
:bea a :Buyer ; rdfs:label "Bea" ; :code 8 ; :spent 5 ; :age 20 .
:cem a :Buyer ; rdfs:label "Cem" ; :code 1 ; :spent 9 ; :age 60 .
:fig a :Fruit ; rdfs:label "fig" . :pear a :Fruit ; rdfs:label "pear" .
:one a :Stall ; rdfs:label "1" . :two a :Stall ; rdfs:label "2" .
:ann :town "Ulm" . :bea :town "Bonn" . :cem :town "Ulm" . :town rdfs:label "town" . :year rdfs:label "year" .
:p1 a :Purchase ; :by :ann ; :of :fig ; :at :one ; :year 2001 .
:p2 a :Purchase ; :by :ann ; :of :pear ; :at :two ; :year 2002 .
:p3 a :Purchase ; :by :bea ; :of :fig ; :at :two ; :year 2001 . :p4 a :Purchase ; :by :bea ; :of :fig ; :at :two .
:p5 a :Purchase ; :by :bea ; :of :fig ; :at :one .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which buyers bought at least two different fruits?", {("ann",)}),
        ("Which buyers have more than two purchases?", {("bea",)}),
        ("Which buyers have at least 2 distinct fruits?", {("ann",)}),
        ("Which buyers purchased more than twice?", {("bea",)}),
        ("Which buyers bought more than one of the fruits?", {("ann",)}),
        ("Which buyers purchased more than two times?", {("bea",)}),
        ("Which buyers have multiple purchases?", {("ann",), ("bea",)}),
        ("Which buyers bought several different fruits?", {("ann",)}),
        ("Give the total money spent by buyers older than 40.", {("39",)}),
        ("Which buyers purchased in both 2001 and 2002?", {("ann",)}),
        ("Which buyers have an age above 40 and spent less than 20?", {("cem",)}),
        ("What is the most common buyer town, and how many are there?", {("Ulm", "2")}),
        ("How many buyers are there in each town? List the town and the count.", {("2", "Ulm"), ("1", "Bonn")}),
    ],
)
def test_a_bound_beside_things_is_of_how_many_there_are_and_no_name(
    open_reading: Callable[[str, str], Reading], question: str, found: object
) -> None:
    assert open_reading("stalls.ttl", STALLS).found(question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which buyers are over 40?", {("ann",), ("cem",)}),
        ("How many of the buyers are over 40?", {("2",)}),
        ("Which buyers are 50 or older?", {("ann",), ("cem",)}),
        ("Which buyers are over 55 or under 30?", {("bea",), ("cem",)}),
        ("Which buyers over 40 are from Ulm?", {("ann",), ("cem",)}),
        ("List the buyers over 30 from Bonn.", set()),
        ("What are the towns of buyers over 40?", {("Ulm",)}),
        ("Which buyers are over the age of 50?", {("cem",)}),
        ("Which buyers are above age 50?", {("cem",)}),
        ("Which buyers are 50 years old?", {("ann",)}),
        ("Which buyers are older than 50 years?", {("cem",)}),
        ("Which buyers are at most 50 years of age?", {("ann",), ("bea",)}),
        ("What is the maximum age of the buyers from Ulm?", {("60",)}),
    ],
)
def test_a_bare_number_compares_ages(open_reading: Callable[[str, str], Reading], question: str, found: object) -> None:
    assert open_reading("stalls.ttl", STALLS).found(question) == found
