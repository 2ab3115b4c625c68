"""Shares of what there is; outcomes said by verbs and adjectives; what is neither, and what all values begin with."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent
from triad.conversation import Conversation
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

LAUNCHES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Launch rdfs:label "launch" . :Rocket rdfs:label "rocket" . :Pilot rdfs:label "pilot" .
:outcome rdfs:label "outcome" . :rocket rdfs:label "rocket" . :cost rdfs:label "cost (million USD)" .
:date rdfs:label "launch date" . :pad rdfs:label "launched from" . :reusable rdfs:label "reusable" .
:mass rdfs:label "mass (t)" . :maker rdfs:label "manufacturer" . :colour rdfs:label "colour" .
:born rdfs:label "date of birth" . :died rdfs:label "date of death" . :flew rdfs:label "flew" .
:r1 a :Rocket ; rdfs:label "Kaze" ; :reusable true ; :mass 574 ; :maker "Mitsu" ; :colour "white" .
:r2 a :Rocket ; rdfs:label "Vayu" ; :reusable false ; :mass 640 ; :maker "Mitsu" ; :colour "red" .
:r3 a :Rocket ; rdfs:label "Titan" ; :reusable false ; :mass 2800 ; :maker "Boeing" ; :colour "white" .
:l1 a :Launch ; rdfs:label "L-1" ; :rocket :r1 ; :outcome "success" ; :cost 90 ; :pad "Pad A" ;
  :date "2020-05-01"^^xsd:date .
:l2 a :Launch ; rdfs:label "L-2" ; :rocket :r1 ; :outcome "success" ; :cost 120 ; :pad "Pad A" ;
  :date "2021-05-01"^^xsd:date .
:l3 a :Launch ; rdfs:label "L-3" ; :rocket :r2 ; :outcome "failure" ; :cost 200 ; :pad "Pad B" ;
  :date "2022-05-01"^^xsd:date .
:l4 a :Launch ; rdfs:label "L-4" ; :rocket :r3 ; :outcome "success" ; :cost 60 ; :pad "Pad A" ;
  :date "2023-05-01"^^xsd:date .
:p1 a :Pilot ; rdfs:label "Mira Patel" ; :born "1979-05-02"^^xsd:date ; :flew :r1 .
:p2 a :Pilot ; rdfs:label "Neil Grant" ; :born "1930-08-05"^^xsd:date ; :died "2012-08-25"^^xsd:date ; :flew :r3 .
:p3 a :Pilot ; rdfs:label "Kate Lund" ; :born "1985-03-03"^^xsd:date ; :flew :r1 .
:p4 a :Pilot ; rdfs:label "Tom Reed" ; :born "1990-01-20"^^xsd:date ; :flew :r2 .
"""

ELECTIONS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Party rdfs:label "party" . :Election rdfs:label "election" . :Result rdfs:label "result" . :Bill rdfs:label "bill" .
:party rdfs:label "party" . :election rdfs:label "election" . :votes rdfs:label "votes" .
:share rdfs:label "vote share (%)" . :seats rdfs:label "seats won" . :total rdfs:label "seats" .
:status rdfs:label "status" . :committee rdfs:label "considered by" . :Committee rdfs:label "committee" .
:e1 a :Election ; rdfs:label "2018 election" ; :total 20 . :e2 a :Election ; rdfs:label "2022 election" ; :total 22 .
:a a :Party ; rdfs:label "Alliance" . :g a :Party ; rdfs:label "Greens" . :u a :Party ; rdfs:label "Union" .
:c1 a :Committee ; rdfs:label "Health Committee" .
:x1 a :Result ; :party :a ; :election :e1 ; :votes 500 ; :share 50 ; :seats 11 .
:x2 a :Result ; :party :g ; :election :e1 ; :votes 300 ; :share 30 ; :seats 6 .
:x3 a :Result ; :party :u ; :election :e1 ; :votes 200 ; :share 20 ; :seats 3 .
:x4 a :Result ; :party :a ; :election :e2 ; :votes 300 ; :share 30 ; :seats 8 .
:x5 a :Result ; :party :g ; :election :e2 ; :votes 600 ; :share 60 ; :seats 12 .
:x6 a :Result ; :party :u ; :election :e2 ; :votes 100 ; :share 10 ; :seats 2 .
:b1 a :Bill ; rdfs:label "Night Trains Bill" ; :status "passed" ; :committee :c1 .
:b2 a :Bill ; rdfs:label "Rent Cap Bill" ; :status "rejected" ; :committee :c1 .
:b3 a :Bill ; rdfs:label "Clean Air Bill" ; :status "passed" ; :committee :c1 .
"""

PRODUCTS = """
@prefix : <http://example.org/> .
:p1 a :Product ; :name "Oslo Table" ; :priceEur 900 ; :designer :d1 .
:p2 a :Product ; :name "Nord Bed" ; :priceEur 1200 ; :designer :d1 .
:p3 a :Product ; :name "Alta Bench" ; :priceEur 300 ; :designer :d2 .
:d1 a :Designer ; :name "Sofie Dahl" . :d2 a :Designer ; :name "Per Holm" .
:o1 a :Order ; :orderedProduct :p1 ; :orderNumber "O1" . :o2 a :Order ; :orderedProduct :p2 ; :orderNumber "O2" .
:o3 a :Order ; :orderedProduct :p1 ; :orderNumber "O3" .
"""


@pytest.fixture(scope="module")
def launches(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LAUNCHES)


@pytest.fixture(scope="module")
def elections(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(ELECTIONS)


@pytest.mark.parametrize(
    ("question", "share"),
    [
        ("What percentage of launches were successful?", 75),
        ("What percentage of launches failed?", 25),
        ("What share of the pilots are still alive?", 75),
        ("What proportion of rockets are not reusable?", 200 / 3),
        ("What percentage of rockets are reusable?", 100 / 3),
        ("What percentage of the launches from Pad A were successful?", 100),
        ("What percentage of launches cost more than 100 million?", 50),
    ],
)
def test_share(launches: Agent, question: str, share: float) -> None:
    answer = launches.ask(question)
    assert float(str(answer.values[0])) == pytest.approx(share)
    assert answer.confidence >= 0.5


def test_share_of_what_is_not_there(launches: Agent) -> None:
    with pytest.raises(AnswerError):
        launches.ask("What percentage of launches were cancelled?")


def test_share_in_a_dialogue(launches: Agent) -> None:
    """A share counts nothing: what is said after it is understood as ever."""
    conversation = Conversation(launches, language="en")
    assert "66.67%" in conversation.ask("What percentage of rockets are not reusable?").reply
    assert "3" in conversation.ask("How many rockets are there?").reply


def test_what_is_told_of_a_hundred(open_text: Callable[[str], Agent]) -> None:
    """Sugar is told in percent, and votes are not."""
    agent = open_text(
        """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Apple rdfs:label "apple" . :sugar rdfs:label "sugar (percent)" . :votes rdfs:label "votes" .
