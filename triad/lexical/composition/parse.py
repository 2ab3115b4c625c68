"""Parse: what is being put together of a question, and whose its relations are."""

import itertools
from collections.abc import Sequence
from dataclasses import replace
from math import inf

from triad.lexical.composition.elements import Column, Constraint, Extreme, Span, Thing
from triad.lexical.composition.projections import Projection
from triad.lexical.composition.schema_graph import NO_CLASS, Link, way_cost
from triad.lexical.composition.tagging import TaggedQuestion
from triad.rdf import IRI


class Parse:
    """The things, constraints and columns of one reading.

    Args:
        tagged: The question, as a tagging reads it.
        projections: What is asked for.
        used: The indices of the operators that this accounts for.
        chained: Relations that are nouns, of which things are made: "the head of the ward".
    """

    def __init__(
        self, tagged: TaggedQuestion, projections: list[Projection], used: set[int], chained: Sequence[Span] = ()
    ) -> None:
        self.chained = chained
        self.tagged = tagged
        self.wording = tagged.wording
        self.schema = tagged.schema
        self.analysis = tagged.analysis
        self.projections = projections
        self.used = set(used)
        self.asked = {id(one.span) for one in projections if one.span is not None}
        """The ids of the spans that are asked for."""
        self.things: list[Thing] = []
        self.constraints: list[Constraint] = []
        self.extremes: list[Extreme] = []
        self.columns: list[Column] = []
        self.order: Extreme | None = None
        self.hints: list[Span] = []
        """Relations that words name and that no thing has as a value: steps of ways."""
        self.of_span: dict[int, int] = {}
        """For a span the number of its thing."""
        self.taken: set[int] = set()
        """Spans that are accounted for."""
        first = tagged.spans[0].end if tagged.spans else 0
        sorting = (one.start for one in tagged.operators if one.kind in ("sort", "order"))
        self.sorted_from = min((at for at in sorting if at >= first), default=len(self.analysis.words))
        """Where the words begin that say how rows are sorted."""
        self.strained = 0.0
        """How much had to be guessed."""
        self.choices = 1
        """How many ways there were to choose from, where there were most."""
        self.apart: set[int] = set()
        """Things that others are only compared with; no way leads to them."""

    def add(self, cls: str, span: Span | None = None, *, terms: tuple[IRI, ...] = (), typed: bool = False) -> Thing:
        """Add a thing."""
        at, said = (span.start, frozenset(span.positions)) if span else (-1, frozenset[int]())
        defined = span.defined if span else ""
        thing = Thing(len(self.things), cls, self.schema.below(cls), terms, at, said, typed=typed, defined=defined)
        self.things.append(thing)
        if span is not None:
            self.of_span[id(span)] = thing.id
            self.taken.add(id(span))
        return thing

    def change(self, thing: Thing) -> Thing:
        """Put a thing in place of the one with its number."""
        self.things[thing.id] = thing
        return thing

    def thing_of(self, span: Span | None) -> Thing | None:
        """Return the thing that words stand for; None if they stand for none."""
        at = self.of_span.get(id(span))
        return self.things[at] if at is not None else None

    def say(self, thing: int, *said: int) -> None:
        """Add positions of words that name a thing."""
        self.change(replace(self.things[thing], said=self.things[thing].said | frozenset(said)))

    def can(self, cls: str, relation: str) -> bool:
        """Return whether things of a class can have a relation."""
        if self.schema.is_literal(relation) and self.schema.has(cls, relation):
            return True
        return any(link.relation == relation for link in self.schema.links(cls))

    def is_value(self, span: Span) -> bool:
        """Return whether words stand for a relation whose values are numbers or dates."""
        return span.kind == "relation" and self.schema.value_kind(span.iri) in ("number", "date")

    def owner(self, relation: str, span: Span, *, asked: bool = False, several: bool = False) -> Thing:
        """Return the thing that has a relation: the nearest one that can, of several if one is chosen; or a new one."""
        able = [thing for thing in self.things if self.can(thing.cls, relation) and thing.at >= 0]
        if several:
            able = [thing for thing in able if len(thing.terms) != 1] or able
        if able:
            # "the name of the singer": what is asked for stands before its owner; "singers older than": after it
            def distance(thing: Thing) -> float:
                gap = self._head(thing) - span.start
                return gap if gap > 0 and asked else (abs(gap) + (1.5 if gap > 0 else 0.0))

            return min(able, key=distance)
        if implied := [thing for thing in self.things if self.can(thing.cls, relation)]:
            return implied[0]
        classes = self.schema.sources(relation) or [NO_CLASS]
        self.strained += 1
        if self.things:
            nearest = min(classes[:4], key=lambda cls: min(self.distance(one.cls, cls) for one in self.things))
            return self.add(nearest, typed=True)
        return self.add(self.schema.above_all(classes) or classes[0], typed=len(classes) == 1)

    def _head(self, thing: Thing) -> float:
        """Return where a thing stands; one that qualifies a class stands behind it: "the director of Spanish films"."""
        for span, after in itertools.pairwise(self.tagged.spans):
            qualifies = span.kind == "thing" and after.kind == "class" and span.end == after.start
            if qualifies and self.of_span.get(id(span)) == thing.id != self.of_span.get(id(after)):
                return after.start + 0.5
        return thing.at

    def distance(self, one: str, other: str) -> float:
        """Return what the cheapest way between two classes costs."""
        ways = self.schema.ways(one, other)
        return way_cost(ways[0]) if ways else inf

    def end(self, thing: Thing, relation: str, span: Span) -> Thing:
        """Return the thing that a relation leads to from another one."""
        links = [link for link in self.schema.links(thing.cls) if link.relation == relation]
        names, asked = self.wording.names, id(span) in self.asked
        back = names.are_of_subject(relation, span.end, self.analysis, asked=asked)
        if asked and len(thing.terms) == 1 and thing.at == min(thing.said):
            back |= names.is_turned(relation, thing.at, max(thing.said) + 1, self.analysis, subject=True)
        links.sort(key=lambda link: (link.forward is back, -link.share))
        link = links[0] if links else Link(relation, thing.cls, NO_CLASS, True, 1.0)
        way: tuple[Link, ...] = (link,)
        noun = asked and self.analysis.words[span.end - 1].folded in names.nouns_of(relation)
        if noun and not (back or link.forward):  # the husband of somebody who is the wife, by their marriage
            others = (one for one in self.schema.links(thing.cls) if one.target == link.target and not one.forward)
            other = max((one for one in others if one.relation != relation), key=lambda one: one.share, default=None)
            way = (other, link.reverse) if other else way
        end = self.add(way[-1].target)
        self.of_span[id(span)] = end.id
        said = end.said | frozenset(span.positions)
        return self.change(replace(end, parent=thing.id, way=way, at=span.start, said=said))

    def take(self, span: Span) -> frozenset[int]:
        """Return the words for a relation, of which nothing else is made: who *speaks* the most *languages*."""
        same = [one for one in self.tagged.spans if (one.kind, one.iri) == (span.kind, span.iri)]
        self.taken.update(map(id, same))
        return frozenset(at for one in same for at in one.positions)

    def joined_before(self, span: Span) -> tuple[Span, str] | None:
        """Return the span of the same kind that one is joined to, and how."""
        spans = self.tagged.spans
        if (at := spans.index(span)) == 0 or spans[at - 1].kind != span.kind:
            return None
        before = spans[at - 1]
        apart = [one.start for one in self.analysis.comparisons]
        apart += [one.start for one in self.tagged.operators if one.kind == "not"]
        if any(before.end <= at < span.start for at in apart):
            return None  # higher than one and lower than the other, or one and not the other
        how = self.wording.joined(before.end, span.start)
        how = "or" if how == "," and self.analysis.either else how
        return (before, how) if how else None

    def adjacent_relation(self, span: Span, *, reach: int = 2) -> Span | None:
        """Return the relation that is named right before or after some words."""
        gone = self.taken | self.asked
        able = [one for one in self.tagged.spans if one.kind == "relation" and id(one) not in gone]
        gaps = [span.start - one.end if one.end <= span.start else one.start - span.end for one in able]
        near = [(gap, at) for at, gap in enumerate(gaps) if 0 <= gap <= reach]
        return able[min(near)[1]] if near else None
