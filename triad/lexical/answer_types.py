"""Answer types: the classes of entities that the question names or asks for.

"Which films" names a class; "who" asks for persons or organisations without naming any. The names of a class and of the
classes above it tell what it is.
"""

from collections.abc import Iterable
from functools import cache
from typing import Final

from triad.kg.schema import Schema
from triad.language.pack import Expected
from triad.lexical.matching import NOTHING, Match, Matcher
from triad.rdf import Literal, Term, kind_of

_NAMES: Final[dict[Expected, frozenset[str]]] = {
    "person": frozenset("person people human employee artist agent character".split()),
    "organisation": frozenset("organisation organization company agent institution band team".split()),
    "place": frozenset("place location city country region state settlement address department continent".split()),
}
"""What the classes of persons, organisations and places are called in graphs, in English as most of their terms are."""
_ABOVE: Final = 10  # classes above a class that are looked for; enough to meet a person or a place


class AnswerTypes:
    """Compares classes with what the question word of one question asks for."""

    def __init__(self, schema: Schema, matcher: Matcher, expected: frozenset[Expected]) -> None:
        self._schema = schema
        self._matcher = matcher
        self._expected = expected
        self.above = cache(self._above)
        """Returns the classes above a class, the nearest first; in a cycle of classes, itself is one of them."""
        self._names_said = cache(self._said)
        self._kinds_of = cache(self._kinds)

    def named(self, classes: Iterable[str], without: frozenset[int]) -> Match:
        """Return how well the question names one of some classes or of those right above them, some words left out.

        Raises:
            GraphError: The graph failed.
        """
        best = NOTHING
        for place, iri in enumerate(classes):
            for rank, name in self._names_said(iri):
                match = self._matcher.kind(name, without)
                # The most frequent class is the best; each further one tells less about the entities.
                fit = match.fit * (0.8 if rank else 1.0) * (0.8 if place else 1.0)
                if fit > best.fit:
                    best = Match(fit, match.positions)
        return best

    def fits(self, sample: Term, classes: Iterable[str]) -> float:
        """Return how well a value, and the classes of values like it, fit what the question word asks for.

        From 0 to 1; 0.5 where it does not say.

        Raises:
            GraphError: The graph failed.
        """
        if not self._expected:
            return 0.5
        if isinstance(sample, Literal):
            return float(kind_of(sample) in self._expected)
        if kinds := self._kinds_of(tuple(classes)):
            return float(bool(kinds & self._expected))
        # Entities of a class with another name may be persons or places all the same, but are no number or date.
        return 0.3 if _NAMES.keys() & self._expected else 0.0

    def _said(self, iri: str) -> list[tuple[int, str]]:
        names = self._schema.labels([iri, *self._schema.superclasses(iri)]).values()
        return [(rank, name) for rank, name in enumerate(names) if self._matcher.kind(name).positions]

    def _kinds(self, classes: tuple[str, ...]) -> frozenset[str]:
        names = [name for iri in classes for name in self._schema.labels([iri, *self.above(iri)]).values()]
        words = {word for name in names for word in name.lower().split()}
        return frozenset(kind for kind, known in _NAMES.items() if not known.isdisjoint(words))

    def _above(self, iri: str) -> tuple[str, ...]:
        seen: dict[str, None] = {}
        frontier = [iri]
        while frontier and len(seen) < _ABOVE:
            frontier = [up for name in frontier for up in self._schema.superclasses(name) if up not in seen]
            seen |= dict.fromkeys(frontier)
        return tuple(seen)
