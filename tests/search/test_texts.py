from __future__ import annotations

from collections.abc import Sequence

import pytest

from triad.embedding import Embedder
from triad.embedding.vectors import Vectors
from triad.errors import ModelError
from triad.search.texts import TextIndex

TEXTS = ["Who wrote Momo?", "Which rivers flow through Bonn?", "Who is the author of Emma?", "Where is Bonn?"]


class Topics(Embedder):
    """An embedder that knows two topics: writing, and places."""

    name = "topics"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float("wrote" in text or "author" in text), 0.1] for text in texts]


def test_rare_words_that_are_shared_count_most() -> None:
    assert TextIndex(TEXTS).nearest("Which mayor does Bonn have?", 2) == [1, 3]


def test_case_and_accents_do_not_matter() -> None:
    assert TextIndex(TEXTS).nearest("MÓMO", 1) == [0]


def test_a_text_without_a_shared_word_has_no_neighbour() -> None:
    assert TextIndex(TEXTS).nearest("Wie geht es?", 3) == []
    assert TextIndex([]).nearest("Who?", 3) == []


def test_vectors_find_what_has_no_word_in_common() -> None:
    index = TextIndex(TEXTS, Vectors(Topics()))
    assert set(index.nearest("author", 2)) == {0, 2}


def test_without_its_embedder_a_text_is_found_by_words_and_the_log_says_so_once(
    monkeypatch: pytest.MonkeyPatch, logged: list[str]
) -> None:
    def fail(*_: object) -> list[list[float]]:
        raise ModelError("the server is away")

    monkeypatch.setattr(Topics, "embed", fail)
    index = TextIndex(TEXTS, Vectors(Topics()))
    assert index.nearest("MÓMO", 1) == index.nearest("Momo", 1) == [0]
    told = [line for line in logged if line.startswith("WARNING")]
    assert told == ["WARNING texts are found by words alone: the server is away\n"]


def test_more_than_there_are_cannot_be_found() -> None:
    assert len(TextIndex(TEXTS).nearest("who which where", 10)) == 4
