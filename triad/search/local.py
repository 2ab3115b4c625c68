"""A local label index, on disk or in memory, without a server.

An entry is one document of a tantivy index. Its folded names are indexed twice: each as one term, so that an
exact name, a name in the other number and a name with a typo are lookups in the term dictionary; and word by
word, so that a part of a name finds the whole. Typos are looked for only where no name is equal; `triad.search.rank`
orders the candidates of all stages.

>>> index = LocalIndex()
>>> index.add([Entry("http://example.org/Kubrick", "entity", "Stanley Kubrick")])
1
>>> [candidate.label for candidate in index.search("stanley kubrik")]
['Stanley Kubrick']
"""

import json
import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Self

import tantivy
from tantivy import Occur, Query

from triad.cancelling import check
from triad.errors import SearchError
from triad.language.normalize import fold, other_numbers
from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup
from triad.search.rank import rank

VERSION = 1
"""Version of the layout on disk; an index of a newer one is refused."""

_FORMAT = "triad-labels"
_DESCRIPTOR = "index.json"

_HEAP_BYTES = 60_000_000
"""Memory in which documents gather before they are written; more makes no difference to the time."""
_POOL = 40  # entries that a stage hands on to the ranking, at least
_KEPT = 5_000  # entries, and lookups with what they found, that are kept in memory; some 20 MB
_LONGEST_FUZZY = 64
"""Characters of a term up to which typos are looked for; automata of longer terms take too long to build."""
_LONG = 8  # characters of a term from which on two edits are a typo, where one finds nothing


class LocalIndex(LabelIndex):
    """A label index in a folder or in memory, kept by tantivy.

    ``LocalIndex()`` is a new one in memory, `create` makes a new one in a folder, and ``LocalIndex(folder)``
    opens that for searching.
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        """Open the index in a folder for searching, or start one in memory.

        Raises:
            SearchError: The folder is no label index, or one of a newer version.
        """
        if folder is None:
            self._start("memory", tantivy.Index(_schema()), writable=True)
            return
        _check(Path(folder))
        with as_search_error(f"the label index {str(folder)!r} is damaged; build it anew"):
            self._start(str(folder), tantivy.Index.open(str(folder)), writable=False)

    @classmethod
    def create(cls, folder: str | Path) -> Self:
        """Make a new, empty index in a folder that does not exist or is empty.

        Raises:
            SearchError: The folder has something in it, or cannot be written.
        """
        path = Path(folder)
        self = cls.__new__(cls)
        with as_search_error(f"cannot make a label index in {str(folder)!r}"):
            path.mkdir(parents=True, exist_ok=True)
            if any(path.iterdir()):
                raise SearchError(f"cannot make a label index in {str(folder)!r}: the folder is not empty")
            self._start(str(folder), tantivy.Index(_schema(), str(path)), writable=True)
            descriptor = {"format": _FORMAT, "version": VERSION}
            (path / _DESCRIPTOR).write_text(json.dumps(descriptor) + "\n", encoding="utf-8")
        return self

    def _start(self, name: str, index: tantivy.Index, *, writable: bool) -> None:
        self.name = name
        self._index = index
        index.register_tokenizer("words", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
        index.config_reader("manual")
        index.reload()
        self._reader = _Reader(index)
        # One indexing thread: making documents in Python cannot keep more of them busy, and the order of the
        # documents, which decides ties, stays that of the entries.
        self._writer = index.writer(_HEAP_BYTES, 1) if writable else None
        self._writing = threading.Lock()

    def __len__(self) -> int:
        return int(self._reader.searcher.num_docs)

    def add(self, entries: Iterable[Entry]) -> int:
        """Add entries and return how many; they can be found when it returns.

        If one of them cannot be added, none is.

        Raises:
            SearchError: The index is open for searching only, or cannot be written.
        """
        with self._writing:
            if self._writer is None:
                raise SearchError(
                    f"the label index {self.name!r} is open for searching only; LocalIndex.create makes a new one"
                )
            count = 0
            with as_search_error(f"cannot add to the label index {self.name!r}"):
                try:
                    for entry in entries:
                        self._writer.add_document(tantivy.Document.from_dict(_document(entry), self._index.schema))
                        count += 1
                    self._writer.commit()
                    self._index.reload()
                except BaseException:
                    self._writer.rollback()
                    raise
            self._reader = _Reader(self._index)
        return count

    def close(self) -> None:
        """Finish writing; the index can still be searched."""
        with self._writing:
            if self._writer is not None:
                self._writer.wait_merging_threads()
                self._writer = None

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates, the best first."""
        reader = self._reader
        with as_search_error(f"the label index {self.name!r} failed"):
            return [list(reader.candidates(lookup)) for lookup in lookups]

    def complete(self, text: str, limit: int = 10) -> list[Candidate]:
        """Return candidates with a name that begins with a text; then those with a word that does, well-known first."""
        folded = fold(text)
        if not folded or limit < 1:
            return []
        with as_search_error(f"the label index {self.name!r} failed"):
            found = list(map(self._reader.entry, self._reader.beginning_with(folded, limit)))
        ranked = {candidate.iri: candidate for candidate in rank(text, found, len(found))}
        return [ranked[entry.iri] for entry in found if entry.iri in ranked]


_Address = tuple[int, int]  # where an entry lies: the segment of the index, and the number in it


