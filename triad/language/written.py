"""Dates, numbers, units and places as people write them in a language, by the data of the Unicode CLDR.

>>> from triad.rdf import XSD, Literal
>>> written(Literal("1978-10-12", XSD + "date"), "en"), written(Literal("1978-10-12", XSD + "date"), "de")
('October 12, 1978', '12. Oktober 1978')
>>> written(Literal("1610.5", XSD + "decimal"), "de", "MW")
'1.610,5 MW'

What is lost, such as digits of a long fraction, is in the literal, which stays with the answer.
"""

import math
import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from functools import cache
from typing import Final

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_datetime, format_skeleton, format_time
from babel.numbers import format_currency, format_decimal
from babel.units import format_unit

from triad.language.normalize import local_name
from triad.rdf import NUMERIC, RDF, XSD, Literal, kind_of, rounded
from triad.text import remembered

PLACE: Final = "http://www.opengis.net/ont/geosparql#wktLiteral"
"""The datatype of well-known text."""
_DEGREES: Final = r"\s*([-+]?[0-9]+(?:\.[0-9]*)?(?:e[-+]?[0-9]{1,2})?)"
_POINT: Final = re.compile(rf"POINT\s*\({_DEGREES}\s{_DEGREES}\s*\)", re.IGNORECASE)
_LAST_YEAR: Final = 2100  # the greatest whole number that may well be a year, whose digits are not grouped
SPANS: Final = ("years", "months", "weeks", "days")  # what the time between two dates is counted in
SHARE: Final = "percentage"  # what is told of a hundred
_AVERAGE: Final = 4  # digits of an average; where it has more before the point, these
_COMMON: Final = {"dollar": "USD", "buck": "USD", "pound": "GBP", "pound sterling": "GBP", "yen": "JPY"} | {
    code.lower(): code for code in ("USD", "EUR", "GBP", "JPY", "CHF")
}
"""What people call currencies whose names are longer."""
_LARGEST: Final = Decimal(10) ** 15
_SMALLEST: Final = Decimal(10) ** -6  # numbers outside of these are left as they are
_ENGLISH: Final = ("en", "en_GB")  # where names of units are looked up: kilometer, kilometre
_UNKNOWN_UNIT: Final = 20
"""Characters up to which a unit that CLDR does not have is written behind its number; one says too little."""


def written(literal: Literal, language: str, unit: str = "", *, amount: bool = False, average: bool = False) -> str:
    """Return a date, a time, a number or a place as people write it in a language; nothing where it is so already.

    A language that CLDR does not have is taken for English; the unit is what `unit_of` tells. What is surely an
    ``amount`` and no year has its digits grouped, and an ``average`` only as many of them as tell something.

    >>> from triad.rdf import XSD
    >>> written(Literal("1610", XSD + "integer"), "en"), written(Literal("1610", XSD + "integer"), "en", amount=True)
    ('', '1,610')
    """
    locale, kind, text = _locale(language), kind_of(literal), ""
    try:
        if kind == "date":
            text = _date(literal, locale)
        elif literal.datatype in NUMERIC or (kind == "number" and not literal.datatype.startswith((XSD, RDF))):
            number = Decimal(literal.value.strip())
            if average and number.is_finite():
                number = round(number, max(0, _AVERAGE - 1 - number.adjusted()))
            text = _number(number, locale, unit, amount or average or is_amount(literal))
        elif literal.datatype == PLACE and (point := point_of(literal.value)):
            text = ", ".join(f"{format_decimal(degrees, locale=locale)}°" for degrees in point)
    except (ValueError, ArithmeticError):
        pass  # a form that XSD does not have, or a year that Python does not
    return "" if text == literal.value else text


def is_amount(literal: Literal) -> bool:
    """Return whether a number is surely no year: with a fraction, or greater than the years that people name."""
    number = Decimal(literal.value.strip())
    return number.is_finite() and (number.copy_abs() > _LAST_YEAR or number != number.to_integral_value())


def unit_of(literal: Literal, units: Iterable[str] = ()) -> str:
    """Return what a number is in: the unit that its datatype is, or the only one of its relation; else nothing.

    >>> unit_of(Literal("12", "http://dbpedia.org/datatype/kilometre"))
    'kilometre'
    """
    if not literal.datatype.startswith((XSD, RDF)):
        return local_name(literal.datatype)
    known = tuple(units)
    return known[0] if len(known) == 1 else ""


