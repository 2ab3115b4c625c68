"""The amounts that a text states: numbers with their units, which of them stand in lists, and which in brackets.

>>> from triad.language.pack import load_pack
>>> [(one.value, one.unit.dimension) for one in amounts("It weighs 24.8 kg and costs €6,499.", load_pack("en"))]
[(24.8, 'mass'), (6499.0, 'money EUR')]
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.quantities import Unit, after, date_at, unit_after, unit_of
from triad.language.text_quantities import every_number
from triad.language.tokens import Sentence

_SLASH: Final = re.compile(r"\s?/\s?")
_PER: Final = re.compile(r"\s?/\s?|\s+per\s+")
_SEPARATORS: Final = re.compile(r"[\s,;/&+–—−€$£¥-]*")
_BRACKETS: Final = {"(": ")", "[": "]"}


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
    if unit := unit_of(name, (pack,)):
        return unit
    first, *rest = (unit_of(part, (pack,)) or Unit(f"unit {fold(part)}") for part in _PER.split(name, maxsplit=1))
    return _per(first, rest[0]) if rest else first


def amounts(text: str, pack: Pack, wanted: Collection[Unit] = ()) -> list[Amount]:
    """Return the amounts of a text in their order; numbers in names, such as that of "Boeing 747", are none.

    Units are those of the pack, and those that are wanted, by their names.
    """
    names = frozenset(part for unit in wanted for part in unit.dimension.split(" / "))
    sentence = Sentence(text, pack)
    found: list[Amount] = []
    over = 0
    for one in every_number(text, (pack,), names):
        if one.kind in ("clock", "code") or one.start < over:  # the 100 of l/100km, the year behind a day
            continue
        unit, end, spelt = None, one.end, one.kind == "word"
        if one.unit:
            unit, end = _ratio(sentence, one.unit, one.end, names)
        elif dated := date_at(sentence, after(sentence, one.start)):
            over, spelt = sentence.words[dated.end - 1].end, True
        over = max(over, end)
        if unit or not _in_name(text, one.start):
            value, *others = (abs(value) for value, _ in one.ways)
            found.append(Amount(value, one.start, end, unit, other=next(iter(others), None), spelt=spelt))
    return list(_listed(found, text, pack))


def joined(between: str, pack: Pack) -> bool:
    """Return whether what stands between two parts of a text makes them items of a list."""
    words = set(map(fold, (*pack.data.forms.either, pack.replies["and"].strip(), *pack.data.numbers.to)))
    if not between.strip() or any(fold(word) not in words for word in re.findall(r"\w+", between)):
        return False
    return all(_SEPARATORS.fullmatch(one) for one in re.split(r"\w+", between))


def bracketed(text: str) -> list[bool]:
    """Return of each character whether it stands in brackets."""
    inside: list[bool] = []
    closing: list[str] = []
    for letter in text:
        if closing and letter == closing[-1]:
            closing.pop()
        inside.append(bool(closing))
        if letter in _BRACKETS:
            closing.append(_BRACKETS[letter])
    return inside


def _ratio(sentence: Sentence, unit: Unit, offset: int, names: frozenset[str]) -> tuple[Unit, int]:
    """Return a unit with what it is divided by, if that follows it, and its end: EUR/Wh, Wh per hour."""
    at, second = after(sentence, offset), None
    if slash := _SLASH.match(sentence.text, offset):
        second = unit_after(sentence, at, slash.end(), (sentence.pack,), names)
    elif at + 1 < len(sentence) and sentence.words[at].empty:
        word, place = sentence.words[at], sentence.words[at + 1].start
        tied = not sentence.text[offset : word.start].strip() and not sentence.text[word.end : place].strip()
        if tied and not joined(sentence.text[offset:place], sentence.pack):
            second = unit_after(sentence, at + 1, place, (sentence.pack,), names)
    return (_per(unit, second[0]), second[1]) if second else (unit, offset)


def _per(one: Unit, other: Unit) -> Unit:
    return Unit(f"{one.dimension} / {other.dimension}", one.factor / other.factor)


def _in_name(text: str, start: int) -> bool:
    """Return whether a number follows a capitalised word that begins no sentence."""
    before = re.search(r"(?P<start>^|[.!?:\n*]\s+|\s)(?P<word>[^\W\d_][\w'’-]*) ?$", text[:start])
    if before is None or not before["word"][0].isupper():
        return False
    return before["start"].isspace() and "\n" not in before["start"]


def _listed(found: list[Amount], text: str, pack: Pack) -> Iterator[Amount]:
    """Yield amounts with what is told of them by their place; in a list, the unit of one holds for those before it."""
    inside = bracketed(text)
    groups: list[list[Amount]] = [[one] for one in found[:1]]
    for before, one in pairwise(found):
        if joined(text[before.end : one.start], pack):
            groups[-1].append(one)
        else:
            groups.append([one])
    for number, group in enumerate(groups):
        for at, one in enumerate(group):
            unit = next((other.unit for other in group[at:] if other.unit is not None), None)
            yield replace(one, unit=unit, aside=inside[one.start], list=number)
