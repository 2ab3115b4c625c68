"""What a perfect server would do, against which the benchmark holds Triad's."""

from __future__ import annotations

import pytest
from serve import ideal


@pytest.mark.parametrize(
    ("clients", "slots", "worked", "seconds"),
    [(1, 400, 0.0, 0.5), (200, 400, 0.002, 0.502), (200, 100, 0.0, 1.0), (200, 400, 0.01, 1.0)],
    ids=["the model thinks", "and the engine works", "places are short", "processors are short"],
)
def test_the_ideal_is_told_by_what_is_short(clients: int, slots: int, worked: float, seconds: float) -> None:
    assert ideal(clients, slots, thinking=0.5, worked=worked, cores=2) == pytest.approx(seconds)
