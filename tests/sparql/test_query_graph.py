"""Query graphs: each operator does to the rows what its name says, alone and after others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given, settings, strategies as st

from triad import sparql
from triad.errors import QuerySyntaxError
from triad.kg.guard import check
from triad.rdf import IRI, RDF_TYPE, XSD, Literal, number
from triad.sparql.patterns import (
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
    OptionalPart,
    Part,
    Path,
    Union,
    Values,
    Variable,
    substituted,
    terms,
)
from triad.sparql.query_graph import Order, QueryGraph, in_scope
from triad.sparql.writer import render, render_normalised, render_parts

EX = "http://example.org/"
X, Y, N = Variable("x"), Variable("y"), Variable("n")
COLOUR, SIZE, LIKES = (IRI(EX + name) for name in ("colour", "size", "likes"))
KIND = IRI(RDF_TYPE)
TOY, BALL = IRI(EX + "Toy"), IRI(EX + "Ball")
COLOURS = {"red": "abcd", "blue": "efg", "green": "h"}
SIZES = {"a": 5, "b": 3, "c": 8, "d": 1, "e": 9, "f": 2, "g": 7}  # h has none
FANS = {"ann": "abe", "bob": "bf", "cid": "h"}
OWNERS = {"a": "ann", "b": "bob", "c": "cora"}  # in the named graph year3 or year4, by the owner's letters


def thing(name: str) -> IRI:
    return IRI(EX + name)


def aggregated(graph: QueryGraph, function: str, of: Variable, by: Variable | None = None) -> QueryGraph:
    value = Computed(Aggregate(function, of, function == "COUNT"), Variable(function.lower()))
    return replace(graph, columns=(by, value) if by else (value,), groups=(by,) if by else (), distinct=False)


@pytest.fixture(scope="module")
def rows() -> Callable[[QueryGraph | str], list[tuple[Any, ...]]]:
    store = pyoxigraph.Store()
    for colour, names in COLOURS.items():
        for name in names:
            store.extend(
                quads(f"<{EX}{name}> <{EX}colour> <{EX}{colour}> ; a <{EX}{'Ball' if name == 'a' else 'Toy'}> .")
            )
    for name, size in SIZES.items():
        store.extend(quads(f"<{EX}{name}> <{EX}size> {size} ."))
    for name, owner in OWNERS.items():
        store.extend(quads(f"<{EX}{name}> <{EX}owner> <{EX}{owner}> .", f"{EX}year{len(owner)}"))
    for fan, names in FANS.items():
        for name in names:
            store.extend(quads(f"<{EX}{fan}> <{EX}likes> <{EX}{name}> ."))

    def run(query: QueryGraph | str) -> list[tuple[Any, ...]]:
        """Run a query as the guard writes it, and say what it finds in short."""
        text = check(query if isinstance(query, str) else render(query))
        found = store.query(text)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return [(bool(found),)]
        return [tuple(term and term.value.removeprefix(EX) for term in solution) for solution in found]

    return run


def quads(turtle: str, graph: str | None = None) -> list[pyoxigraph.Quad]:
    name = pyoxigraph.NamedNode(graph) if graph else pyoxigraph.DefaultGraph()
    return [
        pyoxigraph.Quad(triple.subject, triple.predicate, triple.object, name)
        for triple in pyoxigraph.parse(turtle.encode(), pyoxigraph.RdfFormat.TURTLE)
    ]


TOYS = QueryGraph.of(X, EdgePattern(X, COLOUR, Y))
RED = QueryGraph.of(X, EdgePattern(X, COLOUR, thing("red")))
SIZED = OptionalPart((EdgePattern(X, SIZE, Variable("size_any")),))


def with_size(graph: QueryGraph) -> QueryGraph:
    return graph.with_column(Variable("size"), SIZED, greatest=True)


# Each operator --------------------------------------------------------------------------------------------


def test_rows_are_counted(rows: Any) -> None:
    assert rows(RED.counted()) == [("4",)]
    assert rows(TOYS.first(3).counted()) == [("3",)]
    assert rows(RED.showing(X, Y).narrowed(EdgePattern(X, COLOUR, Y)).counted()) == [("4",)]


def test_the_number_is_counted_among_the_patterns_where_that_means_the_same() -> None:
    assert render(RED.counted()).count("SELECT") == 1
    assert render(RED.first(3).counted()).count("SELECT") == 2


def test_a_number_takes_no_name_that_the_query_has() -> None:
    assert RED.counted().counted().variables == (Variable("_count"),)


def test_there_is_or_is_not_any_row(rows: Any) -> None:
    assert rows(RED.asked()) == [(True,)]
    assert rows(RED.first(2, 9).asked()) == [(False,)]
    assert rows(QueryGraph.whether(EdgePattern(thing("a"), COLOUR, thing("blue")))) == [(False,)]


def test_rows_are_sorted_and_those_without_a_value_come_last(rows: Any) -> None:
    sized, size = with_size(TOYS), Variable("size")
    down = [row[0] for row in rows(sized.ordered_by_column(size, descending=True))]
    up = [row[0] for row in rows(sized.ordered_by_column(size, descending=False))]
    assert "".join(down) == "ecgabfdh"
    assert "".join(up) == "dfbagceh"


def test_the_first_of_the_first_are_counted_from_where_these_begin(rows: Any) -> None:
    order = with_size(TOYS).ordered_by_column(Variable("size"), descending=True)
    assert [row[0] for row in rows(order.first(5, 1).first(2, 1))] == ["g", "a"]
    assert [row[0] for row in rows(order.first(2).first(5, 1))] == ["c"]
    assert rows(order.first(2).first(5, 2)) == []


def test_rows_left_out_by_their_place_stay_out_when_the_rest_is_sorted(rows: Any) -> None:
    largest = with_size(TOYS).ordered_by_column(Variable("size"), descending=True).first(3)
    assert [row[0] for row in rows(largest.sorted_by(X))] == ["c", "e", "g"]


def test_the_second_largest_is_one(rows: Any) -> None:
    size = Variable("m")
    largest = RED.narrowed(EdgePattern(X, SIZE, size))
    assert rows(largest.extreme(size, descending=True, skip=1)) == [("a",)]


def test_rows_are_narrowed_and_left_out(rows: Any) -> None:
    small = (EdgePattern(X, SIZE, N), Filter(Comparison(N, "<", number(4))))
    assert sorted(rows(RED.narrowed(*small))) == [("b",), ("d",)]
    assert sorted(rows(RED.without(*small))) == [("a",), ("c",)]
    assert sorted(rows(RED.without_values(X, [thing("a"), thing("h")]))) == [("b",), ("c",), ("d",)]


def test_a_condition_on_some_of_the_rows_is_on_these_only(rows: Any) -> None:
    largest = with_size(TOYS).ordered_by_column(Variable("size"), descending=True).first(3)
    assert [row[0] for row in rows(largest.narrowed(EdgePattern(X, COLOUR, thing("blue"))))] == ["e", "g"]


def test_a_condition_on_a_computed_column_is_met(rows: Any) -> None:
    each = aggregated(TOYS, "COUNT", X, by=Y)
    assert rows(each.narrowed(Filter(Comparison(Variable("count"), ">", number(3))))) == [("red", "4")]


def test_a_column_stands_beside_each_row(rows: Any) -> None:
    assert rows(QueryGraph.of(X, EdgePattern(X, LIKES, thing("h"))).with_column(Y, EdgePattern(X, LIKES, Y))) == [
        ("cid", "h")
    ]


def test_values_are_aggregated_for_all_and_for_each(rows: Any) -> None:
    sized = TOYS.narrowed(EdgePattern(X, SIZE, N))
    assert rows(aggregated(sized, "SUM", N)) == [("35",)]
    assert sorted(rows(aggregated(sized, "MAX", N, by=Y))) == [("blue", "9"), ("red", "8")]
    assert sorted(rows(aggregated(TOYS, "COUNT", X, by=Y))) == [("blue", "3"), ("green", "1"), ("red", "4")]


def test_an_entity_is_swapped_for_another(rows: Any) -> None:
    assert rows(RED.swapped(thing("red"), thing("green"))) == [("h",)]
    assert rows(RED.first(2).narrowed(EdgePattern(X, COLOUR, thing("red"))).swapped(thing("red"), thing("green"))) == [
        ("h",)
    ]


def test_what_holds_of_one_is_asked_of_each_of_several(rows: Any) -> None:
    options = [thing("green"), thing("blue")]
    assert sorted(rows(RED.for_each(thing("red"), options, Variable("thing")))) == [
        ("blue", "e"), ("blue", "f"), ("blue", "g"), ("green", "h"),
    ]  # fmt: skip
    assert sorted(rows(RED.counted().for_each(thing("red"), options, Variable("thing")))) == [
        ("blue", "3"),
        ("green", "1"),
    ]
    with pytest.raises(ValueError, match="at once"):
        RED.first(1).for_each(thing("red"), options, Variable("thing"))
    assert rows(RED.asked().for_each(thing("red"), options, Variable("thing"))) == [("green",), ("blue",)]


def test_rows_of_two_queries_are_united(rows: Any) -> None:
    liked = QueryGraph.of(Y, EdgePattern(thing("bob"), LIKES, Y), EdgePattern(Y, COLOUR, X))
    assert sorted(rows(RED.united(liked))) == [("a",), ("b",), ("c",), ("d",), ("f",)]
    assert rows(RED.united(liked).counted()) == [("5",)]
    with pytest.raises(ValueError, match="the same number of columns"):
        RED.united(liked.showing(X, Y))


def test_rows_of_two_queries_stand_side_by_side(rows: Any) -> None:
    green = QueryGraph.of(X, EdgePattern(X, COLOUR, thing("green")))
    big = QueryGraph.of(X, EdgePattern(X, SIZE, N), Filter(Comparison(N, ">", number(7))))
    assert sorted(rows(green.beside(big))) == [("h", "c"), ("h", "e")]
    assert green.beside(big).variables == (X, Variable("x_other"))
    assert rows(RED.beside(green).counted()) == [("4",)]
    assert rows(RED.first(2).beside(big.first(1)).counted()) == [("2",)]
    with pytest.raises(ValueError, match="side by side"):
        RED.beside(green.asked())


def test_side_by_side_patterns_of_the_one_do_not_bind_those_of_the_other(rows: Any) -> None:
    liked = QueryGraph.of(Y, EdgePattern(X, LIKES, Y), EdgePattern(X, LIKES, thing("h")))
    assert rows(TOYS.showing(X).narrowed(EdgePattern(X, COLOUR, thing("green"))).beside(liked)) == [("h", "h")]


def test_what_a_query_counts_is_told() -> None:
    assert RED.counted().counts == X
    assert RED.first(2).counted().counts == X
    assert RED.counts is None
    assert RED.asked().counts is None
    assert aggregated(TOYS, "SUM", N).counts is None
    assert aggregated(TOYS, "COUNT", X, by=Y).counts is None
    assert RED.showing(X, Y).counted().counts is None  # rows, and not values


def test_what_is_counted_can_be_listed_again(rows: Any) -> None:
    for graph in (RED, RED.first(2), TOYS.showing(X, Y).first(3)):
        again = graph.counted().counted_rows
        assert again is not None
        assert sorted(rows(again)) == sorted(rows(graph))
    assert RED.counted_rows is None
    assert aggregated(TOYS, "COUNT", X, by=Y).counted_rows is None


def test_the_column_of_a_relation_is_told() -> None:
    sized = RED.with_column(Variable("size"), OptionalPart((EdgePattern(X, SIZE, Variable("size")),)))
    assert sized.column_of(X, SIZE) == Variable("size")
    assert with_size(RED).column_of(X, SIZE) == Variable("size")
    assert sized.first(2).narrowed().column_of(X, SIZE) == Variable("size")
    assert sized.column_of(X, LIKES) is None
    assert RED.narrowed(EdgePattern(X, SIZE, N)).column_of(X, SIZE) is None  # it is matched, and not shown


def test_a_nested_query_keeps_its_order_only_where_rows_are_left_out() -> None:
    order = RED.sorted_by(X)
    assert order.nested().order == ()
    assert order.first(2).nested().order == order.order
    assert replace(order, sources=(thing("g"),)).nested().sources == ()


def test_a_yes_no_question_has_no_rows_to_work_on() -> None:
    for operator in (QueryGraph.counted, lambda graph: graph.first(1), lambda graph: graph.sorted_by(X)):
        with pytest.raises(ValueError, match="no rows"):
            operator(RED.asked())


# Composition ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reference:
    """What the rows of a query should be: names of toys, and whether their order is known."""

    names: tuple[str, ...]
    ordered: bool = False

    def kept(self, keep: Callable[[str], bool]) -> Reference:
        return replace(self, names=tuple(filter(keep, self.names)))


Step = tuple[QueryGraph, Reference]
letters = st.sets(st.sampled_from("abcdefgh"), max_size=4)
OPERATORS = st.one_of(
    st.tuples(st.just("colour"), st.sampled_from(sorted(COLOURS))),
    st.tuples(st.just("no_colour"), st.sampled_from(sorted(COLOURS))),
    st.tuples(st.just("not_these"), letters),
    st.tuples(st.just("liked_by"), st.sampled_from(sorted(FANS))),
    st.tuples(st.just("larger"), st.integers(0, 9)),
    st.tuples(st.just("sort"), st.booleans()),
    st.tuples(st.just("first"), st.tuples(st.integers(0, 5), st.integers(0, 3))),
)


def applied(step: Step, operator: str, value: Any) -> Step:
    graph, wanted = step
    match operator:
        case "colour":
            part = EdgePattern(X, COLOUR, thing(value))
            return graph.narrowed(part), wanted.kept(lambda name: name in COLOURS[value])
        case "no_colour":
            part = EdgePattern(X, COLOUR, thing(value))
            return graph.without(part), wanted.kept(lambda name: name not in COLOURS[value])
        case "not_these":
            return graph.without_values(X, map(thing, sorted(value))), wanted.kept(lambda name: name not in value)
        case "liked_by":
            part = EdgePattern(thing(value), LIKES, X)
            return graph.narrowed(part), wanted.kept(lambda name: name in FANS[value])
        case "larger":
            size = graph.free("compared")
            parts = (EdgePattern(X, SIZE, size), Filter(Comparison(size, ">", number(value))))
            return graph.narrowed(*parts), wanted.kept(lambda name: SIZES.get(name, -1) > value)
        case "sort":
            key = graph.free("key")
            sizes = OptionalPart((EdgePattern(X, SIZE, Variable(f"{key.name}_any")),))
            known = sorted(
                (name for name in wanted.names if name in SIZES), key=lambda name: SIZES[name], reverse=value
            )
            names = (*known, *(name for name in wanted.names if name not in SIZES))
            column = graph.with_column(key, sizes, greatest=value)
            return column.ordered_by_column(key, descending=value), Reference(names, ordered=True)
        case _:
            if not wanted.ordered:
                return step
            count, skip = value
            return graph.first(count, skip), replace(wanted, names=wanted.names[skip : skip + count])


@pytest.mark.slow
@settings(max_examples=60)
@given(st.lists(OPERATORS, max_size=6))
def test_operators_after_each_other_do_what_they_do_to_rows(rows: Any, chosen: list[tuple[str, Any]]) -> None:
    step: Step = (QueryGraph.of(X, ClassPattern(Y, (TOY, BALL), X)), Reference(tuple("abcdefgh")))
    for operator, value in chosen:
        step = applied(step, operator, value)
    graph, wanted = step
    found = [row[0] for row in rows(graph)]
    assert (found if wanted.ordered else sorted(found)) == (list(wanted.names) if wanted.ordered else sorted(found))
    assert sorted(found) == sorted(wanted.names)
    assert rows(graph.counted()) == [(str(len(wanted.names)),)]
    assert rows(graph.asked()) == [(bool(wanted.names),)]
    again = sparql.parse(render(graph)).explicit()
    assert rows(again) == rows(graph)
    assert rows(graph.swapped(X, Variable("toy"))) == rows(graph)


@pytest.mark.slow(0.2)
@settings(max_examples=30)
@given(OPERATORS.filter(lambda one: one[0] not in ("sort", "first")), OPERATORS.filter(lambda one: one[0] != "first"))
def test_conditions_commute(rows: Any, one: tuple[str, Any], other: tuple[str, Any]) -> None:
    start: Step = (TOYS, Reference(tuple("abcdefgh")))
    first = applied(applied(start, *one), *other)[0]
    second = applied(applied(start, *other), *one)[0]
    assert sorted(row[0] for row in rows(first)) == sorted(row[0] for row in rows(second))


def test_follow_ups_upon_follow_ups_nest_only_where_rows_were_left_out_by_their_place() -> None:
    graph = TOYS
    for name in "abcd":
        graph = graph.without_values(X, [thing(name)])
    assert graph.depth == 1
    assert graph.first(3).narrowed().depth == 2


# Parts ----------------------------------------------------------------------------------------------------


def test_terms_are_in_the_order_of_the_text() -> None:
    graph = TOYS.narrowed(ClassPattern(N, (TOY, BALL), X)).sorted_by(Order(Call("STR", (Variable("z"),)), True))
    parsed = list(dict.fromkeys(str(term) for term in terms(graph) if isinstance(term, Variable)))
    text = render(graph)
    assert parsed == sorted(parsed, key=lambda name: text.index(name + " ") if name + " " in text else len(text))


def test_numbered_variables_are_named_and_what_looks_like_one_is_not() -> None:
    v12, v3 = Variable("v12"), Variable("v3")
    parts = (EdgePattern(IRI(EX + "?v3"), COLOUR, v12), EdgePattern(v3, COLOUR, Literal('?v1 " ?v4')))
    assert render(QueryGraph.of(v12, *parts).normalised()) == (
        f'SELECT DISTINCT ?answer {{ <{EX}?v3> <{EX}colour> ?answer . ?x <{EX}colour> "?v1 \\" ?v4" . }}'
    )
    other = QueryGraph.of(Variable("v7"), *substituted(parts, {v12: Variable("v7"), v3: Variable("v1")}))
    assert other.normalised() == QueryGraph.of(v12, *parts).normalised()
    assert render_normalised(other) == render(other.normalised())


def test_a_term_takes_the_place_of_a_variable_but_not_in_strings() -> None:
    v1, v2, v12 = Variable("v1"), Variable("v2"), Variable("v12")

    def put(part: Part, term: Any) -> str:
        return render_parts([substituted(part, {v1: term})])

    p, a = IRI("p"), IRI("a")
    assert put(EdgePattern(v1, p, v12), a) == "<a> <p> ?v12 ."
    assert put(EdgePattern(v1, p, Literal('a " ?v1 b')), v2) == r'?v2 <p> "a \" ?v1 b" .'
    assert put(Filter(Comparison(v1, "!=", a)), v2) == "FILTER(?v2 != <a>)"
    assert put(Filter(Comparison(Call("STR", (v1,)), "!=", v1)), v2) == "FILTER(STR(?v2) != ?v2)"
    odd = put(EdgePattern(v1, p, Literal("\\1 \\g<0>")), Literal("\\1", language="en"))
    assert odd == r'"\\1"@en <p> "\\1 \\g<0>" .'


def test_given_values_of_what_becomes_a_term_become_a_condition() -> None:
    part: Part = Values.of(X, thing("a"), thing("b"))
    assert substituted(part, {X: thing("a")}) == Filter(OneOf(thing("a"), (thing("a"), thing("b"))))
    with pytest.raises(ValueError, match="open values"):
        substituted(Values((X,), ((None,),)), {X: thing("a")})


def test_an_iri_that_cannot_be_written_is_not_written() -> None:
    for part in (
        EdgePattern(X, IRI("http://example.org/a> ?p ?o"), Y),
        EdgePattern(X, COLOUR, Literal("1", "http://example.org/> a")),
    ):
        with pytest.raises(QuerySyntaxError, match="cannot be written"):
            render(QueryGraph.of(X, part))


# Parsed queries -------------------------------------------------------------------------------------------

PREFIX = f"PREFIX : <{EX}> "


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { ?n :colour :red . OPTIONAL { ?n :size ?x } }",
        "SELECT ?x { ?x :colour :green FILTER NOT EXISTS { ?x :size ?n } }",
        "SELECT ?x { ?x :colour ?c MINUS { ?x :colour :red } FILTER(?c != :blue && (?c = :green || !BOUND(?n))) }",
        "SELECT DISTINCT ?x (?n * 2 + 1 AS ?m) { ?x :size ?n FILTER(?n IN (1, 2, 3)) } ORDER BY DESC(?m) LIMIT 2",
        "SELECT ?c (COUNT(DISTINCT ?x) AS ?n) { ?x :colour ?c } GROUP BY ?c HAVING(COUNT(?x) > 1) ORDER BY DESC(?n)",
        "SELECT ?c (GROUP_CONCAT(?n ; SEPARATOR = '+') AS ?all) { ?x :colour ?c ; :size ?n } GROUP BY ?c ORDER BY ?c",
        "SELECT ?x { { ?x :colour :red } UNION { :bob :likes ?x } } ORDER BY ?x OFFSET 1 LIMIT 3",
        "SELECT ?x ?who { VALUES (?who ?x) { (:ann :a) (:bob UNDEF) } ?who :likes ?x }",
        "SELECT ?x { ?x ^:likes/^:likes|:likes* ?y } ORDER BY ?x",
        "SELECT ?x { ?who :likes/:colour ?x } ORDER BY ?x",
        "SELECT ?x { ?x :likes|:colour ?y } ORDER BY ?x",
        "SELECT ?x { { SELECT ?x (MAX(?n) AS ?m) { ?x :size ?n } GROUP BY ?x ORDER BY ?m LIMIT 3 } ?x :colour :red }",
        "SELECT ?x ?y { ?x :size ?n BIND(CONCAT(STR(?n), '!') AS ?y) FILTER(EXISTS { ?who :likes ?x }) }",
        "SELECT ?x (COALESCE(?n, 0) AS ?size) { ?x :colour ?c OPTIONAL { ?x :size ?n } } ORDER BY ?x",
        "SELECT ?x { ?x :size ?n } VALUES ?n { 1 2 }",
        "SELECT ?x { ?x :colour :red . GRAPH :year3 { ?x :owner ?who } }",
        "SELECT ?x ?year { GRAPH ?year { ?x :owner :ann } FILTER(?year != :year4) } ORDER BY ?x",
        "SELECT ?who { GRAPH ?year { { ?x :owner ?who } UNION { ?who :owner ?x } OPTIONAL { ?x :colour ?c } } }",
        "SELECT ?c (COUNT(?x) AS ?n) { ?x :colour ?c } GROUP BY ?c VALUES ?c { :red :green }",
        "ASK { ?x :size ?n FILTER(?n - 1 > 7) }",
        "ASK { :a :size 5 . [] :size 8 }",
        "SELECT (SUM(?n) / COUNT(?n) AS ?mean) { ?x :size ?n }",
        "SELECT (YEAR(NOW()) > 2000 AS ?late) {}",
    ],
)
def test_a_parsed_query_finds_the_same_as_a_graph(rows: Any, query: str) -> None:
    graph = sparql.parse(PREFIX + query).explicit()
    found = rows(graph)
    assert found == rows(PREFIX + query) or sorted(map(str, found)) == sorted(map(str, rows(PREFIX + query)))
    assert found
    if graph.ask:
        return
    count = len(set(found))
    assert rows(graph.counted()) == [(str(count),)]
    assert len(rows(graph.first(1))) == 1
    some = graph.variables[0]  # toys and colours of toys are IRIs; only the former have a class
    assert {row[0] for row in rows(graph.narrowed(EdgePattern(some, KIND, TOY)))} == {
        row[0] for row in found if row[0] in tuple("bcdefgh")
    }


@pytest.mark.parametrize(
    "part",
    [
        "GRAPH :g { ?x :colour :red }",
        "GRAPH ?x { ?x :colour :red }",
        "?x :likes* :red .",
        "FILTER(REGEX(STR(?x), '?x <') && EXISTS { ?x :colour :red })",
    ],
)
def test_a_term_is_swapped_in_what_stays_as_it_was_written(part: str) -> None:
    graph = sparql.parse(PREFIX + f"SELECT ?x {{ ?x :size ?n . {part} }}").explicit()
    text = render(graph.swapped(thing("red"), thing("green")).swapped(X, Y))
    assert f"<{EX}green>" in text
    assert f"<{EX}red>" not in text
    assert "?x" not in text.replace("'?x <'", "").replace('"?x <"', "")
    assert check(text)


def test_the_graphs_that_a_query_reads_stay_on_its_outside() -> None:
    query = f"SELECT ?x FROM <{EX}g> FROM NAMED <{EX}h> {{ ?x <{EX}size> ?n }} LIMIT 3"
    counted = render(sparql.parse(query).explicit().counted())
    assert counted.index("FROM") < counted.index("{")
    assert sparql.parse(counted)


# Named graphs ---------------------------------------------------------------------------------------------


def test_patterns_are_matched_in_one_named_graph_or_in_any(rows: Any) -> None:
    year, owned = Variable("year"), EdgePattern(X, IRI(EX + "owner"), Y)
    assert rows(QueryGraph.of(X, owned)) == []
    assert sorted(rows(QueryGraph.of(X, GraphPart(thing("year3"), (owned,))))) == [("a",), ("b",)]
    anywhere = QueryGraph.of(X, GraphPart(year, (owned,)))
    assert sorted(rows(anywhere)) == [("a",), ("b",), ("c",)]
    assert sorted(rows(anywhere.showing(X, year))) == [("a", "year3"), ("b", "year3"), ("c", "year4")]
    assert rows(anywhere.narrowed(EdgePattern(X, COLOUR, thing("blue"))).counted()) == [
        (str(len({"a", "b", "c"} & set(COLOURS["blue"]))),)
    ]


def test_a_named_graph_is_bound_and_can_be_replaced() -> None:
    year, owned = Variable("year"), EdgePattern(X, IRI(EX + "owner"), Y)
    graph = QueryGraph.of(X, GraphPart(year, (owned,)))
    assert in_scope(graph.where) == (year, X, Y)
    assert graph.swapped(year, N).where == (GraphPart(N, (owned,)),)
    fixed = substituted(graph.where, {year: thing("year3")})
    assert fixed == (GraphPart(thing("year3"), (owned,)),)
    assert render_parts(fixed) == f"GRAPH <{EX}year3> {{ ?x <{EX}owner> ?y . }}"
    assert in_scope(fixed) == (X, Y)


# Text -----------------------------------------------------------------------------------------------------

names = st.sampled_from(
    [Variable("a"), Variable("b"), thing("c"), Literal('say "?a" \\ \n'), Literal("1", XSD + "integer")]
)


def expressions_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner,
        st.builds(Comparison, inner, st.sampled_from(["=", "!=", "<", ">="]), inner),
        st.builds(Arithmetic, inner, st.sampled_from("+-*/"), inner),
        st.builds(lambda *parts: Logic(parts, "&&"), inner, inner),
        st.builds(lambda *parts: Logic(parts, "||"), inner, inner),
        st.builds(Not, inner),
        st.builds(lambda value, *options: OneOf(value, options, True), inner, inner, inner),
        st.builds(lambda one: Call("STR", (one,)), inner),
    )


nodes = st.sampled_from([Variable("a"), Variable("b"), thing("c")])
relations = st.sampled_from([COLOUR, Variable("p"), Path((SIZE, LIKES)), Path((SIZE, LIKES), "|"), Path((LIKES,), "+")])
edge_patterns = st.builds(EdgePattern, nodes, relations, names)
simple_parts = st.one_of(
    edge_patterns,
    st.builds(Filter, expressions_of(expressions_of(names))),
    st.just(Values.of(Variable("b"), thing("c"), Literal("x", language="en"))),
    st.just(ClassPattern(Variable("k"), (TOY, BALL), Variable("a"))),
)


def parts_of(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner,
        st.builds(lambda *found: OptionalPart(found), inner, inner),
        st.builds(lambda found, minus: NegatedPart((found,), minus), inner, st.booleans()),
        st.builds(lambda one, other: Union(((one,), (other,))), inner, inner),
        st.builds(lambda graph, *found: GraphPart(graph, found), nodes, inner, inner),
        st.builds(lambda found: QueryGraph.of(Variable("a"), found).first(3), edge_patterns),
    )


@pytest.mark.slow
@settings(max_examples=80)
@given(st.lists(parts_of(parts_of(simple_parts)), min_size=1, max_size=4))
def test_whatever_is_rendered_passes_the_guard_and_is_read_back(found: list[Any]) -> None:
    graph = QueryGraph.of(Variable("a"), *found)
    text = render(graph)
    assert check(text)
    tree = sparql.parse(text)
    again = tree.explicit()
    assert sparql.write(graph) == sparql.write(tree)
    numbered = graph.swapped(Variable("a"), Variable("v7")).swapped(Variable("b"), Variable("v3"))
    assert render_normalised(numbered) == render(numbered.normalised())
    assert sparql.write(sparql.parse(render(again)), {}) == sparql.write(tree, {})
    if not any(isinstance(part, ClassPattern) for part in _all(graph)):  # which is read as its two patterns
        assert again == graph


def _all(value: Any) -> Any:
    yield value
    if isinstance(value, tuple):
        for one in value:
            yield from _all(one)
    elif hasattr(value, "__match_args__"):
        for name in value.__match_args__:
            yield from _all(getattr(value, name))


def test_a_computed_column_is_bound() -> None:
    graph = QueryGraph((Computed(Arithmetic(X, "-", Y), N),), (Bind(number(2), X), Bind(number(0.5), Y)))
    assert render(graph) == "SELECT (?x - ?y AS ?n) { BIND(2 AS ?x) BIND(0.5 AS ?y) }"


def test_the_classes_below_a_class_are_followed_or_listed_and_read_again() -> None:
    kinds = [f"{EX}c{at}" for at in range(11)]
    followed = QueryGraph.of(X, ClassPattern.of(X, kinds, lambda: Variable("kind")))
    assert sparql.parse(render(followed)).explicit() == followed
    assert "subClassOf>*" in render(followed)
    assert "VALUES ?kind" in render(QueryGraph.of(X, ClassPattern.of(X, kinds[:10], lambda: Variable("kind"))))
