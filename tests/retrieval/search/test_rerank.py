"""A reranker reads the first passages and puts them in its order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.retrieval.search.test_index import PASSAGES
from triad.errors import ConfigError
from triad.retrieval.search.local import LocalPassages
from triad.retrieval.search.rerank import FastReranker, Reranked, Reranker


class Shortest(Reranker):
    """The shorter a text, the better."""

    def scores(self, question: str, texts: Sequence[str]) -> list[float]:
        return [-len(text) for text in texts]


def test_passages_come_in_the_order_of_the_reranker() -> None:
    index = Reranked(LocalPassages(), Shortest())
    index.add(PASSAGES)
    hits = index.search("novel", 2)
    assert [hit.passage.id for hit in hits] == ["old.md 1", "http://example.org/momo 1"]
    assert [hit.ranks["reranker"] for hit in hits] == [1, 2]
    assert index.search("novel", 0) == []
    index.remove(["old.md 1"])
    assert len(index) == 3
    assert index.get(["old.md 1"]) == []


def test_a_reranker_that_fastembed_does_not_know_is_an_error() -> None:
    pytest.importorskip("fastembed")
    with pytest.raises(ConfigError, match="no reranker 'nobody/nothing'"):
        FastReranker("nobody/nothing")
