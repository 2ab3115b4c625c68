"""Words taken at their word: what they name exactly, what they turn, and what is not told though it was asked for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

KENNEL = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Dog rdfs:label "dog" . :Keeper rdfs:label "keeper" . :Wash rdfs:label "wash" . :Sitter rdfs:label "sitter" .
:Collar rdfs:label "collar" . :Kennel rdfs:label "kennel" .
:breed rdfs:label "breed" . :keptBy rdfs:label "kept by" . :arrived rdfs:label "arrival" .
:vaccinated rdfs:label "vaccinated" . :mentor rdfs:label "mentor" . :craft rdfs:label "craft" .
:joined rdfs:label "joined" . :washedDog rdfs:label "washed dog" . :day rdfs:label "day" .
:sittings rdfs:label "sittings" . :sitsAt rdfs:label "sits at" . :madeOf rdfs:label "made of" .
:madeFor rdfs:label "made for" . :weight rdfs:label "weight" .
:ann a :Keeper ; rdfs:label "Ann Birch" ; :mentor :cy ; :craft "groomer" ; :joined "2015-03-01"^^xsd:date .
:bob a :Keeper ; rdfs:label "Bob Alder" ; :mentor :ann ; :craft "groomer" ; :joined "2011-05-01"^^xsd:date .
:cy a :Keeper ; rdfs:label "Cy Oak" ; :craft "vet" ; :joined "2009-01-01"^^xsd:date .
:dee a :Keeper ; rdfs:label "Dee Fir" ; :mentor :ann ; :craft "vet" ; :joined "2019-09-01"^^xsd:date .
:rex a :Dog ; rdfs:label "Rex" ; :breed "collie" ; :keptBy :ann ; :vaccinated false ; :weight 21 ;
  :arrived "2018-02-02"^^xsd:date .
:fido a :Dog ; rdfs:label "Fido" ; :breed "collie" ; :keptBy :ann ; :vaccinated false ; :weight 25 ;
  :arrived "2020-02-02"^^xsd:date .
:max a :Dog ; rdfs:label "Max" ; :breed "poodle" ; :keptBy :bob ; :vaccinated true ; :weight 9 ;
  :arrived "2019-07-02"^^xsd:date .
:b1 a :Wash ; :washedDog :rex ; :day "2021-04-01"^^xsd:date .
:b2 a :Wash ; :washedDog :rex ; :day "2022-04-01"^^xsd:date .
:b3 a :Wash ; :washedDog :max ; :day "2021-05-01"^^xsd:date .
:s1 a :Sitter ; rdfs:label "Sue" ; :sitsAt :k1 . :s2 a :Sitter ; rdfs:label "Tom" ; :sitsAt :k1 .
:s3 a :Sitter ; rdfs:label "Uma" ; :sitsAt :k2 .
:bowls rdfs:label "bowl count" .
:k1 a :Kennel ; rdfs:label "Hill Kennel" ; :sittings 7 ; :bowls 31 .
:k2 a :Kennel ; rdfs:label "Lake Kennel" ; :sittings 12 .
:c1 a :Collar ; rdfs:label "Red Collar" ; :madeOf "leather" ; :madeFor :rex .
:c2 a :Collar ; rdfs:label "Blue Collar" ; :madeOf "rope" ; :madeFor :max .
"""


@pytest.fixture(scope="module")
def kennel(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(KENNEL)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Whose mentor is Ann Birch?", {"Bob Alder", "Dee Fir"}),
        ("Who has Ann Birch as mentor?", {"Bob Alder", "Dee Fir"}),
        ("Who is the mentor of Ann Birch?", {"Cy Oak"}),
        ("Which groomer joined first?", {"Bob Alder"}),
        ("Which collie weighs the most?", {"Fido"}),
        ("How often was Rex washed?", {"2"}),
        ("How many sittings were there in total?", {"19"}),
        ("How many sitters does Hill Kennel have?", {"2"}),
        ("What is the Red Collar made of?", {"leather"}),
        ("Which dog was the Red Collar made for?", {"Rex"}),
    ],
)
def test_words_that_name_something_are_that_and_nothing_else(kennel: Agent, question: str, expected: set[str]) -> None:
    found = kennel.ask(question)
    assert {value.label or value.term.value for value in found.values} == expected


def test_what_was_done_to_a_thing_is_asked_of_what_has_it_as_its_object(kennel: Agent) -> None:
    assert kennel.ask("Was Rex washed in 2021?").boolean is True
    assert kennel.ask("Was Max washed in 2022?").boolean is False


@pytest.mark.parametrize(
    "question",
    [
        "Which dogs kept by Ann Birch are vaccinated?",
        "Which dogs are retrievers?",
        "How many dogs are for sale?",
        "How many dogs were adopted?",
        "How many dogs escaped?",
        "Which dogs have been sold?",
        "Which keepers were fired?",
        "How many kennels have been renovated?",
        "Which collars are rose?",
        "Which keepers are wet?",
        "What is the phone number of Hill Kennel?",
    ],
)
def test_what_the_words_find_nothing_of_is_not_told_otherwise(kennel: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        kennel.ask(question)


RESCUES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Rescuer rdfs:label "rescuer" . :Mission rdfs:label "mission" . :mission rdfs:label "mission" .
:ann a :Rescuer ; rdfs:label "Ann Birch" ; :mission :one . :bob a :Rescuer ; rdfs:label "Bob Alder" ; :mission :two .
:one a :Mission ; rdfs:label "Mission 1" . :two a :Mission ; rdfs:label "Mission 2" .
"""


def test_those_to_whom_something_is_done_are_not_those_who_do_it(open_text: Callable[[str], Agent]) -> None:
    agent = open_text(RESCUES)
    assert [value.label for value in agent.ask("Which rescuers were on Mission 1?").values] == ["Ann Birch"]
    with pytest.raises(AnswerError):
        agent.ask("Who was rescued on Mission 1?")
