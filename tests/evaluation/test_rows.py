from __future__ import annotations

import itertools
import random
import time

import pytest

from triad.evaluation.metrics.sets import EXACT_ABOVE, grasp_f, heaviest_matching


def by_trying_all(weights: list[dict[int, int]], width: int) -> int:
    size = max(len(weights), width)
    padded = [*weights, *({} for _ in range(size - len(weights)))]
    return max(
        sum(pairs.get(right, 0) for pairs, right in zip(padded, order, strict=True))
        for order in itertools.permutations(range(size))
    )


@pytest.mark.slow(0.2)
def test_the_matching_is_the_heaviest_of_all() -> None:
    draw = random.Random(3)
    for _ in range(300):
        height, width = draw.randint(0, 6), draw.randint(1, 6)
        weights = [{right: draw.randint(1, 4) for right in range(width) if draw.random() < 0.6} for _ in range(height)]
        assert heaviest_matching(weights) == by_trying_all(weights, width)


@pytest.mark.parametrize(
    ("gold", "answered", "expected"),
    [
        pytest.param([("a", "b", "c"), ("d", "e", "f")], [("c", "x", "a", "b"), ("f", "e", "d", "y")], 1, id="extra"),
        pytest.param([("a", "b"), ("g", "h")], [("a", "b"), ("c", "d"), ("e", "f")], 1 / 2, id="one-of-three"),
        pytest.param([("a", "b"), ("a", "c")], [("a", "c"), ("a", "b")], 1, id="another-order"),
        pytest.param([("a", "a")], [("a", "b")], 2 / 3, id="a-value-twice"),
        pytest.param([("a", None)], [("a",)], 2 / 3, id="an-unbound-value-is-one"),
        pytest.param([("a", "b")], [("c", "d")], 0, id="nothing-shared"),
    ],
)
def test_rows_are_matched_as_a_hand_would(
    gold: list[tuple[str | None, ...]], answered: list[tuple[str | None, ...]], expected: float
) -> None:
    assert grasp_f(gold, answered) == pytest.approx(expected)


def test_many_rows_have_to_be_equal() -> None:
    gold = [(str(at),) for at in range(EXACT_ABOVE + 1)]
    assert grasp_f(gold, gold) == 1
    assert grasp_f(gold, [(*row, "label") for row in gold]) == 0


@pytest.mark.slow
def test_a_thousand_rows_with_shared_values_take_seconds() -> None:
    gold = [(f"e{at}", str(at % 7), "x") for at in range(1000)]
    answered = [(f"e{at}", f"label {at}", str(at % 5), "x") for at in range(1000)]
    started = time.thread_time()
    value = grasp_f(gold, answered)
    assert time.thread_time() - started < 20
    assert value == pytest.approx((2000 + sum(at % 7 == at % 5 for at in range(1000))) / 3000, abs=0.2)
