"""What comes again: months, days of the week and times of day, by the names of the Unicode CLDR.

They are written as ISO 8601 writes dates without the part that is left open: ``--10`` for October of any year,
``--10-04`` for a day of it, ``-W-5`` for Fridays, ``T09:30`` for a time.

>>> from triad.language.pack import load_pack
>>> texts = "October", "4th of May", "Fridays", "9 am", "half past nine", "7:30 in the evening", "noon"
>>> [recurring_at(Sentence(text, load_pack("en")), 0).date for text in texts]
['--10', '--05-04', '-W-5', 'T09:00', 'T09:30', 'T19:30', 'T12:00']
>>> recurring_at(Sentence("halb zehn Uhr abends", load_pack("de")), 0).date
'T21:30'
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from babel import Locale

from triad.language.normalize import fold
from triad.language.pack import Pack
from triad.language.quantities import Quantity, after, date_at
from triad.language.tokens import Sentence

_NOON: Final = 12
_DAY: Final = 24


def is_recurring(date: str | None) -> bool:
    """Return whether a part of a date is left open."""
    return bool(date) and str(date)[0] in "-T"


def moment_at(sentence: Sentence, start: int) -> Quantity | None:
    """Return the date, or the time of day, that begins at a position."""
    return date_at(sentence, start) or _time(sentence, start)


def recurring_at(sentence: Sentence, start: int) -> Quantity | None:
    """Return what comes again, and begins at a position after such words as "in", "on", "at", "before"."""
    if start >= len(sentence):
        return None
    if day := next((at for one in _forms(sentence, start) if (at := _weekdays(sentence.pack).get(one))), 0):
        return Quantity(start + 1, date=f"-W-{day}")
    return _time(sentence, start, sure=False) or date_at(sentence, start, yearless=True)


def names_time(text: str, pack: Pack) -> str:
    """Return the time of day, the day of the week or the month that a text is, as it is written here; or nothing."""
    sentence = Sentence(text, pack)
    found = recurring_at(sentence, 0)
    return (found.date or "") if found is not None and found.end == len(sentence) else ""


def _forms(sentence: Sentence, at: int) -> Iterator[str]:
    """Yield a word without the endings that the names of days may have: Fridays, freitags, пятницу."""
    for word in (sentence.words[at].text, *sentence.pack.nominatives(sentence.words[at].text)):
        yield fold(word)
        yield fold(word).removesuffix("s")


@cache
def _weekdays(pack: Pack) -> dict[str, int]:
    return {fold(name): at + 1 for at, name in Locale(pack.language).days["format"]["wide"].items()}


# Times of day ---------------------------------------------------------------------------------------------


def _time(sentence: Sentence, start: int, *, sure: bool = True) -> Quantity | None:
    """Return the time of day that begins at a position; if `sure`, not what may be a duration: neuf heures."""
    if start >= len(sentence):
        return None
    pack, word = sentence.pack, sentence.words[start]
    if (at := _periods(pack).get(_plain(word.text))) and at[0] == at[1]:
        return Quantity(start + 1, date=f"T{at[0]:02}:00")
    if (match := _clock(pack).match(sentence.text, word.start)) is None:
        return None
    said, period, end = match["said"] or match["clock"], match["period"] or "", after(sentence, match.end())
    shift = _shifts(pack).get(_plain(match["near"] or match["then"]), 0)
    marked = period or (said and not (sure and pack.stem(said) in pack.units))
    marked = marked or (not sure and (shift or match["sign"] == "h"))
    if not marked and (match["sign"] != ":" or pack.unit_phrases.longest(sentence.stems, end)):  # 2:30 hours
        return None
    hour = int(match["hour"]) if match["hour"].isdecimal() else pack.number_words[pack.key(match["hour"])]
    first, last = _periods(pack).get(_plain(period), (0, _DAY))
    if hour == _NOON and first < _NOON >= last:
        hour = 0  # 12 am
    elif hour < first and hour < _NOON:
        hour += _NOON
    minutes = (60 * hour + int(match["minute"] or 0) + shift) % (60 * _DAY)
    return Quantity(end, date=f"T{minutes // 60:02}:{minutes % 60:02}")


@cache
def _clock(pack: Pack) -> re.Pattern[str]:
    """Return the pattern of a time of day."""
    data = pack.data.numbers
    hours, said = _either(word for word, value in data.words.items() if 0 < value <= _DAY), _either(data.clock)
    return re.compile(
        rf"(?:(?P<near>{_either(data.shifts)})\s+)?(?:(?P<said>{said})\s+)?(?P<hour>\d{{1,2}}|{hours})"
        rf"(?:(?P<sign>[:.h])(?P<minute>[0-5]\d)(?::[0-5]\d)?(?!\d))?(?:\s*(?P<clock>{said})(?!\w))?"
        rf"(?:\s+(?P<then>{_either(data.shifts)})(?!\w))?(?:\s*(?P<period>{_either(_periods(pack))})(?!\w))?(?!\w)",
        re.IGNORECASE,
    )


def _either(phrases: Iterable[str]) -> str:
    """Return a pattern of any of some phrases, whose points and spaces may be left out: am, a.m."""
    parts = sorted((re.findall(r"\w+", one) for one in phrases), key=lambda one: -len("".join(one)))
    return "|".join(r"\W{0,2}".join(one) + r"\.?" for one in parts) or "(?!)"


def _plain(phrase: str | None) -> str:
    return "".join(re.findall(r"\w", (phrase or "").lower()))


@cache
def _shifts(pack: Pack) -> dict[str, int]:
    """Return the minutes that words add to an hour: half past."""
    return {_plain(phrase): minutes for phrase, minutes in pack.data.numbers.shifts.items()}


@cache
def _periods(pack: Pack) -> dict[str, tuple[int, int]]:
    """Return the first hour of the parts of a day, and the one after the last, by their names."""
    locale = Locale(pack.language)
    hours = {"am": (0, _NOON), "pm": (_NOON, _DAY)}
    for name, [rule] in locale.day_period_rules.get(None, {}).items():
        start, end = (rule.get(edge, rule.get("at", 0)) // 3600 for edge in ("from", "before"))
        hours[name] = start, end
    widths = locale.day_periods["format"]
    found = {"a.m.": hours["am"], "p.m.": hours["pm"]}
    for width in ("abbreviated", "wide"):
        found |= {word: hours[name] for name, word in widths[width].items() if name in hours}
    return found | {_plain(word): within for word, within in found.items()}
