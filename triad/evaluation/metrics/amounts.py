"""The amounts that a text states: numbers with their units, which of them stand in lists, and which in brackets.

>>> from triad.language.pack import load_pack
>>> [(one.value, one.unit.dimension) for one in amounts("It weighs 24.8 kg and costs €6,499.", load_pack("en"))]
[(24.8, 'mass'), (6499.0, 'money EUR')]
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from triad.language.dates import date_at
from triad.language.normalize import fold
from triad.language.numbers import number_at, number_in
from triad.language.pack import Pack
from triad.language.tokens import Sentence
from triad.language.written import currency

__all__ = ["Amount", "Unit", "amounts", "bracketed", "joined", "unit_named"]

_SIGNS: Final = {"€": "EUR", "$": "USD", "£": "GBP", "¥": "JPY", "%": "percent", "°": "degree"}
_BEFORE: Final = re.compile(r"([€$£¥]|\b[A-Z]{3})\s?$")
_SIGN: Final = re.compile(r"\s?([€$£¥%]|°[CFK]?)")
_SLASH: Final = re.compile(r"\s?/\s?")
_CLOCK: Final = re.compile(r"(?<![\d:])(\d{1,3}):([0-5]\d)(?::([0-5]\d))?(?![\d:])")
_GLUED: Final = re.compile(r"(\d[\d.,'’]*\d|\d)([^\W\d]\w*)$")
_THREE: Final = re.compile(r"[1-9]\d{0,2}[.,]\d{3}$")
_FOREIGN: Final = {
    ".": re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)"),
    ",": re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+\.\d{1,2}(?!\d)"),
}
"""For a language's decimal point, numbers that are surely written with the other one."""
_SEPARATORS: Final = re.compile(r"[\s,;/&+–—−€$£¥-]*")
_BRACKETS: Final = {"(": ")", "[": "]"}
_SUPERSCRIPTS: Final = str.maketrans("²³", "23")


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit, by what it measures."""

    dimension: str
    """What it measures; ``money`` with its currency, and ``unit`` with the name of one that no language knows."""
    factor: float = 1.0
    """How many of the dimension's first unit it is."""


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a text."""

    value: float
    start: int
    end: int
    """Offset after its unit."""
    unit: Unit | None = None
    """None for a number without one."""
    aside: bool = False
    """True if it stands in brackets."""
    other: float | None = None
    """What it is if its point separates thousands, or its separator of thousands is a point: 3.299 and 3,299."""
    spelt: bool = False
    """True if it is written in words, or is a year."""
    list: int = -1
    """The same number for all amounts of a list."""


def unit_named(name: str, pack: Pack) -> Unit:
    """Return the unit of a name: ``kg``, ``EUR``, ``EUR/Wh``, ``Wh per hour``."""
    sentence = Sentence(name.translate(_SUPERSCRIPTS), pack)
    found = _unit_at(sentence, 0, 0, known=None)
    return found[0] if found and found[1] >= len(name.rstrip()) else _unknown(name)


def amounts(text: str, pack: Pack, wanted: Collection[Unit] = ()) -> list[Amount]:
    """Return the amounts of a text in their order; numbers in names, such as that of "Boeing 747", are none.

    Args:
        text: The text.
        pack: The pack of its language.
        wanted: Units that are told by their names, besides those of the pack.
    """
    sentence = Sentence(_FOREIGN[pack.decimal].sub(_swapped, text.translate(_SUPERSCRIPTS)), pack)
    names = frozenset(part for unit in wanted for part in unit.dimension.split(" / "))
    found: list[Amount] = []
    at = 0
    while at < len(sentence):
        amount, at = _amount_at(sentence, at, names)
        if amount is not None and (amount.unit is not None or not _in_name(sentence.text, amount.start)):
            found.append(amount)
    return _listed(found, sentence.text, pack)


def joined(between: str, pack: Pack) -> bool:
    """Tell whether what stands between two parts of a text makes them items of a list."""
    words = {*pack.data.forms.either, pack.replies["and"].strip(), *pack.data.numbers.to}
    left = " ".join(word for word in re.findall(r"\w+", between) if fold(word) not in set(map(fold, words)))
    return not left and bool(between.strip()) and all(_SEPARATORS.fullmatch(one) for one in re.split(r"\w+", between))


def bracketed(text: str) -> list[bool]:
    """Tell of each character whether it stands in brackets."""
    inside: list[bool] = []
    closing: list[str] = []
    for letter in text:
        if closing and letter == closing[-1]:
            closing.pop()
        inside.append(bool(closing))
        if letter in _BRACKETS:
            closing.append(_BRACKETS[letter])
    return inside


def _amount_at(sentence: Sentence, at: int, names: frozenset[str]) -> tuple[Amount | None, int]:
    """Return the amount that begins at a word, and the word after it."""
    word = sentence.words[at]
    if clock := _CLOCK.match(sentence.text, word.start):
        end = at + 1 + len([part for part in clock.groups()[1:] if part])
        unit = _unit_at(sentence, end, clock.end(), names)
        if unit is None or unit[0].dimension != "time":
            return None, end
        hours = int(clock[1]) + int(clock[2]) / 60 + int(clock[3] or 0) / 3600
        return Amount(hours, word.start, unit[1], replace(unit[0], factor=3600.0)), _after(sentence, end, unit[1])
    if (glued := _GLUED.match(word.text)) and (unit_ := _simple(glued[2], sentence.pack, names)):
        value = number_in(glued[1], sentence.pack)
        return (Amount(value, word.start, word.end, unit_) if value is not None else None), at + 1
    found = number_at(sentence, at)
    if found is None:
        return None, at + 1
    value, end, _ = found
    other = (value / 1000 if value >= 1000 else value * 1000) if _THREE.match(word.text) else None
    last = sentence.words[end - 1].end
    spelt = not word.text[0].isdigit()
    if unit := _unit_at(sentence, end, last, names):
        return Amount(value, word.start, unit[1], unit[0], other=other, spelt=spelt), _after(sentence, end, unit[1])
    if before := _BEFORE.search(sentence.text[: word.start]):
        code = _SIGNS.get(before[1]) or currency(before[1])
        if code:
            unit = _ratio(sentence, Unit(f"money {code}"), last, names)
            return Amount(value, before.start(), unit[1], unit[0], other=other), _after(sentence, end, unit[1])
    dated = date_at(sentence, at)
    return Amount(value, word.start, last, other=other, spelt=spelt or dated is not None), max(
        end, dated.end if dated else end
    )


def _swapped(number: re.Match[str]) -> str:
    return number[0].translate(str.maketrans(".,", ",."))


def _after(sentence: Sentence, at: int, offset: int) -> int:
    while at < len(sentence) and sentence.words[at].start < offset:
        at += 1
    return at


def _unit_at(sentence: Sentence, at: int, offset: int, known: frozenset[str] | None) -> tuple[Unit, int] | None:
    """Return the unit that stands behind a number, and the offset after it.

    Args:
        sentence: The text.
        at: The first word after the number.
        offset: The offset after the number.
        known: Names of units besides those of the pack; None if any word is one.
    """
    first = _one_unit(sentence, at, offset, known)
    return _ratio(sentence, *first, known) if first else None


def _ratio(sentence: Sentence, unit: Unit, offset: int, known: frozenset[str] | None) -> tuple[Unit, int]:
    """Return a unit with what it is divided by, if that follows it: EUR/Wh, Wh per hour."""
    at = _after(sentence, 0, offset)
    second = None
    if slash := _SLASH.match(sentence.text, offset):
        second = _one_unit(sentence, at, slash.end(), known)
    elif at + 1 < len(sentence) and sentence.words[at].empty:
        word, place = sentence.words[at], sentence.words[at + 1].start
        tied = not sentence.text[offset : word.start].strip() and not sentence.text[word.end : place].strip()
        if tied and not joined(sentence.text[offset:place], sentence.pack):
            second = _one_unit(sentence, at + 1, place, known)
    if second is None:
        return unit, offset
    return Unit(f"{unit.dimension} / {second[0].dimension}", unit.factor / second[0].factor), second[1]


def _one_unit(sentence: Sentence, at: int, offset: int, known: frozenset[str] | None) -> tuple[Unit, int] | None:
    if sign := _SIGN.match(sentence.text, offset):
        name = _SIGNS.get(sign[1][0], "")
        unit = Unit(f"money {name}") if currency(name) else _simple(name, sentence.pack, frozenset())
        return (unit, sign.end()) if unit else None
    if at >= len(sentence) or sentence.text[offset : sentence.words[at].start].strip(" \u00a0\u202f-"):
        return None
    if phrase := sentence.pack.unit_phrases.longest(sentence.stems, at):
        end = sentence.words[phrase[0] - 1].end
        dimension, factor = sentence.pack.units[phrase[1]]
        if dimension == "money":
            code = currency(sentence.text[sentence.words[at].start : end]) or currency(phrase[1]) or phrase[1]
            return Unit(f"money {code}", factor), end
        return Unit(dimension, factor), end
    word = sentence.words[at]
    unit = _simple(word.text, sentence.pack, known)
    return (unit, word.end) if unit else None


def _simple(name: str, pack: Pack, known: frozenset[str] | None) -> Unit | None:
    stems = " ".join(pack.stem_list(name))
    if stems in pack.units and pack.units[stems][0] != "money":
        return Unit(*pack.units[stems])
    if code := currency(name):
        return Unit(f"money {code}")
    return _unknown(name) if known is None or _unknown(name).dimension in known else None


def _unknown(name: str) -> Unit:
    return Unit(f"unit {fold(name)}")


def _in_name(text: str, start: int) -> bool:
    """Tell whether a number follows a capitalised word that begins no sentence."""
    before = re.search(r"(?P<start>^|[.!?:\n*]\s+|\s)(?P<word>[^\W\d_][\w'’-]*) ?$", text[:start])
    if before is None or not before["word"][0].isupper():
        return False
    return before["start"].isspace() and "\n" not in before["start"]


def _listed(found: list[Amount], text: str, pack: Pack) -> list[Amount]:
    """Return amounts with what is told of them by their place; in a list, the unit of one holds for those before it."""
    inside = bracketed(text)
    groups: list[list[Amount]] = [[one] for one in found[:1]]
    for before, one in pairwise(found):
        if joined(text[before.end : one.start], pack):
            groups[-1].append(one)
        else:
            groups.append([one])
    return list(_placed(groups, inside))


def _placed(groups: list[list[Amount]], inside: list[bool]) -> Iterator[Amount]:
    for number, group in enumerate(groups):
        for at, one in enumerate(group):
            unit = next((other.unit for other in group[at:] if other.unit is not None), None)
            yield replace(one, unit=unit, aside=inside[one.start], list=number)
