"""Dates of which some things have only the year: what all have is compared."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import Reading
from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

CLUBS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Club rdfs:label "club" . :on rdfs:label "opening date" . :in rdfs:label "opening year" .
:a a :Club ; rdfs:label "Ace" ; :on "1948-05-01"^^xsd:date ; :in "1948"^^xsd:gYear .
:b a :Club ; rdfs:label "Bolt" ; :in "1931"^^xsd:gYear .
:c a :Club ; rdfs:label "Comet" ; :on "1948-02-01"^^xsd:date ; :in "1948"^^xsd:gYear .
:d a :Club ; rdfs:label "Dart" ; :on "1990-01-01"^^xsd:date ; :in "1990"^^xsd:gYear .
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which clubs were opened before 1950?", ["Ace", "Bolt", "Comet"]),
        ("How many clubs were opened before 1950?", ["3"]),
        ("Which club is the oldest?", ["Bolt"]),
        ("Which club is older, Bolt or Ace?", ["Bolt"]),
        ("Which club is older, Comet or Ace?", ["Comet"]),  # of both, the day is known
        ("Which was opened later, Comet or Ace?", ["Ace"]),
    ],
)
def test_years_stand_for_dates_that_are_not_known(
    question: str, values: list[str], open_text: Callable[[str], Agent]
) -> None:
    answer = open_text(CLUBS).ask(question, min_confidence=0)
    assert sorted(map(str, answer.values)) == values


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Is Bolt older than Ace?", True),
        ("Is Ace older than Bolt?", False),
        ("Was Bolt opened before Ace?", True),
        ("Was Ace opened before Comet?", False),
    ],
)
def test_two_things_are_compared_by_what_both_have(
    question: str, expected: bool, open_text: Callable[[str], Agent]
) -> None:
    assert open_text(CLUBS).ask(question, min_confidence=0).boolean is expected


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("How many companies were founded before 1950?", ["8"]),
        ("Which company is older, SAP or Microsoft?", ["SAP"]),
        ("Which company was founded first, Nintendo or IBM?", ["Nintendo"]),
        ("Which company is the oldest?", ["Nintendo"]),
    ],
)
def test_the_companies_of_the_demo_are_compared_by_year(demo_agent: Agent, question: str, values: list[str]) -> None:
    assert sorted(map(str, demo_agent.ask(question).values)) == values


def test_what_has_no_value_to_be_ranked_by_is_told_of(demo_agent: Agent) -> None:
    answer = demo_agent.ask("Which is the longest film?")
    assert "3 of 32 have no runtime and are not compared" in answer.notes


@pytest.mark.slow
def test_what_has_no_value_to_be_limited_by_is_told_of(open_text: Callable[[str], Agent]) -> None:
    seats = CLUBS.replace('rdfs:label "club" .', 'rdfs:label "club" . :size rdfs:label "capacity" .')
    agent = open_text(seats + ":a :size 90 . :b :size 300 . :c :size 400 .")
    for question in ("How many clubs have a capacity above 100?", "Which club has the highest capacity?"):
        assert agent.ask(question).notes == ("1 of 4 have no capacity and are not compared",)
    odd = open_text(seats + ':a :size 90 . :b :size "many" . :c :size 400 . :d :size "INF"^^xsd:double, 3 .')
    assert odd.ask("Which club has the highest capacity?").notes == ()  # some have two, and nobody tells how many
    odd = open_text(seats + ':a :size 90 . :b :size "many" . :c :size 400 . :d :size 500 .')
    assert odd.ask("Which club has the highest capacity?").notes == ("1 of 4 have no capacity and are not compared",)
    with pytest.raises(AnswerError, match="does not compare Dart"):  # not even as a guess
        agent.ask("Which club has the higher capacity, Ace or Dart?", min_confidence=0)


def test_a_verb_that_says_by_whom_may_say_when(demo_agent: Agent) -> None:
    answer = demo_agent.ask("Which companies were founded in the 1970s, and by whom?")
    assert "Microsoft, Bill Gates" in [", ".join(map(str, row)) for row in answer.rows]


@pytest.mark.parametrize("far", ["12345-01-01", "2345-01-01"])
@pytest.mark.parametrize(("bound", "values"), [("before 1900", ["Old"]), ("after 1900", ["Ace", "Far"])])
def test_years_before_christ_and_of_five_digits_are_compared_as_they_are(
    bound: str, values: list[str], far: str, open_text: Callable[[str], Agent]
) -> None:
    clubs = open_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
        '@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :Club rdfs:label "club" . :f rdfs:label "founded" . '
        ':a a :Club ; rdfs:label "Ace" ; :f "1948"^^xsd:gYear . '
        ':b a :Club ; rdfs:label "Old" ; :f "-0044-03-15"^^xsd:date . '
        f':c a :Club ; rdfs:label "Far" ; :f "{far}"^^xsd:date .'
    )
    assert sorted(map(str, clubs.ask(f"Which clubs were founded {bound}?").values)) == values


REPAIRS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Repair rdfs:label "repair" . :startDate rdfs:label "start date" . :cost rdfs:label "cost" . :of rdfs:label "of" .
:Boat rdfs:label "boat" . :skiff a :Boat ; rdfs:label "Skiff" .
:r1 a :Repair ; :of :skiff ; :startDate "2016-04-01"^^xsd:date ; :cost 10 .
:r2 a :Repair ; :of :skiff ; :startDate "2016-09-12"^^xsd:date ; :cost 30 .
:r3 a :Repair ; :of :skiff ; :startDate "2018-04-01"^^xsd:date ; :cost 50 .
"""


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("In which year did the most repairs start?", {("2016",)}),
        ("Which year had the most repairs?", {("2016",)}),
        ("How many repairs started in each year?", {("2016", "2"), ("2018", "1")}),
        ("What is the average cost of repairs per year?", {("2016", "20"), ("2018", "50")}),
        ("Which repairs started in 2018?", {("r3",)}),
    ],
)
def test_days_are_grouped_by_their_years_where_these_are_asked_for(
    open_reading: Callable[[str, str], Reading], question: str, found: set[tuple[str, ...]]
) -> None:
    rows = open_reading("repairs.ttl", REPAIRS).found(question)
    assert not isinstance(rows, bool)
    assert {tuple(sorted(row, reverse=True)) for row in rows} == {tuple(sorted(row, reverse=True)) for row in found}


