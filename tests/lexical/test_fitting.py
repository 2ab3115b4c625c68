"""What is learned by: small cases whose outcome is known."""

from __future__ import annotations

import numpy as np
import pytest
from regression import logistic

from triad.lexical.fitting import best_of, named, ranking, scale, softmax, vector


def test_weights_keep_the_order_of_their_names() -> None:
    assert vector(["b", "a", "c"], {"a": 1.0, "b": 2.0}).tolist() == [2.0, 1.0, 0.0]
    assert named(["b", "a"], np.array([0.12345, 2])) == {"b": 0.1235, "a": 2.0}


def test_all_that_are_worth_most_are_the_best() -> None:
    assert best_of([0.5, 1.0, 1.0]).tolist() == [0.0, 1.0, 1.0]


def test_a_softmax_is_taken_over_the_candidates_of_each_question() -> None:
    odds = softmax(np.array([1.0, 1.0, 700.0, 0.0, 0.0, 0.0]), np.array([0, 2, 3]))
    assert odds.tolist() == pytest.approx([1 / 2, 1 / 2, 1, 1 / 3, 1 / 3, 1 / 3])


def test_a_ranking_weighs_what_the_best_candidates_have() -> None:
    matrix = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [0.0, 1.0]])
    good, useless = ranking(matrix, np.array([1.0, 0.0, 1.0, 0.0]), np.array([0, 2]), np.array([1.0, 1.0]))
    assert good > 0 > useless


def test_a_question_without_a_share_teaches_nothing() -> None:
    matrix, best, starts = np.array([[1.0], [0.0], [1.0], [0.0]]), np.array([1.0, 0.0, 0.0, 1.0]), np.array([0, 2])
    assert ranking(matrix, best, starts, np.array([1.0, 0.0]))[0] > 0
    assert ranking(matrix, best, starts, np.array([0.0, 1.0]))[0] < 0


def test_the_weights_are_drawn_to_what_is_expected() -> None:
    same = np.array([[1.0], [1.0]])
    [weight] = ranking(same, np.array([1.0, 0.0]), np.array([0]), np.array([1.0]), expected=np.array([3.0]))
    assert weight == pytest.approx(3, abs=1e-3)


def test_a_regression_tells_the_share_that_is_right() -> None:
    rows = [{"bias": 1.0}] * 4
    weights = logistic(rows, [1.0, 1.0, 1.0, 0.0], [1.0] * 4, free=("bias",))
    assert weights["bias"] == pytest.approx(np.log(3), abs=1e-2)


def test_a_penalty_keeps_weights_small() -> None:
    rows, right = [{"said": 1.0}, {"said": -1.0}], [1.0, 0.0]
    assert 0 < logistic(rows, right, [1.0, 1.0], strength=1.0)["said"] < logistic(rows, right, [1.0, 1.0])["said"]


def test_a_line_makes_what_is_too_sure_less_sure() -> None:
    factor, addend = scale([4.0] * 50 + [-4.0] * 50, [0.75] * 50 + [0.25] * 50, 0.5)
    assert 0 < factor < 0.5
    assert addend == pytest.approx(0, abs=1e-3)


def test_few_cases_leave_the_line_as_it_is() -> None:
    factor, addend = scale([1.0], [0.0], 1000.0)
    assert factor == pytest.approx(1, abs=1e-2)
    assert addend == pytest.approx(0, abs=1e-2)


def test_a_weight_that_no_case_tells_of_is_the_expected_one() -> None:
    rows, right = [{"bias": 1.0, "said": 1.0}, {"bias": 1.0}], [1.0, 0.0]
    weights = logistic(rows, right, [1.0, 1.0], free=("bias",), expected={"unseen": -1.0})
    assert weights["unseen"] == -1.0
    assert weights["said"] > 0
