"""The tree of a query graph is the tree that parsing its text gives."""

from __future__ import annotations

from typing import Any

import pytest

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.kg.guard import check
from triad.queries.building import tree_of
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
)
from triad.queries.query_graph import Order, QueryGraph
from triad.queries.rendering import render
from triad.rdf import IRI, XSD, BlankNode, Literal

EX = "http://example.org/"
X, Y, N = Variable("x"), Variable("y"), Variable("n")
A, B, P, Q = IRI(EX + "a"), IRI(EX + "b"), IRI(EX + "p"), IRI(EX + "q")
FIVE = Literal("5", XSD + "integer")
EDGE = EdgePattern(X, P, Y)
NESTED = QueryGraph.of(X, EDGE)


def assert_built(graph: QueryGraph) -> None:
    # What is written of a node has its name and its parts in their order, which equality does not look at.
    assert repr(tree_of(graph)) == repr(sparql.parse(render(graph)))


@pytest.mark.parametrize(
    "parts",
    [
        (),
        (EDGE,),
        (ClassPattern(None, (A,), X, below=True),),
        (
            EdgePattern(A, N, Literal('say "hi" \\ \n é')),
            EdgePattern(BlankNode("b"), P, Literal("x", language="de-CH")),
        ),
        (EdgePattern(X, Path((P, Q)), Y), EdgePattern(X, Path((P, Q), "|"), Y), EdgePattern(X, Path((P,), "+"), Y)),
        (EdgePattern(X, Path((P,)), FIVE), EdgePattern(X, Path((P,), "|"), Literal("2001", XSD + "gYear"))),
        (ClassPattern(None, (A,), X), EDGE, ClassPattern(N, (A, B), X), EDGE),
        (EDGE, Values.of(X, A, Literal("x", language="en")), Values((X, Y), ((A, None), (None, FIVE)))),
        (Values.of(X), Values((X, Y), ()), Values((X,), ((None,),))),
        (EDGE, OptionalPart((EDGE, EDGE)), EDGE, OptionalPart(())),
        (NegatedPart((EDGE,)), NegatedPart((EDGE,), minus=True), NegatedPart((), minus=True)),
        (GraphPart(A, (EDGE,)), GraphPart(X, (NESTED,))),
        (Union(((EDGE,), (NESTED, EDGE))), Union(((EDGE,),)), Union(((NESTED,),)), Union(((), ()))),
        (NESTED, NESTED.counted(), NESTED.first(3, 1), QueryGraph(where=(NESTED,))),
        (Bind(FIVE, X), Bind(Call("STR", (Y,)), N)),
        (EDGE, OpaquePart("?x (<p>|^<q>)* ?y . ?y <p> ?n .", (X, Y, N)), EDGE, OpaquePart("MINUS { ?x <p> ?y . }")),
        (OpaquePart("{ SELECT ?x WHERE { ?x <p> _:b . } VALUES ?x { <a> } }"), Filter(OpaqueExpression("- ?x > 1"))),
    ],
)
def test_patterns_are_built_as_they_are_parsed(parts: tuple[Part, ...]) -> None:
    assert_built(QueryGraph.of(X, *parts))
    assert_built(QueryGraph.whether(*parts))


@pytest.mark.parametrize(
    "graph",
    [
        QueryGraph(),
        QueryGraph((X, Computed(Aggregate("COUNT"), N), Computed(Aggregate("AVG", Y, distinct=True), Y)), (EDGE,)),
        QueryGraph((X,), (EDGE,), (X, Call("STR", (Y,)), Computed(Call("STR", (Y,)), N), Arithmetic(X, "+", Y))),
        QueryGraph((X,), (EDGE,), (X,), (Comparison(Aggregate("COUNT"), ">", FIVE), Aggregate("MAX", Y))),
        QueryGraph(
            (X,), (EDGE,), order=(Order(X), Order(Not(Call("BOUND", (Y,))), descending=True)), limit=0, offset=2
        ),
        QueryGraph((X,), (EDGE,), offset=1),
        QueryGraph((X,), (EDGE,), limit=10, distinct=True, sources=(A, B), named_sources=(A,)),
        QueryGraph((), (EDGE,), ask=True, distinct=True, named_sources=(A,)),
    ],
)
def test_columns_and_modifiers_are_built_as_they_are_parsed(graph: QueryGraph) -> None:
    assert_built(graph)


