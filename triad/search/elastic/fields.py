"""The layout of an index that Triad did not build: with its own fields and mapping, and without folded names.

The mapping is read once. Names are searched in all their words, in some of them and with typos, as phrases, and as a
whole where a field of keywords allows it; the ranking that all indexes share does the rest.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, get_args

from elasticsearch import Elasticsearch
from pydantic import Field

from triad.errors import SearchError
from triad.questions import Kind
from triad.search.base import Entry, Lookup
from triad.search.elastic.layout import by_popularity
from triad.strict import Strict

_ID: Final = "_id"


class Fields(Strict):
    """Which fields of the documents hold what; dots lead into objects."""

    iri: str = _ID
    """The IRI; by default the document's id."""
    label: str
    """The preferred name; of several values the first counts as such."""
    aliases: tuple[str, ...] = ()
    """Other names."""
    description: str = ""
    types: str = ""
    """IRIs of classes."""
    popularity: str = ""
    """A number that grows with the popularity of a resource."""
    kind: str = Field(default="entity")
    """``entity``, ``relation``, ``class`` or ``literal`` if all documents are of that kind, else the field with the
    kind."""
    vector: str = ""
    """A dense vector by the embedder that the index is opened with."""


class ForeignLayout:
    """The layout of an index by its fields."""

    def __init__(self, fields: Fields, *, vectors: bool) -> None:
        self._fields = fields
        self.vector = fields.vector if vectors else ""
        self.returned: Mapping[str, Any] = {}
        self._kind = _kind_of(fields.kind)
        self._names = (fields.label, *fields.aliases)
        self._whole: list[str] = []

    def learn(self, client: Elasticsearch, index: str) -> None:
        """Learn the types of the fields; a `SearchError` says that one is missing."""
        patterns = [pattern for name in self._names for pattern in (name, f"{name}.*")]
        others = [self._fields.popularity, self.vector, "" if self._kind else self._fields.kind]
        known = client.field_caps(index=index, fields=[*patterns, *filter(None, others)])["fields"]
        for name in (*self._names, *filter(None, others)):
            if name not in known:
                raise SearchError(f"the index {index!r} has no field {name!r} to search; see the option 'fields'")
        self._whole = sorted(
            name for name, types in known.items() if "keyword" in types and name.startswith(self._names)
        )

    def query(self, lookup: Lookup) -> dict[str, Any] | None:
        """Return a query over the fields of names, or None if no document is of the kinds asked for."""
        text = lookup.text.strip()
        if not text or (lookup.kinds and self._kind and self._kind not in lookup.kinds):
            return None
        names = {"query": text, "fields": list(self._names)}
        whole = [{"term": {name: {"value": text, "case_insensitive": True, "boost": 100.0}}} for name in self._whole]
        query = {
            "bool": {
                "filter": self.kinds(lookup.kinds),
                "should": [
                    *whole,
                    {"multi_match": names | {"type": "phrase", "boost": 3.0}},
                    {"multi_match": names | {"operator": "and"}},
                    {"multi_match": names | {"fuzziness": "AUTO:4,8"}},
                ],
                "minimum_should_match": 1,
            }
        }
        return by_popularity(query, self._fields.popularity) if self._fields.popularity else query

    def kinds(self, kinds: Sequence[Kind]) -> list[dict[str, Any]]:
        """Return filters for kinds, if documents say of which kind they are."""
        return [{"terms": {self._fields.kind: list(kinds)}}] if kinds and not self._kind else []

    def entry(self, hit: Mapping[str, Any]) -> Entry:
        """Return the entry that a hit stands for."""
        fields, source = self._fields, hit["_source"]
        iri = hit[_ID] if fields.iri == _ID else next(_texts(source, fields.iri), hit[_ID])
        names = list(dict.fromkeys(text for name in self._names for text in _texts(source, name)))
        found = next(_texts(source, fields.kind), "") if self._kind is None else ""
        kind = self._kind or _kind_of(found) or "entity"
        popularity = next(_values(source, fields.popularity), 0)
        return Entry(
            iri=iri,
            kind=kind,
            label=names[0] if names else iri,
            aliases=tuple(names[1:]),
            description=next(_texts(source, fields.description), ""),
            types=tuple(_texts(source, fields.types)),
            popularity=max(0, int(popularity)) if isinstance(popularity, int | float) else 0,
        )


def _kind_of(name: str) -> Kind | None:
    return next((kind for kind in get_args(Kind) if kind == name), None)


def _texts(source: Any, path: str) -> Iterator[str]:
    return (value for value in _values(source, path) if isinstance(value, str))


def _values(source: Any, path: str) -> Iterator[Any]:
    """Return the values of a document at a path, which may lead through lists, and through names with dots."""
    if isinstance(source, list):
        for item in source:
            yield from _values(item, path)
    elif not path:
        if source is not None and not isinstance(source, Mapping):
            yield source
    elif isinstance(source, Mapping):
        for name, value in source.items():
            if path == name:
                yield from _values(value, "")
            elif path.startswith(f"{name}."):
                yield from _values(value, path[len(name) + 1 :])
