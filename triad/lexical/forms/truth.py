"""Yes/no questions: whether a named entity is in a node, is of a class, or whether a node has any entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.kg.schema import Schema
from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.graph_search import Walk
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node
from triad.rdf import IRI, Term
from triad.sparql.patterns import ClassPattern, Variable
from triad.sparql.query_graph import QueryGraph

__all__ = ["asks"]

_LINKS: Final = 2  # relations of a node that is asked for; a longer path between two names is seldom meant


def asks(
    walk: Walk, nodes: Sequence[Node], mentions: Sequence[LinkedMention], classes: Sequence[LinkedMention]
) -> Iterator[CandidateQuery]:
    """Yield candidate queries for yes/no questions about two named entities, about one, or about a class."""
    entities = [mention for mention in mentions if mention.candidate.kind == "entity"]
    by_iri = {mention.candidate.iri: mention for mention in entities}
    by_text = {mention.candidate.label: mention for mention in mentions if mention.candidate.kind == "literal"}
    for node in nodes:
        if len(node.edges) > _LINKS:
            continue
        for end in node.ends:
            mention = by_iri.get(end.value) if isinstance(end, IRI) else by_text.get(end.value)
            if mention and node.mentions and _apart(mention, node):
                yield _ask(node, mention, end, holds=True)
        if len(node.edges) == 1 and node.mentions and node.things:
            for mention in entities:
                thing = IRI(mention.candidate.iri)
                if thing not in node.ends and _apart(mention, node) and _could_hold(walk, node, mention):
                    yield _ask(node, mention, thing, holds=False)
        yield CandidateQuery(node.graph.asked(), "boolean", "list", node, node.ends, holds=True)
    for mention in entities:
        for kind in classes:
            if not mention.overlaps(kind):
                yield _is_a(walk.context.schema, mention, kind)


def _could_hold(walk: Walk, node: Node, mention: LinkedMention) -> bool:
    """Return whether things of an entity's classes are where a step leads to; else to say no says nothing."""
    profile, [edge] = walk.context.profile, node.edges
    relation = profile.relation_profile(edge.relation) if profile else None
    types = mention.candidate.types
    if relation is None or not types:
        return True
    known = {end.object if edge.forward else end.subject for end in relation.ends if not end.literal}
    return "" in known or any(not set(types).isdisjoint(walk.context.schema.kinds(one)) for one in known)


def _apart(mention: LinkedMention, node: Node) -> bool:
    return not any(mention.overlaps(other) for other in node.mentions)


def _ask(node: Node, mention: LinkedMention, thing: Term, *, holds: bool) -> CandidateQuery:
    query = QueryGraph.whether(*node.parts_of(thing))
    return CandidateQuery(
        query, "boolean", "ask", replace(node, mentions=(*node.mentions, mention)), (thing,), holds=holds
    )


def _is_a(schema: Schema, mention: LinkedMention, kind: LinkedMention) -> CandidateQuery:
    """Return the candidate query that asks whether an entity is of a class."""
    kinds = schema.kinds(kind.candidate.iri)
    holds = any(iri in kinds for iri in mention.candidate.types)
    node = Node(IRI(mention.candidate.iri), mentions=(mention,))
    of_class = ClassPattern.of(node.focus, kinds, lambda: Variable("kind"))
    query = QueryGraph.whether(of_class)
    return CandidateQuery(query, "boolean", "ask", node, holds=holds, positions=kind.positions)
