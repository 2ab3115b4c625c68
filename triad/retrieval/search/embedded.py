"""An index of passages in a folder, without a server: words by tantivy, vectors by comparing them all.

>>> from triad.retrieval.search.base import Sentence
>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     index = LocalPassages(folder)
...     index.add([Passage("a", "Momo", (Sentence("Momo was written by Michael Ende."),))])
...     [hit.passage.title for hit in index.search("Who wrote Momo?")]
['Momo']
"""

import json
import threading
from collections.abc import Collection, Iterable
from itertools import islice
from pathlib import Path
from typing import Any, Final

import tantivy
from tantivy import Occur, Query

from triad.embedding import Embedder
from triad.errors import SearchError
from triad.retrieval.search.base import POOL, Filters, Hit, Passage, PassageIndex
from triad.retrieval.search.storing import FIELDS, document, question_terms, unpacked
from triad.retrieval.search.vectors import PassageVectors, embedded_text
from triad.search.local import as_search_error

VERSION: Final = 1
"""Version of the layout on disk."""

_DESCRIPTION: Final = "search.json"
_WORDS: Final = "words"
_HEAP: Final = 60_000_000  # bytes in which passages gather before they are written
_BATCH: Final = 256  # passages that are embedded at once


class LocalPassages(PassageIndex):
    """Passages in a folder, whose index is opened, or else begun; without an embedder, they are found by words alone.

    Raises:
        SearchError: There is no index to read, or it is damaged or of a newer version.
    """

    def __init__(self, folder: str | Path, embedder: Embedder | None = None, *, writable: bool = True) -> None:
        self.name = str(folder)
        self._folder = Path(folder)
        self._writable = writable
        self._lock = threading.Lock()
        self._languages: set[str] = set()
        try:
            self._index = self._open()
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise SearchError(f"cannot open the passages in {self.name!r}: {error}") from error
        self._index.register_tokenizer("terms", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
        self._index.config_reader("manual")
        self._index.reload()
        self._searcher = self._index.searcher()
        self._schema = self._index.schema
        self._embedder = embedder
        self._vectors = None
        if embedder and (writable or PassageVectors.there(self._folder)):
            self._vectors = PassageVectors(self._folder, embedder.fingerprint)

    def _open(self) -> tantivy.Index:
        file = self._folder / _DESCRIPTION
        if not file.is_file():
            if not self._writable:
                raise SearchError(f"there are no passages in {self.name!r}; 'triad index --passages' makes them")
            (self._folder / _WORDS).mkdir(parents=True, exist_ok=True)
            self._describe()
            return tantivy.Index(_schema(), str(self._folder / _WORDS))
        told = json.loads(file.read_text(encoding="utf-8"))
        if told["version"] > VERSION:
            raise SearchError(f"the passages in {self.name!r} are of a newer version of Triad; make them anew")
        self._languages = set(told["languages"])
        return tantivy.Index.open(str(self._folder / _WORDS))

    def _describe(self) -> None:
        text = json.dumps({"version": VERSION, "languages": sorted(self._languages)})
        (self._folder / _DESCRIPTION).write_text(text + "\n", encoding="utf-8")

    def __len__(self) -> int:
        return int(self._searcher.num_docs)

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; they are found when it returns."""
        with self._lock:
            writer = self._writer()
            replace = len(self) > 0
            rest = iter(passages)
            with as_search_error(f"cannot add to the passages in {self.name!r}"):
                while batch := list(islice(rest, _BATCH)):
                    for passage in batch:
                        if replace:
                            writer.delete_documents_by_term("id", passage.id)
                        self._languages.add(passage.language)
                        writer.add_document(tantivy.Document.from_dict(document(passage), self._schema))
                    if self._vectors and self._embedder:
                        if replace:
                            self._vectors.remove([passage.id for passage in batch])
                        self._vectors.add(batch, self._embedder.embed([embedded_text(passage) for passage in batch]))
                self._commit(writer)

    def remove(self, ids: Collection[str]) -> None:
        """Remove passages; they are not found any more when it returns."""
        with self._lock:
            writer = self._writer()
            for one in ids:
                writer.delete_documents_by_term("id", one)
            if self._vectors:
                self._vectors.remove(ids)
            self._commit(writer)

    def _writer(self) -> Any:
        if not self._writable:
            raise SearchError(f"the passages in {self.name!r} are open for searching only")
        return self._index.writer(_HEAP, 1)

    def _commit(self, writer: Any) -> None:
        writer.commit()
        writer.wait_merging_threads()
        if self._vectors:
            self._vectors.keep()
        self._describe()
        self._index.reload()
        self._searcher = self._index.searcher()

    def search(self, text: str, limit: int = 10, filters: Filters | None = None) -> list[Hit]:
        """Find the passages nearest to a text, the best first."""
        if limit < 1:
            return []
        pool, conditions = max(limit, POOL), self._conditions(filters or Filters())
        words = question_terms(text, self._languages)
        forms = [
            Query.term_query(self._schema, field, term, "freq") for same in words for term in same for field in FIELDS
        ]
        query = Query.boolean_query([(Occur.Should, one) for one in forms])
        every = Query.boolean_query([(Occur.Must, one) for one in (query, *conditions)])
        rankings = {"words": self._found(every, pool) if words else []}
        if self._vectors and self._embedder:
            [vector] = self._embedder.embed([text])
            passing = Query.boolean_query([(Occur.Must, one) for one in conditions])
            among = self._found(passing, len(self)) if conditions else None
            rankings["vectors"] = self._vectors.rank(vector, pool, among)
        return self._hits(rankings, limit)

    def _found(self, query: Query, limit: int) -> list[str]:
        """Return the ids of the passages that a query of the index finds."""
        with as_search_error(f"the passages in {self.name!r} failed"):
            hits = self._searcher.search(query, limit, count=False).hits
            return [str(self._searcher.doc(address).get_first("id")) for _, address in hits]

    def _conditions(self, filters: Filters) -> list[Query]:
        conditions = [Query.term_set_query(self._schema, field, values) for field, values in filters.terms.items()]
        if days := filters.days:
            conditions.append(Query.range_query(self._schema, "date", tantivy.FieldType.Unsigned, *days))
        return [Query.const_score_query(condition, 0.0) for condition in conditions]

    def get(self, ids: Collection[str]) -> list[Passage]:
        """Return the passages of these ids, in their order."""
        found = []
        for one in ids:
            hits = self._searcher.search(Query.term_query(self._schema, "id", one), 1, count=False).hits
            stored: list[Any] = [self._searcher.doc(address).get_first("passage") for _, address in hits]
            found += [unpacked(bytes(one)) for one in stored]
        return found


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="terms", index_option="freq")
    builder.add_text_field("id", tokenizer_name="raw", index_option="basic", stored=True)
    for field in ("class", "thing", "language", "source"):
        builder.add_text_field(field, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("date", indexed=True)
    builder.add_bytes_field("passage", stored=True)
    return builder.build()
