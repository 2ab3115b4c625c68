"""Comparisons hold for the values that they should, whatever datatype the graph has them in."""

from __future__ import annotations

import pyoxigraph
import pytest

from triad.kg.guard import check
from triad.queries.comparisons import held_against_date, held_against_number
from triad.rdf import XSD, Literal
from triad.sparql.patterns import Comparison, Filter, Values, Variable
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render

X = Variable("x")


def holds(test: Comparison, value: Literal) -> bool:
    query = QueryGraph.whether(Values.of(X, value), Filter(test))
    return bool(pyoxigraph.Store().query(check(render(query))))


@pytest.mark.parametrize(
    ("value", "datatype", "date", "sign", "expected"),
    [
        ("1968-04-02", "date", "1968", "=", True),
        ("1968-04-02", "date", "1968", ">", False),
        ("1968-04-02", "date", "1968-04", "=", True),
        ("1968-04-02", "date", "1968-05", "<", True),
        ("1968-04-02", "date", "1968-04-02", "=", True),
        ("1968-04-02", "date", "1968-04-03", "<", True),
        ("1968-04-02", "date", "1968-04-01", "<", False),
        ("1968-04-02", "string", "1968", "=", True),
        ("1968-04-02", "string", "1968-04-03", "<", True),
        ("12345", "integer", "1234", "=", True),
        ("1968-04-02Z", "date", "1968-04-02", "=", True),
        ("1968-04-02+02:00", "date", "1968-04-02", "=", True),
        ("1968-04-02T12:00:00", "dateTime", "1968-04-02", "=", True),
        ("1968-04-02T12:00:00", "dateTime", "1968-04-03", "<", True),
        ("1968", "gYear", "1968-04-02", "=", True),
        ("1968", "integer", "1968", "=", True),
        ("0968-01-01", "date", "0968", "=", True),
        ("1968-04-02", "date", "--04", "=", True),
        ("1968-04-02", "date", "--05", "<", True),
        ("1968-04-02", "date", "--04-03", "=", False),
        ("1968-04-02", "date", "-W-2", "=", True),
        ("1968-04-02", "date", "-W-3", "=", False),
        ("1968-04-02T09:30:00", "dateTime", "T09:30", "=", True),
        ("09:30:00", "time", "T13:00", "<", True),
        ("09:30", "string", "T09:00", ">", True),
        ("1968", "gYear", "--04", ">", False),
        ("--04", "gMonth", "--04", "=", True),
        ("12345-01-01", "date", "1900", "<", False),
        ("12345", "gYear", "1900", ">", True),
        ("-0044-03-15", "date", "1900", "<", True),
        ("-0044-03-15T00:00:00", "dateTime", "0000", ">", False),
    ],
)
def test_a_date_is_held_against_as_much_of_it_as_is_given(
    value: str, datatype: str, date: str, sign: str, expected: bool
) -> None:
    literal = Literal(value, XSD + datatype)
    assert holds(held_against_date(X, sign, date, literal), literal) is expected


@pytest.mark.parametrize(("number", "expected"), [(400.0, True), (399.5, True), (1e20, False), (400.25, False)])
def test_a_number_is_held_against_decimals_and_large_ones(number: float, expected: bool) -> None:
    assert holds(held_against_number(X, ">=", number), Literal("400", XSD + "integer")) is expected
