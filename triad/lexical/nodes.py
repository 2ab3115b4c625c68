"""Nodes: sets of things, each with the patterns that describe it and the words of the question that it accounts for."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from triad.lexical.matching import NOTHING, Match
from triad.lexical.mention_detection import LinkedMention
from triad.rdf import IRI, BlankNode, Term, writable

__all__ = ["Edge", "Node", "put"]

_STRING: Final = re.compile(r'("(?:[^"\\]|\\.)*")')


@dataclass(frozen=True, slots=True)
class Edge:
    """A relation of a node's patterns."""

    relation: str
    """Its IRI."""
    label: str
    """Its name."""
    forward: bool
    """True if the step went from subject to object."""
    match: Match
    """The words of the question that name it."""
    mention: LinkedMention | None
    """What the path that it is a step of starts from."""
    connects: bool = False
    """True if it leads from one named thing to another: "Ann from Marketing" need not say how."""


@dataclass(frozen=True, slots=True)
class Node:
    """A set of things and the patterns that describe it."""

    focus: str
    """The variable that stands for the things, without question mark; or an IRI in angle brackets."""
    lines: tuple[str, ...] = ()
    """Patterns of SPARQL."""
    mentions: tuple[LinkedMention, ...] = ()
    """The named things in it."""
    edges: tuple[Edge, ...] = ()
    """The relations in it, in the order of the steps."""
    kinds: Match = NOTHING
    """Words of the question that are names of classes of the things in it."""
    ends: tuple[Term, ...] = ()
    """The things, or as many of them as were looked at."""
    complete: bool = True
    """True if ``ends`` are all."""
    classes: tuple[str, ...] = ()
    """IRIs of frequent classes of the things."""
    restricted: bool = False
    """True if a pattern says that the things are of a class."""
    sifted: bool = False
    """True if that leaves some of the things out."""
    sorted_out: bool = False
    """True if that leaves things of another class out; those of no class may be what nothing says of them."""
    astray: float = 0.0
    """The share of the things of any class that are not of one that is asked for."""
    before: str | None = None
    """The variable that the last step was taken from, if it was a variable."""
    said: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """For each variable the words of the question that say what it stands for."""

    @property
    def covered(self) -> frozenset[int]:
        """The words of the question that the node accounts for."""
        positions = set(self.kinds.positions)
        for mention in self.mentions:
            positions |= mention.positions
        for edge in self.edges:
            positions |= edge.match.positions
        return frozenset(positions)

    @property
    def of_named(self) -> bool:
        """True if the node is a named thing itself, with what is said of it."""
        return self.focus.startswith("<")

    @property
    def here(self) -> str:
        """The focus as SPARQL writes it."""
        return self.focus if self.of_named else f"?{self.focus}"

    @property
    def where(self) -> str:
        """The patterns in one line."""
        return " ".join(self.lines)

    @property
    def select(self) -> str:
        """The query for the things."""
        return f"SELECT DISTINCT {self.here} {{ {self.where} }}"

    @property
    def turns_back(self) -> bool:
        """True if a step leads back along the relation of the step before: the other films of a film's director."""
        return any(
            one.relation == other.relation and one.forward != other.forward
            for one, other in itertools.pairwise(self.edges)
        )

    @property
    def things(self) -> list[str]:
        """The IRIs among the things that SPARQL can write."""
        return [end.value for end in self.ends if isinstance(end, IRI) and writable(end.value)]

    @property
    def blank(self) -> bool:
        """True if the things are blank nodes, which only patterns can tell from others."""
        return (
            bool(self.ends)
            and isinstance(self.ends[0], BlankNode)
            and not any(isinstance(end, IRI) for end in self.ends)
        )

    def lines_of(self, term: str) -> tuple[str, ...]:
        """Return the patterns with a term of SPARQL in place of the focus."""
        return tuple(put(line, self.focus, term) for line in self.lines)


def put(line: str, variable: str, term: str) -> str:
    """Put a term in the place of a variable; what stands in strings are words of the graph and stays.

    >>> put('?v1 <motto> "Ask ?v1 now" .', "v1", "?v2")
    '?v2 <motto> "Ask ?v1 now" .'
    """
    parts = _STRING.split(line)
    parts[::2] = [part.replace(f"?{variable} ", f"{term} ") for part in parts[::2]]
    return "".join(parts)
