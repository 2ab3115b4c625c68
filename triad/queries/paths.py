"""Reasoning paths: a query as a way from a topic to the answer, with restrictions on what is passed.

A path starts at a topic, follows relations along or against their direction, and ends at the answer. Its nodes may be
restricted: by edges to entities, by edges to numbers, dates and texts that meet conditions, by an order with a limit.
That is the form in which small models learn queries, and in which a relation can be repaired without the others.

>>> from triad.sparql.writer import render
>>> won = Step(IRI("award"), forward=False)
>>> path = ReasoningPath(IRI("Oscar"), (won,), (Restriction(Variable("x"), Step(IRI("bornIn")), IRI("Bern")),))
>>> render(path.graph())
'SELECT DISTINCT ?x { ?x <award> <Oscar> . ?x <bornIn> <Bern> . }'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, get_args
from typing import Literal as Choice

from triad.rdf import IRI, XSD, Literal, kind_of
from triad.sparql.patterns import (
    Comparison,
    EdgePattern,
    Exists,
    Filter,
    Not,
    OneOf,
    Part,
    QueryTerm,
    Value,
    Variable,
    nodes,
    substituted,
    terms,
)
from triad.sparql.query_graph import Order, QueryGraph

__all__ = ["SORTS", "ReasoningPath", "Restriction", "Sort", "Step", "keys_of", "node_names"]

Sort = Choice["entity", "numeric", "string"]
"""What a restriction demands: an entity, a number or a date, a text."""

SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
"""The sorts of restrictions, in the order in which a path has them."""

_NODES: Final = ("k", "c", "y", "x")
"""Names of the nodes of a path of four steps; shorter ones have the last of them."""
_TEXTS: Final = (XSD + "string", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString")


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
        literals = [term for term in terms((*self.tests, *keys_of(self))) if isinstance(term, Literal)]
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
            used = {name for one in kept for name in (one.node, *terms((*one.tests, *keys_of(one))))}
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
        tested = [term for one in self.restrictions for term in terms((*one.tests, *keys_of(one)))]
        return tuple(dict.fromkeys(term for term in (*found, *tested) if isinstance(term, IRI)))


def node_names(steps: int) -> tuple[Variable, ...]:
    """Return the names of the nodes of a path of so many steps.

    >>> [str(name) for name in node_names(2)], str(node_names(6)[0])
    (['?y', '?x'], '?n2')
    """
    names = [f"n{at}" for at in range(steps - len(_NODES), 0, -1)] + list(_NODES)
    return tuple(map(Variable, names[len(names) - steps :]))


def keys_of(one: Restriction) -> tuple[Value, ...]:
    """Return the sort key of a restriction, if it has one."""
    return (one.order.key,) if one.order else ()


def _leads_on(one: Restriction) -> bool:
    return isinstance(one.end, Variable) and not one.tests and not one.order


def _negates(value: Value) -> bool:
    return (
        any(True for _ in nodes(value, Not))
        or any(one.sign == "!=" for one in nodes(value, Comparison))
        or any(one.negated for one in nodes(value, OneOf))
        or any(one.negated for one in nodes(value, Exists))
    )
