"""From a query graph to its reasoning path, where it has one.

>>> x = Variable("x")
>>> graph = QueryGraph.of(x, EdgePattern(x, IRI("award"), IRI("Oscar")), EdgePattern(x, IRI("bornIn"), IRI("Bern")))
>>> from_graph(graph).topic, from_graph(graph).graph() == graph
(IRI(value='Oscar'), True)
>>> from_graph(graph.asked())
Traceback (most recent call last):
    ...
triad.queries.path_reading.NotAPath: a path leads to answers; this is a yes/no question
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.queries.paths import SORTS, ReasoningPath, Restriction, Step, keys_of, node_names
from triad.rdf import IRI, RDF_TYPE, BlankNode, Literal
from triad.sparql.patterns import (
    ClassPattern,
    Computed,
    EdgePattern,
    Exists,
    Filter,
    Logic,
    Part,
    Path,
    QueryTerm,
    Union,
    Value,
    Variable,
    nodes,
    substituted,
    terms,
)
from triad.sparql.query_graph import Order, QueryGraph

__all__ = ["NotAPath", "from_graph", "from_parts"]

_OTHER: Final = {
    "NegatedPart": "a negation",
    "OptionalPart": "an optional part",
    "Values": "a list of values",
    "Bind": "a computed value",
    "GraphPart": "a named graph",
    "QueryGraph": "a query within the query",
    "Service": "a pattern of another endpoint",
    "Union": "a union",
}


class NotAPath(ValueError):
    """A query that a reasoning path cannot express; the message says what it has that a path has not."""


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
            if {name for name in terms((one.node, *one.tests, *keys_of(one))) if isinstance(name, Variable)}
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
    if any(nodes(test, Exists)):
        raise NotAPath("a path cannot express a condition with patterns of its own")
    return [test]


def _single(part: Part, number: int) -> list[EdgePattern]:
    """Return the single edges of a part; what is between those of a sequence has a name of its own."""
    if isinstance(part, ClassPattern):
        if len(part.classes) != 1 or part.below:
            raise NotAPath("a path cannot express a choice of classes")
        return [EdgePattern(part.instance, IRI(RDF_TYPE), part.classes[0])]
    assert isinstance(part, EdgePattern)
    start, end = _node(part.subject), _node(part.object)
    if isinstance(part.relation, IRI):
        return [EdgePattern(start, part.relation, end)]
    if isinstance(part.relation, Path) and part.relation.sign == "/":
        between = [Variable(f" {number}.{at}") for at in range(len(part.relation.relations) - 1)]
        ends: list[QueryTerm] = [start, *between, end]
        edges: list[EdgePattern] = []
        for one, relation, other in zip(ends, part.relation.relations, ends[1:], strict=False):
            if isinstance(relation, Path):
                raise NotAPath("a path cannot express alternative or repeated relations")
            edges.append(EdgePattern(one, relation, other))
        return edges
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
