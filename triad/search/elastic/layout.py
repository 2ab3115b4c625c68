"""The layout of an index that Triad builds: its mapping, its documents and its queries.

Elasticsearch only has to look terms up. Names are folded before they are sent, by the same function as those of the
local index, so that no analysis plugin is needed. Typos cost no search among similar terms either: each word is indexed
together with its variants that lack one letter, and two words that are one edit apart share one of these keys. Another
field holds the names with a word taken out, so that a name with one wrong word ranks above names that merely share
words.

    names       united states
    near        united nited uited unted uni.. states tates ..
    gaps        * states, united *, unitedstates
"""

from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from pydantic import NonNegativeInt, TypeAdapter
from pydantic_core import PydanticSerializationError

from triad.embedding import Embedder
from triad.errors import SearchError
from triad.language.normalize import fold, other_numbers
from triad.questions import Kind
from triad.search.base import Entry, Lookup
from triad.search.elastic.filling import Content, read_mapping

_ENTRY: Final = TypeAdapter(tuple[str, Kind, str, tuple[str, ...], str, tuple[str, ...], NonNegativeInt])
"""What `Entry.packed` makes, to be checked: servers are others' to fill."""
VERSION: Final = 1
"""Version of the mapping; an index of a newer one is refused."""

_LONGEST_NAME: Final = 8_000  # characters of a name that can be looked up as a whole; Lucene's terms end at 32 kB
_LONGEST_FUZZY: Final = 64  # characters of a name up to which typos in it are looked for
_SHORTEST_FUZZY: Final = 4
_WORD_LENGTHS: Final = range(3, 25)  # characters of words that have keys with a letter dropped
_MOST_WORDS: Final = 64  # words of a lookup that count; Elasticsearch refuses queries of too many clauses
_GAP: Final = "*"

# What a document scores for the best way in which it fits as a whole, to which popularity is added, and for each word
# that fits, to which is added how rare the word is if it has no typo.
_EQUAL: Final = 100.0
_TYPO: Final = 60.0
_ALL_WORDS: Final = 30.0
_NEAR: Final = 6.0
_POPULARITY: Final = 3.0  # the score of a tenfold popularity


