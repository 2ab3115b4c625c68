from __future__ import annotations

import pytest

from triad.errors import ConfigError
from triad.language.pack import Lexicon, languages, load_lexicon

LANGUAGES = ("de", "en", "es", "fr", "it", "nl", "pt")


def test_there_are_seven_languages() -> None:
    assert languages() == LANGUAGES


@pytest.mark.parametrize(
    ("tag", "language"), [("de-AT", "de"), ("pt_BR", "pt"), ("EN", "en"), ("tlh", "en"), ("", "en")]
)
def test_a_regional_tag_means_its_language_and_an_unknown_one_english(tag: str, language: str) -> None:
    assert load_lexicon(tag).language == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_lexicon_is_broad(language: str) -> None:
    lexicon = load_lexicon(language)
    assert len(lexicon.ways) >= 900
    assert max(len(lexicon.plain), len(lexicon.most)) >= 25
    assert len(lexicon.months) >= 12
    assert {"length", "area", "mass", "time", "money"} <= {dimension for dimension, _ in lexicon.units.values()}


def test_english_has_more_than_three_hundred_ways_to_ask() -> None:
    assert len(load_lexicon("en").ways) >= 300


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_english_word_that_is_translated_means_something_in_english(language: str) -> None:
    english = load_lexicon("en")
    unknown = [
        phrase
        for phrase in load_lexicon(language).data.words
        if all(end != len(phrase.split()) for end, _ in english.ways.at(english.stem_list(phrase), 0))
    ]
    assert not unknown


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_words_of_a_lexicon_are_texts(language: str) -> None:
    """YAML takes an unquoted `no` for false."""
    words = load_lexicon(language).empty
    assert not words & {"true", "false"}


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("en", "wife", "wives"),
        ("en", "wrote", "writing"),
        ("en", "child", "children"),
        ("en", "city", "cities"),
        ("de", "Fluss", "Flüsse"),
        ("de", "schreiben", "schrieb"),
        ("fr", "né", "naître"),
        ("es", "nació", "nacer"),
        ("nl", "boek", "boeken"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, one: str, other: str) -> None:
    lexicon = load_lexicon(language)
    assert lexicon.stem(one) == lexicon.stem(other)


@pytest.mark.parametrize(
    ("language", "infinitive", "forms"),
    [
        ("de", "spielen", "spielt spielte spielten gespielt"),
        ("de", "mitspielen", "mitspielt mitgespielt"),
        ("de", "gründen", "gründete gegründet gegründeten"),
        ("nl", "spelen", "speelt gespeeld"),
    ],
)
def test_regular_forms_of_a_known_verb_have_its_stem(language: str, infinitive: str, forms: str) -> None:
    lexicon = load_lexicon(language)
    assert {lexicon.stem(form) for form in forms.split()} == {lexicon.stem(infinitive)}


@pytest.mark.parametrize("noun", ["Gesellschaft", "Gebiet", "Stadt", "Geburt", "Gewicht"])
def test_a_noun_that_looks_like_a_participle_stays(noun: str) -> None:
    assert load_lexicon("de").stem(noun) == noun.lower()


@pytest.mark.parametrize(
    ("language", "word", "parts"),
    [
        ("de", "Bandmitglieder", ("Band", "Mitglied")),
        ("de", "Geburtsland", ("Geburt", "Land")),
        ("de", "Eishockeymannschaft", ("Eishockey", "Mannschaft")),
        ("nl", "bandleden", ("band", "leden")),
        ("de", "Kubrick", None),
        ("en", "bandmember", None),
    ],
)
def test_a_compound_is_parted_before_a_known_word(language: str, word: str, parts: tuple[str, str] | None) -> None:
    lexicon = load_lexicon(language)
    assert lexicon.parts(word) == (parts and tuple(map(lexicon.stem, parts)))


def test_a_particle_joins_only_a_verb_that_is_known() -> None:
    german = load_lexicon("de")
    assert german.parted_verb("spielten", "mit") == german.stem("mitspielen")
    assert german.parted_verb("hörte", "auf") == german.stem("aufhören")
    assert german.parted_verb("Filme", "mit") is None


def test_accents_tell_words_apart_where_they_must() -> None:
    french = load_lexicon("fr")
    assert french.key("où") != french.key("ou")
    assert french.key("Élevé") == french.key("eleve")


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("en", "wife"),
        ("de", "Ehefrau"),
        ("fr", "épouse"),
        ("es", "esposa"),
        ("it", "moglie"),
        ("pt", "esposa"),
        ("nl", "vrouw"),
    ],
)
def test_a_wife_is_a_spouse_in_graphs_with_english_names(language: str, word: str) -> None:
    lexicon, spouse = load_lexicon(language), load_lexicon("en").stem("spouse")
    found = [way.measures for _, way in lexicon.ways.at(lexicon.stem_list(word), 0)]
    assert any(frozenset({spouse}) in measures for measures in found)


@pytest.mark.parametrize(
    ("language", "word"), [("en", "hours"), ("de", "Stunden"), ("fr", "heures"), ("it", "ore"), ("nl", "uur")]
)
def test_units_have_their_factor_in_every_language(language: str, word: str) -> None:
    lexicon = load_lexicon(language)
    assert lexicon.units[lexicon.stem(word)] == ("time", 3600)


def test_a_phrase_of_function_words_keeps_them() -> None:
    english = load_lexicon("en")
    assert english.stems("place of birth") == {"place", "birth"}
    assert english.stems("of the") == {"of", "the"}


def test_an_adjective_must_be_one_of_the_english_lexicon() -> None:
    with pytest.raises(ConfigError, match="'flurb' is no adjective"):
        load_lexicon("en").degree("flurb")


def test_lexicons_are_loaded_once() -> None:
    assert isinstance(load_lexicon("de"), Lexicon)
    assert load_lexicon("de") is load_lexicon("de-CH")
