"""Numbers, units, money and dates as people write them, in every language: read here, and nowhere else.

They are read word by word (`quantity_at` and its parts). What is written may be meant in several ways ("1,090", in
German and in English). `triad.language.text_quantities` reads those of whole texts.

>>> from triad.language.pack import load_pack
>>> english = (load_pack("en"),)
>>> unit_of("€", english), unit_of("euros", english)
(Unit(dimension='money EUR', factor=1.0), Unit(dimension='money EUR', factor=1.0))
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.language.written import currency

MONEY: Final = r"[€$£¥]|\b[A-Z]{3}\b"
"""A pattern of what may stand for a currency beside a number."""

_SIGNS: Final = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "%": "percent"} | dict.fromkeys(
    ("°", "°C", "°F", "°K"), "degree"
)
GREATEST: Final = 1e50
"""No quantity is greater; what is may not fit into a float."""

_NEGATIVE: Final = re.compile(r"(?<![\w.,%°€$£¥)])(?<!\d\s)[-−][€$£¥]?$")
_NUMBER: Final = re.compile(r"(\d[\d.,'’]*\d|\d)([^\W\d]\w*)?$")
_GROUPED: Final = re.compile(r"[-+]?(?!0)\d{1,3}([.,])\d{3}")
_SIGN: Final = re.compile(r"\s?([€$£¥%°])[CFK]?")
_SPACES: Final = (" ", "\u00a0", "\u202f")
SUPERSCRIPTS: Final = str.maketrans("²³", "23")
"""Figures that are written as superscripts, as in m²."""

_WHOSE: Final = frozenset("the my your his her its our their".split())  # last year is that of something
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
    if (last := max(text.rfind("."), text.rfind(","))) < 0:
        return ((float(text), 0),)
    whole, rest = re.sub(r"[.,]", "", text[:last]), text[last + 1 :]
    thousands = (float(whole + rest), 0)
    if text.count(text[last]) > 1:
        return (thousands,)
    fraction = (float(f"{whole or '0'}.{rest}"), len(rest.rstrip("0")))
    if grouped := _GROUPED.fullmatch(text):
        return (fraction, thousands) if grouped[1] == decimal else (thousands, fraction)
    return (fraction,)


def after(sentence: Sentence, offset: int) -> int:
    """Return the position of the first word that begins at an offset or after it."""
    return bisect_left(sentence.words, offset, key=lambda word: word.start)


def money(name: str) -> str:
    """Return the ISO code of a currency by its sign, its code or its name in English; empty if it is none."""
    return currency(_SIGNS.get(name, name)) or ""


def unit_of(name: str, packs: Sequence[Pack]) -> Unit | None:
    """Return the unit of a name or sign that one of some languages knows: kg, Stunden, EUR, €, %, m²."""
    name = _SIGNS.get(name, name).translate(SUPERSCRIPTS)
    for pack in packs:
        if known := pack.units.get(" ".join(pack.stem_list(name))):
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


# At a word ----------------------------------------------------------------------------------


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
    if (at := start + _is_minus(sentence, start)) >= len(sentence):
        return None
    stem = None
    if found := digits_at(sentence, at):
        ways, suffix, end = found
        value, stem = ways[0][0], sentence.pack.stem(suffix) if suffix else None
        if value > GREATEST or (stem and stem not in sentence.pack.units):
            return None
    elif spelt := spelt_at(sentence, at):
        value, end = spelt
    else:
        return None
    times = {*sentence.pack.data.numbers.times, "twice", "thrice"}
    end += any(word in times for word in sentence.folded[end : end + 1])
    if sentence.folded[end - 1] in times and sentence.folded[end : end + 1] == ["the"]:
        return None  # twice the population
    return -value if is_negative(sentence, at) else value, end, stem


def is_negative(sentence: Sentence, at: int) -> bool:
    """Return whether a sign or a word before a number says that it is below zero: -5, minus five; not 10-20."""
    start = sentence.words[at].start
    return _is_minus(sentence, at - 1) or bool(_NEGATIVE.search(sentence.text, max(0, start - 2), start))


def _is_minus(sentence: Sentence, at: int) -> bool:
    """Return whether a word is that for the sign, rather than a part of a comparison, as in "au moins 5"."""
    if not 0 <= at < len(sentence) or sentence.folded[at] not in sentence.pack.minus:
        return False
    phrases, words = sentence.pack.compare.values(), sentence.folded
    return all(phrase.end(words, start) != at + 1 for phrase in phrases for start in range(max(0, at - 3), at))


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
    if not (match := re.match(r"(\d{1,9})(\D*)$", word.folded)):
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


def digits_at(sentence: Sentence, start: int) -> tuple[tuple[tuple[float, int], ...], str, int] | None:
    """Return the values of digits with their magnitude, letters written to them, and their end: 1 000 000, 50k."""
    if not (match := _NUMBER.match(sentence.words[start].text)):
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
        while end < len(sentence) and sentence.folded[end] in pack.magnitudes and by < GREATEST:
            by *= pack.magnitudes[sentence.folded[end]]
            end += 1
    zeros = len(str(by)) - 1
    return tuple((value * by, places - zeros) for value, places in values_of(digits, pack.decimal)), suffix, end


def spelt_at(sentence: Sentence, start: int) -> tuple[float, int] | None:
    """Return the number in words that begins at a position, and its end; the Nine of "after Nine Lanterns" is none."""
    pack, at = sentence.pack, start
    if [one.text[:1].isupper() for one in sentence.words[max(0, start - 1) : start + 2]] == [False, True, True]:
        return None
    units = (units for units in pack.data.numbers.units.values() if sentence.folded[at] in pack.data.numbers.one)
    if any(word in one for one in units for word in sentence.folded[at + 1 : at + 2]):
        return 1.0, at + 1  # longer than an hour
    total, current, seen = 0, 0, False
    while at < len(sentence) and total + current <= GREATEST:
        if (word := sentence.folded[at]) in pack.number_words:
            current += pack.number_words[word]
        elif (magnitude := pack.magnitudes.get(word)) is not None:
            current = max(current, 1) * magnitude
            if magnitude >= 1000:
                total, current = total + current, 0
        else:
            break
        seen, at = True, at + 1
    return (float(total + current), at) if seen and total + current <= GREATEST else None


# Dates ----------------------------------------------------------------------------------------------------


def date_at(sentence: Sentence, start: int, *, yearless: bool = False) -> Quantity | None:
    """Return the date, decade or century that begins at a position; of a yearless one, the month and the day."""
    if start >= len(sentence) or is_negative(sentence, start):
        return None
    if yearless:
        return _day(sentence, start, yearless=True)
    read = (_half_or_quarter, _century, _decade, _day, _year)
    return next(filter(None, (one(sentence, start) for one in read)), None)


def parts_of_dates(sentence: Sentence, places: Iterable[int] | None = None) -> Iterator[tuple[int, str, Quantity]]:
    """Yield where words name a part of a date, which part, and the date: early 2024, the first half of 2024."""
    joins = {*sentence.pack.data.references.of.split(), *sentence.pack.data.references.definite}
    for at in range(len(sentence)) if places is None else places:
        end, part = sentence.pack.date_parts.longest(sentence.folded, at) or (len(sentence), "")
        start = sentence.skip_empty(end, 2)
        if joins.issuperset(sentence.folded[end:start]) and (whole := date_at(sentence, start)):
            yield at, part, whole


def _half_or_quarter(sentence: Sentence, at: int) -> Quantity | None:
    for _, part, whole in parts_of_dates(sentence, [at]):
        if "/" in part and not whole.until and (year := whole.date or "").isdecimal():
            place, parts = map(int, part.split("/"))
            months = (12 * int(year) + 12 * one // parts for one in (place - 1, place))
            return Quantity(whole.end, None, None, *(f"{one // 12}-{one % 12 + 1:02}" for one in months))
    return None


def asked_date_at(sentence: Sentence, start: int) -> Quantity | None:
    """Return the date that begins at a position of a question, where today's is known: this year, last month, today.

    Not "the last year", nor "his last year", which may be that of something.
    """
    found = sentence.pack.relative.longest(sentence.folded, start)
    if found is None or not _WHOSE.isdisjoint(sentence.folded[max(0, start - 1) : start]):
        return date_at(sentence, start)
    unit, shift = found[1].split()
    today = date.today()
    if unit == "day":
        return Quantity(found[0], date=str(today + timedelta(days=int(shift))))
    year, month = divmod(today.year * 12 + today.month - 1 + int(shift), 12)
    return Quantity(found[0], date=f"{year}-{month + 1:02}" if unit == "month" else str(today.year + int(shift)))


def _year(sentence: Sentence, at: int) -> Quantity | None:
    word = sentence.words[at]
    if not _YEAR.match(word.text):
        return None
    following = sentence.folded[at + 1] if at + 1 < len(sentence) else ""
    if following in sentence.pack.year:
        return Quantity(at + 2, date=word.text)
    counts = following in sentence.pack.magnitudes or sentence.pack.unit_phrases.longest(sentence.stems, at + 1)
    return None if counts or _sign_at(sentence, at, at + 1) else Quantity(at + 1, date=word.text)


def _century(sentence: Sentence, at: int) -> Quantity | None:
    centuries = sentence.pack.century
    for first, second in ((at, at + 1), (at + 1, at)):
        if second >= len(sentence) or first >= len(sentence) or sentence.folded[second] not in centuries:
            continue
        word = sentence.folded[first].removesuffix("eme").removesuffix("e")
        number = ordinal_at(sentence, first) or _ROMAN_VALUES.get(word)
        if number and number <= 21:
            return Quantity(at + 2, date=str(100 * number - 99), until=str(100 * number + 1))
    return None


def _decade(sentence: Sentence, at: int) -> Quantity | None:
    pack, folded = sentence.pack, sentence.folded
    named = folded[at] in pack.decade
    first = sentence.skip_empty(at + 1, 2) if named else at
    if first >= len(sentence):
        return None
    if not (match := re.match(r"(\d\d)?(\d0)(\D*)$", folded[first])):
        return None
    end, suffix = first + 1, match[3]
    if not suffix and end < len(sentence) and sentence.words[end].start == sentence.words[first].end:
        suffix = sentence.words[end].text.lower()
        end += suffix in pack.data.numbers.decade_suffixes
    following = bool(match[1] or suffix) and end < len(sentence) and folded[end] in pack.decade  # no 40 Jahre
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
            return Quantity(position + 1, date=f"{word.text}-{month:02}" + (f"-{day:02}" if day else ""))
        if month is None and (named := _month(pack, word.text, yearless)):
            month = named
        elif day is None and (match := re.match(r"(\d{1,2})(\D*)$", word.folded)) and 1 <= int(match[1]) <= 31:
            day = int(match[1])
        elif position == at or not word.empty or _month(pack, word.text, yearless):
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
