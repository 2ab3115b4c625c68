"""Words of several languages that are one."""

import pytest

from triad.language.cognates import are_cognates


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Universität", "university"),
        ("situazione", "situation"),
        ("fréquence", "frequency"),
        ("farmacia", "pharmacy"),
        ("Kategorie", "category"),
        ("président", "president"),
    ],
)
def test_learned_words_of_one_origin_are_cognates(one: str, other: str) -> None:
    assert are_cognates(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("station", "nation"), ("Rat", "rat"), ("carta", "card"), ("contract", "contact"), ("plante", "planet"), ("", "")],
)
def test_words_that_merely_look_alike_are_not(one: str, other: str) -> None:
    assert not are_cognates(one, other)
