"""An index of whole texts, in memory: which of them are nearest to a text, by their words and by their vectors.

By words, rare ones that are shared count most (BM25, by tantivy). With vectors, the two orders are merged by the ranks
that a text has in each (reciprocal rank fusion: Cormack, Clarke and Büttcher, SIGIR 2009).

>>> TextIndex(["Who wrote Momo?", "Where is Bonn?", "Who founded Bonn?"]).nearest("Who wrote Emma?", 2)
[0, 2]
"""

from collections.abc import Sequence
from typing import Any

import tantivy
from tantivy import Occur, Query

from triad.embedding.vectors import Vectors
from triad.errors import ModelError
from triad.language.normalize import fold
from triad.log import logger
from triad.search.rank import K, fused


class TextIndex:
    """Finds the texts, by their places, that are nearest to a text. Safe to use from several threads."""

    def __init__(self, texts: Sequence[str], vectors: Vectors | None = None) -> None:
        self._texts = list(texts)
        self._vectors = vectors
        self._has_failed = False
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("words", tokenizer_name="words", index_option="freq")
        builder.add_unsigned_field("place", stored=True)
        self._schema = builder.build()
        self._index = tantivy.Index(self._schema)
        self._index.register_tokenizer("words", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
        writer = self._index.writer(15_000_000, 1)  # the least that tantivy takes
        for place, text in enumerate(self._texts):
            writer.add_document(tantivy.Document.from_dict({"words": fold(text), "place": place}, self._schema))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def nearest(self, text: str, limit: int) -> list[int]:
        """Return the places of the nearest texts, the nearest first: by words alone if the embedder fails."""
        orders = {"words": self._by_words(text, limit)}
        if self._vectors and self._texts:
            try:
                [likeness] = self._vectors.alike([text], self._texts)
                places = range(len(self._texts))
                orders["vectors"] = sorted(places, key=lambda place: (-float(likeness[place]), place))[:limit]
            except ModelError as error:
                logger.log("DEBUG" if self._has_failed else "WARNING", "texts are found by words alone: {}", error)
                self._has_failed = True
        found = fused(orders, smoothing=K - 1)  # so the first rank counts as 60 itself
        return [place for place, *_ in sorted(found, key=lambda one: (-one[1], one[0]))][:limit]

    def _by_words(self, text: str, limit: int) -> list[int]:
        words = dict.fromkeys(fold(text).split())
        query = Query.boolean_query([
            (Occur.Should, Query.term_query(self._schema, "words", word)) for word in words
        ])  # fmt: skip
        searcher = self._index.searcher()
        hits = searcher.search(query, max(limit, 1), count=False).hits
        places: list[Any] = [searcher.doc(address).get_first("place") for _, address in hits]
        scored = [(-score, int(place)) for (score, _), place in zip(hits, places, strict=True)]
        return [place for _, place in sorted(scored)]
