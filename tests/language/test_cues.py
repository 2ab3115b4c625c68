from __future__ import annotations

import pytest

from triad.language.cues import is_fragment, standing_alone
from triad.language.pack import load_pack


def alone(text: str, language: str = "en") -> list[str]:
    return [text[start:end] for start, end in standing_alone(text, load_pack(language))]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("is that cheaper than aspirin?", ["that"]),
        ("which license is that under?", ["that"]),
        ("is that a river?", ["that"]),
        ("and that?", ["that"]),
        ("which of those", ["those"]),
        ("what is this?", ["this"]),
        ("is that one older?", ["that one"]),
        ("That is wrong", ["That"]),
        ("is this larger than that?", ["this", "that"]),
    ],
)
def test_a_word_without_a_noun_after_it_stands_alone(text: str, words: list[str]) -> None:
    assert alone(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "which are the rivers that flow through that city?",
        "that city",
        "these three",
        "the man that founded it",
        "who founded Intel?",
        "",
    ],
)
def test_before_or_after_a_noun_it_does_not(text: str) -> None:
    assert alone(text) == []


def test_other_languages_have_such_words() -> None:
    assert alone("Ist das größer als Bonn?", "de") == ["das"]


@pytest.mark.parametrize(
    ("language", "text", "fragment"),
    [
        ("en", "Which has the largest area?", True),
        ("en", "Which had the greatest number of votes?", True),
        ("en", "Which were released before 1980?", True),
        ("en", "How many were released?", True),
        ("en", "How many seats are there?", False),
        ("en", "Which is the largest city?", False),
        ("en", "What is the highest price?", False),
        ("de", "Welches hat die größte Fläche?", True),
        ("es", "¿Cuál tiene la mayor área?", True),
        ("fr", "Laquelle a la plus grande superficie ?", True),
    ],
)
def test_a_question_that_does_not_say_of_what_it_asks_is_a_part_of_one(
    language: str, text: str, fragment: bool
) -> None:
    assert is_fragment(text, load_pack(language)) is fragment
