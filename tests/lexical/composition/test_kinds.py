"""Kinds that are things of their own: whoever asks for ferries means ships of that type, and not the type."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent

pytestmark = pytest.mark.slow(0.3)

SHIPS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:Ship rdfs:label "ship" . :Type rdfs:label "ship type" . :Yard rdfs:label "yard" . :Order rdfs:label "order" .
:type rdfs:label "ship type" . :launched rdfs:label "launched" . :builtBy rdfs:label "built by" .
:length rdfs:label "length" . :ordered rdfs:label "ordered type" .
:dredger a :Type ; rdfs:label "Dredger" . :ferry a :Type ; rdfs:label "Ferry" . :tug a :Type ; rdfs:label "Tug" .
:ann a :Person ; rdfs:label "Ann Birch" ; :trade :smith . :bob a :Person ; rdfs:label "Bob Alder" ; :trade :cook .
:Person rdfs:label "person" . :Trade rdfs:label "trade" . :trade rdfs:label "trade" .
:smith a :Trade ; rdfs:label "blacksmith" . :cook a :Trade ; rdfs:label "cook" . :ann :born 1971 . :bob :born 1990 .
:born rdfs:label "born" . :crew rdfs:label " " . :holm :crew 0 .
:holm a :Yard ; rdfs:label "Holm Yard" . :carrick a :Yard ; rdfs:label "Carrick Yard" .
:order a :Order ; :ordered :tug .
:iris a :Ship ; rdfs:label "Iris" ; :type :dredger ; :launched "1990-05-01"^^xsd:date ; :builtBy :holm ; :length 40 .
:her a :Ship ; rdfs:label "Heron" ; :type :dredger ; :launched "2015-05-01"^^xsd:date ; :builtBy :holm ; :length 30 .
:mar a :Ship ; rdfs:label "Marlin" ; :type :ferry ; :launched "2015-03-01"^^xsd:date ; :builtBy :carrick ; :length 55 .
:osp a :Ship ; rdfs:label "Osprey" ; :type :ferry ; :launched "2001-03-01"^^xsd:date ; :builtBy :carrick ; :length 21 .
:meg a :Ship ; rdfs:label "Old Meg" ; :type :tug ; :launched "2011-03-01"^^xsd:date ; :builtBy :carrick ; :length 20 .
"""


@pytest.fixture(scope="module")
def ships(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(SHIPS)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which dredgers are there?", {"Iris", "Heron"}),
        ("How many dredgers are there?", {"2"}),
        ("Which dredgers were launched after 2010?", {"Heron"}),
        ("Which dredgers did Holm Yard build?", {"Iris", "Heron"}),
        ("Which ferries are longer than 30?", {"Marlin"}),
        ("Which is the longest ferry?", {"Marlin"}),
        ("What is the average length of ferries?", {"38"}),
        ("How many ferries were built by Carrick Yard?", {"2"}),
        ("Which ships are ferries?", {"Marlin", "Osprey"}),
        ("Which ships are not ferries?", {"Iris", "Heron", "Old Meg"}),
        ("Which yards built dredgers?", {"Holm Yard"}),
        ("List all tugs.", {"Old Meg"}),
        ("Who is a blacksmith?", {"Ann Birch"}),
        ("Which cooks were born after 1980?", {"Bob Alder"}),
        ("Which yards built ferries and tugs?", {"Carrick Yard"}),
        ("Is Marlin a ferry?", {"yes"}),
        ("Is Iris a ferry?", {"no"}),
        ("Are all ships ferries?", {"no"}),
        ("Are there ferries longer than 50?", {"yes"}),
        ("Are there ferries longer than 60?", {"no"}),
    ],
)
def test_what_is_of_a_kind_is_asked_for_by_its_noun(ships: Agent, question: str, expected: set[str]) -> None:
    assert {value.label or value.shown for value in ships.ask(question).values} == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which ship types are there?", {"Dredger", "Ferry", "Tug"}),
        ("What is the ship type of Iris?", {"Dredger"}),
        ("How many ships are of the type Ferry?", {"2"}),
    ],
)
def test_a_kind_is_asked_for_by_its_own_class(ships: Agent, question: str, expected: set[str]) -> None:
    assert {value.label or value.shown for value in ships.ask(question).values} == expected
