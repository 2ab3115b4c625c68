"""StepLikeness of the words of a step and the name of a relation: what decides which relations a search follows.

An embedder compares meanings, where there is one. Names that resemble each other, synonyms of the language pack, and
English words that the lexical database relates, count in any case.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import Final

from triad.errors import ModelError
from triad.language.analysis import Analysis, analyse
from triad.language.lexical_database import relatedness
from triad.language.normalize import fold
from triad.language.pack import load_pack
from triad.language.similarity import Wording
from triad.log import logger
from triad.phases.context import Context

__all__ = ["StepLikeness"]

_RESEMBLES: Final = 0.75  # names that resemble each other less have letters in common, and no words
_BY_LETTERS: Final = 0.5  # what is left of such a resemblance
_BY_QUESTION: Final = 0.85  # what a likeness to words of the question counts, against one to the words of a step


class StepLikeness:
    """Compares relations with the words of one question and of the steps that shall answer it.

    Args:
        context: The question, and an embedder where there is one.
        meant: For words of steps, relations that they were linked to, with the scores of the links.
        without: Names in the question that are no relations.
    """

    def __init__(self, context: Context, meant: Mapping[str, Mapping[str, float]], without: Iterable[str] = ()) -> None:
        self._context = context
        self._meant = meant
        self._pack = load_pack(context.question.language)
        self._without = {word for name in without for word in fold(name).split()}
        self._known: dict[tuple[str, str], float] = {}
        self._senses: dict[str, Analysis] = {}
        self._asked: dict[str, float] = {}

    def compare(self, words: str, relations: Mapping[str, str], taken: Collection[str] = ()) -> dict[str, float]:
        """Return how alike the words of a step and relations are, from 0 to 1.

        Args:
            words: The words of a step.
            relations: The label of each relation, by IRI.
            taken: Relations that other steps have taken already: words of the question do not speak for them again.
        """
        new = {iri: label for iri, label in relations.items() if (words, iri) not in self._known}
        if new:
            meant = self._meant.get(words, {})
            by_meaning = self._cosines(words, list(new.values()))
            for iri, label in new.items():
                found = max(self._by_words(words, label, iri), by_meaning.get(label, 0.0), meant.get(iri, 0.0))
                self._known[words, iri] = 1.0 if iri in self._context.meaning(words) else found
        return {
            iri: max(self._known[words, iri], 0.0 if iri in taken else _BY_QUESTION * self._by_question(label, iri))
            for iri, label in relations.items()
        }

    def _cosines(self, words: str, labels: list[str]) -> dict[str, float]:
        if self._context.vectors is None or not words:
            return {}
        try:
            rows = self._context.vectors.alike(labels, [words]).tolist()
        except ModelError as error:
            logger.warning("steps are not compared by their meaning: {}", error)
            return {}
        return {label: max(0.0, row[0]) for label, row in zip(labels, rows, strict=True)}

    def _by_words(self, words: str, label: str, iri: str) -> float:
        if not words:
            return 0.0
        resembles = Wording(words).similarity(label, iri)
        found = resembles if resembles >= _RESEMBLES else _BY_LETTERS * resembles
        return max(found, self._related(words, label), self._synonym(words, label))

    def _by_question(self, label: str, iri: str) -> float:
        if iri not in self._asked:
            spans = max((self._by_words(span, label, iri) for span in self._spans), default=0.0)
            self._asked[iri] = spans if spans >= _RESEMBLES else _BY_LETTERS * spans
        return self._asked[iri]

    @cached_property
    def _spans(self) -> tuple[str, ...]:
        """Short runs of words of the question that may name a relation."""
        words = self._analysis(self._context.question.text).words
        text = self._context.question.text
        found: dict[str, None] = {}
        for start in range(len(words)):
            for end in range(start + 1, min(start + 3, len(words)) + 1):
                if words[start].empty or words[end - 1].empty:
                    continue
                span = text[words[start].start : words[end - 1].end]
                if not self._without.issuperset(fold(span).split()):
                    found[span] = None
        return tuple(found)

    def _related(self, words: str, label: str) -> float:
        return relatedness(words, label) if self._pack.language == "en" else 0.0

    def _synonym(self, words: str, label: str) -> float:
        """Return how well a synonym of the words, or of some of them, names a relation."""
        stems = self._pack.stems(label)
        if not stems:
            return 0.0
        found = (
            sense.weight * len(sense.stems) / len(stems)
            for sense in self._analysis(words).senses
            if sense.stems and sense.stems <= stems
        )
        return max(found, default=0.0)

    def _analysis(self, text: str) -> Analysis:
        if text not in self._senses:
            self._senses[text] = analyse(text, self._pack)
        return self._senses[text]
