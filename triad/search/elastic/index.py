"""Searching an index in Elasticsearch.

Each lookup is one query, and all lookups of a question are one request. The query finds all resources whose names are
equal, have a typo, or share words. `triad.search.rank` then ranks them, as for every other index.

With an embedder there are two queries for each lookup, the second for the nearest vectors. Their results are fused
by reciprocal rank, below the names that are equal.
"""

import base64
import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from triad.embedding import Embedder
from triad.errors import ModelError, SearchError
from triad.kg.profile import GraphProfile, unpacked
from triad.language.normalize import fold
from triad.questions import Candidate
from triad.resources import read
from triad.search.base import CLOSE, Entry, LabelIndex, Lookup
from triad.search.elastic.client import connect, parse_address
from triad.search.elastic.filling import ElasticStore
from triad.search.elastic.layout import LabelLayout
from triad.search.rank import fused, rank
from triad.strict import load_yaml

_POOL: Final = 10  # entries that are handed on to the ranking, at least
_BATCH: Final = 64  # lookups in a request at most
_NEIGHBOURS: Final = 100
"""Vectors that are compared for each lookup; with more, the nearest ones are found more reliably."""

_PROFILE: Final = "profile"  # the only document of the index in which the profile is kept: of ``dbpedia-profile``
_PROFILES: Final = Path(__file__).with_name("profile.yaml")


@dataclass(slots=True)
class _Search:
    """A lookup and its candidates so far."""

    at: int
    lookup: Lookup
    named: list[Entry] = field(default_factory=list)  # entries by their names
    near: list[Entry] = field(default_factory=list)  # entries by their vectors, the nearest first

    def candidates(self) -> list[Candidate]:
        text, limit = self.lookup.text, self.lookup.limit
        named = _without_typos(text, rank(text, self.named, len(self.named)))
        if not self.near:
            return named[:limit]
        return _fused(named, rank(text, self.near, len(self.near)), [_key(entry) for entry in self.near])[:limit]


