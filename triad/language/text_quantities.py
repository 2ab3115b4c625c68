"""Numbers and dates of a whole text, in every language: what they are held against each other by.

What is written may be meant in several ways ("1,090", in German and in English), and a number is known only as far as
its digits go; so numbers are held against each other (`Number.is_held_by`) rather than compared.

>>> from triad.language.pack import load_pack
>>> english = (load_pack("en"),)
>>> [said] = numbers("It takes 4 h 15 min.", english)
>>> said.is_held_by(numbers("charging time: 255 min", english)[0])
True
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from triad.language import quantities
from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.quantities import GREATEST, MONEY, SUPERSCRIPTS, Unit, after, date_at, money, unit_after, unit_of
from triad.language.tokens import Sentence

_HALF: Final = 0.5000001  # half a unit of the last digit, to which a rounded number is true, and some noise
_CLOCK: Final = re.compile(r"(?<![\d:])(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_BEFORE: Final = re.compile(rf"({MONEY})\s?$")
_BETWEEN: Final = re.compile(r"[\s,]*(?:[^\W\d_]{1,3}\s+)?")


@dataclass(frozen=True, slots=True)
class Number:
    """A number of a text."""

    text: str
    start: int
    end: int
    """Offset after its unit."""
    ways: tuple[tuple[float, int], ...]
    """The values that it may have, the likeliest first, each with its digits behind the point."""
    unit: Unit | None = None
    """What it is in; None if that is not said."""
    kind: Literal["digits", "word", "clock", "code"] = "digits"
    """Whether it is written in words, a time of day, or digits with unknown letters (700c)."""

    @property
    def dimension(self) -> str:
        """What its unit measures; empty without one."""
        return self.unit.dimension if self.unit else ""

    @property
    def factor(self) -> float:
        """What brings it to the first unit of its dimension."""
        return self.unit.factor if self.unit else 1.0

    def is_held_by(self, other: Number) -> bool:
        """Return whether a number of the evidence is this one: the same, or one that this one is rounded from."""
        share = self.dimension == "share"
        if self.unit and other.unit and self.dimension != other.dimension:
            return False
        own, its = (self.factor, other.factor) if self.unit and other.unit else (1.0, 1.0)
        return any(
            _is_near(value * own, known * its, digits, exact, own)
            or (share and _is_near(value, known * 100, digits, max(0, exact - 2)))
            for value, digits in self.ways
            for known, exact in other.ways
        )


@dataclass(frozen=True, slots=True)
class Date:
    """A date of a text, as far as it is said: a year, a month or a day."""

    iso: str
    start: int
    end: int


def numbers(text: str, packs: Sequence[Pack]) -> list[Number]:
    """Return the numbers of a text in digits, with their units as far as one of the languages knows them.

    What they are held against may be in another language: "5.000" is rather five thousand than five.
    """
    figures = (one for one in every_number(text, packs) if one.kind != "word")
    found = [replace(one, ways=tuple(sorted(one.ways, key=lambda way: -abs(way[0])))) for one in figures]
    return list(_joined(text, found))


def every_number(text: str, packs: Sequence[Pack], names: Collection[str] = ()) -> Iterator[Number]:
    """Yield the numbers of a text, those in words, too.

    Units are those that one of the packs knows, that of the text's language first, and dimensions that no language
    knows, by their `names`.
    """
    sentence = Sentence(text.translate(SUPERSCRIPTS), packs[0])
    at = 0
    while at < len(sentence):
        if (found := _number_at(sentence, at, packs, names)) is None:
            at += 1
            continue
        number, end = found
        yield replace(number, text=sentence.text[number.start : number.end])
        at = max(end, after(sentence, number.end))


def number_of(value: float, column: str = "", packs: Sequence[Pack] = ()) -> Number:
    """Return a number of a table; the end of its column's name may tell the unit: ``weight_kg``."""
    exact = repr(value)
    digits = len(exact.partition(".")[2]) if "e" not in exact and not float(value).is_integer() else 0
    end = column.rpartition("_")[2] if "_" in column else ""
    return Number(exact, 0, 0, ((float(value), digits),), unit_of(end, packs) if end else None)


