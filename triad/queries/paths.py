"""Reasoning paths: a query as a way from a topic to the answer, with restrictions on what is passed.

A path starts at a topic, follows relations along or against their direction, and ends at the answer. Its nodes may be
restricted: by edges to entities, by edges to numbers, dates and texts that meet conditions, by an order with a limit.
That is the form in which small models learn queries, and in which a relation can be repaired without the others.

>>> from triad.queries.rendering import render
>>> won = Step(IRI("award"), forward=False)
>>> path = ReasoningPath(IRI("Oscar"), (won,), (Restriction(Variable("x"), Step(IRI("bornIn")), IRI("Bern")),))
>>> render(path.graph())
'SELECT DISTINCT ?x { ?x <award> <Oscar> . ?x <bornIn> <Bern> . }'
>>> from_graph(path.graph()) == path
True
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args
from typing import Literal as Choice

from triad import sparql
from triad.queries.patterns import (
    ClassPattern,
    Comparison,
    Computed,
    EdgePattern,
    Expression,
    Filter,
    Logic,
    Not,
    OneOf,
    OpaqueExpression,
    Part,
    Path,
    QueryTerm,
    Union,
    Value,
    Variable,
    fields,
    substituted,
    terms,
)
from triad.queries.query_graph import Order, QueryGraph
from triad.rdf import IRI, RDF_TYPE, XSD, BlankNode, Literal, kind_of

__all__ = [
    "SORTS",
    "NotAPath",
    "ReasoningPath",
    "Restriction",
    "Sort",
    "Step",
    "from_graph",
    "from_parts",
    "node_names",
]

Sort = Choice["entity", "numeric", "string"]
"""What a restriction demands: an entity, a number or a date, a text."""

SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
"""The sorts of restrictions, in the order in which a path has them."""

_NODES: Final = ("k", "c", "y", "x")
"""Names of the nodes of a path of four steps; shorter ones have the last of them."""
_TEXTS: Final = (XSD + "string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString")
_OTHER: Final = {
    "NegatedPart": "a negation",
    "OptionalPart": "an optional part",
    "Values": "a list of values",
    "Bind": "a computed value",
    "GraphPart": "a named graph",
    "QueryGraph": "a query within the query",
    "OpaquePart": "a pattern that is neither an edge nor a condition",
    "Union": "a union",
}


class NotAPath(ValueError):
    """A query that a reasoning path cannot express; the message says what it has that a path has not."""


@dataclass(frozen=True, slots=True)
class Step:
    """A relation that leads from one node to the next."""

    relation: IRI
    forward: bool = True
    """Whether it is followed in its own direction."""

    def edge(self, start: QueryTerm, end: QueryTerm) -> EdgePattern:
        """Return the triple pattern between two nodes."""
        return EdgePattern(start, self.relation, end) if self.forward else EdgePattern(end, self.relation, start)


@dataclass(frozen=True, slots=True)
class Restriction:
    """A demand on a node: that an edge leads from it to something, that conditions hold, or the order of the rows."""

    node: Variable
    """A node of the main path, or the end of an earlier restriction."""
    step: Step | None = None
    """The edge that leads from it; None if the node itself is restricted."""
    end: QueryTerm | None = None
    """What the edge leads to; a variable stands for any value that meets the conditions."""
    tests: tuple[Value, ...] = ()
    """Conditions on the path's variables."""
    order: Order | None = None
    """The sort key of the rows."""

    @property
    def sort(self) -> Sort:
        """What it demands. An edge that only leads on to other restrictions counts as a demand of an entity."""
        if isinstance(self.end, Literal):
            return "string" if kind_of(self.end) == "text" else "numeric"
        literals = [term for term in terms((*self.tests, *_keys(self))) if isinstance(term, Literal)]
        if self.order or (literals and not any(literal.datatype in _TEXTS for literal in literals)):
            return "numeric"
        return "string" if literals else "entity"

    @property
    def negates(self) -> bool:
        """True if a condition excludes something, as far as can be told."""
        return any(map(_negates, self.tests))


