"""Readings: from a cover of a question's words to drafts of what it asks for.

What stands at the beginning is what is asked for; the rest are conditions. A relation belongs to the nearest thing that
has it, a thing is reached from the nearest one by the cheapest way of the schema, along relations that words name where
there are some. Where words can be read in several ways, there are several drafts.
"""

from __future__ import annotations

from collections.abc import Iterator

from triad.language.analysis import Analysis
from triad.language.pack import Pack
from triad.lexical.composition.bounds import place_bounds
from triad.lexical.composition.columns import place_columns
from triad.lexical.composition.covered import Covered
from triad.lexical.composition.covers import Cover
from triad.lexical.composition.draft import Draft
from triad.lexical.composition.forms import with_forms
from triad.lexical.composition.names import Names
from triad.lexical.composition.refinements import doubtful_dates, repeated, within_sources
from triad.lexical.composition.schema_graph import SchemaGraph
from triad.lexical.composition.sources import SourceMark, find_sources
from triad.lexical.composition.superlatives import place_superlatives
from triad.lexical.composition.texts import place_parts
from triad.lexical.composition.things import chain, name_things
from triad.lexical.composition.values import place_averages, place_numbers, place_rivals, place_texts
from triad.lexical.composition.ways import collect_hints, connected
from triad.lexical.composition.wishes import find_wishes
from triad.lexical.composition.wording import Wording
from triad.lexical.composition.work import Work

__all__ = ["Reader"]


class Reader:
    """Reads one question."""

    def __init__(self, analysis: Analysis, pack: Pack, schema: SchemaGraph, names: Names) -> None:
        self.wording = Wording(analysis, pack, schema, names)
        self.sources = find_sources(analysis, pack, schema.profile)

    def drafts(self, cover: Cover) -> Iterator[Draft]:
        """Yield the drafts for a cover."""
        wording = self.wording
        yield from with_forms(cover, wording.analysis, wording.pack, wording.schema, wording.fit, self._composed)

    def _composed(self, cover: Cover) -> Iterator[Draft]:
        """Yield the drafts for a cover, held to the named graphs that its words name."""
        schema, fit = self.wording.schema, self.wording.fit
        sources = [mark for mark in cover.marks if isinstance(mark, SourceMark)]
        words = frozenset(at for at, word in enumerate(self.wording.analysis.words) if not word.empty)
        for draft in _composed(Covered(self.wording, cover)):
            one = doubtful_dates(repeated(draft, cover.operators, schema), self.sources, schema, words)
            found = within_sources(one, sources, cover.operators, schema, fit) if sources else one
            if found is not None:
                yield found


def _composed(covered: Covered) -> Iterator[Draft]:
    """Yield the drafts for all that a question may ask for, without and with things made of its other relations."""
    for wishes, used in find_wishes(covered):
        asked = {id(wish.mark) for wish in wishes if wish.mark is not None}
        yield from _put_together(Work(covered, wishes, used, asked))
        chained = [
            mark
            for mark in covered.marks
            if mark.kind == "relation" and id(mark) not in asked and not covered.schema.is_literal(mark.iri)
        ]
        if chained and (wishes or covered.analysis.answer_type == "boolean"):
            yield from _put_together(Work(covered, wishes, used, asked, chained))


def _put_together(work: Work) -> Iterator[Draft]:
    """Place all that the words of a question say; yield the drafts, one for each way to connect it."""
    name_things(work)
    chain(work)
    root = place_columns(work)
    if root is None:
        return
    place_superlatives(work)
    place_texts(work)
    place_parts(work)
    place_bounds(work)
    place_averages(work)
    place_rivals(work)
    place_numbers(work)
    collect_hints(work)
    yield from connected(work, root)
