"""What the words of a glossary stand for in a graph, as candidates."""

from collections.abc import Callable
from functools import cache

from triad.kg.profile import GraphProfile
from triad.kg.profiled import kind_of
from triad.kg.schema import Schema
from triad.questions import Candidate
from triad.rdf import IRI, RDF_TYPE


def term_lookup(schema: Schema, profile: GraphProfile | None = None) -> Callable[[str], Candidate | None]:
    """Return a function from an IRI to its candidate, None if the graph does not have it; each is looked up once."""

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