def dates(text: str, packs: Sequence[Pack]) -> list[Date]:
    """Return the dates of a text; a year by itself is one, too."""
    found: dict[tuple[int, int], Date] = {}
    for pack in packs:
        sentence = Sentence(text, pack)
        at = 0
        while at < len(sentence):
            if (date := date_at(sentence, at)) is None or date.date is None or date.until:
                at += 1
                continue
            place = (sentence.words[at].start, sentence.words[date.end - 1].end)
            found.setdefault(place, Date(date.date, *place))
            at = max(date.end, at + 1)
    longest = sorted(found.values(), key=lambda one: one.start - one.end)
    kept, taken = list[Date](), set[int]()
    for one in longest:
        if taken.isdisjoint(range(one.start, one.end)):
            kept.append(one)
            taken.update(range(one.start, one.end))
    return sorted(kept, key=lambda one: one.start)


def _is_near(value: float, known: float, digits: int, exact: int, factor: float = 1.0) -> bool:
    """Return whether two values are one, or one is the other, rounded to fewer digits."""
    if abs(value - known) <= 1e-9 * max(abs(value), abs(known), 1.0):
        return True
    may_be_rounded = exact > digits or factor != 1.0
    return may_be_rounded and abs(value - known) <= _HALF * 10.0**-digits * factor and bool(value or digits)


def _number_at(sentence: Sentence, at: int, packs: Sequence[Pack], names: Collection[str]) -> tuple[Number, int] | None:
    """Return the number that begins at a word, and the first word that is no part of it."""
    word, text = sentence.words[at], sentence.text
    if clock := _CLOCK.match(text, word.start):
        end = at + sum(part is not None for part in clock.groups())
        hours = quantities.values_of(clock[0])
        if (unit := unit_after(sentence, end, clock.end(), packs)) is None or unit[0].dimension != "time":
            return Number("", word.start, clock.end(), hours, kind="clock"), end
        return Number("", word.start, unit[1], hours, replace(unit[0], factor=3600.0)), end
    if not (found := quantities.digits_at(sentence, at)):
        if (spelt := quantities.spelt_at(sentence, at)) is None:
            return None
        offset = sentence.words[spelt[1] - 1].end
        own, last = unit_after(sentence, spelt[1], offset, packs, names) or (None, offset)
        return Number("", word.start, last, ((spelt[0], 0),), own, "word"), spelt[1]
    ways, suffix, end = found
    if ways[0][0] > GREATEST:
        return None
    if quantities.is_negative(sentence, at):
        ways = tuple((-value, places) for value, places in ways)
    offset = sentence.words[end - 1].end
    if suffix:
        glued = unit_of(suffix, packs) or (Unit(f"unit {fold(suffix)}") if f"unit {fold(suffix)}" in names else None)
        return Number("", word.start, offset, ways, glued, "digits" if glued else "code"), end
    if unit := unit_after(sentence, end, offset, packs, names):
        return Number("", word.start, unit[1], ways, unit[0]), end
    if (before := _BEFORE.search(text, max(0, word.start - 5), word.start)) and (code := money(before[1])):
        return Number("", before.start(), offset, ways, Unit(f"money {code}")), end
    return Number("", word.start, offset, ways), end


def _joined(text: str, found: Sequence[Number]) -> Iterator[Number]:
    """Yield numbers with those of one quantity made one: 4 h 15 min."""
    at = 0
    while at < len(found):
        one = found[at]
        other = found[at + 1] if at + 1 < len(found) else None
        near = other and one.unit and one.dimension == other.dimension and one.factor > other.factor
        if other and near and _BETWEEN.fullmatch(text, one.end, other.start):
            value = one.ways[0][0] + other.ways[0][0] * other.factor / one.factor
            yield replace(one, text=text[one.start : other.end], end=other.end, ways=((value, 2),))
            at += 2
        else:
            yield one
            at += 1