@dataclass(frozen=True, slots=True)
class ReasoningPath:
    """A way from a topic to the answer, with its restrictions."""

    topic: IRI | Literal
    steps: tuple[Step, ...]
    """The main path; at least one step."""
    restrictions: tuple[Restriction, ...] = ()
    limit: int | None = None
    """The greatest number of rows."""
    offset: int = 0
    """The number of rows that are skipped at the start."""

    @property
    def nodes(self) -> tuple[Variable, ...]:
        """The variables that the steps lead to; the last one is the answer, `?x`."""
        return node_names(len(self.steps))

    @property
    def answer(self) -> Variable:
        """The variable of the answer."""
        return self.nodes[-1]

    @property
    def order(self) -> Order | None:
        """The sort key of the rows."""
        return next((one.order for one in self.restrictions if one.order), None)

    def graph(self) -> QueryGraph:
        """Return the query that it stands for."""
        ends: tuple[QueryTerm, ...] = (self.topic, *self.nodes)
        parts: list[Part] = [
            step.edge(start, end) for start, step, end in zip(ends, self.steps, ends[1:], strict=False)
        ]
        for one in self.restrictions:
            if one.step is not None and one.end is not None:
                parts.append(one.step.edge(one.node, one.end))
        parts += [Filter(test) for one in self.restrictions for test in one.tests]
        made = QueryGraph.of(self.answer, *parts)
        order = (self.order,) if self.order else ()
        return replace(made, order=order, limit=self.limit, offset=self.offset)

    def main(self) -> ReasoningPath:
        """Return the path without its restrictions."""
        return ReasoningPath(self.topic, self.steps)

    def without(self, *dropped: Restriction) -> ReasoningPath:
        """Return the path without some restrictions, and without those that hang on them or lead to them alone."""
        kept = [one for one in self.restrictions if one not in dropped]
        while True:
            bound = {*self.nodes, *(one.end for one in kept if isinstance(one.end, Variable))}
            used = {name for one in kept for name in (one.node, *terms((*one.tests, *_keys(one))))}
            hung = [
                one
                for one in kept
                if not {name for name in (one.node, *terms(one.tests)) if isinstance(name, Variable)} <= bound
                or (_leads_on(one) and one.end not in self.nodes and one.end not in used)
            ]
            if not hung:
                return replace(self, restrictions=tuple(kept))
            kept = [one for one in kept if one not in hung]

    def mapped(self, relation: Callable[[IRI], IRI], term: Callable[[QueryTerm], QueryTerm]) -> ReasoningPath:
        """Return the path with other relations, and other terms in place of topic, ends and what conditions name."""

        def changed(step: Step | None) -> Step | None:
            return None if step is None else replace(step, relation=relation(step.relation))

        topic = term(self.topic)
        assert isinstance(topic, IRI | Literal)
        return replace(
            self,
            topic=topic,
            steps=tuple(replace(step, relation=relation(step.relation)) for step in self.steps),
            restrictions=tuple(
                Restriction(
                    one.node,
                    changed(one.step),
                    None if one.end is None else term(one.end),
                    substituted(one.tests, term),
                    None if one.order is None else Order(substituted(one.order.key, term), one.order.descending),
                )
                for one in self.restrictions
            ),
        )

    def relations(self) -> tuple[IRI, ...]:
        """Return the relations of the main path and of the restrictions, in order."""
        others = (one.step.relation for one in self.restrictions if one.step)
        return (*(step.relation for step in self.steps), *others)

    def named(self) -> tuple[IRI, ...]:
        """Return what is named besides relations: the topic, ends of restrictions, IRIs in conditions."""
        found = [self.topic, *(one.end for one in self.restrictions)]
        tested = [term for one in self.restrictions for term in terms((*one.tests, *_keys(one)))]
        return tuple(dict.fromkeys(term for term in (*found, *tested) if isinstance(term, IRI)))


def node_names(steps: int) -> tuple[Variable, ...]:
    """Return the names of the nodes of a path of so many steps.

    >>> [str(name) for name in node_names(2)], str(node_names(6)[0])
    (['?y', '?x'], '?n2')
    """
    names = [f"n{at}" for at in range(steps - len(_NODES), 0, -1)] + list(_NODES)
    return tuple(map(Variable, names[len(names) - steps :]))


def _keys(one: Restriction) -> tuple[Value, ...]:
    return (one.order.key,) if one.order else ()


def _leads_on(one: Restriction) -> bool:
    return isinstance(one.end, Variable) and not one.tests and not one.order


def _negates(value: Any) -> bool:
    if isinstance(value, Not | OpaqueExpression) or (isinstance(value, Comparison) and value.sign == "!="):
        return True
    if isinstance(value, OneOf) and value.negated:
        return True
    if isinstance(value, tuple):
        return any(map(_negates, value))
    return isinstance(value, Expression) and any(map(_negates, fields(value)))


# From a query ---------------------------------------------------------------------------------------------


def from_graph(graph: QueryGraph) -> ReasoningPath:
    """Return the reasoning path of a query.

    Raises:
        NotAPath: It has something that a path cannot express.
    """
    answer = _answer(graph)
    edges: list[EdgePattern] = []
    tests: list[Value] = []
    for part in _parts(graph.where):
        if isinstance(part, Filter):
            tests += _conjuncts(part.expression)
        else:
            edges += _single(part, len(edges))
    topic, chain = _main(edges, answer)
    return from_parts(topic, chain, edges, tests, graph)


