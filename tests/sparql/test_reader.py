"""What is read: the query that is meant, or the reason why it is none, in time in proportion to the text."""

from __future__ import annotations

import contextlib
import gc
import re
import sys
import weakref

import pyoxigraph
import pytest

from triad import sparql
from triad.errors import QuerySyntaxError


@pytest.mark.parametrize(
    ("query", "projection"),
    [
        ("SELECT COUNT(?x) { ?x ?p ?o }", "(COUNT(?x) AS ?count)"),
        ("SELECT COUNT(?x) WHERE { ?x ?p ?o }", "(COUNT(?x) AS ?count)"),
        ("select count ( distinct ?x ) { ?x ?p ?o }", "(COUNT(DISTINCT ?x) AS ?count)"),
        ("SELECT DISTINCT COUNT(?x) { ?x ?p ?o }", "DISTINCT (COUNT(?x) AS ?count)"),
        ("SELECT COUNT(DISTINCT ?x) AS ?n { ?x ?p ?o }", "(COUNT(DISTINCT ?x) AS ?n)"),
        ("SELECT COUNT(DISTINCT ?x) as $n { ?x ?p ?o }", "(COUNT(DISTINCT ?x) AS ?n)"),
        ("SELECT (COUNT(?x)) { ?x ?p ?o }", "(COUNT(?x) AS ?count)"),
        ("SELECT ?p COUNT(?x) { ?x ?p ?o } GROUP BY ?p", "?p (COUNT(?x) AS ?count)"),
        ("SELECT COUNT(?count) { ?count ?p ?o }", "(COUNT(?count) AS ?count_)"),
        ("SELECT COUNT(?x) COUNT(?y) { ?x ?p ?y }", "(COUNT(?x) AS ?count) (COUNT(?y) AS ?count_)"),
        ("SELECT MAX(?o) MIN(?o) { ?x ?p ?o }", "(MAX(?o) AS ?max) (MIN(?o) AS ?min)"),
        ("SELECT COUNT(*) { ?x ?p ?o }", "(COUNT(*) AS ?count)"),
        ("SELECT (COUNT(?x) AS ?n) { ?x ?p ?o }", "(COUNT(?x) AS ?n)"),
        ("SELECT (COUNT(?x) + 1 AS ?n) { ?x ?p ?o }", "(COUNT(?x) + 1 AS ?n)"),
        ("SELECT ?select { { SELECT ?select { ?select ?p ?o } ORDER BY COUNT(?p) } { ?x ?p ?o } }", "?select"),
    ],
)
def test_a_projection_that_only_virtuoso_takes_is_put_into_standard_form(query: str, projection: str) -> None:
    written = sparql.write(sparql.parse(query))
    assert written.splitlines()[0] == f"SELECT {projection}"


def test_a_bare_aggregate_in_a_sub_select_gets_a_name() -> None:
    written = sparql.write(sparql.parse("SELECT ?n { { SELECT COUNT(?x) AS ?n { ?x ?p ?o } } }"))
    assert "SELECT (COUNT(?x) AS ?n)" in written
    pyoxigraph.Store().query(written)


