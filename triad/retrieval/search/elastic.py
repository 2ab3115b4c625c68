"""Passages in Elasticsearch: words and vectors are ranked by the server and fused here.

The terms of a text are made by Triad, as for the embedded index, so that any server finds the same. A new index has a
name of its own until it is complete; then the alias that searches use is moved over to it.
"""

import base64
import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from triad.embedding import Embedder
from triad.errors import SearchError
from triad.retrieval.search.base import POOL, Filters, Hit, Passage, PassageIndex
from triad.retrieval.search.storing import FIELDS, document, question_terms, unpacked
from triad.retrieval.search.vectors import embedded_text
from triad.search.elastic.client import connect, parse_address
from triad.search.elastic.filling import Content, ElasticStore, read_mapping

VERSION: Final = 1
"""Version of the layout on the server."""
_FORMAT: Final = "triad-passages"
_LONGEST_ID: Final = 512  # bytes, more than which the server does not take


class ElasticPassages(PassageIndex, Content[Passage]):
    """Passages in Elasticsearch, ``elasticsearch:http://HOST:9200/INDEX``; without an embedder, found by words alone.

    Credentials are looked for as for a label index; options are those of the connection, such as ``ca_file``.

    Raises:
        ConfigError: The address or an option cannot be used.
    """

    def __init__(self, source: str, embedder: Embedder | None = None, **options: Any) -> None:
        address = parse_address(source)
        self.name = str(address)
        self._alias = self._index = address.index
        self.client = connect(address, **options)
        """The connection."""
        self._embedder = embedder
        self._about: dict[str, Any] | None = None
        self._store = ElasticStore(self.client, self._alias, self)

    # What an index holds --------------------------------------------------------------------------------------

    def mapping(self) -> dict[str, Any]:
        """Return the mapping of a new index; it has vectors where there is an embedder."""
        embedder = self._embedder.fingerprint if self._embedder else None
        about = {"format": _FORMAT, "version": VERSION, "languages": [], "embedder": embedder}
        return read_mapping(Path(__file__).with_suffix(".yaml"), about, self._embedder)

    def check(self, index: str, mapping: Mapping[str, Any]) -> None:
        """Check by its mapping that an index is one of passages; raises as `about` does."""
        about = mapping.get("_meta", {})
        if about.get("format") != _FORMAT:
            raise SearchError(f"the index {self.name!r} is not one of passages; name another")
        if about.get("version", 0) > VERSION:
            raise SearchError(f"the passages in {self.name!r} are of a newer version of Triad; make them anew")

    def documents(self, things: list[Passage]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return the documents of passages."""
        vectors: list[list[float]] = []
        if self._embedder and self._vectors:
            vectors = self._embedder.embed([embedded_text(passage) for passage in things])
        for at, passage in enumerate(things):
            made = document(passage)
            made["passage"] = base64.b64encode(made["passage"]).decode()
            if vectors:
                made["vector"] = vectors[at]
            yield _key(made.pop("id")), made

    # What the index is like ---------------------------------------------------------------------------------

    def about(self) -> dict[str, Any]:
        """Return what is kept of the index: its languages, its embedder, and what it was made of; empty if it is not.

        Raises:
            SearchError: The index is not one of passages, or of a newer version; or the server failed.
        """
        if self._about is None:
            if not self.client.indices.exists(index=self._index):
                return {}
            with self.client.reading():
                [found] = self.client.indices.get_mapping(index=self._index).body.values()
                self.check(self._index, found["mappings"])
                self._about = found["mappings"]["_meta"]
        return self._about

    def describe(self, **changes: Any) -> None:
        """Change what is kept of the index."""
        self._about = {**self.about(), **changes}
        self.client.indices.put_mapping(index=self._index, meta=self._about)

    @contextmanager
    def replaced(self) -> Iterator[None]:
        """Fill a new index, which takes the place of the one in use in the end; where that fails, it is deleted.

        Raises:
            SearchError: There is an index of that name which Triad did not make; or the server failed.
        """
        self._index, _ = self._store.begin()
        self._about = None
        try:
            yield
            self._store.finish(self._index)
        except BaseException:
            self._about = None
            self._store.abandon(self._index)
            raise
        finally:
            self._index = self._alias

    # Passages -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        with self.client.reading():
            return int(self.client.count(index=self._index)["count"])

    def add(self, passages: Iterable[Passage]) -> None:
        """Add passages; they are found when it returns."""
        if not self.about():
            with self.replaced():
                pass  # an empty one
        languages = set(self.about()["languages"])

        def noted() -> Iterator[Passage]:
            for passage in passages:
                languages.add(passage.language)
                yield passage

        self._store.add(noted(), None if self._index == self._alias else self._index)
        self.describe(languages=sorted(languages))

    @property
    def _vectors(self) -> bool:
        """Whether passages have vectors of this embedder."""
        return self._embedder is not None and self.about().get("embedder") == self._embedder.fingerprint

    def remove(self, ids: Collection[str]) -> None:
        """Remove passages; they are not found any more when it returns."""
        self._store.remove([_key(one) for one in ids], self._index)

    def search(self, text: str, limit: int = 10, filters: Filters | None = None) -> list[Hit]:
        """Find the passages nearest to a text, the best first."""
        if not (about := self.about()):
            raise SearchError(f"there are no passages in {self.name!r}; 'triad index --passages' makes them")
        if limit < 1:
            return []
        pool, filters = max(limit, POOL), filters or Filters()
        conditions: list[dict[str, Any]] = [{"terms": {field: values}} for field, values in filters.terms.items()]
        if days := filters.days:
            conditions.append({"range": {"date": {"gte": days[0], "lte": days[1]}}})
        asked: dict[str, dict[str, Any]] = {}
        if words := question_terms(text, about["languages"]):
            should = [{"term": {field: term}} for same in words for term in same for field in FIELDS]
            asked["words"] = {"query": {"bool": {"should": should, "minimum_should_match": 1, "filter": conditions}}}
        if self._embedder and self._vectors:
            [vector] = self._embedder.embed([text])
            near = {"field": "vector", "query_vector": vector, "k": pool, "num_candidates": 2 * pool}
            asked["vectors"] = {"knn": {**near, "filter": conditions}}
        bodies = [{**body, "size": pool, "_source": False} for body in asked.values()]
        with self.client.reading():
            found = self.client.searched(self._index, bodies)
            rankings = {name: [str(hit["_id"]) for hit in hits] for name, hits in zip(asked, found, strict=True)}
        return self._hits(rankings, limit, key=_key)

    def get(self, ids: Collection[str]) -> list[Passage]:
        """Return the passages of these ids, in their order."""
        if not ids or not self.about():
            return []
        with self.client.reading():
            found = self.client.mget(index=self._index, ids=[_key(one) for one in ids], source=["passage"])["docs"]
            return [unpacked(base64.b64decode(one["_source"]["passage"])) for one in found if one.get("found")]

    def close(self) -> None:
        """Close the connections."""
        self.client.close()


def _key(id_: str) -> str:
    """Return the id of a document; the server takes ids of 512 bytes at most."""
    data = id_.encode()
    return id_ if len(data) <= _LONGEST_ID else hashlib.sha256(data).hexdigest()
