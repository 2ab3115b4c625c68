"""Spelling: common words that are misspelt, and words that are not."""

from __future__ import annotations

import pytest

from triad.agent import Agent
from triad.language.pack import load_pack
from triad.language.spelling import corrections


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Wich mountian is teh heighest",
            {"Wich": "Which", "mountian": "mountain", "teh": "the", "heighest": "highest"},
        ),
        ("who direcetd it frist", {"direcetd": "directed", "frist": "first"}),
        ("the wines maed by Anan", {"maed": "made"}),  # a word of the schema; names are the label index's
        ("Which songs of ABBA are the longest?", {}),
        ('Who wrote to ann@example.org of "teh raod", wich is long?', {"wich": "which"}),
    ],
)
def test_words_that_nothing_knows_are_taken_for_the_nearest(text: str, expected: dict[str, str]) -> None:
    assert corrections(text, load_pack("en"), {"made"}) == expected


def test_other_languages_are_left_as_they_are() -> None:
    assert corrections("Wich Fluss ist der lengste", load_pack("de")) == {}


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("who direcetd jurasic park", "Steven Spielberg"),
        ("What is the captial of Frnace?", "Paris"),
        ("Which mountian is the heighest?", "Mount Everest (8,848.86 m)"),
    ],
)
def test_two_words_may_be_misspelt(demo_agent: Agent, question: str, expected: str) -> None:
    answer = demo_agent.ask(question)
    assert answer.text == expected
    assert any(use.kind == "instead" for use in answer.words)
    assert answer.question.text == question  # as it was asked


def test_what_is_unpaid_is_not_paid_where_only_that_is_known() -> None:
    english = load_pack("en")
    assert corrections("unpaid sales", english, {"paid", "sales"}) == {"unpaid": "not paid"}
    assert corrections("unpaid sales", english, {"unpaid", "paid", "sales"}) == {}
    assert corrections("unpaid sales", english, {"sales"}) == {}
    assert corrections("sales that are not unpaid", english, {"paid", "sales"}) == {}
    assert corrections("Are there unpaid sales?", english, {"paid", "sales"}) == {}
    assert corrections("Who has unpaid sales?", english, {"paid", "sales"}) == {}