@pytest.mark.parametrize("cast", ["int", "long", "nonNegativeInteger", "unsignedByte"])
def test_a_cast_that_only_virtuoso_knows_is_put_into_standard_form(cast: str) -> None:
    assert "xsd:integer(?o) > 5" in sparql.write(sparql.parse(f"SELECT * {{ ?s ?p ?o FILTER(xsd:{cast}(?o) > 5) }}"))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        pytest.param("", "ends too early or is empty", id="nothing"),
        pytest.param(" \n\n", "ends too early or is empty", id="only space"),
        pytest.param("# a comment", "not a SPARQL query", id="only a comment"),
        pytest.param("SELECT ?x {\n", "ends too early", id="ends after a line"),
        pytest.param("SELECT ?x { ?x ?p }", "not a SPARQL query", id="half a triple"),
        pytest.param("SELECT  nothing", "line 1, column 9", id="no part that begins so"),
        pytest.param("SELECT ?x { ?x foo:bar ?y }", "the prefix 'foo:' is not declared", id="unknown prefix"),
        pytest.param("SELECT ?x { ?x ?p ?y", "not a SPARQL query", id="a brace not closed"),
        pytest.param("SELECT ?x { ?x ?p ?y } }", "not a SPARQL query", id="a brace too many"),
        pytest.param("SELECT ?x { ?x ?p \"a }", "not a SPARQL query", id="a string not closed"),
        pytest.param('SELECT ?x { ?x ?p """a }', "not a SPARQL query", id="a long string not closed"),
        pytest.param('SELECT ?x { ?x ?p "\\uD800" }', "Unicode", id="half a character, escaped"),
        pytest.param('SELECT ?x { ?x ?p "\ud800" }', "Unicode", id="half a character"),
        pytest.param('SELECT ?x { ?x ?p "\\UFFFFFFFF" }', "Unicode", id="no character"),
        pytest.param("SELECT ?x { ?x ?p '\x0b\x85\u2028' \n } foo", "line 2, column 4", id="odd line ends"),
        pytest.param("SELECT ?x { " + "{" * 40 + "}" * 41, "at most 32", id="braces too deep"),
        pytest.param("SELECT ?x { FILTER(" + "(" * 31 + "1" + ")" * 32 + "}", "at most 32", id="brackets deep"),
        pytest.param("SELECT ?x { ?x " + "\\u0028" * 40 + "<p>", "at most 32", id="brackets too deep, escaped"),
        pytest.param("SELECT * { FILTER(" + "1+" * 480 + "1) }", "too many operators", id="operators in a row"),
        pytest.param("x" * 10_001, "at most 10,000", id="too long"),
        pytest.param("SELECT * { FILTER(" + "1+" * 3_000 + "1) }", "at most 4,000", id="too many words"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_why(query: str, message: str) -> None:
    sys.setrecursionlimit(1_000)  # as Python has it; what generates tests raises it
    with pytest.raises(QuerySyntaxError, match=message):
        sparql.parse(query)


def test_blank_nodes_have_the_same_names_each_time() -> None:
    query = "SELECT * { [] ?p [ ?q _:b2 ] . ?b1 ?r () }"
    written = sparql.write(sparql.parse(query))
    assert written == sparql.write(sparql.parse(query))
    assert "_:b3 ?p _:b4 ." in written


def test_masking_keeps_positions() -> None:
    text = 'SELECT \'{\' { ?x <a(b> """(""" . # (\n }'
    masked = sparql.mask(text)
    assert len(masked) == len(text)
    assert "(" not in masked
    assert masked.count("{") == masked.count("}") == 1


@pytest.mark.parametrize("text", ['"""\n\\' * 20_000, "'''\n\\" * 20_000, "'" * 99_999, '"\\' * 50_000, "<" * 99_999])
def test_masking_takes_linear_time(text: str) -> None:
    assert len(sparql.mask(text)) == len(text)


def test_many_aggregates_without_a_name_get_short_names_of_their_own() -> None:
    written = sparql.write(sparql.parse("SELECT" + " COUNT(*)" * 4 + " GROUP_CONCAT(?x) { ?x ?p $count_2 }"))
    names = ["count", "count_", "count_3", "count_4", "group_concat"]
    assert re.findall(r"AS \?(\w+)", written) == names


FLOODS = {
    "aggregates": ("SELECT", " COUNT(*)", " { }"),
    "aggregates in brackets": ("SELECT", " (MIN(?a))", " { }"),
    "aggregates with a name": ("SELECT", " MAX(?a) AS ?b", " { }"),
    "aggregates that are called alike": ("SELECT", " COUNT(?count_)", " { }"),
    "aggregates that are not closed": ("SELECT", " COUNT(", " { }"),
    "SELECT": ("", " SELECT COUNT(?x)", " { }"),
    "sub-selects": ("SELECT * { { }", " UNION { SELECT COUNT(*) { } }", " }"),
    "prefixes": ("", "PREFIX a: <b> ", "SELECT * { }"),
    "bases": ("", "BASE <b/> ", "SELECT * { }"),
    "patterns": ("SELECT * {", " ?s ?p ?o .", " }"),
    "patterns that end badly": ("SELECT * {", " ?s ?p ?o .", ""),
    "blank nodes": ("SELECT * {", " [ ?p [ ] ] ?q ( 1 ) .", " }"),
    "objects": ("SELECT * { ?s ?p ?o", " , ?o", " }"),
    "steps of a path": ("SELECT * { ?s a", " / ^ a", " ?o }"),
    "branches of a path": ("SELECT * { ?s a", " | a *", " ?o }"),
    "a path that ends badly": ("SELECT * { ?s a", " | a", " }"),
    "filters": ("SELECT * {", " FILTER (1)", " }"),
    "operators": ("SELECT * { FILTER (1", " + 1 * 1 = 1 && 1", ") }"),
    "operators that end badly": ("SELECT * { FILTER (1", " + 1", " }"),
    "signs": ("SELECT * { FILTER (", "! ", "1"),
    "arguments": ("SELECT * { FILTER (CONCAT(1", " , 1", ")) }"),
    "cells": ("SELECT * { VALUES (?x) {", " (1)", "} }"),
    "cells of a row": ("SELECT * { VALUES (?x) { (", " 1", ") } }"),
    "groups": ("SELECT * {", " { }", " }"),
    "unions": ("SELECT * { { }", " UNION { }", " }"),
    "keys": ("SELECT * { } ORDER BY", " DESC(?x)", ""),
    "comments": ("SELECT * {", " # x \n", "}"),
    "strings": ("SELECT * { ?s ?p ''", ", 'a'", " }"),
    "strings that are not closed": ("SELECT * { ?s ?p ", " 'a\n", " }"),
    "updates": ("", "INSERT ", ""),
}


@pytest.mark.parametrize(("head", "unit", "tail"), FLOODS.values(), ids=FLOODS.keys())
def test_twice_the_text_is_twice_the_work(head: str, unit: str, tail: str) -> None:
    work(head + unit * 11 + tail)  # the grammar settles when it is first used
    once, twice = work(head + unit * 12 + tail), work(head + unit * 24 + tail)
    assert twice < 2.2 * once


NESTS = {
    "groups": ("SELECT * {", "{", "", "}"),
    "sub-selects": ("SELECT * {", "{ SELECT * {", "", "} }"),
    "optionals": ("SELECT * {", "OPTIONAL {", "", "}"),
    "unions": ("SELECT * {", "{ } UNION {", "", "}"),
    "filters": ("SELECT * {", "FILTER NOT EXISTS {", "", "}"),
    "services": ("SELECT * {", "SERVICE ?s {", "", "}"),
    "brackets": ("SELECT * { FILTER ", "(", "1", ")"),
    "operators": ("SELECT * { FILTER ", "(1 + ", "1", ")"),
    "lists": ("SELECT * { FILTER (1 ", "IN (1, 1 ", "", ")"),
    "calls": ("SELECT * { FILTER ", "<f>(", "1", ")"),
    "functions": ("SELECT * { FILTER ", "IF(1, 1, ", "1", ")"),
    "aggregates": ("SELECT ", "COUNT(", "1", ")"),
    "aggregates in brackets": ("SELECT ", "(COUNT", "1", ")"),
    "aggregates of sub-selects": ("SELECT ", "(COUNT(EXISTS { SELECT ", "?x", "}))"),
    "paths": ("SELECT * { ?s ", "(a | ^", "a", ")"),
    "negated paths": ("SELECT * { ?s ", "!(a", "a", ")"),
    "blank nodes": ("SELECT * { ?s ?p ", "[ a ", "1", "]"),
    "collections": ("SELECT * { ?s ?p ", "(1 ", "1", ")"),
}


@pytest.mark.parametrize("ends", [True, False])
@pytest.mark.parametrize(("head", "opening", "core", "closing"), NESTS.values(), ids=NESTS.keys())
def test_a_text_nested_twice_as_deeply_is_not_much_more_work(
    head: str, opening: str, core: str, closing: str, ends: bool
) -> None:
    once, twice = (
        work(head + opening * depth + core + (closing * depth + " ?o }" if ends else "")) for depth in (4, 8)
    )
    assert twice < 4.5 * once


def work(query: str) -> int:
    """Return how many functions are called to read a text, and to write it if it is a query."""
    calls = 0

    def count(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count)
    try:
        sparql.write(sparql.parse(query))
    except QuerySyntaxError:
        pass
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("query", ["SELECT ?x { ?x <p>/<q> ?y FILTER(?y > 3) }", "SELECT ?x { ?x <p> "])
def test_reading_a_query_holds_on_to_nothing_of_who_wants_it_read(query: str) -> None:
    class Held:
        pass

    def read() -> weakref.ref[Held]:
        held = Held()
        with contextlib.suppress(QuerySyntaxError):
            sparql.parse(query)
        return weakref.ref(held)

    gc.disable()
    try:
        assert read()() is None
    finally:
        gc.enable()
