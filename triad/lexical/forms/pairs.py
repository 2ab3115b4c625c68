"""Two named things compared with each other: "is the Rhine longer than the Aare", "how much longer"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from triad.lexical.forms.measures import Measure, find_measures, node_of, places
from triad.lexical.forms.proposal import Proposal
from triad.lexical.nodes import Node
from triad.lexical.reading import Comparison
from triad.lexical.spotting import Item
from triad.lexical.walking import Walk

__all__ = ["compared", "differences"]


def compared(walk: Walk, items: Sequence[Item]) -> Iterator[Proposal]:
    """Yield proposals for whether one named thing has more of something than another."""
    for comparison in walk.reading.comparisons:
        for node, first, second in _pairs(walk, comparison, items):
            query = (
                f"ASK {{ {first.line} {second.line} "
                f"FILTER(?{first.variable} {comparison.operator} ?{second.variable}) }}"
            )
            said = places(comparison) | first.positions
            yield Proposal(query, "boolean", "filter", node, measure=first.fit, positions=said)


def differences(walk: Walk, items: Sequence[Item]) -> Iterator[Proposal]:
    """Yield proposals for how much more of something one named thing has than another."""
    for comparison in walk.reading.comparisons:
        if comparison.difference:
            for node, first, second in _pairs(walk, comparison, items):
                query = (
                    f"SELECT (ABS(?{first.variable} - ?{second.variable}) AS ?difference) "
                    f"{{ {first.line} {second.line} }}"
                )
                said = places(comparison) | first.positions
                yield Proposal(query, "select", "difference", node, measure=first.fit, positions=said)


def _pairs(walk: Walk, comparison: Comparison, items: Sequence[Item]) -> Iterator[tuple[Node, Measure, Measure]]:
    """Yield two things that a comparison may be of as a node, and a measure that both have."""
    dates = not comparison.measures  # "before" compares dates without naming any
    for one, other in _sides(comparison, items):
        others = find_measures(walk, node_of(other), comparison.measures, dates=dates)
        seconds = {measure.hop.relation: measure for measure in others}
        for first in find_measures(walk, node_of(one), comparison.measures, dates=dates):
            if second := seconds.get(first.hop.relation):
                yield Node(f"<{one.candidate.iri}>", items=(one, other)), first, second


def _sides(comparison: Comparison, items: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
    """Yield the pairs of things that a comparison may be of: what stands after "than" comes second."""
    if comparison.than is None:
        return
    things = [item for item in items if item.candidate.kind == "entity"]
    for one in things:
        for other in things:
            if one.end <= comparison.than <= other.start <= comparison.than + 2:
                yield one, other
