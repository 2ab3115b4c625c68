"""Trees written as SPARQL, so that what is read again is the same tree."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from triad.errors import QuerySyntaxError
from triad.rdf import NOT_IN_IRI, XSD
from triad.sparql.term import NIL, TYPE, BNode, Literal, URIRef, Variable
from triad.sparql.tree import PREFIXES, Node, simple

__all__ = ["write", "write_pattern"]


def write(tree: Node, prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Write a tree as SPARQL, a pattern a line, with the prefixes that it uses.

    Raises:
        QuerySyntaxError: An IRI, a variable or a part of the tree cannot be written.
    """
    writer = _Writer(prefixes)
    body = writer.query(tree)
    used = [f"PREFIX {prefix}: <{prefixes[prefix]}>" for prefix in sorted(writer.used)]
    return "\n".join([*used, body])


def write_pattern(subject: Any, predicate: Any, value: Any) -> str:
    """Write a triple pattern, without its dot."""
    return _Writer(PREFIXES).triple(subject, predicate, value).removesuffix(" .")


_LOCAL_NAME = re.compile(r"[A-Za-z0-9_](?:[\w\-]*\w)?\Z", re.ASCII)
_NOT_IN_NAME = re.compile(r"[\x00-/:-@\[-^`{-\x7f\s]")  # what would end a variable's name
_FUNCTION_NAMES = {"NOTEXISTS": "NOT EXISTS", "GroupConcat": "GROUP_CONCAT"}
_SHORT = "FakeGroupGraphPatten"  # rdflib's name for what follows CONSTRUCT WHERE
_SIGNS = {"UnaryNot": "!", "UnaryPlus": "+", "UnaryMinus": "-"}
_OPERATIONS = {
    "ConditionalOrExpression",
    "ConditionalAndExpression",
    "RelationalExpression",
    "AdditiveExpression",
    "MultiplicativeExpression",
    *_SIGNS,
}
"""Expressions that need brackets beside an operator."""
_NULLARY = ("RAND", "NOW", "UUID", "STRUUID")


