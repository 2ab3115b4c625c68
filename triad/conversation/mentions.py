"""What the words of a turn name: entities that the label index knows, found by one lookup, and relations.

Of entities, exact names count, the longest first, else the part of one name: what is found here decides whether a
question stands alone, and what later turns may point back to. Relations are compared by their spelling, as linking
does, and by what the words mean in their language: "released" is the release date, "largest" the area or population.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triad.caching import cached_property
from triad.language.analysis import analyse
from triad.language.glossary import Glossary
from triad.language.mentions import Place, parts_of_names, places
from triad.language.normalize import bare, fold
from triad.language.operators import Operator, find_order
from triad.language.pack import Measures, Pack, load_pack
from triad.language.similarity import Wording
from triad.language.tokens import Sentence
from triad.lexical.matching import Matcher
from triad.phases.context import Context
from triad.questions import Candidate, Kind
from triad.search.base import CLOSE, Lookup

FITTING: Final = 0.7
"""How well words must fit a relation to name it: a word that means the same, or is spelled nearly so, and no less."""
PARTLY: Final = 0.5
"""How well words must fit a part of its name, or hold what it measures: one word of two."""
_SHORT: Final = 4  # words for each word of a name that says but a part of it
_MEANT: Final = 0.97  # factor for words that mean a name, as against words that are spelled like it


@dataclass(frozen=True, slots=True)
class Name:
    """A name in a question."""

    text: str
    start: int
    end: int
    thing: Candidate
    sure: bool = True
    """False for a name in small letters, which may be meant as a plain word, and for a part of one."""


def names_in(context: Context, text: str, pack: Pack, *, whole: bool = False) -> list[Name]:
    """Return the names of entities in a text, from left to right; ``whole`` leaves out parts of names."""
    found = _found(context, text, pack, sure=True) or ([] if whole else _part(context, text, pack))
    return found or _found(context, text, pack, sure=False)


def _part(context: Context, text: str, pack: Pack) -> list[Name]:
    """Return the name of which a short text has but a part: no title, or no first name."""
    spans = places(text, pack, capitals=True)[:1]
    if not spans or len(bare(text).split()) - 1 > _SHORT * len(text[slice(*spans[0])].split()):
        return []
    [near] = context.search([Lookup(text[slice(*spans[0])], ("entity",), 3)])
    had = valued(context, text[slice(*spans[0])])  # the town that a school has in its name
    near = [one for one in near if not had or any(hop.relation in had for hop in context.schema.card(one.iri))]
    called = {one.label: one for one in near if one.kind == "entity" and "@" not in one.label}
    parts = parts_of_names(text, called, pack)
    return [Name(text[at:end], at, end, called[name], sure=False) for at, end, name in parts if (at, end) == spans[0]]


def valued(context: Context, text: str) -> set[str]:
    """Return the relations that have a text as a value."""
    [found] = context.search([Lookup(text, ("literal",), 3, exact=True)])
    return {one.iri for one in found if one.score >= CLOSE}


def _found(context: Context, text: str, pack: Pack, *, sure: bool) -> list[Name]:
    spans = places(text, pack, capitals=sure)
    found = _exact(context, text, [(span, text[slice(*span)]) for span in spans], sure=sure)
    if sure and pack.data.cases:  # Италии, which is Италия
        left = [span for span in spans if not any(span[0] < name.end and name.start < span[1] for name in found)]
        forms = [(span, form) for span in left for form in pack.nominatives(text[slice(*span)])]
        found += _exact(context, text, forms, sure=sure)
    return sorted(found, key=lambda name: name.start)


def _exact(context: Context, text: str, forms: Sequence[tuple[Place, str]], *, sure: bool) -> list[Name]:
    """Return the names that are at some places of a text in some form, none over another; the first ones win."""
    lookups = [Lookup(form, ("entity",), 3, exact=True) for _, form in forms]
    found: list[Name] = []
    for ((start, end), _), candidates in zip(forms, context.search(lookups) if lookups else (), strict=True):
        exact = next((one for one in candidates if one.score >= CLOSE and one.kind == "entity"), None)
        if exact and not any(start < name.end and name.start < end for name in found):
            found.append(Name(text[start:end], start, end, exact, sure))
    return found


def names_class(context: Context, text: str, pack: Pack, *others: Kind) -> bool:
    """Return whether a word of a text, or two of them, name a class, or something of another kind."""
    words = bare(text).split()
    telling = [word for word in words if not pack.is_idle(word)]
    pairs = [f"{one} {other}" for one, other in itertools.pairwise(words) if {one, other} <= set(telling)]
    found = context.search([Lookup(span, ("class", *others), 3, exact=True) for span in (*telling, *pairs)])
    return any(one.score >= CLOSE for items in found for one in items)


def known_in(text: str, known: Mapping[str, Candidate]) -> dict[str, Candidate]:
    """Return the names that a text has in it, with what they stand for."""
    folded = f" {fold(text)} "
    return {name: thing for name, thing in known.items() if f" {fold(name)} " in folded}


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
