"""What a weak model must not do: make answers worse, fail, be shown as the graph, or take its time."""

from __future__ import annotations

import pytest
from weak import Outcome, f1, faults, line

RIGHT = Outcome(answerable=True, value=1.0, given=True)
DECLINED = Outcome(answerable=True)
NO_ANSWER = Outcome(answerable=False)


def test_f1_is_over_questions_that_have_an_answer() -> None:
    assert f1([RIGHT, DECLINED, NO_ANSWER]) == 0.5
    assert line("demo", "none", [RIGHT, DECLINED, NO_ANSWER])[2:7] == ("3", "0", "0.500", "0", "0")


def test_a_model_that_changes_nothing_has_no_fault() -> None:
    assert list(faults("demo", [RIGHT, DECLINED], [RIGHT, DECLINED], 20)) == []


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (DECLINED, "F1 with the model is 0.000, below 1.000"),
        (Outcome(answerable=True, value=1.0, failure="ModelError: away"), "ModelError: away"),
        (Outcome(answerable=True, value=1.0, given=True, own=True), "1 answers are the model's own knowledge"),
        (Outcome(answerable=True, value=1.0, given=True, seconds=60.0), "1 questions took longer than 20 s"),
    ],
)
def test_what_a_model_makes_worse_is_told(outcome: Outcome, words: str) -> None:
    [fault] = faults("demo", [RIGHT], [outcome], 20)
    assert words in fault
