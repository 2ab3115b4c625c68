"""Walking: from the named things outwards, along relations that the question names.

The search starts with the named things and takes at most three steps from each, in both directions; after each step,
what different paths have in common is joined. What it looks at is bounded: a beam of nodes at each depth, so many
relations of each, and so many things. The number of look-ups is therefore bounded, too, however large the graph.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar

from triad.kg.schema import DOCUMENTATION, LABELS, Hop
from triad.lexical.joining import joined
from triad.lexical.kinds import Kinds
from triad.lexical.matching import NOTHING, Match, Matcher
from triad.lexical.nodes import Link, Node
from triad.lexical.reading import Reading
from triad.lexical.spotting import Item
from triad.phases.context import Context
from triad.types import IRI, RDF_TYPE, Term

__all__ = ["Walk"]

R = TypeVar("R")

_DEPTH: Final = 3  # relations of the longest path
_BEAM: Final = (12, 8, 5)  # nodes from which the first, second and third step are taken
_STEPS: Final = 12  # relations that are followed from one node
_LOOKED_AT: Final = 40  # things of a node whose relations are looked up
_FOLLOWED: Final = 200  # things of a node from which a step is taken
_ENDS: Final = 4_000  # triples read in a step
_SURE: Final = 0.7  # the least fit of relations from which on no more steps are taken
_CLASSES: Final = 4  # classes whose instances are looked up
_RESTRICTED: Final = 30  # nodes whose things are looked at for those of a class


@dataclass(frozen=True, slots=True)
class _Way:
    """A step that may be taken."""

    promise: float
    """How promising it is; a rank."""
    hop: Hop
    """The relation, as the schema card lists it."""
    link: Link
    """The relation, as the question names it."""
    kinds: Match
    """Words of the question that name classes of the things it leads to."""


class Walk:
    """The search for one question.

    Args:
        context: What may be used.
        reading: The question.
        matcher: Compares names with the question's words.
    """

    def __init__(self, context: Context, reading: Reading, matcher: Matcher) -> None:
        self.context = context
        self.reading = reading
        self.matcher = matcher
        self.kinds = Kinds(context.schema, matcher, reading.expected)
        self._numbers = itertools.count(1)
        words = enumerate(reading.words)
        self._content = frozenset(at for at, word in words if not word.empty and at not in reading.used)
        """The words of the question that something in the graph should account for."""

    def variable(self) -> str:
        """Return the name of a new variable."""
        return f"v{next(self._numbers)}"

    def nodes(self, items: Sequence[Item], classes: Sequence[Item]) -> list[Node]:
        """Return all nodes that were found, those that account for more of the question first.

        Args:
            items: The named entities and values.
            classes: The named classes.

        Raises:
            GraphError: The graph failed.
        """
        starts = [start for item in items if (start := self._start(item))]
        instances = [self._instances(item) for item in classes[:_CLASSES]]
        literals = [node for node in starts if node.lines]
        found: list[Node] = []
        common: list[Node] = []
        frontier: list[Node] = [*starts, *instances]
        self.context.schema.prepare(entities=[item.candidate.iri for item in items if item.candidate.kind == "entity"])
        for depth in range(_DEPTH):
            frontier = sorted(frontier, key=_promise, reverse=True)[: _BEAM[depth]]
            reached = list(itertools.chain.from_iterable(self._each(partial(self._steps, depth=depth), frontier)))
            found = sorted([*found, *reached], key=_promise, reverse=True)
            common = list(joined([*literals, *found], starts))
            if depth and any(map(self._says_all, [*common, *found])):
                break  # what more steps could say has been said
            frontier = [node for node in (*reached, *common) if node.things]
        found = [*common, *found, *literals, *instances]
        of_class = self._each(lambda node: list(self._of_class(node, classes)), found[:_RESTRICTED])
        return sorted([*found, *itertools.chain.from_iterable(of_class)], key=_promise, reverse=True)

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
        if asked := self.reading.asked:
            return asked <= node.said.get(node.focus, frozenset())
        return self.kinds.fits(node.ends[0], node.classes) == 1

    # The beginnings

    def _start(self, item: Item) -> Node | None:
        """Return the node of a named thing, or of the things that have a named value."""
        candidate = item.candidate
        if candidate.kind == "entity":
            kinds = self._kinds_beside(item)
            return Node(
                f"<{candidate.iri}>",
                items=(item,),
                kinds=kinds,
                ends=(IRI(candidate.iri),),
                classes=candidate.types,
            )
        forms = self.context.schema.literal_forms(candidate.iri, candidate.label)
        if not forms:
            return None
        focus = self.variable()
        line = f"?{focus} <{candidate.iri}> {forms[0].n3()} ."
        ends = self._column(f"SELECT DISTINCT ?{focus} {{ {line} }} LIMIT {_ENDS}")
        label = self.context.schema.labels([candidate.iri])[candidate.iri]
        match = self.matcher.relation(label, candidate.iri, item.positions)
        return Node(
            focus,
            (line,),
            (item,),
            (Link(candidate.iri, label, False, match, item),),
            ends=ends,
            complete=len(ends) < _ENDS,
            said={focus: match.positions},
        )

    def _kinds_beside(self, item: Item) -> Match:
        """Return the match of a named thing's classes with the words beside its name: "the film Alien"."""
        words = self.reading.words
        before = next((at for at in range(item.start - 1, max(-1, item.start - 4), -1) if not words[at].empty), -1)
        beside = {before, item.end}
        return self.kinds.named(item.candidate.types, frozenset(range(len(words))) - beside)

    def _instances(self, item: Item) -> Node:
        """Return the node of the instances of a named class."""
        focus = self.variable()
        line = self._type_line(focus, item.candidate.iri)
        ends = self._column(f"SELECT DISTINCT ?{focus} {{ {line} }} LIMIT {_FOLLOWED}")
        return Node(
            focus,
            (line,),
            kinds=Match(1.0, item.positions),
            ends=ends,
            complete=len(ends) < _FOLLOWED,
            classes=(item.candidate.iri,),
            restricted=True,
            said={focus: item.positions},
        )

    def _type_line(self, focus: str, iri: str) -> str:
        kinds = self.context.schema.kinds(iri)
        if len(kinds) == 1:
            return f"?{focus} <{RDF_TYPE}> <{iri}> ."
        kind = self.variable()
        return f"VALUES ?{kind} {{ {_written(kinds)} }} ?{focus} <{RDF_TYPE}> ?{kind} ."

    # Steps

    def _steps(self, node: Node, depth: int) -> list[Node]:
        """Take the most promising steps from a node."""
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
        ways.sort(key=lambda way: way.promise, reverse=True)
        return self._follow(node, things, ways[:_STEPS])

    def _way(self, node: Node, hop: Hop, depth: int, guess: Match) -> _Way | None:
        """Return a step if the question says anything of it; the first may also be one that fits what is asked for."""
        forward = hop.direction == "out"
        covered = node.covered
        last = node.links[-1] if node.links else None
        back = last is not None and last.relation == hop.relation and last.forward != forward
        if last is not None and back:
            match = Match(last.match.fit, frozenset())
        else:
            match = self.matcher.relation(hop.label, hop.relation, covered)
            match = guess if guess.fit > match.fit else match
        kinds = self.kinds.named(hop.classes, covered | match.positions)
        promise = match.fit + 0.6 * kinds.fit + 0.3 * self.kinds.fits(hop.sample, hop.classes)
        if back:
            said = bool(kinds.positions) or (self.reading.both and match.fit > 0)
        else:
            said = bool(match.positions or kinds.positions) or (depth == 0 and promise > 0)
        if not said:
            return None
        item = node.items[0] if node.items else None
        return _Way(promise, hop, Link(hop.relation, hop.label, forward, match, item), kinds)

    def _follow(self, node: Node, things: Sequence[str], ways: Sequence[_Way]) -> list[Node]:
        """Take steps: read where each leads to, those of a direction in one request."""
        followed = things[:_FOLLOWED]
        ends: dict[tuple[str, bool], dict[Term, None]] = defaultdict(dict)
        complete = {}
        for forward in (True, False):
            relations = dict.fromkeys(way.link.relation for way in ways if way.link.forward == forward)
            rows = self._reached(followed, relations, forward) if relations else []
            complete[forward] = node.complete and len(things) == len(followed) and len(rows) < _ENDS
            for relation, end in rows:
                ends[relation, forward][end] = None
        nodes = [
            self._stepped(node, way, ends[way.link.relation, way.link.forward], complete[way.link.forward])
            for way in ways
        ]
        return [node for node in nodes if node.ends]

    def _reached(self, things: Sequence[str], relations: Iterable[str], forward: bool) -> list[tuple[str, Term]]:
        """Return the relations and what they lead to, together in one request."""
        # A branch for each relation: engines look up bound things and a relation, and scan for two VALUES.
        branches = " UNION ".join(
            f"{{ ?x <{iri}> ?y BIND(<{iri}> AS ?p) }}" if forward else f"{{ ?y <{iri}> ?x BIND(<{iri}> AS ?p) }}"
            for iri in relations
        )
        rows = self.context.graph.lookup(
            f"SELECT DISTINCT ?p ?y {{ VALUES ?x {{ {_written(things)} }} {branches} }} LIMIT {_ENDS}"
        )
        return [(str(row["p"]), row["y"]) for row in rows]

    def _stepped(self, node: Node, way: _Way, reached: dict[Term, None], complete: bool) -> Node:
        """Return the node that a step leads to."""
        focus = self.variable()
        relation = f"<{way.link.relation}>"
        lines = [*node.lines]
        lines.append(f"{node.here} {relation} ?{focus} ." if way.link.forward else f"?{focus} {relation} {node.here} .")
        origin = IRI(node.items[0].candidate.iri) if node.items and node.links else None
        if origin is not None and origin in reached and len(reached) > 1:
            # Who asks for the films of a film's director does not ask for that film.
            del reached[origin]
            lines.append(f"FILTER(?{focus} != <{origin.value}>)")
        return Node(
            focus,
            tuple(lines),
            node.items,
            (*node.links, way.link),
            node.kinds | way.kinds,
            tuple(reached),
            complete,
            way.hop.classes,
            before=None if node.of_named else node.focus,
            said={**node.said, focus: way.link.match.positions | way.kinds.positions},
        )

    def _of_class(self, node: Node, classes: Sequence[Item]) -> Iterator[Node]:
        """Yield those things of a node that are of a class which the question names."""
        things = node.things
        if not things or node.restricted:
            return
        meant = node.covered - node.kinds.positions
        for item in classes:
            if item.positions <= meant or any(item.overlaps(other) for other in node.items):
                continue
            iri = item.candidate.iri
            kinds = ", ".join(f"<{kind}>" for kind in self.context.schema.kinds(iri))
            values = _written(things[:_FOLLOWED])
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
                    sifted=len(ends) < min(len(things), _FOLLOWED),
                    said={**node.said, node.focus: node.said.get(node.focus, frozenset()) | item.positions},
                )

    def _column(self, query: str) -> tuple[Term, ...]:
        return tuple(row[0] for row in self.context.graph.lookup(query).rows if row[0] is not None)


def _promise(node: Node) -> float:
    """Return how promising a node is to go on from: how much of the question it accounts for, in few steps."""
    fits = sum(link.match.fit for link in node.links)
    prior = max((item.prior for item in node.items), default=1.0)
    guessed = sum(len(link.match.positions) for link in node.links if link.match.similar)
    return len(node.covered) - 0.5 * guessed + 0.5 * fits + 0.5 * prior - 0.7 * len(node.links)


def _written(iris: Iterable[str]) -> str:
    return " ".join(f"<{iri}>" for iri in iris)
