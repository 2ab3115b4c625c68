from __future__ import annotations

import random
import statistics

import pytest

from triad.evaluation.metrics.significance import bootstrap, compare


@pytest.mark.slow
def test_an_interval_holds_the_mean_and_is_the_same_each_time() -> None:
    values = [0.0, 1.0] * 50
    low, high = bootstrap(values)
    assert low < 0.5 < high
    # The normal interval of 100 coin throws is 0.5 ± 0.098.
    assert (low, high) == pytest.approx((0.402, 0.598), abs=0.015)
    assert bootstrap(values) == (low, high)
    assert bootstrap(values, seed=1, samples=500) != (low, high)


@pytest.mark.slow
def test_intervals_of_few_and_of_many_values_agree() -> None:
    draw = random.Random(0)
    values = [draw.random() for _ in range(1_000)]
    drawn, computed = bootstrap(values), bootstrap([*values, statistics.fmean(values)])
    assert drawn == pytest.approx(computed, abs=0.002)


@pytest.mark.parametrize(("values", "interval"), [([], (0, 0)), ([0.3], (0.3, 0.3)), ([1.0] * 9, (1, 1))])
def test_what_does_not_vary_has_no_width(values: list[float], interval: tuple[float, float]) -> None:
    assert bootstrap(values) == interval


@pytest.mark.slow
def test_a_comparison_of_few_goes_through_all_signs() -> None:
    # Of 8 ways to set the signs of 3 equal differences 2 give a sum as great.
    found = compare([0.0, 0.0, 0.0, 0.5], [1.0, 1.0, 1.0, 0.5])
    assert found.difference == 0.75
    assert found.p_value == 2 / 8
    assert found.low <= 0.75 <= found.high
    turned = compare([1.0, 1.0, 1.0, 0.5], [0.0, 0.0, 0.0, 0.5])
    assert (turned.difference, turned.p_value) == (-0.75, 2 / 8)


@pytest.mark.slow
def test_a_comparison_tells_chance_from_progress() -> None:
    draw = random.Random(1)
    first = [draw.random() for _ in range(200)]
    noise = [value + draw.uniform(-0.1, 0.1) for value in first]
    better = [value + draw.uniform(-0.05, 0.1) for value in first]
    assert compare(first, noise).p_value > 0.05
    found = compare(first, better)
    assert found.p_value < 0.001
    assert found.low > 0
    assert compare(first, better) == found


@pytest.mark.slow
def test_a_comparison_of_many_agrees_with_one_of_few() -> None:
    draw = random.Random(2)
    second = [draw.gauss(0.03, 1) for _ in range(1_000)]
    few, many = compare([0.0] * 1_000, second), compare([0.0] * 1_001, [*second, 1e-6])
    assert few.p_value == pytest.approx(many.p_value, abs=0.02)
    assert 0.01 < few.p_value < 0.99


def test_equal_runs_do_not_differ() -> None:
    assert compare([0.5, 1.0], [0.5, 1.0]).p_value == 1
    assert compare([], []).difference == 0


def test_runs_on_other_questions_are_refused() -> None:
    with pytest.raises(ValueError, match="got 1 and 2"):
        compare([1.0], [1.0, 0.0])
