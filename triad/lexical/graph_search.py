"""Walking: from the named things outwards, along relations that the question names.

The search starts with the named things and takes at most three steps from each, in both directions; after each step,
what different paths have in common is joined. What it looks at is bounded: a beam of nodes at each depth, so many
relations of each, and so many things. The number of look-ups is therefore bounded, too, however large the graph.
"""

import itertools
import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar

from triad.caching import cached_property
from triad.cancelling import check
from triad.errors import GraphError, QueryTimeout
from triad.kg.schema import DOCUMENTATION, Hop
from triad.language.analysis import Analysis
from triad.lexical.answer_types import AnswerTypes
from triad.lexical.contract import Contract
from triad.lexical.matching import Match, Matcher
from triad.lexical.mention_detection import ANCHORS, LinkedMention
from triad.lexical.nodes import STEPS, WIDTH, Edge, Node, joined
from triad.phases.context import Context
from triad.rdf import IRI, RDF_TYPE, Term
from triad.search.base import CLOSE
from triad.sparql import patterns
from triad.sparql.patterns import Bind, ClassPattern, EdgePattern, Filter, Part, Union, Values, Variable, is_followed
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render, render_parts

R = TypeVar("R")
T = TypeVar("T")

_BEAM: Final = (ANCHORS, 8, 5)  # nodes from which the first, second and third step are taken
_FOLLOWED: Final = 200  # things of a node whose relations are looked up, and from which a step is taken
_ENDS: Final = 4_000  # triples read in a step
_HERE, _THERE, _BY = Variable("x"), Variable("y"), Variable("p")  # the ends and the relation of a step


@dataclass(frozen=True, slots=True)
class _Way:
    """A step that may be taken."""

    promise: float  # how promising it is; a rank
    hop: Hop  # the relation, as the schema card lists it
    edge: Edge  # the relation, as the question names it
    kinds: Match  # words of the question that name classes of the things it leads to


