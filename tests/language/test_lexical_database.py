from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from triad.language import lexical_database
from triad.language.lexical_database import (
    FAMILY,
    OPPOSITE,
    SISTERS,
    SYNONYM,
    antonyms,
    derived,
    is_known,
    lemmas,
    relatedness,
    synonyms,
)


@pytest.mark.parametrize(
    ("text", "lemma"),
    [
        ("wives", "wife"),
        ("went", "go"),
        ("Children", "child"),
        ("people", "person"),
        ("studies", "study"),
        ("boxes", "box"),
        ("planned", "plan"),
        ("making", "make"),
        ("bigger", "big"),
        ("heaviest", "heavy"),
        ("power plants", "power plant"),
        ("places of birth", "place of birth"),
        ("Mothers-in-law", "mother in law"),
        ("left", "leave"),
        ("left", "left"),
    ],
)
def test_inflected_words_have_their_base_forms(text: str, lemma: str) -> None:
    assert lemma in lemmas(text)
    assert is_known(text)


@pytest.mark.parametrize("text", ["", "qwertz", "wakanda", "Stanley Kubrick", "+", "employes"])
def test_what_is_no_word_is_unknown(text: str) -> None:
    assert not is_known(text)
    assert lemmas(text) == ()
    assert synonyms(text) == {}
    assert relatedness(text, "wife") == 0.0


def test_relations_of_words() -> None:
    assert {"automobile", "motorcar"} <= synonyms("cars").keys()
    assert "founder" in derived("founded")
    assert "manufacturer" in derived("manufactured")
    assert "husband" in antonyms("wife")
    assert "cheap" in antonyms("expensive")


@pytest.mark.parametrize(
    ("adjective", "noun"),
    [("heavy", "weight"), ("old", "age"), ("long", "length"), ("tall", "height"), ("deep", "depth"), ("big", "size")],
)
def test_adjectives_are_near_what_they_are_values_of(adjective: str, noun: str) -> None:
    assert relatedness(adjective, noun) > 0.75


def test_the_sense_used_most_comes_first_and_counts_most() -> None:
    found = synonyms("film")
    assert next(iter(found)) in ("movie", "picture", "moving picture")
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found["movie"] > found["cinema"] > 0
    assert relatedness("capital", "money") < relatedness("funds", "money")


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


def test_the_file_that_is_shipped_is_small_and_has_its_licence() -> None:
    folder = Path(lexical_database.__file__).with_name("wordnet")
    assert (folder / "en.zst").stat().st_size < 3_000_000
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in (folder / "LICENSE").read_text(encoding="ascii")