def from_parts(
    topic: IRI | Literal,
    chain: Sequence[EdgePattern],
    edges: Sequence[EdgePattern],
    tests: Sequence[Value],
    modifiers: QueryGraph,
) -> ReasoningPath:
    """Return the path whose main path is known: other edges and conditions become restrictions.

    Args:
        topic: Where the main path starts.
        chain: The edges of the main path, from the topic on.
        edges: All edges.
        tests: All conditions.
        modifiers: A query with the order, the limit and the offset.

    Raises:
        NotAPath: Something is not connected with the main path.
    """
    return _canonical(_Reader(modifiers, topic, chain, edges, tests).path())


def _canonical(path: ReasoningPath) -> ReasoningPath:
    """Return a path with its restrictions by sort, as far as each needs no later one, and its variables by number."""
    bound: set[QueryTerm | None] = set(path.nodes)
    left = sorted(path.restrictions, key=lambda one: SORTS.index(one.sort))
    ordered: list[Restriction] = []
    while left:
        ready = (
            one
            for one in left
            if {name for name in terms((one.node, *one.tests, *_keys(one))) if isinstance(name, Variable)}
            <= bound | {one.end}
        )
        ordered.append(next(ready, left[0]))
        left.remove(ordered[-1])
        bound.add(ordered[-1].end)
    ends = dict.fromkeys(one.end for one in ordered if isinstance(one.end, Variable) and one.end not in path.nodes)
    names = {end: Variable(f"sk{at}") for at, end in enumerate(ends)}
    moved = replace(path, restrictions=tuple(ordered)).mapped(
        lambda relation: relation, lambda term: names.get(term, term) if isinstance(term, Variable) else term
    )
    return replace(
        moved, restrictions=tuple(replace(one, node=names.get(one.node, one.node)) for one in moved.restrictions)
    )


def _answer(graph: QueryGraph) -> Variable:
    if graph.ask:
        raise NotAPath("a path leads to answers; this is a yes/no question")
    if graph.is_aggregated:
        raise NotAPath("a path has no aggregate, and the query has one")
    if graph.sources or graph.named_sources:
        raise NotAPath("a path names no graph, and the query does")
    if any(isinstance(column, Computed) for column in graph.columns):
        raise NotAPath("a path has no computed column, and the query has one")
    if len(graph.variables) != 1:
        raise NotAPath(f"a path has one answer, and the query has {len(graph.variables)} columns")
    return graph.variables[0]


def _parts(where: Iterable[Part]) -> Iterator[Part]:
    for part in where:
        if isinstance(part, Union) and len(part.groups) == 1:
            yield from _parts(part.groups[0])
        elif isinstance(part, EdgePattern | ClassPattern | Filter):
            yield part
        else:
            raise NotAPath(f"a path cannot express {_OTHER.get(type(part).__name__, 'a part of the query')}")


def _conjuncts(test: Value) -> list[Value]:
    if isinstance(test, Logic) and test.sign == "&&":
        return [one for part in test.parts for one in _conjuncts(part)]
    if _has_patterns(test):
        raise NotAPath("a path cannot express a condition with patterns of its own")
    return [test]


def _has_patterns(value: Any) -> bool:
    if isinstance(value, OpaqueExpression):
        return "EXISTS" in sparql.mask(value.text).upper()
    if isinstance(value, tuple):
        return any(map(_has_patterns, value))
    return isinstance(value, Expression) and any(map(_has_patterns, fields(value)))


def _single(part: Part, number: int) -> list[EdgePattern]:
    """Return the single edges of a part; what is between those of a sequence has a name of its own."""
    if isinstance(part, ClassPattern):
        if len(part.classes) != 1:
            raise NotAPath("a path cannot express a choice of classes")
        return [EdgePattern(part.instance, IRI(RDF_TYPE), part.classes[0])]
    assert isinstance(part, EdgePattern)
    start, end = _node(part.subject), _node(part.object)
    if isinstance(part.relation, IRI):
        return [EdgePattern(start, part.relation, end)]
    if isinstance(part.relation, Path) and part.relation.sign == "/":
        between = [Variable(f" {number}.{at}") for at in range(len(part.relation.relations) - 1)]
        ends: list[QueryTerm] = [start, *between, end]
        return [
            EdgePattern(one, relation, other)
            for one, relation, other in zip(ends, part.relation.relations, ends[1:], strict=False)
        ]
    if isinstance(part.relation, Path):
        raise NotAPath("a path cannot express alternative or repeated relations")
    raise NotAPath("a path cannot express a relation that is a variable")


def _node(term: QueryTerm) -> QueryTerm:
    return Variable(f" {term.value}") if isinstance(term, BlankNode) else term