def point_of(text: str) -> tuple[float, float] | None:
    """Return latitude and longitude of a point on Earth in well-known text, which has them the other way round.

    >>> point_of("POINT(13.4 52.52)")
    (52.52, 13.4)
    """
    found = _POINT.search(text)
    latitude, longitude = (float(found[2]), float(found[1])) if found else (math.inf, math.inf)
    return (latitude, longitude) if abs(latitude) <= 90 and abs(longitude) <= 180 else None


@remembered(1_000)
def _locale(language: str) -> Locale:
    try:
        return Locale.parse(language.replace("-", "_"))
    except (UnknownLocaleError, ValueError):
        return Locale.parse("en")


# Dates ----------------------------------------------------------------------------------------------------


def _date(literal: Literal, locale: Locale) -> str:
    text, kind = literal.value.strip(), literal.datatype.removeprefix(XSD)
    bare = re.sub(r"(?<=\d)(Z|[+-]\d\d:\d\d)$", "", text) if kind in ("date", "gYearMonth", "gMonthDay") else text
    match kind:
        case "date":
            return format_date(date.fromisoformat(bare), "long", locale=locale)
        case "gYearMonth":
            return format_skeleton("yMMMM", date.fromisoformat(f"{bare}-01"), locale=locale)
        case "gMonthDay":
            return format_skeleton("MMMMd", date.fromisoformat(f"2000-{bare.removeprefix('--')}"), locale=locale)
        case "time":
            return format_time(time.fromisoformat(text), "short", locale=locale)
        case "dateTime":
            moment = datetime.fromisoformat(text)
            day = format_date(moment.date(), "long", locale=locale)
            clock = format_datetime(moment.replace(tzinfo=None), "HH:mm", locale=locale)
            zone = f" {moment.tzname()}" if moment.tzinfo else ""
            return day if moment.time() == time() else f"{day}, {clock}{zone}"
    return ""


# Numbers --------------------------------------------------------------------------------------------------


def _number(number: Decimal, locale: Locale, unit: str, grouped: bool) -> str:
    if not number.is_finite() or abs(number) >= _LARGEST or (number and abs(number) < _SMALLEST):
        return ""
    number = rounded(number)
    if unit and (code := currency(unit)):
        form = locale.currency_formats["standard"].pattern
        if number == number.to_integral_value():
            return format_currency(number, code, form.replace(".00", ""), locale, currency_digits=False)
        return format_currency(number, code, form, locale)
    text = format_decimal(number, locale=locale, decimal_quantization=False, group_separator=grouped or bool(unit))
    if not unit:
        return text
    # CLDR's name; a symbol's case matters: mW is not MW.
    if known := _units().get(unit) or (_units().get(unit.lower()) if len(unit) > 2 else None):
        amount = number if unit in SPANS and number == int(number) else text  # of numbers, one is told from more
        said = format_unit(amount, known, "long" if unit in SPANS else "short", locale=locale)
        if known not in said:  # some languages lack some units
            return said
    return f"{text} {unit}" if 1 < len(unit) <= _UNKNOWN_UNIT else text


@cache
def _units() -> Mapping[str, str]:
    """Return CLDR's units by their names and symbols in English."""
    found: dict[str, str] = {}
    for name in _ENGLISH:
        for unit, forms in Locale.parse(name).unit_display_names.items():
            plain = unit.partition("-")[2].replace("-", " ")
            for form in (plain, *(str(text) for length, text in forms.items() if length != "narrow")):
                found.setdefault(form, unit)
                found.setdefault(form.removesuffix("s"), unit)
            found.setdefault(format_unit("", unit, "short", locale=name).strip(), unit)
    return found


@cache
def _currencies() -> Mapping[str, str]:
    names = {str(code): str(name) for code, name in Locale.parse("en").currencies.items()}
    return {name.lower(): code for code, name in names.items()} | {code: code for code in names}


def currency(unit: str) -> str | None:
    """Return the ISO code of a currency by its name in English or by its code; None if it is none."""
    return _currencies().get(unit) or _currencies().get(unit.lower()) or _COMMON.get(unit.lower())
