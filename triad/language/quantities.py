"""Numbers, units, money, dates and durations as people write them, in every language: read here, and nowhere else.

A question is read word by word (`quantity_at` and its parts), a text as a whole (`numbers`, `dates`). What is written
may be meant in several ways ("1,090", in German and in English), and a number is known only as far as its digits go;
so numbers are held against each other (`Number.is_held_by`) rather than compared.

>>> from triad.language.pack import load_pack
>>> english = (load_pack("en"),)
>>> [said] = numbers("It takes 4 h 15 min.", english)
>>> said.is_held_by(numbers("charging time: 255 min", english)[0])
True
>>> unit_of("€", english), unit_of("euros", english)
(Unit(dimension='money EUR', factor=1.0), Unit(dimension='money EUR', factor=1.0))
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.language.written import currency

MONEY: Final = r"[€$£¥]|\b[A-Z]{3}\b"
"""A pattern of what may stand for a currency beside a number."""

_SIGNS: Final = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "%": "percent"} | dict.fromkeys(
    ("°", "°C", "°F", "°K"), "degree"
)
_GREATEST: Final = 1e50  # no quantity is greater; what is may not fit into a float
_HALF: Final = 0.5000001  # half a unit of the last digit, to which a rounded number is true, and some noise

_NUMBER: Final = re.compile(r"(\d[\d.,'’]*\d|\d)([^\W\d]\w*)?$")
_GROUPED: Final = re.compile(r"[-+]?(?!0)\d{1,3}([.,])\d{3}")
_CLOCK: Final = re.compile(r"(?<![\d:])(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_NEGATIVE: Final = re.compile(r"(?<![\w.,])[-−]$")
_BEFORE: Final = re.compile(rf"({MONEY})\s?$")
_SIGN: Final = re.compile(r"\s?([€$£¥%°])[CFK]?")
_BETWEEN: Final = re.compile(r"[\s,]*(?:[^\W\d_]{1,3}\s+)?")
_SPACES: Final = (" ", "\u00a0", "\u202f")
_SUPERSCRIPTS: Final = str.maketrans("²³", "23")

_YEAR: Final = re.compile(r"(?:1\d|20)\d\d$")
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_DOTTED: Final = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})$")
_ROMANS: Final = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx xxi".split()
_ROMAN_VALUES: Final = {numeral: value for value, numeral in enumerate(_ROMANS, 1)}


# Digits and units -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, by what it measures."""

    dimension: str
    """A dimension of `Pack.units`; ``money`` with its currency, and ``unit`` with a name that no language knows."""
    factor: float = 1.0
    """How many of the dimension's first unit it is."""


def values_of(digits: str, decimal: str = ".") -> tuple[tuple[float, int], ...]:
    """Return the values that digits may stand for, the likeliest first, each with its digits behind the point.

    Digits may have a sign, spaces, points, commas and apostrophes; or they are hours and minutes.

    >>> values_of("1,090"), values_of("1,090", decimal=","), values_of("6.499,00"), values_of("4:15")
    (((1090.0, 0), (1.09, 2)), ((1.09, 2), (1090.0, 0)), ((6499.0, 0),), ((4.25, 2),))
    """
    text = re.sub(r"[\s'’\u00a0\u202f]", "", digits).replace("−", "-")
    if ":" in text:
        hours, minutes, seconds = [*map(float, text.split(":")), 0.0][:3]
        return ((hours + minutes / 60 + seconds / 3600, 2),)
    last = max(text.rfind("."), text.rfind(","))
    if last < 0:
        return ((float(text), 0),)
    whole, rest = re.sub(r"[.,]", "", text[:last]), text[last + 1 :]
    thousands = (float(whole + rest), 0)
    if text.count(text[last]) > 1:
        return (thousands,)
    fraction = (float(f"{whole or '0'}.{rest}"), len(rest.rstrip("0")))
    if grouped := _GROUPED.fullmatch(text):
        return (fraction, thousands) if grouped[1] == decimal else (thousands, fraction)
    return (fraction,)


def money(name: str) -> str:
    """Return the ISO code of a currency by its sign, its code or its name in English; empty if it is none."""
    return currency(_SIGNS.get(name, name)) or ""


