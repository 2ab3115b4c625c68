"""Arithmetic of dates, from their texts.

What graphs hold are dates, times and years, and what stores compute with differs: differences of dates are durations in
one, numbers in the next, and an error in another. So years, months and days are taken from the text of a date, which
all of them can do, and computed with as numbers.
"""

from triad.rdf import IRI, XSD, number
from triad.sparql.patterns import Arithmetic, Call, Comparison, Value


def weekday(date: Value) -> Value:
    """Return the number of a date's day of the week, from 1 for Mondays to 7."""
    days = Arithmetic(_days(date), "+", number(1))
    weeks = _whole(Arithmetic(days, "/", number(7)))
    return Arithmetic(Arithmetic(days, "-", Arithmetic(weeks, "*", number(7))), "+", number(1))


def _part(date: Value, start: int, length: int) -> Value:
    """Return a number from the text of a date: 1 and 4 for the year."""
    return Call(IRI(XSD + "integer"), (_slice(date, start, length),))


def _slice(date: Value, start: int, length: int) -> Value:
    return Call("SUBSTR", (date, number(start), number(length)))


def between(begin: Value, end: Value, unit: str) -> Value:
    """Return how many whole years, months, weeks or days are between two dates, which are given as texts."""
    if unit == "YEARS":
        early = Comparison(_slice(end, 6, 5), "<", _slice(begin, 6, 5))
        years = Arithmetic(_part(end, 1, 4), "-", _part(begin, 1, 4))
        return Arithmetic(years, "-", Call("IF", (early, number(1), number(0))))
    if unit == "MONTHS":
        early = Comparison(_slice(end, 9, 2), "<", _slice(begin, 9, 2))
        months = Arithmetic(_months(end), "-", _months(begin))
        return Arithmetic(months, "-", Call("IF", (early, number(1), number(0))))
    days = Arithmetic(_days(end), "-", _days(begin))
    return _whole(Arithmetic(days, "/", number(7))) if unit == "WEEKS" else days


def _months(date: Value) -> Value:
    return Arithmetic(Arithmetic(_part(date, 1, 4), "*", number(12)), "+", _part(date, 6, 2))


def _days(date: Value) -> Value:
    """Return the number of a date's day, counted from one fixed day; the years are taken to begin in March."""
    early = Comparison(_part(date, 6, 2), "<", number(3))
    year = Arithmetic(_part(date, 1, 4), "-", Call("IF", (early, number(1), number(0))))
    month = Arithmetic(_part(date, 6, 2), "-", Call("IF", (early, number(-9), number(3))))
    leaps = Arithmetic(
        Arithmetic(_whole(Arithmetic(year, "/", number(4))), "-", _whole(Arithmetic(year, "/", number(100)))),
        "+",
        _whole(Arithmetic(year, "/", number(400))),
    )
    of_months = _whole(Arithmetic(Arithmetic(Arithmetic(month, "*", number(153)), "+", number(2)), "/", number(5)))
    of_years = Arithmetic(Arithmetic(year, "*", number(365)), "+", leaps)
    return Arithmetic(Arithmetic(of_years, "+", of_months), "+", _part(date, 9, 2))


def _whole(value: Value) -> Value:
    return Call(IRI(XSD + "integer"), (Call("FLOOR", (value,)),))
