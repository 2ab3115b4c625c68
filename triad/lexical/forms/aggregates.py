"""Aggregates: the average or the sum of a measure, over all entities or per group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.forms.measures import find_values
from triad.lexical.graph_search import Walk
from triad.lexical.nodes import Node
from triad.sparql.patterns import Variable

__all__ = ["aggregates"]

_FUNCTIONS: Final = {"average": "AVG", "total": "SUM"}
_CLOSE_LOOK: Final = 12  # nodes whose values are looked at


def aggregates(walk: Walk, nodes: Sequence[Node]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for averages and sums: "the average length", "for each supplier the average price"."""
    pack = walk.matcher.pack
    words = [pack.key(word.text) for word in walk.analysis.words]
    for form, function in _FUNCTIONS.items():
        for at in range(len(words)):
            if found := pack.forms[form].longest(words, at):
                yield from _of(walk, nodes, function, range(at, found[0]))


def _of(walk: Walk, nodes: Sequence[Node], function: str, words: range) -> Iterator[CandidateQuery]:
    said, each = frozenset(words), walk.analysis.each
    comparable = [node for node in nodes if node.things and node.covered.isdisjoint(said)]
    for node in comparable[:_CLOSE_LOOK]:
        group = next(
            (
                name
                for name in (node.focus, node.before)
                if isinstance(name, Variable) and each in node.said.get(name, ())
            ),
            None,
        )
        for value in find_values(walk, node, node.covered | said):
            query = node.graph.narrowed(*value.parts).aggregated(function, value.variable, by=group)
            like = () if group else (value.sample,)  # an aggregate is a number like its values
            yield CandidateQuery(
                query,
                "select",
                "aggregate",
                node,
                like,
                value.fit,
                positions=said | value.positions,
                target=group,
            )
