"""Amounts: how much of one thing another one has, where a thing without a name holds the number.

"How many eggs are in the tortilla" counts no eggs, if the graph says of a statement that its recipe is the tortilla,
its ingredient the egg, and its amount 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from triad.language.analysis import Analysis
from triad.lexical.composition.covers import Cover
from triad.lexical.composition.draft import Draft
from triad.lexical.composition.elements import Column, Thing
from triad.lexical.composition.evidence import form_words
from triad.lexical.composition.marks import Mark
from triad.lexical.composition.schema_graph import NO_CLASS, Link, SchemaGraph
from triad.rdf import IRI

__all__ = ["amounts"]

_FEWEST: Final = 2  # named things that a statement is about


def amounts(cover: Cover, analysis: Analysis, schema: SchemaGraph) -> Iterator[Draft]:
    """Yield the drafts for a question that asks how much or how many of something something else has."""
    if "number" not in analysis.expected:
        return
    things = [mark for mark in cover.marks if mark.kind == "thing" and mark.classes]
    if len(things) < _FEWEST or len(things) < len(cover.marks) or cover.bounds:
        return
    asked = form_words(analysis)
    for cls in _holders(schema, things):
        numbers = [iri for iri in schema.relations if _is_number(schema, iri) and schema.has(cls, iri)]
        if len(numbers) != 1:
            continue
        links = [_link(schema, cls, mark) for mark in things]
        holder = Thing(0, cls, said=asked)
        named = [
            Thing(at, mark.classes[0], (), (IRI(mark.iri),), mark.start, frozenset(mark.positions), 0, (link,))
            for at, (mark, link) in enumerate(zip(things, links, strict=True), 1)
            if link is not None
        ]
        if len(named) == len(things):
            column = Column(0, numbers[0], said=asked)
            yield Draft((holder, *named), columns=(column,), notes={"named": 0.0})


def _holders(schema: SchemaGraph, things: Sequence[Mark]) -> list[str]:
    near = [{link.target for cls in mark.classes for link in schema.links(cls)} for mark in things]
    return sorted(cls for cls in set.intersection(*near) if _is_nameless(schema, cls))


def _is_nameless(schema: SchemaGraph, cls: str) -> bool:
    known = schema.classes.get(cls)
    if known is None:
        return cls == NO_CLASS and schema.profile.blank > 0
    return known.named == 0


def _is_number(schema: SchemaGraph, relation: str) -> bool:
    return schema.is_literal(relation) and schema.value_kind(relation) == "number"


def _link(schema: SchemaGraph, cls: str, mark: Mark) -> Link | None:
    links = [link for link in schema.links(cls) if any(schema.meet(link.target, one) for one in mark.classes)]
    return max(links, key=lambda link: link.share, default=None)
