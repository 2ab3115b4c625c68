"""From a parsed query to a query graph, so that operators work on all queries alike.

A part of a query for which there is no type becomes an opaque part with its text as written. A query that does not
consist of SELECT or ASK, patterns and modifiers becomes an opaque sub-select.

>>> tree = sparql.parse("SELECT ?x { ?x <director> <Ann> . ?x <partOf>* ?y } ORDER BY ?y")
>>> from_sparql(tree).where
(EdgePattern(subject=Variable(name='x'), relation=IRI(value='director'), object=IRI(value='Ann')), \
OpaquePart(text='?x <partOf>* ?y .', shown=(Variable(name='x'), Variable(name='y'))))
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from triad import sparql
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
    from_leaf,
    in_scope,
    inside,
)
from triad.queries.query_graph import Order, QueryGraph
from triad.rdf import IRI, RDFS, Literal
from triad.sparql.term import NIL, TYPE, URIRef
from triad.sparql.term import Literal as LeafLiteral
from triad.sparql.term import Variable as LeafVariable

__all__ = ["from_sparql"]

_AGGREGATES: Final = ("Count", "Sum", "Avg", "Min", "Max", "Sample")
_UNUSUAL: Final = ("EXISTS", "NOTEXISTS", "CONCAT", "COALESCE")  # functions of patterns or of lists
_CHAINS: Final = {"ConditionalAndExpression": "&&", "ConditionalOrExpression": "||"}


def from_sparql(tree: sparql.Node) -> QueryGraph:
    """Return the query graph of a parsed SELECT or ASK query.

    Raises:
        ValueError: It is a query of another form.
    """
    form = sparql.FORMS.get(tree.name, "SELECT")
    if form not in ("SELECT", "ASK"):
        raise ValueError(f"a {form} query has no rows and no truth value")
    sources: dict[bool, list[IRI]] = {True: [], False: []}
    for clause in tree.datasetClause or []:
        sources[clause.default is not None].append(IRI(str(clause.default or clause.named)))
    where = tuple(_group(tree.where))
    if tree.valuesClause:
        if form == "SELECT" and (tree.groupby or tree.having or any(map(_aggregates, tree.projection or []))):
            return _opaque(tree)
        where = (*where, _values(tree.valuesClause))
    clauses = tree.limitoffset or {}
    columns = tuple(_columns(tree)) or (in_scope(where) if form == "SELECT" else ())
    return QueryGraph(
        columns,
        where,
        tuple(_key(item) for item in tree.groupby.condition) if tree.groupby else (),
        tuple(map(_expression, tree.having.condition)) if tree.having else (),
        tuple(Order(_expression(item.expr), item.order == "DESC") for item in tree.orderby.condition)
        if tree.orderby
        else (),
        int(clauses["limit"]) if "limit" in clauses else None,
        int(clauses["offset"]) if "offset" in clauses else 0,
        distinct=tree.modifier == "DISTINCT",
        ask=form == "ASK",
        sources=tuple(sources[True]),
        named_sources=tuple(sources[False]),
    )


def _columns(tree: sparql.Node) -> Iterator[Variable | Computed]:
    for item in tree.projection or []:
        if item.var is not None:
            yield Variable(str(item.var))
        else:
            yield Computed(_expression(item.expr), Variable(str(item.evar)))


def _key(item: Any) -> Any:
    if isinstance(item, sparql.Node) and item.name == "GroupAs":
        value = _expression(item.expr)
        return value if item.var is None else Computed(value, Variable(str(item.var)))
    return _expression(item)


def _opaque(tree: sparql.Node) -> QueryGraph:
    """Return a query with another one, as it was written, as its sub-select."""
    shown = tuple(column.variable if isinstance(column, Computed) else column for column in _columns(tree))
    order = [item for item in (tree.orderby.condition if tree.orderby else ()) if isinstance(item.expr, LeafVariable)]
    return QueryGraph(
        shown,
        (OpaquePart(f"{{ {sparql.write(tree, {})} }}", shown),),
        order=tuple(
            Order(Variable(str(item.expr)), item.order == "DESC") for item in order if Variable(str(item.expr)) in shown
        ),
    )


# Patterns -------------------------------------------------------------------------------------------------


def _group(tree: Any) -> Iterator[Part]:
    """Yield the parts of a group of patterns in braces."""
    if tree is None:
        return
    if tree.name in ("SubSelect", "SelectQuery"):
        yield from_sparql(tree)
        return
    for part in tree.part or []:
        yield from _parts(part)


def _parts(part: sparql.Node) -> Iterator[Part]:
    match part.name:
        case "TriplesBlock":
            for flat in part.triples or []:
                for at in range(0, len(flat), 3):
                    yield _edge(*flat[at : at + 3])
        case "Filter":
            expression = part.expr
            if isinstance(expression, sparql.Node) and expression.name == "Builtin_NOTEXISTS":
                yield NegatedPart(tuple(_group(expression.graph)))
            else:
                yield Filter(_expression(expression))
        case "OptionalGraphPattern":
            yield OptionalPart(tuple(_group(part.graph)))
        case "GraphGraphPattern":
            graph = from_leaf(part.term)
            assert isinstance(graph, Variable | IRI)  # which SPARQL's grammar says
            yield GraphPart(graph, tuple(_group(part.graph)))
        case "MinusGraphPattern":
            yield NegatedPart(tuple(_group(part.graph)), minus=True)
        case "GroupOrUnionGraphPattern":
            groups = tuple(tuple(_group(graph)) for graph in part.graph)
            if len(groups) == 1 and len(groups[0]) == 1 and isinstance(groups[0][0], QueryGraph):
                yield groups[0][0]
            else:
                yield Union(groups)
        case "Bind":
            yield Bind(_expression(part.expr), Variable(str(part.var)))
        case "InlineData":
            yield _values(part)
        case _:
            yield _as_written(part)


def _edge(subject: Any, predicate: Any, value: Any) -> Part:
    path = sparql.simple(predicate)
    if isinstance(value, URIRef) and _leads_to_classes(path):
        return ClassPattern(None, (IRI(str(value)),), from_leaf(subject), below=True)
    if isinstance(path, URIRef | LeafVariable):
        relation: Any = from_leaf(path)
    elif path.name == "PathElt" and path.mod == "+" and isinstance(path.part, URIRef):
        relation = Path((IRI(str(path.part)),), "+")
    elif steps := _steps(path):
        relation = Path(tuple(IRI(str(step)) for step in steps), "/" if path.name == "PathSequence" else "|")
    else:
        return _as_written(sparql.Node("TriplesBlock", triples=[[subject, predicate, value]]))
    return EdgePattern(from_leaf(subject), relation, from_leaf(value))


def _leads_to_classes(path: Any) -> bool:
    """Return whether a path leads from an instance to its classes, and on to those above them."""
    if not isinstance(path, sparql.Node) or path.name != "PathSequence" or len(path.part) != 2:
        return False
    first, last = map(sparql.simple, path.part)
    above = isinstance(last, sparql.Node) and last.part == URIRef(RDFS + "subClassOf") and last.mod == "*"
    return bool(first == TYPE and above)


def _steps(path: Any) -> list[URIRef]:
    """Return the relations of a path that is a sequence or a list of alternatives."""
    if not isinstance(path, sparql.Node) or path.name not in ("PathSequence", "PathAlternative"):
        return []
    steps = [sparql.simple(part) for part in path.part]
    return steps if all(isinstance(step, URIRef) for step in steps) else []


def _values(part: sparql.Node) -> Values:
    rows = (row if isinstance(row, list) else [row] for row in part.value or [])
    return Values(
        tuple(Variable(str(name)) for name in part.var or []),
        tuple(tuple(map(_value, row)) for row in rows),
    )


def _value(term: Any) -> IRI | Literal | None:
    found = None if term == "UNDEF" else from_leaf(term)
    return found if isinstance(found, IRI | Literal) else None


def _as_written(part: sparql.Node) -> OpaquePart:
    shown = dict.fromkeys(Variable(str(term)) for term in sparql.terms(part) if isinstance(term, LeafVariable))
    return OpaquePart(inside([part]), tuple(shown))


# Expressions ----------------------------------------------------------------------------------------------


def _expression(tree: Any) -> Any:
    if isinstance(tree, LeafVariable | URIRef | LeafLiteral):
        return from_leaf(tree)
    if isinstance(tree, sparql.Node):
        return _typed(tree) or OpaqueExpression(_text(tree), _aggregates(tree))
    raise TypeError(f"not an expression: {tree!r}")


def _typed(tree: sparql.Node) -> Any:
    """Return a parsed expression as a typed one; None if there is no type for it."""
    name = tree.name
    if name in _CHAINS:
        return Logic((_expression(tree.expr), *map(_expression, tree.other)), _CHAINS[name])  # type: ignore[arg-type]
    if name == "RelationalExpression":
        if tree.op.endswith("IN"):
            options = [] if tree.other == NIL else tree.other
            return OneOf(_expression(tree.expr), tuple(map(_expression, options)), tree.op.startswith("NOT"))
        return Comparison(_expression(tree.expr), tree.op, _expression(tree.other))
    if name in ("AdditiveExpression", "MultiplicativeExpression"):
        found = _expression(tree.expr)
        if len(tree.op) != len(tree.other):
            return None  # "?x -1", whose sign is the number's
        for sign, other in zip(tree.op, tree.other, strict=True):
            found = Arithmetic(found, sign, _expression(other))
        return found
    if name == "UnaryNot":
        return Not(_expression(tree.expr))
    if name.startswith("Builtin_") and (function := name.removeprefix("Builtin_")) not in _UNUSUAL:
        return Call(function, tuple(map(_expression, tree.values())))
    if name == "Function" and not tree.distinct:
        return Call(IRI(str(tree.iri)), tuple(map(_expression, tree.expr or [])))
    if name.startswith("Aggregate_") and name.removeprefix("Aggregate_") in _AGGREGATES:
        of = None if isinstance(tree.vars, str) and tree.vars == "*" else _expression(tree.vars)
        return Aggregate(name.removeprefix("Aggregate_").upper(), of, bool(tree.distinct))
    return None


def _text(tree: sparql.Node) -> str:
    return inside([sparql.Node("Filter", expr=tree)]).removeprefix("FILTER (").removesuffix(")")


def _aggregates(tree: Any) -> bool:
    return any(node.name.startswith("Aggregate_") for node in sparql.nodes(tree))
