"""Walking: from the named things outwards along relations that the question names, and where such paths meet.

A `Node` is a set of things together with the patterns that describe it. The search starts with the named things,
takes at most three steps from each, in both directions, and joins nodes that have things in common. What it looks
at is bounded: a beam of nodes at each depth, and so many things of each.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final, TypeVar

from triad.kg.schema import DOCUMENTATION, LABELS, Hop, writable
from triad.lexical.matching import NOTHING, Match, Matcher
from triad.lexical.reading import Reading
from triad.lexical.spotting import Item
from triad.phases.context import Context
from triad.types import IRI, RDF_TYPE, Literal, Term

__all__ = ["Link", "Node", "Walk"]

R = TypeVar("R")

DEPTH: Final = 3
"""Relations of the longest path."""
BEAM: Final = (12, 8, 5)
"""Nodes from which the first, second and third step are taken."""
_STEPS: Final = 12  # relations that are followed from one node
_LOOKED_AT: Final = 40  # things of a node whose relations are looked up
_FOLLOWED: Final = 200  # things of a node from which a step is taken
_ENDS: Final = 4_000  # triples read in a step
_SURE: Final = 0.7  # the least fit of relations from which on no more steps are taken
_JOINED: Final = 30  # nodes that are compared for what they have in common


@dataclass(frozen=True, slots=True)
class Link:
    """A relation of a node's patterns."""

    relation: str
    label: str
    forward: bool
    """True if the step went from subject to object."""
    match: Match
    item: Item | None
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
    items: tuple[Item, ...] = ()
    """The named things in it."""
    links: tuple[Link, ...] = ()
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
    before: str | None = None
    """The variable that the last step was taken from, if it was a variable."""
    said: Mapping[str, frozenset[int]] = field(default_factory=dict)
    """For each variable the words of the question that say what it stands for."""

    @property
    def covered(self) -> frozenset[int]:
        """The words of the question that the node accounts for."""
        positions = set(self.kinds.positions)
        for item in self.items:
            positions |= item.positions
        for link in self.links:
            positions |= link.match.positions
        return frozenset(positions)

    @property
    def of_named(self) -> bool:
        """True if the node is a named thing itself, with what is said of it."""
        return self.focus.startswith("<")

    @property
    def turns_back(self) -> bool:
        """True if a step leads back along the relation of the step before: the other films of a film's director."""
        return any(
            one.relation == other.relation and one.forward != other.forward
            for one, other in itertools.pairwise(self.links)
        )

    @property
    def things(self) -> list[str]:
        """The IRIs among the things that SPARQL can write."""
        return [end.value for end in self.ends if isinstance(end, IRI) and writable(end.value)]


