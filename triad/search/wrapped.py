"""Label indexes around another one, which change what it finds, or how often it is asked.

>>> from triad.search.local import LocalIndex
>>> momo = Candidate("http://example.org/Momo", "entity", "Momo")
>>> index = KnownFirst(LocalIndex(), lambda text: [momo] if text.lower() == "momo" else [])
>>> [(found.iri, found.score, found.exact) for found in index.search("momo")]
[('http://example.org/Momo', 1.0, True)]
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from triad.kg.ontology import Notes
from triad.kg.profile import GraphProfile
from triad.kg.profiled import kind_of
from triad.kg.schema import Schema
from triad.questions import Candidate, Kind
from triad.rdf import IRI, RDF_TYPE
from triad.search.base import Entry, LabelIndex, Lookup
from triad.search.local import LocalIndex


class WrappedIndex(LabelIndex):
    """Another index, of which subclasses change something; it stays open when this one is closed."""

    def __init__(self, index: LabelIndex) -> None:
        self.name = index.name
        self.labels = index.labels
        self._index = index

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return what the other index finds."""
        return self._index.search_many(lookups)


class KnownFirst(WrappedIndex):
    """Finds what names are known to stand for, as in a glossary or in earlier turns, and all else in another index.

    The other index, whose errors are raised, is not asked for names that are known.
    """

    def __init__(self, index: LabelIndex, known: Callable[[str], Iterable[Candidate]]) -> None:
        super().__init__(index)
        self._known = known

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates."""
        found = [self._found(lookup) for lookup in lookups]
        asked = [lookup for lookup, known in zip(lookups, found, strict=True) if not known]
        others = iter(super().search_many(asked) if asked else ())
        return [known or next(others) for known in found]

    def _found(self, lookup: Lookup) -> list[Candidate]:
        known = (one for one in self._known(lookup.text) if not lookup.kinds or one.kind in lookup.kinds)
        return [replace(one, score=1.0, exact=True, matched=lookup.text) for one in known][: lookup.limit]


class RememberingIndex(WrappedIndex):
    """Remembers what another index has found, for the time of one question.

    The solver, the vocabulary and linking look up the same words, and each request to a server takes its time.
    """

    def __init__(self, index: LabelIndex) -> None:
        super().__init__(index)
        self._found: dict[Lookup, list[Candidate]] = {}

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates; those that are new are one request."""
        if new := [lookup for lookup in dict.fromkeys(lookups) if lookup not in self._found]:
            self._found.update(zip(new, super().search_many(new), strict=True))
        return [list(self._found[lookup]) for lookup in lookups]


class OntologyIndex(WrappedIndex):
    """Finds terms by what an ontology calls them, too; those that the graph does not use are not found."""

    def __init__(self, index: LabelIndex, notes: Mapping[str, Notes], profile: GraphProfile | None) -> None:
        """Take an index, and what the ontology says of its terms; without a profile, all are taken as used."""
        super().__init__(index)
        self._terms = LocalIndex()
        self._terms.add(_entries(notes, profile))

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup the candidates of both, the best first."""
        both = zip(lookups, super().search_many(lookups), self._terms.search_many(lookups), strict=True)
        return [_joined(found, terms)[: lookup.limit] for lookup, found, terms in both]


def _entries(notes: Mapping[str, Notes], profile: GraphProfile | None) -> Iterator[Entry]:
    for iri, note in notes.items():
        kind: Kind | None = note.kind if profile is None else None
        used = 0
        if profile and (of_class := profile.class_profile(iri)):
            kind, used = "class", of_class.instances
        elif profile and (of_relation := profile.relation_profile(iri)):
            kind, used = "relation", of_relation.triples
        if kind and note.names:
            label, *others = note.names
            yield Entry(iri, kind, label, tuple(others), popularity=used)


def _joined(found: Sequence[Candidate], terms: Sequence[Candidate]) -> list[Candidate]:
    """Return each candidate once, by the name that fits best."""
    best: dict[tuple[str, str], Candidate] = {}
    for one in sorted((*found, *terms), key=lambda one: -one.score) if terms else found:
        best.setdefault((one.iri, one.label if one.kind == "literal" else ""), one)
    return list(best.values())


def term_lookup(schema: Schema, profile: GraphProfile | None = None) -> Callable[[str], Candidate | None]:
    """Return a function from an IRI to its candidate, None if the graph does not have it; each is looked up once."""

    @cache
    def looked_up(iri: str) -> Candidate | None:
        if (kind := kind_of(schema.graph, iri, profile)) is None:
            return None
        label = schema.labels([iri])[iri]
        types: tuple[str, ...] = ()
        popularity = 0
        if kind == "entity":
            query = f"SELECT ?class {{ {IRI(iri).n3()} <{RDF_TYPE}> ?class }} LIMIT 50"
            classes = schema.graph.lookup(query).column("class")
            types = tuple(sorted(one.value for one in classes if isinstance(one, IRI)))
        elif profile and (relation := profile.relation_profile(iri)):
            popularity = relation.triples
        elif profile and (class_ := profile.class_profile(iri)):
            popularity = class_.instances
        return Candidate(iri, kind, label, types=types, popularity=popularity)

    return looked_up
