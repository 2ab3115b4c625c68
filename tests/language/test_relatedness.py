from __future__ import annotations

import itertools

import pytest

from triad.language.relatedness import FAMILY, OPPOSITE, SISTERS, SYNONYM, relatedness


def test_the_sense_used_most_counts_most() -> None:
    assert relatedness("capital", "money") < relatedness("funds", "money")


@pytest.mark.parametrize("text", ["", "qwertz", "wakanda", "Stanley Kubrick", "+", "employes"])
def test_what_is_no_word_is_near_to_none(text: str) -> None:
    assert relatedness(text, "wife") == 0.0


@pytest.mark.parametrize(
    ("adjective", "noun"),
    [("heavy", "weight"), ("old", "age"), ("long", "length"), ("tall", "height"), ("deep", "depth"), ("big", "size")],
)
def test_adjectives_are_near_what_they_are_values_of(adjective: str, noun: str) -> None:
    assert relatedness(adjective, noun) > 0.75


@pytest.mark.parametrize(
    ("one", "other", "least"),
    [
        ("wife", "spouse", 0.8),
        ("country", "nation", 0.9),
        ("doctor", "physician", 0.9),
        ("manufacturer", "maker", 0.6),
        ("wrote", "author", 0.75),
        ("founder", "founded", 0.7),
        ("located", "location", 0.7),
        ("direct", "director", FAMILY),
        ("expensive", "price", 0.6),
        ("costly", "price", 0.6),
        ("zip code", "postal code", 0.9),
        ("phone number", "telephone number", 0.9),
        ("birthPlace", "place of birth", 0.9),
        ("start date", "begin date", 0.9),
        ("number of employees", "employee count", 0.8),
        ("headcount", "number of people", 0.8),
        ("headcount", "number of employees", 0.6),
    ],
)
def test_names_of_one_thing_are_near(one: str, other: str, least: float) -> None:
    assert least <= relatedness(one, other) <= 1.0


@pytest.mark.parametrize(
    ("one", "other", "most"),
    [
        ("wife", "husband", OPPOSITE),
        ("old", "young", OPPOSITE),
        ("expensive", "cheap", OPPOSITE),
        ("river", "lake", SISTERS),
        ("doctor", "nurse", SISTERS),
        ("tiny", "large", SISTERS),
        ("wife", "banana", 0.0),
        ("name", "patient", 0.0),
        ("employee", "number of employees", 0.1),
        ("headcount", "number of rivers", 0.4),
    ],
)
def test_names_of_other_things_are_not(one: str, other: str, most: float) -> None:
    assert relatedness(one, other) <= most


WORDS = ["wife", "spouse", "headcount", "number of employees", "heavy", "price", "of", "", "Qwertz", "birth place"]


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations_with_replacement(WORDS, 2)))
def test_relatedness_is_symmetric_and_within_bounds(one: str, other: str) -> None:
    found = relatedness(one, other)
    assert 0.0 <= found <= 1.0
    assert found == relatedness(other, one)
    assert one != other or found == 1.0


def test_another_form_of_a_word_is_the_word_and_a_synonym_is_nearly() -> None:
    assert relatedness("Wife", "wives") == relatedness("city", "cities") == relatedness("WAKANDA", "wakandas") == 1.0
    assert relatedness("film", "movie") == SYNONYM
