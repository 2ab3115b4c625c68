"""Comparisons: conditions that compare a variable with a number or a date in the forms that occur in graphs."""

import re

from triad.queries.dates import weekday
from triad.rdf import IRI, XSD, Literal, is_number, number
from triad.sparql.patterns import Call, Comparison, Expression, Filter, Logic, Variable

_DAY = len("2001-12-31")
_YEAR = len("2001")
_RECURRING = {"T": re.compile(r"(?:.*T)?\d\d:\d\d"), "-": re.compile(r"\d{4}-\d\d-\d\d")}
"""Values that have the part of a date which comes again: a time, a month or a day."""


def held(*tests: Expression) -> Filter:
    """Return the condition that all of some tests hold."""
    return Filter(tests[0] if len(tests) == 1 else Logic(tests))


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
        return Comparison(Call("SUBSTR", (text, number(start), number(len(part)))), sign, Literal(part))
    if len(date) <= _YEAR or sample.datatype == XSD + "gYear" or is_number(sample):
        year = Call(IRI(XSD + "integer"), (Call("SUBSTR", (text, number(1), number(_YEAR))),))
        return Comparison(year, sign, number(int(date[:_YEAR])))
    if len(date) == _DAY and sample.datatype == XSD + "date":
        return Comparison(variable, sign, Literal(date, XSD + "date"))
    return Comparison(Call("SUBSTR", (text, number(1), number(len(date)))), sign, Literal(date))
