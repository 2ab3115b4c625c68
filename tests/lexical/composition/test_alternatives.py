"""Which of several it is: alternatives of which a question asks which one holds, or of which there is more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

SALES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Vase rdfs:label "vase"@L . :Bidder rdfs:label "bidder"@en , "Bieter"@de , "comprador"@es .
:state rdfs:label "state"@en , "Zustand"@de , "estado"@es .
:buyer rdfs:label "buyer"@en , "Käufer"@de , "comprado por"@es .
:speaks rdfs:label "speaks"@en , "spricht"@de , "habla"@es .
:lily a :Vase ; rdfs:label "Lily Vase" ; :state "sold"@en , "verkauft"@de , "vendido"@es ; :buyer :ann .
:rose a :Vase ; rdfs:label "Rose Vase" ; :state "passed"@en , "zurückgezogen"@de , "retirado"@es .
:iris a :Vase ; rdfs:label "Iris Vase" ; :state "sold"@en , "verkauft"@de , "vendido"@es ; :buyer :bob .
:lotus a :Vase ; rdfs:label "Lotus Vase" ; :state "sold"@en , "verkauft"@de , "vendido"@es ; :buyer :bob .
:ann a :Bidder ; rdfs:label "Ann Oakes" ; :speaks "Dutch" , "French" .
:bob a :Bidder ; rdfs:label "Bob Elms" ; :speaks "French" .
:cat a :Bidder ; rdfs:label "Cat Firs" ; :speaks "Welsh" .
""".replace("@L", "@en , 'Vase'@de , 'jarrón'@es")


@pytest.fixture(scope="module")
def sales(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(SALES)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Was the Lily Vase bought by Ann Oakes or Bob Elms?", ["Ann Oakes"]),
        ("Did Ann Oakes or Bob Elms buy the Iris Vase?", ["Bob Elms"]),
        ("Was the Rose Vase sold or passed?", ["passed"]),
        ("Does Ann Oakes speak French or Welsh?", ["French"]),
        ("Does Ann Oakes speak French or Dutch?", ["Dutch", "French"]),
        ("Ist Ann Oakes oder Bob Elms der Käufer der Lily Vase?", ["Ann Oakes"]),
        ("¿El Iris Vase fue comprado por Ann Oakes o Bob Elms?", ["Bob Elms"]),
        ("Who bought more vases, Ann Oakes or Bob Elms?", ["Bob Elms"]),
        ("Which bidder bought fewer vases, Ann Oakes or Bob Elms?", ["Ann Oakes"]),
        ("¿Quién ha comprado más jarrones, Ann Oakes o Bob Elms?", ["Bob Elms"]),
    ],
)
def test_which_of_several_is_told(sales: Agent, question: str, found: list[str]) -> None:
    assert sorted(value.shown for value in sales.ask(question).values) == found


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Was the Lily Vase bought by Bob Elms or Cat Firs?", False),
        ("Is there a vase that was bought by Ann Oakes or Cat Firs?", True),
        ("Are there bidders who speak Dutch or Welsh?", True),
    ],
)
def test_whether_there_is_one_of_several_or_none_is_yes_or_no(sales: Agent, question: str, holds: bool) -> None:
    assert sales.ask(question).boolean is holds


HOUSES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Auction rdfs:label "auction" . :Vase rdfs:label "vase" . :Clock rdfs:label "clock" . :Expert rdfs:label "expert" .
:Bidder rdfs:label "bidder" . :offered rdfs:label "offered in" . :buyer rdfs:label "bought by" .
:state rdfs:label "state" .
:speaks rdfs:label "speaks"@en , "habla"@es .
:spring a :Auction ; rdfs:label "Spring Wares" . :autumn a :Auction ; rdfs:label "Late Wares" .
:v1 a :Vase ; rdfs:label "Lily Vase" ; :offered :spring ; :state "sold" ; :buyer :ann .
:v2 a :Vase ; rdfs:label "Rose Vase" ; :offered :autumn ; :state "sold" ; :buyer :ann .
:c1 a :Clock ; rdfs:label "Tall Clock" ; :offered :spring ; :state "passed" .
:c2 a :Clock ; rdfs:label "Small Clock" ; :offered :autumn ; :state "sold" ; :buyer :bob .
:c3 a :Clock ; rdfs:label "Blue Clock" ; :offered :autumn ; :state "sold" ; :buyer :ann .
:ann a :Bidder ; rdfs:label "Ann Oakes" . :bob a :Bidder ; rdfs:label "Bob Elms" .
:eva a :Expert ; rdfs:label "Eva Lime" ; :speaks "Dutch" , "French" .
:ida a :Expert ; rdfs:label "Ida Rowan" ; :speaks "French" .
"""


@pytest.fixture(scope="module")
def houses(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(HOUSES)


@pytest.mark.parametrize(
    ("question", "holds"),
    [
        ("Was everything in Spring Wares sold?", False),
        ("Was everything in Late Wares sold?", True),
        ("Was everything sold?", False),
        ("Was anything in Spring Wares passed?", True),
        ("Was anything sold in Spring Wares?", True),
        ("Was nothing in Late Wares passed?", True),
        ("Does everyone speak French?", True),
        ("Does everybody speak Dutch?", False),
        ("Does nobody speak Dutch?", False),
        ("¿Todos hablan French?", True),
        ("¿Todos hablan Dutch?", False),
    ],
)
def test_pronouns_for_all_and_for_none_are_no_something(houses: Agent, question: str, holds: bool) -> None:
    assert houses.ask(question).boolean is holds


@pytest.mark.parametrize("question", ["Has everyone bought something?", "Did Ann Oakes buy everything in Late Wares?"])
def test_what_all_do_is_not_guessed(houses: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        houses.ask(question)
