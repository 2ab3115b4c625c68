"""Dates are counted as the calendar counts them."""

from __future__ import annotations

from datetime import date

import pyoxigraph
import pytest
from hypothesis import given, strategies as st

from triad.queries.comparisons import between, weekday
from triad.rdf import Literal
from triad.sparql.patterns import Value
from triad.sparql.writer import render_expression

dates = st.dates(date(1600, 1, 1), date(2400, 12, 31))


def computed(value: Value) -> str | None:
    [row] = pyoxigraph.Store().query(f"SELECT ({render_expression(value)} AS ?v) {{ }}")  # type: ignore[misc]
    return str(row[0].value) if row[0] is not None else None


def counted(value: Value) -> int:
    return int(computed(value) or "no number")


@pytest.mark.slow(0.1)
@given(dates)
def test_a_day_of_the_week_is_a_number_from_monday_on(day: date) -> None:
    assert counted(weekday(Literal(day.isoformat()))) == day.isoweekday()


@pytest.mark.slow(0.1)
@given(dates, dates)
def test_only_whole_years_months_and_weeks_are_between_two_dates(one: date, other: date) -> None:
    begin, end = sorted((one, other))
    months = 12 * (end.year - begin.year) + end.month - begin.month - (end.day < begin.day)
    days = (end - begin).days
    expected = {"YEARS": months // 12, "MONTHS": months, "WEEKS": days // 7, "DAYS": days}
    texts = Literal(begin.isoformat()), Literal(end.isoformat())
    assert {unit: counted(between(*texts, unit)) for unit in expected} == expected


@pytest.mark.parametrize("unit", ["YEARS", "MONTHS", "WEEKS", "DAYS"])
@pytest.mark.parametrize("begin", ["-0062-09-23", "-12000-01-01", "12000-01-01"])
def test_years_that_are_not_of_four_digits_are_not_counted(begin: str, unit: str) -> None:
    assert computed(between(Literal(begin), Literal("2014-08-19"), unit)) is None