class Walk:
    """The search for one question, which looks at nothing more after its deadline."""

    def __init__(self, context: Context, analysis: Analysis, matcher: Matcher, deadline: float = math.inf) -> None:
        self.context = context
        self.analysis = analysis
        self.matcher = matcher
        self.deadline = deadline
        self.named = False
        """Whether the question names something by its very name."""
        self.kinds = AnswerTypes(context.schema, matcher, analysis.expected)
        self._numbers = itertools.count(1)
        words = enumerate(analysis.words)
        self._content = frozenset(at for at, word in words if not word.empty and at not in analysis.used)
        """The words of the question that something in the graph should account for."""

    def variable(self) -> Variable:
        """Return a new variable."""
        return Variable(f"v{next(self._numbers)}")

    @cached_property
    def contract(self) -> Contract:
        """What the question asks of its query."""
        return Contract.of(self.analysis, self.matcher.pack)

    def nodes(self, mentions: Sequence[LinkedMention], classes: Sequence[LinkedMention]) -> list[Node]:
        """Return all nodes that were found, those that account for more of the question first.

        Raises:
            GraphError: The graph failed.
        """
        self.named = any(mention.candidate.score >= CLOSE and not mention.inside for mention in mentions)
        starts = self._each(self._start, mentions)
        instances = self._each(self._instances, classes[:ANCHORS])
        literals = [node for node in starts if node.parts]
        found: list[Node] = []
        common: list[Node] = []
        frontier: list[Node] = [*starts, *instances]
        for depth in range(STEPS):
            frontier = sorted(frontier, key=_promise, reverse=True)[: _BEAM[depth]]
            reached = self._each(partial(self._steps, depth=depth), frontier)
            found = sorted([*found, *reached], key=_promise, reverse=True)
            common = list(joined([*literals, *found], starts))
            enough = depth > 0 or not self.analysis.both  # who has the same as another is two steps away
            if enough and any(map(self._says_all, [*common, *found])):
                break  # what more steps could say has been said
            frontier = [node for node in (*reached, *common) if node.things or node.blank]
        found = [*common, *found, *literals, *instances]
        looked_at = self.patiently(partial(self._of_classes, classes=classes), found[:WIDTH])
        found[: WIDTH if looked_at else 0] = looked_at
        return sorted(found, key=_promise, reverse=True)

    def _each(self, work: Callable[[T], Iterable[Node]], of: Sequence[T]) -> list[Node]:
        return list(itertools.chain.from_iterable(self.context.graph.at_once(partial(self.patiently, work), of)))

    def patiently(self, work: Callable[[T], Iterable[R]], of: T) -> list[R]:
        """Return what comes of some work; nothing if it takes too long, for others may be faster.

        Raises:
            GraphError: The graph failed otherwise.
        """
        if time.monotonic() >= self.deadline:
            return []
        try:
            return list(work(of))
        except QueryTimeout:
            return []

    def _says_all(self, node: Node) -> bool:
        """Return whether a node says all that the question does, in words that are sure."""
        inside = any(mention.inside for mention in node.mentions)
        sure = not inside and all(edge.match.fit >= CLOSE for edge in node.edges)
        if not sure or not node.ends or not self._content <= node.covered:
            return False
        if asked := self.analysis.asked:
            return asked <= node.said.get(node.focus, frozenset())
        return self.kinds.fits(node.ends[0], node.classes) == 1

    # The beginnings

    def _start(self, mention: LinkedMention) -> Iterator[Node]:
        """Yield the node of a named thing, or of the things that have a named value."""
        if (candidate := mention.candidate).kind == "entity":
            things, kinds = tuple(map(IRI, mention.things or (candidate.iri,))), self._kinds_beside(mention)
            focus = things[0] if len(things) == 1 else self.variable()
            values = (Values.of(focus, *things),) if isinstance(focus, Variable) else ()
            said = {focus: kinds.positions} if values else {}
            yield Node(focus, values, (mention,), (), kinds, things, classes=candidate.types, said=said)
            return
        if not (forms := self.context.schema.literal_forms(candidate.iri, candidate.label)):
            return
        focus = self.variable()
        value = EdgePattern(focus, IRI(candidate.iri), forms[0])
        ends = self._column(QueryGraph.of(focus, value).first(_ENDS))
        label = self.context.schema.labels([candidate.iri])[candidate.iri]
        match = self.matcher.relation(label, candidate.iri, mention.positions)
        edges, said = (Edge(candidate.iri, label, False, match, mention),), {focus: match.positions}
        yield Node(focus, (value,), (mention,), edges, ends=ends, complete=len(ends) < _ENDS, said=said)

    def _kinds_beside(self, mention: LinkedMention) -> Match:
        """Return the match of a named thing's classes with the words beside its name: "the film Alien"."""
        words, start = self.analysis.words, mention.start
        before = next((at for at in reversed(range(max(0, start - 3), start)) if not words[at].empty), -1)
        return self.kinds.named(mention.candidate.types, frozenset(range(len(words))) - {before, mention.end})

    def _instances(self, mention: LinkedMention) -> Iterator[Node]:
        """Yield the node of the instances of a named class."""
        focus = self.variable()
        instances = self._instance(focus, mention.candidate.iri)
        ends = self._column(QueryGraph.of(focus, instances).first(_FOLLOWED))
        yield Node(
            focus,
            (instances,),
            kinds=Match(1.0, mention.positions),
            ends=ends,
            complete=len(ends) < _FOLLOWED,
            classes=(mention.candidate.iri,),
            restricted=True,
            said={focus: mention.positions},
        )

    def _instance(self, focus: Variable | IRI, iri: str) -> ClassPattern:
        return ClassPattern.of(focus, self.context.schema.kinds(iri), self.variable)

    # Steps

    def _steps(self, node: Node, depth: int) -> list[Node]:
        """Take the most promising steps from a node."""
        things = node.things
        schema = self.context.schema
        if isinstance(node.focus, Variable) and not things:
            card = schema.pattern_card(node.focus.name, render_parts(node.parts)) if node.blank else ()
        elif node.restricted and not node.edges and node.classes:
            card = schema.class_card(node.classes[0], brief=True)
        else:
            card = schema.joint_card(things[:_FOLLOWED], brief=True)
        unsaid = schema.finder.labels.named  # a name of the graph's own may be what is asked for
        hops = [hop for hop in card if not hop.relation.startswith(DOCUMENTATION) and hop.relation not in unsaid]
        ways = [way for hop in hops if (way := self._way(node, hop, depth))]
        ways.sort(key=lambda way: way.promise, reverse=True)
        if things:
            among: Part = Values.of(_HERE, *node.entities[:_FOLLOWED])
        else:
            among = node.graph.showing(patterns.Computed(node.focus, _HERE)).first(_FOLLOWED)
        return self._follow(node, among, ways[:ANCHORS])

    def _way(self, node: Node, hop: Hop, depth: int) -> _Way | None:
        """Return a step if the question says anything of it; the first may also be one that fits what is asked for."""
        forward = hop.direction == "out"
        last = node.edges[-1] if node.edges else None
        # What leads to a blank node and what leads on from it are named by the same words.
        covered = node.covered - last.match.positions if last and node.blank else node.covered
        back = last is not None and last.relation == hop.relation and last.forward != forward
        if last is not None and back:
            kinds = self.kinds.named(hop.classes, covered)
            # Other words may say it a second time: the films written by the screenwriter of a film.
            again = self.matcher.relation(hop.label, hop.relation, covered | kinds.positions)
            match = Match(last.match.fit, again.positions)
        else:
            match = self.matcher.relation(hop.label, hop.relation, covered)
            kinds = self.kinds.named(hop.classes, covered | match.positions)
        promise = match.fit + 0.6 * kinds.fit + 0.3 * self.kinds.fits(hop.sample, hop.classes)
        if back:
            # Without a name, what all things of a class lead to leads back to all of them.
            said = bool(node.mentions) and (bool(kinds.positions) or (self.analysis.both and match.fit > 0))
        else:
            said = bool(match.positions or kinds.positions) or ((depth == 0 or node.blank) and promise > 0)
        if not said:
            return None
        mention = node.mentions[0] if node.mentions else None
        return _Way(promise, hop, Edge(hop.relation, hop.label, forward, match, mention), kinds)

    def _follow(self, node: Node, among: Part, ways: Sequence[_Way]) -> list[Node]:
        """Take steps from what a pattern binds ``?x`` to: read where they lead, those of a direction in one request."""
        ends: dict[bool, dict[str, dict[Term, None]]] = {}
        complete = {}
        for forward in (True, False):
            relations = dict.fromkeys(way.edge.relation for way in ways if way.edge.forward == forward)
            rows = self._reached(among, relations, forward) if relations else []
            complete[forward] = node.complete and len(node.ends) <= _FOLLOWED and len(rows) < _ENDS
            found: dict[str, dict[Term, None]] = {relation: {} for relation in relations}
            ends[forward] = found
            for relation, end in rows:
                found[str(relation)][end] = None
        taken = ((way, way.edge.relation, way.edge.forward) for way in ways)
        nodes = [self._stepped(node, way, ends[out][relation], complete[out]) for way, relation, out in taken]
        return [node for node in nodes if node.ends]

    def _reached(self, among: Part, relations: Iterable[str], forward: bool) -> list[tuple[Term, Term]]:
        """Return the relations and what they lead to, together in one request."""
        # A branch for each relation: engines look up bound things and a relation, and scan for two VALUES.
        start, end = (_HERE, _THERE) if forward else (_THERE, _HERE)
        branches = Union(tuple((EdgePattern(start, iri, end), Bind(iri, _BY)) for iri in map(IRI, relations)))
        reached = QueryGraph.of(_BY, among, branches).showing(_BY, _THERE).first(_ENDS)
        found = self.context.graph.lookup(render(reached))
        ways, ends = found.column(_BY.name), found.column(_THERE.name)
        if len(ways) != len(found) or len(ends) != len(found):
            raise GraphError("the graph gave no relation or no end in a row that needs both")
        return list(zip(ways, ends, strict=True))

    def _stepped(self, node: Node, way: _Way, reached: dict[Term, None], complete: bool) -> Node:
        """Return the node that a step leads to."""
        focus = self.variable()
        parts = [*node.parts, node.step(way.edge.relation, focus, forward=way.edge.forward)]
        start = node.mentions[0] if node.mentions and node.edges else None
        for origin in map(IRI, start.things or (start.candidate.iri,)) if start else ():
            # Who asks for the films of a film's director does not ask for that film.
            if origin in reached and len(reached) > 1:
                del reached[origin]
                parts.append(Filter(patterns.Comparison(focus, "!=", origin)))
        said = {**node.said, focus: way.edge.match.positions | way.kinds.positions}
        edges, kinds, ends = (*node.edges, way.edge), node.kinds | way.kinds, tuple(reached)
        return Node(focus, tuple(parts), node.mentions, edges, kinds, ends, complete, way.hop.classes, said=said)

    def _of_classes(self, nodes: Sequence[Node], classes: Sequence[LinkedMention]) -> Iterator[Node]:
        """Yield nodes, and those things of each that are of a class which the question names."""
        open_nodes = [node for node in nodes if node.things and not node.restricted]
        followed = (node.things[:_FOLLOWED] for node in open_nodes)
        unrestricted = list(dict.fromkeys(itertools.chain.from_iterable(followed)))
        members = self._members(unrestricted, classes)
        asked = [mention for mention in classes if mention.positions <= self.analysis.asked]
        within = set().union(*(members[mention.candidate.iri] for mention in asked))
        typed = f"FILTER EXISTS {{ ?x <{RDF_TYPE}> ?c }}"
        lookups = (f"SELECT ?x {{ {values} {typed} }}" for values in _batches(unrestricted if within else ()))
        classed = {str(row["x"]) for lookup in lookups for row in self.context.graph.lookup(lookup)}
        for node in nodes:
            check()
            if not (things := node.things[:_FOLLOWED]) or node.restricted:
                yield node
                continue
            known = classed.intersection(things)
            yield replace(node, astray=len(known - within) / len(known)) if known else node
            meant = node.covered - node.kinds.positions
            for mention in classes:
                if mention.positions <= meant or any(mention.overlaps(other) for other in node.mentions):
                    continue
                iri = mention.candidate.iri
                if not (ends := tuple(IRI(thing) for thing in things if thing in members[iri])):
                    continue
                yield replace(
                    node,
                    parts=(*node.parts, self._instance(node.focus, iri)),
                    kinds=node.kinds | Match(1.0, mention.positions),
                    ends=ends,
                    complete=node.complete and len(node.things) == len(things),
                    classes=(iri,),
                    restricted=True,
                    said={**node.said, node.focus: node.said.get(node.focus, frozenset()) | mention.positions},
                )

    def _members(self, things: Sequence[str], classes: Sequence[LinkedMention]) -> dict[str, set[str]]:
        """Return for each class those of some things that are of it or of a class below it."""
        kinds = {mention.candidate.iri: self.context.schema.kinds(mention.candidate.iri) for mention in classes}
        listed = dict.fromkeys(kind for below in kinds.values() if not is_followed(below) for kind in below)
        of_kind: defaultdict[str, set[str]] = defaultdict(set)
        for values in _batches(things if kinds else ()):
            followed = (iri for iri, below in kinds.items() if is_followed(below))
            forms = [f"{self.context.schema.instance_pattern('?x', iri)} BIND(<{iri}> AS ?c)" for iri in followed]
            if listed:
                forms.append(f"?x <{RDF_TYPE}> ?c FILTER(?c IN ({', '.join(f'<{kind}>' for kind in listed)}))")
            for pattern in forms:
                for row in self.context.graph.lookup(f"SELECT ?x ?c {{ {values} {pattern} }}"):
                    of_kind[str(row["c"])].add(str(row["x"]))
        return {iri: set().union(*(of_kind[kind] for kind in below)) for iri, below in kinds.items()}

    def _column(self, query: QueryGraph) -> tuple[Term, ...]:
        return tuple(row[0] for row in self.context.graph.lookup(render(query)).rows if row[0] is not None)


def _promise(node: Node) -> float:
    """Return how promising a node is to go on from: how many words it accounts for, in few steps along sure names."""
    prior = max((mention.prior for mention in node.mentions), default=0.0)
    return len(node.covered) + sum(edge.match.fit for edge in node.edges) + prior - len(node.edges)


def _batches(things: Sequence[str]) -> Iterator[str]:
    for start in range(0, len(things), _FOLLOWED):
        yield f"VALUES ?x {{ {' '.join(f'<{iri}>' for iri in things[start : start + _FOLLOWED])} }}"
