"""What words of other languages mean in English."""

import csv

import pytest

from triad.language.lexical_database import is_known
from triad.language.pack import languages, load_pack
from triad.language.vocabulary import ASSOCIATED, COMPOUND, HEAD, TRANSLATED, words_of


def _meanings(language: str, text: str) -> dict[str, float]:
    words = text.split()
    return {
        one.english: one.weight for one in load_pack(language).vocabulary.meanings(words, 0) if one.end == len(words)
    }


@pytest.mark.parametrize(
    ("language", "word", "english"),
    [
        ("de", "Versicherungen", "insurance"),
        ("de", "genommen", "take"),
        ("es", "facturas", "invoice"),
        ("fr", "commandes", "order"),
        ("it", "biglietti", "ticket"),
        ("nl", "klanten", "customer"),
        ("pt", "quartos", "room"),
        ("fr", "compagnie aérienne", "airline"),
    ],
)
def test_a_word_or_phrase_in_any_form_has_its_meaning(language: str, word: str, english: str) -> None:
    assert _meanings(language, word)[english] == TRANSLATED


def test_a_word_whose_last_letter_the_stemmer_takes_for_an_ending_has_its_meaning_in_other_forms() -> None:
    assert "course" in _meanings("de", "Kurs")
    assert "course" in _meanings("de", "Kurse")


def test_a_french_participle_has_the_meaning_of_its_verb() -> None:
    assert "recommend" in _meanings("fr", "recommandées")


@pytest.mark.parametrize(
    ("language", "word", "english"),
    [
        ("de", "trank", "drink"),
        ("de", "übernommen", "acquire"),
        ("de", "verstanden", "understand"),
        ("de", "angekommen", "arrive"),
        ("fr", "boit", "drink"),
        ("fr", "comprennent", "understand"),
        ("fr", "vendues", "sell"),
        ("es", "vendió", "sell"),
        ("es", "obtiene", "get"),
    ],
)
def test_a_verb_with_a_prefix_is_inflected_as_the_one_without(language: str, word: str, english: str) -> None:
    assert _meanings(language, word)[english] == TRANSLATED


def test_what_a_word_itself_means_counts_more_than_what_others_with_its_stem_do() -> None:
    assert _meanings("fr", "porte")["door"] == TRANSLATED
    assert _meanings("fr", "porte")["wear"] == ASSOCIATED
    assert _meanings("es", "añadas")["vintage"] == TRANSLATED
    vocabulary = load_pack("es").vocabulary
    assert (vocabulary.is_noun("añadas"), vocabulary.is_noun("añade")) == (True, False)
    assert [load_pack("de").vocabulary.is_noun(one) for one in ("filme", "grenzen")] == [True, False]
    assert vocabulary.knows("añade")
    assert not vocabulary.knows("xilofitz")


def test_a_compound_has_the_meaning_of_both_parts_and_less_of_the_last() -> None:
    found = _meanings("de", "Blutgruppe")
    assert found["blood group"] == COMPOUND
    assert found["group"] == HEAD


def test_a_word_of_the_pack_counts_less_where_there_is_a_translation() -> None:
    found = _meanings("de", "Medikament")
    assert found["medicine"] == TRANSLATED
    assert found["treat"] == ASSOCIATED


def test_what_is_unknown_has_no_meaning() -> None:
    assert not _meanings("de", "Xylofitz")


def test_english_and_languages_without_a_column_have_no_words_in_the_file() -> None:
    assert words_of("en") == {}
    assert words_of("fa") == {}
    assert "customer" in words_of("es")


def test_the_file_is_sorted_and_names_languages_that_have_packs() -> None:
    from triad.language import vocabulary

    with vocabulary._FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    english = [row["en"] for row in rows]
    assert english == sorted(set(english))
    assert set(rows[0]) <= set(languages())
    assert all(text and "||" not in text for row in rows for text in row.values())


@pytest.mark.slow(0.1)
def test_the_english_words_are_known_to_the_lexical_database_or_are_phrases() -> None:
    assert [word for word in words_of("de") if not is_known(word) and " " not in word] == []
