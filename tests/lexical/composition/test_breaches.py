"""Breaches: what a query takes for something else than the words say is a guess at most."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)

LAND = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:State rdfs:label "state" . :City rdfs:label "city" . :River rdfs:label "river" . :Peak rdfs:label "peak" .
:state rdfs:label "state" . :capital rdfs:label "capital" . :crosses rdfs:label "flows through" .
:population rdfs:label "population" . :rank rdfs:label "reliability" .
:top rdfs:label "top" . :height rdfs:label "height" .
:a a :State ; rdfs:label "Alba" ; :population 900 ; :capital :a1 ; :top :p ; :rank 3 .
:b a :State ; rdfs:label "Bela" ; :population 700 ; :capital :b1 ; :top :q .
:c a :State ; rdfs:label "Cora" ; :population 100 ; :capital :c1 ; :top :r ; :rank 5 .
:a1 a :City ; rdfs:label "Aton" ; :state :a ; :population 90 .
:a2 a :City ; rdfs:label "Port" ; :state :a ; :population 80 .
:b1 a :City ; rdfs:label "Bton" ; :state :b ; :population 70 .
:b2 a :City ; rdfs:label "Port" ; :state :b ; :population 60 .
:a3 a :City ; rdfs:label "West Hall" ; :state :a ; :population 5 .
:b3 a :City ; rdfs:label "West Gate" ; :state :b ; :population 4 .
:c1 a :City ; rdfs:label "Cton" ; :state :c ; :population 10 .
:x a :River ; rdfs:label "Xan" ; :crosses :a , :b . :y a :River ; rdfs:label "Ylm" ; :crosses :a .
:p a :Peak ; rdfs:label "Great River Mountain" ; :height 1 .
:q a :Peak ; rdfs:label "Little River Mountain" ; :height 2 .
:r a :Peak ; rdfs:label "Rock" ; :height 3 .
"""


@pytest.fixture(scope="module")
def land(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LAND)


@pytest.mark.parametrize(
    "question",
    [
        "How many people live in state capitals?",  # not in the states that have one
        "What rivers flow through Aton?",  # not through its state
        "Which states are not reliable?",  # not those without a reliability
        "Which cities are in the west?",  # not all that have the word in their names
    ],
)
def test_what_says_something_else_is_no_answer(land: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        land.ask(question)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What rivers flow through Alba?", {"Xan", "Ylm"}),
        ("What is the population of the capital of Bela?", {"70"}),
        ("Which states have cities named Port?", {"Alba", "Bela"}),
    ],
)
def test_what_is_said_is_answered(land: Agent, question: str, expected: set[str]) -> None:
    assert set(map(str, land.ask(question).values)) == expected


def test_what_is_called_so_has_the_name(land: Agent) -> None:
    answer = land.ask("Which cities are called Port?")
    assert {value.term.value.rpartition("/")[2] for value in answer.values} == {"a2", "b2"}


def test_a_thing_is_told_about_by_facts(land: Agent) -> None:
    answer = land.ask("Tell me about Alba")
    assert ("population", "900") in {tuple(value.label or str(value) for value in row if value) for row in answer.rows}


def test_things_that_stand_by_a_value_are_sorted_by_it_and_shown_with_it(land: Agent) -> None:
    answer = land.ask("List the peaks by height")
    assert [tuple(map(str, row)) for row in answer.rows][-1] == ("Rock", "3")


LEAGUE = """
@prefix : <http://example.org/> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Club rdfs:label "club" . :Player rdfs:label "player" . :Season rdfs:label "season" . :Match rdfs:label "match" .
:plays rdfs:label "plays for" . :former rdfs:label "former club" . :budget rdfs:label "annual budget" .
:captain rdfs:label "captain" . :country rdfs:label "nationality" . :left rdfs:label "is left handed" .
:champion rdfs:label "champion" . :prize rdfs:label "prize money" . :ends rdfs:label "end date" .
:founded rdfs:label "founded in" . :trains rdfs:label "trains" . :judge rdfs:label "refereed by" .
:a a :Club ; rdfs:label "Alba Bishops" ; :budget 410000 ; :captain :ann ; :founded 1990 .
:b a :Club ; rdfs:label "Bela Rooks" ; :budget 950000 ; :captain :cem ; :founded 2001 .
:ann a :Player ; rdfs:label "Ann Oak" ; :plays :a ; :country :hu ; :left true ; :trains :ben .
:ben a :Player ; rdfs:label "Ben Elm" ; :plays :a ; :former :b ; :country :pe ; :left false ; :trains :cem .
:cem a :Player ; rdfs:label "Cem Fir" ; :plays :b ; :former :a ; :country :pe ; :left false .
:dan a :Player ; rdfs:label "Dan Yew" ; :plays :a ; :country :hu ; :left false .
:hu a :Country ; rdfs:label "Hungary" . :pe a :Country ; rdfs:label "Peru" . :Country rdfs:label "country" .
:s21 a :Season ; rdfs:label "Season 2021" ; :champion :b ; :prize 5000 ; :ends "2021-06-30"^^xsd:date .
:s22 a :Season ; rdfs:label "Season 2022" ; :champion :a ; :prize 5000 ; :ends "2022-06-30"^^xsd:date .
:s23 a :Season ; rdfs:label "Season 2023" ; :champion :a ; :prize 7000 ; :ends "2023-06-30"^^xsd:date .
:m1 a :Match ; rdfs:label "Match 2401" ; :judge :dan ; :played true .
:m2 a :Match ; rdfs:label "Match 2402" ; :judge :ben ; :played false .
:played rdfs:label "played" .
"""


