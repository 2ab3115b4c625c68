"""Comparisons in a question: "higher than 8000 metres", "before 1965", "in the 1970s", "more films than …"."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

from triad.language.pack import Degree, Measures
from triad.language.quantities import Quantity, asked_date_at, date_at, number_at, quantity_at
from triad.language.recurring import moment_at, recurring_at
from triad.language.tokens import Sentence
from triad.language.units import Operator, comparative_at, measure_before, measures_of, noun_end, preferring, suffix_at

_OPENERS: Final[dict[str, Operator]] = {"at_least": ">=", "at_most": "<=", "greater": ">", "smaller": "<", "equal": "="}
_DATE_OPENERS: Final[dict[str, Operator]] = {"before": "<", "after": ">", "since": ">=", "until": "<=", "during": "="}
_GAP: Final = 5  # words from "the same" to "as"
_DAY: Final = re.compile(r"-\d\d-\d\d$")
_YEAR_OF: Final = re.compile(r"\d{4}(?=-)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """A condition on a number or date; a range is two of them with the same words."""

    start: int
    """Position of its first word."""
    end: int
    """Position after the last; a named entity that is compared with is not included."""
    operator: Operator
    measures: Measures = ()
    """Names of the compared measure, as stems, the best first; empty where the words do not say."""
    value: float | None = None
    """The number as it is written, or None for a date or an entity."""
    date: str | None = None
    """A year, month or day as ISO 8601 writes it; a comparison with a year holds for the whole year. What comes again
    is written as in `triad.language.recurring`."""
    unit: str | None = None
    """The unit's stems, a key of `Pack.units`."""
    than: int | None = None
    """Position of the first content word of the entity that is compared with; after the last word if none is named."""
    difference: bool = False
    """True if the question asks by how much."""


# Comparisons ----------------------------------------------------------------------------------------------


def find_comparisons(sentence: Sentence, *, boolean: bool) -> tuple[Comparison, ...]:
    """Return the comparisons of a question, and mark their words as used.

    In a yes/no question (``boolean``), "più alto del …" compares.
    """
    found: list[Comparison] = []
    end = 0
    for at in range(len(sentence)):
        if at < end or at in sentence.fixed:
            continue
        bounds = any(sentence.compare(name, at) for name in ("at_least", "at_most"))  # greater than or equal to
        here = (
            _between(sentence, at)
            or (bounds and _by_opener(sentence, at))
            or _by_difference(sentence, at)
            or _by_same_degree(sentence, at)
            or _by_degree(sentence, at, boolean)
            or _by_opener(sentence, at)
            or _by_date(sentence, at)
        )
        if here:
            found += here
            end = here[0].end
            sentence.use(here[0].start, end)
    return tuple(found)


def _between(sentence: Sentence, at: int) -> list[Comparison]:
    for opener, edge in (("between", "and"), ("from", "to")):
        start = sentence.compare(opener, at)
        low = _first(sentence, start, edge) if start is not None else None
        high = low and (date_at(sentence, low[1]) or _quantity(sentence, sentence.skip_empty(low[1], 2)))
        if low and high:
            return _range(sentence, at, low[0], high)
    return _between_after(sentence, at)


def _quantity(sentence: Sentence, at: int) -> Quantity | None:
    return moment_at(sentence, at) or quantity_at(sentence, at)


def _first(sentence: Sentence, start: int, edge: str) -> tuple[Quantity, int] | None:
    """Return what a range begins with, maybe a month or a day without its year, and the position behind "and"."""
    places = start, sentence.skip_empty(start, 2)
    found = (_quantity(sentence, places[1]), *(date_at(sentence, one, yearless=True) for one in places))
    ends = ((one, sentence.compare(edge, one.end)) for one in found if one)
    return next(((one, end) for one, end in ends if end is not None), None)


def _between_after(sentence: Sentence, at: int) -> list[Comparison]:
    """Read a range whose words come after its numbers: "1950 और 1960 के बीच"."""
    low = _first(sentence, at, "and") if sentence.pack.compare_after["between"] else None
    high = quantity_at(sentence, low[1]) if low else None
    end = sentence.compare_after("between", high.end) if high else None
    return _range(sentence, at, low[0], replace(high, end=end)) if low and high and end is not None else []


