"""Flats, leases and animals: who is no address, a floor is a number, and what links things has what they cost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent
from triad.conversation import Conversation
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

HOMES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Building rdfs:label "building" . :Flat rdfs:label "flat" . :Lease rdfs:label "lease" . :Tenant rdfs:label "tenant" .
:Repair rdfs:label "repair" . :Caretaker rdfs:label "caretaker" .
:partOf rdfs:label "part of" . :address rdfs:label "address" . :floor rdfs:label "floor" . :flat rdfs:label "flat" .
:tenant rdfs:label "tenant" . :monthlyRent rdfs:label "monthly rent" . :caretaker rdfs:label "caretaker" .
:built rdfs:label "built" . :email rdfs:label "email" . :born rdfs:label "date of birth" . :cost rdfs:label "cost" .
:elm a :Building ; rdfs:label "Elm Court" ; :address "12 Elm Road" ; :caretaker :gary ; :built 1987 .
:mill a :Building ; rdfs:label "Mill House" ; :address "3 Mill Lane" ; :caretaker :linda ; :built 1908 .
:gary a :Caretaker ; rdfs:label "Gary Ross" . :linda a :Caretaker ; rdfs:label "Linda Bell" .
:e0 a :Flat ; rdfs:label "Elm Court A" ; :partOf :elm ; :floor 0 .
:e1 a :Flat ; rdfs:label "Elm Court B" ; :partOf :elm ; :floor 1 .
:m1 a :Flat ; rdfs:label "Mill House A" ; :partOf :mill ; :floor 1 .
:m2 a :Flat ; rdfs:label "Mill House B" ; :partOf :mill ; :floor 2 .
:ann a :Tenant ; rdfs:label "Ann Lee" ; :email "ann@example.org" ; :born "1980-05-01"^^xsd:date .
:bob a :Tenant ; rdfs:label "Bob Ash" ; :email "bob@example.org" ; :born "1990-05-01"^^xsd:date .
:cem a :Tenant ; rdfs:label "Cem Ott" ; :born "1995-05-01"^^xsd:date .
:l1 a :Lease ; rdfs:label "Lease 1" ; :flat :e0 ; :tenant :ann ; :monthlyRent 700 .
:l2 a :Lease ; rdfs:label "Lease 2" ; :flat :e1 ; :tenant :bob ; :monthlyRent 850 .
:l3 a :Lease ; rdfs:label "Lease 3" ; :flat :m1 ; :tenant :cem ; :monthlyRent 640 .
:r1 a :Repair ; rdfs:label "Repair 1" ; :flat :e1 ; :cost 120 .
"""

FARM = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Animal rdfs:label "animal" . :Cow rdfs:label "cow" ; rdfs:subClassOf :Animal . :Goat rdfs:label "goat" ;
  rdfs:subClassOf :Animal . :Sheep rdfs:label "sheep" ; rdfs:subClassOf :Animal . :Farm rdfs:label "farm" .
:OrganicFarm rdfs:label "organic farm" ; rdfs:subClassOf :Farm . :Treatment rdfs:label "treatment" .
:Sale rdfs:label "sale" . :weight rdfs:label "weight" . :treated rdfs:label "treated animal" . :cost rdfs:label "cost" .
:soldOn rdfs:label "sold on" . :seller rdfs:label "seller" . :mother rdfs:label "mother" .
:hill a :Farm ; rdfs:label "Hill Farm" . :mead a :OrganicFarm ; rdfs:label "Meadow Farm" .
:daisy a :Cow ; rdfs:label "Daisy" ; :weight 600 . :rosie a :Cow ; rdfs:label "Rosie" ; :weight 500 ; :mother :daisy .
:billy a :Goat ; rdfs:label "Billy" ; :weight 60 . :nan a :Goat ; rdfs:label "Nan" ; :weight 50 .
:dolly a :Sheep ; rdfs:label "Dolly" ; :weight 80 .
:treatedOn rdfs:label "date of treatment" .
:t1 a :Treatment ; rdfs:label "Treatment 1" ; :treated :daisy ; :cost 90 ; :treatedOn "2026-03-01"^^xsd:date .
:t2 a :Treatment ; rdfs:label "Treatment 2" ; :treated :billy ; :cost 40 .
:s1 a :Sale ; rdfs:label "Sale 1" ; :seller :hill ; :soldOn "2026-05-01"^^xsd:date .
:s2 a :Sale ; rdfs:label "Sale 2" ; :seller :mead ; :soldOn "2026-07-01"^^xsd:date .
"""


@pytest.fixture(scope="module")
def homes(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(HOMES)


@pytest.fixture(scope="module")
def farm(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(FARM)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Who lives in Elm Court B?", [["Bob Ash"]]),
        ("What is the address of Elm Court?", [["12 Elm Road"]]),
        ("Which flats are on the first floor?", [["Elm Court B"], ["Mill House A"]]),
        ("What is the rent of Elm Court B?", [["850"]]),
        ("Which flats did Ann Lee rent?", [["Elm Court A"]]),
        ("tenants of Mill House A", [["Cem Ott"]]),
    ],
)
def test_flats(homes: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(homes, question, "en") == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which animals are not cows?", [["Billy"], ["Dolly"], ["Nan"]]),
        ("How many animals are not cows?", [["3"]]),
        ("all animals except cows and goats", [["Dolly"]]),
        ("Which farms are not organic?", [["Hill Farm"]]),
        ("Which farms are organic?", [["Meadow Farm"]]),
        ("What did the treatment of Daisy cost?", [["90"]]),
        ("When was Daisy treated?", [["2026-03-01"]]),
        ("What do the goats weigh?", [["50"], ["60"]]),
        ("How much do the goats weigh on average?", [["55"]]),
    ],
)
def test_animals(farm: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(farm, question, "en") == rows


@pytest.mark.parametrize("question", ["What was the biggest sale?", "Which farm sold the most?"])
def test_the_biggest_is_not_the_last(farm: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        labels(farm, question, "en")


@pytest.mark.parametrize(
    ("turns", "reply"),
    [
        (["When was Mill House built?", "Who is the caretaker?"], "Linda Bell"),
        (["What is the email of Ann Lee?", "How old is Cem Ott?", "What is his email?"], "Cem Ott has no 'email'"),
    ],
)
def test_what_is_asked_next_is_asked_of_what_was_spoken_of_last(homes: Agent, turns: list[str], reply: str) -> None:
    conversation = Conversation(homes, language="en")
    for text in turns[:-1]:
        conversation.ask(text)
    assert reply in conversation.ask(turns[-1]).reply


def test_the_caretakers_are_all_of_them(homes: Agent) -> None:
    conversation = Conversation(homes, language="en")
    conversation.ask("When was Mill House built?")
    reply = conversation.ask("What are the caretakers?").reply
    assert "Gary Ross" in reply
    assert "Linda Bell" in reply


def test_all_caretakers_are_asked_for_where_nothing_was_spoken_of(homes: Agent) -> None:
    assert labels(homes, "Who are the caretakers?", "en") == [["Gary Ross"], ["Linda Bell"]]
