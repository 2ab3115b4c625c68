"""What queries are made of: things, conditions on them, the greatest of them, columns; and the words that say so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal as Choice

from triad.lexical.composition.schema_graph import NO_CLASS, Link
from triad.rdf import IRI
from triad.sparql.patterns import ClassPattern, QueryTerm, Variable

SpanKind = Choice["class", "relation", "name", "thing", "text", "source", "part"]
"""What words stand for. A ``name`` asks for the names of things; a ``text`` is a value of a relation; a ``source`` is a
named graph; a ``part`` is a text that only the question gives."""

Part = Choice["", "whole", "within", "start", "end"]
"""Where in a value a text is that a question gives."""

NEARLY: Final = 0.9
"""The score of words that say a name in other words."""
INDIRECT: Final = 0.85
"""The score of words from which a name has to be guessed."""


@dataclass(frozen=True, slots=True)
class Span:
    """Words of the question, and what they may name."""

    kind: SpanKind
    start: int
    end: int
    iri: str
    """IRI of the class, relation or thing; of a text, the relation that has it."""
    score: float
    """How well the words name it, from 0 to 1."""
    text: str = ""
    """The text; of a thing, its name."""
    classes: tuple[str, ...] = ()
    """The classes of a thing."""
    exact: bool = True
    """False if the words are misspelt, synonyms, or only a part of the name."""
    inside: bool = False
    """True if the words are a part of a longer name that something has."""
    terms: tuple[IRI, ...] = ()
    """The things that the words may name."""
    defined: str = ""
    """Of a class, the IRI of the definition that its things meet."""
    kind_by: Link | None = None
    """Of a class, the step to ``terms``, of which its things are one kind: the ferries among the ships."""
    part: Part = ""
    """Of a part, where it is in the value; of a class, that those are meant whose names have the words of ``text``."""

    @property
    def positions(self) -> range:
        """The positions of the words."""
        return range(self.start, self.end)

    def overlaps(self, other: Span) -> bool:
        """Return whether two spans share a word."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class Thing:
    """A thing, or the things of a class, that a query speaks of."""

    id: int
    cls: str = NO_CLASS
    """IRI of its class, which may be unknown."""
    below: tuple[str, ...] = ()
    """IRIs of the classes below it that have instances of their own."""
    terms: tuple[IRI, ...] = ()
    """Where it is named: the things that it may be."""
    at: int = -1
    """Position of the words that name it; -1 if none do."""
    said: frozenset[int] = frozenset()
    """The positions of all words that name it, or the way to it."""
    parent: int | None = None
    """What it is reached from; None for the root."""
    way: tuple[Link, ...] = ()
    """The steps from its parent."""
    negated: bool = False
    """True if there must be no such thing."""
    typed: bool = False
    """True if its class has to be said in the query."""
    every: bool = False
    """True if each of its terms is wanted, not just one of them."""
    defined: str = ""
    """IRI of a definition that it meets."""
    differs: bool = False
    """True if it must not meet the definition, or must not be what is asked for: "but not Italy"."""
    without: tuple[str, ...] = ()
    """IRIs of classes that it must not be of: animals that are no cows."""

    @property
    def variable(self) -> Variable:
        """The variable that stands for it."""
        return Variable(f"v{self.id}")

    @property
    def class_pattern(self) -> ClassPattern:
        """The pattern that it is of its class, or of one below it."""
        return ClassPattern.of(self.term, (self.cls, *self.below), lambda: Variable(f"v{self.id}55"))

    @property
    def term(self) -> QueryTerm:
        """The thing itself if it is the only one, or its variable."""
        return self.terms[0] if len(self.terms) == 1 else self.variable


def reached_from(things: Sequence[Thing], *heads: int) -> set[int]:
    """Return the numbers of some of a query's things, and of those that are reached from them."""
    found = set(heads)
    while further := {one.id for one in things if one.parent in found} - found:
        found |= further
    return found


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition on a relation of a thing."""

    thing: int
    relation: str
    """IRI of the relation, whose values are literals; or empty if only ``counted`` is limited."""
    options: tuple[str, ...] = ()
    """Texts of which it must be one, whatever their case."""
    contained: tuple[str, ...] = ()
    """Texts that it must contain."""
    place: Choice["within", "start", "end"] = "within"
    """Where it must contain it."""
    negated: bool = False
    said: frozenset[int] = frozenset()
    counted: int | None = None
    """A thing below whose number is limited, in place of a value."""
    sign: str = ""
    bound: float = 0.0
    than: int | None = None
    """A thing whose value it is held against, by ``sign``."""
    choices: tuple[object, ...] = ()
    """Functions that make conditions from the value's variable, of which one must hold."""
    every: bool = False
    """True if each of the options or choices must hold, be it of different values."""
    shown: bool = False
    """True if the value that meets it is asked for."""
    above_average: bool | None = None
    """Whether the value is above the average of all such things, or below it."""
    against: str = ""
    """IRI of another relation of the thing whose value it is held against, by ``sign``."""
    rival: str = ""
    """IRI of a named graph whose value of the same relation it is held against, by ``sign``."""

    @property
    def is_idle(self) -> bool:
        """True if it only says that there is a value."""
        tested = self.options or self.contained or self.choices or self.sign
        return not tested and not self.negated and self.above_average is None


@dataclass(frozen=True, slots=True)
class Extreme:
    """The greatest or least of some things."""

    thing: int
    """The things of which one is the greatest; -1 for rows that are sorted by what they give."""
    relation: str = ""
    """The relation whose value decides; empty if a number of things does."""
    counted: int | None = None
    """The thing below whose number decides."""
    key: Column | None = None
    """The value of which there is one for each group, where things are counted for each value."""
    descending: bool = True
    first: int = 1
    count: int = 1
    """How many are wanted; 0 for all, in this order."""
    said: frozenset[int] = frozenset()
    host: int | None = None
    """The things that words choose among, where the value is that of others which they lead to."""
    alike: tuple[str, ...] = ()
    """Other relations that decide as well, by the words."""
    aggregate: str = ""
    """The aggregate of the relation's values of the counted things that decides: highest average price."""
    than: int | None = None
    """A thing whose number is to be passed, in place of the greatest of all; or not to be reached."""


@dataclass(frozen=True, slots=True)
class Column:
    """What is asked for: a thing, a value of it, how many there are, or an aggregate of the values."""

    thing: int
    relation: str = ""
    """The relation whose values are asked for; empty for the thing itself."""
    function: str = ""
    """``COUNT`` or another aggregate; empty for the value itself."""
    key: bool = False
    """True if the question asks for one row for each."""
    said: frozenset[int] = frozenset()
    """The positions of its words."""
    optional: bool = False
    """True if what has no such value is given all the same: cities with their population."""
    per: float = 1.0
    """What its numbers are divided by, to be in the unit that is asked for."""
