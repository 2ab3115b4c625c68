"""Machines that are called by their codes, who looks after them, and the broadcasts of a radio about them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import labels
from triad.agent import Agent
from triad.conversation import Conversation
from triad.errors import AnswerError
from triad.questions import Question

pytestmark = pytest.mark.slow(0.2)

PARKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:TurbineStatus rdfs:label "turbine status" . :Turbine rdfs:label "turbine" . :WindPark rdfs:label "wind park" .
:Operator rdfs:label "operator" . :Technician rdfs:label "technician" . :Contact rdfs:label "contact" .
:Visit rdfs:label "visit" . :Kind rdfs:label "kind of visit" . :Inspection rdfs:label "inspection" .
:status rdfs:label "status" . :partOf rdfs:label "part of" . :operatedBy rdfs:label "operated by" .
:employedBy rdfs:label "employed by" . :contact rdfs:label "contact" . :phone rdfs:label "phone number" .
:hiredOn rdfs:label "hired on" . :born rdfs:label "birth date" . :kind rdfs:label "kind" . :mail rdfs:label "email" .
:inspector rdfs:label "inspector" . :of rdfs:label "of" . :reading rdfs:label "reading" . :power rdfs:label "power" .
:Inspector rdfs:label "inspector" ; rdfs:subClassOf :Technician .
:running a :TurbineStatus ; rdfs:label "running" . :stopped a :TurbineStatus ; rdfs:label "stopped" .
:north a :Operator ; rdfs:label "North Power" ; :contact [ a :Contact ; :phone "555-100" ] .
:green a :Operator ; rdfs:label "Green Grid" ; :contact [ a :Contact ; :phone "555-200" ] .
:sea a :WindPark ; rdfs:label "Sea Breeze" ; :operatedBy :north .
:hill a :WindPark ; rdfs:label "Hill Top" ; :operatedBy :green .
:SB01 a :Turbine ; :partOf :sea ; :status :running ; :reading [ :power 4 ] .
:SB02 a :Turbine ; :partOf :sea ; :status :stopped ; :reading [ :power 0 ] .
:HT01 a :Turbine ; :partOf :hill ; :status :running ; :reading [ :power 6 ] .
:V0001 a :Visit ; :of :SB01 ; :kind :oil . :oil a :Kind ; rdfs:label "oil change" .
:anna a :Technician ; rdfs:label "Dr Anna Berg" ; :employedBy :north ; :hiredOn "2011-03-01"^^xsd:date ;
  :born "1970-01-01"^^xsd:date ; :mail <mailto:anna@park.example> .
:jonas a :Technician ; rdfs:label "Dr Jonas Klein" ; :employedBy :green ; :hiredOn "2019-05-01"^^xsd:date ;
  :born "1985-01-01"^^xsd:date ; :mail <mailto:jonas@park.example> .
:i1 a :Inspection ; rdfs:label "First inspection" ; :inspector :ina .
:i2 a :Inspection ; rdfs:label "Second inspection" ; :inspector :jonas .
:i3 a :Inspection ; rdfs:label "Third inspection" .
:ina a :Inspector ; rdfs:label "Ina Frey" .
"""

RADIO = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Series rdfs:label "series" . :Episode rdfs:label "episode" . :Topic rdfs:label "topic" .
:topic rdfs:label "topic" . :series rdfs:label "part of" . :listeners rdfs:label "number of listeners" .
:duration rdfs:label "duration (minutes)" .
:science a :Topic ; rdfs:label "Science" . :crime a :Topic ; rdfs:label "Crime" . :law a :Topic ; rdfs:label "Law" .
:deep a :Series ; rdfs:label "Deep Field" ; :topic :science .
:cold a :Series ; rdfs:label "Cold Trail" ; :topic :crime .
:bar a :Series ; rdfs:label "At the Bar" ; :topic :law .
:e1 a :Episode ; rdfs:label "Blue Hour" ; :series :deep ; :listeners 500 ; :duration 45 .
:e2 a :Episode ; rdfs:label "Red Moon" ; :series :deep ; :listeners 600 ; :duration 75 .
:e3 a :Episode ; rdfs:label "Old Bones" ; :series :cold ; :listeners 900 ; :duration 60 .
:e4 a :Episode ; rdfs:label "The Oath" ; :series :bar ; :listeners 100 ; :duration 30 .
"""

WARDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Nurse rdfs:label "nurse" . :Ward rdfs:label "ward" . :Doctor rdfs:label "doctor" .
:worksIn rdfs:label "works in" . :headedBy rdfs:label "headed by" . :mail rdfs:label "mailbox" .
:w1 a :Ward ; rdfs:label "Surgery" ; :headedBy :d1 . :w2 a :Ward ; rdfs:label "Eye ward" ; :headedBy :d2 .
:d1 a :Doctor ; rdfs:label "Mia Doyle" ; :mail <mailto:m.doyle@clinic.example> . :d2 a :Doctor ; rdfs:label "Al Rose" .
:n1 a :Nurse ; rdfs:label "Grace Abara" ; :worksIn :w1 . :n2 a :Nurse ; rdfs:label "Peter Lind" ; :worksIn :w2 .
"""

WORKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Werk rdfs:label "Werk"@de . :dauer rdfs:label "Dauer"@de .
:Konzert rdfs:label "Konzert"@de . :Dirigent rdfs:label "Dirigent"@de . :dirigent rdfs:label "Dirigent"@de .
:gala a :Konzert ; rdfs:label "Operngala"@de ; :dirigent :holm . :holm a :Dirigent ; rdfs:label "Astrid Holm"@de .
:oper a :Werk ; rdfs:label "Fidelio"@de ; :dauer 130 . :lied a :Werk ; rdfs:label "Mondnacht"@de ; :dauer 4 .
"""


@pytest.fixture(scope="module")
def parks(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(PARKS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which turbines are running?", [["HT01"], ["SB01"]]),
        ("Which turbines are part of Sea Breeze?", [["SB01"], ["SB02"]]),
        ("Which operator runs which wind park?", [["Green Grid", "Hill Top"], ["North Power", "Sea Breeze"]]),
        ("Which wind park is run by which operator?", [["Hill Top", "Green Grid"], ["Sea Breeze", "North Power"]]),
        (
            "Which technician works for which operator?",
            [["Dr Anna Berg", "North Power"], ["Dr Jonas Klein", "Green Grid"]],
        ),
        ("most recently hired technician", [["Dr Jonas Klein"]]),
        ("first hired technician", [["Dr Anna Berg"]]),
        ("Which technicians started before 2015?", [["Dr Anna Berg"]]),
        ("Which inspections have no inspector?", [["Third inspection"]]),
        ("What is the phone number of Green Grid?", [["555-200"]]),
        ("turbines by status", [["HT01"], ["SB01"], ["SB02"]]),
    ],
)
def test_parks(parks: Agent, question: str, rows: list[list[str]]) -> None:
    assert labels(parks, question, "en") == rows


@pytest.mark.parametrize("question", ["What is Anna Berg's phone number?", "What is the phone number of Anna Berg?"])
def test_what_is_of_something_else_is_not_given(parks: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        labels(parks, question, "en")


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which episodes are longer than an hour?", [["Red Moon"]]),
        ("Which episodes are an hour long?", [["Old Bones"]]),
        ("Which topic has the most listeners?", [["Science"]]),
        ("Which two topics have the most listeners?", [["Crime"], ["Science"]]),
        ("Which episode has the most listeners?", [["Old Bones"]]),
    ],
)
def test_radio(open_text: Callable[[str], Agent], question: str, rows: list[list[str]]) -> None:
    assert labels(open_text(RADIO), question, "en") == rows


def test_a_german_verb_is_no_value_that_is_asked_for(open_text: Callable[[str], Agent]) -> None:
    assert labels(open_text(WORKS), "Welches Werk dauert am längsten?", "de") == [["Fidelio"]]


def test_what_has_a_code_and_is_an_event_is_told_by_what_it_links_too(parks: Agent) -> None:
    assert "V0001 (oil change, SB01)" in parks.ask("Which visits are there?").text


def test_nobody_is_a_place(open_text: Callable[[str], Agent]) -> None:
    agent = open_text(WORKS)
    assert agent.ask(Question(text="Wo war die Operngala?", language="de")).confidence < 0.6


def test_a_word_of_a_mail_address_names_nothing(open_text: Callable[[str], Agent]) -> None:
    with pytest.raises(AnswerError):
        labels(open_text(WARDS), "How many nurses work at the clinic?", "en")


@pytest.mark.parametrize(
    ("turns", "reply"),
    [
        (["When was Sea Breeze built?", "Who is the operator?"], "North Power"),
        (["Who operates Hill Top?", "Which turbines does the park have?"], "HT01"),
        (["When was Anna Berg hired?", "And Jonas Klein?"], "2019"),
        (["When was Anna Berg hired?", "What is the phone number of Jonas Klein?", "When was he born?"], "1985"),
        (["When was Anna Berg born?", "When was Zack Zopf hired?", "What is his email?"], "Zack Zopf"),
    ],
)
def test_dialogues_are_about_what_was_spoken_of_last(parks: Agent, turns: list[str], reply: str) -> None:
    conversation = Conversation(parks, language="en")
    for text in turns[:-1]:
        conversation.ask(text)
    assert reply in conversation.ask(turns[-1]).reply
