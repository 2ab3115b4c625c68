"""Words that seem to ask for something, and are part of a name, relate to what stands before, or say nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.language.analysis import analyse
from triad.language.pack import load_pack

pytestmark = pytest.mark.slow(0.3)

FAIRS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Guide rdfs:label "cooks and guides" . :Fair rdfs:label "fair" . :Ground rdfs:label "ground" . :Show rdfs:label "show" .
:Host rdfs:label "host" . :Stall rdfs:label "stall" . :Address rdfs:label "address" .
:street rdfs:label "street" . :firstYear rdfs:label "first year" . :theme rdfs:label "theme" .
:opened rdfs:label "opening date" . :f1 :opened "1990-05-01"^^<http://www.w3.org/2001/XMLSchema#date> .
:ground rdfs:label "ground" . :fair rdfs:label "fair" . :host rdfs:label "host" . :visitors rdfs:label "visitors" .
:mail rdfs:label "stall email address" . :address rdfs:label "address" . :town rdfs:label "town" .
:tent rdfs:label "tent" . :Tent rdfs:label "tent" .

:g1 a :Guide ; rdfs:label "Ann Birch" ; :street "Mill Lane" .
:g2 a :Guide ; rdfs:label "Bob Alder" ; :street "High Road" .
:f1 a :Fair ; rdfs:label "Fair One" ; :theme "Spring" ; :firstYear 1990 ; :visitors 30 .
:f2 a :Fair ; rdfs:label "Fair Two" ; :theme "Harvest" ; :firstYear 2001 ; :visitors 10 .
:f3 a :Fair ; rdfs:label "Fair Three" ; :theme "Winter" ; :firstYear 2010 ; :visitors 15 .
:h1 a :Host ; rdfs:label "Cid Ash" . :h2 a :Host ; rdfs:label "Dora Elm" .
:t1 :fair :f1 ; :host :h1 . :t2 :fair :f2 ; :host :h2 .
:p1 a :Ground ; rdfs:label "North Field" . :p2 a :Ground ; rdfs:label "Common" .
:s1 a :Show ; rdfs:label "Dog Show" ; :ground :p1 . :s2 a :Show ; rdfs:label "Flower Show" ; :ground :p1 .
:a1 a :Address ; rdfs:label "1 Mill Lane" ; :town "Ulm" . :a2 a :Address ; rdfs:label "2 High Road" ; :town "Bonn" .
:l1 a :Stall ; rdfs:label "Cheese Stall" ; :mail "cheese@example.org" ; :address :a1 ; :tent :blue .
:l2 a :Stall ; rdfs:label "Honey Stall" ; :mail "honey@example.org" ; :address :a2 ; :tent :blue .
:blue a :Tent ; rdfs:label "Blue Tent" . :red a :Tent ; rdfs:label "Red Tent" .
"""


@pytest.fixture(scope="module")
def fairs(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(FAIRS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("List the streets of all cooks or guides.", {"Mill Lane", "High Road"}),
        ('Show the first year of fairs with theme "Spring" or "Harvest".', {"1990", "2001"}),
        ("Find the names of grounds which have never had any show.", {"Common"}),
        ("Show the host names for fairs with more than 20 visitors.", {"Cid Ash"}),
        ("List the email addresses of the stalls with address in Ulm.", {"cheese@example.org"}),
        ("How many stalls use the Blue Tent?", {"2"}),
        ("Which grounds have not had any show yet?", {"Common"}),
        ("How many tents are there in our records?", {"2"}),
        ("What is the name of the Blue Tent?", {"Blue Tent"}),
        ("Show the year in which Fair One opened.", {"1990"}),
    ],
)
def test_what_is_part_of_a_name_or_says_nothing_breaks_no_query(
    fairs: Agent, question: str, expected: set[str]
) -> None:
    assert {value.shown for value in fairs.ask(question).values} == expected


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Find grounds which have shows.", {"grounds"}),
        ("Find the fair for which a host came.", {"fair"}),
        ("Find which hosts came.", {"hosts"}),
        ("Which hosts came?", {"hosts"}),
        ("Name the fair and which hosts came.", {"hosts"}),
    ],
)
def test_what_a_relative_pronoun_begins_is_not_what_is_asked_for(question: str, asked: set[str]) -> None:
    analysis = analyse(question, load_pack("en"))
    assert {analysis.words[at].text for at in analysis.asked} == asked
