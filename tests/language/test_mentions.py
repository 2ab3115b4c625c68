from __future__ import annotations

import pytest

from triad.language.mentions import guessed_name, parts_of_names, places, tokens
from triad.language.pack import load_pack


def named(text: str, language: str = "en", *, capitals: bool = True) -> list[str]:
    return [text[start:end] for start, end in places(text, load_pack(language), capitals=capitals)]


@pytest.mark.parametrize(
    ("language", "text", "found"),
    [
        ("en", "Who is co-author of Kubrick's book?", ["co-author", "Kubrick", "book"]),
        ("en", "Write to anna.may@example.org at AT&T", ["Write", "anna.may@example.org", "AT&T"]),
        ("it", "la capitale dell'Italia", ["capitale", "Italia"]),
        ("hi", "गंगा नदी की लंबाई", ["गंगा", "नदी", "लंबाई"]),
        ("fa", "کتاب\u200cهای ایران", ["کتاب\u200cهای", "ایران"]),
        ("en", "", []),
    ],
)
def test_tokens_are_what_is_written_together(language: str, text: str, found: list[str]) -> None:
    assert [token.text for token in tokens(text, load_pack(language)) if not token.idle] == found


def test_names_are_sought_between_capitals_the_longest_first() -> None:
    found = named("Did Stanley Kubrick direct The Shining?")
    assert found.index("Stanley Kubrick") < found.index("Kubrick")
    assert {"Stanley", "The Shining", "Shining"} <= set(found)
    assert not {"Did", "The", "direct"} & set(found)


def test_a_function_word_with_a_capital_may_end_a_name() -> None:
    assert "Brian May" in named("Is Brian May a singer?")
    assert "May" not in named("May I ask?")


def test_a_title_takes_the_bracket_behind_it_and_the_article_at_the_beginning() -> None:
    assert "Solaris (1972)" in named("Is Solaris (1972) older?")
    assert "The Shining" in named("The Shining is by whom?")


def test_small_letters_may_be_a_name_too() -> None:
    assert "momo" in named("who wrote momo", capitals=False)
    assert named("who wrote momo") == []


def test_a_quote_or_a_run_of_capitals_is_a_guess() -> None:
    assert guessed_name("Who wrote 'Die unendliche Geschichte'?", load_pack("en")) == "Die unendliche Geschichte"
    assert guessed_name("who wrote it?", load_pack("en")) is None


def test_a_part_of_a_known_name_is_found() -> None:
    text = "Which films did Kubrick direct?"
    assert list(parts_of_names(text, ["Stanley Kubrick"], load_pack("en"))) == [(16, 23, "Stanley Kubrick")]