@pytest.fixture(scope="module")
def league(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LEAGUE)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many players does Alba Bishops have?", {"3"}),  # not its budget
        ("Which captains are from Hungary?", {"Ann Oak"}),  # not the clubs that have one
        ("Who is left-handed and plays for Alba Bishops?", {"Ann Oak"}),  # not "true; false"
        ("Was Match 2401 played?", {"yes"}),  # which is true or false, and never "2401"
        ("Who trains Ben Elm?", {"Ann Oak"}),  # not whom he trains
        ("Who does Ann Oak train?", {"Ben Elm"}),
        ("Which match was refereed by Dan Yew?", {"Match 2401"}),
    ],
)
def test_words_are_taken_for_what_they_say(league: Agent, question: str, expected: set[str]) -> None:
    assert {value.shown for value in league.ask(question).values} == expected


@pytest.mark.parametrize(
    "question",
    [
        "Who trains Ann Oak?",  # nobody does, and whom she trains is another question
        "Which match was refereed by Ann Oak?",  # none, and not that of the one whom she trains
        "Was the prize money in 2022 higher than in 2021?",  # which is not whether it was above 2021
    ],
)
def test_what_has_no_answer_is_not_answered_by_something_near(league: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        league.ask(question)


def test_what_no_part_of_a_query_gives_is_not_counted(league: Agent) -> None:
    query = league.ask("How many times was Alba Bishops champion?", min_confidence=0).query
    assert query is not None
    assert "GROUP BY" not in query


ISLES = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Light rdfs:label "lighthouse" . :Isle rdfs:label "island" . :on rdfs:label "stands on" .
:area rdfs:label "area in square kilometres" . :people rdfs:label "population" .
:reach rdfs:label "range in nautical miles" .
:a a :Light ; rdfs:label "Alpha" ; :on :i ; :reach 20 . :b a :Light ; rdfs:label "Beta" ; :on :j ; :reach 30 .
:i a :Isle ; rdfs:label "Ia" ; :area 4.5 ; :people 120 . :j a :Isle ; rdfs:label "Jo" ; :area 77 ; :people 5 .
"""


def test_a_size_is_of_the_thing_itself_and_in_all_words_of_its_unit(open_text: Callable[[str], Agent]) -> None:
    isles = open_text(ISLES)
    with pytest.raises(AnswerError):
        isles.ask("Which lighthouse is the biggest?")  # the islands have areas
    assert isles.ask("Which lighthouse is on the biggest island?").text == "Beta (77 km²)"
    assert isles.ask("Which islands are smaller than 10 square kilometres?").text == "Ia (4.5 km²)"
    assert isles.ask("What is the range of Alpha?").text == "20 nmi"


PLAYERS = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Player rdfs:label "player" . :Club rdfs:label "club" . :City rdfs:label "city" . :Picture rdfs:label "painting" .
:club rdfs:label "member of" . :in rdfs:label "located in" . :born rdfs:label "born" . :by rdfs:label "painted by" .
:a a :Player ; rdfs:label "Ann Oak" ; :club :c ; :born "1951-08-23"^^xsd:date .
:c a :Club ; rdfs:label "Rooks" ; :in :u .
:b a :Player ; rdfs:label "Ben Elm" ; :club :d ; :born "1961-08-23"^^xsd:date .
:d a :Club ; rdfs:label "Pawns" ; :in :k .
:u a :City ; rdfs:label "Ulm" . :k a :City ; rdfs:label "Kiel" . :p a :Picture ; rdfs:label "Dawn" ; :by :a .
"""


@pytest.mark.parametrize(
    "question", ["What is the nationality of Ann Oak?", "What is the age of Dawn?", "What is the salary of Ann Oak?"]
)
def test_what_a_thing_lacks_is_not_that_of_another(open_text: Callable[[str], Agent], question: str) -> None:
    with pytest.raises(AnswerError):
        open_text(PLAYERS).ask(question)
