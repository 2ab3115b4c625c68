from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from tests.cases import cases
from triad.language.normalize import fold, local_name, other_numbers


@pytest.mark.parametrize(
    "text", ["Stanley_Kubrick", "stanley kubrick", "Stanley  Kubrick.", " STANLEY KUBRICK\n", "Stánley Kubrick"]
)
def test_spellings_of_a_name_fold_to_the_same(text: str) -> None:
    assert fold(text) == "stanley kubrick"


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("C++", "c++"),
        ("C#", "c#"),
        ("AT&T", "at t"),
        ("O'Brien", "obrien"),
        ("Schindler’s List", "schindlers list"),
        ("Łódź", "lodz"),
        ("Straße", "strasse"),
        ("São Paulo", "sao paulo"),
        ("ＡＢＣ", "abc"),
        ("Санкт-Петербург", "санкт петербург"),
        ("東京", "東京"),
        ("soft\u00adhyphen", "softhyphen"),
        ("birthPlace", "birthplace"),
    ],
)
def test_names_fold_to(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize("text", ["!!!", "???", "…", "-"])
def test_a_name_of_punctuation_stays_as_it_is(text: str) -> None:
    assert fold(text) == text


@pytest.mark.slow(0.1)
@given(st.text())
def test_folding_twice_is_folding_once(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.slow(0.1)
@given(st.text(alphabet=st.characters(categories=["Lu", "Ll"], max_codepoint=0x24F), min_size=1))
def test_case_does_not_count(text: str) -> None:
    assert fold(text.upper().lower()) == fold(text.upper())


@pytest.mark.parametrize(("one", "other"), cases(__file__, "test_the_other_number_is_found_both_ways"))
def test_the_other_number_is_found_both_ways(one: str, other: str) -> None:
    assert other in other_numbers(one)
    assert one in other_numbers(other)


def test_a_text_that_is_too_long_to_be_a_name_has_no_other_number() -> None:
    assert len(other_numbers("river " * 63 + "river")) == 64
    assert not other_numbers("river " * 64 + "river")


@pytest.mark.parametrize("word", ["class", "status", "analysis", "r2d2s", "as"])
def test_words_that_are_no_plurals_are_not_taken_for_them(word: str) -> None:
    assert word[:-1] not in other_numbers(word)


@pytest.mark.parametrize(("iri", "name"), cases(__file__, "test_an_iri_has_a_readable_name"))
def test_an_iri_has_a_readable_name(iri: str, name: str) -> None:
    assert local_name(iri) == name
