from __future__ import annotations

import time
from functools import cache

import pytest

from tests.cases import cases
from triad.language.acts import Act, greeting_language, read_act
from triad.language.pack import languages, load_pack


@cache
def act(text: str, language: str = "en") -> Act:
    return read_act(text, load_pack(language))


@pytest.mark.parametrize(("text", "kind"), cases(__file__, "test_the_words_tell_what_a_turn_does"))
def test_the_words_tell_what_a_turn_does(text: str, kind: str) -> None:
    assert act(text).kind == kind


@pytest.mark.parametrize(("language", "text", "kind"), cases(__file__, "test_other_languages_tell_it_too"))
def test_other_languages_tell_it_too(language: str, text: str, kind: str) -> None:
    assert act(text, language).kind == kind


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hi there", "greeting"),
        ("thanks, bye", "farewell"),
        ("hi, sorry", "greeting"),
        ("great, thx!", "thanks"),
        ("ok", "praise"),
    ],
)
def test_of_several_phrases_the_most_telling_counts(text: str, said: str) -> None:
    assert act(text).social == said


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("hey, who made it?", "who made it?"),
        ("thanks! and its price?", "and its price?"),
        ("ok please, which rivers are there, thx", "which rivers are there,"),
        ("Nice rivers", "Nice rivers"),
        ("Great Britain", "Great Britain"),
        ("is Hi a river?", "is Hi a river?"),
    ],
)
def test_phrases_at_both_ends_are_no_part_of_the_question_but_names_are(text: str, left: str) -> None:
    assert act(text) == Act("question", left)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("no, I meant the film", "the film"),
        ("I meant the film, not the book", "the film"),
        ("the river, not the city", "the river"),
        ("not the city but the river", "the river"),
        ("sorry, I meant Italy", "Italy"),
    ],
)
def test_what_is_meant_is_told(text: str, what: str) -> None:
    found = act(text)
    assert (found.kind, found.what) == ("meant", what)


@pytest.mark.parametrize(
    ("text", "kind", "what", "rest"),
    [
        ("back to the films, which is the oldest?", "back", "the films", "which is the oldest?"),
        ("back to the films: sort by year", "back", "the films", "sort by year"),
        ("no, I meant the Rhine. How long is it?", "meant", "the Rhine", "How long is it?"),
        ("back to Paris, France", "back", "Paris, France", ""),
    ],
)
def test_a_question_may_come_after_it(text: str, kind: str, what: str, rest: str) -> None:
    found = act(text)
    assert (found.kind, found.what, found.rest) == (kind, what, rest)


def test_a_filler_may_be_a_word_of_a_pattern() -> None:
    assert act("are you sure?").kind == "wrong"
    assert act("ok, are you sure?").kind == "wrong"
    assert act("the films again").what == "the films"


@pytest.mark.parametrize("part", ["a, ", "who, ", "and, the, of, "])
def test_a_long_list_is_read_in_time(part: str) -> None:
    begun = time.process_time()
    assert act((part * 2_000)[:2_000]).kind == "question"
    assert time.process_time() - begun < 2


@pytest.mark.parametrize("text", ["", "?", "…", "🙂"])
def test_a_text_without_words_is_a_question(text: str) -> None:
    assert act(text).kind == "question"


def test_every_language_has_words_for_what_is_social_and_for_taking_back() -> None:
    for language in languages():
        data = load_pack(language).data.conversation
        assert set(data.social) == {"greeting", "thanks", "apology", "farewell", "praise"}, language
        for phrases in data.social.values():
            assert act(phrases[0], language).kind == "social", (language, phrases[0])
        assert data.undo, language
        assert data.start_over, language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Bonjour !", "fr"),
        ("hallo", "de"),
        ("hi", "en"),
        ("ciao!", "it"),
        ("Who founded Intel?", None),
        ("x" * 9, None),
    ],
)
def test_the_language_of_a_greeting_is_that_which_greets_so(text: str, language: str | None) -> None:
    assert greeting_language(text, "en") == language


def test_a_long_text_is_no_greeting() -> None:
    assert greeting_language("hi hi hi hi hi", "en") is None


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Beautiful! Can you list the shops?", "Can you list the shops?"),
        ("Thank you for taking the time! Show the shops", "Show the shops"),
        ("Yahoo! Japan founders", "Yahoo! Japan founders"),
        ("Blue Hall! Which works are there?", "Blue Hall! Which works are there?"),
        ("Winter! Who painted it?", "Winter! Who painted it?"),
        ("Thanks, who wrote Help! and when?", "who wrote Help! and when?"),
    ],
)
def test_an_exclamation_before_a_question_says_nothing_of_what_is_asked(text: str, left: str) -> None:
    assert act(text).text == left
