"""Queries written as SPARQL, so that what is read again is the same query.

There are two layouts. Users and endpoints get a pattern a line, with prefixes; the solver compares its candidate
queries on one line, with whole IRIs.

>>> x = patterns.Variable("x")
>>> graph = QueryGraph.of(x, patterns.EdgePattern(x, IRI("http://dbpedia.org/ontology/director"), Literal("Ann")))
>>> render(graph)
'SELECT DISTINCT ?x { ?x <http://dbpedia.org/ontology/director> "Ann" . }'
>>> print(write(graph))
PREFIX dbo: <http://dbpedia.org/ontology/>
SELECT DISTINCT ?x
WHERE {
  ?x dbo:director "Ann" .
}
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from triad import rdf
from triad.errors import QuerySyntaxError
from triad.rdf import IRI, NOT_IN_IRI, RDF_TYPE, XSD, BlankNode, Literal
from triad.resources import read
from triad.sparql import patterns
from triad.sparql.query_graph import Names, QueryGraph
from triad.text import remembered

PREFIXES: Final[Mapping[str, str]] = json.loads(read(Path(__file__).with_name("prefixes.json")))
"""Prefixes that queries are written with, and that a query may use without declaring them."""

_LOCAL_NAME: Final = re.compile(r"[A-Za-z0-9_](?:[\w\-]*\w)?\Z", re.ASCII)
_NOT_IN_NAME: Final = re.compile(r"[\x00-/:-@\[-^`{-\x7f\s]")  # what would end a variable's name
_ESCAPES: Final = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Literals that need neither quotes nor datatype, in the one form that reading and writing leaves alone.
_BARE: Final = {
    XSD + "boolean": re.compile(r"true|false"),
    XSD + "integer": re.compile(r"0|-?[1-9][0-9]*"),
    XSD + "decimal": re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+"),
    XSD + "double": re.compile(r"-?[0-9]+(?:\.[0-9]+)?e[+-]?[0-9]+"),
}
# Expressions that need brackets beside an operator.
_LOOSE: Final = (
    patterns.Comparison | patterns.OneOf | patterns.Logic | patterns.Arithmetic | patterns.Not | patterns.Signed
)


def write(graph: QueryGraph, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Write a query, a pattern a line, with the prefixes that it uses.

    Raises:
        QuerySyntaxError: SPARQL cannot write an IRI, a variable or a part of it.
    """
    writer = _Pretty(prefixes)
    body = "\n".join(writer.query(patterns.plain(graph)))
    return "\n".join([*(f"PREFIX {prefix}: <{prefixes[prefix]}>" for prefix in sorted(writer.used)), body])