def unit_of(name: str, packs: Sequence[Pack]) -> Unit | None:
    """Return the unit of a name or sign that one of some languages knows: kg, Stunden, EUR, €, %, m²."""
    name = _SIGNS.get(name, name).translate(_SUPERSCRIPTS)
    for pack in packs:
        stems = " ".join(pack.stem_list(name))
        if known := pack.units.get(stems):
            return Unit(*known)
    code = money(name)
    return Unit(f"money {code}") if code else None


def unit_after(
    sentence: Sentence, at: int, offset: int, packs: Sequence[Pack], names: Collection[str] = ()
) -> tuple[Unit, int] | None:
    """Return the unit behind a number that ends at an offset, before a word, and the offset after it.

    Units are those that one of the packs knows, and dimensions that no language knows, by their `names`.
    """
    if sign := _SIGN.match(sentence.text, offset):
        unit = unit_of(sign[1], packs)
        return (unit, sign.end()) if unit else None
    if at >= len(sentence) or sentence.text[offset : sentence.words[at].start].strip(" \u00a0-"):
        return None
    start = sentence.words[at].start
    for word in reversed(sentence.words[at : at + 3]):
        if unit := unit_of(sentence.text[start : word.end], packs):
            return unit, word.end
    unknown = f"unit {fold(sentence.words[at].text)}"
    return (Unit(unknown), sentence.words[at].end) if unknown in names else None


# At a word of a question ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its unit, or a date, or a span of time."""

    end: int
    """Position after its last word."""
    value: float | None = None
    unit: str | None = None
    """The unit's stems, a key of `Pack.units`."""
    date: str | None = None
    """A year, month or day as ISO 8601 writes it; the first of a span."""
    until: str | None = None
    """The first year after a decade or century."""


def quantity_at(sentence: Sentence, start: int, *, dates: bool = True) -> Quantity | None:
    """Return the number with its unit, or the date, that begins at a position; without `dates`, a year is a number."""
    if dates and (date := date_at(sentence, start)):
        return date
    if not (found := number_at(sentence, start)):
        return None
    value, end, glued = found
    if glued:
        return Quantity(end, value, glued)
    if unit := sentence.pack.unit_phrases.longest(sentence.stems, end):
        return Quantity(unit[0], value, unit[1])
    return Quantity(end, value, _sign_at(sentence, start, end))


def number_at(sentence: Sentence, start: int) -> tuple[float, int, str | None] | None:
    """Return the number that begins at a position: its value, its end, and a unit that is written to it (50mm)."""
    if start >= len(sentence):
        return None
    if not (found := _digits_at(sentence, start)):
        return _spelt(sentence, start)
    ways, suffix, end = found
    value, stem = ways[0][0], sentence.pack.stem(suffix) if suffix else None
    if value > _GREATEST or (stem and stem not in sentence.pack.units):
        return None
    return value, end, stem


def number_in(text: str, pack: Pack) -> float | None:
    """Return the number that a text is, in digits or in words; None if it is something else.

    >>> from triad.language.pack import load_pack
    >>> english, german = load_pack("en"), load_pack("de")
    >>> number_in("2.125", english), number_in("2.125", german), number_in("1.5 million", english)
    (2.125, 2125.0, 1500000.0)
    """
    sentence = Sentence(text, pack)
    found = number_at(sentence, 0)
    return found[0] if found and found[1:] == (len(sentence), None) else None


def place_in(text: str, pack: Pack) -> int | None:
    """Return the position in a list that a text names: "2", "the second", "2nd"; -1 is the last."""
    sentence = Sentence(text, pack)
    for at, word in enumerate(sentence.folded):
        if word in pack.last:
            return -1
        if place := ordinal_at(sentence, at):
            return place
    number = number_in(text, pack)
    return int(number) if number is not None else None


def ordinal_at(sentence: Sentence, at: int) -> int | None:
    """Return the value of the ordinal at a position: second, 6th, 3. (with its dot)."""
    if not 0 <= at < len(sentence):
        return None
    pack, word = sentence.pack, sentence.words[at]
    if sentence.folded[at] in pack.ordinals:
        return pack.ordinals[sentence.folded[at]]
    match = re.match(r"(\d{1,9})(\D*)$", word.folded)
    if not match:
        return None
    suffix = match[2] or sentence.text[word.end : word.end + 1]
    return int(match[1]) if suffix and suffix in pack.data.numbers.ordinal_suffixes else None


