"""Superlatives: what they choose among, by themselves and inside of descriptions."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.questions import Question

pytestmark = pytest.mark.slow(0.1)

LANDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Land rdfs:label "land" . :Town rdfs:label "town" .
:population rdfs:label "population" . :area rdfs:label "area" . :lies rdfs:label "land" .
:touches rdfs:label "borders" . :seat rdfs:label "capital" .
:arda a :Land ; rdfs:label "Arda" ; :population 900 ; :area 50 ; :touches :brea , :cora ; :seat :a1 .
:brea a :Land ; rdfs:label "Brea" ; :population 300 ; :area 90 ; :touches :arda ; :seat :b1 .
:cora a :Land ; rdfs:label "Cora" ; :population 500 ; :area 20 ; :touches :arda , :dola ; :seat :c1 .
:dola a :Land ; rdfs:label "Dola" ; :population 700 ; :area 40 ; :touches :cora ; :seat :d1 .
:a1 a :Town ; rdfs:label "Amberg" ; :population 20 ; :lies :arda .
:a2 a :Town ; rdfs:label "Aller" ; :population 80 ; :lies :arda .
:b1 a :Town ; rdfs:label "Bergen" ; :population 30 ; :lies :brea .
:b2 a :Town ; rdfs:label "Bonndorf" ; :population 90 ; :lies :brea .
:c1 a :Town ; rdfs:label "Calw" ; :population 40 ; :lies :cora .
:d1 a :Town ; rdfs:label "Dresden" ; :population 60 ; :lies :dola .
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("Which town in Arda has the highest population?", ["Aller"]),
        ("Which land that borders Arda has the highest population?", ["Cora"]),
        ("What is the capital of the largest land?", ["Bergen"]),
        ("Which lands border the largest land?", ["Arda"]),
        ("Which lands border lands that border Brea?", ["Brea", "Cora"]),
        ("What is the largest capital?", ["Dresden"]),
        ("What is the capital of the land that borders the land with the highest area?", ["Amberg"]),
    ],
)
def test_a_superlative_chooses_among_what_it_stands_before(
    question: str, values: list[str], open_text: Callable[[str], Agent]
) -> None:
    answer = open_text(LANDS).ask(Question(question, "en"), min_confidence=0)
    assert sorted(map(str, answer.values)) == values


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the largest town in each land?", {"Arda Aller", "Brea Bonndorf", "Cora Calw", "Dola Dresden"}),
        ("For each land, what is the largest town?", {"Arda Aller", "Brea Bonndorf", "Cora Calw", "Dola Dresden"}),
        ("What is the smallest town of every land?", {"Arda Amberg", "Brea Bergen", "Cora Calw", "Dola Dresden"}),
        ("For each land, give the highest and lowest population of its towns.", {
            "Arda 80 20", "Brea 90 30", "Cora 40 40", "Dola 60 60",
        }),
    ],
)  # fmt: skip
def test_the_greatest_of_each_is_one_of_each(question: str, rows: set[str], open_text: Callable[[str], Agent]) -> None:
    answer = open_text(LANDS).ask(Question(question, "en"), min_confidence=0)
    found = {" ".join(str(value).split(" (")[0] for value in row) for row in answer.rows}
    assert {" ".join(sorted(one.split())) for one in found} == {" ".join(sorted(one.split())) for one in rows}


@pytest.mark.parametrize(
    "question",
    [
        "For each land, what is the largest town for each land?",
        "Show each land, and the highest and the lowest town for each land.",
        "Which town has the highest population per population?",
        "Which land has the most towns per area?",
        "List every town of the largest land.",
    ],
)
def test_a_group_by_what_is_ranked_is_a_query_at_least(question: str, open_text: Callable[[str], Agent]) -> None:
    assert open_text(LANDS).ask(Question(question, "en"), min_confidence=0).query


def test_what_has_no_value_to_be_sorted_by_is_the_last(open_text: Callable[[str], Agent]) -> None:
    land = """:emba a :Land ; rdfs:label "Emba" ."""
    answer = open_text(LANDS + land).ask("List the lands sorted by area")
    assert list(map(str, answer.values)) == ["Cora", "Dola", "Arda", "Brea", "Emba"]


PEAKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Land rdfs:label "land" . :Guide rdfs:label "guide" .
:height rdfs:label "height" . :top rdfs:label "highest peak" . :age rdfs:label "age" .
:arda a :Land ; rdfs:label "Arda" ; :top :ark . :brea a :Land ; rdfs:label "Brea" ; :top :birk .
:ark a :Peak ; rdfs:label "Ark" ; :height 900 . :birk a :Peak ; rdfs:label "Birk" ; :height 700 .
:ann a :Guide ; rdfs:label "Ann" ; :age 32 .
:ben a :Guide ; rdfs:label "Ben" ; :age 50 . :cid a :Guide ; rdfs:label "Cid" ; :age 21 .
:Ranger rdfs:label "ranger" . :Person rdfs:label "person" . :who rdfs:label "person" . :weight rdfs:label "weight" .
:r1 a :Ranger ; :who :dora . :r2 a :Ranger ; :who :emil .
:dora a :Person ; rdfs:label "Dora" ; :weight 60 . :emil a :Person ; rdfs:label "Emil" ; :weight 80 .
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("What is the highest peak in Brea?", ["Birk"]),
        ("Which land has the highest peak?", ["Arda"]),
        ("Which guides are at least 32 years old?", ["Ann", "Ben"]),
        ("guides aged 32 or younger", ["Ann", "Cid"]),
        ("Which guides are older than 32?", ["Ben"]),
        ("Who is the oldest guide?", ["Ben"]),
        ("What are the names of the rangers?", ["Dora", "Emil"]),
    ],
)
def test_names_and_ages_are_read_by_what_they_say(
    question: str, values: list[str], open_text: Callable[[str], Agent]
) -> None:
    answer = open_text(PEAKS).ask(Question(question, "en"), min_confidence=0)
    assert sorted(map(str, answer.values)) == values


ACTORS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Actor rdfs:label "actor" .
:a3 a :Actor ; rdfs:label "Adam" . :a2 a :Actor ; rdfs:label "Berta" . :a1 a :Actor ; rdfs:label "Carl" .
"""


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("List the actors in alphabetical order.", ["Adam", "Berta", "Carl"]),
        ("List the actors, sorted by name.", ["Adam", "Berta", "Carl"]),
        ("List the actors in reverse alphabetical order.", ["Carl", "Berta", "Adam"]),
    ],
)
def test_things_are_sorted_by_their_names_and_not_by_their_iris(
    question: str, values: list[str], open_text: Callable[[str], Agent]
) -> None:
    assert list(map(str, open_text(ACTORS).ask(question).values)) == values
