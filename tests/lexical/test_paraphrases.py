"""What a candidate query takes a question for, in words."""

from __future__ import annotations

import pytest

from triad.language.pack import load_pack
from triad.lexical.matching import NOTHING
from triad.lexical.nodes import Edge
from triad.lexical.paraphrases import _path


def edge(label: str, *, forward: bool = True) -> Edge:
    return Edge("http://example.org/relation", label, forward, NOTHING, None)


@pytest.mark.parametrize(
    ("label", "there", "back"),
    [
        ("author", "author of Momo", "what has the author Momo"),
        ("birth date", "birth date of Momo", "what has the birth date Momo"),
        ("plays for", "Momo: plays for", "plays for: Momo"),
        ("founded by", "Momo: founded by", "founded by: Momo"),
        ("is part of", "Momo: is part of", "is part of: Momo"),
        ("has genre", "Momo: has genre", "has genre: Momo"),
        ("wrote", "Momo: wrote", "wrote: Momo"),
        ("isPartOf", "isPartOf of Momo", "what has the isPartOf Momo"),
    ],
)
def test_a_name_that_is_no_noun_is_of_nothing(label: str, there: str, back: str) -> None:
    pack = load_pack("en")
    assert _path("Momo", [edge(label)], pack) == there
    assert _path("Momo", [edge(label, forward=False)], pack) == back


def test_a_step_from_such_a_name_has_brackets() -> None:
    steps = [edge("plays for"), edge("city")]
    assert _path("Tom Hale", steps, load_pack("en")) == "city of (Tom Hale: plays for)"


def test_names_of_relations_may_be_english_in_any_language() -> None:
    assert _path("Tom Hale", [edge("plays for")], load_pack("de")) == "Tom Hale: plays for"
    assert _path("Tom Hale", [edge("spielt für")], load_pack("de")) == "Tom Hale: spielt für"
    assert _path("Tom Hale", [edge("Verein")], load_pack("de")) == "Verein von Tom Hale"
