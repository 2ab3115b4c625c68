from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.conversation.talks import DUNE, KUBRICK, LYNCH, NEW_YORK, SHINING, turn
from triad.answers import Answer
from triad.conversation import Conversation, Turn
from triad.conversation.dialogue import Dialogue
from triad.language.pack import load_pack
from triad.questions import Question
from triad.rdf import XSD, Literal, Value

Talk = Callable[..., Conversation]

ENGLISH = load_pack("en")
FILMS = turn("Which films did Stanley Kubrick direct?", KUBRICK, answers=(SHINING, DUNE))
DIRECTED = turn("Who directed The Shining?", SHINING, answers=(KUBRICK,))
BORN = turn("Where was Stanley Kubrick born?", KUBRICK, answers=(NEW_YORK,))
PEOPLE = turn("Which people are there?", answers=(KUBRICK, LYNCH))


def said(kind: Any, **more: Any) -> Turn:
    return Turn("…", "…", kind=kind, **more)


def counted(number: int) -> Turn:
    value = Value(Literal(str(number), XSD + "integer"), str(number))
    answer = Answer(Question("?"), variables=("count",), rows=((value,),), answer_type="count")
    return Turn("how many?", "how many?", kind="follow_up", answer=answer)


def held(*turns: Turn) -> list[str]:
    return [one.question for one in Dialogue(turns).turns]


# What holds -----------------------------------------------------------------------------------------------


def test_questions_and_follow_ups_hold_and_other_turns_do_not() -> None:
    dialogue = Dialogue([DIRECTED, said("social"), said("clarification"), counted(2)])
    assert dialogue.turns == [DIRECTED, counted(2)]
    assert dialogue.last == counted(2)


def test_turns_are_taken_back_one_by_one() -> None:
    assert held(FILMS, DIRECTED, BORN, said("undo")) == [FILMS.question, DIRECTED.question]
    assert held(FILMS, DIRECTED, BORN, said("undo"), said("undo")) == [FILMS.question]
    assert held(FILMS, said("undo"), said("undo"), DIRECTED) == [DIRECTED.question]


def test_a_new_start_leaves_nothing() -> None:
    assert held(FILMS, DIRECTED, said("start_over")) == []
    assert held(FILMS, said("start_over"), BORN) == [BORN.question]
    assert Dialogue([FILMS, said("start_over"), said("undo")]).last is None


def test_a_correction_takes_the_place_of_the_last_turn() -> None:
    assert held(FILMS, DIRECTED, replace(BORN, corrects=True)) == [FILMS.question, BORN.question]
    assert held(FILMS, DIRECTED, replace(BORN, corrects=True), said("undo")) == [FILMS.question]


def test_the_last_turn_asks_back_only_until_something_else_is_said() -> None:
    asked = said("clarification")
    assert Dialogue([FILMS, asked]).asked_back is asked
    assert Dialogue([FILMS, asked, DIRECTED]).asked_back is None
    assert Dialogue([]).asked_back is None


# Lists ----------------------------------------------------------------------------------------------------


def test_lists_are_given_latest_first() -> None:
    assert Dialogue([FILMS, DIRECTED, PEOPLE, BORN]).lists == [PEOPLE, FILMS]


def test_what_was_counted_is_a_list_if_it_is_several() -> None:
    assert Dialogue([FILMS, counted(2)]).lists == [counted(2), FILMS]
    assert Dialogue([counted(1), counted(0)]).lists == []


# Going back -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "wanted"),
    [
        ("the films", FILMS),
        ("the film", FILMS),
        ("Kubrick's films", FILMS),
        ("the people", PEOPLE),
        ("the first question", FILMS),
        ("the second", PEOPLE),
        ("it", PEOPLE),
        ("the rivers", None),
    ],
)
def test_an_earlier_turn_is_found_by_its_words_or_its_place(what: str, wanted: Turn | None) -> None:
    assert Dialogue([FILMS, PEOPLE, BORN]).earlier(what, ENGLISH) is wanted


def test_words_of_one_family_find_it_too() -> None:
    cities = turn("Which cities are in Germany?", answers=(NEW_YORK, KUBRICK))
    assert Dialogue([cities, PEOPLE]).earlier("the german ones", ENGLISH) is cities


def test_a_list_is_meant_rather_than_a_single_thing() -> None:
    one = turn("Which film is the longest?", answers=(SHINING,))
    assert Dialogue([FILMS, one, BORN]).earlier("the films", ENGLISH) is FILMS


def test_there_is_nothing_before_the_first_turn() -> None:
    assert Dialogue([FILMS]).earlier("it", ENGLISH) is None


# In a conversation ----------------------------------------------------------------------------------------


CITIES = "Which cities are there?"


def labels(turn: Turn) -> list[str]:
    assert turn.answer is not None, turn.reply
    return [str(row[0]) for row in turn.answer.rows]


def test_follow_ups_are_undone_one_by_one(talk: Talk) -> None:
    conversation = talk()
    steps = [conversation.ask(text) for text in (CITIES, "sort by population", "except Tacoma", "the first one")]
    assert labels(steps[-1]) == ["New York"]
    for before in reversed(steps[:-1]):
        undone = conversation.ask("undo")
        assert (undone.kind, labels(undone)) == ("undo", labels(before))
        assert before.standalone in undone.reply
    assert conversation.ask("undo").answer is None
    assert conversation.ask("undo").reply == "There is nothing to undo."


def test_after_undo_the_answer_before_is_gone_on_from(talk: Talk) -> None:
    conversation = talk()
    for text in (CITIES, "only those in England", "undo"):
        conversation.ask(text)
    assert conversation.ask("how many are that?").reply == "4."


def test_after_a_new_start_there_is_nothing_to_go_on_from(talk: Talk) -> None:
    conversation = talk()
    conversation.ask(CITIES)
    assert conversation.ask("start over").kind == "start_over"
    assert conversation.ask("sort by population").reply == "There is no answer yet to go on from."


@pytest.mark.slow(0.2)
def test_a_list_is_gone_back_to_and_asked_about(talk: Talk) -> None:
    conversation = talk()
    for text in (CITIES, "Who directed Dune?", "Where was he born?"):
        conversation.ask(text)
    assert sorted(labels(conversation.ask("back to the cities"))) == ["Childwickbury", "Missoula", "New York", "Tacoma"]
    assert labels(conversation.ask("which is the largest?")) == ["New York"]


@pytest.mark.slow(0.1)
def test_going_back_and_asking_are_one_turn(talk: Talk) -> None:
    conversation = talk()
    for text in (CITIES, "Who directed The Shining?"):
        conversation.ask(text)
    assert labels(conversation.ask("back to the cities: which is the smallest?")) == ["Missoula"]


@pytest.mark.slow
def test_ten_follow_ups_compose_and_are_undone_one_by_one(talk: Talk) -> None:
    conversation = talk()
    steps = [
        conversation.ask(text)
        for text in (
            "Which films are there?",
            "oldest first",
            "only those released after 1965",
            "except The Alphabet",
            "with their genre",
            "sort by name",
            "and those of David Lynch too",
            "sort by release date",
            "the first three",
            "only those directed by Stanley Kubrick",
            "how many are that?",
        )
    ]
    assert [turn.kind for turn in steps] == ["question", *["follow_up"] * 10]
    assert [turn.error for turn in steps] == [None] * 11
    for before in reversed(steps[:-1]):
        undone = conversation.ask("undo")
        assert labels(undone) == labels(before)
