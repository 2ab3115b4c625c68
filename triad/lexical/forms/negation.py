"""Negation: the entities of one node without those of another, or those that lack a relation.

"Which rivers do not flow through Germany" has two nodes, the rivers, by the words before "not", and what flows through
Germany, by those after it. "Countries that have no coast" and "people who are still alive" lack a relation altogether.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from triad.language.pack import Measures
from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.graph_search import LOOKED_AT, Walk
from triad.lexical.matching import Match
from triad.lexical.nodes import Edge, Node
from triad.rdf import IRI, Term
from triad.sparql.patterns import NegatedPart
from triad.sparql.writer import render

__all__ = ["excluding"]

_FROM: Final = 4  # nodes from which entities are left out
_LEFT_OUT: Final = 60  # nodes whose entities may be left out
_LEAST_FIT: Final = 0.5  # of a relation that the entities must lack


def excluding(walk: Walk, nodes: Sequence[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for the entities that are not in another node, or that lack a relation."""
    words = [walk.matcher.pack.key(word.text) for word in walk.analysis.words]
    for at in range(len(words)):
        if found := walk.matcher.pack.lacking.longest(words, at):
            for node in _said_outside(nodes, range(at, found[0])):
                yield from walk.patiently(partial(_lacking, walk, at=at, end=found[0], measures=found[1]), node)
    at = next((at for at in range(len(words)) if walk.matcher.pack.forms["negated"].longest(words, at)), -1)
    if at < 0:
        return
    after = range(at, len(words))
    for node in _said_outside(nodes, after):
        for other in nodes[:_LEFT_OUT]:
            own = other.covered - node.covered
            if other.edges and own and min(own) > at and (left := _left(node, other)):
                yield _except(walk, node, other, left)
        yield from walk.patiently(partial(_lacking, walk, at=at, end=len(words)), node)


def _said_outside(nodes: Sequence[Node], words: range) -> list[Node]:
    return [node for node in nodes if node.things and node.covered.isdisjoint(words)][:_FROM]


def _left(node: Node, other: Node) -> tuple[Term, ...]:
    ends = frozenset(other.ends)
    left = tuple(end for end in node.ends if end not in ends)
    return left if len(left) < len(node.ends) else ()


def _except(walk: Walk, node: Node, other: Node, left: tuple[Term, ...]) -> CandidateQuery:
    parts = tuple(part for part in other.parts_of(node.focus) if part not in node.parts)
    without = replace(
        node,
        parts=(*node.parts, NegatedPart(parts)),
        mentions=(*node.mentions, *other.mentions),
        edges=(*node.edges, *other.edges),
        kinds=node.kinds | other.kinds,
        ends=left,
    )
    return _candidate(walk, without)


def _lacking(walk: Walk, node: Node, *, at: int, end: int, measures: Measures = ()) -> Iterator[CandidateQuery]:
    """Yield candidate queries for those entities of a node that lack a relation which some words name."""
    words = frozenset(range(at, end))
    elsewhere = frozenset(range(len(walk.analysis.words))) - words
    things = node.things[:LOOKED_AT]
    for hop in walk.context.schema.joint_card(things, brief=True):
        match = walk.matcher.relation(hop.label, hop.relation, elsewhere)
        if measures:
            match = Match(walk.matcher.measure(hop.label, hop.relation, measures), words)
        if match.fit < _LEAST_FIT or hop.coverage == 1:
            continue
        forward = hop.direction == "out"
        value = walk.variable()
        lacking = replace(
            node,
            parts=(*node.parts, NegatedPart((node.step(hop.relation, value, forward=forward),))),
            edges=(*node.edges, Edge(hop.relation, hop.label, forward, match, None)),
        )
        rows = walk.context.graph.lookup(render(lacking.graph.first(len(node.ends)))).rows
        if rows:
            yield _candidate(walk, replace(lacking, ends=tuple(row[0] for row in rows if isinstance(row[0], IRI))))


def _candidate(walk: Walk, node: Node) -> CandidateQuery:
    if walk.analysis.answer_type == "count":
        return CandidateQuery(node.graph.counted(), "count", "except", node)
    return CandidateQuery(node.graph, "select", "except", node, node.ends)
