"""What is told of a visit, from what the browser notes."""

from __future__ import annotations

import pytest
from page import Visit, percentile, visit_of


def test_what_came_and_what_blocked_is_told_by_the_first_paint() -> None:
    seen = {
        "first": 400.0,
        "largest": 900.0,
        "shifted": 0.02,
        "loaded": [(150, 2_000), (390, 98_000), (700, 50_000)],
        "tasks": [(100, 200), (380, 80), (500, 60), (600, 40)],
    }
    assert visit_of(seen) == Visit(first=400, largest=900, size=100, blocked=40, shifted=0.02)


@pytest.mark.parametrize(("share", "expected"), [(0.5, 3), (0.95, 4), (1, 4)])
def test_a_percentile_is_one_of_the_values(share: float, expected: float) -> None:
    assert percentile([4, 1, 3, 2], share) == expected
