"""Partial queries: what a question asks for, as a tree of things with conditions, before it is a query.

A query has a root, the things that the question is about, and further things that ways lead to. Each may be limited:
by the value of a relation, by bounds, by what it lacks, by being the greatest. What is asked for are columns: things,
values, counts, aggregates. `query` makes a `QueryGraph` of a query.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Final

from triad.lexical.composition.elements import Column, Constraint, Extreme, Thing
from triad.lexical.composition.sources import Source
from triad.rdf import IRI, Literal, number
from triad.sparql.patterns import (
    Aggregate,
    Arithmetic,
    Call,
    ClassPattern,
    Comparison,
    Computed,
    EdgePattern,
    Expression,
    Filter,
    GraphPart,
    Logic,
    NegatedPart,
    OneOf,
    OptionalPart,
    Part,
    Path,
    QueryTerm,
    Union,
    Value,
    Values,
    Variable,
    substituted,
    terms,
)
from triad.sparql.query_graph import Order, QueryGraph

_PLACES: Final = {"within": "CONTAINS", "start": "STRSTARTS", "end": "STRENDS"}


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
    apart: frozenset[int] = frozenset()
    """Things that others are only compared with."""
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

    def is_below(self, thing: int, other: int) -> bool:
        """Return whether a thing is another one, or is reached from it."""
        at: int | None = thing
        while at is not None and at != other:
            at = self.thing(at).parent
        return at is not None

    def changed(self, thing: Thing) -> PartialQuery:
        """Return the query with a thing in place of the one with its number."""
        return replace(self, things=tuple(thing if one.id == thing.id else one for one in self.things))

    def dangles(self, thing: Thing) -> bool:
        """Return whether nothing is said of a thing but that it is there."""
        if thing.parent is None or thing.terms or thing.negated or thing.typed or thing.defined:
            return False
        used = {one.thing for one in self.parts}
        used |= {part.counted for part in self.constraints if part.counted is not None}
        used |= {part.counted for part in self.extremes if part.counted is not None}
        return thing.id not in used and all(one.parent != thing.id for one in self.things)

    def without(self, *conditions: Constraint | Thing) -> PartialQuery:
        """Return the query without some conditions, and without the ways that only they need."""
        gone = {one.id for one in conditions if isinstance(one, Thing)}
        gone = {one.id for one in self.things if any(self.is_below(one.id, other) for other in gone)}
        things = tuple(one for one in self.things if one.id not in gone)
        constraints = tuple(one for one in self.constraints if one not in conditions and one.thing not in gone)
        rest = replace(self, things=things, constraints=constraints)
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
        return [*ways, *(one.relation for one in self.parts if one.relation), *self._rivals]

    @property
    def _rivals(self) -> list[str]:
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
        whole = _Builder(self).query()
        parts = list(self._single())
        if len(parts) == 1:
            return whole
        if self.ask:
            return QueryGraph.whether(
                *itertools.chain(*(_apart(_Builder(one).query(), at).where for at, one in enumerate(parts)))
            )
        if any(column.function for column in self.columns):
            rows = replace(self, columns=tuple(replace(one, function="") for one in self.columns))
            [column] = self.columns if len(self.columns) == 1 else (self.columns[0],)
            joined = rows._anywhere()
            return joined.counted() if column.function == "COUNT" else whole
        queries = [_Builder(part).query() for part in parts]
        shown = queries[0].variables
        return QueryGraph(shown, tuple(_apart(one, at, shown) for at, one in enumerate(queries)), distinct=True)

    def _without_keys(self) -> QueryGraph:
        """Return the query for the values of all things but those that a thing has which is to be left out."""
        conditions: list[Constraint | Thing] = [*self.things, *self.constraints]
        everything = replace(self.without(*(one for one in conditions if one.negated)), by_key=False)._anywhere()
        things = tuple(replace(thing, negated=False) for thing in self.things)
        constraints = tuple(replace(one, negated=False) for one in self.constraints)
        others = replace(self, things=things, constraints=constraints, by_key=False)._anywhere()
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
        queries = [
            whole.without(*(other for other in self.conditions if other is not one)).query() for one in self.conditions
        ]
        shown = queries[0].variables
        apart = [
            _apart(substituted(one, dict(zip(one.variables, shown, strict=True))), at, shown)
            for at, one in enumerate(queries)
        ]
        union = Union(tuple(one.where if one.is_open else (one,) for one in apart))
        if self.ask:
            return QueryGraph.whether(union)
        rows = QueryGraph(shown, (union,), distinct=True)
        return rows.counted() if any(column.function for column in self.columns) else rows


def made(kind: type[PartialQuery], partial: PartialQuery, **further: object) -> PartialQuery:
    """Return a query as one of another kind."""
    return kind(**{one.name: getattr(partial, one.name) for one in fields(PartialQuery)}, **further)  # type: ignore[arg-type]


class _Builder:
    """Makes the query of one query."""

    def __init__(self, partial: PartialQuery, skipped: frozenset[int] = frozenset()) -> None:
        self.partial = partial
        self._skipped = skipped
        self._numbers = itertools.count(100)

    def fresh(self) -> Variable:
        return Variable(f"v{next(self._numbers)}")

    # Patterns

    def _value(self, thing: int, relation: str) -> Variable:
        """Return the variable for the value of a relation; a thing has one for each."""
        relations = sorted({one.relation for one in self.partial.parts}.union(self.partial._rivals))
        return Variable(f"v{thing}0{relations.index(relation)}0")

    def way(self, thing: Thing) -> Iterator[Part]:
        """Yield the patterns of the steps to a thing from its parent."""
        if thing.parent is None:
            return
        at: QueryTerm = self.partial.thing(thing.parent).term
        for step, link in enumerate(thing.way):
            last = step == len(thing.way) - 1
            end = thing.term if last else Variable(f"v{thing.id}9{step}")
            subject, value = (at, end) if link.forward else (end, at)
            relation = Path((IRI(link.relation),), "+") if link.again else IRI(link.relation)
            yield EdgePattern(subject, relation, value)
            at = end

    def own(self, thing: Thing) -> list[Part]:
        """Return the patterns of a thing: its class, its constraints, and all that hangs on it."""
        parts: list[Part] = []
        if len(thing.terms) > 1:
            parts.append(Values.of(thing.variable, *thing.terms))
        if thing.typed and thing.cls:
            parts.append(thing.class_pattern)
        if thing.defined:
            definition = ClassPattern(None, (IRI(thing.defined),), thing.term)
            parts.append(NegatedPart((definition,)) if thing.differs else definition)
        for at, limit in enumerate(self.partial.constraints):
            if limit.thing == thing.id:
                parts += self.limit(thing, limit, at)
        counted = {
            limit.counted
            for limit in self.partial.constraints
            if limit.counted is not None and limit.thing != limit.counted
        }
        for child in self.partial.things:
            if child.parent == thing.id and child.id not in counted | self._skipped:
                inner = [*self.way(child), *self.own(child)]
                parts += [NegatedPart(tuple(inner))] if child.negated else inner
        order = [self.partial.order] if self.partial.order else []
        for extreme in (*self.partial.extremes, *order):
            if extreme.thing == thing.id:
                parts += self.extreme(thing, extreme)
        return parts

    def limit(self, thing: Thing, limit: Constraint, at: int) -> list[Part]:
        """Return the patterns of a limit."""
        if limit.counted is not None:
            child = self.partial.thing(limit.counted)
            test = Comparison(Aggregate("COUNT", child.variable, distinct=True), limit.sign, number(limit.bound))
            others = _Builder(
                replace(
                    self.partial,
                    constraints=tuple(one for one in self.partial.constraints if one.counted is None),
                    extremes=(),
                )
            )
            if not limit.relation and (limit.counted == thing.id or len(thing.terms) == 1):
                return self.count_of_all(limit, child, others)
            key = self._value(thing.id, limit.relation) if limit.relation else thing.variable
            edges = [EdgePattern(thing.term, IRI(limit.relation), key)] if limit.relation else []
            return [QueryGraph((key,), (*others.own(self.partial.root), *edges), groups=(key,), having=(test,))]
        shared = not (limit.options or limit.contained or limit.negated or len(limit.choices) > 1)
        value = self._value(thing.id, limit.relation) if shared else Variable(f"v{thing.id}8{at}")
        edge = EdgePattern(thing.term, IRI(limit.relation), value)
        parts: list[Part] = [edge, *(Filter(test) for test in self.tests(limit, value))]
        if limit.than is not None:
            other = self.fresh()
            parts.append(EdgePattern(self.partial.thing(limit.than).term, IRI(limit.relation), other))
            parts.append(Filter(Comparison(value, limit.sign, other)))
        if limit.against:
            other = self._value(thing.id, limit.against)
            parts.append(EdgePattern(thing.term, IRI(limit.against), other))
            parts.append(Filter(Comparison(value, limit.sign, other)))
        if limit.rival:
            other = self.fresh()
            edge = EdgePattern(thing.term, IRI(limit.relation), other)
            parts += [GraphPart(IRI(limit.rival), (edge,)), Filter(Comparison(value, limit.sign, other))]
        if limit.above_average is not None:
            mean, other = self.fresh(), self.fresh()
            peers: list[Part] = [EdgePattern(Variable("v99"), IRI(limit.relation), other)]
            if thing.cls:
                peers.insert(0, replace(thing, id=99, terms=()).class_pattern)
            parts.append(QueryGraph((Computed(Aggregate("AVG", other), mean),), tuple(peers)))
            parts.append(Filter(Comparison(value, ">" if limit.above_average else "<", mean)))
        return [NegatedPart(tuple(parts))] if limit.negated else parts

    def count_of_all(self, limit: Constraint, counted: Thing, others: _Builder) -> list[Part]:
        """Return the patterns that limit how many things there are at all, or of one named thing."""
        size = self.fresh()
        counts = Computed(Aggregate("COUNT", counted.variable, distinct=True), size)
        where = tuple(others.own(self.partial.root))
        return [QueryGraph((counts,), where), Filter(Comparison(size, limit.sign, number(limit.bound)))]

    def tests(self, limit: Constraint, value: Variable) -> Iterator[Expression]:
        """Yield the conditions on the value of a limit."""
        text = Call("LCASE", (Call("STR", (value,)),))
        options = tuple(Literal(option.lower()) for option in limit.options)
        if len(options) == 1:
            yield Comparison(text, "=", options[0])
        elif options:
            yield OneOf(text, options)
        for one in limit.contained:
            yield Call(_PLACES[limit.place], (text, Literal(one.lower())))
        if limit.choices:
            made = tuple(choice(value) for choice in limit.choices)  # type: ignore[operator]
            yield made[0] if len(made) == 1 else Logic(made, "||")

    def extreme(self, thing: Thing, extreme: Extreme) -> list[Part]:
        """Return the patterns by which only the greatest are left; all that are equally great."""
        others = self.without(extreme)
        if extreme.counted is None:
            value = self._value(thing.id, extreme.relation)
            edge = EdgePattern(thing.term, IRI(extreme.relation), value)
            if not extreme.count:
                return [OptionalPart((edge,))]
            inner = (*others.pool(extreme), edge)
            ranked = QueryGraph((thing.variable, value), inner, distinct=True)
            return [edge, *self.chosen(ranked, value, extreme)]
        assert extreme.counted is not None
        child = self.partial.thing(extreme.counted)
        size = self._size(extreme)
        key: Variable = thing.variable
        if extreme.key is not None:
            key = self._value(extreme.key.thing, extreme.key.relation)
        counted = Computed(Aggregate("COUNT", child.variable, distinct=True), size)
        where = others.pool(extreme)
        if extreme.key is not None:
            where.append(EdgePattern(self.partial.thing(extreme.key.thing).term, IRI(extreme.key.relation), key))
        if extreme.aggregate:
            value = self._value(child.id, extreme.relation)
            where.append(EdgePattern(child.term, IRI(extreme.relation), value))
            counted = Computed(Aggregate(extreme.aggregate, value), size)
        ranked = QueryGraph((key, counted), tuple(where), groups=(key,))
        return [ranked, *self.chosen(ranked, size, extreme)]

    def pool(self, extreme: Extreme) -> list[Part]:
        """Return the patterns of what an extreme chooses among: what is said of it, and not what is asked of it."""
        partial = self.partial
        shown = {column.thing for column in partial.columns}
        host = partial.thing(extreme.thing if extreme.host is None else extreme.host)
        if extreme.counted is not None and (extreme.key or not partial.is_below(extreme.counted, host.id)):
            host = partial.root
        elif not partial.is_below(extreme.thing, host.id):
            host = partial.thing(extreme.thing)
        if host.parent is not None and not host.terms:
            host = replace(host, typed=True)
        needed = [extreme.thing, *([] if extreme.counted is None else [extreme.counted])]
        skipped = {
            thing.id
            for thing in partial.things
            if thing.parent == host.id not in shown
            and any(partial.is_below(one, thing.id) for one in shown)
            and not any(partial.is_below(one, thing.id) for one in needed)
        }
        return self.over(partial, frozenset(skipped)).own(host)

    def chosen(self, ranked: QueryGraph, value: Variable, extreme: Extreme) -> list[Part]:
        """Return the patterns that hold a value against those of all candidates."""
        if not extreme.count:
            return []
        if extreme.first == 1 and extreme.count == 1:
            best = self.fresh()
            taken = {term.name for term in terms(ranked) if isinstance(term, Variable)}
            names = {Variable(name): self.fresh() for name in sorted(taken)}
            inner = substituted(ranked, names)
            function = "MAX" if extreme.descending else "MIN"
            within = (inner,) if inner.is_aggregated else inner.where
            top = QueryGraph((Computed(Aggregate(function, names[value]), best),), within)
            return [top, Filter(Comparison(value, "=", best))]
        order = (Order(value, extreme.descending),)
        return [replace(ranked, order=order, limit=extreme.count, offset=extreme.first - 1)]

    def without(self, extreme: Extreme) -> _Builder:
        """Return a builder for the query without an extreme."""
        extremes = tuple(one for one in self.partial.extremes if one is not extreme)
        order = None if self.partial.order is extreme else self.partial.order
        return self.over(replace(self.partial, extremes=extremes, order=order))

    def over(self, partial: PartialQuery, skipped: frozenset[int] = frozenset()) -> _Builder:
        """Return a builder for another query, in which values have the same names, and that leaves things out."""
        other = _Builder(partial, self._skipped | skipped)
        other._value = self._value  # type: ignore[method-assign]
        return other

    # The whole

    def order(self) -> tuple[Order, ...]:
        """Return the order of the rows: the one that words ask for, or that of a superlative: the five longest."""
        for one in (*([self.partial.order] if self.partial.order else []), *self.partial.extremes):
            if one.count != 1 and one.counted is None and one.relation:
                return (Order(self._value(one.thing, one.relation), one.descending),)
            if one.counted is not None and not one.count:
                return (Order(self._size(one), one.descending),)
        return ()

    def _size(self, extreme: Extreme) -> Variable:
        """Return the variable for how many things decide an extreme."""
        return Variable(f"v{extreme.thing}77")

    def query(self) -> QueryGraph:
        partial, root = self.partial, self.partial.root
        where = tuple(self.own(root))
        if partial.ask:
            return QueryGraph.whether(*where)
        columns = list(partial.columns)
        edges: list[Part] = []
        shown: list[Variable] = []
        for column in columns:
            thing = partial.thing(column.thing)
            if not column.relation:
                shown.append(thing.variable)
                continue
            value = self._value(thing.id, column.relation)
            edge = EdgePattern(thing.term, IRI(column.relation), value)
            if {edge, OptionalPart((edge,))}.isdisjoint((*where, *edges)):
                edges.append(OptionalPart((edge,)) if column.optional else edge)
            shown.append(value)
        if not any(column.function for column in columns):
            values = [self._in_unit(variable, column) for variable, column in zip(shown, columns, strict=True)]
            rows = QueryGraph(tuple(dict.fromkeys(values)), (*where, *edges), order=self.order(), distinct=True)
            return self._by_columns(rows)
        keys = tuple(dict.fromkeys(v for column, v in zip(columns, shown, strict=True) if not column.function))
        if all(column.function in ("", "COUNT") for column in columns):
            inner: tuple[Part, ...] = (*where, *edges)
        else:  # each value of a thing counts once, however many ways lead to it
            owners = [partial.thing(column.thing) for column in columns]
            names = [one.variable for one in owners if len(one.terms) != 1]
            inner = (QueryGraph(tuple(dict.fromkeys([*keys, *names, *shown])), (*where, *edges), distinct=True),)
        made: list[Variable | Computed] = []
        for at, (column, variable) in enumerate(zip(columns, shown, strict=True)):
            if column.function:
                aggregate = Aggregate(column.function, variable, distinct=column.function == "COUNT")
                name = Variable(f"{column.function.lower()}{at or ''}")
                made.append(Computed(_divided(aggregate, column.per), name))
            elif variable not in made:
                made.append(variable)
        return self._by_columns(QueryGraph(tuple(made), inner, groups=keys))

    def _in_unit(self, value: Variable, column: Column) -> Variable | Computed:
        return value if column.per == 1 else Computed(_divided(value, column.per), Variable(f"{value.name}4"))

    def _by_columns(self, query: QueryGraph) -> QueryGraph:
        """Return a query in the order of what it gives, if that is asked for: of its numbers, or else of its things."""
        order = self.partial.order
        if order is None or order.thing >= 0:
            return query
        made = [one.variable for one in query.columns if isinstance(one, Computed)]
        return query.sorted_by(Order((made or list(query.variables))[0], order.descending))


def _divided(value: Value, by: float) -> Value:
    return value if by == 1 else Arithmetic(value, "/", number(by))


def _apart(query: QueryGraph, number_: int, shown: tuple[Variable, ...] = ()) -> QueryGraph:
    taken = {term for term in terms(query) if isinstance(term, Variable)} - set(shown)
    names = {term: Variable(f"v{number_}66{at}") for at, term in enumerate(sorted(taken, key=str))}
    return substituted(query, names)
