"""Forms that a question has as a whole, beside those that its parts make: each adds queries, or changes them."""

from __future__ import annotations

from collections.abc import Iterator

from triad.language.analysis import Analysis
from triad.language.pack import Pack
from triad.lexical.composition.amounts import amounts
from triad.lexical.composition.describing import descriptions
from triad.lexical.composition.durations import Fit, durations
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.tagging import Tagging
from triad.lexical.composition.yes_no import Compose, as_question, yes_no_partials

__all__ = ["with_forms"]


def with_forms(
    tagging: Tagging, analysis: Analysis, pack: Pack, schema: SchemaGraph, fit: Fit, compose: Compose
) -> Iterator[PartialQuery]:
    """Yield the queries of a tagging, and those that the form of the whole question makes.

    Args:
        tagging: What its words stand for.
        analysis: The question.
        pack: The pack of its language.
        schema: The schema.
        fit: Tells how well a relation fits what is measured.
        compose: Makes the queries that the parts of a tagging make.
    """
    if analysis.answer_type == "boolean":
        yield from yes_no_partials(tagging, analysis, pack, schema, compose)
        return
    yield from descriptions(analysis, pack, schema, tagging)
    yield from amounts(tagging, analysis, schema)
    lasting = list(durations(tagging, analysis, pack, schema, fit))
    yield from lasting
    for partial in compose(tagging):
        if not (lasting and any(column.function == "COUNT" for column in partial.columns)):  # years are not counted
            yield as_question(partial, analysis, pack)
