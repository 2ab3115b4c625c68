from __future__ import annotations

import pytest

from triad.language.similarity import OTHER_NUMBER, SIMILAR, Wording, are_cognates, is_typo
from triad.questions import Candidate

EX = "http://example.org/"


def test_equal_names_are_surest_then_singular_and_plural_then_likeness() -> None:
    assert Wording("Birth_Place").similarity("birth place") == 1.0
    assert Wording("birth places").similarity("birth place") == 0.97
    assert Wording("birth_place").similarity("x", EX + "birthPlace") == 1.0
    assert 0.5 < Wording("place of birth").similarity("birth place") < 0.95
    assert Wording("director").similarity("population") < 0.5
    assert Candidate("", "entity", "").score == 0.0


@pytest.mark.parametrize("name", ["birth place", "Birth Place", "birth_place", "bírth place"])
def test_a_name_that_is_equal_once_folded_fits(name: str) -> None:
    assert Wording("birth place").fit(name) == 1.0


def test_fits_lie_in_bands() -> None:
    wording = Wording("birth places")
    assert wording.fit("birth place") == OTHER_NUMBER
    assert 0.8 < wording.fit("places birth") <= SIMILAR
    assert wording.fit("population") < 0.5


def test_a_typo_keeps_the_first_letter() -> None:
    assert is_typo("population", "populaton")
    assert not is_typo("weight", "height")


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
