"""Readings: from a tagging of a question's words to queries of what it asks for.

What stands at the beginning is what is asked for; the rest are conditions. A relation belongs to the nearest thing that
has it, a thing is reached from the nearest one by the cheapest way of the schema, along relations that words name where
there are some. Where words can be read in several ways, there are several queries.
"""

from collections.abc import Iterator

from triad.cancelling import check
from triad.lexical.composition.bounds import place_bounds
from triad.lexical.composition.columns import by_whole_name, place_columns, place_names, spelt_out
from triad.lexical.composition.describing import descriptions
from triad.lexical.composition.durations import durations
from triad.lexical.composition.measuring import in_unit
from triad.lexical.composition.parse import Parse
from triad.lexical.composition.partial_query import PartialQuery
from triad.lexical.composition.projections import find_projections
from triad.lexical.composition.refinements import alternatives, by_year, in_common, repeated, within_sources
from triad.lexical.composition.shares import as_average, as_share
from triad.lexical.composition.sources import SourceSpan
from triad.lexical.composition.superlatives import place_order, place_superlatives
from triad.lexical.composition.tagging import TaggedQuestion, Tagging
from triad.lexical.composition.texts import place_parts
from triad.lexical.composition.things import chain, name_things
from triad.lexical.composition.values import place_averages, place_lacking, place_numbers, place_rivals, place_texts
from triad.lexical.composition.ways import collect_hints, connected, passes_doer
from triad.lexical.composition.wording import Wording
from triad.lexical.composition.yes_no import as_question, yes_no_partials


class Reader:
    """Reads one question."""

    def __init__(self, wording: Wording) -> None:
        self.wording = wording

    def partials(self, tagging: Tagging) -> Iterator[PartialQuery]:
        """Yield the queries for a tagging: those that its parts make, and those of the form of the whole question."""
        if self.wording.analysis.answer_type == "boolean":
            yield from yes_no_partials(tagging, self.wording, self._composed)
            return
        yield from descriptions(tagging, self.wording)
        lasting = list(durations(tagging, self.wording))
        yield from lasting
        for partial in self._composed(tagging):
            if not (lasting and any(column.function == "COUNT" for column in partial.columns)):  # years are not counted
                asked = by_whole_name(spelt_out(partial, self.wording), self.wording)
                for one in as_average(in_unit(as_question(asked, self.wording), self.wording), self.wording):
                    yield from as_share(one, self.wording)

    def _composed(self, tagging: Tagging) -> Iterator[PartialQuery]:
        """Yield the queries for a tagging, held to the named graphs that its words name."""
        sources = [span for span in tagging.spans if isinstance(span, SourceSpan)]
        for partial in _composed(TaggedQuestion(self.wording, tagging)):
            schema, operators = self.wording.schema, tagging.operators
            one = repeated(alternatives(partial, operators, schema.truths), operators, schema)
            one = in_common(one, self.wording.analysis)
            found = within_sources(one, sources, tagging.operators, self.wording.schema) if sources else one
            if found is not None:
                yield from by_year(found, self.wording.names)


def _composed(tagged: TaggedQuestion) -> Iterator[PartialQuery]:
    """Yield the queries for all that a question may ask for, without and with things made of its other relations."""
    for projections, used in find_projections(tagged):
        yield from _put_together(Parse(tagged, projections, used))
        asked = {id(one.span) for one in projections}
        steps = (span for span in tagged.spans if span.kind == "relation" and not tagged.schema.is_literal(span.iri))
        chained = [span for span in steps if id(span) not in asked and not passes_doer(tagged.wording, span)]
        nouns = [span for span in chained if not tagged.wording.names.is_verb(span.iri)]  # heard by *students* of hers
        for made in (chained, *([nouns] if 0 < len(nouns) < len(chained) else ())):
            if made and (projections or tagged.analysis.answer_type == "boolean"):
                yield from _put_together(Parse(tagged, projections, used, made))


def _put_together(parse: Parse) -> Iterator[PartialQuery]:
    """Place all that the words of a question say; yield the queries, one for each way to connect it."""
    check()
    name_things(parse)
    chain(parse)
    if (root := place_columns(parse)) is None:
        return
    place_superlatives(parse)
    place_texts(parse)
    place_parts(parse)
    place_bounds(parse)
    place_averages(parse)
    place_rivals(parse)
    place_numbers(parse)
    place_lacking(parse)
    place_order(parse)
    place_names(parse, root)
    collect_hints(parse)
    yield from connected(parse, root)
