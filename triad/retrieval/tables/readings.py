"""Numbers that texts hold: amounts with a unit, ranges, times and money, read out of the texts of one relation.

A text alone does not tell whether "1,090" is more than a thousand, nor whether "1.4" without a unit is kilograms or
grams. The other texts of the relation do: such a number is read so that it is about as large as theirs.

>>> [(one.low, one.high) for one in read_all(["60 - 130 km", "20–40 km", "1,250 m"]).values.values()]
[(60.0, 130.0), (20.0, 40.0), (1.25, 1.25)]
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from triad.language.pack import Pack, languages, load_pack
from triad.language.quantities import MONEY, money, unit_of, values_of

_LEAST: Final = 0.5  # the share of a relation's texts that must hold a number, for them to be read
_UNITS: Final = 0.02
"""The share of texts from which on a word behind numbers is a unit, if no pack of a language knows it."""

_NEAR: Final = math.log(3)
"""How much smaller than the smallest, or greater than the greatest, a number may be that is as large as others."""

_NUMBER: Final = r"[-+−]?\d+(?:[.,'’\u00a0\u202f]\d+| \d{3}(?!\d))*"
_UNIT: Final = r"[^\W\d_][\w./²³·*-]*(?: [^\W\d_][\w./²³-]*)?|[%°\"″'′](?:[CFK])?"
_TEXT: Final = re.compile(
    rf"\s*[~≈]?\s*(?P<before>{MONEY})?\s*(?P<low>\d+:\d\d(?::\d\d)?|{_NUMBER})\s*(?P<first>{MONEY}|{_UNIT})??"
    rf"(?:\s*(?P<dash>[-–—−]|\.\.+|…|[^\W\d_]{{1,4}})\s*(?P<again>{MONEY})?\s*(?P<high>\d+:\d\d|{_NUMBER}))?"
    rf"(?:[.,][-–—]{{1,2}})?\s*(?P<after>{MONEY}|{_UNIT})?\s*"
)
_PADDED: Final = re.compile(r"[-+]?0\d+$")


@dataclass(frozen=True, slots=True)
class AmountReading:
    """The number or the range that a text holds."""

    low: float
    high: float
    currency: str = ""
    """Its ISO code, if it is money."""


@dataclass(frozen=True, slots=True)
class AmountReadings:
    """The texts of a relation, read."""

    values: Mapping[str, AmountReading] = field(default_factory=dict)
    """What each text holds; those that hold no number are missing."""
    unit: str = ""
    """The unit that all numbers are in now, as most texts write it."""
    ranges: bool = False
    """Whether a text is a range."""
    currencies: tuple[str, ...] = ()
    """The currencies of money, the most frequent first."""
    unread: tuple[str, ...] = ()
    """Texts that hold no number."""
    bare: int = 0
    """Texts without a unit, where others have one."""


@dataclass(slots=True)
class _Raw:
    """A text taken apart."""

    numbers: tuple[tuple[float, ...], ...]  # for each number, the values that it may have
    unit: str = ""
    currency: str = ""
    padded: bool = False  # whether it is a code with leading zeros


def read_all(
    texts: Iterable[str],
    *,
    units: Mapping[str, str] | None = None,
    exact: Collection[str] = (),
    tags: Iterable[str] = (),
) -> AmountReadings:
    """Read the distinct texts of one relation.

    Args:
        texts: The texts.
        units: Units of texts that are told elsewhere, by the datatype.
        exact: Texts that are numbers as XML Schema writes them, and leave no doubt.
        tags: Tags of languages whose words for units are known, besides English.

    Returns:
        The readings; nothing if too few of the texts hold a number, or if one is a code with leading zeros.
    """
    codes = {tag.partition("-")[0].lower() for tag in tags} & set(languages())
    packs = tuple(load_pack(code) for code in dict.fromkeys(["en", *sorted(codes)]))
    given = list(dict.fromkeys(texts))
    to = frozenset(word.casefold() for pack in packs for word in pack.data.numbers.to)
    raw: dict[str, _Raw] = {}
    for text in given:
        if found := _exact(text) if text in exact else _apart(text, to):
            found.unit = found.unit or (units or {}).get(text, "")
            raw[text] = found
    raw = _with_known_units(raw, packs)
    if not raw or len(raw) < _LEAST * len(given) or any(one.padded for one in raw.values()):
        return AmountReadings()
    used = Counter(one.unit for one in raw.values() if one.unit)
    usual = used.most_common(1)[0][0] if used else ""
    factors = {unit: _factor(unit, usual, packs) for unit in used}
    raw = {text: one for text, one in raw.items() if factors.get(one.unit, 1.0) is not None}
    known = {unit: factor for unit, factor in factors.items() if factor is not None}
    sure = [  # the logarithms of the numbers that leave no doubt
        math.log(abs(ways[0]) * known.get(one.unit, 1.0))
        for one in raw.values()
        if one.unit or one.currency or not known
        for ways in one.numbers
        if len(ways) == 1 and ways[0]
    ]
    bounds = (min(sure), median(sure), max(sure)) if sure else None
    values = {text: _read(one, known, bounds) for text, one in raw.items()}
    if money := Counter(one.currency for one in raw.values() if one.currency):
        only = money.most_common(1)[0][0]
        values = {text: AmountReading(one.low, one.high, one.currency or only) for text, one in values.items()}
    return AmountReadings(
        values,
        usual,
        ranges=any(len(one.numbers) > 1 for one in raw.values()),
        currencies=tuple(code for code, _ in money.most_common()),
        unread=tuple(text for text in given if text not in values),
        bare=sum(1 for one in raw.values() if not one.unit and not one.currency) if used or money else 0,
    )


def _exact(text: str) -> _Raw | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return _Raw(((value,),)) if math.isfinite(value) else None


def _apart(text: str, to: frozenset[str]) -> _Raw | None:
    """Take a text apart; None if it does not hold a number or a range, and nothing else."""
    match = _TEXT.fullmatch(text) if len(text) <= 60 else None
    if not match:
        return None
    dash, high = match["dash"], match["high"]
    if high is not None and dash[0].isalpha() and dash.casefold() not in to:
        return None
    currency, unit = "", ""
    for part in (match["before"], match["first"], match["again"], match["after"]):
        if not part:
            continue
        if code := money(part):
            currency = code
        elif part is match["before"] or part is match["again"]:
            return None
        else:
            unit = part.rstrip(".")
    numbers = tuple(number for number in (match["low"], high) if number is not None)
    padded = not unit and not currency and any(_PADDED.match(number) for number in numbers)
    return _Raw(tuple(tuple(value for value, _ in values_of(one)) for one in numbers), unit, currency, padded)


def _with_known_units(raw: dict[str, _Raw], packs: tuple[Pack, ...]) -> dict[str, _Raw]:
    """Leave out numbers with words behind them that are no units: known to no pack, and rare or of one number only."""
    numbers: dict[str, set[object]] = {}
    for one in raw.values():
        numbers.setdefault(one.unit, set()).add(one.numbers)
    units = {
        unit: not unit or unit_of(unit, packs) is not None or len(found) >= max(2, _UNITS * len(raw))
        for unit, found in numbers.items()
    }
    if sum(1 for unit in units if unit) > 12:  # words, and not units
        units = {unit: not unit or unit_of(unit, packs) is not None for unit in units}
    return {text: one for text, one in raw.items() if units[one.unit]}


def _factor(unit: str, usual: str, packs: tuple[Pack, ...]) -> float | None:
    """Return the factor from one unit to another; None if they do not measure the same."""
    if unit.casefold() == usual.casefold():
        return 1.0
    own, other = unit_of(unit, packs), unit_of(usual, packs)
    if own is None or other is None or own.dimension != other.dimension or own.dimension == "temperature":
        return None
    return own.factor / other.factor


def _read(one: _Raw, factors: Mapping[str, float], bounds: tuple[float, float, float] | None) -> AmountReading:
    """Return the numbers of a text in the usual unit.

    Of a number's ways, the likeliest one holds that is about as large as the sure ones; of several units, the one that
    brings it closest to their middle. Known of the sure ones are the least, the middle and the greatest logarithm.
    """
    least, middle, greatest = bounds or (-math.inf, 0.0, math.inf)

    def fits(value: float) -> bool:
        return not value or least - _NEAR <= math.log(abs(value)) <= greatest + _NEAR

    def distance(value: float) -> float:
        return abs(math.log(abs(value)) - middle) if value and bounds else 0.0

    scales = [factors[one.unit]] if one.unit else sorted(set(factors.values()), key=lambda by: by != 1.0) or [1.0]
    found = []
    for ways in one.numbers:
        values = [[way * by for by in scales] for way in ways]
        found.append(min(next((scaled for scaled in values if any(map(fits, scaled))), values[0]), key=distance))
    return AmountReading(_plain(min(found)), _plain(max(found)), one.currency)


def _plain(value: float) -> float:
    """Return a number without the noise of a conversion."""
    return float(f"{value:.12g}")
