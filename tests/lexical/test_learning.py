from __future__ import annotations

from dataclasses import replace

import pytest

from triad.lexical.candidates import CandidateQuery
from triad.lexical.known import Judged, KnownQuestion, Searched
from triad.lexical.learning import certainties, divisions, learn, left_out, rankings
from triad.lexical.nodes import Node
from triad.lexical.weights import Weights
from triad.rdf import Literal, ResultSet
from triad.sparql.patterns import Variable
from triad.sparql.query_graph import QueryGraph

START = Weights(features={"near": 0.2}, confidence={"bias": 2.0})


def searched(value: float, **features: float) -> Searched:
    """A candidate that found something, which is worth so much."""
    candidate = CandidateQuery(QueryGraph(), "select", "list", Node(Variable("")), features=features)
    return Searched(candidate, ResultSet(("x",), ((Literal(str(features)),),)), value)


def asked(number: int, *candidates: Searched, answerable: bool = True) -> KnownQuestion:
    return KnownQuestion(f"Question {number}?", answerable, searched=candidates)


def misled(count: int) -> list[KnownQuestion]:
    """Questions whose near candidate is wrong and whose far one is right, on this graph."""
    return [asked(number, searched(0.0, near=1.0), searched(1.0, near=0.0)) for number in range(count)]


def told(known: list[KnownQuestion], weights: Weights) -> list[Judged]:
    return [one.told(weights) for one in known]


def test_what_is_right_on_this_graph_moves_up() -> None:
    known = misled(40)
    assert [one.value for one in told(known, START)] == [0.0] * 40
    assert [one.value for one in told(known, rankings(known, START))] == [1.0] * 40


def test_few_questions_move_the_weights_less_than_many() -> None:
    few, many = (rankings(misled(count), START).features["near"] for count in (3, 60))
    assert START.features["near"] > few > many


def test_questions_that_tell_nothing_leave_the_weights() -> None:
    alike = [asked(1, searched(1.0, near=1.0), searched(1.0, near=0.0)), asked(2), asked(3, searched(0.0, near=1.0))]
    assert rankings(alike, START) == START


def test_what_is_too_sure_becomes_less_sure() -> None:
    known = [asked(number, searched(float(number % 2), near=1.0)) for number in range(40)]
    sure = {one.confidence for one in told(known, START)}
    less = {one.confidence for one in told(known, certainties(known, START))}
    assert max(less) < min(sure)


def test_questions_that_all_have_an_answer_make_nothing_surer() -> None:
    unsure = replace(START, confidence={"bias": -1.0})
    known = [asked(number, searched(1.0, near=1.0)) for number in range(40)]
    assert certainties(known, unsure) == unsure
    known[0] = asked(0, searched(0.0, near=1.0), answerable=False)
    assert certainties(known, unsure).confidence["bias"] > -1


def test_each_question_is_in_one_part_by_its_words() -> None:
    known = misled(10)
    parts = divisions(known, 5)
    assert sorted(parts) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert tuple(reversed(parts)) == divisions(known[::-1], 5)
    assert set(divisions(known[:3], 5)) == {0, 1, 2}


def test_a_question_is_answered_by_what_was_learned_from_the_others() -> None:
    odd = asked(99, searched(1.0, near=1.0), searched(0.0, near=0.0))
    known = [*misled(40), odd]
    assert left_out(known, (*[0, 1] * 20, 2), START, [rankings])[-1].value == 0.0


@pytest.mark.slow(0.1)
def test_what_left_out_questions_are_better_with_is_kept() -> None:
    found = learn(misled(40), START)
    assert found.steps[0] == "ranking"
    assert {one.value for one in found.before} == {0.0}
    assert {one.value for one in found.after} == {1.0}


@pytest.mark.slow(0.2)
def test_what_they_are_not_better_with_is_not() -> None:
    by_chance = [
        asked(number, searched(float(number % 2 == 0), near=1.0), searched(float(number % 2), near=0.0))
        for number in range(40)
    ]
    found = learn(by_chance, replace(START, confidence={"bias": 0.0}))
    assert found.steps == ()
    assert found.weights.features == START.features
    assert found.after == found.before


@pytest.mark.parametrize("steps", [[rankings], [certainties], [rankings, certainties]])
def test_a_question_without_candidates_stays_unanswered(steps: list[object]) -> None:
    [*_, last] = left_out([*misled(10), asked(50)], (*[0, 1] * 5, 0), START, steps)  # type: ignore[arg-type]
    assert last == Judged(0.0, 0.0)
