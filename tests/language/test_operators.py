"""The operators of a question, with their places."""

from __future__ import annotations

import pytest

from triad.language.analysis import analyse
from triad.language.detection import LANGUAGES
from triad.language.operators import find_operators
from triad.language.pack import load_pack


@pytest.mark.parametrize(
    ("language", "text", "words"),
    [
        ("en", "What does Ulm import from directly or indirectly?", "directly or indirectly"),
        ("en", "all transitive dependencies of Ulm", "transitive"),
        ("en", "Which towns lead to Ulm, directly or through others?", "directly or through others"),
        ("de", "Wovon hängt Ulm direkt oder indirekt ab?", "direkt oder indirekt"),
        ("fr", "De quoi dépend Ulm directement ou par d'autres ?", "directement ou par d'autres"),
        ("fa", "اولم بی‌واسطه یا با واسطه به چه وابسته است؟", "بی‌واسطه یا با واسطه"),
    ],
)
def test_words_ask_for_what_a_relation_leads_to_in_one_step_or_more(language: str, text: str, words: str) -> None:
    pack = load_pack(language)
    found = analyse(text, pack)
    assert [
        text[found.words[one.start].start : found.words[one.end - 1].end]
        for one in find_operators(text, pack)
        if one.kind == "transitive"
    ] == [words]
    assert not found.either, "the or of these words chooses between nothing"


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_language_can_ask_for_one_step_or_more(language: str) -> None:
    pack = load_pack(language)
    for phrase in pack.data.forms.transitive:
        assert [one.kind for one in find_operators(phrase, pack)] == ["transitive"], phrase