def _range(sentence: Sentence, at: int, low: Quantity, high: Quantity) -> list[Comparison]:
    if low.unit is None and high.unit is not None:
        low = replace(low, unit=high.unit)
    if low.date and low.date.startswith("--"):
        if not (year := _YEAR_OF.match(high.date or "")):
            return []
        turn = low.date[1:] > (high.date or "")[4:]  # from November to February 2024
        low = replace(low, date=f"{int(year[0]) - turn:04}{low.date[1:]}")
    magnitudes, words = sentence.pack.magnitudes, sentence.folded
    by = math.prod(magnitudes.get(word, 1) for word in words[low.end : high.end])
    if low.value and high.value and low.value * by <= high.value and magnitudes.keys().isdisjoint(words[at : low.end]):
        low = replace(low, value=low.value * by)  # between 1 and 3 million
    if low.unit == high.unit and low.value is not None and high.value is not None and low.value > high.value:
        low, high = replace(low, value=high.value), replace(high, value=low.value)  # between 0 and -20
    if (low.date is None) != (high.date is None):
        years = [one.date and one.date.isdecimal() and not one.until for one in (low, high)]  # between 500 and 2000
        pairs = zip((low, high), years, strict=True)
        low, high = (replace(one, value=float(one.date or 0), date=None) if year else one for one, year in pairs)
    if (low.date is None) != (high.date is None):
        if not (low.value and high.date and _DAY.search(high.date) and low.value in range(1, 32)):
            return []
        low = replace(low, value=None, date=f"{high.date[:-2]}{int(low.value):02}")  # between 1 and 15 October
    measures: Measures = ()
    end = high.end
    if low.date is None:
        measures, end = measures_of(sentence, at, high)
    first = _condition(at, end, ">=", measures, low)
    if high.until:
        return [first, Comparison(start=at, end=end, operator="<", date=high.until)]
    return [first, _condition(at, end, "<=", measures, high)]


def _by_difference(sentence: Sentence, at: int) -> list[Comparison]:
    """Read "the difference between …", of which other words say what is compared."""
    end = sentence.compare("apart", at)
    between = end and any(sentence.compare("between", one) for one in range(end, len(sentence)))
    between = between or (end and any(sentence.compare_after("between", one) for one in range(at)))
    return [Comparison(start=at, end=end, operator=">", than=len(sentence), difference=True)] if end and between else []


def _by_degree(sentence: Sentence, at: int, boolean: bool) -> list[Comparison]:
    """Read "higher than …", "more expensive than …", "more inhabitants than …", "more than …"."""
    start, difference, unit = at, False, None
    if asked := _asks_difference(sentence, at):
        at, unit = asked
        difference = True
        opened = sentence.compare("difference", start) or start
        if unit:
            opened += len(unit.split())
        if opened < at:
            sentence.use(start, opened)
            start = at
    if (compared := comparative_at(sentence, at)) is None:
        return []
    degree, end, greater = compared
    measures: Measures = degree.measures if degree else ()
    found = _than(sentence, end, far=difference) or _loose_than(sentence, at, end, degree, boolean)
    if found is None:
        return []
    gap, operand = found
    if gap > end and not difference:
        measures = measures or sentence.names(end, gap)
    elif gap > end and degree is None:
        after = noun_end(sentence, end)
        measures, end = sentence.names(end, after), after
    operator: Operator = ">" if greater else "<"
    target = sentence.skip_empty(operand, 2)
    dates = any("date" in stems or "year" in stems for stems in measures[:3]) if degree else False
    place = _number_start(sentence, operand, target)
    then = sentence.compare("during", operand)
    apart = difference or (then is not None and date_at(sentence, sentence.skip_empty(then, 2)))  # higher than in 2021
    quantity = None if apart else (dates and moment_at(sentence, place)) or quantity_at(sentence, place, dates=dates)
    if quantity is None:
        if target >= len(sentence) and not boolean:
            return []
        measures = measures or measure_before(sentence, at)
        end = end if difference and gap > end else operand
        made = Comparison(start=start, end=end, operator=operator, measures=measures, unit=unit, than=target)
        return [replace(made, difference=difference)]
    end = quantity.end
    measures = measure_before(sentence, at, measures)
    if quantity.date is None and not measures:
        measures, end = measures_of(sentence, at, quantity)
    elif quantity.unit and not dates:  # "older than 40 years" compares dates, or ages the other way round
        measures = preferring(measures, sentence, quantity.unit)
    return _conditions(sentence, start, end, operator, measures, quantity)


