"""Where something goes to, and where it comes from; who has a role; what each has one of, or lacks."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

LINES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Line rdfs:label "line" . :Town rdfs:label "town" . :Trip rdfs:label "trip" . :Bus rdfs:label "bus" .
:from rdfs:label "departure town" . :to rdfs:label "arrival town" .
:origin rdfs:label "origin" . :destination rdfs:label "destination" .
:riders rdfs:label "riders" . :cost rdfs:label "cost" . :on rdfs:label "line" . :bus rdfs:label "bus" .
:l1 a :Line ; rdfs:label "North Line" ; :from :Alm ; :to :Bex .
:l2 a :Line ; rdfs:label "South Line" ; :from :Bex ; :to :Cray .
:l3 a :Line ; rdfs:label "Night Line" ; :from :Alm ; :to :Cray .
:Alm a :Town ; rdfs:label "Alm" . :Bex a :Town ; rdfs:label "Bex" . :Cray a :Town ; rdfs:label "Cray" .
:t1 a :Trip ; rdfs:label "T1" ; :origin "Alm" ; :destination "Bex" ; :riders 10 ; :cost 3 ; :on :l1 ; :bus :b1 .
:t2 a :Trip ; rdfs:label "T2" ; :origin "Bex" ; :destination "Cray" ; :riders 20 ; :cost 4 ; :on :l2 ; :bus :b1 .
:t3 a :Trip ; rdfs:label "T3" ; :origin "Alm" ; :destination "Cray" ; :riders 60 ; :cost 5 ; :on :l3 ; :bus :b2 .
:b1 a :Bus ; rdfs:label "Blue Bus" ; :driver :ann ; :year 1990 . :b2 a :Bus ; rdfs:label "Red Bus" ; :year 1995 .
:Person rdfs:label "person" . :driver rdfs:label "driver" . :year rdfs:label "year" .
:ann a :Person ; rdfs:label "Ann" .
"""


@pytest.fixture(scope="module")
def lines(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LINES)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("lines to Bex", {"North Line"}),
        ("lines from Bex", {"South Line"}),
        ("Which lines go to Cray?", {"South Line", "Night Line"}),
        ("Which lines leave Alm?", {"North Line", "Night Line"}),
        ("Which lines come from Bex?", {"South Line"}),
        ("Which lines end at Bex?", {"North Line"}),
        ("Which lines arrive in Cray?", {"South Line", "Night Line"}),
        ("lines from Alm to Cray", {"Night Line"}),
        ("trips to Bex", {"T1"}),
        ("trips from Bex", {"T2"}),
        ("trips from Alm to Cray", {"T3"}),
    ],
)
def test_to_and_from_are_different_ends(lines: Agent, question: str, expected: set[str]) -> None:
    found = lines.ask(question)
    assert {value.label or value.term.value for value in found.values} >= expected
    assert len(found.rows) == len(expected)


