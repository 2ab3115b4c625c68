"""Work: what is being put together of a question, and whose its relations are."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace

from triad.lexical.composition.covered import Covered
from triad.lexical.composition.elements import Column, Extreme, Limit, Thing
from triad.lexical.composition.marks import Mark
from triad.lexical.composition.schema_graph import NO_CLASS, Link, way_cost
from triad.lexical.composition.wishes import Wish
from triad.rdf import IRI

__all__ = ["Work"]


class Work:
    """The things, limits and columns of one reading.

    Args:
        covered: The question, as a cover reads it.
        wishes: What is asked for.
        used: The indices of the operators that this accounts for.
        asked: The ids of the marks that this accounts for.
        chained: Relations that are nouns, of which things are made: "the head of the ward".
    """

    def __init__(
        self,
        covered: Covered,
        wishes: list[Wish],
        used: set[int],
        asked: set[int],
        chained: Sequence[Mark] = (),
    ) -> None:
        self.chained = chained
        self.covered = covered
        self.wording = covered.wording
        self.schema = covered.schema
        self.analysis = covered.analysis
        self.wishes = wishes
        self.used = set(used)
        self.asked = asked
        self.things: list[Thing] = []
        self.limits: list[Limit] = []
        self.extremes: list[Extreme] = []
        self.columns: list[Column] = []
        self.hints: list[Mark] = []
        """Relations that words name and that no thing has as a value: steps of ways."""
        self.of_mark: dict[int, int] = {}
        """For a mark the number of its thing."""
        self.taken: set[int] = set()
        """Marks that are accounted for."""
        first = covered.marks[0].end if covered.marks else 0
        self.sorted_from = min(
            (one.start for one in covered.operators if one.kind in ("sort", "order") and one.start >= first),
            default=len(self.analysis.words),
        )
        """Where the words begin that say how rows are sorted."""
        self.strained = 0.0
        """What had to be assumed."""
        self.apart: set[int] = set()
        """Things that others are only compared with; no way leads to them."""

    def add(self, cls: str, mark: Mark | None = None, *, terms: tuple[IRI, ...] = (), typed: bool = False) -> Thing:
        """Add a thing."""
        thing = Thing(
            len(self.things),
            cls,
            self.schema.below(cls),
            terms,
            at=mark.start if mark else -1,
            said=frozenset(mark.positions) if mark else frozenset(),
            typed=typed,
        )
        self.things.append(thing)
        if mark is not None:
            self.of_mark[id(mark)] = thing.id
            self.taken.add(id(mark))
        return thing

    def change(self, thing: Thing) -> Thing:
        """Put a thing in place of the one with its number."""
        self.things[thing.id] = thing
        return thing

    def say(self, thing: int, *said: int) -> None:
        """Add positions of words that name a thing."""
        self.change(replace(self.things[thing], said=self.things[thing].said | frozenset(said)))

    def owner(self, relation: str, mark: Mark, *, asked: bool = False) -> Thing | None:
        """Return the thing that has a relation: the nearest one that can, or a new one."""
        literal = self.schema.is_literal(relation)

        def can(cls: str) -> bool:
            if literal and self.schema.has(cls, relation):
                return True
            return any(link.relation == relation for link in self.schema.links(cls))

        able = [thing for thing in self.things if can(thing.cls) and thing.at >= 0]
        if able:
            # "the name of the singer": what is asked for stands before its owner; "singers older than": after it
            def distance(thing: Thing) -> float:
                gap = self._head(thing) - mark.start
                return gap if gap > 0 and asked else (abs(gap) + (1.5 if gap > 0 else 0.0))

            return min(able, key=distance)
        implied = [thing for thing in self.things if can(thing.cls)]
        if implied:
            return implied[0]
        classes = self.schema.holders(relation) if literal else self.schema.sources(relation)
        if not classes:
            return None
        if self.things:
            best = min(
                classes[:4], key=lambda cls: min((self.distance(one.cls, cls) for one in self.things), default=9.0)
            )
        else:
            best = classes[0]
        self.strained += 0.5
        return self.add(best, typed=True)

    def _head(self, thing: Thing) -> float:
        """Return where a thing stands; one that qualifies a class stands behind it: "the director of Spanish films"."""
        for mark, after in itertools.pairwise(self.covered.marks):
            qualifies = mark.kind == "thing" and after.kind == "class" and mark.end == after.start
            if qualifies and self.of_mark.get(id(mark)) == thing.id != self.of_mark.get(id(after)):
                return after.start + 0.5
        return thing.at

    def distance(self, one: str, other: str) -> float:
        """Return what the cheapest way between two classes costs."""
        ways = self.schema.ways(one, other)
        return way_cost(ways[0]) if ways else 9.0

    def end(self, thing: Thing, relation: str, mark: Mark) -> Thing:
        """Return the thing that a relation leads to from another one."""
        links = [link for link in self.schema.links(thing.cls) if link.relation == relation]
        links.sort(key=lambda link: (not link.forward, -link.share))
        link = links[0] if links else Link(relation, thing.cls, NO_CLASS, True, 1.0)
        end = self.add(link.target)
        self.of_mark[id(mark)] = end.id
        return self.change(
            replace(end, parent=thing.id, way=(link,), at=mark.start, said=end.said | frozenset(mark.positions))
        )

    def joined_before(self, mark: Mark) -> tuple[Mark, str] | None:
        """Return the mark of the same kind that one is joined to, and how."""
        marks = self.covered.marks
        at = marks.index(mark)
        if at == 0 or marks[at - 1].kind != mark.kind:
            return None
        before = marks[at - 1]
        how = self.wording.joined(before.end, mark.start)
        if how in (",", "and"):
            how = "or" if self.analysis.either and how == "," else how
        return (before, how) if how else None

    def adjacent_relation(self, mark: Mark, *, reach: int = 2) -> Mark | None:
        """Return the relation that is named right before or after some words."""
        best: tuple[int, Mark] | None = None
        for other in self.covered.marks:
            if other.kind != "relation" or id(other) in self.taken or id(other) in self.asked:
                continue
            gap = mark.start - other.end if other.end <= mark.start else other.start - mark.end
            if 0 <= gap <= reach and (best is None or gap < best[0]):
                best = (gap, other)
        return best[1] if best else None
