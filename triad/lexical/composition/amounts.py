"""Amounts: how much of one thing another one has, where a thing without a name holds the number.

"How many eggs are in the tortilla" counts no eggs, if the graph says of a statement that its recipe is the tortilla,
its ingredient the egg, and its amount 6.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triad.language.analysis import Analysis
from triad.lexical.composition.elements import Column, Thing
from triad.lexical.composition.evidence import form_words
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.schema_graph import NO_CLASS, Link, SchemaGraph
from triad.lexical.composition.spans import Span
from triad.lexical.composition.tagging import Tagging


def amounts(tagging: Tagging, analysis: Analysis, schema: SchemaGraph) -> Iterator[PartialQuery]:
    """Yield the queries for a question that asks how much or how many of something something else has."""
    if "number" not in analysis.expected:
        return
    things = [span for span in tagging.spans if span.kind == "thing" and span.classes]
    if len(things) < 2 or len(things) < len(tagging.spans) or tagging.bounds:
        return
    asked = form_words(analysis)
    for cls in _holders(schema, things):
        numbers = [one for one in schema.relations if schema.value_kind(one) == "number" and schema.has(cls, one)]
        if len(numbers) != 1:
            continue
        links = [_link(schema, cls, span) for span in things]
        holder = Thing(0, cls, said=asked)
        named = [
            Thing(at, span.classes[0], (), span.terms, span.start, frozenset(span.positions), 0, (link,))
            for at, (span, link) in enumerate(zip(things, links, strict=True), 1)
            if link is not None
        ]
        if len(named) == len(things):
            column = Column(0, numbers[0], said=asked)
            yield PartialQuery((holder, *named), columns=(column,), notes={"named": 0.0})


def _holders(schema: SchemaGraph, things: Sequence[Span]) -> list[str]:
    near = [{link.target for cls in span.classes for link in schema.links(cls)} for span in things]
    return sorted(cls for cls in set.intersection(*near) if _is_nameless(schema, cls))


def _is_nameless(schema: SchemaGraph, cls: str) -> bool:
    known = schema.classes.get(cls)
    if known is None:
        return cls == NO_CLASS and schema.profile.blank > 0
    return known.named == 0


def _link(schema: SchemaGraph, cls: str, span: Span) -> Link | None:
    links = [link for link in schema.links(cls) if any(schema.meet(link.target, one) for one in span.classes)]
    return max(links, key=lambda link: link.share, default=None)
