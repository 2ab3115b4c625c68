"""Conditions that are joined: both of two, one of two, neither; and what words order or count."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.2)

LANDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Guest rdfs:label "guest" . :age rdfs:label "age" . :town rdfs:label "town" . :sex rdfs:label "sex" .
:room rdfs:label "room" . :Room rdfs:label "room" . :number rdfs:label "room number" .
:g1 a :Guest ; rdfs:label "Ann Oakes" ; :age 50 ; :town "Ulm" ; :sex "F" ; :room :r1 .
:g2 a :Guest ; rdfs:label "Ben Elms" ; :age 30 ; :town "Ulm" ; :sex "M" ; :room :r1 .
:g3 a :Guest ; rdfs:label "Cat Firs" ; :age 48 ; :town "Bonn" ; :sex "F" ; :room :r2 .
:g4 a :Guest ; rdfs:label "Dan Yews" ; :age 40 ; :town "Kiel" ; :sex "M" ; :room :r2 .
:g5 a :Guest ; rdfs:label "Eva Lime" ; :age 20 ; :town "Kiel" ; :sex "M" , "-" ; :room :r2 .
:r1 a :Room ; :number "101" . :r2 a :Room ; :number "202" .

:Land rdfs:label "country" . :borders rdfs:label "borders" . :Book rdfs:label "book" . :year rdfs:label "year" .
:alp a :Land ; rdfs:label "Alpia" ; :borders :bay , :cap . :bay a :Land ; rdfs:label "Bayia" ; :borders :alp .
:cap a :Land ; rdfs:label "Capia" ; :borders :alp , :dun . :dun a :Land ; rdfs:label "Dunia" ; :borders :cap .
:eld a :Land ; rdfs:label "Eldoria" ; :borders :dun . :flo a :Land ; rdfs:label "Florinia" .
:length rdfs:label "length" . :b1 :length 300 . :b2 :length 90 . :b3 :length 120 .
:b1 a :Book ; rdfs:label "Old Tales" ; :year 1850 . :b2 a :Book ; rdfs:label "Middle Way" ; :year 1980 .
:b3 a :Book ; rdfs:label "New Ends" ; :year 2001 .
"""


@pytest.fixture(scope="module")
def lands(open_text: Callable[[str], Agent]) -> Agent:
    return open_text(LANDS)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which towns have both guests older than 45 and guests younger than 35?", ["Ulm"]),
        ('Which towns have both a guest of sex "M" and a guest of sex "F"?', ["Ulm"]),
        ("Which guests are older than 45 or younger than 25?", ["Ann Oakes", "Cat Firs", "Eva Lime"]),
        ("Which books are of before 1900 or after 1980?", ["New Ends", "Old Tales"]),
        ("Which country borders Alpia or Dunia?", ["Bayia", "Capia", "Eldoria"]),
        ("Which guests are from neither Ulm nor Bonn?", ["Dan Yews", "Eva Lime"]),
        ("Which countries border neither Alpia nor Dunia?", ["Alpia", "Dunia", "Florinia"]),
        ("Which countries border Dunia but not Alpia?", ["Eldoria"]),
        ("Which countries border Alpia but not Bayia?", ["Capia"]),
        ("Which countries border Dunia and not Alpia?", ["Eldoria"]),
    ],
)
def test_conditions_are_joined_as_words_say(lands: Agent, question: str, found: list[str]) -> None:
    answer = lands.ask(question)
    things = [row[0].shown for row in answer.rows if row[0]] if len(answer.result.variables) > 1 else []
    assert sorted(things or (value.shown for value in answer.values)) == found


def test_a_value_that_is_short_for_a_word_is_what_it_says(lands: Agent) -> None:
    assert [value.shown for value in lands.ask("How many female guests are there?").values] == ["2"]
    assert [value.shown for value in lands.ask("How many guests are females?").values] == ["2"]
    found = lands.ask("Which male guests are older than 25?").values
    assert sorted(value.label for value in found) == ["Ben Elms", "Dan Yews"]
    assert lands.ask("Is Ann Oakes male?").boolean is False


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Is there a country that borders both Alpia and Dunia?", True),  # Capia
        ("Is there a country that borders both Bayia and Dunia?", False),
    ],
)
def test_one_thing_has_to_do_both(lands: Agent, question: str, found: bool) -> None:
    assert lands.ask(question).boolean is found


@pytest.mark.parametrize(
    "question",
    [
        "Which book has the longest name?",
        "Which countries except Alpia border Capia?",
        "Do all countries that border Alpia border Dunia?",
    ],
)
def test_what_no_query_says_makes_a_guess(lands: Agent, question: str) -> None:
    with pytest.raises(AnswerError):
        lands.ask(question)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("List all guests starting with the oldest.", "Ann Cat Dan Ben Eva"),
        ("List all guests from the youngest to the oldest.", "Eva Ben Dan Cat Ann"),
    ],
)
def test_the_ends_of_a_list_say_how_it_is_sorted(lands: Agent, question: str, found: str) -> None:
    assert [str(value).split()[0] for value in lands.ask(question).values] == found.split()


@pytest.mark.parametrize(
    ("question", "found"),
    [("Which room number is the most common?", "202"), ("Show the room number that is used the fewest times.", "101")],
)
def test_how_common_a_number_is_that_each_thing_has_alone_is_told_by_what_has_the_thing(
    lands: Agent, question: str, found: str
) -> None:
    [value] = lands.ask(question, min_confidence=0.2).values
    assert value.label == found


def test_several_things_are_left_out(open_text: Callable[[str], Agent]) -> None:
    states = "".join(
        f':{name} a :State ; rdfs:label "{label}" ; :country :l . :t{name} a :City ; rdfs:label "Town of {label}" ; '
        f":state :{name} ."
        for name, label in zip("ahbcde", ("Arden", "Holm", "Birk", "Cove", "Dale", "Esk"), strict=True)
    )
    agent = open_text(
        "@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
        ':State rdfs:label "state" . :City rdfs:label "city" . :Land rdfs:label "country" . :state rdfs:label "state" .'
        ':borders rdfs:label "borders" . :country rdfs:label "country" . :l a :Land ; rdfs:label "Norland" .'
        ":h :borders :b . :b :borders :h , :c , :d . :c :borders :b . :d :borders :b , :e . :e :borders :d ." + states
    )
    answer = agent.ask("Which state borders the fewest states excluding Arden and excluding Holm?")
    assert "Esk" in [value.shown for value in answer.values]