class ElasticIndex(LabelIndex):
    """A label index in Elasticsearch.

    >>> with ElasticIndex("elasticsearch:http://localhost:9200/dbpedia") as index:  # doctest: +SKIP
    ...     index.search("Stanley Kubrick", limit=1)[0].iri
    'http://dbpedia.org/resource/Stanley_Kubrick'
    """

    def __init__(
        self, source: str, *, embedder: Embedder | None = None, vectors: bool = True, **connection: Any
    ) -> None:
        """Name an index; nothing is sent before it is used, and it need not exist before it is built.

        Args:
            source: The address: ``elasticsearch:https://HOST:9200,HOST:9200/INDEX``.
            embedder: Turns names into vectors, which the index is built and searched with.
            vectors: Whether to use the embedder; False searches by names alone an index that was built without one.
            connection: Credentials, certificate and timeout, as `triad.search.elastic.client.connect` takes them.

        Raises:
            ConfigError: The address or an option cannot be used.
        """
        address = parse_address(source)
        self.name = str(address)
        self._index = address.index
        self._client = connect(address, **connection)
        self._embedder = embedder = embedder if vectors else None
        self._layout = LabelLayout(self.name, embedder)
        self.store = ElasticStore(self._client, self._index, self._layout)
        """What builds the index anew, and fills it."""
        self._checked = False

    def __repr__(self) -> str:
        return f"ElasticIndex({self.name!r})"

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries to the index in use, which is made if there is none, and return how many.

        A resource that is added again replaces the earlier entry. If the entries fail half way, those before it stay;
        `store.build` changes nothing before all are there.

        Raises:
            SearchError: The index belongs to somebody else, or the server failed.
        """
        return self.store.add(entries)

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates, the best first."""
        searches = [
            _Search(at, replace(lookup, text=text))
            for at, lookup in enumerate(lookups)
            # without half surrogate pairs, which JSON cannot hold
            if fold(text := lookup.text.encode(errors="ignore").decode()) and lookup.limit > 0
        ]
        found: list[list[Candidate]] = [[] for _ in lookups]
        if searches and not self._checked:
            with self._client.reading():
                for name, about in self._client.indices.get_mapping(index=self._index).items():
                    self._layout.check(name, about["mappings"])
            self._checked = True
        for start in range(0, len(searches), _BATCH):
            self._search(searches[start : start + _BATCH])
        for search in searches:
            found[search.at] = search.candidates()
        return found

    def profile(self) -> GraphProfile | None:
        """Return the profile of the graph, which is in an index beside this one; None if there is none."""
        name = self._profile_index
        with self._client.reading():
            answer = self._client.options(ignore_status=404).get(index=name, id=_PROFILE)
            if answer.meta.status == 404 or not answer.get("found"):
                return None
            packed = base64.b64decode(answer["_source"]["profile"])
        return unpacked(packed, f"the profile in the index {name!r}")

    def keep_profile(self, profile: GraphProfile) -> None:
        """Put a profile of the graph into an index beside this one.

        Raises:
            SearchError: There is an index of that name which Triad did not make, or the server failed.
        """
        name, client = self._profile_index, self._client
        packed = base64.b64encode(gzip.compress(profile.to_json().encode(), 4, mtime=0)).decode()
        if not client.indices.exists(index=name):
            client.indices.create(index=name, **load_yaml(read(_PROFILES), str(_PROFILES)))
        with client.reading():
            found = client.indices.get_mapping(index=name)
            if any("triad" not in about["mappings"].get("_meta", {}) for about in found.values()):
                raise SearchError(
                    f"the index {name!r} is somebody else's; the profile of {self._index!r} has no place to go"
                )
        client.index(index=name, id=_PROFILE, document={"profile": packed}, refresh=True)

    @property
    def _profile_index(self) -> str:
        return f"{self._index}-profile"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def _search(self, batch: list[_Search]) -> None:
        """Send lookups and note what was found for each."""
        vectors = self._vectors(batch)
        asked: list[tuple[list[Entry], dict[str, Any]]] = []
        for at, search in enumerate(batch):
            size = max(_POOL, search.lookup.limit)
            asked.append((search.named, {"query": self._layout.query(search.lookup), "size": size}))
            if vectors:
                knn: dict[str, Any] = {"field": "vector", "query_vector": vectors[at]}
                knn |= {"k": size, "num_candidates": max(_NEIGHBOURS, size)}
                knn["filter"] = self._layout.kinds(search.lookup.kinds)
                asked.append((search.near, {"knn": knn, "size": size}))
        bodies = [{**body, **self._layout.returned} for _, body in asked]
        with self._client.reading():
            for (entries, _), hits in zip(asked, self._client.searched(self._index, bodies), strict=True):
                entries += map(self._layout.entry, hits)

    def _vectors(self, batch: list[_Search]) -> list[list[float]]:
        if not self._embedder:
            return []
        try:
            return self._embedder.embed([search.lookup.text for search in batch])
        except ModelError as error:
            raise SearchError(f"the index {self.name!r} cannot be searched by vectors: {error}") from error


def _without_typos(text: str, candidates: list[Candidate]) -> list[Candidate]:
    """Leave out candidates that share no word with a text, if another name is equal: then the text has no typo."""
    if not candidates or candidates[0].score < CLOSE:
        return candidates
    words = set(fold(text).split())
    return [one for one in candidates if one.score >= CLOSE or not words.isdisjoint(fold(one.matched).split())]


def _fused(named: list[Candidate], near: list[Candidate], nearest: list[tuple[str, ...]]) -> list[Candidate]:
    """Return all candidates, after the equal names by the sum of reciprocal ranks; scores are dealt out anew."""
    candidates = {_key(candidate): candidate for candidate in (*near, *named)}
    rankings = {"names": list(dict.fromkeys(map(_key, named))), "vectors": list(dict.fromkeys(nearest))}
    weights = {key: weight for key, weight, _ in fused(rankings)}
    order = sorted(
        candidates, key=lambda key: (candidates[key].score < CLOSE, -weights[key], -candidates[key].score, key)
    )
    scores = sorted((candidate.score for candidate in candidates.values()), reverse=True)
    close = [key for key in order if candidates[key].score >= CLOSE]
    order[: len(close)] = sorted(close, key=lambda key: (-candidates[key].score, key))
    return [replace(candidates[key], score=score) for key, score in zip(order, scores, strict=True)]


def _key(thing: Entry | Candidate) -> tuple[str, ...]:
    return thing.kind, thing.iri, thing.label
