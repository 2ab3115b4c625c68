"""Similarity: what words of a question may mean that no lexicon knows, by vectors of them and of the graph's names.

Each run of a few words of the question is compared with each name of a relation or class that the walk comes by. A
model of texts says how alike they are; it is less sure than a lexicon, and weighs less.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from loguru import logger

from triad.embedding.vectors import Vectors
from triad.errors import ModelError
from triad.lexical.reading import Reading

__all__ = ["Likeness", "Similar"]

_LONGEST: Final = 4
"""Words that are compared with a name together."""
THRESHOLD: Final = 0.5
"""Cosine from which on words may mean a name."""
_LEAST, _MOST = 0.3, 0.8
"""Weights of likenesses at the threshold and of 1."""
_KEPT: Final = 3
"""Runs of words that are kept for a name."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """Words that may mean a name."""

    weight: float
    positions: frozenset[int]
    """The words' positions, function words between them included."""


class Similar:
    """Compares the words of one question with names, by their vectors.

    Args:
        reading: The question.
        vectors: Vectors of texts.
    """

    def __init__(self, reading: Reading, vectors: Vectors) -> None:
        self._vectors = vectors
        self._spans = dict(_spans(reading))
        self._known: dict[str, tuple[Likeness, ...]] = {}

    def learn(self, names: Iterable[str]) -> None:
        """Compare with names, in one go those that were not compared with before."""
        new = [name for name in dict.fromkeys(names) if name not in self._known]
        if not new or not self._spans:
            return
        try:
            alike = self._vectors.alike(new, list(self._spans.values()))
        except ModelError as error:
            logger.warning("the question is answered without likenesses of words: {}", error)
            self._spans.clear()
            return
        places = [frozenset(range(*span)) for span in self._spans]
        for name, row in zip(new, alike.tolist(), strict=True):
            best = sorted(zip(row, places, strict=True), key=lambda pair: -pair[0])[:_KEPT]
            self._known[name] = tuple(Likeness(_weight(cosine), place) for cosine, place in best if cosine >= THRESHOLD)

    def of(self, name: str, without: frozenset[int]) -> Likeness | None:
        """Return the words that are most like a name, some words left out; names must be learned before."""
        return next((one for one in self._known.get(name, ()) if one.positions.isdisjoint(without)), None)


def _weight(cosine: float) -> float:
    return _LEAST + (_MOST - _LEAST) * (min(1.0, cosine) - THRESHOLD) / (1 - THRESHOLD)


def _spans(reading: Reading) -> Iterable[tuple[tuple[int, int], str]]:
    """Yield runs of words that begin and end with one that may name something, and their text."""
    words = reading.words
    for start in range(len(words)):
        if words[start].empty:
            continue
        for end in range(start + 1, min(start + _LONGEST, len(words)) + 1):
            if not words[end - 1].empty and not all(at in reading.used for at in range(start, end)):
                yield (start, end), reading.text[words[start].start : words[end - 1].end]
