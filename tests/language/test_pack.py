from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args

import pytest

from tests.cases import cases
from triad.errors import ConfigError
from triad.language import pack
from triad.language.acts import read_act
from triad.language.detection import LANGUAGES
from triad.language.normalize import fold
from triad.language.pack import Pack, languages, load_pack
from triad.language.pack_schema import SchemaQuestion
from triad.language.tokens import split
from triad.language.turn_schema import TEMPLATES, ConversationData, FollowUpKind, SocialKind

NOT_EVERYWHERE = {"units", "dimensions", "months", "decade_suffixes", "possessives", "definite", "agent", "one"}
"""Sections that a pack may lack: what English says for all, what CLDR knows, what a language does without."""


def test_the_languages_are_those_that_are_told_apart() -> None:
    assert languages() == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pack_is_whole(language: str) -> None:
    """Every section that the English pack has, in kind; what only some languages have is left to them."""
    own, english = load_pack(language).data, load_pack("en").data
    for section in ("forms", "compare", "numbers", "references", "sorting", "kinds"):
        values = dict(getattr(own, section))
        empty = {name for name, value in getattr(english, section) if value and not values[name]}
        assert empty <= NOT_EVERYWHERE, section
    assert own.forms.expected.keys() == english.forms.expected.keys()
    assert own.forms.lacking.keys() == english.forms.lacking.keys()
    assert own.follow_ups.keys() == set(get_args(FollowUpKind))
    assert own.replies.keys() == english.replies.keys()
    assert {"value"} <= own.schema_questions.keys() <= set(get_args(SchemaQuestion))
    assert own.function_words
    assert own.idle_words
    assert own.sentences
    assert len(own.measures) >= 40


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_pack_has_the_words_that_matter(language: str) -> None:
    """The adjectives and the words of relations that all the older packs have."""
    own = load_pack(language).data
    assert {entry.like for entry in own.degrees} >= {"high", "long", "old", "young", "new", "cheap", "good"}
    assert len(own.words) >= 220


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_replies_of_every_pack_can_be_filled_in(language: str) -> None:
    pack = load_pack(language)
    names = "reply shown more count what reasons readings name near thing words known confidence least relation".split()
    names += ["classes", "question", "missing", "total", "taken"]
    for text in pack.replies.values():
        text.format(**dict.fromkeys(names, ""))
    pack.references.data.asks_for.format(relation="", x="")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_patterns_of_every_pack_compile(language: str) -> None:
    pack = load_pack(language)
    assert pack.follow_ups
    assert pack.sentences
    assert pack.references.pronouns
    assert pack.references.possessives
    assert pack.references.ellipsis
    assert pack.references.then.search("") is None
    assert pack.references.expletive.search("") is None


GROUPS = {"meant": {"x"}, "back": {"x"}, "held": {"x", "more"}}
"""What the templates of a conversation say besides that they match."""

