"""What a query is made of: terms, expressions over them, and the patterns that rows must match.

All are frozen values; two that say the same are equal. The fields of each stand in the order in which SPARQL writes
them, so that `terms` gives the terms in the order of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal as Choice, TypeVar

from triad.rdf import IRI, RDF_TYPE, RDFS, BlankNode, Literal

T = TypeVar("T")

_LISTED: Final = 10  # classes that a query lists at most; a longer list is not read by anybody


def is_followed(kinds: Sequence[str]) -> bool:
    """Return whether a query follows the classes below a class in the graph, for they are too many to be listed."""
    return len(kinds) > _LISTED


class Expression:
    """An expression: it has a value in each row."""

    __slots__ = ()


class Part:
    """A part of a query's patterns, which rows must match."""

    __slots__ = ()


# Terms ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    """A variable of a query."""

    name: str
    """Its name, without question mark."""

    @property
    def any_value(self) -> Variable:
        """The variable of all values of which this one is the greatest or least."""
        return Variable(f"{self.name}_any")

    def __str__(self) -> str:
        return f"?{self.name}"


@dataclass(frozen=True, slots=True)
class TripleTerm:
    """A triple as a term of RDF 1.2, which a node reifies: ``<<( s p o )>>``."""

    subject: QueryTerm
    relation: Variable | IRI
    object: QueryTerm | TripleTerm


QueryTerm = Variable | IRI | Literal | BlankNode
"""The terms that may stand at the ends of an edge."""
Value = Expression | IRI | Literal
"""The terms that may be compared and computed with."""


@dataclass(frozen=True, slots=True)
class Path:
    """A path of relations, each of which may be a path itself."""

    relations: tuple[IRI | Path, ...]
    sign: Choice["/", "|", "+", "*", "?", "^", "!"] = "/"
    """Whether it is a sequence, a list of alternatives, or one relation that is followed once or more often, any number
    of times, once at the most, or against its direction; ``!`` stands for any relation but these."""


Relation = Variable | IRI | Path
"""What may stand between the ends of an edge."""


CLASS_OR_BELOW: Final = Path((IRI(RDF_TYPE), Path((IRI(RDFS + "subClassOf"),), "*")))
"""The path from an instance to its classes, and on to those above them."""

# Expressions ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Comparison(Expression):
    """A comparison of two values."""

    left: Value
    sign: str
    """One of ``=``, ``!=``, ``<``, ``<=``, ``>`` and ``>=``."""
    right: Value


