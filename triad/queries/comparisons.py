"""Comparisons with numbers and dates in the forms that occur in graphs, and arithmetic of dates, from their texts.

What graphs hold are dates, times and years, and what stores compute with differs: differences of dates are durations in
one, numbers in the next, and an error in another. So years, months and days are taken from the text of a date, which
all of them can do, and computed with as numbers.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from triad import sparql
from triad.rdf import IRI, XSD, Literal, is_number, number
from triad.resources import read
from triad.sparql.patterns import Arithmetic, Call, Comparison, Computed, Value, Variable

_DAY = len("2001-12-31")
_YEAR = len("2001")
LONG_YEAR = re.compile(r"-|\d{5}")  # what a date begins with whose year is BC, or has more than four digits
_RECURRING = {"T": re.compile(r"(?:.*T)?\d\d:\d\d"), "-": re.compile(r"\d{4}-\d\d-\d\d")}
"""Values that have the part of a date which comes again: a time, a month or a day."""


def held_against_number(variable: Variable, sign: str, value: float) -> Comparison:
    """Return the condition that a variable is above, below or equal to a number."""
    return Comparison(variable, sign, number(value))


def has_part(sample: Literal, date: str) -> bool:
    """Return whether values as a sample have what a date names that comes again; True for any other date."""
    return date[0] not in _RECURRING or bool(_RECURRING[date[0]].match(sample.value))


def held_against_date(variable: Variable, sign: str, date: str, sample: Literal) -> Comparison:
    """Return the condition that a variable, with a sample of its values, is before, after or on a date.

    A year, a month or a day is meant: ``2001``, ``2001-12``, ``2001-12-31``; or what comes again, as
    `triad.language.recurring` writes it. Values may be dates, times, years or numbers.
    """
    text = Call("STR", (variable,))
    if not has_part(sample, date):
        return Comparison(text, "=", Literal(date))  # as xsd:gMonth has it
    if date.startswith("-W-"):
        return Comparison(weekday(text), sign, number(int(date[-1])))
    if date[0] in "-T":
        part = date.lstrip("-T")
        start = sample.value.find("T") + 2 if date[0] == "T" else len("2001-1")
        return Comparison(_slice(text, start, len(part)), sign, Literal(part))
    if len(date) <= _YEAR or sample.datatype == XSD + "gYear" or is_number(sample):
        long = LONG_YEAR.match(sample.value) and not is_number(sample)
        year = Call("YEAR", (variable,)) if long else Call(IRI(XSD + "integer"), (_slice(text, 1, _YEAR),))
        return Comparison(year, sign, number(int(date[:_YEAR])))
    if len(date) == _DAY and sample.datatype == XSD + "date" and sign != "=":  # which a time zone would change
        return Comparison(variable, sign, Literal(date, XSD + "date"))
    return Comparison(_slice(text, 1, len(date)), sign, Literal(date))


@cache
def _computed() -> Mapping[Variable, Value]:
    """Return what is computed of a date, by its name, from the date's text, which is called ``?date``."""
    made: dict[Any, Any] = {}
    for column in sparql.parse(read(Path(__file__).with_suffix(".rq"))).columns:
        assert isinstance(column, Computed)
        made[column.variable] = sparql.substituted(column.expression, made)
    return made


def _of(date: Value, name: str) -> Value:
    text: dict[Any, Any] = {Variable("date"): date}
    return sparql.substituted(_computed()[Variable(name)], text)


def weekday(date: Value) -> Value:
    """Return the number of a date's day of the week, from 1 for Mondays to 7."""
    return _of(date, "weekday")


def seconds_of(duration: Value) -> Value:
    """Return the seconds of a duration, which is given as a text."""
    return _of(duration, "seconds")


def _slice(date: Value, start: int, length: int) -> Value:
    return Call("SUBSTR", (date, number(start), number(length)))


def day_of(date: Value, *, whole: bool) -> Value:
    """Return the text of a date; of one that need not be ``whole``, such as a year, that of its first day."""
    text = Call("STR", (date,))
    return text if whole else _slice(Call("CONCAT", (text, Literal("-01-01"))), 1, _DAY)


def between(begin: Value, end: Value, unit: str) -> Value:
    """Return how many whole years, months, weeks or days are between two dates, which are given as texts."""
    counted, rest = {"YEARS": ("year", "day_of_year"), "MONTHS": ("months", "day_of_month")}.get(unit, ("days", ""))
    count = Arithmetic(_of(end, counted), "-", _of(begin, counted))
    if rest:
        early = Comparison(_of(end, rest), "<", _of(begin, rest))
        return Arithmetic(count, "-", Call("IF", (early, number(1), number(0))))
    weeks = Call("FLOOR", (Arithmetic(count, "/", number(7)),))
    return Call(IRI(XSD + "integer"), (weeks,)) if unit == "WEEKS" else count