def _by_same_degree(sentence: Sentence, at: int) -> list[Comparison]:
    """Read "as long as the Rhine", "as many doors as it", "the same colour as it"; and not "as long as 90 minutes"."""
    measures: Measures = ()
    first, gap = at, _GAP
    if (start := sentence.compare("equally", at)) is not None:
        if degree := sentence.pack.plain.longest(sentence.stems, start):
            start, measures, gap = degree[0], degree[1].measures, 1
        elif start == at + 1:
            return []
    elif (start := sentence.form("same", at)) is None:
        return []
    else:
        first = start  # the same stays a word for both
    ends = (sentence.compare("equally_as", one) for one in range(start, min(start + gap, len(sentence))))
    if (end := next(filter(None, ends), None)) is None:
        return []
    target = sentence.skip_empty(end, 2)
    named = target < len(sentence) and number_at(sentence, target) is None
    return [Comparison(start=first, end=end, operator="=", measures=measures, than=target)] if named else []


def _number_start(sentence: Sentence, operand: int, target: int) -> int:
    """Return the position where a number begins; number words may be function words (one, eine)."""
    return next((at for at in range(operand, target) if number_at(sentence, at)), target)


def _asks_difference(sentence: Sentence, at: int) -> tuple[int, str | None] | None:
    """Read "by how much", "how many metres" before a comparative: the comparative's position and the unit."""
    if (end := sentence.compare("difference", at)) is None:
        return None
    unit = sentence.pack.unit_phrases.longest(sentence.stems, end)
    first = unit[0] if unit else end
    # "How many countries have more than …" counts countries; "how many more" and "how many metres … higher" do not.
    last = end if unit is None and sentence.form("count", at) is not None else min(end + 8, len(sentence) - 1)
    for position in range(first, last + 1):
        if (compared := comparative_at(sentence, position)) is None or (unit and compared[0] is None):
            continue
        than = _than(sentence, position + 1, far=True)
        operand = than[1] if than else sentence.compare("loose_than", position + 2)
        if operand and not number_at(sentence, operand):
            return position, unit[1] if unit else None
    return None


def _than(sentence: Sentence, at: int, *, far: bool) -> tuple[int, int] | None:
    """Return where "than" begins and ends, within a few words or anywhere later."""
    for position in range(at, len(sentence) if far else min(at + 5, len(sentence))):
        if end := sentence.compare("than", position):
            return position, end
    return None


def _loose_than(sentence: Sentence, at: int, end: int, degree: Degree | None, boolean: bool) -> tuple[int, int] | None:
    """Return where a word begins and ends that means "than" here only: before a number, and in "X is taller of Y"."""
    loose = sentence.compare("loose_than", end)
    if loose and number_at(sentence, sentence.skip_empty(loose, 2)):
        return end, loose
    if degree is None:
        return (end, end) if number_at(sentence, end) and not number_at(sentence, at) else None
    after_copula = any(sentence.form("copula", start) == at for start in (at - 1, at - 2) if start >= 0)
    return (end, loose) if loose and (boolean or after_copula) else None


def _by_opener(sentence: Sentence, at: int) -> list[Comparison]:
    """Read "at least two", "over 500", "under 50 mm", "over the age of 40", "two or more", "40 years old"."""
    for name, operator in _OPENERS.items():
        if (end := sentence.compare(name, at)) is None:
            continue
        if name == "equal" and sentence.compare("during", end) and (dated := _by_date(sentence, end)):
            return [replace(one, start=at) for one in dated]  # only in 2014
        dates = name in ("at_least", "at_most")
        first = sentence.skip_empty(end, 2)
        quantity = quantity_at(sentence, _number_start(sentence, end, first), dates=dates)
        measures: Measures = ()
        over = name in ("greater", "smaller")  # the maximum of a measure is none
        if over and quantity is None and (noun := sentence.pack.measures.longest(sentence.stems, first)):
            of = noun[0] < len(sentence) and sentence.folded[noun[0]] in sentence.pack.data.references.of.split()
            quantity = quantity_at(sentence, noun[0] + of, dates=dates)
            measures = sentence.names(first, noun[0])
        if quantity:
            told = quantity.date or measures
            measures, end = (measures, quantity.end) if told else measures_of(sentence, at, quantity)
            return _conditions(sentence, at, end, operator, measures, quantity)
    if (end := sentence.compare("several", at)) is not None and sentence.content(end):
        several = Quantity(end, value=1.0)
        measures, end = measures_of(sentence, at, several)
        return [_condition(at, end, ">", measures, several)]
    quantity = quantity_at(sentence, at, dates=False)
    if quantity and (found := suffix_at(sentence, quantity.end) or _opener_after(sentence, quantity.end)):
        operator, end = found
        measures, end = measures_of(sentence, at, replace(quantity, end=end))
        return [_condition(at, end, operator, measures, quantity)]
    if quantity and quantity.unit and sentence.pack.plain.longest(sentence.stems, quantity.end):
        measures, end = measures_of(sentence, at, quantity)
        return [_condition(at, end, "=", measures, quantity)]
    return _by_degree_after(sentence, at, quantity) if quantity else _by_degree_around(sentence, at)