CREWS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Post rdfs:label "post" . :Sailor rdfs:label "sailor" .
:role rdfs:label "role" . :held rdfs:label "held by" .
:p1 a :Post ; :role "captain" ; :held :ann . :p2 a :Post ; :role "captain" ; :held :ann .
:p3 a :Post ; :role "captain" ; :held :ben . :p4 a :Post ; :role "cook" ; :held :cem .
:ann a :Sailor ; rdfs:label "Ann" . :ben a :Sailor ; rdfs:label "Ben" . :cem a :Sailor ; rdfs:label "Cem" .
"""


def test_who_has_a_role_twice_counts_once(open_text: Callable[[str], Agent]) -> None:
    crews = open_text(CREWS)
    assert [str(one) for one in crews.ask("How many captains are there?").values] == ["2"]
    assert {str(one) for one in crews.ask("List the captains.").values} == {"Ann", "Ben"}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the average number of riders per trip?", [["30"]]),
        ("What is the average number of riders of each trip?", [["30"]]),
        ("What is the average number of riders per bus?", [["15", "Blue Bus"], ["60", "Red Bus"]]),
        ("How many riders were on trips with the Blue Bus in total?", [["30"]]),
        ("How much do all trips cost?", [["12"]]),
        ("What is the total number of riders of each trip?", [["10", "T1"], ["20", "T2"], ["60", "T3"]]),
    ],
)
def test_an_average_of_what_each_has_one_of_is_that_of_all(
    lines: Agent, question: str, expected: list[list[str]]
) -> None:
    rows = lines.ask(question).rows
    assert sorted([str(value) for value in row if value] for row in rows) == expected


@pytest.mark.parametrize(
    "question", ["List the buses with their driver and year", "Show all buses with driver and year"]
)
def test_what_lacks_a_column_is_listed_all_the_same(lines: Agent, question: str) -> None:
    rows = lines.ask(question).rows
    assert sorted([str(value) if value else "" for value in row] for row in rows) == [
        ["Blue Bus", "Ann", "1990"],
        ["Red Bus", "", "1995"],
    ]


GARDENS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Build rdfs:label "construction" . :Garden rdfs:label "garden" . :Show rdfs:label "production" .
:pricePerMetre rdfs:label "price per metre" . :madeOf rdfs:label "made of" . :madeFor rdfs:label "made for" .
:lent rdfs:label "lent garden" . :fee rdfs:label "fee" . :ticket rdfs:label "ticket price" . :Loan rdfs:label "loan" .
:a a :Build ; rdfs:label "hedge" ; :pricePerMetre 10 . :b a :Build ; rdfs:label "fence" ; :pricePerMetre 25 .
:c a :Build ; rdfs:label "rail" ; :pricePerMetre 30 . :d a :Build ; rdfs:label "wall" ; :pricePerMetre 80 .
:s a :Garden ; rdfs:label "Long Garden" ; :madeOf :a , :c ; :madeFor :f .
:t a :Garden ; rdfs:label "Old Garden" ; :madeOf :b , :d ; :madeFor :f .
:f a :Show ; rdfs:label "Othello" ; :ticket 4 . :g a :Loan ; :lent :t ; :fee 45 . :h a :Loan ; :lent :s ; :fee 60 .
:i a :Loan ; :lent :t ; :fee 25 . :j a :Loan ; :lent :s ; :fee 20 .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which constructions cost between 20 and 50 per metre?", [["fence"], ["rail"]]),
        ("How many gardens are there per production?", [["2", "Othello"]]),
    ],
)
def test_what_a_name_says_for_each_of_is_not_asked_for_each_of(
    open_text: Callable[[str], Agent], question: str, expected: list[list[str]]
) -> None:
    rows = open_text(GARDENS).ask(question).rows
    assert sorted(sorted(str(value) for value in row) for row in rows) == expected


def test_a_number_per_metre_is_not_that_of_something_else(open_text: Callable[[str], Agent]) -> None:
    found = open_text(GARDENS).ask("How many constructions cost between 20 and 50 per metre?")
    assert found.text == "2"  # and no fee between 20 and 50


MEALS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Meal rdfs:label "meal" . :Guest rdfs:label "guest" . :orderedBy rdfs:label "ordered by" . :price rdfs:label "price" .
:a a :Meal ; rdfs:label "soup" ; :orderedBy :ann ; :price 9 . :b a :Meal ; rdfs:label "fish" ; :price 7 .
:c a :Meal ; rdfs:label "cake" ; :orderedBy :ann ; :price 5 . :d a :Meal ; rdfs:label "rice" ; :orderedBy :ben .
:ann a :Guest ; rdfs:label "Ann Oak" . :ben a :Guest ; rdfs:label "Ben Elm Ltd" . :Cup rdfs:label "cup" .
:orders rdfs:label "orders" . :cem a :Guest ; rdfs:label "Cem" ; :orders :x . :x a :Cup ; rdfs:label "blue cup" .
:y a :Cup ; rdfs:label "red cup" .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which meals were ordered by Ann Oak?", ["soup", "cake"]),
        ("meals ordered by Ben Elm", ["rice"]),
        ("Which cups were ordered by Cem?", ["blue cup"]),
        ("meals ordered by price", ["cake", "fish", "soup", "rice"]),
        ("List the meals ordered by Ann Oak ordered by price.", ["cake", "soup"]),
    ],
)
def test_what_somebody_ordered_is_not_sorted_by_them(
    open_text: Callable[[str], Agent], question: str, expected: list[str]
) -> None:
    found = [str(row[0]) for row in open_text(MEALS).ask(question).rows]
    assert (found if "price" in question else sorted(found, reverse=True)) == expected


def test_a_name_is_no_sort_key(open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        open_text(MEALS).ask("Which meals are sorted by Ann Oak?")
