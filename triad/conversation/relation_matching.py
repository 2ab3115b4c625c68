"""Relation matching in a conversation: which relation words name, and which one a superlative compares by.

Relations are compared by their spelling, as linking does, and by what the words mean in their language: "released" is
the release date, "largest" the area or the population. Nothing here asks the graph.
"""

from typing import Final

from triad.caching import cached_property
from triad.language.analysis import analyse
from triad.language.glossary import Glossary
from triad.language.normalize import fold
from triad.language.operators import Operator, find_order
from triad.language.pack import Measures, load_pack
from triad.language.similarity import Wording
from triad.language.tokens import Sentence
from triad.lexical.matching import Matcher

FITTING: Final = 0.7
"""How well words must fit a relation to name it: a word that means the same, or is spelled nearly so, and no less."""
PARTLY: Final = 0.5
"""How well words must fit a part of its name, or hold what it measures: one word of two."""
_MEANT: Final = 0.97  # factor for words that mean a name, as against words that are spelled like it


class RelationWords:
    """Words of a question or of a follow-up, compared with the names of relations; words of users are further names."""

    def __init__(self, text: str, language: str, glossary: Glossary | None = None) -> None:
        self._text = text
        self._pack = load_pack(language)
        self._spelling = Wording(text)
        self._glossary = glossary

    @cached_property
    def _meaning(self) -> Matcher:
        return Matcher(analyse(self._text, self._pack), self._pack, load_pack("en"), glossary=self._glossary)

    @cached_property
    def _sentence(self) -> Sentence:
        return Sentence(self._text, self._pack)

    @cached_property
    def order(self) -> Operator | None:
        """The superlative among the words, or the comparative by which one of several is chosen."""
        return find_order(self._sentence, either=True)

    def names(self, label: str, iri: str) -> float:
        """Return how well words among these name a relation, from 0 to 1."""
        verbatim = f" {fold(label)} " in f" {fold(self._text)} "
        return 1.0 if verbatim else self._meaning.relation(label, iri).fit

    def fits(self, label: str, iri: str) -> float:
        """Return how well the words as a whole are the name of a relation, from 0 to 1."""
        match = self._meaning.relation(label, iri)
        contents = {at for at in range(len(self._sentence)) if self._sentence.content(at)}
        covered = len(contents & match.positions) / len(contents) if contents else 0.0
        return max(self._spelling.similarity(label, iri), _MEANT * match.fit * covered)

    def measures(self, label: str, iri: str) -> float:
        """Return how well a relation holds what the superlative compares by, from 0 to 1."""
        return self.holds(label, iri, self.order.measures) if self.order else 0.0

    def holds(self, label: str, iri: str, measures: Measures) -> float:
        """Return how well a relation holds what is measured, from 0 to 1."""
        return self._meaning.measure(label, iri, measures)
