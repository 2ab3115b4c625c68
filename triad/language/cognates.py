"""Cognates: words of several languages that come from one word, and are spelt alike.

Languages of Europe share thousands of learned words, whose endings correspond: *-ción*, *-tion*, *-zione*; *-dad*,
*-té*, *-ität*, *-ity*. Words are compared by what is left where such endings and spellings are made equal.

>>> are_cognates("producto", "product"), are_cognates("Kapazität", "capacity"), are_cognates("allergiques", "allergic")
(True, True, True)
>>> are_cognates("actor", "factor"), are_cognates("Produkt", "producer"), are_cognates("gift", "Gift")
(False, False, False)
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rapidfuzz.distance import Hamming

from triad.language.normalize import fold

__all__ = ["are_cognates"]

_SHORTEST: Final = 5  # letters of words that are compared
_LONG: Final = 7  # letters of what is left from which on one may be another

_SPELLINGS: Final = tuple(
    (re.compile(pattern), spelling)
    for pattern, spelling in (
        (r"ph", "f"),
        (r"th", "t"),
        (r"rh", "r"),
        (r"y", "i"),
        (r"ck?|qu|k", "c"),
        (r"w", "v"),
        (r"(.)\1", r"\1"),
    )
)
"""What is spelt in several ways."""
_ENDINGS: Final = tuple(
    (re.compile(f"(?:{pattern})$"), ending)
    for pattern, ending in (
        (r"ciones|cion|cao|coes|zione|zioni|tions?|tie|ties|tionen", "tion"),
        (r"dades?|ites?|ita|itaten|itat|iteit|ities|iti", "iti"),
        (r"ancias?|encias?|anzas?|enzas?|anz|enz|ances?|ences?|antie|entie|anci|enci", "ence"),
        (r"iques?|isch(?:e[nmrs]?)?|ic[oa]s?|ical|iec|iec|ics?", "ic"),
        (r"ismos?|ismes?|ismus|ismen|isms?", "ism"),
        (r"istas?|istes?|isten?|isti|ists?", "ist"),
        (r"if|ives?|iv[oa]s?|iv|ief", "iv"),
        (r"eurs?|ores?|ors?|oren|euren", "or"),
        (r"arios?|arias?|aires?|ari|ariers?", "ari"),
        (r"os[oa]s?|eux|euses?|ous", "ous"),
        (r"ias?|ies?|ios?|ien|ium|is?", "i"),
        (r"[aeo]s?|en|s", ""),
    )
)
"""Endings that correspond; the first that fits counts."""


def are_cognates(one: str, other: str) -> bool:
    """Return whether two words of different languages are most likely one word."""
    first, second = _skeleton(fold(one)), _skeleton(fold(other))
    if not first or not second or first[0] != second[0]:
        return False
    if first == second:
        return True
    return len(first) == len(second) >= _LONG and Hamming.distance(first, second) == 1


@lru_cache(maxsize=1 << 14)
def _skeleton(word: str) -> str:
    """Return a word with one spelling and one ending for each that corresponds; nothing for a short word."""
    if len(word) < _SHORTEST or not word.isalpha() or not word.isascii():
        return ""
    for pattern, spelling in _SPELLINGS:
        word = pattern.sub(spelling, word)
    for pattern, ending in _ENDINGS:
        shorter, found = pattern.subn(ending, word, count=1)
        if found:
            return shorter
    return word