def _sign_at(sentence: Sentence, start: int, end: int) -> str | None:
    """Return the unit whose sign stands before or after some words: € and %."""
    text, words = sentence.text, sentence.words
    before = text[: words[start].start].rstrip()[-1:]
    after = text[words[end - 1].end :].lstrip()[:1]
    name = next((_SIGNS[sign] for sign in (before, after) if sign in _SIGNS and sign != "°"), None)
    return sentence.pack.stem(name) if name else None


def _digits_at(sentence: Sentence, start: int) -> tuple[tuple[tuple[float, int], ...], str, int] | None:
    """Return the values of digits with their magnitude, letters written to them, and their end: 1 000 000, 50k."""
    match = _NUMBER.match(sentence.words[start].text)
    if not match:
        return None
    pack, end, digits, suffix = sentence.pack, start + 1, match[1], match[2] or ""
    while not suffix and len(digits) <= 3 * (end - start) and end < len(sentence):
        word, before = sentence.words[end], sentence.words[end - 1]
        if not re.fullmatch(r"\d{3}", word.text) or sentence.text[before.end : word.start] not in _SPACES:
            break
        digits += word.text
        end += 1
    by = pack.magnitudes.get(pack.key(suffix), 1) if suffix else 1
    if by > 1:
        suffix = ""
    elif not suffix:
        while end < len(sentence) and sentence.folded[end] in pack.magnitudes:
            by *= pack.magnitudes[sentence.folded[end]]
            end += 1
    zeros = len(str(by)) - 1
    return tuple((value * by, places - zeros) for value, places in values_of(digits, pack.decimal)), suffix, end


def _spelt(sentence: Sentence, start: int) -> tuple[float, int, str | None] | None:
    pack, at = sentence.pack, start
    total, current, seen = 0, 0, False
    while at < len(sentence):
        word = sentence.folded[at]
        if word in pack.number_words:
            current += pack.number_words[word]
        elif (magnitude := pack.magnitudes.get(word)) is not None:
            current = max(current, 1) * magnitude
            if magnitude >= 1000:
                total, current = total + current, 0
        else:
            break
        seen, at = True, at + 1
    return (float(total + current), at, None) if seen and total + current <= _GREATEST else None


# Dates ----------------------------------------------------------------------------------------------------


def date_at(sentence: Sentence, start: int, *, yearless: bool = False) -> Quantity | None:
    """Return the date, decade or century that begins at a position; of a yearless one, the month and the day."""
    if start >= len(sentence):
        return None
    if yearless:
        return _day(sentence, start, yearless=True)
    return _century(sentence, start) or _decade(sentence, start) or _day(sentence, start) or _year(sentence, start)


def _year(sentence: Sentence, at: int) -> Quantity | None:
    word = sentence.words[at]
    if not _YEAR.match(word.text):
        return None
    following = sentence.folded[at + 1] if at + 1 < len(sentence) else ""
    if following in sentence.pack.year:
        return Quantity(at + 2, date=word.text)
    if following in sentence.pack.magnitudes or sentence.pack.unit_phrases.longest(sentence.stems, at + 1):
        return None
    if _sign_at(sentence, at, at + 1):
        return None
    return Quantity(at + 1, date=word.text)


def _century(sentence: Sentence, at: int) -> Quantity | None:
    centuries = sentence.pack.century
    for first, second in ((at, at + 1), (at + 1, at)):
        if second >= len(sentence) or first >= len(sentence) or sentence.folded[second] not in centuries:
            continue
        word = sentence.folded[first].removesuffix("eme").removesuffix("e")
        number = ordinal_at(sentence, first) or _ROMAN_VALUES.get(word)
        if number is None and re.fullmatch(r"\d{1,2}", word):
            number = int(word)
        if number and number <= 21:
            return Quantity(at + 2, date=str(100 * number - 99), until=str(100 * number + 1))
    return None


def _decade(sentence: Sentence, at: int) -> Quantity | None:
    pack, folded = sentence.pack, sentence.folded
    named = folded[at] in pack.decade
    first = sentence.skip_empty(at + 1, 2) if named else at
    if first >= len(sentence):
        return None
    match = re.match(r"(\d\d)?(\d0)(\D*)$", folded[first])
    if not match:
        return None
    end, suffix = first + 1, match[3]
    if not suffix and end < len(sentence) and sentence.words[end].start == sentence.words[first].end:
        suffix = sentence.words[end].text.lower()
        end += suffix in pack.data.numbers.decade_suffixes
    following = end < len(sentence) and folded[end] in pack.decade
    if not (named or following or (suffix and suffix in pack.data.numbers.decade_suffixes)):
        return None
    year = int((match[1] or "19") + match[2])
    return Quantity(end + following, date=str(year), until=str(year + 10))


