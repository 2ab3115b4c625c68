"""Numbers, dates and units in a question: "one million", "8,000 metres", "12 May 1990", "the 1970s", "XX secolo"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from triad.language.pack import Pack
from triad.language.tokens import Sentence

__all__ = ["Quantity", "date_at", "number_at", "number_in", "ordinal_at", "place_in", "quantity_at"]

_NUMBER: Final = re.compile(r"(\d[\d.,'’]*\d|\d)([^\W\d]\w*)?$")
_YEAR: Final = re.compile(r"(?:1\d|20)\d\d$")
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_DOTTED: Final = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})$")
_ROMAN: Final = re.compile(r"x{0,2}(?:ix|iv|v?i{0,3})(?:e|eme)?$")
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10}
_GREATEST: Final = 1e50  # no quantity is greater; what is may not fit into a float
_SIGNS: Final = {"€": "euro", "$": "dollar", "£": "pound sterling", "¥": "yen", "%": "percent"}


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
    """Return the number or date that begins at a position.

    Args:
        sentence: The question.
        start: The position.
        dates: Whether a year on its own is a date; else it is a number.
    """
    if dates and (date := date_at(sentence, start)):
        return date
    found = number_at(sentence, start)
    if not found:
        return None
    value, end, glued = found
    if glued:
        return Quantity(end, value, glued)
    unit = sentence.pack.unit_phrases.longest(sentence.stems, end)
    if unit:
        return Quantity(unit[0], value, unit[1])
    return Quantity(end, value, _sign(sentence, start, end))


def _sign(sentence: Sentence, start: int, end: int) -> str | None:
    text, words = sentence.text, sentence.words
    before = text[: words[start].start].rstrip()[-1:]
    after = text[words[end - 1].end :].lstrip()[:1]
    name = _SIGNS.get(before) or _SIGNS.get(after)
    if name is None:
        return None
    stems = " ".join(sentence.pack.stem(word) for word in name.split())
    return stems if stems in sentence.pack.units else name


def number_at(sentence: Sentence, start: int) -> tuple[float, int, str | None] | None:
    """Return the number that begins at a position: its value, its end, and a unit that is written to it (50mm)."""
    if start >= len(sentence):
        return None
    pack = sentence.pack
    match = _NUMBER.match(sentence.words[start].text)
    if not match:
        return _spelt(sentence, start)
    end = start + 1
    digits, suffix = match.groups()
    while suffix is None and len(digits) <= 3 * (end - start) and _continues(sentence, end):
        digits += sentence.words[end].text
        end += 1
    value = _value(digits, pack.decimal)
    if value > _GREATEST:
        return None
    if suffix:
        stem = pack.stem(suffix)
        return (value, end, stem) if stem in pack.units else None
    while end < len(sentence) and sentence.folded[end] in pack.magnitudes:
        value *= pack.magnitudes[sentence.folded[end]]
        end += 1
    return (value, end, None) if value <= _GREATEST else None


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
    """Return which one of a list a text means: "2", "the second", "2nd"; -1 is the last."""
    sentence = Sentence(text, pack)
    for at, word in enumerate(sentence.folded):
        if word in pack.last:
            return -1
        if place := ordinal_at(sentence, at):
            return place
    number = number_in(text, pack)
    return int(number) if number is not None else None


def _continues(sentence: Sentence, at: int) -> bool:
    """Return whether a word is a further group of three digits: 1 000 000."""
    if at >= len(sentence) or not re.fullmatch(r"\d{3}", sentence.words[at].text):
        return False
    return sentence.words[at].start == sentence.words[at - 1].end + 1


def _value(digits: str, decimal: str) -> float:
    digits = digits.replace("'", "").replace("’", "")
    other = "," if decimal == "." else "."
    if re.fullmatch(rf"\d{{1,3}}(?:\{other}\d{{3}})+(?:\{decimal}\d+)?", digits) or digits.count(other) > 1:
        digits = digits.replace(other, "")
    elif re.fullmatch(rf"\d{{1,3}}(?:\{decimal}\d{{3}}){{2,}}", digits):
        digits = digits.replace(decimal, "")
    digits = digits.replace(",", ".")
    try:
        return float(digits)
    except ValueError:
        return float(re.sub(r"\D", "", digits))


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


def date_at(sentence: Sentence, start: int) -> Quantity | None:
    """Return the date, decade or century that begins at a position."""
    if start >= len(sentence):
        return None
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
    if _sign(sentence, at, at + 1):
        return None
    return Quantity(at + 1, date=word.text)


def _century(sentence: Sentence, at: int) -> Quantity | None:
    centuries = sentence.pack.century
    for first, second in ((at, at + 1), (at + 1, at)):
        if second >= len(sentence) or first >= len(sentence) or sentence.folded[second] not in centuries:
            continue
        number = ordinal_at(sentence, first) or _roman(sentence.folded[first])
        if number is None and re.fullmatch(r"\d{1,2}", sentence.folded[first]):
            number = int(sentence.folded[first])
        if number and number <= 21:
            return Quantity(at + 2, date=str(100 * number - 99), until=str(100 * number + 1))
    return None


def _roman(word: str) -> int | None:
    if not word or not _ROMAN.match(word):
        return None
    values = [_ROMAN_VALUES[letter] for letter in word if letter in _ROMAN_VALUES]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True)) or None


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


def _day(sentence: Sentence, at: int) -> Quantity | None:
    """Return a day or month with its year, in the orders of the languages."""
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
        if month is None and word.folded in pack.months:
            month = pack.months[word.folded]
        elif day is None and (match := re.match(r"(\d{1,2})(\D*)$", word.folded)) and 1 <= int(match[1]) <= 31:
            if match[2] and match[2] not in pack.data.numbers.ordinal_suffixes:
                return None
            day = int(match[1])
        elif position == at or not word.empty:
            return None
        position += 1
    return None