@dataclass(frozen=True, slots=True)
class OneOf(Expression):
    """The condition that a value is one of several, or is none of several."""

    value: Value
    options: tuple[Value, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Logic(Expression):
    """Conditions that must all hold, or of which one must hold."""

    parts: tuple[Value, ...]
    sign: Choice["&&", "||"] = "&&"


@dataclass(frozen=True, slots=True)
class Not(Expression):
    """A condition that must not hold."""

    part: Value


@dataclass(frozen=True, slots=True)
class Arithmetic(Expression):
    """A sum, difference, product or quotient."""

    left: Value
    sign: str
    right: Value


@dataclass(frozen=True, slots=True)
class Signed(Expression):
    """A value after a plus or a minus."""

    sign: str
    part: Value


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A function of values."""

    function: str | IRI
    """The name of a built-in function, such as ``STR``, or the IRI of another one."""
    arguments: tuple[Value, ...]
    distinct: bool = False


@dataclass(frozen=True, slots=True)
class Exists(Expression):
    """The condition that patterns have a match, or have none."""

    parts: tuple[Part, ...]
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Aggregate(Expression):
    """One value of many rows."""

    function: str
    """``COUNT``, ``SUM``, ``AVG``, ``MIN``, ``MAX``, ``SAMPLE`` or ``GROUP_CONCAT``."""
    of: Value | None = None
    """What is counted or summed up; None stands for whole rows."""
    distinct: bool = False
    separator: str | None = None
    """What is written between texts that are joined."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A column whose values are computed."""

    expression: Value
    variable: Variable


# Parts ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class EdgePattern(Part):
    """A triple pattern: a relation that leads from one node of the graph to another, or to a triple that it reifies."""

    subject: QueryTerm
    relation: Relation
    object: QueryTerm  # or a TripleTerm, which only what reifies one has


@dataclass(frozen=True, slots=True)
class Values(Part):
    """The terms that variables may stand for; None leaves a variable open."""

    variables: tuple[Variable, ...]
    rows: tuple[tuple[IRI | Literal | None, ...], ...]

    @classmethod
    def of(cls, variable: Variable, *options: IRI | Literal) -> Values:
        """Return the values of one variable."""
        return cls((variable,), tuple((option,) for option in options))


@dataclass(frozen=True, slots=True)
class ClassPattern(Part):
    """The pattern that a term is an instance of one of some classes."""

    kind: Variable | None
    """The variable for the class, needed where there are several."""
    classes: tuple[IRI, ...]
    instance: QueryTerm
    below: bool = False
    """Whether it may be of a class below the one, as far as the graph tells which these are."""

    @classmethod
    def of(cls, instance: QueryTerm, kinds: Sequence[str], kind: Callable[[], Variable]) -> ClassPattern:
        """Return the pattern that a term is an instance of a class, or of one of those below it that matter.

        The kinds are the IRI of the class, and of all those below it, as `triad.kg.schema.Schema.kinds` tells them;
        `kind` gives a new variable for the class.

        A few classes are listed. Where there are more, the pattern follows the classes of the graph, so that it can be
        read, and none is left out.
        """
        if is_followed(kinds):
            return cls(None, (IRI(kinds[0]),), instance, below=True)
        return cls(kind() if len(kinds) > 1 else None, tuple(map(IRI, kinds)), instance)

    def plain(self) -> tuple[Part, ...]:
        """Return it as a parsed query has it: as an edge, behind the list of its classes where there are several."""
        if self.kind is not None:
            return Values.of(self.kind, *self.classes), EdgePattern(self.instance, IRI(RDF_TYPE), self.kind)
        return (EdgePattern(self.instance, CLASS_OR_BELOW if self.below else IRI(RDF_TYPE), self.classes[0]),)


@dataclass(frozen=True, slots=True)
class Filter(Part):
    """A condition that each row must meet."""

    expression: Value


@dataclass(frozen=True, slots=True)
class Bind(Part):
    """Binds the value of an expression to a variable."""

    expression: Value
    variable: Variable


@dataclass(frozen=True, slots=True)
class OptionalPart(Part):
    """Patterns that rows match where they can."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class NegatedPart(Part):
    """Patterns that rows must not match."""

    parts: tuple[Part, ...]
    minus: bool = False
    """Whether SPARQL's MINUS is meant and not FILTER NOT EXISTS."""


@dataclass(frozen=True, slots=True)
class GraphPart(Part):
    """Patterns that rows match within one named graph."""

    graph: Variable | IRI
    """The graph; a variable stands for any named graph, the same one for all the patterns."""
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Union(Part):
    """Groups of patterns of which rows match at least one; a single group stands for braces."""

    groups: tuple[tuple[Part, ...], ...]


@dataclass(frozen=True, slots=True)
class Service(Part):
    """Patterns that another endpoint matches."""

    endpoint: Variable | IRI
    parts: tuple[Part, ...]
    silent: bool = False
    """Whether it is left out where the endpoint fails."""


# All of them ----------------------------------------------------------------------------------------------

_TERMS: Final[tuple[type[Any], ...]] = (Variable, IRI, Literal, BlankNode)
_ATOMS: Final = frozenset(_TERMS)
_PLAIN: Final = frozenset((str, bool, int, type(None)))  # types of fields that hold no terms


@cache
def _getter(kind: Any) -> Callable[[Any], Sequence[Any]]:
    get = attrgetter(*kind.__match_args__)
    return get if len(kind.__match_args__) > 1 else lambda value: (get(value),)


def fields(value: Any) -> Sequence[Any]:
    """Return what a part, an expression or a query graph is made of, in the order of the text."""
    kind: Any = type(value)
    return _getter(kind)(value)


def nodes(value: Any, *kinds: type[T]) -> Iterator[T]:
    """Yield what is of some types, in the order of the text: terms, parts, expressions, columns, sort keys, queries."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        kind: Any = type(one)
        if kind is tuple:
            waiting += one[::-1]
        elif kind not in _PLAIN:
            if isinstance(one, kinds):
                yield one
            waiting += () if kind in _ATOMS else _getter(kind)(one)[::-1]


def terms(value: Any) -> list[QueryTerm]:
    """Return the terms of a part, an expression, a query graph or several of them, in the order of the text."""
    return [*nodes(value, *_TERMS)]


def substituted(value: T, new: Mapping[Any, QueryTerm] | Callable[[QueryTerm], QueryTerm]) -> T:
    """Return a copy with terms replaced: by a mapping, or by a function, which gets them in the order of the text.

    Strings are left as they are.

    >>> line = EdgePattern(Variable("x"), IRI("motto"), Literal("Ask ?x now"))
    >>> substituted(line, {Variable("x"): Variable("y")}).subject
    Variable(name='y')
    >>> substituted(line, {Variable("x"): Variable("y")}).object.value
    'Ask ?x now'
    """
    change = new if callable(new) else lambda term: new.get(term, term)
    return _substituted(value, change)  # type: ignore[no-any-return]  # of the same type, which recursion cannot say


def _substituted(value: Any, new: Callable[[QueryTerm], QueryTerm]) -> Any:
    kind = type(value)
    if kind is tuple:
        return tuple([_substituted(one, new) for one in value]) if value else value
    if kind in _ATOMS:
        return new(value)
    if kind in _PLAIN:
        return value
    made = [_substituted(getattr(value, name), new) for name in kind.__match_args__]
    if kind is Values and not all(type(name) is Variable for name in made[0]):
        return _chosen(*made)
    return kind(*made)


def _chosen(names: tuple[QueryTerm, ...], rows: tuple[tuple[IRI | Literal | None, ...], ...]) -> Part:
    """Return a VALUES pattern after one of its variables was replaced by a term: only rows with that term stay."""
    if len(names) > 1:
        raise ValueError("one of several variables with joint values cannot become a term")
    options = tuple(option for [option] in rows if option is not None)
    if len(options) < len(rows) or isinstance(names[0], BlankNode):
        raise ValueError("a term cannot replace a variable with open values")
    return Filter(OneOf(names[0], options))


def rewritten(value: T, change: Callable[[Any], Any]) -> T:
    """Return a copy with parts, expressions, columns and sort keys replaced.

    `change` returns what stands in place of one, which is not looked into again: another one, or several for a part of
    a group; itself if nothing is to change.
    """
    return _rewritten(value, change)  # type: ignore[no-any-return]  # as in `substituted`


def _rewritten(value: Any, change: Callable[[Any], Any]) -> Any:
    kind = type(value)
    if kind is tuple:
        made: list[Any] = []
        for one in value:
            new = _rewritten(one, change)
            made += new if type(new) is tuple and type(one) is not tuple else [new]
        return tuple(made)
    if kind in _ATOMS or kind in _PLAIN:
        return value
    new = change(value)
    return new if new is not value else kind(*[_rewritten(one, change) for one in fields(value)])


def regrouped(value: T, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> T:
    """Return a copy with other groups of patterns, inner ones first."""
    kind: Any = type(value)
    if kind in _ATOMS or kind in _PLAIN:
        return value
    if kind is not tuple:
        return kind(*[regrouped(one, change) for one in fields(value)])  # type: ignore[no-any-return]
    made: Any = tuple([regrouped(one, change) for one in value])  # type: ignore[attr-defined]
    return change(made) if any(isinstance(one, EdgePattern | ClassPattern) for one in made) else made  # type: ignore[return-value]


def plain(value: T) -> T:
    """Return a copy in which the patterns that something is of a class are edges, as they are in a parsed query."""
    return rewritten(value, lambda part: part.plain() if isinstance(part, ClassPattern) else part)


def triples(value: Any) -> Iterator[tuple[QueryTerm, Relation, QueryTerm]]:
    """Yield the ends and the relation of each triple pattern in a value."""
    return ((edge.subject, edge.relation, edge.object) for edge in nodes(plain(value), EdgePattern))