@pytest.mark.parametrize(
    "expression",
    [
        X,
        A,
        Literal("x"),
        Logic((X, Logic((X, Y), "||"), Comparison(X, "<=", Y), Not(X), OneOf(X, (A, FIVE)))),
        Logic((Logic((X, Y)), Logic((X,)), OneOf(X, (), negated=True)), "||"),
        Not(Not(Comparison(Logic((X, Y)), "=", OneOf(X, ())))),
        Arithmetic(
            Arithmetic(X, "-", Arithmetic(Y, "/", FIVE)), "*", Arithmetic(X, "+", Literal("-5", XSD + "integer"))
        ),
        Comparison(Call(P, (X, FIVE)), "=", Call(Q, ())),
        *(Aggregate(name, X) for name in ("COUNT", "SUM", "AVG", "MIN", "MAX", "SAMPLE")),
    ],
)
def test_expressions_are_built_as_they_are_parsed(expression: Any) -> None:
    assert_built(QueryGraph((Computed(expression, N),), (EDGE,)))


@pytest.mark.parametrize("kind", ["integer", "decimal", "double", "boolean", "int", "date", "string"])
@pytest.mark.parametrize(
    "text",
    ["0", "5", "-5", "05", "+5", "1.50", "-0.0", "2.5e3", "-1e-07", "1e+20", "1E6", "1e400", "true", "false", ""],
)
def test_numbers_are_built_as_they_are_parsed(text: str, kind: str) -> None:
    number = Literal(text, XSD + kind)
    assert_built(QueryGraph.of(X, EdgePattern(X, P, number), Filter(Comparison(X, ">", number)), Bind(number, Y)))


@pytest.mark.parametrize(
    ("functions", "arguments"),
    [
        ("NOW RAND UUID STRUUID BNODE CONCAT COALESCE", ()),
        ("STR LANG DATATYPE BOUND IRI URI BNODE ABS CEIL FLOOR ROUND STRLEN UCASE LCASE ENCODE_FOR_URI CONCAT", (X,)),
        ("YEAR MONTH DAY HOURS MINUTES SECONDS TIMEZONE TZ MD5 SHA1 SHA256 SHA384 SHA512 COALESCE", (X,)),
        ("isIRI isURI isBLANK isLITERAL isNUMERIC", (X,)),
        (
            "LANGMATCHES CONTAINS STRSTARTS STRENDS STRBEFORE STRAFTER STRLANG STRDT sameTerm REGEX SUBSTR CONCAT",
            (X, Y),
        ),
        ("IF REGEX SUBSTR REPLACE COALESCE", (X, Y, N)),
        ("REPLACE", (X, Y, N, Literal("i"))),
    ],
)
def test_functions_are_built_as_they_are_parsed(functions: str, arguments: tuple[Any, ...]) -> None:
    for function in functions.split():
        assert_built(QueryGraph((), (EDGE, Filter(Call(function, arguments)))))


def test_what_sparql_cannot_write_is_an_error() -> None:
    with pytest.raises(QuerySyntaxError, match="not a valid language tag"):
        tree_of(QueryGraph.of(X, EdgePattern(X, P, Literal("x", language="en> ?p ?o"))))
    with pytest.raises(QuerySyntaxError, match="not a part of a query"):
        tree_of(QueryGraph.of(X, QueryGraph.whether(EDGE)))
    with pytest.raises(QuerySyntaxError, match="cannot be written"):
        check(tree_of(QueryGraph.of(X, EdgePattern(X, P, IRI(EX + "a> ?p ?o")))))


def test_a_tree_that_is_changed_leaves_that_of_the_next_alone() -> None:
    graph = QueryGraph.of(X, OpaquePart("?x <p>* ?y .", (X, Y)), EDGE)
    tree_of(graph).where.part.clear()
    assert_built(graph)