class _Writer:
    def __init__(self, prefixes: Mapping[str, str]) -> None:
        # The longest namespace that fits wins.
        self.namespaces = sorted(
            ((namespace, prefix) for prefix, namespace in prefixes.items()), key=lambda pair: -len(pair[0])
        )
        self.used: set[str] = set()

    # Queries

    def query(self, tree: Node) -> str:
        dataset = [
            "FROM " + (self.term(clause.default) if clause.default else f"NAMED {self.term(clause.named)}")
            for clause in tree.datasetClause or []
        ]
        match tree.name:
            case "SelectQuery" | "SubSelect":
                head = " ".join(["SELECT", *filter(None, [tree.modifier]), *self.projection(tree)])
            case "AskQuery":
                head = "ASK"
            case "ConstructQuery":
                template = [
                    self.triple(*flat[i : i + 3]) for flat in tree.template or [] for i in range(0, len(flat), 3)
                ]
                is_short = tree.where is None or tree.where.name == _SHORT
                head = "CONSTRUCT" + ("" if is_short else " {\n" + _indent(template) + "\n}")
            case "DescribeQuery":
                head = "DESCRIBE " + (" ".join(self.term(term) for term in tree.var or []) or "*")
            case name:
                raise QuerySyntaxError(f"a query cannot start with {name!r}")
        where = ["WHERE " + self.braces(tree.where)] if tree.where is not None else []
        if tree.name == "ConstructQuery" and not where:
            where = ["WHERE { }"]
        return "\n".join([head, *dataset, *where, *self.modifiers(tree)])

    def projection(self, tree: Node) -> list[str]:
        if not tree.projection:
            return ["*"]
        return [
            self.term(item.var) if item.var is not None else f"({self.expression(item.expr)} AS {self.term(item.evar)})"
            for item in tree.projection
        ]

    def modifiers(self, tree: Node) -> Iterator[str]:
        if tree.groupby:
            yield "GROUP BY " + " ".join(self.condition(item) for item in tree.groupby.condition)
        if tree.having:
            yield "HAVING " + " ".join(f"({self.expression(item)})" for item in tree.having.condition)
        if tree.orderby:
            yield "ORDER BY " + " ".join(
                f"{item.order or 'ASC'}({self.expression(item.expr)})" for item in tree.orderby.condition
            )
        if tree.limitoffset:
            for name in ("limit", "offset"):
                if name in tree.limitoffset:
                    yield f"{name.upper()} {tree.limitoffset[name]}"
        if tree.valuesClause:
            yield self.values(tree.valuesClause)

    def condition(self, item: Any) -> str:
        if isinstance(item, Node) and item.name == "GroupAs":
            alias = f" AS {self.term(item.var)}" if item.var is not None else ""
            return f"({self.expression(item.expr)}{alias})"
        return self.term(item) if isinstance(item, Variable) else f"({self.expression(item)})"

    # Patterns

    def braces(self, tree: Node) -> str:
        lines = [self.query(tree)] if tree.name == "SubSelect" else self.lines(tree.part)
        return "{\n" + _indent(lines) + "\n}" if lines else "{ }"

    def lines(self, parts: list[Node] | None) -> list[str]:
        return [line for part in parts or [] for line in self.pattern(part)]

    def pattern(self, part: Node) -> list[str]:
        match part.name:
            case "TriplesBlock":
                return [self.triple(*flat[i : i + 3]) for flat in part.triples or [] for i in range(0, len(flat), 3)]
            case "GroupOrUnionGraphPattern":
                return [" UNION ".join(self.braces(graph) for graph in part.graph)]
            case "OptionalGraphPattern":
                return ["OPTIONAL " + self.braces(part.graph)]
            case "MinusGraphPattern":
                return ["MINUS " + self.braces(part.graph)]
            case "GraphGraphPattern":
                return [f"GRAPH {self.term(part.term)} {self.braces(part.graph)}"]
            case "Service":
                silent = "SILENT " if part.silent else ""
                return [f"SERVICE {silent}{self.term(part.term)} {self.braces(part.graph)}"]
            case "Filter":
                return [f"FILTER ({self.expression(part.expr)})"]
            case "Bind":
                return [f"BIND ({self.expression(part.expr)} AS {self.term(part.var)})"]
            case "InlineData":
                return [self.values(part)]
            case name:
                raise QuerySyntaxError(f"the pattern {name!r} is not supported")

    def triple(self, subject: Any, predicate: Any, value: Any) -> str:
        if isinstance(predicate, Node) and predicate.name == "PathEltOrInverse":
            subject, predicate, value = value, predicate.part, subject
        return f"{self.term(subject)} {self.path(predicate)} {self.term(value)} ."

    def values(self, part: Node) -> str:
        names = part.var or []
        rows = [row if isinstance(row, list) else [row] for row in part.value or []]
        shown = [["UNDEF" if term == "UNDEF" else self.term(term) for term in row] for row in rows]
        if len(names) == 1:
            return f"VALUES {self.term(names[0])} {{ {' '.join(row[0] for row in shown)} }}"
        inner = " ".join(f"({' '.join(row if names else [])})" for row in shown)
        return f"VALUES ({' '.join(self.term(name) for name in names)}) {{ {inner} }}"

    def path(self, path: Any) -> str:
        path = simple(path)
        if not isinstance(path, Node):
            return "a" if path == TYPE else self.term(path)
        match path.name:
            case "PathAlternative":
                return " | ".join(self.step(part) for part in path.part)
            case "PathSequence":
                return " / ".join(self.step(part) for part in path.part)
            case "PathElt":
                return self.step(path.part) + (path.mod or "")
            case "PathEltOrInverse":
                return "^" + self.step(path.part)
            case "PathNegatedPropertySet":
                return "!(" + " | ".join(self.path(part) for part in path.part or []) + ")"
            case name:
                raise QuerySyntaxError(f"the property path {name!r} is not supported")

    def step(self, path: Any) -> str:
        path = simple(path)
        text = self.path(path)
        return f"({text})" if isinstance(path, Node) and path.name != "PathNegatedPropertySet" else text

    # Expressions

    def expression(self, tree: Any) -> str:
        """Write an expression, without brackets around it."""
        if isinstance(tree, list):
            return "(" + ", ".join(self.expression(item) for item in tree) + ")"
        if not isinstance(tree, Node):
            return self.term(tree)
        match tree.name:
            case "ConditionalOrExpression":
                return self.chain(tree, "||")
            case "ConditionalAndExpression":
                return self.chain(tree, "&&")
            case "AdditiveExpression" | "MultiplicativeExpression":
                return self.chain(tree, *(tree.op or []))
            case "RelationalExpression":
                other = "()" if tree.op.endswith("IN") and tree.other == NIL else self.operand(tree.other)
                return f"{self.operand(tree.expr)} {tree.op} {other}"
            case "UnaryNot" | "UnaryPlus" | "UnaryMinus":
                return f"{_SIGNS[tree.name]} {self.operand(tree.expr)}"
            case "Function":
                arguments = ", ".join(self.expression(item) for item in tree.expr or [])
                return f"{self.term(tree.iri)}({'DISTINCT ' if tree.distinct else ''}{arguments})"
            case name if name.startswith("Aggregate_"):
                return self.aggregate(tree)
            case name if name.startswith("Builtin_"):
                return self.call(tree)
            case name:
                raise QuerySyntaxError(f"the expression {name!r} is not supported")

    def operand(self, tree: Any) -> str:
        """Write an expression so that it can stand beside any operator."""
        text = self.expression(tree)
        return f"({text})" if isinstance(tree, Node) and tree.name in _OPERATIONS else text

    def chain(self, tree: Node, *operators: str) -> str:
        others = tree.other
        signs = operators * len(others) if len(operators) == 1 else operators
        tail = (f" {sign} {self.operand(item)}" for sign, item in zip(signs, others, strict=False))
        return f"{self.operand(tree.expr)}{''.join(tail)}"

    def aggregate(self, tree: Node) -> str:
        name = tree.name.removeprefix("Aggregate_")
        inner = "*" if isinstance(tree.vars, str) and tree.vars == "*" else self.expression(tree.vars)
        separator = f" ; SEPARATOR = {self.term(tree.separator)}" if tree.separator is not None else ""
        distinct = "DISTINCT " if tree.distinct else ""
        return f"{_FUNCTION_NAMES.get(name, name.upper())}({distinct}{inner}{separator})"

    def call(self, tree: Node) -> str:
        name = tree.name.removeprefix("Builtin_")
        if name in ("EXISTS", "NOTEXISTS"):
            return f"{_FUNCTION_NAMES.get(name, name)} {self.braces(tree.graph)}"
        if name in _NULLARY:
            return f"{name}()"
        arguments = list(tree.values())
        if name in ("CONCAT", "COALESCE"):
            arguments = arguments[0] if isinstance(arguments[0], list) else []
        return f"{name}({', '.join(self.expression(argument) for argument in arguments)})"

    # Terms

    def term(self, term: Any) -> str:
        if isinstance(term, Variable):
            if not term or _NOT_IN_NAME.search(term):
                raise QuerySyntaxError(f"the variable {str(term)!r} cannot be written")
            return f"?{term}"
        if isinstance(term, URIRef):
            return self.iri(str(term))
        if isinstance(term, BNode):
            return f"_:{term}"
        if isinstance(term, Literal):
            return self.literal(term)
        raise QuerySyntaxError(f"not a term: {term!r}")

    def iri(self, iri: str) -> str:
        for namespace, prefix in self.namespaces:
            if iri.startswith(namespace) and _LOCAL_NAME.match(iri, len(namespace)):
                self.used.add(prefix)
                return f"{prefix}:{iri[len(namespace) :]}"
        if bad := NOT_IN_IRI.search(iri):
            raise QuerySyntaxError(f"the IRI {iri!r} cannot be written: it has the character {bad[0][0]!r}")
        return f"<{iri}>"

    def literal(self, literal: Literal) -> str:
        text = str(literal)
        if (bare := _BARE.get(str(literal.datatype))) and bare.fullmatch(text):
            return text
        quoted = '"' + re.sub(r'["\\\n\r\t]', lambda match: _ESCAPES[match[0]], text) + '"'
        if literal.language:
            return f"{quoted}@{literal.language}"
        return f"{quoted}^^{self.iri(str(literal.datatype))}" if literal.datatype else quoted


# Literals that need neither quotes nor datatype, in the one form that reading and writing leaves alone.
_BARE = {
    XSD + "boolean": re.compile(r"true|false"),
    XSD + "integer": re.compile(r"0|-?[1-9][0-9]*"),
    XSD + "decimal": re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+"),
}
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _indent(blocks: list[str]) -> str:
    return "\n".join("  " + line for block in blocks for line in block.split("\n"))