def _main(edges: Sequence[EdgePattern], answer: Variable) -> tuple[IRI | Literal, tuple[EdgePattern, ...]]:
    """Return the topic and the edges from it to the answer.

    The topic is the first entity that leads to the answer; a class or a literal only where there is no other.
    """
    ranked: list[tuple[int, int, IRI | Literal]] = []
    for place, edge in enumerate(edges):
        for end in (edge.subject, edge.object):
            if isinstance(end, IRI | Literal):
                is_class = edge.relation == IRI(RDF_TYPE) and end is edge.object
                ranked.append((2 if is_class else 1 if isinstance(end, Literal) else 0, place, end))
    for _, _, topic in sorted(ranked, key=lambda one: one[:2]):
        if chain := _way(edges, topic, answer):
            return topic, chain
    if not ranked:
        raise NotAPath("a path starts at something that is named, and the query names nothing")
    raise NotAPath("nothing that the query names leads to its answer")


def _way(edges: Sequence[EdgePattern], topic: QueryTerm, answer: Variable) -> tuple[EdgePattern, ...]:
    """Return the edges of the shortest way from a topic over variables to the answer; none if there is no way."""
    queue: deque[tuple[QueryTerm, tuple[EdgePattern, ...]]] = deque([(topic, ())])
    seen: set[QueryTerm] = {topic}
    while queue:
        node, way = queue.popleft()
        for edge in edges:
            for near, far in ((edge.subject, edge.object), (edge.object, edge.subject)):
                if near != node or far in seen or not isinstance(far, Variable):
                    continue
                if far == answer:
                    return (*way, edge)
                seen.add(far)
                queue.append((far, (*way, edge)))
    return ()


class _Reader:
    """Reads the restrictions of a query whose main path is known."""

    def __init__(
        self,
        graph: QueryGraph,
        topic: IRI | Literal,
        chain: Sequence[EdgePattern],
        edges: Sequence[EdgePattern],
        tests: Sequence[Value],
    ) -> None:
        self.graph = graph
        self.topic = topic
        self.left = [edge for edge in edges if not any(edge is one for one in chain)]
        self.tests = tests
        self.names: dict[Variable, Variable] = {}
        steps: list[Step] = []
        node: QueryTerm = topic
        for edge, name in zip(chain, node_names(len(chain)), strict=True):
            assert isinstance(edge.relation, IRI)
            forward = edge.subject == node
            node = edge.object if forward else edge.subject
            assert isinstance(node, Variable)
            self.names[node] = name
            steps.append(Step(edge.relation, forward))
        self.steps = tuple(steps)
        self.found: list[Restriction] = []

    def path(self) -> ReasoningPath:
        while self.left:
            edge = next((one for one in self.left if one.subject in self.names or one.object in self.names), None)
            if edge is None:
                raise NotAPath("a part of the query is not connected with its path")
            self.left = [one for one in self.left if one is not edge]
            self._restrict(edge)
        for test in self.tests:
            self._attach(test, None)
        if len(self.graph.order) > 1:
            raise NotAPath("a path has one sort key, and the query has several")
        for key in self.graph.order:
            self._attach(key.key, key)
        return ReasoningPath(self.topic, self.steps, tuple(self.found), self.graph.limit, self.graph.offset)

    def _restrict(self, edge: EdgePattern) -> None:
        assert isinstance(edge.relation, IRI)
        forward = edge.subject in self.names
        node, end = (edge.subject, edge.object) if forward else (edge.object, edge.subject)
        assert isinstance(node, Variable)
        if isinstance(end, Variable):
            end = self.names.setdefault(end, Variable(f"sk{len(self.names) - len(self.steps)}"))
        self.found.append(Restriction(self.names[node], Step(edge.relation, forward), end))

    def _attach(self, value: Value, order: Order | None) -> None:
        """Put a condition or a sort key to the restriction that binds its last variable."""
        variables = [term for term in terms(value) if isinstance(term, Variable)]
        if not variables or any(name not in self.names for name in variables):
            raise NotAPath("a condition or a sort key is about something that is not on the path")
        renamed = substituted(value, lambda term: self.names.get(term, term) if isinstance(term, Variable) else term)
        names = {self.names[name] for name in variables}
        places = [at for at, one in enumerate(self.found) if (one.end if one.step else one.node) in names]
        values = [at for at in places if self.found[at].step and self.found[at].end not in node_names(len(self.steps))]
        at = max(values or [at for at in places if not self.found[at].step], default=None)
        if at is None:
            self.found.append(Restriction(self.names[variables[0]]))
            at = len(self.found) - 1
        one = self.found[at]
        if order:
            self.found[at] = replace(one, order=Order(renamed, order.descending))
        else:
            self.found[at] = replace(one, tests=(*one.tests, renamed))
