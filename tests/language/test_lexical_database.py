from __future__ import annotations

from pathlib import Path

import pytest

from triad.language import lexical_database
from triad.language.lexical_database import antonyms, derived, is_known, lemmas, synonyms


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


def test_relations_of_words() -> None:
    assert {"automobile", "motorcar"} <= synonyms("cars").keys()
    assert "founder" in derived("founded")
    assert "manufacturer" in derived("manufactured")
    assert "husband" in antonyms("wife")
    assert "cheap" in antonyms("expensive")


def test_the_sense_used_most_comes_first_and_counts_most() -> None:
    found = synonyms("film")
    assert next(iter(found)) in ("movie", "picture", "moving picture")
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert found["movie"] > found["cinema"] > 0


def test_the_file_that_is_shipped_is_small_and_has_its_licence() -> None:
    folder = Path(lexical_database.__file__).with_name("wordnet")
    assert (folder / "en.zst").stat().st_size < 3_000_000
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in (folder / "LICENSE").read_text(encoding="ascii")
