"""Two named entities compared with each other: "is the Rhine longer than the Aare", "how much longer"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triad.language.analysis import Comparison
from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.forms.measures import Measure, find_measures, node_of, places
from triad.lexical.graph_search import Walk
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node
from triad.rdf import IRI
from triad.sparql.patterns import Arithmetic, Call, Computed, Filter, Variable
from triad.sparql.patterns import Comparison as Test
from triad.sparql.query_graph import QueryGraph

__all__ = ["compared", "differences"]


def compared(walk: Walk, mentions: Sequence[LinkedMention]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for whether one named entity exceeds another in a measure."""
    for comparison in walk.analysis.comparisons:
        for node, first, second in _pairs(walk, comparison, mentions):
            held = Filter(Test(first.variable, comparison.operator, second.variable))
            query = QueryGraph.whether(*first.parts, *second.parts, held)
            said = places(comparison) | first.positions
            yield CandidateQuery(query, "boolean", "filter", node, measure=first.fit, positions=said)


def differences(walk: Walk, mentions: Sequence[LinkedMention]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for the difference of a measure between two named entities."""
    for comparison in walk.analysis.comparisons:
        if comparison.difference:
            for node, first, second in _pairs(walk, comparison, mentions):
                apart = Call("ABS", (Arithmetic(first.variable, "-", second.variable),))
                query = QueryGraph((Computed(apart, Variable("difference")),), (*first.parts, *second.parts))
                said = places(comparison) | first.positions
                yield CandidateQuery(query, "select", "difference", node, measure=first.fit, positions=said)


def _pairs(
    walk: Walk, comparison: Comparison, mentions: Sequence[LinkedMention]
) -> Iterator[tuple[Node, Measure, Measure]]:
    """Yield pairs of entities that may be compared, as a node, with a measure that both have."""
    dates = not comparison.measures  # "before" compares dates without naming any
    for one, other in _sides(comparison, mentions):
        others = find_measures(walk, node_of(other), comparison.measures, dates=dates)
        seconds = {measure.hop.relation: measure for measure in others}
        for first in find_measures(walk, node_of(one), comparison.measures, dates=dates):
            if second := seconds.get(first.hop.relation):
                yield Node(IRI(one.candidate.iri), mentions=(one, other)), first, second


def _sides(comparison: Comparison, mentions: Sequence[LinkedMention]) -> Iterator[tuple[LinkedMention, LinkedMention]]:
    """Yield the pairs of entities that may be compared; the one after "than" comes second."""
    if comparison.than is None:
        return
    entities = [mention for mention in mentions if mention.candidate.kind == "entity"]
    for one in entities:
        for other in entities:
            if one.end <= comparison.than <= other.start <= comparison.than + 2:
                yield one, other
