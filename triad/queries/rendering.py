"""How SPARQL writes a query graph: on one line, with whole IRIs, each part in one way.

>>> x = Variable("x")
>>> render(QueryGraph.of(x, EdgePattern(x, IRI("http://example.org/director"), Literal("Ann"))))
'SELECT DISTINCT ?x { ?x <http://example.org/director> "Ann" . }'
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
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
)
from triad.queries.query_graph import QueryGraph
from triad.rdf import IRI, RDF_TYPE, XSD, BlankNode, Literal

__all__ = ["render", "render_parts"]

_NOT_IN_IRI: Final = re.compile(r'[<>"{}|^`\\\x00-\x20]')
# Numbers and truth values that need no quotes.
_BARE: Final = {
    XSD + "integer": re.compile(r"0|-?[1-9][0-9]*"),
    XSD + "decimal": re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+"),
    XSD + "double": re.compile(r"-?[0-9]+(?:\.[0-9]+)?e[+-]?[0-9]+"),
    XSD + "boolean": re.compile(r"true|false"),
}
_LOOSE: Final = (Comparison, OneOf, Logic, Arithmetic, Not)  # what needs brackets beside another operator


def render(graph: QueryGraph) -> str:
    """Return a query graph as SPARQL.

    Raises:
        QuerySyntaxError: SPARQL cannot write an IRI in it.
    """
    return " ".join(_query(graph))


def render_parts(parts: Iterable[Part]) -> str:
    """Return patterns as SPARQL, without braces.

    Raises:
        QuerySyntaxError: SPARQL cannot write an IRI in them.
    """
    return " ".join(map(_part, parts))


def _query(graph: QueryGraph) -> Iterator[str]:
    if graph.ask:
        yield "ASK"
    else:
        yield "SELECT DISTINCT" if graph.distinct else "SELECT"
        yield " ".join(map(_column, graph.columns)) or "*"
    yield from (f"FROM {_term(source)}" for source in graph.sources)
    yield from (f"FROM NAMED {_term(source)}" for source in graph.named_sources)
    yield _braces(graph.where)
    if graph.groups:
        yield "GROUP BY " + " ".join(map(_key, graph.groups))
    if graph.having:
        yield "HAVING" + " ".join(f"({_expression(condition)})" for condition in graph.having)
    if graph.order:
        keys = ((("DESC" if one.descending else "ASC"), _expression(one.key)) for one in graph.order)
        yield "ORDER BY " + " ".join(f"{way}({key})" for way, key in keys)
    if graph.limit is not None:
        yield f"LIMIT {graph.limit}"
    if graph.offset:
        yield f"OFFSET {graph.offset}"


def _column(column: Variable | Computed) -> str:
    if isinstance(column, Computed):
        return f"({_expression(column.expression)} AS {column.variable})"
    return str(column)


def _key(key: Any) -> str:
    if isinstance(key, Variable):
        return str(key)
    return _column(key) if isinstance(key, Computed) else f"({_expression(key)})"


def _braces(parts: Iterable[Part]) -> str:
    return f"{{ {render_parts(parts)} }}"


def _part(part: Part) -> str:
    match part:
        case EdgePattern(subject, relation, value):
            return f"{_term(subject)} {_relation(relation)} {_term(value)} ."
        case Filter(expression):
            return f"FILTER({_expression(expression)})"
        case ClassPattern(kind, classes, instance):
            if kind is None:
                return f"{_term(instance)} <{RDF_TYPE}> {_term(classes[0])} ."
            names = " ".join(map(_term, classes))
            return f"VALUES {kind} {{ {names} }} {_term(instance)} <{RDF_TYPE}> {kind} ."
        case Values():
            return _values(part)
        case OptionalPart(parts):
            return f"OPTIONAL {_braces(parts)}"
        case NegatedPart(parts, minus):
            return f"{'MINUS' if minus else 'FILTER NOT EXISTS'} {_braces(parts)}"
        case Union(groups):
            return " UNION ".join(map(_braces, groups))
        case Bind(expression, variable):
            return f"BIND({_expression(expression)} AS {variable})"
        case QueryGraph():
            return f"{{ {render(part)} }}"
        case OpaquePart(text):
            return text
    raise TypeError(f"not a part of a query: {part!r}")


def _values(values: Values) -> str:
    rows = (" ".join("UNDEF" if term is None else _term(term) for term in row) for row in values.rows)
    if len(values.variables) == 1:
        return f"VALUES {values.variables[0]} {{ {' '.join(rows)} }}"
    return f"VALUES ({' '.join(map(str, values.variables))}) {{ {' '.join(f'({row})' for row in rows)} }}"


def _relation(relation: Variable | IRI | Path) -> str:
    return relation.sign.join(map(_term, relation.relations)) if isinstance(relation, Path) else _term(relation)


def _term(term: Variable | IRI | Literal | BlankNode) -> str:
    if isinstance(term, Variable):
        return str(term)
    if isinstance(term, IRI):
        return _iri(term.value)
    if isinstance(term, Literal) and not term.language and term.datatype != XSD + "string":
        return f"{Literal(term.value).n3()}^^{_iri(term.datatype)}"
    return term.n3()


@lru_cache(maxsize=10_000)
def _iri(iri: str) -> str:
    if bad := _NOT_IN_IRI.search(iri):
        raise QuerySyntaxError(f"the IRI {iri!r} cannot be written: it has the character {bad[0]!r}")
    return f"<{iri}>"


def _expression(value: Any) -> str:
    match value:
        case Literal(text, datatype) if datatype in _BARE and _BARE[datatype].fullmatch(text):
            return text
        case Variable() | IRI() | Literal():
            return _term(value)
        case Comparison(left, sign, right) | Arithmetic(left, sign, right):
            return f"{_operand(left)} {sign} {_operand(right)}"
        case OneOf(left, options, negated):
            return f"{_operand(left)} {'NOT IN' if negated else 'IN'} ({', '.join(map(_expression, options))})"
        case Logic(parts, sign):
            return f" {sign} ".join(_expression(one) if _binds(one) else _operand(one) for one in parts)
        case Not(part):
            return f"!{_operand(part)}"
        case Call(function, arguments):
            name = function if isinstance(function, str) else _term(function)
            return f"{name}({', '.join(map(_expression, arguments))})"
        case Aggregate(function, of, distinct):
            return f"{function}({'DISTINCT ' if distinct else ''}{'*' if of is None else _expression(of)})"
        case OpaqueExpression(text):
            return f"({text})"
    raise TypeError(f"not an expression: {value!r}")


def _operand(value: Any) -> str:
    text = _expression(value)
    return f"({text})" if isinstance(value, _LOOSE) else text


def _binds(value: Any) -> bool:
    """Tell whether an expression binds closer than && and ||."""
    return isinstance(value, Comparison | OneOf)
