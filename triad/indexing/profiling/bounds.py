"""The least and the greatest of the numbers and dates among literals."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final
from typing import Literal as Choice

from triad.kg.profile import Range
from triad.rdf import XSD, Literal, kind_of

__all__ = ["Bounds"]

_DATE: Final = re.compile(r"(-?\d{4,})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d):(\d\d):(\d\d))?")
"""The parts of xsd:date, xsd:dateTime, xsd:gYear and xsd:gYearMonth; time zones are left aside."""

_TEXTS: Final = ("", XSD + "string")
_LONGEST: Final = 40
"""Characters of a number or a date at most."""

Kind = Choice["number", "date"]


@dataclass(slots=True)
class Bounds:
    """Bounds that widen with each literal."""

    _found: dict[Kind, list[tuple[tuple[float, ...], Literal]]] = field(default_factory=dict)
    _counts: dict[Kind, int] = field(default_factory=dict)

    def add(self, value: str, datatype: str, count: int = 1) -> None:
        """Take in a literal that so many triples have; what is neither a number nor a date is passed over."""
        if len(value) > _LONGEST or (datatype in _TEXTS and not value[-1:].isdecimal()):
            return
        literal = Literal(value, datatype or XSD + "string")
        kind = kind_of(literal)
        if kind == "text" or (place := _PLACES[kind](value)) is None:
            return
        self._counts[kind] = self._counts.get(kind, 0) + count
        if kind not in self._found:
            self._found[kind] = [(place, literal), (place, literal)]
            return
        least, greatest = self._found[kind]
        # Of equal ones the first in the alphabet, so that the order of triples does not matter.
        self._found[kind] = [
            min((place, literal), least, key=lambda item: (item[0], item[1].value, item[1].datatype)),
            min((place, literal), greatest, key=lambda item: (_down(item[0]), item[1].value, item[1].datatype)),
        ]

    def ranges(self) -> tuple[Range, ...]:
        """Return the bounds of numbers and of dates, as far as there are any."""
        kinds: tuple[Kind, ...] = ("number", "date")
        return tuple(
            Range(kind, self._counts[kind], self._found[kind][0][1], self._found[kind][1][1])
            for kind in kinds
            if kind in self._found
        )


def _down(place: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(-part for part in place)


def _number(value: str) -> tuple[float, ...] | None:
    try:
        number = float(value)
    except ValueError:
        return None
    return (number,) if math.isfinite(number) else None


def _date(value: str) -> tuple[float, ...] | None:
    match = _DATE.match(value)
    return tuple(float(part or 0) for part in match.groups()) if match else None


_PLACES: Final[dict[Kind, Callable[[str], tuple[float, ...] | None]]] = {"number": _number, "date": _date}
