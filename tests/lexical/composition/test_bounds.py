"""Bounds limit the values that hold what they name, whatever datatype these have."""

from __future__ import annotations

import pytest

from tests.lexical.composition.conftest import Reading


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which lessons start before 9 am?", {("maths",)}),
        ("Which lesson starts at a quarter past one in the afternoon?", {("music",)}),
        ("Which trips were in October?", {("zoo",)}),
        ("Which trip was on a Monday?", {("ski",)}),
        ("Which trips close after 7 pm?", {("ski",)}),
        ("How many trips were in January?", {("1",)}),
    ],
)
def test_what_comes_again_is_held_against_dates_times_and_texts(lessons: Reading, question: str, found: object) -> None:
    assert lessons.found(question) == found
