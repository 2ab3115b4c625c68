"""What an answer states of the values that its gold has: in its rows, or in its words.

A value is given **by the rows** of an answer if it stands in a column that holds nothing but values of the gold and of
the turns before. It is given **in words** if it is stated there, and the words do not offer other values in its place:

1. A number is held against the gold's by its unit, converted where both measure the same; a number without a unit is
   in the gold's. A name is the gold's name, one that the gold accepts, or either without its first word (the maker's)
   where two words remain. Numbers within names are no numbers, and the sign of a number does not count.
2. A list that holds anything but values of the gold, of the question and of the turns before, states nothing: "5,999,
   6,099 or 6,199 EUR" gives no price.
3. Of the same unit, or of the same kind of thing, there may be fewer other values than values of the gold are stated;
   or as many, if one of the gold comes first. What the question or the turns before name is no other value, and
   neither is what stands in brackets or is written as a word. Things of the same kind are those that the gold's value
   is computed over.

A yes/no question is answered by the answer's boolean, or by the first word of its text. Where the order matters, the
values have to come in that order.

The amounts that a text states are numbers with their units, which may stand in lists or in brackets:

>>> from triad.language.pack import load_pack
>>> [(one.value, one.unit.dimension) for one in amounts("It weighs 24.8 kg and costs €6,499.", load_pack("en"))]
[(24.8, 'mass'), (6499.0, 'money EUR')]
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from triad.answers import Answer
from triad.datasets.expected import Expected, ExpectedValue
from triad.grouping import grouped
from triad.language.normalize import fold
from triad.language.pack import Pack, load_pack
from triad.language.phrases import Phrases
from triad.language.quantities import Unit, after, date_at, unit_after, unit_of
from triad.language.text_quantities import every_number
from triad.language.tokens import Sentence
from triad.rdf import IRI, NUMERIC, Literal, Value

_WORD: Final = re.compile(r"\w+")
_PERCENT: Final = Unit("share")
_ROUNDING: Final = 1e-9

_Names = dict[tuple[str, ...], tuple[frozenset[int], bool]]
"""For the words of a name which values of the gold it is, and whether it counts as another value."""

_SLASH: Final = re.compile(r"\s?/\s?")
_PER: Final = re.compile(r"\s?/\s?|\s+per\s+")
_SEPARATORS: Final = re.compile(r"[\s,;/&+–—−€$£¥-]*")
_BRACKETS: Final = {"(": ")", "[": "]"}


@dataclass(frozen=True, slots=True)
class _Mention:
    """A value that a text names."""

    start: int
    name: str  # the same for the same value
    golds: frozenset[int] = frozenset()  # which values of the gold it is
    list: int = -1
    known: bool = False  # whether the question or a turn before has it
    other: bool = False  # whether it counts as another value, if it is none of the gold


def words_of(answer: Answer) -> str:
    """Return what a reader of an answer sees, on one line."""
    return " ".join((" ".join(one.text for one in answer.sentences) or answer.text).split())


def given(expected: Expected, answer: Answer, pack: Pack) -> frozenset[int]:
    """Return the positions of the gold's values that an answer, whose language has the pack, gives."""
    wanted = [position for position, one in enumerate(expected.values) if not one.optional]
    numbers = _Numbers(expected, pack)
    found = [_by_rows(expected, answer, numbers), _in_words(expected, answer, numbers, pack)]
    if not expected.ordered:
        return frozenset(position for one in found for position in one)
    for positions in found:
        if [position for position in positions if position in wanted] == wanted:
            return frozenset(positions)
    return frozenset()