def _day(sentence: Sentence, at: int, *, yearless: bool = False) -> Quantity | None:
    """Return a day or month with its year, or a yearless one, in the orders of the languages."""
    pack, words = sentence.pack, sentence.words
    if iso := _ISO.match(sentence.text, words[at].start):
        return Quantity(at + sum(word.start < iso.end() for word in words[at:]), date=iso[0])
    if dotted := _DOTTED.match(words[at].text):
        return Quantity(at + 1, date=f"{dotted[3]}-{int(dotted[2]):02}-{int(dotted[1]):02}")
    day: int | None = None
    month: int | None = None
    position = at
    while position < len(sentence) and position < at + 6:
        word = words[position]
        if month is not None and _YEAR.match(word.text):
            date = f"{word.text}-{month:02}" + (f"-{day:02}" if day else "")
            return Quantity(position + 1, date=date)
        if month is None and (named := _month(pack, word.text, yearless)):
            month = named
        elif day is None and (match := re.match(r"(\d{1,2})(\D*)$", word.folded)) and 1 <= int(match[1]) <= 31:
            if match[2] and match[2] not in pack.data.numbers.ordinal_suffixes:
                return None
            day = int(match[1])
        elif position == at or not word.empty:
            break
        position += 1
    if not (yearless and month):
        return None
    while words[position - 1].empty and words[position - 1].folded not in pack.months:  # "May" is an auxiliary, too
        position -= 1
    return Quantity(position, date=f"--{month:02}" + (f"-{day:02}" if day else ""))


def _month(pack: Pack, name: str, full: bool) -> int | None:
    """Return which month a word names; in full, or by any short form of its name."""
    forms = (fold(one) for one in (name, *pack.nominatives(name)))
    return next((pack.months[one] for one in forms if one in pack.months and not (full and one in pack.short)), None)


# In a text ------------------------------------------------------------------------------------------------


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
        both = bool(self.unit and other.unit)
        for value, digits in self.ways:
            for known, exact in other.ways:
                if both:
                    fits = _is_near(value * self.factor, known * other.factor, digits, exact, self.factor)
                else:
                    fits = _is_near(value, known, digits, exact)
                if fits or (share and _is_near(value, known * 100, digits, max(0, exact - 2))):
                    return True
        return False


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
    found = [
        replace(one, ways=tuple(sorted(one.ways, key=lambda way: -abs(way[0]))))
        for one in every_number(text, packs)
        if one.kind != "word"
    ]
    return list(_joined(text, found))


def every_number(text: str, packs: Sequence[Pack], names: Collection[str] = ()) -> Iterator[Number]:
    """Yield the numbers of a text, those in words, too.

    Units are those that one of the packs knows, that of the text's language first, and dimensions that no language
    knows, by their `names`.
    """
    sentence = Sentence(text.translate(_SUPERSCRIPTS), packs[0])
    at = 0
    while at < len(sentence):
        found = _number_at(sentence, at, packs, names)
        if found is None:
            at += 1
            continue
        number, end = found
        yield replace(number, text=sentence.text[number.start : number.end])
        at = max(end, after(sentence, number.end))


def after(sentence: Sentence, offset: int) -> int:
    """Return the position of the first word that begins at an offset or after it."""
    return bisect_left(sentence.words, offset, key=lambda word: word.start)


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
        hours = values_of(clock[0])
        unit = unit_after(sentence, end, clock.end(), packs)
        if unit is None or unit[0].dimension != "time":
            return Number("", word.start, clock.end(), hours, kind="clock"), end
        return Number("", word.start, unit[1], hours, replace(unit[0], factor=3600.0)), end
    if not (found := _digits_at(sentence, at)):
        spelt = _spelt(sentence, at)
        if spelt is None:
            return None
        offset = sentence.words[spelt[1] - 1].end
        own, last = unit_after(sentence, spelt[1], offset, packs, names) or (None, offset)
        return Number("", word.start, last, ((spelt[0], 0),), own, "word"), spelt[1]
    ways, suffix, end = found
    if ways[0][0] > _GREATEST:
        return None
    if _NEGATIVE.search(text, 0, word.start):
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
