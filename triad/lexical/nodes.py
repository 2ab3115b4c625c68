"""Nodes: sets of entities, each with its query graph and the words of the question that it accounts for.

"Which films by Lynch were shot in Missoula" has two nodes, what Lynch directed and what was shot in Missoula; the
entities in both are the answer, which `joined` finds without asking the graph.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from triad.caching import cached_property
from triad.lexical.matching import NOTHING, Match
from triad.lexical.mention_detection import LinkedMention
from triad.rdf import IRI, BlankNode, Term, writable
from triad.sparql.patterns import EdgePattern, Part, Variable, substituted
from triad.sparql.query_graph import QueryGraph

STEPS: Final = 3
"""Relations of the longest path from what is named, and from class to class."""
WIDTH: Final = 30
"""How many nodes are held against classes and against each other, and candidates against the best, or told of."""


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
    """True if it leads from one named entity to another: "Ann from Marketing" need not say how."""


@dataclass(frozen=True)  # without slots, for what is asked again and again is worked out once
class Node:
    """A set of entities and the patterns that describe it."""

    focus: Variable | IRI
    """The variable that stands for the entities, or the one entity itself."""
    parts: tuple[Part, ...] = ()
    """The patterns that they match."""
    mentions: tuple[LinkedMention, ...] = ()
    """The named entities in it."""
    edges: tuple[Edge, ...] = ()
    """The relations in it, in the order of the steps."""
    kinds: Match = NOTHING
    """Words of the question that are names of classes of the entities in it."""
    ends: tuple[Term, ...] = ()
    """The entities, or as many of them as were looked at."""
    complete: bool = True
    """True if ``ends`` are all."""
    classes: tuple[str, ...] = ()
    """IRIs of frequent classes of the entities."""
    restricted: bool = False
    """True if a pattern says that the entities are of a class."""
    astray: float = 0.0
    """The share of the entities of any class that are not of one that is asked for."""
    said: Mapping[Variable | IRI, frozenset[int]] = field(default_factory=dict)
    """For each variable the words of the question that say what it stands for."""

    @cached_property
    def covered(self) -> frozenset[int]:
        """The words of the question that the node accounts for."""
        said = (*(one.positions for one in self.mentions), *(edge.match.positions for edge in self.edges))
        return self.kinds.positions.union(*said)

    @property
    def of_named(self) -> bool:
        """True if the node is a named entity itself, with what is said of it."""
        return isinstance(self.focus, IRI)

    @cached_property
    def graph(self) -> QueryGraph:
        """The query for the entities."""
        return QueryGraph((self.focus,) if isinstance(self.focus, Variable) else (), self.parts, distinct=True)

    @property
    def turns_back(self) -> bool:
        """True if a step leads back along the relation of the step before: the other films of a film's director."""
        pairs = itertools.pairwise(self.edges)
        return any(one.relation == other.relation and one.forward != other.forward for one, other in pairs)

    @cached_property
    def entities(self) -> list[IRI]:
        """Those of the entities that are IRIs which SPARQL can write."""
        return [end for end in self.ends if isinstance(end, IRI) and writable(end.value)]

    @cached_property
    def things(self) -> list[str]:
        """The IRIs of the entities, as text."""
        return [end.value for end in self.entities]

    @property
    def blank(self) -> bool:
        """True if the entities are blank nodes, which only patterns can tell from others."""
        blank = any(isinstance(end, BlankNode) for end in self.ends[:1])
        return blank and not any(isinstance(end, IRI) for end in self.ends)

    def step(self, relation: str, end: Variable, *, forward: bool) -> EdgePattern:
        """Return the pattern of a step from the entities along a relation, or against it."""
        subject, value = (self.focus, end) if forward else (end, self.focus)
        return EdgePattern(subject, IRI(relation), value)

    def parts_of(self, term: Variable | Term) -> tuple[Part, ...]:
        """Return the patterns with another term in place of the focus."""
        return substituted(self.parts, {self.focus: term})


def joined(nodes: Sequence[Node], starts: Sequence[Node]) -> Iterator[Node]:
    """Yield named entities that are in nodes of other ones, and intersections of nodes of different named entities.

    Nodes come with the most promising first; those of the named entities are the starts.
    """
    direct = [node for node in nodes[: 2 * WIDTH] if node.mentions and not node.turns_back]
    found = [(node, frozenset(node.ends)) for node in direct[:WIDTH] if not node.of_named]
    for start in starts:
        for other, ends in found:
            if not start.parts and start.ends[0] in ends and _apart(start, other):
                mentions, kinds = (*start.mentions, *other.mentions), start.kinds | other.kinds
                edges = tuple(replace(edge, connects=True) for edge in other.edges)
                yield replace(start, parts=other.parts_of(start.focus), mentions=mentions, edges=edges, kinds=kinds)
    for (one, own), (other, ends) in itertools.combinations(found, 2):
        if not own.isdisjoint(ends) and _apart(one, other):
            yield replace(
                one,
                parts=tuple(dict.fromkeys((*one.parts, *other.parts_of(one.focus)))),
                mentions=(*one.mentions, *other.mentions),
                edges=(*one.edges, *other.edges),
                kinds=one.kinds | other.kinds,
                ends=tuple(end for end in one.ends if end in ends),
                complete=one.complete and other.complete,
                said={**other.said, **one.said, one.focus: one.said[one.focus] | other.said[other.focus]},
            )


def _apart(one: Node, other: Node) -> bool:
    return not any(a.overlaps(b) or a.candidate.iri == b.candidate.iri for a in one.mentions for b in other.mentions)
