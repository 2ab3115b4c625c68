"""Partial queries: what a question asks for, as a tree of things with conditions, before it is a query.

A query has a root, the things that the question is about, and further things that ways lead to. Each may be limited:
by the value of a relation, by bounds, by what it lacks, by being the greatest. What is asked for are columns: things,
values, counts, aggregates. `query` makes a `QueryGraph` of a query.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace

from triad.caching import cached_property
from triad.lexical.composition.elements import Column, Constraint, Extreme, Thing, reached_from
from triad.lexical.composition.query_builder import QueryBuilder, told_apart
from triad.lexical.composition.sources import Source
from triad.rdf import IRI
from triad.sparql.patterns import EdgePattern, NegatedPart, Union, Variable, nodes, substituted
from triad.sparql.query_graph import QueryGraph


@dataclass(frozen=True)  # without slots, for what is asked again and again is worked out once
class PartialQuery:
    """What a question asks for."""

    things: tuple[Thing, ...]
    constraints: tuple[Constraint, ...] = ()
    extremes: tuple[Extreme, ...] = ()
    columns: tuple[Column, ...] = ()
    order: Extreme | None = None
    """How the rows are sorted, where the question says so; without a thing whose number or value decides by the
    columns themselves."""
    ask: bool = False
    by_key: bool = False
    """True if values are left out that any thing has which is left out, and not only these things: the countries
    without a stadium that was opened after 2006."""
    instead: tuple[Thing, ...] = ()
    """With ``by_key``, the things in whose place those that are left out stand: Belgium, but not *Germany*."""
    apart: frozenset[int] = frozenset()
    """Things that others are only compared with."""
    same: Thing | Constraint | None = None
    """What all that is named has in common: two persons from the same country."""
    source: Source | None = None
    """The named graphs in which its facts stand, where the question says so."""
    notes: dict[str, float] = field(default_factory=dict, compare=False)
    """What was needed to make it, for its features."""

    def thing(self, at: int) -> Thing:
        """Return a thing by its number."""
        return next(thing for thing in self.things if thing.id == at)

    @cached_property
    def root(self) -> Thing:
        """The things that the question is about."""
        roots = [thing for thing in self.things if thing.parent is None]
        return next((thing for thing in roots if thing.id not in self.apart), roots[0])

    def reached_from(self, *heads: int) -> set[int]:
        """Return the numbers of some things, and of those that are reached from them."""
        return reached_from(self.things, *heads)

    def changed(self, thing: Thing) -> PartialQuery:
        """Return the query with a thing in place of the one with its number."""
        return replace(self, things=tuple(thing if one.id == thing.id else one for one in self.things))

    @property
    def counted(self) -> frozenset[int | None]:
        """The things whose number is limited, or decides."""
        return frozenset(one.counted for one in self.constraints) | {one.counted for one in self.extremes}

    def dangles(self, thing: Thing) -> bool:
        """Return whether nothing is said of a thing but that it is there."""
        if thing.parent is None or thing.terms or thing.negated or thing.typed or thing.defined:
            return False
        used = self.counted | {one.thing for one in self.parts}
        return thing.id not in used and all(one.parent != thing.id for one in self.things)

    def without(self, *conditions: Constraint | Thing) -> PartialQuery:
        """Return the query without some conditions, and without the ways that only they need."""
        gone = self.reached_from(*(one.id for one in conditions if isinstance(one, Thing)))
        things = tuple(one for one in self.things if one.id not in gone)
        kept = (one for one in self.constraints if one not in conditions)
        constraints = tuple(one for one in kept if gone.isdisjoint((one.thing, one.counted)))
        extremes = tuple(one for one in self.extremes if gone.isdisjoint((one.thing, one.counted)))
        rest = replace(self, things=things, constraints=constraints, extremes=extremes)
        left = {one.thing if isinstance(one, Constraint) else one.parent for one in conditions}
        idle = [one for one in things if one.id in left and rest.dangles(one)]
        return rest.without(*idle) if idle else rest

    @cached_property
    def said(self) -> frozenset[int]:
        """The positions of the words that it accounts for."""
        own = self.source.said if self.source else frozenset()
        return own.union(*(thing.said for thing in self.things), *(part.said for part in self.parts))

    @property
    def parts(self) -> tuple[Constraint | Column | Extreme, ...]:
        """What it says of its things."""
        return (*self.constraints, *self.columns, *self.extremes, *([self.order] if self.order else []))

    @property
    def relations(self) -> list[str]:
        """IRIs of the relations that it speaks of."""
        ways = [link.relation for thing in self.things for link in thing.way]
        return [*ways, *(one.relation for one in self.parts if one.relation), *self.held_against]

    @property
    def held_against(self) -> list[str]:
        """IRIs of the relations that values are held against."""
        return [one.against for one in self.constraints if one.against]

    @property
    def negated(self) -> bool:
        """True if there is something that must not be."""
        return any(thing.negated for thing in self.things) or any(limit.negated for limit in self.constraints)

    # Making a query

    def query(self) -> QueryGraph:
        """Return the query."""
        return self.source.applied(self._anywhere()) if self.source else self._anywhere()

    def _anywhere(self) -> QueryGraph:
        """Return the query whose facts stand in any named graph."""
        if self.by_key:
            return self._without_keys()
        whole = QueryBuilder(self).query()
        if len(parts := list(self._single())) == 1:
            return whole
        if self.ask:
            queries = [QueryBuilder(one).query() for one in parts]
            common: tuple[Variable, ...] = () if self.root.terms else (self.root.variable,)
            match self.same:
                case Thing() as thing:
                    common += (thing.variable,)
                case Constraint(relation=relation):
                    edges = (one for one in nodes(queries[0].where, EdgePattern) if one.relation == IRI(relation))
                    common += tuple(one.object for one in edges if isinstance(one.object, Variable))
            apart = (told_apart(one, at, common) for at, one in enumerate(queries))
            return QueryGraph.whether(*itertools.chain.from_iterable(one.where for one in apart))
        if any(column.function for column in self.columns):
            rows = replace(self, columns=tuple(replace(one, function="") for one in self.columns))
            return rows._anywhere().counted() if self.columns[0].function == "COUNT" else whole
        queries = [QueryBuilder(part).query() for part in parts]
        shown = queries[0].variables
        return QueryGraph(shown, tuple(told_apart(one, at, shown) for at, one in enumerate(queries)), distinct=True)

    def _without_keys(self) -> QueryGraph:
        """Return the query for the values of all things but those that a thing has which is to be left out."""
        conditions: list[Constraint | Thing] = [*self.things, *self.constraints]
        everything = replace(self.without(*(one for one in conditions if one.negated)), by_key=False)._anywhere()
        things = tuple(replace(thing, negated=False) for thing in self.things)
        constraints = tuple(replace(one, negated=False) for one in self.constraints)
        others = replace(self, things=things, constraints=constraints, by_key=False).without(*self.instead)._anywhere()
        others = told_apart(others, 0)
        others = substituted(others, dict(zip(others.variables, everything.variables, strict=True)))
        return QueryGraph(everything.variables, (everything, NegatedPart((others,), minus=True)), distinct=True)

    def _single(self) -> Iterator[PartialQuery]:
        """Yield the queries of whose rows each is wanted: one for each of the things or values that are all wanted."""
        for thing in self.things:
            if thing.every and len(thing.terms) > 1:
                for term in thing.terms:
                    yield from self.changed(replace(thing, terms=(term,), every=False))._single()
                return
        for at, limit in enumerate(self.constraints):
            single = replace(limit, every=False)
            ones = [replace(single, options=(option,)) for option in limit.options]
            ones = ones or [replace(single, choices=(choice,)) for choice in limit.choices]
            if limit.every and len(ones) > 1:
                for one in ones:
                    constraints = (*self.constraints[:at], one, *self.constraints[at + 1 :])
                    yield from replace(self, constraints=constraints)._single()
                return
        yield self


@dataclass(frozen=True)
class Either(PartialQuery):
    """What meets one of two conditions at least."""

    conditions: tuple[Constraint | Thing, ...] = ()

    def query(self) -> QueryGraph:
        """Return the query."""
        bare = (replace(column, function="") for column in self.columns)
        whole = PartialQuery(self.things, self.constraints, (), tuple(bare), ask=self.ask, source=self.source)
        others = ([other for other in self.conditions if other is not one] for one in self.conditions)
        queries = [whole.without(*left_out).query() for left_out in others]
        shown = queries[0].variables
        alike = (substituted(one, dict(zip(one.variables, shown, strict=True))) for one in queries)
        apart = [told_apart(one, at, shown) for at, one in enumerate(alike)]
        union = Union(tuple(one.where if one.is_open else (one,) for one in apart))
        if self.ask:
            return QueryGraph.whether(union)
        rows = QueryGraph(shown, (union,), distinct=True)
        return rows.counted() if any(column.function for column in self.columns) else rows


def made(kind: type[PartialQuery], partial: PartialQuery, **further: object) -> PartialQuery:
    """Return a query as one of another kind."""
    return kind(**{one.name: getattr(partial, one.name) for one in fields(PartialQuery)}, **further)  # type: ignore[arg-type]