@dataclass(slots=True)
class Walk:
    """The search for one question."""

    context: Context
    reading: Reading
    matcher: Matcher
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    classes_above: dict[str, list[str]] = field(default_factory=dict)

    @property
    def _content(self) -> frozenset[int]:
        """The words of the question that something in the graph should account for."""
        words = enumerate(self.reading.words)
        return frozenset(at for at, word in words if not word.empty and at not in self.reading.used)

    def nodes(self, items: Sequence[Item], classes: Sequence[Item]) -> list[Node]:
        """Return all nodes that were found, those that account for more of the question first."""
        starts = [start for item in items if (start := self._start(item))]
        instances = [self._instances(item) for item in classes[:4]]
        literals = [node for node in starts if node.lines]
        found: list[Node] = []
        joined: list[Node] = []
        frontier: list[Node] = [*starts, *instances]
        self.context.schema.prepare(entities=[item.candidate.iri for item in items if item.candidate.kind == "entity"])
        for depth in range(DEPTH):
            frontier = sorted(frontier, key=self._promise, reverse=True)[: BEAM[depth]]
            reached = list(itertools.chain.from_iterable(self._each(partial(self._steps, depth=depth), frontier)))
            found = sorted([*found, *reached], key=self._promise, reverse=True)
            joined = list(self._joined([*literals, *found], starts))
            if depth and any(map(self._says_all, [*joined, *found])):
                break  # what more steps could say has been said
            frontier = [node for node in (*reached, *joined) if node.things]
        found = [*joined, *found, *literals, *instances]
        kinds = self._each(lambda node: list(self._of_class(node, classes)), found[:_JOINED])
        return sorted([*found, *itertools.chain.from_iterable(kinds)], key=self._promise, reverse=True)

    def _each(self, work: Callable[[Node], R], nodes: Sequence[Node]) -> list[R]:
        """Do some work for several nodes, at once where most of the time is spent waiting for a server."""
        if self.context.graph.concurrency == 1 or len(nodes) < 2:
            return [work(node) for node in nodes]
        with ThreadPoolExecutor(min(self.context.graph.concurrency, len(nodes))) as pool:
            return list(pool.map(work, nodes))

    def _says_all(self, node: Node) -> bool:
        """Tell whether a node says all that the question does, in words that are sure."""
        sure = all(link.match.fit >= _SURE for link in node.links) and not any(item.inside for item in node.items)
        if not sure or not node.ends or not self._content <= node.covered:
            return False
        asked = self.reading.asked
        return asked <= node.said.get(node.focus, frozenset()) if asked else self.fits(node.ends[0], node.classes) == 1

    # The beginnings

    def _start(self, item: Item) -> Node | None:
        candidate = item.candidate
        if candidate.kind == "entity":
            if not writable(candidate.iri):
                return None
            kinds = self._kinds_beside(item)
            return Node(f"<{candidate.iri}>", (), (item,), (), kinds, (IRI(candidate.iri),), classes=candidate.types)
        forms = self.context.schema.literal_forms(candidate.iri, candidate.label)
        if not forms:
            return None
        focus = self.variable()
        line = f"?{focus} <{candidate.iri}> {forms[0].n3()} ."
        ends = self._column(f"SELECT DISTINCT ?{focus} {{ {line} }} LIMIT {_ENDS}")
        label = self.context.schema.labels([candidate.iri])[candidate.iri]
        match = self.matcher.relation(label, candidate.iri, item.positions)
        link = Link(candidate.iri, label, False, match, item)
        said = {focus: match.positions}
        return Node(focus, (line,), (item,), (link,), ends=ends, complete=len(ends) < _ENDS, said=said)

    def _kinds_beside(self, item: Item) -> Match:
        """Return the match of a named thing's classes with the words beside its name: "the film Alien"."""
        words = self.reading.words
        before = next((at for at in range(item.start - 1, max(-1, item.start - 4), -1) if not words[at].empty), -1)
        beside = {before, item.end}
        return self._kinds(item.candidate.types, frozenset(range(len(words))) - beside)

    def _instances(self, item: Item) -> Node:
        focus = self.variable()
        line = self._type_line(focus, item.candidate.iri)
        ends = self._column(f"SELECT DISTINCT ?{focus} {{ {line} }} LIMIT {_FOLLOWED}")
        match = Match(1.0, item.positions)
        iri = item.candidate.iri
        complete, said = len(ends) < _FOLLOWED, {focus: item.positions}
        return Node(focus, (line,), (), (), match, ends, complete, (iri,), restricted=True, said=said)

    def _type_line(self, focus: str, iri: str) -> str:
        kinds = self.context.schema.kinds(iri)
        if len(kinds) == 1:
            return f"?{focus} <{RDF_TYPE}> <{iri}> ."
        values = " ".join(f"<{kind}>" for kind in kinds)
        kind = self.variable()
        return f"VALUES ?{kind} {{ {values} }} ?{focus} <{RDF_TYPE}> ?{kind} ."

    def variable(self) -> str:
        """Return the name of a new variable."""
        return f"v{next(self.numbers)}"

    # Steps

    def _steps(self, node: Node, depth: int) -> list[Node]:
        things = node.things
        if not things:
            return []
        schema = self.context.schema
        if node.restricted and not node.links and node.classes:
            card = schema.class_card(node.classes[0])
        else:
            card = schema.joint_card(things[:_LOOKED_AT])
        hops = [hop for hop in card if not hop.relation.startswith(DOCUMENTATION) and hop.relation not in LABELS]
        guesses = self.matcher.guesses([(hop.label, hop.relation) for hop in hops], node.covered)
        ways = [way for hop in hops if (way := self._way(node, hop, depth, guesses.get(hop.label, NOTHING)))]
        ways.sort(key=lambda way: way[0], reverse=True)
        return self._follow(node, [(hop, link, kinds) for _, hop, link, kinds in ways[:_STEPS]])

    def _way(self, node: Node, hop: Hop, depth: int, guess: Match) -> tuple[float, Hop, Link, Match] | None:
        """Return how promising a step is, if the question says anything of it."""
        forward = hop.direction == "out"
        covered = node.covered
        item = node.items[0] if node.items else None
        back = bool(node.links) and node.links[-1].relation == hop.relation and node.links[-1].forward != forward
        match = (
            Match(node.links[-1].match.fit, frozenset())
            if back
            else max(self.matcher.relation(hop.label, hop.relation, covered), guess, key=lambda match: match.fit)
        )
        kinds = self._kinds(hop.classes, covered | match.positions)
        promise = match.fit + 0.6 * kinds.fit + 0.3 * self.fits(hop.sample, hop.classes)
        if back and not kinds.positions and not (self.reading.both and match.fit):
            return None
        if not back and not match.positions and not kinds.positions and (depth > 0 or not promise):
            return None
        return promise, hop, Link(hop.relation, hop.label, forward, match, item), kinds

    def _kinds(self, classes: Iterable[str], without: frozenset[int]) -> Match:
        """Return how well the question names one of some classes or of those above them."""
        best = NOTHING
        for place, iri in enumerate(classes):
            names = self.context.schema.labels([iri, *self.context.schema.superclasses(iri)])
            for rank, name in enumerate(names.values()):
                match = self.matcher.name(name, without)
                fit = match.fit * (0.8 if rank else 1.0) * (0.8 if place else 1.0)
                if fit > best.fit:
                    best = Match(fit, match.positions)
        return best

    def fits(self, sample: Term, classes: Iterable[str]) -> float:
        """Return how well values fit what the question word asks for: 1, 0, or 0.5 where it does not say."""
        expected = self.reading.expected
        if not expected:
            return 0.5
        if isinstance(sample, Literal):
            return float(kind_of(sample) in expected)
        names = [name for iri in classes for name in self.context.schema.labels([iri, *self.above(iri)]).values()]
        kinds = {
            kind for kind in ("person", "organisation", "place") for name in names if self.matcher.is_a(name, kind)
        }
        if kinds:
            return float(bool(kinds & expected))
        return 0.3 if {"person", "organisation", "place"} & expected else 0.0

    def above(self, iri: str) -> list[str]:
        """Return the classes above a class."""
        if iri not in self.classes_above:
            seen: dict[str, None] = {}
            frontier = [iri]
            while frontier and len(seen) < 10:
                frontier = [up for name in frontier for up in self.context.schema.superclasses(name) if up not in seen]
                seen |= dict.fromkeys(frontier)
            self.classes_above[iri] = list(seen)
        return self.classes_above[iri]

    def _follow(self, node: Node, ways: Sequence[tuple[Hop, Link, Match]]) -> list[Node]:
        """Take steps: read where each leads to, those of a direction in one request."""
        ends: dict[tuple[str, bool], dict[Term, None]] = defaultdict(dict)
        cut: set[bool] = set()
        things = " ".join(f"<{iri}>" for iri in node.things[:_FOLLOWED])
        for forward in (True, False):
            relations = dict.fromkeys(link.relation for _, link, _ in ways if link.forward == forward)
            if relations:
                # A branch for each relation: engines look up bound things and a relation, and scan for two VALUES.
                branches = " UNION ".join(
                    f"{{ ?x <{iri}> ?y BIND(<{iri}> AS ?p) }}"
                    if forward
                    else f"{{ ?y <{iri}> ?x BIND(<{iri}> AS ?p) }}"
                    for iri in relations
                )
                rows = self.context.graph.lookup(
                    f"SELECT DISTINCT ?p ?y {{ VALUES ?x {{ {things} }} {branches} }} LIMIT {_ENDS}"
                )
                if len(rows) >= _ENDS:
                    cut.add(forward)
                for row in rows:
                    ends[str(row["p"]), forward][row["y"]] = None
        complete = node.complete and len(node.things) <= _FOLLOWED
        nodes = []
        for hop, link, kinds in ways:
            reached = ends[link.relation, link.forward]
            focus = self.variable()
            here = node.focus if node.of_named else f"?{node.focus}"
            line = f"{here} <{link.relation}> ?{focus} ." if link.forward else f"?{focus} <{link.relation}> {here} ."
            lines = [*node.lines, line]
            origin = IRI(node.items[0].candidate.iri) if node.items and node.links else None
            if origin is not None and origin in reached and len(reached) > 1:
                # Who asks for the films of a film's director does not ask for that film.
                del reached[origin]
                lines.append(f"FILTER(?{focus} != <{origin.value}>)")
            if reached:
                nodes.append(
                    Node(
                        focus,
                        tuple(lines),
                        node.items,
                        (*node.links, link),
                        Match(max(kinds.fit, node.kinds.fit), node.kinds.positions | kinds.positions),
                        tuple(reached),
                        complete and link.forward not in cut,
                        hop.classes,
                        before=None if node.of_named else node.focus,
                        said={**node.said, focus: link.match.positions | kinds.positions},
                    )
                )
        return nodes

    def _column(self, query: str) -> tuple[Term, ...]:
        return tuple(row[0] for row in self.context.graph.lookup(query).rows if row[0] is not None)

    # Several conditions

    def _joined(self, nodes: Sequence[Node], starts: Sequence[Node]) -> Iterator[Node]:
        """Yield what nodes of different named things have in common, and named things that are in a node of others."""
        direct = [node for node in nodes[: 2 * _JOINED] if not node.turns_back and node.items][:_JOINED]
        for start in starts:
            for other in direct:
                if not start.lines and start.ends[0] in other.ends and _apart(start, other) and not other.of_named:
                    lines = tuple(line.replace(f"?{other.focus} ", f"{start.focus} ") for line in other.lines)
                    items = (*start.items, *other.items)
                    links = tuple(replace(link, connects=True) for link in other.links)
                    yield replace(start, lines=lines, items=items, links=links, kinds=start.kinds | other.kinds)
        for one, other in itertools.combinations(direct, 2):
            if not _apart(one, other) or one.of_named or other.of_named:
                continue
            if len(one.links) + len(other.links) > DEPTH + 1:
                continue
            others = set(other.ends)
            common = tuple(end for end in one.ends if end in others)
            if not common:
                continue
            lines = tuple(line.replace(f"?{other.focus} ", f"?{one.focus} ") for line in other.lines)
            yield replace(
                one,
                lines=tuple(dict.fromkeys((*one.lines, *lines))),
                items=(*one.items, *other.items),
                links=(*one.links, *other.links),
                kinds=one.kinds | other.kinds,
                ends=common,
                complete=one.complete and other.complete,
                said={**other.said, **one.said, one.focus: one.said[one.focus] | other.said[other.focus]},
            )

    def _of_class(self, node: Node, classes: Sequence[Item]) -> Iterator[Node]:
        """Yield those things of a node that are of a class which the question names."""
        things = node.things
        if not things or node.restricted:
            return
        for item in classes:
            if (
                any(item.overlaps(other) for other in node.items)
                or item.positions <= node.covered - node.kinds.positions
            ):
                continue
            iri = item.candidate.iri
            kinds = ", ".join(f"<{kind}>" for kind in self.context.schema.kinds(iri))
            values = " ".join(f"<{thing}>" for thing in things[:_FOLLOWED])
            ends = self._column(
                f"SELECT DISTINCT ?x {{ VALUES ?x {{ {values} }} ?x <{RDF_TYPE}> ?c FILTER(?c IN ({kinds})) }}"
            )
            if ends:
                yield replace(
                    node,
                    lines=(*node.lines, self._type_line(node.focus, iri)),
                    kinds=node.kinds | Match(1.0, item.positions),
                    ends=ends,
                    complete=node.complete and len(things) <= _FOLLOWED,
                    classes=(iri,),
                    restricted=True,
                    said={**node.said, node.focus: node.said.get(node.focus, frozenset()) | item.positions},
                )

    def _promise(self, node: Node) -> float:
        """Return how promising a node is to go on from: how much of the question it accounts for, in few steps."""
        fits = sum(link.match.fit for link in node.links)
        prior = max((item.prior for item in node.items), default=1.0)
        guessed = sum(len(link.match.positions) for link in node.links if link.match.similar)
        return len(node.covered) - 0.5 * guessed + 0.5 * fits + 0.5 * prior - 0.7 * len(node.links)


def _apart(one: Node, other: Node) -> bool:
    """Tell whether two nodes speak of different named things."""
    return not any(a.overlaps(b) or a.candidate.iri == b.candidate.iri for a in one.items for b in other.items)


NUMBERS: Final = frozenset(
    "http://www.w3.org/2001/XMLSchema#" + name
    for name in (
        "integer decimal double float int long short byte nonNegativeInteger positiveInteger unsignedInt".split()
    )
)
DATES: Final = frozenset(
    "http://www.w3.org/2001/XMLSchema#" + name for name in "date dateTime gYear gYearMonth gMonthDay time".split()
)


def kind_of(literal: Literal) -> str:
    """Return whether a literal is a number, a date or a text."""
    if literal.datatype in NUMBERS:
        return "number"
    if literal.datatype in DATES:
        return "date"
    # Units of measurement are datatypes of their own, as DBpedia's kilometre.
    text = literal.value.removeprefix("-").replace(".", "", 1)
    return "number" if text.isdecimal() and len(text) != 4 else "text"
