"""Dates in a question: "12 May 1990", "2024-05-12", "1969", "the 1970s", "XX secolo"."""

from __future__ import annotations

import re
from typing import Final

from triad.language.numbers import Quantity, measured_at, ordinal_at, sign_at
from triad.language.tokens import Sentence

__all__ = ["date_at", "quantity_at"]

_YEAR: Final = re.compile(r"(?:1\d|20)\d\d$")
_ISO: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
_DOTTED: Final = re.compile(r"(\d{1,2})[./](\d{1,2})[./](\d{4})$")
_ROMAN: Final = re.compile(r"x{0,2}(?:ix|iv|v?i{0,3})(?:e|eme)?$")
_ROMAN_VALUES: Final = {"i": 1, "v": 5, "x": 10}


def quantity_at(sentence: Sentence, start: int, *, dates: bool = True) -> Quantity | None:
    """Return the number or date that begins at a position.

    Args:
        sentence: The question.
        start: The position.
        dates: Whether a year on its own is a date; else it is a number.
    """
    date = date_at(sentence, start) if dates else None
    return date or measured_at(sentence, start)


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
    if sign_at(sentence, at, at + 1):
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
