"""From a query graph to the tree of its query, without a text between that would have to be parsed.

It is the inverse of `triad.queries.reading`, and gives what parsing the text of `triad.queries.rendering.render` gives.

>>> from triad import sparql
>>> x = Variable("x")
>>> tree = tree_of(QueryGraph.of(x, EdgePattern(x, IRI("director"), Literal("Ann"))))
>>> print(sparql.write(tree))
SELECT DISTINCT ?x
WHERE {
  ?x <director> "Ann" .
}
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from triad.errors import QuerySyntaxError
from triad.queries.patterns import (
    Aggregate,
    Arithmetic,
    Bind,
    Call,
    ClassPattern,
    Comparison,
    Computed,
    EdgePattern,
    Filter,
    GraphPart,
    Logic,
    NegatedPart,
    Not,
    OneOf,
    OpaqueExpression,
    OpaquePart,
    OptionalPart,
    Part,
    Path,
    Union,
    Values,
    Variable,
    parsed,
    to_leaf,
)
from triad.queries.query_graph import Order, QueryGraph
from triad.queries.rendering import is_bare
from triad.rdf import IRI, RDFS, XSD, Literal
from triad.sparql import Node
from triad.sparql.term import NIL, TYPE
from triad.sparql.term import Literal as LeafLiteral

__all__ = ["tree_of"]

# The names that the grammar has for the arguments of functions; of all others these are ``arg``, or ``arg1`` and so on.
_ARGUMENTS: Final = {
    "REGEX": ("text", "pattern", "flags"),
    "REPLACE": ("arg", "pattern", "replacement", "flags"),
    "SUBSTR": ("arg", "start", "length"),
}
_LISTED: Final = ("COALESCE", "CONCAT")  # functions of any number of arguments
_CHAINS: Final = {"&&": "ConditionalAndExpression", "||": "ConditionalOrExpression"}


def tree_of(graph: QueryGraph) -> Node:
    """Return the tree of a query graph.

    Raises:
        QuerySyntaxError: SPARQL cannot write it.
    """
    try:
        return _query(graph, "AskQuery" if graph.ask else "SelectQuery")
    except ValueError as error:
        raise QuerySyntaxError(f"the query cannot be written: {error}") from error


def _query(graph: QueryGraph, name: str) -> Node:
    tree = Node(name)
    if graph.distinct and not graph.ask:
        tree["modifier"] = "DISTINCT"
    if graph.columns and not graph.ask:
        tree["projection"] = [*map(_column, graph.columns)]
    if graph.sources or graph.named_sources:
        tree["datasetClause"] = [
            *(Node("DatasetClause", default=to_leaf(source)) for source in graph.sources),
            *(Node("DatasetClause", named=to_leaf(source)) for source in graph.named_sources),
        ]
    tree["where"] = _group(graph.where)
    if graph.groups:
        tree["groupby"] = Node("GroupClause", condition=[*map(_key, graph.groups)])
    if graph.having:
        tree["having"] = Node("HavingClause", condition=[*map(_expression, graph.having)])
    if graph.order:
        tree["orderby"] = Node("OrderClause", condition=[*map(_order, graph.order)])
    slices = {"limit": graph.limit, "offset": graph.offset or None}
    if numbers := {name: LeafLiteral(number) for name, number in slices.items() if number is not None}:
        tree["limitoffset"] = Node("LimitOffsetClauses", **numbers)
    return tree


def _column(column: Variable | Computed) -> Node:
    if isinstance(column, Computed):
        return Node("vars", expr=_expression(column.expression), evar=to_leaf(column.variable))
    return Node("vars", var=to_leaf(column))


def _order(order: Order) -> Node:
    return Node("OrderCondition", order="DESC" if order.descending else "ASC", expr=_expression(order.key))


def _key(key: Any) -> Any:
    if isinstance(key, Variable):
        return to_leaf(key)
    if isinstance(key, Computed):
        return Node("GroupAs", expr=_expression(key.expression), var=to_leaf(key.variable))
    return Node("GroupAs", expr=_expression(key))


# Patterns -------------------------------------------------------------------------------------------------


def _group(parts: Iterable[Part]) -> Node:
    """Return patterns as a group in braces; triples side by side are one block."""
    made: list[Node] = []
    for part in parts:
        for one in _nodes(part):
            if made and one.name == made[-1].name == "TriplesBlock":
                made[-1]["triples"] += one.triples
            else:
                made.append(one)
    return Node("GroupGraphPatternSub", **({"part": made} if made else {}))


def _nodes(part: Part) -> Iterator[Node]:
    match part:
        case EdgePattern(subject, relation, value):
            yield _triple(to_leaf(subject), _relation(relation), to_leaf(value))
        case ClassPattern(_, (cls,), instance, below=True):
            yield _triple(to_leaf(instance), of_class_or_below(), to_leaf(cls))
        case ClassPattern(None, classes, instance):
            yield _triple(to_leaf(instance), TYPE, to_leaf(classes[0]))
        case ClassPattern(Variable() as kind, classes, instance):
            yield _values(Values.of(kind, *classes))
            yield _triple(to_leaf(instance), TYPE, to_leaf(kind))
        case Filter(expression):
            yield Node("Filter", expr=_expression(expression))
        case Values():
            yield _values(part)
        case OptionalPart(parts):
            yield Node("OptionalGraphPattern", graph=_group(parts))
        case NegatedPart(parts, minus=True):
            yield Node("MinusGraphPattern", graph=_group(parts))
        case NegatedPart(parts):
            yield Node("Filter", expr=Node("Builtin_NOTEXISTS", graph=_group(parts)))
        case GraphPart(graph, parts):
            yield Node("GraphGraphPattern", term=to_leaf(graph), graph=_group(parts))
        case Union(groups):
            yield Node("GroupOrUnionGraphPattern", graph=[*map(_group, groups)])
        case Bind(expression, variable):
            yield Node("Bind", expr=_expression(expression), var=to_leaf(variable))
        case QueryGraph(ask=False, sources=(), named_sources=()):
            yield Node("GroupOrUnionGraphPattern", graph=[_query(part, "SubSelect")])
        case OpaquePart():
            yield from parsed(part)
        case _:
            raise ValueError(f"not a part of a query: {part!r}")


def _triple(subject: Any, predicate: Any, value: Any) -> Node:
    return Node("TriplesBlock", triples=[[subject, predicate, value]])


def of_class_or_below() -> Node:
    """Return the path from an instance to its classes, and on to those above them."""
    steps = [Node("PathElt", part=TYPE), Node("PathElt", part=to_leaf(IRI(RDFS + "subClassOf")), mod="*")]
    return Node("PathAlternative", part=[Node("PathSequence", part=steps)])


def _relation(relation: Variable | IRI | Path) -> Any:
    if not isinstance(relation, Path):
        return to_leaf(relation)
    steps = [Node("PathElt", part=to_leaf(one)) for one in relation.relations]
    if relation.sign == "+":
        steps = [Node("PathElt", part=to_leaf(relation.relations[0]), mod="+")]
    elif len(steps) == 1:
        return to_leaf(relation.relations[0])
    sequences = [[one] for one in steps] if relation.sign == "|" else [steps]
    return Node("PathAlternative", part=[Node("PathSequence", part=sequence) for sequence in sequences])


def _values(values: Values) -> Node:
    rows: list[Any] = [["UNDEF" if term is None else to_leaf(term) for term in row] for row in values.rows]
    if len(values.variables) == 1:
        rows = [term for row in rows for term in row]
    parts = {"var": [*map(to_leaf, values.variables)], "value": rows}
    return Node("InlineData", **{name: part for name, part in parts.items() if part})


# Expressions ----------------------------------------------------------------------------------------------


def _expression(value: Any) -> Any:
    match value:
        case Literal():
            return _bare(value) if is_bare(value) else to_leaf(value)
        case Variable() | IRI():
            return to_leaf(value)
        case Comparison(left, sign, right):
            return Node("RelationalExpression", expr=_expression(left), op=sign, other=_expression(right))
        case OneOf(left, options, negated):
            others = [*map(_expression, options)] or NIL
            return Node("RelationalExpression", expr=_expression(left), op="NOT IN" if negated else "IN", other=others)
        case Arithmetic(left, sign, right):
            name = "AdditiveExpression" if sign in ("+", "-") else "MultiplicativeExpression"
            return Node(name, expr=_expression(left), op=[sign], other=[_expression(right)])
        case Logic(parts, sign):
            first, *others = map(_expression, parts)
            return Node(_CHAINS[sign], expr=first, other=others) if others else first
        case Not(part):
            return Node("UnaryNot", expr=_expression(part))
        case Call(function, arguments):
            return _call(function, [*map(_expression, arguments)])
        case Aggregate(function, of, distinct):
            name, counted = f"Aggregate_{function.capitalize()}", "*" if of is None else _expression(of)
            return Node(name, distinct="DISTINCT" if distinct else [], vars=counted)
        case OpaqueExpression():
            [condition] = parsed(value)
            return condition.expr
    raise ValueError(f"not an expression: {value!r}")


def _bare(number: Literal) -> Any:
    """Return a number or truth value that is written without quotes, as the grammar reads it."""
    digits = number.value.removeprefix("-")
    leaf = to_leaf(Literal(str(float(digits)) if number.datatype == XSD + "double" else digits, number.datatype))
    return Node("UnaryMinus", expr=leaf) if number.value.startswith("-") else leaf


def _call(function: str | IRI, arguments: list[Any]) -> Node:
    if isinstance(function, IRI):
        given = {"distinct": [], "expr": arguments} if arguments else {}
        return Node("Function", iri=to_leaf(function), **given)
    if function in _LISTED:
        return Node(f"Builtin_{function}", arg=arguments or NIL)
    names = _ARGUMENTS.get(function) or (("arg",) if len(arguments) == 1 else ("arg1", "arg2", "arg3"))
    return Node(f"Builtin_{function}", **dict(zip(names, arguments, strict=False)))
