"""Turns: what they came to, what else they may mean, and the things that they give."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.conversation.talks import DUNE, SHINING, turn
from triad.answers import Answer, Reading, Unknown
from triad.conversation import Interpretation, Turn
from triad.conversation.turns import closeness, is_sure, named_answers, things_in, things_of
from triad.questions import Question
from triad.rdf import IRI, Literal, Value

FILMS = turn("Which films are there?", answers=(SHINING, DUNE), reply="The Shining and Dune.")
NUMBER = Value(Literal("3"), "3")
OTHER = Reading("the longest film", "Dune", query="SELECT ?x { ?x ?y 1 }")


def with_answer(**more: object) -> Turn:
    assert FILMS.answer is not None
    return replace(FILMS, answer=replace(FILMS.answer, **more))  # type: ignore[arg-type]


def test_what_a_turn_came_to() -> None:
    assert FILMS.outcome == "answer"
    assert replace(FILMS, unknown=Unknown(Question("?"))).outcome == "unknown"
    assert Turn("?", "?", error="too slow").outcome == "unknown"
    assert Turn("hi", "hi").outcome == "said"


def test_what_else_is_meant_can_be_chosen_after_the_options() -> None:
    option = Interpretation("Dune", "Who wrote Dune?")
    read = replace(with_answer(readings=(OTHER,)), options=(option,), things={"Dune": DUNE})
    assert read.choices == (
        option,
        Interpretation("the longest film", "the longest film", {"Dune": DUNE}, query=OTHER.query),
    )
    assert (read.readings, read.told_readings) == ((OTHER,), (OTHER,))


def test_beside_a_sure_answer_no_reading_is_told_and_without_one_nothing_is_assumed() -> None:
    taken = replace(OTHER, taken="length")
    sure = with_answer(readings=(taken,), confidence=0.95)
    assert (sure.readings, sure.told_readings) == ((taken,), ())
    none = Turn("?", "?", unknown=Unknown(Question("?"), readings=(taken,)))
    assert none.told_readings == none.readings == (OTHER,)


def test_a_turn_is_shown_by_its_question_and_reply() -> None:
    assert repr(FILMS) == "Turn('Which films are there?', 'question', 'The Shining and Dune.')"
    assert "Which films are there?" in FILMS._repr_html_()
    assert "Hello!" in Turn("hi", "hi", reply="Hello!")._repr_html_()


def test_the_things_of_an_answer_are_those_of_its_first_column_that_has_some() -> None:
    shining, dune = (Value(IRI(one.iri), one.label) for one in (SHINING, DUNE))
    two = with_answer(variables=("n", "film", "other"), rows=((NUMBER, shining, dune), (NUMBER, dune, None)))
    assert two.answer is not None
    assert things_of(two.answer) == ("film", [SHINING.iri, DUNE.iri])
    assert [[one.label for one in column] for column in named_answers(two)] == [["The Shining", "Dune"], ["Dune"]]
    assert things_in(two) == {SHINING.iri, DUNE.iri}
    assert things_in(with_answer(rows=((NUMBER,),))) == {"3"}
    assert things_in(Turn("?", "?")) == set()
    assert things_of(Answer(Question("?"))) == (None, [])


@pytest.mark.parametrize(
    ("one", "sure", "close"),
    [
        (FILMS, True, (True, 0.0)),
        (with_answer(confidence=0.7), True, (True, 0.7)),
        (replace(FILMS, error="no"), False, (False, 0.0)),
        (replace(FILMS, unknown=Unknown(Question("?"))), False, (True, 0.0)),
        (with_answer(rows=(), confidence=0.7), False, (False, 0.0)),
        (replace(with_answer(rows=(), confidence=0.7), kind="follow_up"), True, (False, 0.0)),
        (replace(with_answer(rows=()), kind="follow_up"), False, (False, 0.0)),
        (with_answer(rows=(), boolean=False, confidence=0.4), True, (True, 0.4)),
        (Turn("?", "?", kind="clarification"), True, (False, 0.0)),
        (Turn("?", "?", kind="follow_up"), True, (False, 0.0)),
        (Turn("?", "?", kind="follow_up", error="no"), False, (False, 0.0)),
        (replace(FILMS, answer=None, kind="question"), False, (False, 0.0)),
    ],
)
def test_how_sure_and_how_close_a_turn_is(one: Turn, sure: bool, close: tuple[bool, float]) -> None:
    assert (is_sure(one), closeness(one)) == (sure, close)
