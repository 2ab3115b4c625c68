"""Steps that no word speaks of; what verbs say of a status; bounds of what is called after the things."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

COUNCIL = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Permit rdfs:label "permit" . :Officer rdfs:label "officer" . :Status rdfs:label "status" . :Fine rdfs:label "fine" .
:Skip rdfs:label "skip permit" ; rdfs:subClassOf :Permit .
:Event rdfs:label "event permit" ; rdfs:subClassOf :Permit .
:Depot rdfs:label "depot" . :Street rdfs:label "street" . :District rdfs:label "district" .
:Client rdfs:label "client" .
:Unit rdfs:label "organisational unit" . :part rdfs:label "part of" . :lives rdfs:label "lives in" .
:head rdfs:label "head" .
:status rdfs:label "status" . :by rdfs:label "handled by" . :amount rdfs:label "fine amount" .
:to rdfs:label "fined" .
:boss rdfs:label "site manager" . :at rdfs:label "located in street" . :in rdfs:label "in district" .
:warden rdfs:label "warden" . :seat rdfs:label "located in" .
:granted a :Status ; rdfs:label "granted" . :refused a :Status ; rdfs:label "refused" .
:ann a :Officer ; rdfs:label "Ann Oak" . :ben a :Officer ; rdfs:label "Ben Elm" .
:cat a :Officer ; rdfs:label "Cat Ash" .
:s1 a :Skip ; rdfs:label "SP-1" ; :status :granted ; :by :ann .
:s2 a :Skip ; rdfs:label "SP-2" ; :status :refused ; :by :ben .
:e1 a :Event ; rdfs:label "EV-1" ; :status :refused ; :by :ann .
:e2 a :Event ; rdfs:label "EV-2" ; :status :granted ; :by :ben .
:e3 a :Event ; rdfs:label "EV-3" ; :status :granted ; :by :cat .
:f1 a :Fine ; rdfs:label "F-1" ; :amount 900 . :f2 a :Fine ; rdfs:label "F-2" ; :amount 200 .
:f3 a :Fine ; rdfs:label "F-3" ; :amount 900 .
:north a :District ; rdfs:label "Northbank" ; :warden :ann .
:south a :District ; rdfs:label "Southgate" ; :warden :ben .
:mill a :Street ; rdfs:label "Mill Lane" ; :in :north . :rope a :Street ; rdfs:label "Rope Walk" ; :in :south .
:quay a :Street ; rdfs:label "Quay Street" ; :in :north .
:d1 a :Depot ; rdfs:label "Mill Depot" ; :boss :ben ; :at :mill .
:d2 a :Depot ; rdfs:label "Quay Depot" ; :boss :cat ; :at :quay .
:c1 a :Client ; rdfs:label "Dan Fir" ; :lives :north . :c2 a :Client ; rdfs:label "Eve Yew" ; :lives :north .
:u1 a :Unit ; rdfs:label "Works" ; :seat :north ; :head :ann .
:u2 a :Unit ; rdfs:label "Roads" ; :part :u1 ; :head :ben .
:u5 a :Unit ; rdfs:label "Signs" ; :part :u2 ; :head :cat .
:u3 a :Unit ; rdfs:label "Parks" ; :part :u1 ; :head :cat .
:u4 a :Unit ; rdfs:label "Lamps" ; :part :u2 ; :head :cat .
"""


@pytest.fixture(scope="module")
def council(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(COUNCIL)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which permits did Ann Oak refuse?", {"EV-1"}),  # what she handled, and is refused
        ("List all refused permits.", {"SP-2", "EV-1"}),  # of all kinds
        ("Which fines are over 500?", {"F-1", "F-3"}),
        ("Which fines are higher than 500?", {"F-1", "F-3"}),
        ("Which units belong to Works?", {"Roads", "Parks"}),
        ("Which teams belong to Roads?", {"Lamps", "Signs"}),
    ],
)
def test_words_limit_what_is_asked_for(council: Agent, question: str, expected: set[str]) -> None:
    assert {label for [label] in labels(council, question, "en")} == expected


def test_things_are_in_a_place_by_where_they_are_and_not_by_whom_they_share(council: Agent) -> None:
    assert council.ask("Is there a depot in Northbank?").boolean is True
    assert council.ask("Is there a depot in Southgate?").boolean is False  # its warden manages one elsewhere


@pytest.mark.parametrize(
    "question",
    [
        "Which permits did Cat Ash refuse?",  # she refused none, and handled one
        "How many clients does Works have?",  # not those who live where it is
        "How many officers does Works have?",  # not its head alone
        "What is the population of Northbank?",  # none of those who live there
    ],
)
def test_steps_that_no_word_speaks_of_are_no_answer(council: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        council.ask(question)
