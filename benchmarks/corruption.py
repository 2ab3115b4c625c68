"""Wrong queries that models might have written in place of right ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from triad import sparql
from triad.phases.context import Context
from triad.rdf import IRI, RDF_TYPE
from triad.search.base import Lookup
from triad.sparql.term import URIRef

__all__ = ["ADDED", "corruptions"]

ADDED = "count added"
Corrupted = Iterator[tuple[str, sparql.Node]]


def corruptions(context: Context, tree: sparql.Node, chance: random.Random) -> Corrupted:
    """Yield queries that a model might have written in place of a right one, with what is wrong with them."""
    for name, kinds in (
        ("filter", ("Filter",)),
        ("optional", ("OptionalGraphPattern",)),
        ("minus", ("MinusGraphPattern",)),
    ):
        for node in list(sparql.nodes(tree.where, *kinds))[:2]:
            yield f"{name} dropped", sparql.without(tree, node)
    if tree.orderby:
        yield "order dropped", sparql.without(sparql.without(tree, tree.orderby), tree.limitoffset)
        yield "order turned", _turned(tree)
    if tree.having:
        yield "bound dropped", sparql.without(tree, tree.having)
    yield from _aggregates(tree)
    triples = list(_places(tree))
    for block, flat, at in triples:
        if len(triples) > 1:
            yield "pattern dropped", _edited(tree, block, flat, at, lambda *_: [])
        yield "direction", _edited(tree, block, flat, at, lambda s, p, o: [o, p, s])
        subject, path, end = _triple(tree, block, flat, at)
        if str(path) == RDF_TYPE and isinstance(end, URIRef):
            for other in _other_classes(context, str(end), chance):
                yield "class", _edited(tree, block, flat, at, lambda s, p, _, other=other: [s, p, URIRef(other)])
        elif isinstance(path, URIRef) and str(path) != RDF_TYPE:
            for other in _siblings(context, subject, str(path), end, chance):
                yield "relation", _edited(tree, block, flat, at, lambda s, _, o, other=other: [s, URIRef(other), o])
            for iri, other in _other_things(context, (subject, end), chance):
                yield "entity", sparql.node(sparql.substitute(tree, {URIRef(iri): URIRef(other)}))


def _places(tree: sparql.Node) -> Iterator[tuple[int, int, int]]:
    for block, node in enumerate(sparql.nodes(tree, "TriplesBlock")):
        for flat, triples in enumerate(node.triples or []):
            for at in range(0, len(triples), 3):
                yield block, flat, at


def _triple(tree: sparql.Node, block: int, flat: int, at: int) -> tuple[Any, Any, Any]:
    triples = list(sparql.nodes(tree, "TriplesBlock"))[block].triples[flat]
    return triples[at], sparql.simple(triples[at + 1]), triples[at + 2]


def _edited(tree: sparql.Node, block: int, flat: int, at: int, change: Callable[..., list[Any]]) -> sparql.Node:
    made = sparql.node(sparql.substitute(tree, {}))
    node = list(sparql.nodes(made, "TriplesBlock"))[block]
    triples = node.triples[flat]
    triples[at : at + 3] = change(*triples[at : at + 3])
    if not triples:
        node["triples"] = [one for one in node.triples if one]
    if not node.triples:
        made = sparql.without(made, node)
    return made


def _turned(tree: sparql.Node) -> sparql.Node:
    made = sparql.node(sparql.substitute(tree, {}))
    for one in sparql.nodes(made.orderby, "OrderCondition"):
        one["order"] = "ASC" if one.order == "DESC" else "DESC"
    return made


def _aggregates(tree: sparql.Node) -> Corrupted:
    counts = list(sparql.nodes(tree, "Aggregate_Count"))
    if counts and tree.projection and not tree.groupby:
        made = sparql.node(sparql.substitute(tree, {}))
        made["projection"] = [
            sparql.Node("vars", var=one.expr.vars) if getattr(one.expr, "name", "") == "Aggregate_Count" else one
            for one in made.projection
        ]
        if all("var" in one and str(one.var) != "*" for one in made.projection):
            yield "count dropped", made
    if any(one.distinct for one in counts):
        made = sparql.node(sparql.substitute(tree, {}))
        for one in sparql.nodes(made, "Aggregate_Count"):
            one["distinct"] = ""
        yield "distinct dropped", made
    if tree.projection and not counts and sparql.FORMS[tree.name] == "SELECT" and not tree.groupby and not tree.orderby:
        first = tree.projection[0]
        if "var" in first:
            made = sparql.node(sparql.substitute(tree, {}))
            counted = sparql.Node("Aggregate_Count", distinct="DISTINCT", vars=first.var)
            made["projection"] = [sparql.Node("vars", expr=counted, evar=URIRef("count"))]
            made["projection"][0]["evar"] = type(first.var)("count_of_it")
            yield ADDED, made


def _siblings(context: Context, subject: Any, relation: str, end: Any, chance: random.Random) -> list[str]:
    found: set[str] = set()
    for thing, way in ((subject, "out"), (end, "in")):
        if isinstance(thing, URIRef):
            found |= {hop.relation for hop in context.schema.card(str(thing)) if hop.direction == way}
    if context.profile and (known := context.profile.relation_profile(relation)):
        kinds = {(one.subject, one.object) for one in known.ends}
        found |= {
            other.iri
            for other in context.profile.relations
            if any((one.subject, one.object) in kinds for one in other.ends)
        }
    choice = sorted(found - {relation, RDF_TYPE})
    return chance.sample(choice, min(3, len(choice)))


def _other_classes(context: Context, iri: str, chance: random.Random) -> list[str]:
    above = list(context.schema.superclasses(iri))
    others = [one.iri for one in context.profile.classes[:40]] if context.profile else []
    below = list(context.schema.kinds(iri))
    choice = sorted({*above, *below, *chance.sample(others, min(2, len(others)))} - {iri})
    return chance.sample(choice, min(2, len(choice)))


def _other_things(context: Context, ends: Sequence[Any], chance: random.Random) -> Iterator[tuple[str, str]]:
    for end in ends:
        if isinstance(end, URIRef):
            label = context.schema.label(IRI(str(end)))
            words = label.split()
            [near] = context.search([Lookup(" ".join(words[:2]) if words else label, ("entity",), 8)])
            others = [one.iri for one in near if one.iri != str(end)]
            if others:
                yield str(end), chance.choice(others[:4])
