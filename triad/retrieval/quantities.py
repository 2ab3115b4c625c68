"""Numbers and dates in sentences and in evidence, in a form in which they can be held against each other.

A number may be read in several ways ("1,090"), and is known only as far as its digits go. Units of one dimension are
converted; what is written without a unit fits any.

>>> from triad.language.pack import load_pack
>>> packs = (load_pack("en"),)
>>> [said] = numbers("It takes 4 h 15 min.", packs)
>>> said.is_held_by(numbers("charging time: 255 min", packs)[0])
True
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.language.dates import date_at
from triad.language.pack import Pack
from triad.language.tokens import Sentence

__all__ = ["Date", "Number", "dates", "number_of", "numbers"]

_NUMBER: Final = re.compile(
    r"(?<![\w.,])(?P<sign>[-−](?=\d))?"
    r"(?P<digits>\d+:\d\d(?::\d\d)?|\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,'’]\d+)*)"
)
_SIGNS: Final = {"€": "money EUR", "$": "money USD", "£": "money GBP", "¥": "money JPY", "%": "percent"}
_NAMES: Final = {"share": "percent"}
_CODE: Final = re.compile(r"[ \u00a0]?(EUR|USD|GBP|JPY|CHF)\b")
_BEFORE: Final = re.compile(r"(?:([€$£¥])|\b(EUR|USD|GBP|JPY|CHF))[ \u00a0]?$")
_UNIT: Final = re.compile(r"[\s\u00a0-]{0,2}([^\W\d_][^\d,;:.!?()\"]{0,40})")
_BETWEEN: Final = re.compile(r"[\s,]*(?:[^\W\d_]{1,3}\s+)?")
_HALF: Final = 0.5000001
"""Half a unit of the last digit, to which a rounded number is true."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text."""

    text: str
    start: int
    end: int
    ways: tuple[tuple[float, int], ...]
    """The values that it may have, the likeliest first, each with its digits behind the point."""
    unit: str = ""
    """What it is in: a dimension of `Pack.units`, ``money`` with its currency, or ``percent``; empty if not said."""
    factor: float = 1.0
    """What brings it to the basic unit of its dimension."""

    def is_held_by(self, other: Number) -> bool:
        """Tell whether a number of the evidence is this one: the same, or one that this one is rounded from."""
        same = not self.unit or not other.unit or self.unit == other.unit
        if not same and not (self.unit == "percent" and not other.unit):
            return False
        both = bool(self.unit) and self.unit == other.unit
        for value, digits in self.ways:
            for known, exact in other.ways:
                if both:
                    fits = _is_near(value * self.factor, known * other.factor, digits, exact, self.factor)
                else:
                    fits = _is_near(value, known, digits, exact)
                if fits or (self.unit == "percent" and _is_near(value, known * 100, digits, max(0, exact - 2))):
                    return True
        return False


@dataclass(frozen=True, slots=True)
class Date:
    """A date of a text, as far as it is said: a year, a month or a day."""

    iso: str
    start: int
    end: int


def numbers(text: str, packs: Sequence[Pack]) -> list[Number]:
    """Return the numbers of a text, with their units as far as one of the languages knows them."""
    found: list[Number] = []
    for match in _NUMBER.finditer(text):
        ways = _ways(match["digits"], match["sign"] or "")
        unit, factor, end = _unit(text, match, packs)
        found.append(Number(text[match.start() : end].strip(), match.start(), end, ways, unit, factor))
    return list(_joined(text, found))


def number_of(value: float, column: str = "", packs: Sequence[Pack] = ()) -> Number:
    """Return a number of a table; the end of its column's name may tell the unit: ``weight_kg``."""
    exact = repr(value)
    digits = len(exact.partition(".")[2]) if "e" not in exact and not float(value).is_integer() else 0
    number = Number(exact, 0, 0, ((float(value), digits),))
    end = column.rpartition("_")[2] if "_" in column else ""
    if end.isupper() and len(end) == 3:
        return replace(number, unit=f"money {end}")
    for pack in packs:
        if known := pack.units.get(" ".join(pack.stem_list(end))) if end else None:
            return replace(number, unit=known[0], factor=known[1])
    return number