class _Numbers:
    """The numbers of a gold with their units."""

    def __init__(self, expected: Expected, pack: Pack) -> None:
        english = load_pack("en")
        self.pack = pack
        self.units: dict[int, Unit | None] = {
            position: unit_named(one.unit, english) if one.unit else None
            for position, one in enumerate(expected.values)
            if isinstance(one.value, float)
        }
        self.values = expected.values
        self.wanted = [unit for unit in self.units.values() if unit]

    def golds(self, unit: Unit | None, *ways: float | None, share: bool = False) -> frozenset[int]:
        """Return the positions of the values that a number, which may be read in several ways, is.

        With `share`, one without a unit may be a share of one.
        """
        return frozenset(
            position
            for position, own in self.units.items()
            for value in ways
            if value is not None and _same(self.values[position], own, value, unit, share)
        )


def _same(gold: ExpectedValue, own: Unit | None, value: float, unit: Unit | None, share: bool) -> bool:
    assert isinstance(gold.value, float)
    if unit is not None and (own is None or own.dimension != unit.dimension):
        return False
    scale = unit.factor / own.factor if unit and own else 1.0
    values = [value * scale, *([100 * value] if share and unit is None and own == _PERCENT else [])]
    room = gold.tolerance + _ROUNDING * max(1.0, abs(gold.value))
    return any(abs(abs(one) - abs(gold.value)) <= room for one in values)


# Rows -----------------------------------------------------------------------------------------------------


def _by_rows(expected: Expected, answer: Answer, numbers: _Numbers) -> list[int]:
    """Return the positions of the values in columns that have no others, in the order of the rows."""
    told = ((position, one.value) for position, one in enumerate(expected.values))
    found = [position for position, value in told if isinstance(value, bool) and answer.boolean is value]
    before = replace(expected, values=expected.before)
    of_before = _Numbers(before, numbers.pack)
    for at, variable in enumerate(answer.variables):
        column = [value for row in answer.rows if (value := row[at]) is not None]
        golds = [_golds(expected, value, variable, numbers) for value in column]
        if all(one or _golds(before, value, variable, of_before) for one, value in zip(golds, column, strict=True)):
            found += [position for one in golds for position in sorted(one) if position not in found]
    return found


def _golds(expected: Expected, value: Value, variable: str, numbers: _Numbers) -> frozenset[int]:
    term, label = value.term, _key(value.label)
    texts = {
        position
        for position, one in enumerate(expected.values)
        if isinstance(one.value, str)
        and ((isinstance(term, IRI) and term.value == one.iri) or label in map(_key, (one.value, *one.accept)))
    }
    if not isinstance(term, Literal):
        return frozenset(texts)
    if term.datatype in NUMERIC and term.number is not None:
        unit = unit_named(variable.rpartition("_")[2], load_pack("en"))  # as columns are called: weight_kg
        told = any(unit.dimension == one.dimension for one in numbers.wanted)
        return frozenset(texts) | numbers.golds(unit if told else None, term.number, share=True)
    read = amounts(term.value, numbers.pack, numbers.wanted)
    return frozenset(texts).union(*(numbers.golds(one.unit, one.value, one.other) for one in read[:1]))


def _key(name: str) -> str:
    return " ".join(_words(name))


# Words ----------------------------------------------------------------------------------------------------


def _in_words(expected: Expected, answer: Answer, numbers: _Numbers, pack: Pack) -> list[int]:
    """Return the positions of the values that the words state, in the order of the text."""
    text = words_of(answer)
    first: dict[int, int] = {}
    groups = [_named(expected, answer, text, pack)]
    groups += [_counted(expected, text, numbers, unit, pack) for unit in dict.fromkeys(numbers.units.values())]
    for mention in (mention for group in groups for mention in _offered(group)):
        for position in mention.golds:
            first[position] = min(mention.start, first.get(position, mention.start))
    if (truth := _truth(text, pack)) is not None:
        first |= {position: 0 for position, one in enumerate(expected.values) if one.value is truth}
    return sorted(first, key=lambda position: (first[position], position))


