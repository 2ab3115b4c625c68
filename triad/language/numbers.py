"""Numbers and units in a question: "one million", "8,000 metres", "1.5 million", "the second"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from triad.language.pack import Pack
from triad.language.tokens import Sentence

__all__ = ["Quantity", "measured_at", "number_at", "number_in", "ordinal_at", "place_in", "sign_at"]

_NUMBER: Final = re.compile(r"(\d[\d.,'’]*\d|\d)([^\W\d]\w*)?$")
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


def measured_at(sentence: Sentence, start: int) -> Quantity | None:
    """Return the number that begins at a position, with its unit."""
    found = number_at(sentence, start)
    if not found:
        return None
    value, end, glued = found
    if glued:
        return Quantity(end, value, glued)
    unit = sentence.pack.unit_phrases.longest(sentence.stems, end)
    if unit:
        return Quantity(unit[0], value, unit[1])
    return Quantity(end, value, sign_at(sentence, start, end))


def sign_at(sentence: Sentence, start: int, end: int) -> str | None:
    """Return the unit whose sign stands before or after some words: € and %."""
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
    if suffix and (magnitude := pack.magnitudes.get(pack.key(suffix))):
        return (value * magnitude, end, None) if value * magnitude <= _GREATEST else None
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
