"""Wrong queries that models might have written in place of right ones."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from triad import sparql
from triad.phases.context import Context
from triad.rdf import IRI, RDF_TYPE
from triad.search.base import Lookup
from triad.sparql import QueryGraph
from triad.sparql.patterns import Aggregate, Computed, EdgePattern, Filter, NegatedPart, OptionalPart, Part, Variable

__all__ = ["ADDED", "corruptions"]

ADDED = "count added"
Corrupted = Iterator[tuple[str, QueryGraph]]


def corruptions(context: Context, tree: QueryGraph, chance: random.Random) -> Corrupted:
    """Yield queries that a model might have written in place of a right one, with what is wrong with them."""
    negated = list(sparql.nodes(tree.where, NegatedPart))
    for name, parts in (
        ("filter", [*sparql.nodes(tree.where, Filter), *(one for one in negated if not one.minus)]),
        ("optional", list(sparql.nodes(tree.where, OptionalPart))),
        ("minus", [one for one in negated if one.minus]),
    ):
        for part in parts[:2]:
            yield f"{name} dropped", _edited(tree, part)
    if tree.order:
        yield "order dropped", replace(tree, order=(), limit=None, offset=0)
        turned = tuple(replace(one, descending=not one.descending) for one in tree.order)
        yield "order turned", replace(tree, order=turned)
    if tree.having:
        yield "bound dropped", replace(tree, having=())
    yield from _aggregates(tree)
    edges = list(sparql.nodes(tree, EdgePattern))
    for edge in edges:
        subject, path, end = edge.subject, edge.relation, edge.object
        if len(edges) > 1:
            yield "pattern dropped", _edited(tree, edge)
        yield "direction", _edited(tree, edge, EdgePattern(end, path, subject))
        if path == IRI(RDF_TYPE) and isinstance(end, IRI):
            for other in _other_classes(context, end.value, chance):
                yield "class", _edited(tree, edge, EdgePattern(subject, path, IRI(other)))
        elif isinstance(path, IRI):
            for other in _siblings(context, subject, path.value, end, chance):
                yield "relation", _edited(tree, edge, EdgePattern(subject, IRI(other), end))
            for iri, other in _other_things(context, (subject, end), chance):
                yield "entity", sparql.substituted(tree, {IRI(iri): IRI(other)})


def _edited(tree: QueryGraph, part: Part, *instead: Part) -> QueryGraph:
    """Return a query with other parts in place of one."""
    return sparql.rewritten(tree, lambda one: instead if one is part else one)


def _aggregates(tree: QueryGraph) -> Corrupted:
    counts = [one for one in sparql.nodes(tree, Aggregate) if one.function == "COUNT"]
    if counts and tree.columns and not tree.groups:
        columns = tuple(map(_uncounted, tree.columns))
        if all(isinstance(one, Variable) for one in columns):
            yield "count dropped", replace(tree, columns=columns)
    if any(one.distinct for one in counts):
        yield (
            "distinct dropped",
            sparql.rewritten(tree, lambda one: replace(one, distinct=False) if one in counts and one.distinct else one),
        )
    plain = tree.form == "SELECT" and not tree.groups and not tree.order
    if tree.columns and not counts and plain and isinstance(first := tree.columns[0], Variable):
        counted = Computed(Aggregate("COUNT", first, distinct=True), Variable("count_of_it"))
        yield ADDED, replace(tree, columns=(counted,))


def _uncounted(column: Any) -> Any:
    """Return what a column counts; the column itself if it counts nothing."""
    match column:
        case Computed(Aggregate("COUNT", of)):
            return of
    return column


def _siblings(context: Context, subject: Any, relation: str, end: Any, chance: random.Random) -> list[str]:
    found: set[str] = set()
    for thing, way in ((subject, "out"), (end, "in")):
        if isinstance(thing, IRI):
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
        if isinstance(end, IRI):
            label = context.schema.label(IRI(str(end)))
            words = label.split()
            [near] = context.search([Lookup(" ".join(words[:2]) if words else label, ("entity",), 8)])
            others = [one.iri for one in near if one.iri != str(end)]
            if others:
                yield str(end), chance.choice(others[:4])