class LabelLayout(Content[Entry]):
    """What an index holds and how it is asked: the names of resources, and with an embedder their vectors, too."""

    # A column is read at a third of the time that it takes to unpack documents.
    returned: Mapping[str, Any] = MappingProxyType(
        {"_source": False, "stored_fields": "_none_", "docvalue_fields": ("entry",)}
    )
    """The part of a search request that selects the fields of each document."""

    def __init__(self, name: str, embedder: Embedder | None) -> None:
        self._name = name
        self._embedder = embedder

    def mapping(self) -> dict[str, Any]:
        """Return the mapping of a new index; without an embedder it has no vectors."""
        return read_mapping(Path(__file__).with_suffix(".yaml"), {"triad": {"version": VERSION}}, self._embedder)

    def check(self, index: str, mapping: Mapping[str, Any]) -> None:
        """Check that an index is one that Triad built, not too new, and with vectors where they are needed.

        Raises:
            SearchError: It is not.
        """
        version = mapping.get("_meta", {}).get("triad", {}).get("version")
        if not isinstance(version, int):
            raise SearchError(
                f"the index {index!r} is not one that Triad built; 'triad index' builds one of the same graph"
            )
        if version > VERSION:
            raise SearchError(
                f"the index {index!r} has a mapping of version {version!r}, newer than {VERSION!r}, which is the "
                "newest that this Triad reads; upgrade Triad or build the index anew"
            )
        if self._embedder and "vector" not in mapping["properties"]:
            raise SearchError(
                f"the index {index!r} has no vectors; build it anew with the embedder (triad index … --embedder), or "
                "search it without (index_options: {vectors: false})"
            )

    def documents(self, things: list[Entry]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Return the documents of entries.

        Raises:
            SearchError: A name cannot be written as JSON.
        """
        vectors = self._embedder.embed([one.label for one in things]) if self._embedder else [None] * len(things)
        for entry, vector in zip(things, vectors, strict=True):
            try:
                yield document_id(entry), document(entry, vector)
            except PydanticSerializationError as error:
                raise SearchError(f"cannot add {entry.iri!r} to the index {self._name!r}: {error}") from error

    def query(self, lookup: Lookup) -> dict[str, Any]:
        """Return a query for equal names, names with a typo, names with all words and names with some words."""
        folded = fold(lookup.text)[:_LONGEST_NAME]
        words = list(dict.fromkeys(folded.split()))[:_MOST_WORDS]
        names = [folded, *(sorted(other_numbers(folded)) if len(words) < _MOST_WORDS else ())]
        equal = _constant({"terms": {"names": names}}, _EQUAL)
        if lookup.exact:
            return {"bool": {"filter": self.kinds(lookup.kinds), "must": [_by_popularity(equal)]}}
        best = [equal, _constant({"match": {"names.words": {"query": " ".join(words), "operator": "and"}}}, _ALL_WORDS)]
        near = [_constant({"terms": {"near": _keys(word)}}, _NEAR) for word in words if len(word) >= _SHORTEST_FUZZY]
        parts: list[dict[str, Any]] = [{"match": {"names.words": " ".join(words)}}]
        if len(words) > 1:
            parts += near
        else:
            # Popularity decides between names that have the word, as it does where it has no typo.
            best += near
        if _SHORTEST_FUZZY <= len(folded) <= _LONGEST_FUZZY:
            parts.append(_constant(_one_off(folded), _TYPO))
        return {
            "bool": {
                "filter": self.kinds(lookup.kinds),
                "should": [_by_popularity({"dis_max": {"queries": best}}), *parts],
                "minimum_should_match": 1,
            }
        }

    def kinds(self, kinds: Sequence[Kind]) -> list[dict[str, Any]]:
        """Return filters for resources of some kinds."""
        return [{"terms": {"kind": list(kinds)}}] if kinds else []

    def entry(self, hit: Mapping[str, Any]) -> Entry:
        """Return the entry that a hit stands for; a `ValueError` or the like if it is none."""
        return Entry(*_ENTRY.validate_json(b64decode(hit["fields"]["entry"][0]), strict=True))


def _by_popularity(query: dict[str, Any]) -> dict[str, Any]:
    """Return a query with the same matches, in which popularity decides between equal scores."""
    factor = {"field": "popularity", "modifier": "log1p", "missing": 0}
    functions = [{"field_value_factor": factor, "weight": _POPULARITY}]
    return {"function_score": {"query": query, "functions": functions, "boost_mode": "sum"}}


def _constant(query: dict[str, Any], score: float) -> dict[str, Any]:
    return {"constant_score": {"filter": query, "boost": score}}


def _one_off(folded: str) -> dict[str, Any]:
    """Return a query for names that differ by a typo in one word, or by spaces."""
    words = folded.split()
    # A word too short for keys puts no condition on the word in its place.
    near = [{"terms": {"near": _keys(word)}} for word in words if len(word) in _WORD_LENGTHS]
    typo = {"bool": {"filter": [{"terms": {"gaps": _gaps(words)}}, *near]}}
    joined = "".join(words)
    return {"bool": {"should": [typo, {"term": {"gaps": joined}}, {"term": {"names": joined}}]}}


# Documents ------------------------------------------------------------------------------------------------


def document(entry: Entry, vector: Sequence[float] | None = None) -> dict[str, Any]:
    """Return the document of an entry, without empty fields."""
    names = list({fold(name): None for name in (entry.label, *entry.aliases)})
    words = {word: None for name in names for word in name.split()}
    made: dict[str, Any] = {
        "iri": entry.iri,
        "kind": entry.kind,
        "label": entry.label,
        "names": names,
        "near": " ".join([_joined_keys(word) for word in words]),
        "entry": b64encode(entry.packed()).decode(),
        "gaps": [gap for name in names if len(name) <= _LONGEST_FUZZY for gap in _document_gaps(name)],
        "aliases": entry.aliases,
        "description": entry.description,
        "types": entry.types,
        "popularity": entry.popularity,
        "vector": vector,
    }
    return {field: value for field, value in made.items() if value or field in ("label", "names", "near")}


def document_id(entry: Entry) -> str:
    """Return the id of a document: the same for the same resource, so that no resource is in an index twice."""
    text = f"{entry.kind} {entry.iri}" + (f" {entry.label}" if entry.kind == "literal" else "")
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()


@lru_cache(100_000)
def _keys(word: str) -> tuple[str, ...]:
    """Return a word and all that is left of it when a letter is dropped."""
    if len(word) not in _WORD_LENGTHS:
        return (word,)
    return tuple(dict.fromkeys([word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]))


@lru_cache(100_000)
def _joined_keys(word: str) -> str:
    return " ".join(_keys(word))


def _gaps(words: Sequence[str]) -> list[str]:
    """Return a name without each of its words."""
    return list(dict.fromkeys(" ".join([*words[:at], _GAP, *words[at + 1 :]]) for at in range(len(words))))


def _document_gaps(name: str) -> list[str]:
    words = name.split()
    return [*_gaps(words), "".join(words)] if len(words) > 1 else _gaps(words)
