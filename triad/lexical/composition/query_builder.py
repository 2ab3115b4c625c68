"""Query builder: the patterns and columns of the query that a partial query is."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeVar

from triad.caching import cached_property
from triad.lexical.composition.elements import Constraint, Extreme, Thing
from triad.rdf import IRI, Literal, number
from triad.sparql import patterns
from triad.sparql.patterns import Aggregate, Call, Comparison, Computed, EdgePattern, Filter, Not, Part, Value, Variable
from triad.sparql.query_graph import Order, QueryGraph

T = TypeVar("T")
if TYPE_CHECKING:
    from triad.lexical.composition.partial_query import PartialQuery

_PLACES: Final = {"within": "CONTAINS", "start": "STRSTARTS", "end": "STRENDS"}


class QueryBuilder:
    """Makes the query of a partial query."""

    def __init__(self, partial: PartialQuery, skipped: frozenset[int] = frozenset()) -> None:
        self.partial = partial
        self._skipped = skipped
        self._numbers = itertools.count(100)

    def fresh(self) -> Variable:
        """Return a variable that is not used yet."""
        return Variable(f"v{next(self._numbers)}")

    # Patterns

    def _value(self, thing: int, relation: str) -> Variable:
        """Return the variable for the value of a relation; a thing has one for each."""
        relations = sorted({one.relation for one in self.partial.parts}.union(self.partial.held_against))
        return Variable(f"v{thing}0{relations.index(relation)}0")

    def way(self, thing: Thing) -> Iterator[Part]:
        """Yield the patterns of the steps to a thing from its parent."""
        assert thing.parent is not None
        at: patterns.QueryTerm = self.partial.thing(thing.parent).term
        for step, link in enumerate(thing.way):
            end = thing.term if step == len(thing.way) - 1 else Variable(f"v{thing.id}9{step}")
            subject, value = (at, end) if link.forward else (end, at)
            any_of = tuple(map(IRI, link.together))
            relation = patterns.Path(any_of, "|") if any_of else IRI(link.relation)
            relation = patterns.Path((relation,), "+") if link.again else relation
            yield EdgePattern(subject, relation, value)
            at = end

    def own(self, thing: Thing) -> list[Part]:
        """Return the patterns of a thing: its class, its constraints, and all that hangs on it."""
        parts: list[Part] = []
        if len(thing.terms) > 1:
            parts.append(patterns.Values.of(thing.variable, *thing.terms))
        if thing.typed and thing.cls:
            parts.append(thing.class_pattern)
        if thing.without:
            kind = self.fresh() if len(thing.without) > 1 else None
            other = patterns.ClassPattern(kind, tuple(map(IRI, thing.without)), thing.term)
            parts.append(patterns.NegatedPart((other,)))
        if thing.defined:
            definition = patterns.ClassPattern(None, (IRI(thing.defined),), thing.term)
            parts.append(patterns.NegatedPart((definition,)) if thing.differs else definition)
        for at, limit in enumerate(self.partial.constraints):
            if limit.thing == thing.id:
                parts += self.limit(thing, limit, at)
        counted = {limit.counted for limit in self.partial.constraints if limit.thing != limit.counted}
        for child in self.partial.things:
            if child.parent == thing.id and child.id not in counted | self._skipped:
                inner = [*self.way(child), *self.own(child)]
                beside = (one.thing for one in self.partial.columns if one.optional and not one.relation)
                apart = [patterns.OptionalPart(tuple(inner))] if parts and child.id in beside else inner
                parts += [patterns.NegatedPart(tuple(inner))] if child.negated else apart
                if child.differs and child.negated:
                    parts += [Filter(Comparison(thing.variable, "!=", one)) for one in child.terms]
        for extreme in filter(None, (*self.partial.extremes, self.partial.order)):
            if extreme.thing == thing.id:
                parts += self.extreme(thing, extreme)
        return parts

    def limit(self, thing: Thing, limit: Constraint, at: int) -> list[Part]:
        """Return the patterns of a limit."""
        if limit.counted is not None:
            child = self.partial.thing(limit.counted)
            count, bound = Aggregate("COUNT", child.variable, distinct=True), number(limit.bound)
            plain = tuple(one for one in self.partial.constraints if one.counted is None)
            whole = QueryBuilder(replace(self.partial, constraints=plain, extremes=())).own(self.partial.root)
            if not limit.relation and (limit.counted == thing.id or len(thing.terms) == 1):
                size = self.fresh()  # of all things that there are, or of those of one named thing
                counted = QueryGraph((Computed(count, size),), tuple(whole))
                return [counted, Filter(Comparison(size, limit.sign, bound))]
            key = self._value(thing.id, limit.relation) if limit.relation else thing.variable
            edges = [EdgePattern(thing.term, IRI(limit.relation), key)] if limit.relation else []
            enough = Comparison(count, limit.sign, bound)
            return [QueryGraph((key,), (*whole, *edges), groups=(key,), having=(enough,))]
        shared = limit.shown or not (limit.options or limit.contained or limit.negated or len(limit.choices) > 1)
        value = self._value(thing.id, limit.relation) if shared else Variable(f"v{thing.id}8{at}")
        edge = EdgePattern(thing.term, IRI(limit.relation), value)
        parts: list[Part] = [edge, *(Filter(test) for test in self.tests(limit, value))]
        if limit.than is not None:
            other, rival = self.fresh(), self.partial.thing(limit.than)
            parts += [patterns.Values.of(rival.variable, *rival.terms)] if len(rival.terms) > 1 else []
            parts += [EdgePattern(rival.term, IRI(limit.relation), other), Filter(Comparison(value, limit.sign, other))]
            if limit.sign == "=" and not (thing.terms or limit.negated):  # what is as long as itself is not asked for
                parts += [Filter(Comparison(thing.variable, "!=", one)) for one in rival.terms]
        if limit.against:
            other = self._value(thing.id, limit.against)
            parts.append(EdgePattern(thing.term, IRI(limit.against), other))
            parts.append(Filter(Comparison(value, limit.sign, other)))
        if limit.rival:
            other = self.fresh()
            edge = EdgePattern(thing.term, IRI(limit.relation), other)
            parts += [patterns.GraphPart(IRI(limit.rival), (edge,)), Filter(Comparison(value, limit.sign, other))]
        if limit.above_average is not None:
            mean, other = self.fresh(), self.fresh()
            peers: list[Part] = [EdgePattern(Variable("v99"), IRI(limit.relation), other)]
            if thing.cls:
                peers.insert(0, replace(thing, id=99, terms=()).class_pattern)
            parts.append(QueryGraph((Computed(Aggregate("AVG", other), mean),), tuple(peers)))
            parts.append(Filter(Comparison(value, ">" if limit.above_average else "<", mean)))
        return [patterns.NegatedPart(tuple(parts))] if limit.negated else parts

    def tests(self, limit: Constraint, value: Variable) -> Iterator[patterns.Expression]:
        """Yield the conditions on the value of a limit."""
        text = Call("LCASE", (Call("STR", (value,)),))
        if len(options := tuple(Literal(option.lower()) for option in limit.options)) == 1:
            yield Comparison(text, "=", options[0])
        elif options:
            yield patterns.OneOf(text, options)
        for one in limit.contained:
            yield Call(_PLACES[limit.place], (text, Literal(one.lower())))
        if limit.choices:
            made = tuple(choice(value) for choice in limit.choices)  # type: ignore[operator]
            yield made[0] if len(made) == 1 else patterns.Logic(made, "||")

    def extreme(self, thing: Thing, extreme: Extreme) -> list[Part]:
        """Return the patterns by which only the greatest are left; all that are equally great."""
        others = self.without(extreme)
        if extreme.counted is None:
            value = self._value(thing.id, extreme.relation)
            edge = EdgePattern(thing.term, IRI(extreme.relation), value)
            if not extreme.count:
                return [patterns.OptionalPart((edge,))]
            ranked = QueryGraph((thing.variable, value), (*others.pool(extreme), edge), distinct=True)
            return [edge, *self.chosen(ranked, value, extreme)]
        child = self.partial.thing(extreme.counted)
        size, key, where = self._size(extreme), thing.variable, others.pool(extreme)
        counted = Computed(Aggregate("COUNT", child.variable, distinct=True), size)
        if extreme.key is not None:
            key = self._value(extreme.key.thing, extreme.key.relation)
            where.append(EdgePattern(self.partial.thing(extreme.key.thing).term, IRI(extreme.key.relation), key))
        if extreme.aggregate:
            value = self._value(child.id, extreme.relation)
            where.append(EdgePattern(child.term, IRI(extreme.relation), value))
            counted = Computed(Aggregate(extreme.aggregate, value), size)
        keys = () if key == thing.variable != thing.term else tuple(dict.fromkeys((*self._each, key)))
        ranked = QueryGraph((*keys, counted), tuple(where), groups=keys)
        return [ranked, *self.chosen(ranked, size, extreme)]

    def pool(self, extreme: Extreme) -> list[Part]:
        """Return the patterns of what an extreme chooses among: what is said of it, and not what is asked of it."""
        partial = self.partial
        shown = {column.thing for column in partial.columns}
        host = partial.thing(extreme.thing if extreme.host is None else extreme.host)
        if extreme.counted is not None and (extreme.key or extreme.counted not in partial.reached_from(host.id)):
            host = partial.root
        elif extreme.thing not in partial.reached_from(host.id):
            host = partial.thing(extreme.thing)
        keys = [column for column in partial.columns if column.key] if self._each else []
        if not partial.reached_from(host.id).issuperset(column.thing for column in keys):
            host = partial.root
        if host.parent is not None and not host.terms:
            host = replace(host, typed=True)
        needed = [extreme.thing, *(column.thing for column in keys)]
        needed += [] if extreme.counted is None else [extreme.counted]
        below = {one.id: partial.reached_from(one.id) for one in partial.things if one.parent == host.id not in shown}
        skipped = {at for at, ends in below.items() if not ends.isdisjoint(shown) and ends.isdisjoint(needed)}
        of = ((partial.thing(one.thing), one.relation) for one in keys if one.relation)
        edges = [EdgePattern(thing.term, IRI(one), self._value(thing.id, one)) for thing, one in of]
        return [*self.over(partial, frozenset(skipped)).own(host), *dict.fromkeys(edges)]

    def chosen(self, ranked: QueryGraph, value: Variable, extreme: Extreme) -> list[Part]:
        """Return the patterns that hold a value against those of all candidates."""
        if not extreme.count:
            return []
        if extreme.first == 1 and extreme.count == 1:
            best = self.fresh()
            each = tuple(one for one in self._each if one != value)
            names = {one: self.fresh() for one in sorted({*patterns.nodes(ranked, Variable)} - {*each}, key=str)}
            inner = patterns.substituted(ranked, names)
            if extreme.than is not None:
                [host] = inner.groups[-1:] or (self.partial.thing(extreme.thing).term,)
                of_rival = patterns.substituted(inner.where, {host: self.partial.thing(extreme.than).term})
                passed = Comparison(value, ">" if extreme.descending else "<", names[value])
                return [replace(inner, columns=inner.columns[-1:], where=of_rival, groups=()), Filter(passed)]
            function = "MAX" if extreme.descending else "MIN"
            within = (inner,) if inner.is_aggregated else inner.where
            top = QueryGraph((*each, Computed(Aggregate(function, names[value]), best)), within, groups=each)
            return [top, Filter(Comparison(value, "=", best))]
        order = (Order(value, extreme.descending),)
        return [replace(ranked, order=order, limit=extreme.count, offset=extreme.first - 1)]

    @cached_property
    def _each(self) -> tuple[Variable, ...]:
        """What a row is wanted for each of: the tallest mountain of each country."""
        keys = [one for one in self.partial.columns if one.key]
        if any(one.function for one in self.partial.columns):
            return ()
        of = ((one.relation, self.partial.thing(one.thing)) for one in keys)
        variables = (self._value(thing.id, relation) if relation else thing.variable for relation, thing in of)
        return tuple(dict.fromkeys(variables))

    def without(self, extreme: Extreme) -> QueryBuilder:
        """Return a builder for the query without an extreme."""
        extremes = tuple(one for one in self.partial.extremes if one is not extreme)
        order = None if self.partial.order is extreme else self.partial.order
        return self.over(replace(self.partial, extremes=extremes, order=order))

    def over(self, partial: PartialQuery, skipped: frozenset[int] = frozenset()) -> QueryBuilder:
        """Return a builder for another query, in which values have the same names, and that leaves things out."""
        other = QueryBuilder(partial, self._skipped | skipped)
        other._value = self._value  # type: ignore[method-assign]
        return other

    # The whole

    def order(self) -> tuple[Order, ...]:
        """Return the order of the rows: the one that words ask for, or that of a superlative: the five longest."""
        for one in filter(None, (self.partial.order, *self.partial.extremes)):
            if one.count != 1 and one.counted is None and one.relation:
                value = self._value(one.thing, one.relation)
                last = () if one.count or one.descending else (Order(Not(Call("BOUND", (value,)))),)
                return (*last, Order(value, one.descending))  # what has no value is the last
            if one.counted is not None and not one.count:
                return (Order(self._size(one), one.descending),)
        return ()

    def _size(self, extreme: Extreme) -> Variable:
        """Return the variable for how many things decide an extreme."""
        return Variable(f"v{extreme.thing}77")

    def query(self) -> QueryGraph:
        """Return the query."""
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
            if {edge, patterns.OptionalPart((edge,))}.isdisjoint((*where, *edges)):
                edges.append(patterns.OptionalPart((edge,)) if column.optional else edge)
            shown.append(value)
        if not any(column.function for column in columns):
            values = [
                one if column.per == 1 else Computed(_divided(one, column.per), Variable(f"{one.name}4"))
                for one, column in zip(shown, columns, strict=True)
            ]
            rows = QueryGraph(tuple(dict.fromkeys(values)), (*where, *edges), order=self.order(), distinct=True)
            return self._by_columns(rows)
        keys = tuple(dict.fromkeys(v for column, v in zip(columns, shown, strict=True) if not column.function))
        if all(column.function in ("", "COUNT") for column in columns):
            inner: tuple[Part, ...] = (*where, *edges)
        else:  # each value of a thing counts once, however many ways lead to it
            owners = [partial.thing(column.thing) for column in columns]
            # What no word is for counts once for each of the things that words say: turbines of one model.
            pairs = itertools.product([one for one in owners if not one.said], partial.things)
            beside = (one for owner, one in pairs if one.id == owner.parent or one.parent == owner.id)
            owners += [one for one in beside if one.said]
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

    def _by_columns(self, query: QueryGraph) -> QueryGraph:
        """Return a query in the order of what it gives, if that is asked for: of its numbers, or else of its things."""
        if (order := self.partial.order) is None or order.thing >= 0:
            return query
        made = [one.variable for one in query.columns if isinstance(one, Computed)]
        rows = query.sorted_by(Order((made or list(query.variables))[0], order.descending))
        return replace(rows, limit=order.count) if order.count else rows


def _divided(value: Value, by: float) -> Value:
    return value if by == 1 else patterns.Arithmetic(value, "/", number(by))


def told_apart(query: T, number_: int, shown: tuple[Variable, ...] = ()) -> T:
    """Return a query, or parts of one, whose variables are no others', but for those shown."""
    taken = {*patterns.nodes(query, Variable)} - {*shown}
    names = {term: Variable(f"v{number_}66{at}") for at, term in enumerate(sorted(taken, key=str))}
    return patterns.substituted(query, names)
