"""Amounts: the numbers of things without names, and bounds in another unit."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import Reading

pytestmark = pytest.mark.slow(0.2)

SOUPS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Soup rdfs:label "soup" . :Root rdfs:label "root" . :part rdfs:label "part" . :of rdfs:label "of" .
:quantity rdfs:label "quantity" . :boilMinutes rdfs:label "boil minutes" .
:borscht a :Soup ; rdfs:label "Borscht" ; :boilMinutes 150 ;
  :part [ :of :beet ; :quantity 400 ] , [ :of :leek ; :quantity 2 ] .
:chowder a :Soup ; rdfs:label "Chowder" ; :boilMinutes 40 ; :part [ :of :leek ; :quantity 3 ] .
:grains rdfs:label "grains" . :borscht :grains 1234567 . :chowder :grains 1234570 .
:beet a :Root ; rdfs:label "beet" . :leek a :Root ; rdfs:label "leek" .
"""


@pytest.fixture(scope="module")
def soups(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("soups.ttl", SOUPS)


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("How much beet is in the Borscht?", "400"),
        ("How much leek is in the Chowder?", "3"),
        ("How many leeks does the Borscht have?", "2"),
        ("How many leeks are needed for the Chowder?", "3"),
        ("How much beet does the Borscht need?", "400"),
    ],
)
def test_how_much_of_a_thing_another_one_has_is_the_number_of_what_links_them(
    soups: Reading, question: str, amount: str
) -> None:
    assert soups.found(question) == {(amount,)}


def test_a_bound_is_in_the_unit_of_the_relation(soups: Reading) -> None:
    assert soups.found("Which soups boil for more than 2 hours?") == {("borscht",)}


def test_a_number_is_held_against_all_of_its_figures(soups: Reading) -> None:
    assert soups.found("Which soup has 1234567 grains?") == {("borscht",)}


PORTS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Port rdfs:label "port" . :Landing rdfs:label "landing" . :landings rdfs:label "landings" . :port rdfs:label "port" .
:year rdfs:label "year" . :Crew rdfs:label "crew" . :berths rdfs:label "berths" . :calls rdfs:label "calls" .
:brest a :Port ; rdfs:label "Brest" ; :berths 4 ; :calls 40 .
:cork a :Port ; rdfs:label "Cork" ; :berths 9 ; :calls 20 .
:l1 a :Landing ; :port :brest ; :year 2001 ; :landings 30 ; :tons 3 .
:l2 a :Landing ; :port :brest ; :year 2002 ; :landings 50 ; :tons 5 .
:l3 a :Landing ; :port :cork ; :year 2001 ; :landings 70 ; :tons 7 .
:l4 a :Landing ; :port :cork ; :year 2002 ; :landings 5 ; :tons 1 . :tons rdfs:label "tons" .
:Person rdfs:label "person" . :rescued rdfs:label "rescued" . :skipper rdfs:label "skipper" .
:ann a :Person ; rdfs:label "Ann" . :l1 :skipper :ann ; :rescued 4 . :l3 :skipper :ann ; :rescued 3 . :l4 :rescued 4 .
:salt rdfs:label "salt in kg" . :l1 :salt 2 . :l2 :salt 2 . :l3 :salt 4 .
"""


@pytest.fixture(scope="module")
def ports(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("ports.ttl", PORTS)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("How many landings were there in 2001?", {("100",)}),
        ("How many landings were there at Cork in 2002?", {("5",)}),
        ("Which port had the most landings in 2001?", {("cork",)}),
        ("Which port had the most landings?", {("brest",)}),
        ("How many ports are there?", {("2",)}),
        ("How many people are there?", {("1",)}),
        ("How many people were rescued in 2001?", {("7",)}),
        ("How much salt was there in 2001?", {("6",)}),
        ("How many people were rescued at Cork?", {("7",)}),
        ("How many tons were there at Cork in 2001?", {("7",)}),
        ("What were the tons of Brest in 2002?", {("5",)}),
    ],
)
def test_things_without_names_that_hold_a_number_called_as_they_are_count_as_many(
    ports: Reading, question: str, found: object
) -> None:
    assert ports.found(question) == found


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("What is the maximum and total number of calls of all ports?", {("40", "60")}),
        ("What is the minimum, maximum and average number of calls?", {("20", "40", "30")}),
        ("What is the total number of calls of all ports?", {("60",)}),
        ("total number of berths", {("13",)}),
    ],
)
def test_a_total_number_beside_the_greatest_is_a_sum(ports: Reading, question: str, found: object) -> None:
    assert ports.found(question) == found


PUPILS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Pupil rdfs:label "pupil" . :Town rdfs:label "town" . :Land rdfs:label "country" . :Trip rdfs:label "trip" .
:goals rdfs:label "goals" . :classroom rdfs:label "classroom" . :home rdfs:label "lives in" .
:land rdfs:label "country" . :trip rdfs:label "trip" .
:a a :Pupil ; rdfs:label "Ann Lee" ; :classroom 107 ; :goals 2 ; :home :ulm ; :trip :rome , :oslo .
:b a :Pupil ; rdfs:label "Ben Ash" ; :classroom 107 ; :goals 3 ; :home :york .
:c a :Pupil ; rdfs:label "Cem Ott" ; :classroom 111 ; :goals 1 ; :home :ulm ; :trip :oslo .
:ulm a :Town ; rdfs:label "Ulm" ; :land :germany . :york a :Town ; rdfs:label "York" ; :land :england .
:rome a :Trip ; rdfs:label "Rome 2024" . :oslo a :Trip ; rdfs:label "Oslo 2023" .
:germany a :Land ; rdfs:label "Germany" . :england a :Land ; rdfs:label "England" .
"""


@pytest.fixture(scope="module")
def pupils(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("pupils.ttl", PUPILS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many classrooms are there?", {("2",)}),
        ("How many goals are there?", {("6",)}),
        ("Which pupils come from Ulm?", {("a",), ("c",)}),
        ("Which pupils have zero trips?", {("b",)}),
        ("How many pupils got 3 goals?", {("1",)}),
    ],
)
def test_numbers_by_which_things_are_called_are_counted(
    pupils: Reading, question: str, rows: set[tuple[str, ...]]
) -> None:
    assert pupils.found(question) == rows