PLAIN = {"social", "fillers", "that", "besides", "set_question", "all_of_set"}
"""What of a conversation's words are no templates."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_a_conversation_are_whole_and_sane(language: str) -> None:
    own = load_pack(language)
    data = own.data.conversation
    assert all(value for _, value in data)
    assert data.social.keys() == set(get_args(SocialKind))
    assert all(data.social.values())
    assert ConversationData.model_fields.keys() - PLAIN == set(TEMPLATES["conversation"])
    for name in TEMPLATES["conversation"]:
        for form in getattr(data, name):
            compiled = own.templates.pattern(form)
            assert GROUPS.get(name, set()) <= compiled.groupindex.keys(), form
            assert not compiled.fullmatch(""), form
    assert "{things}" in data.set_question
    assert "{rest}" in data.set_question
    assert "{things}" in data.all_of_set


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_social_is_said_for_one_reason_and_is_no_command(language: str) -> None:
    own = load_pack(language)
    data = own.data.conversation
    kinds = [{fold(phrase) for phrase in phrases} for phrases in data.social.values()]
    assert len(set().union(*kinds)) == sum(map(len, kinds))
    commands = [own.templates.pattern(form) for name in ("help", "start_over", "undo") for form in getattr(data, name)]
    phrases = [*data.fillers, *(phrase for phrases in data.social.values() for phrase in phrases)]
    assert not [phrase for phrase in phrases for form in commands if form.fullmatch(phrase)]


@pytest.mark.parametrize(("language", "text", "kind", "what"), cases(__file__, "test_acts_are_told_in_every_language"))
def test_acts_are_told_in_every_language(language: str, text: str, kind: str, what: str) -> None:
    own = load_pack(language)
    if kind == "too":
        forms = map(own.templates.pattern, own.data.conversation.too)
        assert next(filter(None, (form.fullmatch(text) for form in forms)))["x"] == what
        return
    act = read_act(text, own)
    assert (act.social or act.kind, act.what) == (kind, what)


@pytest.mark.parametrize(
    ("tag", "language"), [("de-AT", "de"), ("pt_BR", "pt"), ("EN", "en"), ("tlh", "en"), ("", "en")]
)
def test_a_regional_tag_means_its_language_and_an_unknown_one_english(tag: str, language: str) -> None:
    assert load_pack(tag).language == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pack_is_broad(language: str) -> None:
    pack = load_pack(language)
    assert len(pack.ways) >= 900
    assert max(len(pack.plain), len(pack.most)) >= 25
    assert len(pack.months) >= 12
    assert {"length", "area", "mass", "time", "money"} <= {dimension.split()[0] for dimension, _ in pack.units.values()}


def test_english_has_more_than_three_hundred_ways_to_ask() -> None:
    assert len(load_pack("en").ways) >= 300


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_every_english_word_that_is_translated_means_something_in_english(language: str) -> None:
    english = load_pack("en")
    unknown = [
        phrase
        for phrase in load_pack(language).data.words
        if all(end != len(phrase.split()) for end, _ in english.ways.at(english.stem_list(phrase), 0))
    ]
    assert not unknown


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_words_of_a_pack_are_texts(language: str) -> None:
    """YAML takes an unquoted `no` for false."""
    words = load_pack(language).empty
    assert not words & {"true", "false"}


@pytest.mark.parametrize(("language", "one", "other"), cases(__file__, "test_forms_of_a_word_have_one_stem"))
def test_forms_of_a_word_have_one_stem(language: str, one: str, other: str) -> None:
    pack = load_pack(language)
    assert pack.stem(one) == pack.stem(other)


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
    pack = load_pack(language)
    assert {pack.stem(form) for form in forms.split()} == {pack.stem(infinitive)}


@pytest.mark.parametrize("noun", ["Gesellschaft", "Gebiet", "Stadt", "Geburt", "Gewicht"])
def test_a_noun_that_looks_like_a_participle_stays(noun: str) -> None:
    assert load_pack("de").stem(noun) == noun.lower()


def test_elisions_are_looked_for_once_a_word() -> None:
    begun = time.process_time()
    assert load_pack("fr").parted("l'" + "a" * 200_000) == "l' " + "a" * 200_000
    assert time.process_time() - begun < 2


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
    pack = load_pack(language)
    assert pack.parts(word) == (parts and tuple(map(pack.stem, parts)))


def test_a_particle_joins_only_a_verb_that_is_known() -> None:
    german = load_pack("de")
    assert german.parted_verb("spielten", "mit") == german.stem("mitspielen")
    assert german.parted_verb("hörte", "auf") == german.stem("aufhören")
    assert german.parted_verb("Filme", "mit") is None


def test_accents_tell_words_apart_where_they_must() -> None:
    french = load_pack("fr")
    assert french.key("où") != french.key("ou")
    assert french.key("Élevé") == french.key("eleve")


@pytest.mark.parametrize(("language", "word"), cases(__file__, "test_a_wife_is_a_spouse_in_graphs_with_english_names"))
def test_a_wife_is_a_spouse_in_graphs_with_english_names(language: str, word: str) -> None:
    pack, spouse = load_pack(language), load_pack("en").stem("spouse")
    found = [way.measures for _, way in pack.ways.at(pack.stem_list(word), 0)]
    assert any(frozenset({spouse}) in measures for measures in found)


@pytest.mark.parametrize(
    ("language", "word"), [("en", "hours"), ("de", "Stunden"), ("fr", "heures"), ("it", "ore"), ("nl", "uur")]
)
def test_units_have_their_factor_in_every_language(language: str, word: str) -> None:
    pack = load_pack(language)
    assert pack.units[pack.stem(word)] == ("time", 3600)


def test_a_phrase_of_function_words_keeps_them() -> None:
    english = load_pack("en")
    assert english.stems("place of birth") == {"place", "birth"}
    assert english.stems("of the") == {"of", "the"}


def test_an_adjective_must_be_one_of_the_english_pack() -> None:
    with pytest.raises(ConfigError, match="'flurb' is no adjective"):
        load_pack("en").degree("flurb")


def test_packs_are_loaded_once() -> None:
    assert isinstance(load_pack("de"), Pack)
    assert load_pack("de") is load_pack("de-CH")


@pytest.mark.parametrize(
    ("language", "one", "other"),
    [
        ("ru", "столица", "столицей"),
        ("ru", "режиссёр", "режиссера"),
        ("ru", "высокий", "высокая"),
        ("ro", "oraș", "oraşul"),
        ("hi", "शहर", "शहरों"),
        ("fa", "کتاب", "کتاب\u200cها"),
    ],
)
def test_words_of_other_scripts_have_stems(language: str, one: str, other: str) -> None:
    assert load_pack(language).stem(one) == load_pack(language).stem(other)


def test_a_superlative_keeps_its_ending_where_a_stemmer_would_take_it() -> None:
    assert load_pack("ru").stem("крупнейшего") == load_pack("ru").stem("крупнейший") != load_pack("ru").stem("крупный")
    assert load_pack("fa").stem("بزرگ\u200cترین") == load_pack("fa").stem("بزرگترین") != load_pack("fa").stem("بزرگ")


def test_months_and_decimal_signs_are_those_of_cldr() -> None:
    assert load_pack("ru").months["мая"] == load_pack("de").months["mai"] == load_pack("de").months["janner"] + 4
    assert (load_pack("en").decimal, load_pack("pt").decimal) == (".", ",")


def test_idle_words_name_nothing() -> None:
    german = load_pack("de")
    assert german.is_idle("und in der")
    assert not german.is_idle("und in Wien")


@pytest.mark.slow
def test_threads_that_ask_at_once_compile_a_pack_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    plain = pack.Pack.__init__

    def counted(self: pack.Pack, language: str, *rest: Any) -> None:
        compiled.append(language)
        time.sleep(0.05)  # so that a second thread would begin before the first has ended
        plain(self, language, *rest)

    monkeypatch.setattr(pack.Pack, "__init__", counted)
    pack._load.cache_clear()
    load = pack.load_pack.__wrapped__  # type: ignore[attr-defined]  # as in a process that loads its first one
    with ThreadPoolExecutor(8) as pool:
        packs = list(pool.map(load, ["nl"] * 8))
    assert sorted(compiled) == ["en", "nl"]
    assert all(one is packs[0] for one in packs)


@pytest.mark.parametrize(("typed", "written"), [("Hoehe", "Höhe"), ("fuenf", "fünf"), ("groesste", "größte")])
def test_umlauts_may_be_typed_as_two_letters(typed: str, written: str) -> None:
    german = load_pack("de")
    assert (german.key(typed), german.stem(typed)) == (german.key(written), german.stem(written))


def test_two_letters_that_are_no_umlaut_stay() -> None:
    assert [load_pack("de").key(word) for word in ("neue", "Quelle", "Mauer")] == ["neue", "quelle", "mauer"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("Who of us is from the US?", ["US"]),
        ("Does it belong to IT?", ["belong", "IT"]),
        ("TELL US MORE", ["TELL"]),
        ("WHO MAKES IT?", ["MAKES"]),
        ("Tell US who is there", ["Tell"]),
        ("TELL US WHO BUILT Skylark", ["TELL", "BUILT", "Skylark"]),
    ],
)
def test_capitals_make_a_name_of_a_function_word_beside_small_letters(text: str, content: list[str]) -> None:
    assert [word.text for word in split(text, load_pack("en")) if not word.empty] == content


def test_a_name_in_capitals_is_not_idle() -> None:
    assert [load_pack("en").is_idle(word) for word in ("US", "us")] == [False, True]