RACES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Race rdfs:label "race"@en , "carrera"@es , "Rennen"@de . :on rdfs:label "date"@en , "fecha"@es , "Datum"@de .
:a a :Race ; rdfs:label "Dune Run" ; :on "2023-02-05"^^xsd:date .
:b a :Race ; rdfs:label "Winter Loop" ; :on "2023-06-30"^^xsd:date .
:c a :Race ; rdfs:label "Lake Mile" ; :on "2023-07-01"^^xsd:date .
:d a :Race ; rdfs:label "Fog Trail" ; :on "2023-12-31"^^xsd:date .
:e a :Race ; rdfs:label "Cape Tour" ; :on "2024-01-01"^^xsd:date .
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which races took place in the first half of 2023?", ["Dune Run", "Winter Loop"]),
        ("Which races took place in the second half of 2023?", ["Fog Trail", "Lake Mile"]),
        ("Which races took place in the first quarter of 2023?", ["Dune Run"]),
        ("Which races took place in Q3 2023?", ["Lake Mile"]),
        ("How many races took place in the last quarter of 2023?", ["1"]),
        ("¿Qué carreras hay en el primer semestre de 2023?", ["Dune Run", "Winter Loop"]),
        ("Welche Rennen gab es im vierten Quartal 2023?", ["Fog Trail"]),
    ],
)
def test_halves_and_quarters_of_years_are_months(
    question: str, values: list[str], open_text: Callable[[str], Agent]
) -> None:
    assert sorted(map(str, open_text(RACES).ask(question).values)) == values


@pytest.mark.parametrize(
    "question",
    [
        "Which races took place in early 2023?",
        "Which races took place in the late 2020s?",
        "Which races took place at the end of 2023?",
        "Which races took place in winter 2023?",
        "¿Qué carreras hay en primavera de 2023?",
        "¿Qué carreras hay a finales del año 2023?",
        "Welche Rennen gab es Anfang 2023?",
    ],
)
def test_parts_of_a_year_without_exact_bounds_are_not_all_of_it(
    question: str, open_text: Callable[[str], Agent]
) -> None:
    with pytest.raises(AnswerError):
        open_text(RACES).ask(question)
