"""The least and the greatest of the numbers and dates among literals."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal as Choice

from triad.kg.profile import Range
from triad.rdf import XSD, Literal, kind_of

_DATE: Final = re.compile(r"(-?\d{4,})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d):(\d\d):(\d\d))?")
"""The parts of xsd:date, xsd:dateTime, xsd:gYear and xsd:gYearMonth; time zones are left aside."""

_TEXTS: Final = ("", XSD + "string")
_FLOATS: Final = (XSD + "double", XSD + "float")
_LONGEST: Final = 40  # characters of a number or a date at most
_WHOLE: Final = 2.0**63  # whole numbers from here on take more than the 64 bits that engines have for them
_DIGITS: Final = 18  # digits behind the point of a decimal number that engines hold

Kind = Choice["number", "date"]

_Bound = tuple[tuple[float, ...], str, str]
"""A literal's place among others, its value and its datatype: of equal ones the first in the alphabet counts, so that
the order of triples does not matter."""


@dataclass(slots=True)
class Bounds:
    """Bounds that widen with each literal."""

    _found: dict[Kind, tuple[int, _Bound, _Bound]] = field(default_factory=dict)
    _long: bool = False

    def add(self, value: str, datatype: str, count: int = 1) -> None:
        """Take in a literal that so many triples have; what is neither a number nor a date is passed over."""
        if datatype in _TEXTS and (len(value) > _LONGEST or not value[-1:].isdecimal()):
            return
        datatype = datatype or XSD + "string"
        kind = kind_of(Literal(value, datatype))
        if kind == "text" or (place := _PLACES[kind](value)) is None:
            return
        if kind == "number" and datatype not in _FLOATS:
            self._long |= abs(place[0]) >= _WHOLE or len(value.partition(".")[2].strip().rstrip("0")) > _DIGITS
        least, greatest = (place, value, datatype), (tuple(-part for part in place), value, datatype)
        before, *bounds = self._found.get(kind, (0, least, greatest))
        self._found[kind] = before + count, min(bounds[0], least), min(bounds[1], greatest)

    def ranges(self) -> tuple[Range, ...]:
        """Return the bounds of numbers and of dates, as far as there are any."""
        kinds: tuple[Kind, ...] = ("number", "date")
        found = [(kind, *self._found[kind]) for kind in kinds if kind in self._found]
        return tuple(
            Range(kind, count, Literal(*least[1:]), Literal(*greatest[1:]), self._long and kind == "number")
            for kind, count, least, greatest in found
        )


def _number(value: str) -> tuple[float, ...] | None:
    number = Literal(value).number
    return (number,) if number is not None and math.isfinite(number) else None


def _date(value: str) -> tuple[float, ...] | None:
    match = _DATE.match(value)
    return tuple(float(part or 0) for part in match.groups()) if match else None


_PLACES: Final[dict[Kind, Callable[[str], tuple[float, ...] | None]]] = {"number": _number, "date": _date}
