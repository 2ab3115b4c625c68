"""Forms that a question has as a whole, beside those that its parts make: each adds drafts, or changes them."""

from __future__ import annotations

from collections.abc import Iterator

from triad.language.analysis import Analysis
from triad.language.pack import Pack
from triad.lexical.composition.amounts import amounts
from triad.lexical.composition.covers import Cover
from triad.lexical.composition.describing import descriptions
from triad.lexical.composition.draft import Draft
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.spans import Fit, spans
from triad.lexical.composition.yes_no import Compose, as_question, yes_no_drafts

__all__ = ["with_forms"]


def with_forms(
    cover: Cover, analysis: Analysis, pack: Pack, schema: SchemaGraph, fit: Fit, compose: Compose
) -> Iterator[Draft]:
    """Yield the drafts of a cover, and those that the form of the whole question makes.

    Args:
        cover: What its words stand for.
        analysis: The question.
        pack: The pack of its language.
        schema: The schema.
        fit: Tells how well a relation fits what is measured.
        compose: Makes the drafts that the parts of a cover make.
    """
    if analysis.answer_type == "boolean":
        yield from yes_no_drafts(cover, analysis, pack, schema, compose)
        return
    yield from descriptions(analysis, pack, schema, cover)
    yield from amounts(cover, analysis, schema)
    spanned = list(spans(cover, analysis, pack, schema, fit))
    yield from spanned
    for draft in compose(cover):
        if not (spanned and any(column.function == "COUNT" for column in draft.columns)):  # years are not counted
            yield as_question(draft, analysis, pack)
