from __future__ import annotations

from dataclasses import astuple

import pytest

from triad.evaluation.metrics.calibration import Bin, auroc, bins, calibration_error


def test_answers_of_about_the_same_confidence_are_one_point() -> None:
    low, high = bins([(0.82, 1.0), (0.88, 0.0), (0.15, 0.5)])
    assert low == Bin(0.15, 0.5, 1)
    assert astuple(high) == (pytest.approx(0.85), 0.5, 2)


def test_the_upper_end_of_an_interval_belongs_to_it() -> None:
    assert [one.count for one in bins([(0.0, 0.0), (0.1, 0.0), (0.11, 0.0), (0.2, 0.0), (0.3, 0.0), (1.0, 1.0)])] == [
        2,  # 0 and 0.1
        2,  # 0.11 and 0.2
        1,
        1,
    ]


@pytest.mark.parametrize(
    ("pairs", "error"),
    [
        pytest.param([(1.0, 1.0), (0.0, 0.0)], 0.0, id="always-right"),
        pytest.param([(1.0, 0.0), (0.0, 1.0)], 1.0, id="always-wrong"),
        pytest.param([(0.75, 1.0), (0.75, 1.0), (0.75, 1.0), (0.75, 0.0)], 0.0, id="three-of-four"),
        # |0.5 - 0.9| of two answers, |0.25 - 0.5| of one, 0 of one.
        pytest.param([(0.9, 0.0), (0.9, 1.0), (0.5, 0.25), (0.1, 0.1)], (2 * 0.4 + 0.25) / 4, id="by-hand"),
        # In one bin, too high and too low even out.
        pytest.param([(0.62, 1.0), (0.68, 0.3)], 0.0, id="in-one-bin"),
    ],
)
def test_the_calibration_error_is_the_mean_distance(pairs: list[tuple[float, float]], error: float) -> None:
    assert calibration_error(bins(pairs)) == pytest.approx(error)


def test_without_answers_there_is_no_calibration_error() -> None:
    assert calibration_error(bins([])) is None


@pytest.mark.parametrize(
    ("pairs", "share"),
    [
        ([(0.9, 1.0), (0.8, 1.0), (0.2, 0.0)], 1.0),
        ([(0.2, 1.0), (0.9, 0.0)], 0.0),
        ([(0.5, 1.0), (0.5, 0.0)], 0.5),
        ([(0.9, 1.0), (0.8, 0.0), (0.1, 0.7)], 1.0),
        ([(0.9, 1.0)], None),
        ([], None),
    ],
)
def test_auroc_is_how_often_what_is_right_is_surer(pairs: list[tuple[float, float]], share: float | None) -> None:
    assert auroc(pairs) == share