def dates(text: str, packs: Sequence[Pack]) -> list[Date]:
    """Return the dates of a text; a year by itself is one, too."""
    found: dict[tuple[int, int], Date] = {}
    for pack in packs:
        sentence = Sentence(text, pack)
        at = 0
        while at < len(sentence):
            date = date_at(sentence, at)
            if date is None or date.date is None or date.until:
                at += 1
                continue
            place = (sentence.words[at].start, sentence.words[date.end - 1].end)
            found.setdefault(place, Date(date.date, *place))
            at = max(date.end, at + 1)
    longest = sorted(found.values(), key=lambda one: one.start - one.end)
    kept: list[Date] = []
    for one in longest:
        if all(one.end <= other.start or one.start >= other.end for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.start)


def _is_near(value: float, known: float, digits: int, exact: int, factor: float = 1.0) -> bool:
    """Tell whether two values are one, or one is the other, rounded to fewer digits."""
    if abs(value - known) <= 1e-9 * max(abs(value), abs(known), 1.0):
        return True
    may_be_rounded = exact > digits or factor != 1.0
    return may_be_rounded and abs(value - known) <= _HALF * 10.0**-digits * factor and bool(value or digits)


def _ways(digits: str, sign: str) -> tuple[tuple[float, int], ...]:
    """Return the values that digits may stand for: "1,090" is 1090, or 1.09 where a comma is the point."""
    by = -1.0 if sign else 1.0
    if ":" in digits:
        hours, minutes, *seconds = map(float, digits.split(":"))
        return ((by * (hours + minutes / 60 + (seconds[0] if seconds else 0.0) / 3600), 2),)
    plain = re.sub(r"[ \u00a0\u202f'’]", "", digits)
    marks = [char for char in plain if char in ".,"]
    if not marks:
        return ((by * float(plain), 0),)
    last = plain.rfind(marks[-1])
    whole, rest = re.sub(r"[.,]", "", plain[:last]), plain[last + 1 :]
    fraction = (by * float(f"{whole}.{rest}"), len(rest.rstrip("0")))
    if len(marks) > 1 and marks[-1] == marks[-2]:
        return ((by * float(whole + rest), 0),)
    if len(marks) == 1 and len(rest) == 3 and not whole.startswith("0"):
        return ((by * float(whole + rest), 0), fraction)
    return (fraction,)


def _unit(text: str, match: re.Match[str], packs: Sequence[Pack]) -> tuple[str, float, int]:
    """Return the unit of a number, its factor, and where number and unit end."""
    start, end = match.span()
    if before := _BEFORE.search(text, max(0, start - 5), start):
        return _SIGNS[before[1]] if before[1] else f"money {before[2]}", 1.0, end
    if after := _CODE.match(text, end):
        return f"money {after[1]}", 1.0, after.end()
    mark = text[end:].lstrip(" \u00a0")[:1]
    if mark in _SIGNS and mark:
        return _SIGNS[mark], 1.0, text.index(mark, end) + 1
    if following := _UNIT.match(text, end):
        words = re.findall(r"\S+", following[1])[:3]
        for count in range(len(words), 0, -1):
            for pack in packs:
                stems = " ".join(pack.stem_list(" ".join(words[:count])))
                if known := pack.units.get(stems):
                    last = re.compile(r"\s+".join(map(re.escape, words[:count]))).search(text, end)
                    name = _money(stems) if known[0] == "money" else _NAMES.get(known[0], known[0])
                    return name, known[1] if name == known[0] else 1.0, last.end() if last else end
    return "", 1.0, end


def _money(stems: str) -> str:
    known = {"euro": "EUR", "dollar": "USD", "pound": "GBP", "yen": "JPY"}
    return next((f"money {code}" for name, code in known.items() if stems.startswith(name)), f"money {stems}")


def _joined(text: str, found: Sequence[Number]) -> Iterator[Number]:
    """Yield numbers with those of one quantity made one: 4 h 15 min."""
    at = 0
    while at < len(found):
        one = found[at]
        other = found[at + 1] if at + 1 < len(found) else None
        near = other and one.unit and one.unit == other.unit and one.factor > other.factor
        if other and near and _BETWEEN.fullmatch(text, one.end, other.start):
            value = one.ways[0][0] + other.ways[0][0] * other.factor / one.factor
            yield replace(one, text=text[one.start : other.end], end=other.end, ways=((value, 2),))
            at += 2
        else:
            yield one
            at += 1
