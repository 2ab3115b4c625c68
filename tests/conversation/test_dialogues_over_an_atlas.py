"""Dialogues of two to four turns over the atlas, without a model: what a user is told, and how it was understood.

Of each turn, the tables have what is said and the reply, and the question as it was understood unless it is that one,
or that one after the one that it goes on from.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.cases import cases
from triad.conversation import Turn
from triad.language.normalize import bare

Talk = list[list[str]]
Told = Callable[..., list[Turn]]


def shown(told: Told, talk: Talk) -> Talk:
    """Return what a dialogue comes to, in the form of the tables."""
    found, before = [], ""
    for turn in told(*(said for said, *_ in talk)):
        expected = (turn.question, f"{before} – {turn.question}") if turn.answer or turn.error else (turn.question,)
        understood = [] if turn.standalone in expected else [turn.standalone]
        found.append([turn.question, turn.reply, *understood])
        before = bare(turn.standalone)
    return found


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_another_name_is_put_in_place_of_one"))
def test_another_name_is_put_in_place_of_one(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_another_superlative_is_put_in_place_of_one"))
def test_another_superlative_is_put_in_place_of_one(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.parametrize("talk", cases(__file__, "test_more_is_of_what_was_asked_for"))
def test_more_is_of_what_was_asked_for(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.parametrize("talk", cases(__file__, "test_he_and_she_are_not_the_same"))
def test_he_and_she_are_not_the_same(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.parametrize("talk", cases(__file__, "test_what_was_counted_is_spoken_of_by_its_class"))
def test_what_was_counted_is_spoken_of_by_its_class(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_a_list_has_the_class_above_those_of_its_things"))
def test_a_list_has_the_class_above_those_of_its_things(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.parametrize("talk", cases(__file__, "test_a_value_is_held_against_that_of_another_thing"))
def test_a_value_is_held_against_that_of_another_thing(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.parametrize("talk", cases(__file__, "test_what_was_not_meant_is_corrected"))
def test_what_was_not_meant_is_corrected(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_a_list_is_gone_on_from"))
def test_a_list_is_gone_on_from(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_sentences_that_go_on_from_each_other_are_turns"))
def test_sentences_that_go_on_from_each_other_are_turns(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_two_lists_become_one"))
def test_two_lists_become_one(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_a_list_is_narrowed_by_what_the_graph_says"))
def test_a_list_is_narrowed_by_what_the_graph_says(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("talk", cases(__file__, "test_what_points_back_is_what_was_spoken_of"))
def test_what_points_back_is_what_was_spoken_of(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("talk", cases(__file__, "test_two_questions_are_answered_one_after_the_other"))
def test_two_questions_are_answered_one_after_the_other(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.parametrize("talk", cases(__file__, "test_what_asks_nothing_looks_nothing_up"))
def test_what_asks_nothing_looks_nothing_up(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk


@pytest.mark.parametrize("talk", cases(__file__, "test_what_else_there_is_leaves_out_what_was_spoken_of"))
def test_what_else_there_is_leaves_out_what_was_spoken_of(told: Told, talk: Talk) -> None:
    assert shown(told, talk) == talk