class _Reader:
    """The index as it was at some time.

    Entries and lookups are cached, for they recur: the same entries for other words, the same words in other questions.
    """

    def __init__(self, index: tantivy.Index) -> None:
        self.searcher = index.searcher()
        self.schema = index.schema
        self.entry = lru_cache(_KEPT)(self._entry)
        self.candidates = lru_cache(_KEPT)(self._candidates)
        # A question is looked up among things, classes and relations, and mostly it is a mistyped name of none.
        self.typo_of_names = lru_cache(_KEPT)(partial(self._fuzzy, "names"))
        self.typo_of_words = lru_cache(_KEPT)(self._typo_of_words)

    def has(self, field: str, term: str) -> bool:
        return bool(self.searcher.doc_freq(field, term))

    def find(self, query: Query, limit: int, *, popular_first: bool) -> list[_Address]:
        order = "popularity" if popular_first else None
        hits = self.searcher.search(query, limit, count=False, order_by_field=order).hits
        return [(address.segment_ord, address.doc) for _, address in hits]

    def term(self, field: str, term: str) -> Query:
        return Query.term_query(self.schema, field, term)

    def _typo_of_words(self, folded: str) -> Query | None:
        """Return the query for names with words that differ by a typo, if it finds any."""
        queries = []
        for word in dict.fromkeys(folded.split()):
            fuzzy = self._fuzzy("words", word)
            if not fuzzy and not self.has("words", word):
                return None
            queries.append(fuzzy or self.term("words", word))
        return _all(queries)

    def _fuzzy(self, field: str, term: str) -> Query | None:
        """Return the query for terms that are one edit from a term, or else two, if it finds any.

        Of a million terms, those of two edits take twenty times as long to find as those of one.
        """
        if not 4 <= len(term) <= _LONGEST_FUZZY:
            return None
        for edits in (1, 2) if len(term) >= _LONG else (1,):
            query = Query.fuzzy_term_query(self.schema, field, term, edits)
            if self.find(query, 1, popular_first=False):
                return query
        return None

    def beginning_with(self, folded: str, limit: int) -> list[_Address]:
        """Return the entries with a name that begins with a text, then those with a word that does."""
        found: dict[_Address, None] = {}
        begin = re.escape(folded[:_LONGEST_FUZZY]).replace("\\ ", " ")
        for field in ("names", "words") if " " not in folded else ("names",):
            if len(found) < limit:
                query = Query.regex_query(self.schema, field, f"{begin}.*")
                found |= dict.fromkeys(self.find(query, limit, popular_first=True))
        return list(found)[:limit]

    def _entry(self, address: _Address) -> Entry:
        stored: Any = self.searcher.doc(tantivy.DocAddress(*address)).get_first("entry")
        return Entry.unpacked(stored)

    def _candidates(self, lookup: Lookup) -> tuple[Candidate, ...]:
        """Return the candidates of a lookup, from stages of which each finds more.

        Most texts that are looked up are no names. The term dictionary shows this in a hundredth of a search's time, so
        a search is made only for terms that it has. Sets of terms are joined as single terms, because tantivy makes an
        automaton of a term set, which takes longer than all other steps.
        """
        check()
        folded = fold(lookup.text)
        if not folded or lookup.limit < 1:
            return ()
        found: dict[_Address, None] = {}
        kinds = [self.term("kind", kind) for kind in lookup.kinds]
        of_kinds = [Query.const_score_query(_any(kinds), 0.0)] if kinds else []

        def add(query: Query | None, *, popular_first: bool = True) -> int:
            if query is None:
                return 0
            query = _all([query, *of_kinds]) if of_kinds else query
            hits = self.find(query, max(_POOL, 2 * lookup.limit), popular_first=popular_first)
            found.update(dict.fromkeys(hits))
            return len(hits)

        names = [self.term("names", name) for name in (folded, *other_numbers(folded)) if self.has("names", name)]
        equal = add(_any(names)) if names else 0
        if not lookup.exact:
            # One word may be a part of a name, so names that differ by a typo are not the only candidates.
            if not equal and (not add(self.typo_of_names(folded)) or " " not in folded):
                add(self.typo_of_words(folded))
            words = dict.fromkeys(folded.split())
            known = [self.term("words", word) for word in words if self.has("words", word)]
            if len(known) == len(words):
                add(_all(known))
            if known and len(words) > 1:
                add(_any(known), popular_first=False)
        return tuple(rank(lookup.text, map(self.entry, found), lookup.limit))


@contextmanager
def as_search_error(what: str) -> Iterator[None]:
    """Tell what tantivy raises as an error of the index: it panics, too, at damaged data, which is no `Exception`."""
    try:
        yield
    except BaseException as error:
        if isinstance(error, ValueError | OSError) or type(error).__name__ == "PanicException":
            raise SearchError(f"{what}: {error}") from error
        raise


def _all(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Must, query) for query in queries])


def _any(queries: Iterable[Query]) -> Query:
    return Query.boolean_query([(Occur.Should, query) for query in queries])


def _check(folder: Path) -> None:
    path = folder / _DESCRIPTOR
    try:
        descriptor = json.loads(path.read_text(encoding="utf-8"))
        if descriptor["format"] != _FORMAT:
            raise SearchError(f"{str(folder)!r} is not a label index: {_DESCRIPTOR!r} is not of format {_FORMAT!r}")
        version = int(descriptor["version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SearchError(f"{str(folder)!r} is not a label index: no readable {_DESCRIPTOR!r} in it") from error
    if version > VERSION:
        raise SearchError(
            f"the label index in {str(folder)!r} has version {version!r}, newer than {VERSION!r}, which is the "
            "newest that this Triad reads; upgrade Triad or build the index anew"
        )


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("names", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("words", tokenizer_name="words", index_option="freq")
    builder.add_text_field("kind", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("popularity", fast=True)
    builder.add_bytes_field("entry", stored=True)
    return builder.build()


def _document(entry: Entry) -> dict[str, Any]:
    names = list({fold(name): None for name in (entry.label, *entry.aliases)})
    return {"names": names, "words": names, "kind": entry.kind, "popularity": entry.popularity, "entry": entry.packed()}
