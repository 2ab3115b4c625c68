from __future__ import annotations

import pytest

from triad.language.detection import LANGUAGES
from triad.language.dialogue import Words, languages, load_words


@pytest.mark.parametrize("language", languages())
def test_every_shipped_file_can_be_used(language: str) -> None:
    words = load_words(language)
    assert words.language == language
    assert words.pronouns
    assert words.possessives
    assert words.follow_ups
    assert words.comparisons
    assert words.sentences
    assert words.replies.keys() == load_words("en").replies.keys()
    for text in words.replies.values():
        text.format(reply="", shown="", more="", count="", what="")
    words.file.asks_for.format(relation="", x="")


def test_the_languages_are_those_that_are_told_apart() -> None:
    assert languages() == LANGUAGES


def test_a_tag_with_a_region_and_an_unknown_one_have_words_too() -> None:
    assert load_words("pt-BR").language == "pt"
    assert load_words("tlh").language == "en"


@pytest.mark.parametrize(("text", "number"), [("3", 3), ("three", 3), ("Three", 3), ("many", None)])
def test_numbers_are_read_in_digits_and_words(text: str, number: int | None) -> None:
    assert load_words("en").number(text) == number


@pytest.mark.parametrize(("text", "place"), [("the second", 2), ("2", 2), ("number 2", None), ("the last one", -1)])
def test_places_of_a_list_are_read(text: str, place: int | None) -> None:
    assert load_words("en").place(text) == place


def test_small_words_name_nothing() -> None:
    words: Words = load_words("de")
    assert words.is_small("und in der")
    assert not words.is_small("und in Wien")
