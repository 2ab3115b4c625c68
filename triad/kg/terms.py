"""What a term of a graph is: a class, a relation or an entity."""

from __future__ import annotations

from triad.kg.base import KnowledgeGraph
from triad.kg.profile import GraphProfile
from triad.questions import Kind
from triad.rdf import DECLARED_KINDS, IRI, RDF_TYPE, writable

__all__ = ["kind_of"]


def kind_of(graph: KnowledgeGraph, iri: str, profile: GraphProfile | None = None) -> Kind | None:
    """Return what an IRI stands for in a graph; None if the graph does not have it.

    Args:
        graph: The graph.
        iri: The IRI.
        profile: The graph's profile; what it knows is not looked up.

    Raises:
        GraphError: The graph failed.
    """
    if not writable(iri):
        return None
    if profile and profile.class_profile(iri):
        return "class"
    if profile and profile.relation_profile(iri):
        return "relation"
    term = IRI(iri).n3()
    if graph.lookup(f"ASK {{ ?thing <{RDF_TYPE}> {term} }}").boolean:
        return "class"
    if graph.lookup(f"ASK {{ ?thing {term} ?value }}").boolean:
        return "relation"
    declared = graph.lookup(f"SELECT ?class {{ {term} <{RDF_TYPE}> ?class }} LIMIT 50").column("class")
    if found := [DECLARED_KINDS[str(one)] for one in declared if str(one) in DECLARED_KINDS]:
        return found[0]
    return (
        "entity" if graph.lookup(f"ASK {{ {{ {term} ?relation ?value }} UNION {{ ?s ?p {term} }} }}").boolean else None
    )
