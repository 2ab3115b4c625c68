"""Which of several it is: alternatives of which a question asks which one holds, or of which there is more."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent

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
