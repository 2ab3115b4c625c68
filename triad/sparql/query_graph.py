"""The query graph: a query as a value, and the operators that derive other queries from it.

A query graph has columns, patterns to match, and modifiers such as order and limit. Each operator gives a new one. The
lexical solver makes its candidate queries with them, and a follow-up is an operator on the graph of the last answer. An
operator adds to the patterns where the meaning stays the same; else the given query becomes a sub-select.

>>> from triad.sparql.writer import render
>>> from triad.sparql.patterns import EdgePattern, Variable
>>> film, year = Variable("film"), Variable("year")
>>> films = QueryGraph.of(film, EdgePattern(film, IRI("director"), IRI("Lynch")))
>>> render(films.counted())
'SELECT (COUNT(DISTINCT ?film) AS ?count) { ?film <director> <Lynch> . }'
>>> render(films.narrowed(EdgePattern(film, IRI("year"), year)).sorted_by(year).first(2))
'SELECT DISTINCT ?film { ?film <director> <Lynch> . ?film <year> ?year . } ORDER BY ASC(?year) LIMIT 2'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from triad.rdf import IRI, Literal
from triad.sparql import patterns
from triad.sparql.patterns import Aggregate, Computed, EdgePattern, Part, Value, Values, Variable, nodes, substituted

Column = Variable | Computed

_NUMBERED: Final = re.compile(r"v\d+\Z")
_NAMES: Final = ("answer", "x", "y", "z")


class Names:
    """Names variables that are only numbered, in the order in which they occur; other terms stay as they are."""

    def __init__(self) -> None:
        self._given: dict[str, Variable] = {}

    def __call__(self, term: patterns.QueryTerm) -> patterns.QueryTerm:
        """Return a variable with its name, or any other term as it is."""
        if not isinstance(term, Variable) or not _NUMBERED.match(term.name):
            return term
        at = len(self._given)
        name = _NAMES[at] if at < len(_NAMES) else f"x{at - len(_NAMES) + 2}"
        return self._given.setdefault(term.name, Variable(name))


@dataclass(frozen=True, slots=True)
class Order:
    """A sort key."""

    key: Value
    descending: bool = False


@dataclass(frozen=True, slots=True)
class QueryGraph(Part):
    """A query as a value. Among the patterns of another one it is a sub-select."""

    columns: tuple[Column, ...] = ()
    """The columns; empty for all variables (``SELECT *``)."""
    where: tuple[Part, ...] = ()
    """The patterns that rows match."""
    groups: tuple[Value | Computed, ...] = ()
    """The variables that rows are grouped by."""
    having: tuple[Value, ...] = ()
    """Conditions that groups must meet."""
    order: tuple[Order, ...] = ()
    """The sort keys, the most important first."""
    limit: int | None = None
    """The greatest number of rows."""
    offset: int = 0
    """The number of rows that are skipped at the start."""
    distinct: bool = False
    """Whether equal rows are given once."""
    ask: bool = False
    """Whether it is an ASK query."""
    sources: tuple[IRI, ...] = ()
    """The graphs that it reads; none for the default graph."""
    named_sources: tuple[IRI, ...] = ()
    """The graphs that it reads by their names."""
    values: Values | None = None
    """Values that its rows are joined with at the end."""
    reduced: bool = False
    """Whether equal rows may be given once."""

    # Making one

    @classmethod
    def of(cls, column: Column, *where: Part) -> QueryGraph:
        """Return the query for what a variable stands for, each once."""
        return cls((column,), where, distinct=True)

    @classmethod
    def whether(cls, *where: Part) -> QueryGraph:
        """Return the query that asks whether anything matches patterns."""
        return cls(where=where, ask=True)

    def explicit(self) -> QueryGraph:
        """Return it with its columns named and all values among its patterns, so that operators can work on it."""

        def change(part: Any) -> Any:
            match part:
                case QueryGraph():
                    return part.explicit()
                case EdgePattern(instance, relation, IRI() as cls) if relation == patterns.CLASS_OR_BELOW:
                    return patterns.ClassPattern(None, (cls,), instance, below=True)
            return part

        made = replace(self, where=patterns.rewritten(self.where, change), values=None)
        if self.values and not self.ask and self.is_aggregated:
            order = tuple(one for one in self.order if one.key in self.variables)
            return QueryGraph(self.variables, (replace(made, values=self.values),), order=order)
        if self.values:
            made = replace(made, where=(*made.where, self.values))
        return made if self.ask or made.columns else replace(made, columns=in_scope(made.where))

    # Properties

    @property
    def form(self) -> str:
        """The query form: ``SELECT`` or ``ASK``."""
        return "ASK" if self.ask else "SELECT"

    @property
    def variables(self) -> tuple[Variable, ...]:
        """The variables of its columns."""
        if not self.columns and not self.ask:
            return in_scope(self.where)
        return tuple(column.variable if isinstance(column, Computed) else column for column in self.columns)

    @property
    def is_aggregated(self) -> bool:
        """True if its rows are groups or aggregates."""
        return bool(self.groups or self.having) or any(nodes(self.columns, Aggregate))

    @property
    def counts(self) -> Variable | None:
        """The variable whose different values it counts, if that is all that it does."""
        match self.columns:
            case (Computed(Aggregate("COUNT", Variable() as counted)),) if not (self.groups or self.having):
                return counted
        return None

    @property
    def counted_rows(self) -> QueryGraph | None:
        """The query for the rows that it counts, if that is all that it does."""
        match self.counts, self.columns, self.where:
            case Variable() as counted, _, where:
                return QueryGraph.of(counted, *where)
            case None, (Computed(Aggregate("COUNT", None)),), (QueryGraph() as rows,) if not self.groups:
                return rows
        return None

    @property
    def extremes(self) -> frozenset[Variable]:
        """The greatest or least values that its rows have to have."""
        found: set[Variable] = set()
        for part in self.where:
            match part:
                case QueryGraph((Computed(Aggregate("MAX" | "MIN"), extreme),)):
                    found.add(extreme)
        return frozenset(found)

    @property
    def ranked_rows(self) -> QueryGraph | None:
        """The query for the rows that it picks the greatest or the least of, if that is what it does."""
        if not self.extremes and not (self.order and self.limit):
            return None
        where = tuple(part for part in self.where if self.extremes.isdisjoint(patterns.terms(part)))
        return replace(self, where=where, order=(), limit=None)

    @property
    def is_sliced(self) -> bool:
        """True if it has a limit or an offset."""
        return self.limit is not None or self.offset > 0

    @property
    def is_open(self) -> bool:
        """True if a pattern added to its own has the same meaning as one added around it."""
        return not (self.is_aggregated or self.is_sliced or any(isinstance(one, Computed) for one in self.columns))

    @property
    def depth(self) -> int:
        """How many queries are nested in each other."""
        return 1 + max((graph.depth for graph in nodes(self.where, QueryGraph)), default=0)

    def free(self, name: str) -> Variable:
        """Return a variable that the query does not have; underscores go in front of the name until it is free."""
        taken = {term.name for term in nodes(self, Variable)}
        while name in taken or Variable(name).any_value.name in taken or name[:1].isdigit():
            name = f"_{name}"
        return Variable(name)

    def column_of(self, subject: Variable, relation: IRI) -> Variable | None:
        """Return the column that has the values of a relation of a variable; None if it has no such column."""
        values = [one.object for one in nodes(self, EdgePattern) if (one.subject, one.relation) == (subject, relation)]
        return next((one for one in self.variables if one in values or one.any_value in values), None)

    def normalised(self) -> QueryGraph:
        """Return it with readable names for variables that are only numbered: ``?answer``, ``?x``, ``?y``, ``?z``.

        The numbers depend on the course of the search; without them, equal queries have equal texts.
        """
        return substituted(self, Names())

    # Operators on the columns

    def showing(self, *columns: Column) -> QueryGraph:
        """Return the query for other columns of the same matches."""
        return replace(self, columns=columns, ask=False)

    def asked(self) -> QueryGraph:
        """Return the query that asks whether there is any row."""
        inner = self if self.is_open else self._wrapped()
        return replace(inner, columns=(), order=(), distinct=False, ask=True)

    def counted(self, name: Variable | None = None) -> QueryGraph:
        """Return the query for the number of its rows: of different values where it has one column.

        Raises:
            ValueError: It has no rows to count, for it is a yes/no question.
        """
        self._check_rows()
        name = name or self.free("count")
        variables = self.variables
        counts = Aggregate("COUNT", variables[0] if len(variables) == 1 else None, distinct=len(variables) == 1)
        inner = self if self.is_open and len(variables) == 1 else self._wrapped()
        return replace(inner, columns=(Computed(counts, name),), order=(), distinct=False)

    # Operators on the rows

    def sorted_by(self, *keys: Order | Value) -> QueryGraph:
        """Return the query with its rows in another order; a key without a direction is ascending.

        With a limit or an offset, the remaining rows are sorted.
        """
        self._check_rows()
        order = tuple(key if isinstance(key, Order) else Order(key) for key in keys)
        return replace(self._wrapped() if self.is_sliced else self, order=order)

    def first(self, count: int, skip: int = 0) -> QueryGraph:
        """Return the query for some of its rows, in its order: a limit after an offset."""
        self._check_rows()
        left = count if self.limit is None else max(0, min(count, self.limit - skip))
        return replace(self, limit=left, offset=self.offset + skip)

    def extreme(self, key: Value, *, descending: bool, count: int = 1, skip: int = 0) -> QueryGraph:
        """Return the query for the rows with the greatest or least keys: the second longest, the three largest."""
        return self.sorted_by(Order(key, descending)).first(count, skip)

    def with_column(self, variable: Variable, *parts: Part, greatest: bool | None = None) -> QueryGraph:
        """Return the query with a further column that patterns bind.

        Where one value per row is wanted, the greatest or the least, the patterns bind ``variable.any_value``; else
        there is a row for each value.
        """
        self._check_rows()
        inner = self if self.is_open else self._wrapped()
        own = inner.variables
        where = (*inner.where, *parts)
        if greatest is None:
            return replace(inner, columns=(*own, variable), where=where)
        value = Computed(Aggregate("MAX" if greatest else "MIN", variable.any_value), variable)
        order = tuple(one for one in inner.order if set(nodes(one, Variable)) <= set(own))
        return replace(inner, columns=(*own, value), where=where, groups=own, order=order, distinct=False)

    def ordered_by_column(self, variable: Variable, *, descending: bool) -> QueryGraph:
        """Return the query in the order of a column, rows without a value last."""
        unbound = () if descending else (Order(patterns.Not(patterns.Call("BOUND", (variable,)))),)
        return self.sorted_by(*unbound, Order(variable, descending))

    # Operators on the patterns

    def narrowed(self, *parts: Part) -> QueryGraph:
        """Return the query for those of its rows that match further patterns."""
        if self.ask:
            return replace(self, where=(*self.where, *parts))
        inner = self if self.is_open else self._wrapped()
        columns = inner.columns or inner.variables  # a new pattern adds no column
        return replace(inner, columns=columns, where=(*inner.where, *parts), distinct=True)

    def without(self, *parts: Part) -> QueryGraph:
        """Return the query for those of its rows that do not match further patterns."""
        return self.narrowed(patterns.NegatedPart(parts))

    def without_values(self, variable: Variable, values: Iterable[IRI | Literal]) -> QueryGraph:
        """Return the query for those of its rows in which a variable has none of some values."""
        left_out = tuple(values)
        return self.narrowed(*([patterns.Filter(patterns.OneOf(variable, left_out, negated=True))] if left_out else []))

    def swapped(self, old: IRI | Literal | Variable, new: IRI | Literal | Variable) -> QueryGraph:
        """Return the query with one term replaced everywhere: an entity, a class, a relation or a variable."""
        return substituted(self, {old: new})

    def for_each(self, old: IRI, options: Sequence[IRI], variable: Variable) -> QueryGraph:
        """Return the query for several entities in place of one, with the entity as a first column.

        Raises:
            ValueError: It has a limit or an offset, which would apply to all entities together.
        """
        if self.is_sliced:
            raise ValueError("a query with a limit or an offset cannot be asked for several entities at once")
        each = self.swapped(old, variable)
        where = (Values.of(variable, *options), *each.where)
        if self.ask:
            return replace(each, columns=(variable,), where=where, distinct=True, ask=False)
        groups = (variable, *each.groups) if each.is_aggregated else ()
        return replace(each, columns=(variable, *(each.columns or each.variables)), where=where, groups=groups)

    def united(self, other: QueryGraph) -> QueryGraph:
        """Return the union of its rows and those of another query, column by column.

        Raises:
            ValueError: The numbers of columns differ.
        """
        own, others = self.variables, other.variables
        if self.ask or other.ask or len(own) != len(others):
            raise ValueError("only queries with the same number of columns can be united")
        inner = set(patterns.terms(other)) - set(others)
        away = {name: other.free(f"{name.name}_other") for name in own if name in inner}
        other = substituted(substituted(other, away), dict(zip(others, own, strict=True)))
        return QueryGraph(own, (patterns.Union(((self.nested(),), (other.nested(),))),), distinct=True)

    def beside(self, other: QueryGraph) -> QueryGraph:
        """Return the query with its columns and those of another query: each row of one with each of the other.

        Raises:
            ValueError: One of them is a yes/no question.
        """
        if self.ask or other.ask:
            raise ValueError("only queries with columns can stand side by side")
        away = {name: self.free(f"{name.name}_other") for name in other.variables if name in self.variables}
        other = substituted(other, away)
        return QueryGraph((*self.variables, *other.variables), (self.nested(), other.nested()), distinct=True)

    # Nesting

    def _wrapped(self) -> QueryGraph:
        """Return a query that has it as a sub-select and keeps its order."""
        own = self.variables
        kept = (one for one in self.order if set(nodes(one, Variable)) <= set(own))
        order = tuple(one for one in kept if not any(nodes(one, Aggregate)))
        made = QueryGraph(own, (self.nested(),), order=order, distinct=self.distinct)
        return replace(made, sources=self.sources, named_sources=self.named_sources)

    def nested(self) -> QueryGraph:
        """Return it as a sub-select, without an order that has no effect there."""
        return replace(self, order=self.order if self.is_sliced else (), sources=(), named_sources=())

    def _check_rows(self) -> None:
        if self.ask:
            raise ValueError("a yes/no question has no rows")


def in_scope(parts: tuple[Part, ...]) -> tuple[Variable, ...]:
    """Return the variables that patterns bind: without those that occur in conditions or negated patterns only."""
    found: dict[Variable, None] = {}
    for part in parts:
        match part:
            case patterns.Filter() | patterns.NegatedPart():
                continue
            case patterns.Bind(_, variable):
                names: tuple[Any, ...] = (variable,)
            case Values(variables):
                names = variables
            case patterns.ClassPattern(kind, _, instance):
                names = (kind, instance)
            case patterns.OptionalPart(inner):
                names = in_scope(inner)
            case patterns.GraphPart(graph, inner) | patterns.Service(graph, inner):
                names = (graph, *in_scope(inner))
            case patterns.Union(groups):
                names = tuple(name for group in groups for name in in_scope(group))
            case EdgePattern():
                names = tuple(patterns.terms(part))
            case _:
                names = getattr(part, "variables", ())  # of a query graph within this one
        found |= dict.fromkeys(name for name in names if isinstance(name, Variable))
    return tuple(found)
