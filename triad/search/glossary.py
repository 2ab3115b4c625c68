"""A label index with the words of a glossary before its own names.

>>> from triad.language.pack import load_pack
>>> from triad.search.local import LocalIndex
>>> glossary = Glossary({"customer": ["http://example.org/Party"]})
>>> party = Candidate("http://example.org/Party", "class", "party")
>>> index = GlossaryIndex(LocalIndex(), glossary, load_pack("en"), {party.iri: party}.get)
>>> [(found.iri, found.matched, found.exact) for found in index.search("customers")]
[('http://example.org/Party', 'customers', True)]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache

from triad.kg.profile import GraphProfile
from triad.kg.profiled import kind_of
from triad.kg.schema import Schema
from triad.language.glossary import Glossary
from triad.language.pack import Pack
from triad.questions import Candidate
from triad.rdf import IRI, RDF_TYPE
from triad.search.base import LabelIndex, Lookup, WrappedIndex

__all__ = ["GlossaryIndex", "term_lookup"]


class GlossaryIndex(WrappedIndex):
    """Finds what a glossary's words stand for, and everything else in another index.

    Args:
        index: The other index; it is not asked for the glossary's words.
        glossary: The glossary.
        pack: The pack of the language of what is looked up.
        terms: Returns the candidate of an IRI; None if the graph does not have it.
    """

    def __init__(
        self, index: LabelIndex, glossary: Glossary, pack: Pack, terms: Callable[[str], Candidate | None]
    ) -> None:
        super().__init__(index)
        self._glossary = glossary
        self._pack = pack
        self._terms = terms

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        """Return for each lookup its candidates: of a word of the glossary what it stands for.

        Raises:
            SearchError: The other index failed.
            GraphError: The graph failed.
        """
        found = [self._meant(lookup) for lookup in lookups]
        asked = [lookup for lookup, meant in zip(lookups, found, strict=True) if not meant]
        others = iter(super().search_many(asked) if asked else ())
        return [meant or next(others) for meant in found]

    def _meant(self, lookup: Lookup) -> list[Candidate]:
        candidates = map(self._terms, self._glossary.meaning(lookup.text, self._pack))
        return [
            replace(one, score=1.0, exact=True, matched=lookup.text)
            for one in candidates
            if one is not None and (not lookup.kinds or one.kind in lookup.kinds)
        ][: lookup.limit]


def term_lookup(schema: Schema, profile: GraphProfile | None = None) -> Callable[[str], Candidate | None]:
    """Return a function from an IRI to its candidate, None if the graph does not have it; each is looked up once.

    Args:
        schema: The schema of the graph.
        profile: The graph's profile, if there is one.
    """

    @cache
    def looked_up(iri: str) -> Candidate | None:
        kind = kind_of(schema.graph, iri, profile)
        if kind is None:
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
