"""Label similarity: one measure for the label indexes, relation linking and the vocabulary of the prompts.

Names that are equal once folded have a similarity of 1, singular and plural of one name 0.97, all others at most
`SIMILAR`.

>>> wording = Wording("Birth_Place")
>>> wording.fit("birth place"), wording.fit("birth places"), round(wording.fit("place of birth"), 2)
(1.0, 0.97, 0.79)
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from rapidfuzz import fuzz

from triad.language.normalize import fold, local_name, other_numbers

__all__ = ["OTHER_NUMBER", "SIMILAR", "Wording", "is_typo"]

OTHER_NUMBER: Final = 0.97
"""The fit of a name in the other number."""
SIMILAR: Final = 0.92
"""The best fit of a name that is merely similar."""
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
            ratio = max(
                ratio,
                0.98 * fuzz.token_sort_ratio(self.folded, name),
                0.6 * fuzz.token_set_ratio(self.folded, name) + 0.4 * ratio,
            )
        return SIMILAR * ratio / 100

    def similarity(self, label: str, iri: str = "") -> float:
        """Return the similarity of a relation's better name: its label, or the local name of its IRI."""
        return max(map(self.fit_folded, _names(label, iri)))


def is_typo(one: str, other: str) -> bool:
    """Return whether two words differ by a typo."""
    return one[:1] == other[:1] and fuzz.ratio(one, other, score_cutoff=_TYPO) > 0


@lru_cache(maxsize=8_192)
def _names(label: str, iri: str) -> frozenset[str]:
    """Return the folded names of a relation; a graph has few relations, which occur in every question."""
    return frozenset({fold(label), fold(local_name(iri))} if iri else {fold(label)})
