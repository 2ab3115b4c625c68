"""A query is written so that what is read again is the same query; parts are found and replaced anywhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.kg.guard import check
from triad.rdf import IRI, XSD, BlankNode, Literal
from triad.sparql.patterns import (
    Aggregate,
    Arithmetic,
    Bind,
    Call,
    ClassPattern,
    Comparison,
    Computed,
    EdgePattern,
    Exists,
    Filter,
    GraphPart,
    Logic,
    NegatedPart,
    Not,
    OneOf,
    OptionalPart,
    Part,
    Path,
    Service,
    Signed,
    Union,
    Values,
    Variable,
)
from triad.sparql.query_graph import Order, QueryGraph
from triad.sparql.writer import render

EX = "http://example.org/"
X, Y, N = Variable("x"), Variable("y"), Variable("n")
A, B, P, Q = IRI(EX + "a"), IRI(EX + "b"), IRI(EX + "p"), IRI(EX + "q")
FIVE = Literal("5", XSD + "integer")
EDGE = EdgePattern(X, P, Y)
NESTED = QueryGraph.of(X, EDGE)


def assert_read_again(graph: QueryGraph) -> None:
    once = sparql.parse(sparql.write(graph))
    assert sparql.parse(render(graph)) == once
    assert sparql.write(once) == sparql.write(sparql.parse(sparql.write(once)))


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
        (EDGE, EdgePattern(X, Path((Path((P, Path((Q,), "^")), "|"),), "*"), Y), EdgePattern(X, Path((P,), "^"), Y)),
        (EdgePattern(X, Path((P, Path((Q,), "^")), "!"), Y), EdgePattern(X, Path((Path((), "!"),), "?"), Y)),
        (Service(A, (EDGE,)), Service(X, (EDGE, NESTED), silent=True)),
        (replace(NESTED, values=Values.of(X, A)), Filter(Comparison(Signed("-", X), ">", FIVE))),
        (Filter(Exists((EDGE,))), Filter(Logic((Exists((EDGE,), negated=True), Exists((NESTED,))), "||"))),
    ],
)
def test_patterns_are_read_as_they_are_written(parts: tuple[Part, ...]) -> None:
    assert_read_again(QueryGraph.of(X, *parts))
    assert_read_again(QueryGraph.whether(*parts))


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
def test_columns_and_modifiers_are_read_as_they_are_written(graph: QueryGraph) -> None:
    assert_read_again(graph)


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
def test_expressions_are_read_as_they_are_written(expression: Any) -> None:
    assert_read_again(QueryGraph((Computed(expression, N),), (EDGE,)))


@pytest.mark.parametrize("kind", ["integer", "decimal", "double", "boolean", "int", "date", "string"])
@pytest.mark.parametrize(
    "text",
    ["0", "5", "-5", "05", "+5", "1.50", "-0.0", "2.5e3", "-1e-07", "1e+20", "1E6", "1e400", "true", "false", ""],
)
def test_numbers_are_read_as_they_are_written(text: str, kind: str) -> None:
    number = Literal(text, XSD + kind)
    assert_read_again(QueryGraph.of(X, EdgePattern(X, P, number), Filter(Comparison(X, ">", number)), Bind(number, Y)))


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
def test_functions_are_read_as_they_are_written(functions: str, arguments: tuple[Any, ...]) -> None:
    for function in functions.split():
        assert_read_again(QueryGraph((), (EDGE, Filter(Call(function, arguments)))))


def test_what_sparql_cannot_write_is_an_error() -> None:
    with pytest.raises(QuerySyntaxError, match="is no tag"):
        sparql.write(QueryGraph.of(X, EdgePattern(X, P, Literal("x", language="en> ?p ?o"))))
    with pytest.raises(QuerySyntaxError, match="no part of one"):
        sparql.write(QueryGraph.of(X, QueryGraph.whether(EDGE)))
    with pytest.raises(QuerySyntaxError, match="cannot be written"):
        check(QueryGraph.of(X, EdgePattern(X, P, IRI(EX + "a> ?p ?o"))))
    with pytest.raises(QuerySyntaxError, match="only a variable may"):
        sparql.write(sparql.substituted(QueryGraph.of(X, Bind(FIVE, X)), {X: A}))


TEXT = "SELECT (COUNT(?x) AS ?n) { ?x <p>|<q> 5 OPTIONAL { ?x <r> 'a' FILTER NOT EXISTS { ?x (<s>) ?y } } }"


def test_terms_triples_and_parts_are_found_wherever_they_are() -> None:
    query = sparql.parse(TEXT)
    assert {"p", "q", "r", "s"} == {term.value for term in sparql.terms(query) if isinstance(term, IRI)}
    found = list(sparql.triples(query))
    assert [value for _, _, value in found] == [FIVE, Literal("a"), Y]
    assert found[2][1] == IRI("s")
    assert sum(1 for _ in sparql.nodes(query, NegatedPart)) == 1


def test_a_part_is_replaced_by_several_or_by_none() -> None:
    def twice(part: Any) -> Any:
        return (part, part) if isinstance(part, EdgePattern) and part.relation == IRI("s") else part

    assert len(list(sparql.triples(sparql.rewritten(sparql.parse(TEXT), twice)))) == 4
    bare = sparql.rewritten(sparql.parse(TEXT), lambda part: () if isinstance(part, OptionalPart) else part)
    assert sparql.write(bare, {}) == "SELECT (COUNT(?x) AS ?n)\nWHERE {\n  ?x <p> | <q> 5 .\n}"


def test_a_term_is_replaced_everywhere_and_the_query_is_left_alone() -> None:
    query = sparql.parse("SELECT * { <a> <p> <a>, '<a>' FILTER(?x IN (<a>, <aa>)) }")
    before = sparql.write(query)
    after = sparql.write(sparql.substituted(query, {IRI("a"): IRI("z")}))
    assert after == before.replace("<a> <p> <a>", "<z> <p> <z>").replace('<a> <p> "', '<z> <p> "').replace(
        "(<a>,", "(<z>,"
    )
    assert sparql.write(query) == before
