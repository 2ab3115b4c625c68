"""Superlatives: the greatest of the entities, by one of their measures or by a count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from triad.language.operators import Operator
from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.forms.measures import comparable, counting_fits, find_measures, groupings
from triad.lexical.graph_search import Walk
from triad.lexical.matching import LEAST_FIT
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node
from triad.rdf import IRI
from triad.sparql.patterns import Aggregate, Expression, Values
from triad.sparql.query_graph import QueryGraph

__all__ = ["ordered"]

_PASSING: Final = 12  # candidate queries with a comparison in which the greatest is looked for


def ordered(
    walk: Walk, nodes: Sequence[Node], mentions: Sequence[LinkedMention], passing: Sequence[CandidateQuery] = ()
) -> Iterator[CandidateQuery]:
    """Yield candidate queries for superlatives: "the second longest river", "which city has the most inhabitants".

    Args:
        walk: The search.
        nodes: The nodes that it found, the most promising first.
        mentions: The named entities and values, the likeliest first.
        passing: Candidate queries with a comparison, as for "the longest river under 1000 km".
    """
    order = walk.analysis.order
    if order is None:
        return
    positions = frozenset(range(order.start, order.end))
    choice = [(node, 1.0, positions) for node in (*_chosen_among(walk, mentions), *comparable(nodes, positions))]
    within = [each for each in passing if each.answer_type == "select" and positions.isdisjoint(each.positions)]
    choice += [(each.node, each.measure, positions | each.positions) for each in within[:_PASSING]]
    for node, fit, said in choice:
        for measure in find_measures(walk, node, order.measures):
            query = _ranked(node.graph.narrowed(*measure.parts), measure.variable, order)
            both = said | measure.positions
            yield CandidateQuery(query, "select", "order", node, measure=min(fit, measure.fit), positions=both)
    for node, group, counted in groupings(nodes):
        if (fit := counting_fits(walk, node, counted, order.measures)) >= LEAST_FIT:
            query = _ranked(node.graph.grouped_by(group), Aggregate("COUNT", counted, distinct=True), order)
            yield CandidateQuery(query, "select", "group", node, measure=fit, positions=positions, target=group)


def _ranked(graph: QueryGraph, key: Expression, order: Operator) -> QueryGraph:
    return graph.extreme(key, descending=order.descending, count=order.count, skip=order.first - 1)


def _chosen_among(walk: Walk, mentions: Sequence[LinkedMention]) -> Iterator[Node]:
    """Yield the node of the entities that the question offers as a choice: "France or Italy"."""
    if not walk.analysis.either:
        return
    best: dict[int, LinkedMention] = {}
    for mention in mentions:
        if mention.candidate.kind == "entity":
            best.setdefault(mention.start, mention)
    named = [
        mention for _, mention in sorted(best.items()) if not any(_inside(mention, other) for other in best.values())
    ]
    if len(named) > 1:
        focus = walk.variable()
        ends = tuple(IRI(mention.candidate.iri) for mention in named)
        kinds = walk.kinds.named(named[0].candidate.types, frozenset().union(*(mention.positions for mention in named)))
        yield Node(focus, (Values.of(focus, *ends),), tuple(named), kinds=kinds, ends=ends)


def _inside(mention: LinkedMention, other: LinkedMention) -> bool:
    return mention is not other and other.start <= mention.start and mention.end <= other.end