def write_part(part: patterns.Part, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Write a part of a query with prefixes, on one line and without its last dot."""
    lines = "\n".join(_Pretty(prefixes).lines([part])).split("\n")
    return " ".join(line.strip() for line in lines).removesuffix(" .")


def render(graph: QueryGraph) -> str:
    """Write a query on one line; raises as `write` does."""
    return " ".join(_Writer().query(graph))


def render_normalised(graph: QueryGraph) -> str:
    """Write a query after `QueryGraph.normalised` on one line, in one step; raises as `write` does."""
    return " ".join(_Writer(Names()).query(graph))


def render_parts(parts: Iterable[patterns.Part]) -> str:
    """Write patterns on one line, without braces; raises as `write` does."""
    return " ".join(_Writer().lines(parts))


def render_expression(value: patterns.Value) -> str:
    """Write an expression on one line; raises as `write` does."""
    return _Writer().expression(value)


class _Writer:
    """Writes one query on one line, with new names of its variables where there are some."""

    gap = ""
    """What stands around operators of paths, and behind a keyword in front of a bracket."""
    where = ""
    not_exists = "FILTER NOT EXISTS {}"

    def __init__(self, names: Names | None = None) -> None:
        self.names = names

    # Queries

    def query(self, graph: QueryGraph) -> Iterator[str]:
        yield self.head(graph)
        yield from (f"FROM {self.term(source)}" for source in graph.sources)
        yield from (f"FROM NAMED {self.term(source)}" for source in graph.named_sources)
        yield self.where + self.braces(graph.where)
        if graph.groups:
            yield "GROUP BY " + " ".join(map(self.key, graph.groups))
        if graph.having:
            yield f"HAVING{self.gap}" + " ".join(f"({self.expression(condition)})" for condition in graph.having)
        if graph.order:
            keys = ((("DESC" if one.descending else "ASC"), self.expression(one.key)) for one in graph.order)
            yield "ORDER BY " + " ".join(f"{way}({key})" for way, key in keys)
        if graph.limit is not None:
            yield f"LIMIT {graph.limit}"
        if graph.offset:
            yield f"OFFSET {graph.offset}"
        if graph.values is not None:
            yield self.values(graph.values)

    def head(self, graph: QueryGraph) -> str:
        if graph.ask:
            return "ASK"
        modifier = " DISTINCT" if graph.distinct else " REDUCED" if graph.reduced else ""
        return f"SELECT{modifier} {' '.join(map(self.column, graph.columns)) or '*'}"

    def column(self, column: Any) -> str:
        if isinstance(column, patterns.Computed):
            return f"({self.expression(column.expression)} AS {self.variable(column.variable)})"
        return self.variable(column)

    def key(self, key: Any) -> str:
        return (
            self.column(key) if isinstance(key, patterns.Variable | patterns.Computed) else f"({self.expression(key)})"
        )

    # Patterns

    def lines(self, parts: Iterable[patterns.Part]) -> Iterator[str]:
        return (self.part(part) for part in parts)

    def braces(self, parts: Iterable[patterns.Part]) -> str:
        return f"{{ {' '.join(self.lines(parts))} }}"

    def within(self, graph: QueryGraph) -> str:
        return f"{{ {' '.join(self.query(graph))} }}"

    def part(self, part: patterns.Part) -> str:
        match part:
            case patterns.EdgePattern(subject, relation, value):
                return self.edge(subject, relation, value)
            case patterns.Filter(expression):
                return f"FILTER{self.gap}({self.expression(expression)})"
            case patterns.ClassPattern():
                return " ".join(self.lines(part.plain()))
            case patterns.Values():
                return self.values(part)
            case patterns.OptionalPart(parts):
                return f"OPTIONAL {self.braces(parts)}"
            case patterns.NegatedPart(parts, True):
                return f"MINUS {self.braces(parts)}"
            case patterns.NegatedPart(parts):
                return self.not_exists.format(self.braces(parts))
            case patterns.GraphPart(graph, parts):
                return f"GRAPH {self.term(graph)} {self.braces(parts)}"
            case patterns.Service(endpoint, parts, silent):
                return f"SERVICE {'SILENT ' if silent else ''}{self.term(endpoint)} {self.braces(parts)}"
            case patterns.Union(groups):
                return " UNION ".join(map(self.braces, groups))
            case patterns.Bind(expression, variable):
                return f"BIND{self.gap}({self.expression(expression)} AS {self.variable(variable)})"
            case QueryGraph(ask=False, sources=(), named_sources=()):
                return self.within(part)
        raise QuerySyntaxError(f"the query cannot be written: this is no part of one: {part!r}")

    def edge(self, subject: patterns.QueryTerm, relation: patterns.Relation, value: patterns.QueryTerm) -> str:
        return f"{self.term(subject)} {self.relation(relation)} {self.term(value)} ."

    def values(self, values: patterns.Values) -> str:
        rows = (" ".join("UNDEF" if term is None else self.term(term) for term in row) for row in values.rows)
        if len(values.variables) == 1:
            return f"VALUES {self.variable(values.variables[0])} {{ {' '.join(rows)} }}"
        return f"VALUES ({' '.join(map(self.variable, values.variables))}) {{ {' '.join(f'({row})' for row in rows)} }}"

    def relation(self, relation: patterns.Relation) -> str:
        if not isinstance(relation, patterns.Path):
            return self.term(relation)
        steps = [self.step(one) for one in relation.relations]
        match relation.sign:
            case "/" | "|":
                return f"{self.gap}{relation.sign}{self.gap}".join(steps)
            case "^":
                return f"^{steps[0]}"
            case "!":
                return f"!({' | '.join(map(self.relation, relation.relations))})"
        return f"{steps[0]}{relation.sign}"

    def step(self, relation: IRI | patterns.Path) -> str:
        text = self.relation(relation)
        return f"({text})" if isinstance(relation, patterns.Path) and relation.sign != "!" else text

    # Expressions

    def expression(self, value: Any) -> str:
        """Write an expression, without brackets around it."""
        match value:
            case Literal():
                return self.literal(value)
            case patterns.Variable() | IRI():
                return self.term(value)
            case patterns.Comparison(left, sign, right):
                return f"{self.operand(left)} {sign} {self.operand(right)}"
            case patterns.Arithmetic(left, sign, right):
                # What stands on the left is computed first where both signs bind alike.
                alike = isinstance(left, patterns.Arithmetic) and (left.sign in "+-") == (sign in "+-")
                return f"{self.expression(left) if alike else self.operand(left)} {sign} {self.operand(right)}"
            case patterns.OneOf(left, options, negated):
                word = "NOT IN" if negated else "IN"
                return f"{self.operand(left)} {word} ({', '.join(map(self.expression, options))})"
            case patterns.Logic(parts, sign):
                return f" {sign} ".join(map(self.condition, parts))
            case patterns.Not(part):
                return f"!{self.gap}{self.operand(part)}"
            case patterns.Signed(sign, part):
                return f"{sign} {self.operand(part)}"
            case patterns.Exists(parts, negated):
                return f"{'NOT ' if negated else ''}EXISTS {self.braces(parts)}"
            case patterns.Call(function, arguments, distinct):
                name = function if isinstance(function, str) else self.term(function)
                return f"{name}({'DISTINCT ' if distinct else ''}{', '.join(map(self.expression, arguments))})"
            case patterns.Aggregate(function, of, distinct, separator):
                inner = f"{'DISTINCT ' if distinct else ''}{'*' if of is None else self.expression(of)}"
                return f"{function}({inner}{'' if separator is None else f' ; SEPARATOR = {_quoted(separator)}'})"
        raise QuerySyntaxError(f"the query cannot be written: this is no expression: {value!r}")

    def operand(self, value: Any) -> str:
        """Write an expression so that it can stand beside any operator."""
        text = self.expression(value)
        return f"({text})" if isinstance(value, _LOOSE) else text

    def condition(self, value: Any) -> str:
        """Write an expression so that it can stand beside && and ||, which bind less than comparisons."""
        return (
            self.expression(value) if isinstance(value, patterns.Comparison | patterns.OneOf) else self.operand(value)
        )

    # Terms

    def term(self, term: patterns.QueryTerm) -> str:
        match term:
            case IRI(value):
                return self.iri(value)
            case patterns.Variable():
                return self.variable(term)
            case Literal(value, datatype, language):
                if language:
                    if not rdf.LANGUAGE_TAG.fullmatch(language):
                        raise QuerySyntaxError(f"the language {language!r} cannot be written: it is no tag")
                    return f"{_quoted(value)}@{language}"
                return _quoted(value) + ("" if datatype == XSD + "string" else f"^^{self.iri(datatype)}")
            case BlankNode():
                return term.n3()
            case patterns.TripleTerm(subject, relation, value):
                return f"<<( {self.term(subject)} {self.term(relation)} {self.term(value)} )>>"
        raise QuerySyntaxError(f"not a term: {term!r}")

    def literal(self, literal: Literal) -> str:
        """Write a literal of an expression: a number or a truth value in a usual form without quotes."""
        form = _BARE.get(literal.datatype)
        return literal.value if form and form.fullmatch(literal.value) else _Writer.term(self, literal)

    def variable(self, variable: patterns.Variable) -> str:
        if not isinstance(variable, patterns.Variable):
            raise QuerySyntaxError(f"the query cannot be written: {variable} stands where only a variable may")
        return _variable(str(variable if self.names is None else self.names(variable))[1:])

    def iri(self, iri: str) -> str:
        return _iri(iri)


class _Pretty(_Writer):
    """Writes one query, a pattern a line, with prefixes."""

    gap = " "
    where = "WHERE "
    not_exists = "FILTER (NOT EXISTS {})"

    def __init__(self, prefixes: Mapping[str, str]) -> None:
        super().__init__()
        # The longest namespace that fits wins.
        self.namespaces = sorted(
            ((namespace, prefix) for prefix, namespace in prefixes.items() if rdf.writable(prefix + namespace)),
            key=lambda pair: -len(pair[0]),
        )
        self.used: set[str] = set()

    def braces(self, parts: Iterable[patterns.Part]) -> str:
        return _block(self.lines(parts))

    def within(self, graph: QueryGraph) -> str:
        return _block(self.query(graph))

    def relation(self, relation: patterns.Relation) -> str:
        return "a" if isinstance(relation, IRI) and relation.value == RDF_TYPE else super().relation(relation)

    def condition(self, value: Any) -> str:
        return self.operand(value)

    def term(self, term: patterns.QueryTerm) -> str:
        return self.literal(term) if isinstance(term, Literal) else super().term(term)

    def iri(self, iri: str) -> str:
        for namespace, prefix in self.namespaces:
            if iri.startswith(namespace) and _LOCAL_NAME.match(iri, len(namespace)):
                self.used.add(prefix)
                return f"{prefix}:{iri[len(namespace) :]}"
        return _iri(iri)


@remembered(10_000)  # the same IRIs are written again and again
def _iri(iri: str) -> str:
    if bad := NOT_IN_IRI.search(iri):
        raise QuerySyntaxError(f"the IRI {iri!r} cannot be written: it has the character {bad[0][0]!r}")
    return f"<{iri}>"


@remembered(10_000)
def _variable(name: str) -> str:
    if not name or _NOT_IN_NAME.search(name):
        raise QuerySyntaxError(f"the variable {name!r} cannot be written")
    return f"?{name}"


def _quoted(text: str) -> str:
    return '"' + re.sub(r'["\\\n\r\t]', lambda match: _ESCAPES[match[0]], text) + '"'


def _block(blocks: Iterable[str]) -> str:
    lines = ["  " + line for block in blocks for line in block.split("\n")]
    return "\n".join(["{", *lines, "}"]) if lines else "{ }"