def _offered(mentions: Sequence[_Mention]) -> list[_Mention]:
    """Return the mentions of the gold's values, unless others are offered in their place."""
    lists = grouped((one.list, one) for one in mentions).values()
    whole = (items for items in lists if len(items) == 1 or all(item.golds or item.known for item in items))
    open_ = [one for items in whole for one in items]
    right = [one for one in open_ if one.golds]
    stated = {position for one in right for position in one.golds}
    others = [one for one in open_ if not one.golds and not one.known and one.other]
    count = len({one.name for one in others})
    if count < len(stated) or (count == len(stated) and right and right[0].start < others[0].start):
        return right
    return []


def _counted(expected: Expected, text: str, numbers: _Numbers, unit: Unit | None, pack: Pack) -> list[_Mention]:
    """Return the numbers of a text that are in a unit, or in none."""
    named = {(one.value, one.unit and one.unit.dimension) for one in amounts(expected.asked, pack, numbers.wanted)}
    before = [one.value for one in expected.before if isinstance(one.value, float)]
    found = []
    for one in amounts(text, pack, numbers.wanted):
        if (one.unit.dimension if one.unit else None) not in (None, unit.dimension if unit else None):
            continue
        golds = frozenset(at for at in numbers.golds(one.unit, one.value, one.other) if numbers.units[at] == unit)
        known = (one.value, one.unit and one.unit.dimension) in named or one.value in before
        bare = one.unit is None and unit is not None
        if golds or not bare:
            found.append(
                _Mention(one.start, f"{one.value:g}", golds, one.list, known, other=not (one.aside or one.spelt))
            )
    return found


def _truth(text: str, pack: Pack) -> bool | None:
    """Return what a text answers to a yes/no question by its first word."""
    for language in (pack, load_pack("en")):
        for truth, key in ((True, "yes"), (False, "no")):
            if re.match(rf"{re.escape(fold(language.replies[key].rstrip('.')))}\b", fold(text)):
                return truth
    return None


# Names ----------------------------------------------------------------------------------------------------


def _named(expected: Expected, answer: Answer, text: str, pack: Pack) -> list[_Mention]:
    """Return the things that a text names, each by the longest name that is known."""
    names: _Names = {}
    for iri in expected.supports.aggregated:
        local = re.sub(r"[_-]", " ", unquote(re.split(r"[/#]", iri.rstrip("/#"))[-1]))
        _add(names, [local], frozenset(), other=True)
    for value in (value for row in answer.rows for value in row if value is not None):
        _add(names, [value.label], frozenset(), other=False)
    _add(names, [one.title for one in answer.citations if one.things], frozenset(), other=False)
    for position, one in enumerate(expected.values):
        if isinstance(one.value, str):
            _add(names, [one.value, *one.accept], frozenset([position]), other=False)
    asked = f" {_key(expected.asked)} "
    known = {name for name in names if f" {' '.join(name)} " in asked}
    before = (name for one in expected.before if isinstance(one.value, str) for name in (one.value, *one.accept))
    known |= {tuple(_words(name)) for name in before}
    found: list[_Mention] = []
    words = list(_WORD.finditer(text))
    folded = [fold(word[0]) for word in words]
    inside, last, group = bracketed(text), 0, -1
    for at, end, (golds, other) in Phrases(names.items()).apart(folded):
        name, start = tuple(folded[at:end]), words[at].start()
        group += not (found and joined(text[last:start], pack))
        last = words[end - 1].end()
        found.append(_Mention(start, " ".join(name), golds, group, name in known, other and not inside[start]))
    return found


def _add(names: _Names, given: Iterable[str], golds: frozenset[int], *, other: bool) -> None:
    for text in given:
        words = tuple(_words(text))
        for name in (words, words[1:]):
            if not name or (name is not words and len(name) < 2):
                continue
            before, was_other = names.get(name, (frozenset[int](), False))
            names[name] = (before | golds, (other or was_other) and not (before | golds))


def _words(text: str) -> list[str]:
    return [fold(word) for word in _WORD.findall(text)]


# Amounts --------------------------------------------------------------------------------------------------


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
