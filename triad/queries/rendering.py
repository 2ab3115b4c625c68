"""The renderer from query graphs to SPARQL: on one line, with whole IRIs, each part in one way.

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
    substituted,
)
from triad.queries.query_graph import Names, QueryGraph
from triad.rdf import IRI, NOT_IN_IRI, RDF_TYPE, RDFS, XSD, BlankNode, Literal

__all__ = ["is_bare", "render", "render_normalised", "render_parts"]

# Numbers and truth values that need no quotes.
_BARE: Final = {
    XSD + "integer": re.compile(r"0|-?[1-9][0-9]*"),
    XSD + "decimal": re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+"),
    XSD + "double": re.compile(r"-?[0-9]+(?:\.[0-9]+)?e[+-]?[0-9]+"),
    XSD + "boolean": re.compile(r"true|false"),
}
_LOOSE: Final = (Comparison, OneOf, Logic, Arithmetic, Not)  # expressions that need brackets beside an operator


def render(graph: QueryGraph) -> str:
    """Return a query graph as SPARQL.

    Raises:
        QuerySyntaxError: SPARQL cannot write an IRI in it.
    """
    return " ".join(_Renderer().query(graph))


def render_normalised(graph: QueryGraph) -> str:
    """Return a query graph as SPARQL after `QueryGraph.normalised`, in one step.

    Raises:
        QuerySyntaxError: SPARQL cannot write an IRI in it.
    """
    return " ".join(_Renderer(Names()).query(graph))


def render_parts(parts: Iterable[Part]) -> str:
    """Return patterns as SPARQL, without braces.

    Raises:
        QuerySyntaxError: SPARQL cannot write an IRI in them.
    """
    return " ".join(map(_Renderer().part, parts))


def is_bare(literal: Literal) -> bool:
    """Tell whether an expression has a literal without quotes: a number or a truth value in a usual form."""
    form = _BARE.get(literal.datatype)
    return bool(form and form.fullmatch(literal.value))


class _Renderer:
    """Writes one query.

    Args:
        names: New names of its variables.
    """

    def __init__(self, names: Names | None = None) -> None:
        self._names = names

    def variable(self, variable: Variable) -> str:
        return f"?{variable.name}" if self._names is None else f"?{self._names.of(variable).name}"

    def query(self, graph: QueryGraph) -> Iterator[str]:
        if graph.ask:
            yield "ASK"
        else:
            yield "SELECT DISTINCT" if graph.distinct else "SELECT"
            yield " ".join(map(self.column, graph.columns)) or "*"
        yield from (f"FROM {self.term(source)}" for source in graph.sources)
        yield from (f"FROM NAMED {self.term(source)}" for source in graph.named_sources)
        yield self.braces(graph.where)
        if graph.groups:
            yield "GROUP BY " + " ".join(map(self.key, graph.groups))
        if graph.having:
            yield "HAVING" + " ".join(f"({self.expression(condition)})" for condition in graph.having)
        if graph.order:
            keys = ((("DESC" if one.descending else "ASC"), self.expression(one.key)) for one in graph.order)
            yield "ORDER BY " + " ".join(f"{way}({key})" for way, key in keys)
        if graph.limit is not None:
            yield f"LIMIT {graph.limit}"
        if graph.offset:
            yield f"OFFSET {graph.offset}"

    def column(self, column: Variable | Computed) -> str:
        if isinstance(column, Computed):
            return f"({self.expression(column.expression)} AS {self.variable(column.variable)})"
        return self.variable(column)

    def key(self, key: Any) -> str:
        if isinstance(key, Variable):
            return self.variable(key)
        return self.column(key) if isinstance(key, Computed) else f"({self.expression(key)})"

    def braces(self, parts: Iterable[Part]) -> str:
        return f"{{ {' '.join(map(self.part, parts))} }}"

    def part(self, part: Part) -> str:
        match part:
            case EdgePattern(subject, relation, value):
                return f"{self.term(subject)} {self.relation(relation)} {self.term(value)} ."
            case Filter(expression):
                return f"FILTER({self.expression(expression)})"
            case ClassPattern(kind, classes, instance, below):
                if below:
                    return f"{self.term(instance)} <{RDF_TYPE}>/<{RDFS}subClassOf>* {self.term(classes[0])} ."
                if kind is None:
                    return f"{self.term(instance)} <{RDF_TYPE}> {self.term(classes[0])} ."
                names = " ".join(map(self.term, classes))
                name = self.variable(kind)
                return f"VALUES {name} {{ {names} }} {self.term(instance)} <{RDF_TYPE}> {name} ."
            case Values():
                return self.values(part)
            case OptionalPart(parts):
                return f"OPTIONAL {self.braces(parts)}"
            case NegatedPart(parts, minus):
                return f"{'MINUS' if minus else 'FILTER NOT EXISTS'} {self.braces(parts)}"
            case GraphPart(graph, parts):
                return f"GRAPH {self.term(graph)} {self.braces(parts)}"
            case Union(groups):
                return " UNION ".join(map(self.braces, groups))
            case Bind(expression, variable):
                return f"BIND({self.expression(expression)} AS {self.variable(variable)})"
            case QueryGraph():
                return f"{{ {' '.join(self.query(part))} }}"
            case OpaquePart(text):
                return text if self._names is None else substituted(part, self._names).text
        raise TypeError(f"not a part of a query: {part!r}")

    def values(self, values: Values) -> str:
        rows = (" ".join("UNDEF" if term is None else self.term(term) for term in row) for row in values.rows)
        if len(values.variables) == 1:
            return f"VALUES {self.variable(values.variables[0])} {{ {' '.join(rows)} }}"
        return f"VALUES ({' '.join(map(self.variable, values.variables))}) {{ {' '.join(f'({row})' for row in rows)} }}"

    def relation(self, relation: Variable | IRI | Path) -> str:
        if isinstance(relation, Path):
            if relation.sign == "+":
                return f"{self.term(relation.relations[0])}+"
            return relation.sign.join(map(self.term, relation.relations))
        return self.term(relation)

    def term(self, term: Variable | IRI | Literal | BlankNode) -> str:
        if isinstance(term, Variable):
            return self.variable(term)
        if isinstance(term, IRI):
            return _iri(term.value)
        if isinstance(term, Literal) and not term.language and term.datatype != XSD + "string":
            return f"{Literal(term.value).n3()}^^{_iri(term.datatype)}"
        return term.n3()

    def expression(self, value: Any) -> str:
        match value:
            case Literal(text) if is_bare(value):
                return text
            case Variable() | IRI() | Literal():
                return self.term(value)
            case Comparison(left, sign, right) | Arithmetic(left, sign, right):
                return f"{self.operand(left)} {sign} {self.operand(right)}"
            case OneOf(left, options, negated):
                word = "NOT IN" if negated else "IN"
                return f"{self.operand(left)} {word} ({', '.join(map(self.expression, options))})"
            case Logic(parts, sign):
                return f" {sign} ".join(self.expression(one) if _binds(one) else self.operand(one) for one in parts)
            case Not(part):
                return f"!{self.operand(part)}"
            case Call(function, arguments):
                name = function if isinstance(function, str) else self.term(function)
                return f"{name}({', '.join(map(self.expression, arguments))})"
            case Aggregate(function, of, distinct):
                return f"{function}({'DISTINCT ' if distinct else ''}{'*' if of is None else self.expression(of)})"
            case OpaqueExpression(text):
                return f"({text if self._names is None else substituted(value, self._names).text})"
        raise TypeError(f"not an expression: {value!r}")

    def operand(self, value: Any) -> str:
        text = self.expression(value)
        return f"({text})" if isinstance(value, _LOOSE) else text


@lru_cache(maxsize=10_000)
def _iri(iri: str) -> str:
    if bad := NOT_IN_IRI.search(iri):
        raise QuerySyntaxError(f"the IRI {iri!r} cannot be written: it has the character {bad[0]!r}")
    return f"<{iri}>"


def _binds(value: Any) -> bool:
    """Tell whether an expression binds closer than && and ||."""
    return isinstance(value, Comparison | OneOf)
