from __future__ import annotations

from typing import Any

import pytest

from triad.errors import ConfigError
from triad.language.glossary import Glossary
from triad.language.pack import load_pack
from triad.language.tokens import split

EX = "http://example.org/"
PREFIXES = {"ex": EX, "": EX}


def terms(question: str, words: dict[str, Any], language: str = "en") -> list[tuple[str, tuple[str, ...]]]:
    """Return the words of a question that a glossary has, with the local names of what they stand for."""
    pack = load_pack(language)
    found = split(question, pack)
    return [
        (question[found[term.start].start : found[term.end - 1].end], tuple(iri.removeprefix(EX) for iri in term.iris))
        for term in Glossary.of(words, PREFIXES).terms(found, pack)
    ]


def test_words_are_found_in_any_inflection() -> None:
    assert terms("Which customers bought most?", {"customer": "ex:Party"}) == [("customers", ("Party",))]
    assert terms("Welche Kunden haben den höchsten Umsatz?", {"Kunde": "ex:Party", "Umsatz": "ex:revenue"}, "de") == [
        ("Kunden", ("Party",)),
        ("Umsatz", ("revenue",)),
    ]


def test_the_longest_phrase_counts() -> None:
    words = {"sales": "ex:sale", "net sales": "ex:revenue", "head of sales": "ex:chief"}
    assert terms("net sales of the head of sales", words) == [
        ("net sales", ("revenue",)),
        ("head of sales", ("chief",)),
    ]
    assert terms("gross sales", words) == [("sales", ("sale",))]


def test_a_word_may_stand_for_several_terms() -> None:
    assert terms("Which client?", {"client": ["ex:Party", ":Person"]}) == [("client", ("Party", "Person"))]


def test_a_text_means_something_only_as_a_whole() -> None:
    glossary, pack = Glossary.of({"net sales": "ex:revenue"}, PREFIXES), load_pack("en")
    assert glossary.meaning("Net Sales", pack) == (f"{EX}revenue",)
    assert glossary.meaning("the net sales", pack) == (f"{EX}revenue",)
    assert [glossary.meaning(text, pack) for text in ("net", "net sales tax", "our net sales tax", "", "?")] == [()] * 5
    assert Glossary().meaning("net sales", pack) == ()


def test_terms_are_whole_iris_or_have_a_prefix() -> None:
    words = {"a": "ex:A", "b": "<tag:x,2020:b>", "c": "https://example.org/c", "d": "urn:x:d", "e": ":E"}
    iris = ("http://example.org/A", "tag:x,2020:b", "https://example.org/c", "urn:x:d", "http://example.org/E")
    assert Glossary.of(words, PREFIXES).iris == iris


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        (
            {"customer": "exx:Party"},
            "'customer': the prefix of 'exx:Party' is not known; known: ex; write the whole IRI",
        ),
        ({"customer": "Party"}, "'customer': 'Party' is neither an IRI nor a name with a prefix"),
        ({"customer": "ex:a b"}, "'ex:a b' is neither"),
        ({"customer": "<http://example.org/> }"}, "is neither"),
        ({"customer": []}, "'customer' stands for nothing"),
        ({"?": "ex:Party"}, "'\\?' is no word"),
    ],
)
def test_what_is_no_term_is_an_error(words: dict[str, Any], fault: str) -> None:
    with pytest.raises(ConfigError, match=fault):
        Glossary.of(words, {"ex": EX})
