"""Matching: how well the words of a question name a relation or a class, and which words do.

A name matches by its words: each counts if the question has it or a synonym of it. A word that the question has both as
itself and as a synonym counts once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from triad.grouping import grouped
from triad.language.analysis import Analysis, Sense
from triad.language.glossary import Glossary
from triad.language.normalize import local_name
from triad.language.pack import Pack
from triad.language.similarity import is_typo

LEAST_FIT: Final = 0.35
"""The least fit of a relation by which things are compared, or whose dates begin or end something."""
TYPO_LENGTH: Final = 5
"""Characters of a stem from which on typos are looked for."""
_INNER: Final = frozenset("of in for by with at from".split())


@dataclass(frozen=True, slots=True)
class Match:
    """How well words name something."""

    fit: float
    """The share of the name's words that the question has, from 0 to 1."""
    positions: frozenset[int]
    """The words of the question that say so."""

    def __or__(self, other: Match) -> Match:
        return Match(max(self.fit, other.fit), self.positions | other.positions)


NOTHING: Final = Match(0.0, frozenset())


class Matcher:
    """Compares the words of one question with names, which are often English, and which words of users may add to."""

    def __init__(self, analysis: Analysis, pack: Pack, english: Pack, glossary: Glossary | None = None) -> None:
        self.pack = pack
        self._glossary = glossary or Glossary()
        self._empty = frozenset(at for at, word in enumerate(analysis.words) if word.empty)
        self._packs = (pack,) if pack is english else (pack, english)
        either = (one for one in analysis.senses if not one.turned)  # paths go both ways, whatever words say
        self._senses = grouped((stem, sense) for sense in either for stem in sense.stems)
        self._long = tuple(stem for stem in self._senses if len(stem) >= TYPO_LENGTH)
        self._beginning = grouped((stem[0], stem) for stem in self._long)  # by their first letter
        self._known: dict[tuple[str, ...], tuple[frozenset[str], ...]] = {}
        """For each name seen so far, the sets of its stems that share a word with the question."""

    def relation(self, label: str, iri: str, without: Iterable[int] = ()) -> Match:
        """Return how well the question names a relation, some words left out."""
        return self._match(self._names(label, iri), frozenset(without))

    def kind(self, label: str, without: Iterable[int] = ()) -> Match:
        """Return how well the question names a class: "populated" alone does not name "populated place"."""
        left = frozenset(without)
        match = self._match((label,), left, nominal=True)
        head = _head(label) if match.fit < 1 and self.pack.data.head_last else label
        return match if head == label or self._match((head,), left, nominal=True).positions else NOTHING

    def measure(self, label: str, iri: str, measures: Iterable[frozenset[str]]) -> float:
        """Return how well a relation fits what a superlative or a comparison measures, from 0 to 1."""
        best = 0.0
        for stems in _stems(self._names(label, iri), self._packs):
            for rank, measure in enumerate(measures):
                if measure and measure <= stems:
                    best = max(best, (0.5 + 0.5 * len(measure) / len(stems)) * (1 - 0.04 * rank))
        return best

    def _names(self, label: str, iri: str) -> tuple[str, ...]:
        return (label, local_name(iri), *self._glossary.phrases(iri))

    def _match(self, names: tuple[str, ...], without: frozenset[int], *, nominal: bool = False) -> Match:
        best = NOTHING
        if names not in self._known:
            found = (stems for stems in _stems(names, self._packs) if any(map(self._close, stems)))
            self._known[names] = tuple(found)
        for stems in self._known[names]:
            match = self._of_stems(stems, without, nominal)
            if (match.fit, len(match.positions)) > (best.fit, len(best.positions)):
                best = match
        return best

    def _of_stems(self, stems: frozenset[str], without: frozenset[int], nominal: bool) -> Match:
        total = 0.0
        positions: set[int] = set()
        for stem in stems:
            best, where = 0.0, range(0)
            for sense in self._close(stem):
                place = range(sense.start, sense.end)
                if nominal and sense.start in self._empty:
                    continue  # "where" and "in which country" ask for a place and name none
                if sense.weight > best and sense.stems <= stems and without.isdisjoint(place):
                    best, where = sense.weight, place
            total += best
            positions.update(where)
        return Match(total / len(stems), frozenset(positions)) if positions else NOTHING

    def _close(self, stem: str) -> list[Sense]:
        if stem not in self._senses:
            self._senses[stem] = list(self._mistyped(stem)) if len(stem) >= TYPO_LENGTH else []
        return self._senses[stem]

    def _mistyped(self, stem: str) -> Iterator[Sense]:
        # Typos have the first letter in common, so few stems need a closer look.
        for other in self._long if stem.endswith(self._long) else self._beginning.get(stem[0], ()):
            # Names of relations are often words written together: borderingstates.
            part = len(stem) > len(other) + 1 and (stem.startswith(other) or stem.endswith(other))
            if part or is_typo(stem, other):
                for sense in self._senses[other]:
                    if len(sense.stems) == 1:
                        yield Sense(sense.start, sense.end, frozenset([stem]), 0.8 * sense.weight)


@lru_cache(maxsize=50_000)
def _head(name: str) -> str:
    """Return the head word of a name: the last one before "of", "in" and the like."""
    words = name.split()
    inner = next((at for at, word in enumerate(words) if at and word.lower() in _INNER), len(words))
    return words[inner - 1] if words else name


@lru_cache(maxsize=50_000)
def _stems(names: tuple[str, ...], packs: tuple[Pack, ...]) -> tuple[frozenset[str], ...]:
    """Return the sets of stems that names have in some languages, each once."""
    return tuple(dict.fromkeys(stems for name in names for pack in packs if (stems := pack.stems(name))))