:a a :Apple ; rdfs:label "Gala" ; :sugar 12 ; :votes 30 . :b a :Apple ; rdfs:label "Bramley" ; :sugar 8 ; :votes 70 .
"""
    )
    assert labels(agent, "What percentage of sugar does Gala have?", "en") == [["12"]]
    with pytest.raises(AnswerError):
        agent.ask("What percentage of the votes did Gala get?")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which launches failed?", [["L-3"]]),
        ("Which launches were successful?", [["L-1"], ["L-2"], ["L-4"]]),
        ("What was the last successful launch?", [["L-4"]]),
        ("Which rockets have never failed?", [["Kaze"], ["Titan"]]),
        ("Which pilots are still alive?", [["Kate Lund"], ["Mira Patel"], ["Tom Reed"]]),
        ("Which launches cost more than 100 million?", [["L-2"], ["L-3"]]),
        ("Which launches cost more than 0.1 billion dollars?", [["L-2"], ["L-3"]]),
        ("Which launches cost more than 100?", [["L-2"], ["L-3"]]),
        ("Which rockets weigh between 500 and 600 tonnes?", [["Kaze"]]),
        ("Which pad has the most launches?", [["Pad A"]]),
        ("How many launches were there from each pad?", [["3", "Pad A"], ["1", "Pad B"]]),
    ],
)
def test_outcomes(launches: Agent, question: str, rows: list[list[str]]) -> None:
    assert sorted(labels(launches, question, "en")) == sorted(rows)


def test_both_of_one_value(launches: Agent) -> None:
    with pytest.raises(AnswerError):
        launches.ask("Which rockets are both white and red?")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which party won the most seats in the 2018 election?", [["Alliance"]]),
        ("Which party won the most seats in the 2022 election?", [["Greens"]]),
        ("What is the vote share of the Greens in the 2018 election?", [["30"]]),
        ("What is the average vote share of the Greens?", [["45"]]),
    ],
)
def test_elections(elections: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(elections, question, "en") == rows


@pytest.mark.parametrize(("bill", "passed"), [("Night Trains Bill", True), ("Rent Cap Bill", False)])
def test_deed_at_the_end(elections: Agent, bill: str, passed: bool) -> None:
    assert elections.ask(f"Did the {bill} pass?").boolean is passed


def test_initials_of_a_class(open_text: Callable[[str], Agent]) -> None:
    agent = open_text(
        """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Member rdfs:label "Member of Parliament" . :Party rdfs:label "party" . :party rdfs:label "party" .
:born rdfs:label "year of birth" .
:a a :Member ; rdfs:label "Ann Holt" ; :party :p ; :born 1961 .
:b a :Member ; rdfs:label "Bo Lund" ; :party :p ; :born 1972 .
:c a :Member ; rdfs:label "Cy Dale" ; :party :q ; :born 1983 .
:p a :Party ; rdfs:label "Alliance" . :q a :Party ; rdfs:label "Union" .
"""
    )
    assert labels(agent, "Which party has the most MPs?", "en") == [["Alliance"]]
    assert labels(agent, "Which MPs were born after 1970?", "en") == [["Bo Lund"], ["Cy Dale"]]


def test_none_of_them(open_text: Callable[[str], Agent]) -> None:
    """What is shared does not say which costs more, and who ordered sorts nothing."""
    agent = open_text(PRODUCTS)
    assert agent.ask("Is the Oslo Table more expensive than the Nord Bed?").boolean is False
    assert agent.ask("Is the Nord Bed more expensive than the Oslo Table?").boolean is True
    assert labels(agent, "Which products have never been ordered?", "en") == [["Alta Bench"]]
    unordered = open_text(PRODUCTS.replace(":p3 a", ":o4 a :Order ; :orderedProduct :p3 . :p3 a"))
    with pytest.raises(AnswerError):
        unordered.ask("Which products have never been ordered?")
