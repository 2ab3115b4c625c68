"""Two named things compared with each other: "is the Rhine longer than the Aare", "how much longer"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triad.language.analysis import Comparison
from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.forms.measures import Measure, find_measures, node_of, places
from triad.lexical.graph_search import Walk
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node

__all__ = ["compared", "differences"]


def compared(walk: Walk, mentions: Sequence[LinkedMention]) -> Iterator[CandidateQuery]:
    """Yield proposals for whether one named thing has more of something than another."""
    for comparison in walk.analysis.comparisons:
        for node, first, second in _pairs(walk, comparison, mentions):
            query = (
                f"ASK {{ {first.line} {second.line} "
                f"FILTER(?{first.variable} {comparison.operator} ?{second.variable}) }}"
            )
            said = places(comparison) | first.positions
            yield CandidateQuery(query, "boolean", "filter", node, measure=first.fit, positions=said)


def differences(walk: Walk, mentions: Sequence[LinkedMention]) -> Iterator[CandidateQuery]:
    """Yield proposals for how much more of something one named thing has than another."""
    for comparison in walk.analysis.comparisons:
        if comparison.difference:
            for node, first, second in _pairs(walk, comparison, mentions):
                query = (
                    f"SELECT (ABS(?{first.variable} - ?{second.variable}) AS ?difference) "
                    f"{{ {first.line} {second.line} }}"
                )
                said = places(comparison) | first.positions
                yield CandidateQuery(query, "select", "difference", node, measure=first.fit, positions=said)


def _pairs(
    walk: Walk, comparison: Comparison, mentions: Sequence[LinkedMention]
) -> Iterator[tuple[Node, Measure, Measure]]:
    """Yield two things that a comparison may be of as a node, and a measure that both have."""
    dates = not comparison.measures  # "before" compares dates without naming any
    for one, other in _sides(comparison, mentions):
        others = find_measures(walk, node_of(other), comparison.measures, dates=dates)
        seconds = {measure.hop.relation: measure for measure in others}
        for first in find_measures(walk, node_of(one), comparison.measures, dates=dates):
            if second := seconds.get(first.hop.relation):
                yield Node(f"<{one.candidate.iri}>", mentions=(one, other)), first, second


def _sides(comparison: Comparison, mentions: Sequence[LinkedMention]) -> Iterator[tuple[LinkedMention, LinkedMention]]:
    """Yield the pairs of things that a comparison may be of: what stands after "than" comes second."""
    if comparison.than is None:
        return
    things = [mention for mention in mentions if mention.candidate.kind == "entity"]
    for one in things:
        for other in things:
            if one.end <= comparison.than <= other.start <= comparison.than + 2:
                yield one, other
