"""The measure that is compared, from the words around a number or an adjective: 8000 metres high."""

from collections.abc import Iterable
from itertools import chain
from typing import Literal

from triad.language.normalize import fold
from triad.language.pack import Degree, Measures, Pack
from triad.language.quantities import Quantity, number_at
from triad.language.tokens import Sentence

Operator = Literal["<", "<=", ">", ">=", "="]


def degree_at(sentence: Sentence, at: int) -> tuple[Degree | None, int, bool]:
    """Return the comparative at a position, its end, and whether it asks for the greater value."""
    pack = sentence.pack
    for name in ("more", "less"):
        end = sentence.compare(name, at)
        found = pack.plain.longest(sentence.stems, end) if end is not None else None
        if found:
            return found[1], found[0], found[1].descending == (name == "more")
    found = None if is_measure(sentence, at) else pack.more.longest(sentence.stems, at)
    if found and (pack.plain.longest(sentence.stems, at) is None or sentence.folded[at].startswith(pack.comparatives)):
        return found[1], found[0], found[1].descending
    return None, at, True


def comparative_at(sentence: Sentence, at: int) -> tuple[Degree | None, int, bool] | None:
    """Return the same for a comparative that may be a mere "more" or "less"; None if there is none."""
    degree, end, greater = degree_at(sentence, at)
    if degree is not None:
        return degree, end, greater
    ends = ((sentence.compare(name, at), name == "more") for name in ("more", "less"))
    return next(((None, end, greater) for end, greater in ends if end is not None), None)


def is_measure(sentence: Sentence, at: int) -> bool:
    """Return whether a word with the stem of an adjective is a noun: Länge, which is not länger, and Höhe, not hohe."""
    pack = sentence.pack
    if not pack.data.capital_nouns or at >= len(sentence):
        return False
    own = pack.lower(sentence.words[at].text)
    noun = sentence.words[at].text[0].isupper() or own != fold(own)
    return noun and own in map(pack.lower, pack.data.measures)


def measures_of(sentence: Sentence, start: int, quantity: Quantity) -> tuple[Measures, int]:
    """Return what a number measures, by the words around it, and where the words after it end."""
    pack, end = sentence.pack, quantity.end
    after = sentence.skip_empty(end, 2) if quantity.unit else end
    if adjective := pack.plain.longest(sentence.stems, after):
        return preferring(adjective[1].measures, sentence, quantity.unit), adjective[0]
    if noun := pack.measures.longest(sentence.stems, after):
        return sentence.names(after, noun[0]), noun[0]
    if before := measure_before(sentence, start):
        return before, end
    if quantity.unit:
        return preferring((), sentence, quantity.unit), end
    after = sentence.skip_empty(end, 2)
    if not sentence.content(after) or not sentence.free(after) or number_at(sentence, after) is not None:
        return (), end
    apart = any(sentence.form("boolean", at) for at in range(end, after))  # singers over 40 are from …
    named = after > end and sentence.words[after].text[0].isupper() and not pack.data.capital_nouns  # over 40 in France
    return ((), end) if apart or named else (sentence.names(after, after + 1), after + 1)


def measure_before(sentence: Sentence, start: int, own: Measures = ()) -> Measures:
    """Return the quantity that is named before a comparison: with a depth under …, costs more than ….

    What an adjective measures (``own``) counts, too, behind a noun that may be none: students are older than 40.
    """
    most = 1 if own else None
    for first in range(max(0, start - 4), start):
        noun = sentence.pack.measures.longest(sentence.stems, first)
        if noun and noun[0] <= start and all(sentence.words[at].empty for at in range(noun[0], start)):
            sentence.use(first, noun[0])
            return (*sentence.names(first, noun[0])[:most], *own)
    if start >= 2 and sentence.content(start - 1):
        for opener in range(max(0, start - 4), start - 1):
            end = sentence.compare("having", opener)
            if end is not None and all(sentence.words[at].empty for at in range(end, start - 1)):
                return (*sentence.names(start - 1, start)[:most], *own)
    return own


def preferring(measures: Measures, sentence: Sentence, unit: str | None) -> Measures:
    """Return measures with those first that fit a unit: "longer than 3 hours" is about durations."""
    pack = sentence.pack
    fitting = pack.dimensions.get(pack.units.get(unit or "", ("", 1.0))[0].partition(" ")[0], ())
    return fitting if not measures else tuple(dict.fromkeys(chain((m for m in measures if m in fitting), measures)))


def noun_end(sentence: Sentence, at: int) -> int:
    """Return the end of the longest phrase at a position that the pack knows as the name of something."""
    noun = sentence.pack.measures.longest(sentence.stems, at) or sentence.pack.ways.longest(sentence.stems, at)
    return noun[0] if noun and sentence.content(noun[0] - 1) else at + 1


def suffix_at(sentence: Sentence, at: int) -> tuple[Operator, int] | None:
    """Return the operator and end of "or more", "or less" at a position."""
    signs: dict[str, Operator] = {"or_more": ">=", "or_less": "<="}
    for name, sign in signs.items():
        end = sentence.compare(name, at)
        second = end and (sentence.compare("than", end) or number_at(sentence, end))
        if end and not second:  # "above 200 or less than 190" and "before 1900 or after 1980" have two bounds
            return sign, end
    return None


def measures_alike(unit: str | None, units: Iterable[str], pack: Pack) -> bool | None:
    """Return whether a unit measures what one of the units of a graph does; None where that is not known."""
    english = pack.english
    known = [english.units.get(" ".join(english.stem_list(fold(one)))) for one in units]
    dimensions = {one[0] for one in known if one}
    return pack.units[unit][0] in dimensions if unit in pack.units and dimensions else None


def converted(value: float, unit: str | None, texts: Iterable[str], pack: Pack) -> float | None:
    """Return a value in the unit that one of some texts names, the most telling first; None if none has such a unit."""
    if unit not in pack.units:
        return None
    dimension, factor = pack.units[unit]
    for text in texts:
        # "square kilometres" is one unit and does not contain "kilometres"
        for _, _, other in pack.unit_phrases.apart(pack.stem_list(text)):
            of, per = pack.units[other]
            if of == dimension:
                return float(f"{value * factor / per:.10g}")  # 3.3 feet are no 1.0058399999999998 metres
    return None
