"""The ways to understand a turn, over the demo graph: by itself, about the last answer, as an operation on it.

Each talk of the tables ends in the labels that the last turn shows, row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.cases import cases
from triad.agent import Agent
from triad.answers import Answer, WordUse
from triad.conversation import Conversation, Turn
from triad.conversation.turns import closeness, is_sure
from triad.errors import AnswerError
from triad.questions import Question
from triad.rdf import IRI, Literal, Value

pytestmark = pytest.mark.slow

Said = Callable[..., Turn]


@pytest.fixture
def said(demo_turns: Callable[..., list[Turn]]) -> Said:
    """Say some texts one after the other, and give the last turn."""
    return lambda *texts, **options: demo_turns(*texts, **options)[-1]


def shown(turn: Turn) -> list[str]:
    assert turn.answer is not None, turn.reply
    if turn.answer.boolean is not None:
        return ["yes" if turn.answer.boolean else "no"]
    return [", ".join(value.label for value in row if value) for row in turn.answer.rows]


# By kind --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_a_list_is_narrowed"))
def test_a_list_is_narrowed(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert sorted(shown(said(*texts))) == sorted(wanted)


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_some_are_left_out"))
def test_some_are_left_out(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert sorted(shown(said(*texts))) == sorted(wanted)


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_another_name_takes_the_place_of_one"))
def test_another_name_takes_the_place_of_one(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert sorted(shown(said(*texts))) == sorted(wanted)


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_two_lists_are_united"))
def test_two_lists_are_united(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert sorted(shown(said(*texts))) == sorted(wanted)


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_columns_and_order_are_added"))
def test_columns_and_order_are_added(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert shown(said(*texts)) == wanted


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_what_is_of_another_kind_is_added_as_a_column"))
def test_what_is_of_another_kind_is_added_as_a_column(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert sorted(shown(said(*texts))) == sorted(wanted)


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_one_is_picked"))
def test_one_is_picked(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert shown(said(*texts)) == wanted


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_a_value_is_held_against_another"))
def test_a_value_is_held_against_another(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert shown(said(*texts)) == wanted


@pytest.mark.parametrize(("texts", "wanted"), cases(__file__, "test_what_was_spoken_of_is_asked_about"))
def test_what_was_spoken_of_is_asked_about(said: Said, texts: list[str], wanted: list[str]) -> None:
    assert sorted(shown(said(*texts))) == sorted(wanted)


# Several readings -----------------------------------------------------------------------------------------


def test_the_user_is_asked_only_if_the_answers_differ(said: Said) -> None:
    asked = said("Who founded Intel?", "when was he born?")
    assert asked.kind == "clarification"
    assert [one.label for one in asked.options] == ["Gordon Moore", "Robert Noyce"]
    same = said("Did Gordon Moore or Robert Noyce found Intel?", "which company did he found?")
    assert same.kind != "clarification"
    assert shown(same) == ["Intel"]


def test_nothing_is_asked_back_where_that_is_not_wished(said: Said) -> None:
    turn = said("Who founded Intel?", "when was he born?", ask_back=False)
    assert shown(turn) == ["1929-01-03"]
    assert [one.label for one in turn.options] == ["Robert Noyce"]


def test_both_of_the_options_are_answered_together(said: Said) -> None:
    assert sorted(shown(said("Who founded Intel?", "when was he born?", "both"))) == ["1927-12-12", "1929-01-03"]


# What is not known ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("texts", cases(__file__, "test_what_the_graph_does_not_have_is_declined"))
def test_what_the_graph_does_not_have_is_declined(said: Said, texts: list[str]) -> None:
    turn = said(*texts)
    assert turn.error is not None
    assert turn.kind != "clarification"


def test_after_an_unknown_turn_the_list_is_still_there(said: Said) -> None:
    turn = said("Which rivers flow through Germany?", "only those in Wakanda", "which of these is the longest?")
    assert shown(turn) == ["Danube"]


# Measures -------------------------------------------------------------------------------------------------


def answered(**more: Any) -> Turn:
    return Turn("?", "?", answer=Answer(Question("?"), **more))


ROWS = ((Value(IRI("http://example.org/x"), "x"),),)


def test_a_turn_is_sure_if_it_has_an_answer_that_heeds_all_words() -> None:
    assert is_sure(answered(variables=("x",), rows=ROWS))
    assert is_sure(answered(boolean=False))
    assert is_sure(Turn("?", "?", kind="clarification"))
    assert not is_sure(answered(variables=("x",), rows=ROWS, words=(WordUse("blue", "left_out"),)))
    assert not is_sure(answered(variables=("x",)))
    assert not is_sure(Turn("?", "?", error=str(AnswerError("nothing"))))


def test_a_follow_up_that_leaves_nothing_is_sure_and_a_question_is_not() -> None:
    nothing = Answer(Question("?"), variables=("x",), confidence=0.9)
    assert is_sure(Turn("?", "?", kind="follow_up", answer=nothing))
    assert not is_sure(Turn("?", "?", answer=nothing))


def test_an_answer_is_closer_than_none_and_the_surer_one_closest() -> None:
    value = ((Value(Literal("1"), "1"),),)
    turns = [
        answered(variables=("x",), rows=value, confidence=0.9),
        answered(variables=("x",), rows=value, confidence=0.4),
        Turn("?", "?", error="nothing"),
    ]
    assert sorted(turns, key=closeness, reverse=True) == turns


def test_many_follow_ups_make_no_query_that_is_too_long(demo_agent: Agent) -> None:
    conversation = Conversation(demo_agent)
    conversation.ask("Which films did Stanley Kubrick direct?")
    for _ in range(5):
        for text in ("which of these were released after 1960?", "and those of Steven Spielberg too", "oldest first"):
            turn = conversation.ask(text)
            assert turn.error is None
    assert len(shown(turn)) == 9
    assert shown(turn)[0] == "2001: A Space Odyssey, 1968-04-03"


# What is gone on from, and what words stand for ------------------------------------------------------------


def test_a_follow_up_in_vain_leaves_the_list_before_it(said: Said) -> None:
    turn = said("Which rivers flow through Germany?", "and of those in Wakanda?", "sort by length")
    assert shown(turn)[0] == "Danube, 2850"
    assert turn.outcome == "unknown"


def test_they_are_the_things_that_were_counted(said: Said) -> None:
    turn = said("How many rivers flow through Germany?", "which are they?")
    assert sorted(shown(turn)) == ["Danube", "Elbe", "Main", "Rhine"]


def test_there_may_be_each_of_several_places(said: Said) -> None:
    turn = said("Which countries border Germany?", "how many people live there?")
    assert turn.kind == "clarification"
    assert len(turn.options) == 2


def test_a_german_pronoun_of_place_may_stand_for_a_film(said: Said) -> None:
    turn = said("Welche Filme hat Christopher Nolan gedreht?", "welcher ist der längste?", "und wer spielt darin mit?")
    assert sorted(shown(turn)) == ["Cillian Murphy", "Matt Damon"]
