"""Yes or no: whether a named thing is among others, is of a class, or whether there is anything at all."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.kg.schema import Schema
from triad.lexical.forms.proposal import Proposal
from triad.lexical.nodes import Node
from triad.lexical.spotting import Item
from triad.lexical.walking import Walk
from triad.rdf import IRI, Term

__all__ = ["asks"]

_LINKS: Final = 2  # relations of a node that is asked for; a longer path between two names seldom means anything


def asks(walk: Walk, nodes: Sequence[Node], items: Sequence[Item], classes: Sequence[Item]) -> Iterator[Proposal]:
    """Yield proposals for yes/no questions: what the graph says of two named things, of one, or of a class."""
    entities = [item for item in items if item.candidate.kind == "entity"]
    by_iri = {item.candidate.iri: item for item in entities}
    by_text = {item.candidate.label: item for item in items if item.candidate.kind == "literal"}
    for node in nodes:
        if len(node.links) > _LINKS:
            continue
        for end in node.ends:
            item = by_iri.get(end.value) if isinstance(end, IRI) else by_text.get(end.value)
            if item and node.items and _apart(item, node):
                yield _ask(node, item, end, holds=True)
        if len(node.links) == 1 and node.items:
            for item in entities:
                thing = IRI(item.candidate.iri)
                if thing not in node.ends and _apart(item, node):
                    yield _ask(node, item, thing, holds=False)
        yield Proposal(f"ASK {{ {node.where} }}", "boolean", "list", node, node.ends, holds=True)
    for item in entities:
        for kind in classes:
            if not item.overlaps(kind):
                yield _is_a(walk.context.schema, item, kind)


def _apart(item: Item, node: Node) -> bool:
    """Tell whether a node speaks of other words than an item."""
    return not any(item.overlaps(other) for other in node.items)


def _ask(node: Node, item: Item, thing: Term, *, holds: bool) -> Proposal:
    """Return the proposal that asks whether a thing is among those of a node."""
    query = f"ASK {{ {' '.join(node.lines_of(thing.n3()))} }}"
    return Proposal(query, "boolean", "ask", replace(node, items=(*node.items, item)), (thing,), holds=holds)


def _is_a(schema: Schema, item: Item, kind: Item) -> Proposal:
    """Return the proposal that asks whether a thing is of a class."""
    kinds = schema.kinds(kind.candidate.iri)
    holds = any(iri in kinds for iri in item.candidate.types)
    values = " ".join(f"<{iri}>" for iri in kinds)
    query = f"ASK {{ VALUES ?kind {{ {values} }} <{item.candidate.iri}> a ?kind }}"
    node = Node(f"<{item.candidate.iri}>", items=(item,))
    return Proposal(query, "boolean", "ask", node, holds=holds, positions=kind.positions)
