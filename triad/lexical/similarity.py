"""Similarity by vectors: meanings of words that no pack has.

Each run of a few words of the question is compared with the names of all relations that lead on from where the walk is.
An embedder is less reliable than a pack. So words that name one of these relations are not compared, other words may
mean the few most similar relations, and such a match weighs less than a synonym.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triad.embedding.vectors import Vectors
from triad.errors import ModelError
from triad.language.analysis import Analysis
from triad.log import logger

__all__ = ["Likeness", "Similar"]

_LONGEST: Final = 4
"""Words that are compared with a name together."""
_ALIKE: Final = 0.5
"""The least cosine at which words may mean a name."""
_LEAST, _MOST = 0.3, 0.65
"""Weights of a cosine of `_ALIKE` and of 1."""
_NAMES: Final = 3
"""Names that the same words may mean."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Words that may mean a name."""

    weight: float
    """How certain that is, from 0 to 1."""
    positions: frozenset[int]
    """The words' positions, function words between them included."""


class Similar:
    """Compares the words of one question with names, by their vectors.

    Args:
        reading: The question.
        vectors: Vectors of texts.
    """

    def __init__(self, analysis: Analysis, vectors: Vectors) -> None:
        self._vectors = vectors
        spans = dict(_spans(analysis))
        self._texts = list(spans.values())
        self._places = [frozenset(range(*span)) for span in spans]
        self._cosines: dict[str, list[float]] = {}
        """For each name seen so far, its cosine with each run of words."""

    def among(self, names: Sequence[str], without: frozenset[int]) -> Mapping[str, Likeness]:
        """Return the names that words may mean, each with its most likely words; some words are left out."""
        names = list(dict.fromkeys(names))
        if not self._texts or not names or not self._compared(names):
            return {}
        found: dict[str, Likeness] = {}
        for at, place in enumerate(self._places):
            if not place.isdisjoint(without):
                continue
            alike = [(cosine, name) for name in names if (cosine := self._cosines[name][at]) >= _ALIKE]
            for cosine, name in sorted(alike, reverse=True)[:_NAMES]:
                if name not in found or found[name].weight < _weight(cosine):
                    found[name] = Likeness(_weight(cosine), place)
        return found

    def _compared(self, names: Sequence[str]) -> bool:
        """Compare with the names that are new, in one call of the embedder; return whether it worked."""
        new = [name for name in names if name not in self._cosines]
        try:
            cosines = self._vectors.alike(new, self._texts).tolist() if new else []
        except ModelError as error:
            logger.warning("words are not compared by their meaning: {}", error)
            self._texts.clear()
            return False
        self._cosines |= zip(new, cosines, strict=True)
        return True


def _weight(cosine: float) -> float:
    return _LEAST + (_MOST - _LEAST) * (min(1.0, cosine) - _ALIKE) / (1 - _ALIKE)


def _spans(analysis: Analysis) -> Iterator[tuple[tuple[int, int], str]]:
    """Yield the runs of words that begin and end with one that may mean something, and their text."""
    words = analysis.words
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            formal = analysis.used.issuperset(range(start, end))
            if not words[start].empty and not words[end - 1].empty and not formal:
                yield (start, end), analysis.text[words[start].start : words[end - 1].end]