def _opener_after(sentence: Sentence, at: int, by: Mapping[str, Operator] = _OPENERS) -> tuple[Operator, int] | None:
    """Return the operator and end of words that compare with the number or date before them: "1000 से अधिक"."""
    found = ((operator, sentence.compare_after(name, at)) for name, operator in by.items())
    return next(((operator, end) for operator, end in found if end is not None), None)


def _by_degree_after(sentence: Sentence, at: int, quantity: Quantity) -> list[Comparison]:
    """Read an adjective that compares with the number before it: "8000 मीटर से ऊँचे"."""
    end = sentence.compare_after("than", quantity.end)
    found = sentence.pack.plain.longest(sentence.stems, end) if end is not None else None
    if found is None:
        return []
    measures = preferring(found[1].measures, sentence, quantity.unit)
    return [_condition(at, found[0], ">" if found[1].descending else "<", measures, quantity)]


def _by_degree_around(sentence: Sentence, at: int) -> list[Comparison]:
    """Read a comparative after what it compares with: "از ۱۰۰۰ کیلومتر طولانی‌تر", longer than 1000 km."""
    start = sentence.compare("than", at)
    quantity = quantity_at(sentence, start, dates=False) if start is not None else None
    if quantity is None or (compared := comparative_at(sentence, quantity.end)) is None:
        return []
    degree, end, greater = compared
    if degree:
        measures = preferring(degree.measures, sentence, quantity.unit)
    else:
        measures, end = measures_of(sentence, at, replace(quantity, end=end))
    return [_condition(at, end, ">" if greater else "<", measures, quantity)]


def _by_date(sentence: Sentence, at: int) -> list[Comparison]:
    """Read "before 1965", "in the 1970s", "on 12 May 1990", "1997", and "before" with an entity."""
    for name, operator in _DATE_OPENERS.items():
        if (end := sentence.compare(name, at)) is None:
            continue
        target = sentence.skip_empty(end, 2)
        more = any(sentence.compare(one, place) for one in _OPENERS for place in range(end, target))
        places = (end,) if more else (end, target)  # of more than an hour
        dates = (read(sentence, place) for read in (asked_date_at, recurring_at) for place in places)
        if date := next(filter(None, dates), None):
            return _conditions(sentence, at, date.end, operator, (), date)
        named = target < len(sentence) and sentence.content(target) and sentence.free(target)
        plain = named and not sentence.pack.measures.longest(sentence.stems, target) and not number_at(sentence, target)
        if name in ("before", "after") and at > 0 and plain:
            return [Comparison(start=at, end=end, operator=operator, than=target)]
    if (date := asked_date_at(sentence, at)) is None:
        return []
    operator, end = _opener_after(sentence, date.end, _DATE_OPENERS) or ("=", date.end)
    return _conditions(sentence, at, end, operator, (), date)


def _conditions(
    sentence: Sentence, start: int, end: int, operator: Operator, measures: Measures, quantity: Quantity
) -> list[Comparison]:
    """Return the comparison with a quantity; two for a span of time."""
    if quantity.until and operator == "=":
        first = _condition(start, end, ">=", measures, quantity)
        return [first, replace(first, operator="<", date=quantity.until)]
    if quantity.until and operator in (">", "<="):
        # After the 1970s is from 1980 on; until the 1970s is before 1980.
        operator = ">=" if operator == ">" else "<"
        quantity = replace(quantity, date=quantity.until)
    if (found := suffix_at(sentence, end)) and (quantity.value is not None or quantity.date):
        operator, end = found
    return [_condition(start, end, operator, measures, quantity)]


def _condition(start: int, end: int, operator: Operator, measures: Measures, of: Quantity) -> Comparison:
    told = Comparison(start=start, end=end, operator=operator, measures=measures)
    return replace(told, value=of.value, date=of.date, unit=of.unit)
