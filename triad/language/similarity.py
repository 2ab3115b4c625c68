"""Label similarity: one measure for the label indexes, relation linking and the vocabulary of the prompts.

Names that are equal once folded have a similarity of 1, singular and plural of one name 0.97, all others at most
`SIMILAR`.

>>> wording = Wording("Birth_Place")
>>> wording.fit("birth place"), wording.fit("birth places"), round(wording.fit("place of birth"), 2)
(1.0, 0.97, 0.79)
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA, Hamming

from triad.language.normalize import fold, local_name, other_numbers
from triad.resources import read
from triad.strict import load_yaml

OTHER_NUMBER: Final = 0.97
"""The fit of a name in the other number."""
SIMILAR: Final = 0.92
"""The best fit of a name that is merely similar."""
_PARTS: Final = re.compile(r"[^\W\d_]+|\d+")
_ABBREVIATED: Final = 2  # letters of an abbreviation
_TYPO: Final = 86.0  # the likeness of two words, of 100, from which on one is a typo of the other


class Wording:
    """A text that many names are compared with."""

    def __init__(self, text: str) -> None:
        self.folded = fold(text)
        self.words = frozenset(self.folded.split())
        self._numbers = other_numbers(self.folded)

    def fit(self, name: str) -> float:
        """Return how well a name fits, from 0 to 1."""
        return self.fit_folded(fold(name))

    def fit_folded(self, name: str) -> float:
        """Return how well a name fits that is folded already."""
        if name == self.folded:
            return 1.0
        if name in self._numbers:
            return OTHER_NUMBER
        ratio = fuzz.ratio(self.folded, name)
        if len(self.words) > 1 or " " in name:
            # Words in another order are nearly as good; words missing on one side cost by their share.
            shared = 0.6 * fuzz.token_set_ratio(self.folded, name) + 0.4 * ratio
            ratio = max(ratio, 0.98 * fuzz.token_sort_ratio(self.folded, name), shared)
        return SIMILAR * ratio / 100

    def similarity(self, label: str, iri: str = "") -> float:
        """Return the similarity of a relation's better name: its label, or the local name of its IRI."""
        return max(map(self.fit_folded, _names(label, iri)))


def is_typo(one: str, other: str) -> bool:
    """Return whether two words differ by a typo."""
    swapped = len(one) == len(other) and OSA.distance(one, other, score_cutoff=1) == 1 and sorted(one) == sorted(other)
    return one[:1] == other[:1] and (swapped or fuzz.ratio(one, other, score_cutoff=_TYPO) > 0)


def is_another(said: str, name: str, is_title: Callable[[str], bool]) -> bool:
    """Return whether a name shares words with what is said, but has another word or number in place of one of them.

    Titles, and letters that may be short for anything, tell nobody from others.

    >>> [is_another("Peter Dahl", name, lambda word: False) for name in ("Erik Dahl", "Petra Dahl", "P. Dahl", "Dahl")]
    [True, True, False, False]
    """
    here, there = (_PARTS.findall(fold(text)) for text in (said, name))

    def left(words: Sequence[str], others: Sequence[str]) -> list[str]:
        return [one for one in words if not any(_is_short_for(*sorted((one, two), key=len)) for two in others)]

    ours, theirs = left(here, there), left(there, here)
    telling = {one.isdigit() for one in ours if one.isdigit() or not (len(one) == 1 or is_title(one))}
    return len(ours) < len(here) and not telling.isdisjoint(map(str.isdigit, theirs))


def _is_short_for(short: str, word: str) -> bool:
    """Return whether a word is another one, misspelt or shortened: E for Erik, Mt for Mount."""
    if short.isdigit() or word.isdigit():
        return short == word
    ends = len(short) <= _ABBREVIATED and (short[0], short[-1]) == (word[0], word[-1])
    mistyped = is_typo(short, word) or (len(short) > _ABBREVIATED and OSA.distance(short, word, score_cutoff=1) <= 1)
    return word.startswith(short) or ends or mistyped


@lru_cache(maxsize=8_192)
def _names(label: str, iri: str) -> frozenset[str]:
    """Return the folded names of a relation; a graph has few relations, which occur in every question.

    A label that is one word may have several parts: targetValue.
    """
    names = [label, *([local_name(label)] if label.isalnum() else []), *([local_name(iri)] if iri else [])]
    return frozenset(map(fold, names))


# Cognates --------------------------------------------------------------------------------------------------

_SHORTEST: Final = 5  # letters of words that are compared
_LONG: Final = 7  # letters of what is left of them from which on one may be another

_COGNATES: Final = load_yaml(read(Path(__file__).with_name("words") / "cognates.yaml"), "cognates.yaml")
_SPELLINGS: Final = [(re.compile(pattern), spelling) for pattern, spelling in _COGNATES["spellings"].items()]
_ENDINGS: Final = [(re.compile(f"(?:{pattern})$"), ending) for pattern, ending in _COGNATES["endings"].items()]


def are_cognates(one: str, other: str) -> bool:
    """Return whether two words of different languages are most likely one word.

    Languages of Europe share thousands of learned words, whose endings correspond: *-ción*, *-tion*, *-zione*; *-dad*,
    *-té*, *-ität*, *-ity*. Words are compared by what is left where such endings and spellings are made equal.

    >>> are_cognates("producto", "product"), are_cognates("Kapazität", "capacity")
    (True, True)
    >>> are_cognates("actor", "factor"), are_cognates("Produkt", "producer"), are_cognates("gift", "Gift")
    (False, False, False)
    """
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
