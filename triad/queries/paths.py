"""Reasoning paths: a query as a way from a topic to the answer, with restrictions on what is passed.

A path starts at a topic, follows relations along or against their direction, and ends at the answer. Its nodes may be
restricted: by edges to entities, by edges to numbers, dates and texts that meet conditions, by an order with a limit.
That is the form in which small models learn queries, and in which a relation can be repaired without the others.

>>> from triad.sparql.writer import render
>>> won = Step(IRI("award"), forward=False)
>>> path = ReasoningPath(IRI("Oscar"), (won,), (Restriction(Variable("x"), Step(IRI("bornIn")), IRI("Bern")),))
>>> render(path.graph())
'SELECT DISTINCT ?x { ?x <award> <Oscar> . ?x <bornIn> <Bern> . }'
>>> from_graph(path.graph()) == path
True
>>> from_graph(path.graph().asked())
Traceback (most recent call last):
    ...
triad.queries.paths.NotAPath: a path leads to answers; this is a yes/no question
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal as Choice, Self, get_args

from triad.rdf import IRI, RDF_LANG_STRING, RDF_TYPE, XSD, BlankNode, Literal, kind_of
from triad.sparql import QueryGraph, nodes, patterns, rewritten, substituted, terms
from triad.sparql.patterns import ClassPattern, Comparison, EdgePattern, Filter, Logic, Path, QueryTerm, Value, Variable
from triad.sparql.query_graph import Order

Sort = Choice["entity", "numeric", "string"]
"""What a restriction demands: an entity, a number or a date, a text."""

SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
"""The sorts of restrictions, in the order in which a path has them."""

_Edges = Sequence[EdgePattern]
_NODES: Final = ("k", "c", "y", "x")  # names of the nodes of a path of four steps; shorter ones have the last of them
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
"""What a path cannot express, by its type."""


class NotAPath(ValueError):
    """A query that a reasoning path cannot express; the message says what it has that a path has not."""


@dataclass(frozen=True, slots=True)
class Step:
    """A relation that leads from one node to the next."""

    relation: IRI
    forward: bool = True
    """Whether it is followed in its own direction."""

    @property
    def turned(self) -> Self:
        """The step back."""
        return replace(self, forward=not self.forward)

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
        kinds = {term.datatype for term in nodes((self.tests, self.order), Literal)}
        if self.order or (kinds and kinds.isdisjoint((XSD + "string", RDF_LANG_STRING))):
            return "numeric"
        return "string" if kinds else "entity"

    @property
    def negates(self) -> bool:
        """True if a condition excludes something, as far as can be told."""
        found = nodes(self.tests, patterns.Not, Comparison, patterns.OneOf, patterns.Exists)
        return any(one.sign == "!=" if isinstance(one, Comparison) else getattr(one, "negated", True) for one in found)


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
        """The variables that the steps lead to: ``?y`` and ``?x``, the answer, where there are two."""
        count = len(self.steps)
        names = [f"n{at}" for at in range(count - len(_NODES), 0, -1)] + list(_NODES)
        return tuple(map(Variable, names[len(names) - count :]))

    @property
    def answer(self) -> Variable:
        """The variable of the answer."""
        return self.nodes[-1]

    @property
    def order(self) -> Order | None:
        """The sort key of the rows."""
        return next((one.order for one in self.restrictions if one.order), None)

    def edges(self) -> list[EdgePattern]:
        """Return the triple patterns of the main path."""
        ends = (self.topic, *self.nodes)
        return [step.edge(start, end) for start, step, end in zip(ends, self.steps, ends[1:], strict=False)]

    def graph(self) -> QueryGraph:
        """Return the query that it stands for."""
        edges = [one.step.edge(one.node, one.end) for one in self.restrictions if one.step and one.end is not None]
        tests = [Filter(test) for one in self.restrictions for test in one.tests]
        made = QueryGraph.of(self.answer, *self.edges(), *edges, *tests)
        return replace(made, order=(self.order,) if self.order else (), limit=self.limit, offset=self.offset)

    def without(self, *dropped: Restriction) -> Self:
        """Return the path without some restrictions, and without those that hang on them or lead to them alone."""
        kept, before = [one for one in self.restrictions if one not in dropped], -1
        while len(kept) != before:
            before = len(kept)
            bound = {*self.nodes, *(one.end for one in kept)}
            used = {*self.nodes, *terms(tuple((one.node, one.tests, one.order) for one in kept))}
            bounded = (one for one in kept if bound.issuperset(nodes((one.node, one.tests), Variable)))
            kept = [
                one for one in bounded if one.tests or one.order or one.end in used or not isinstance(one.end, Variable)
            ]
        return replace(self, restrictions=tuple(kept))

    def mapped(self, change: Callable[[IRI, bool], IRI]) -> Self:
        """Return the path with other IRIs.

        ``change`` returns what stands in place of an IRI, given whether it is a relation.
        """
        relations = iter([change(one, True) for one in self.relations()])
        moved = substituted(self, lambda term: change(term, False) if isinstance(term, IRI) else term)
        return rewritten(moved, lambda one: Step(next(relations), one.forward) if isinstance(one, Step) else one)

    def relations(self) -> tuple[IRI, ...]:
        """Return the relations of the main path and of the restrictions, in order."""
        return tuple(step.relation for step in nodes(self, Step))

    def named(self) -> tuple[IRI, ...]:
        """Return what is named besides relations: the topic, ends of restrictions, IRIs in conditions."""
        found = nodes((self.topic, tuple((one.end, one.tests, one.order) for one in self.restrictions)), IRI)
        return tuple(dict.fromkeys(found))


# From queries ---------------------------------------------------------------------------------------------


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
    topic: IRI | Literal, chain: _Edges, edges: _Edges, tests: Sequence[Value], modifiers: QueryGraph
) -> ReasoningPath:
    """Return the path whose main path is known: other edges and conditions become restrictions.

    The main path is a chain of the edges, from the topic on; order, limit and offset are those of the modifiers.

    Raises:
        NotAPath: Something is not connected with the main path.
    """
    steps: list[Step] = []
    reached: list[Any] = [topic]
    for edge in chain:
        steps.append(Step(_relation(edge.relation), edge.subject == reached[-1]))
        reached.append(edge.object if steps[-1].forward else edge.subject)
    path = ReasoningPath(topic, tuple(steps), (), modifiers.limit, modifiers.offset)
    names: dict[Any, Variable] = dict(zip(reached[1:], path.nodes, strict=True))
    found: list[Restriction] = []
    left = [edge for edge in edges if not any(edge is one for one in chain)]
    while left:
        near = [one for one in left if one.subject in names or one.object in names]
        if not near:
            raise NotAPath("a part of the query is not connected with its path")
        edge = near[0]
        left = [one for one in left if one is not edge]
        forward = edge.subject in names
        node, end = (edge.subject, edge.object) if forward else (edge.object, edge.subject)
        if isinstance(end, Variable):
            end = names.setdefault(end, Variable(f"sk{len(names) - len(steps)}"))
        found.append(Restriction(names[node], Step(_relation(edge.relation), forward), end))
    for test in tests:
        at, [renamed] = _place(path, found, (test,), names)
        found[at] = replace(found[at], tests=(*found[at].tests, renamed))
    if len(modifiers.order) > 1:
        raise NotAPath("a path has one sort key, and the query has several")
    for key in modifiers.order:
        at, [renamed] = _place(path, found, (key,), names)
        found[at] = replace(found[at], order=renamed)
    return _canonical(replace(path, restrictions=tuple(found)))


def _place(
    path: ReasoningPath, found: list[Restriction], value: tuple[Any], names: dict[Any, Variable]
) -> tuple[int, tuple[Any]]:
    """Return the restriction that binds the last variable of a condition or a sort key, and that with its new names."""
    if not (variables := list(nodes(value, Variable))) or not names.keys() >= set(variables):
        raise NotAPath("a condition or a sort key is about something that is not on the path")
    own = {names[one] for one in variables}
    values = [at for at, one in enumerate(found) if one.step and one.end in own and one.end not in path.nodes]
    bare = [at for at, one in enumerate(found) if not one.step and one.node in own]
    if not values and not bare:
        found.append(Restriction(names[variables[0]]))
        bare = [len(found) - 1]
    return max(values or bare), substituted(value, names)


def _canonical(path: ReasoningPath) -> ReasoningPath:
    """Return a path with its restrictions by sort, as far as each needs no later one, and its variables by number."""
    bound: set[QueryTerm | None] = set(path.nodes)
    left = sorted(path.restrictions, key=lambda one: SORTS.index(one.sort))
    ordered: list[Restriction] = []
    while left:
        ready = (one for one in left if bound | {one.end} >= set(nodes((one.node, one.tests, one.order), Variable)))
        ordered.append(next(ready, left[0]))
        left.remove(ordered[-1])
        bound.add(ordered[-1].end)
    ends = dict.fromkeys(one.end for one in ordered if isinstance(one.end, Variable) and one.end not in path.nodes)
    names = {end: Variable(f"sk{at}") for at, end in enumerate(ends)}
    return substituted(replace(path, restrictions=tuple(ordered)), names)


def _answer(graph: QueryGraph) -> Variable:
    if graph.ask:
        raise NotAPath("a path leads to answers; this is a yes/no question")
    if graph.is_aggregated:
        raise NotAPath("a path has no aggregate, and the query has one")
    if graph.sources or graph.named_sources:
        raise NotAPath("a path names no graph, and the query does")
    if any(isinstance(column, patterns.Computed) for column in graph.columns):
        raise NotAPath("a path has no computed column, and the query has one")
    if len(graph.variables) != 1:
        raise NotAPath(f"a path has one answer, and the query has {len(graph.variables)} columns")
    return graph.variables[0]


def _parts(where: Iterable[patterns.Part]) -> Iterator[Any]:
    for part in where:
        if isinstance(part, patterns.Union) and len(part.groups) == 1:
            yield from _parts(part.groups[0])
        elif isinstance(part, EdgePattern | ClassPattern | Filter):
            yield part
        else:
            raise NotAPath(f"a path cannot express {_OTHER.get(type(part).__name__, 'a part of the query')}")


def _conjuncts(test: Value) -> list[Value]:
    if isinstance(test, Logic) and test.sign == "&&":
        return [one for part in test.parts for one in _conjuncts(part)]
    if any(nodes(test, patterns.Exists)):
        raise NotAPath("a path cannot express a condition with patterns of its own")
    return [test]


def _single(part: EdgePattern | ClassPattern, number: int) -> list[EdgePattern]:
    """Return the single edges of a part; what is between those of a sequence has a name of its own."""
    if isinstance(part, ClassPattern):
        if len(part.classes) != 1 or part.below:
            raise NotAPath("a path cannot express a choice of classes")
        return [EdgePattern(part.instance, IRI(RDF_TYPE), part.classes[0])]
    is_sequence = isinstance(part.relation, Path) and part.relation.sign == "/"
    relations = part.relation.relations if isinstance(part.relation, Path) and is_sequence else (part.relation,)
    between = [Variable(f" {number}.{at}") for at in range(len(relations) - 1)]
    ends = [_node(part.subject), *between, _node(part.object)]
    return [EdgePattern(*one) for one in zip(ends, map(_relation, relations), ends[1:], strict=False)]


def _relation(relation: object) -> IRI:
    if isinstance(relation, IRI):
        return relation
    what = "alternative or repeated relations" if isinstance(relation, Path) else "a relation that is a variable"
    raise NotAPath(f"a path cannot express {what}")


def _node(term: QueryTerm) -> QueryTerm:
    return Variable(f" {term.value}") if isinstance(term, BlankNode) else term


def _main(edges: _Edges, answer: Variable) -> tuple[IRI | Literal, tuple[EdgePattern, ...]]:
    """Return the topic and the edges from it to the answer.

    The topic is the first entity that leads to the answer; a class or a literal only where there is no other.
    """
    ranked: list[tuple[int, IRI | Literal]] = []
    for edge in edges:
        for end in (edge.subject, edge.object):
            if isinstance(end, IRI | Literal):
                is_class = edge.relation == IRI(RDF_TYPE) and end is edge.object
                ranked.append((2 if is_class else 1 if isinstance(end, Literal) else 0, end))
    for _, topic in sorted(ranked, key=lambda one: one[0]):
        if chain := _way(edges, topic, answer):
            return topic, chain
    if not ranked:
        raise NotAPath("a path starts at something that is named, and the query names nothing")
    raise NotAPath("nothing that the query names leads to its answer")


def _way(edges: _Edges, topic: QueryTerm, answer: Variable) -> tuple[EdgePattern, ...]:
    """Return the edges of the shortest way from a topic over variables to the answer; none if there is no way."""
    ways: dict[QueryTerm, tuple[EdgePattern, ...]] = {topic: ()}
    queue = [topic]
    for node in queue:
        for edge in edges:
            for near, far in ((edge.subject, edge.object), (edge.object, edge.subject)):
                if near == node and far not in ways and isinstance(far, Variable):
                    ways[far] = (*ways[node], edge)
                    queue.append(far)
    return ways.get(answer, ())
