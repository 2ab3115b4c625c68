"""Bounds: the things above, below or between values, or those with more of something than a named thing has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.lexical.forms.measures import comparable, condition, find_measures, groupings, node_of, places
from triad.lexical.forms.proposal import Proposal
from triad.lexical.nodes import Node
from triad.lexical.reading import Comparison
from triad.lexical.spotting import Item
from triad.lexical.walking import Walk

__all__ = ["filtered"]

_COUNTABLE: Final = 1_000  # the greatest number that is taken for one of things and not for a value of something
_COUNTED_FIT: Final = 0.5  # the fit of a number of things: nothing says what is counted, or that anything is
_NAMED: Final = 2  # things after "than" that are tried


def filtered(walk: Walk, nodes: Sequence[Node], items: Sequence[Item]) -> Iterator[Proposal]:
    """Yield proposals for comparisons: "longer than 400 km", "before 1970", "more inhabitants than Bern"."""
    yield from _beyond_a_thing(walk, nodes, items)
    for bounds in _bounds(walk.reading.comparisons):
        positions = places(*bounds)
        for node in comparable(nodes, positions):
            dates = bounds[0].date is not None
            for measure in find_measures(walk, node, bounds[0].measures, dates=dates):
                conditions = " && ".join(condition(walk, measure, bound) for bound in bounds)
                query = f"SELECT DISTINCT ?{node.focus} {{ {node.where} {measure.line} FILTER({conditions}) }}"
                proposal = Proposal(query, "select", "filter", node, measure=measure.fit, positions=positions)
                yield _maybe_counted(walk, proposal)
        yield from _more_than(nodes, bounds[0], positions)


def _bounds(comparisons: Sequence[Comparison]) -> list[tuple[Comparison, ...]]:
    """Return the comparisons with a value, those of one range together."""
    ranges: dict[tuple[int, int], list[Comparison]] = {}
    for comparison in comparisons:
        if comparison.value is not None or comparison.date is not None:
            ranges.setdefault((comparison.start, comparison.end), []).append(comparison)
    return [tuple(found) for found in ranges.values()]


def _more_than(nodes: Sequence[Node], bound: Comparison, positions: frozenset[int]) -> Iterator[Proposal]:
    """Yield proposals for what has more than so many of something."""
    if bound.value is None or bound.date is not None or bound.unit is not None or bound.value > _COUNTABLE:
        return
    for node, group, counted in groupings(nodes):
        query = (
            f"SELECT ?{group} {{ {node.where} }} GROUP BY ?{group} "
            f"HAVING(COUNT(DISTINCT ?{counted}) {bound.operator} {bound.value:g})"
        )
        yield Proposal(query, "select", "group", node, measure=_COUNTED_FIT, positions=positions, target=group)


def _beyond_a_thing(walk: Walk, nodes: Sequence[Node], items: Sequence[Item]) -> Iterator[Proposal]:
    """Yield proposals for what has more of something than a thing that is named: "more inhabitants than Italy"."""
    entities = [item for item in items if item.candidate.kind == "entity"]
    for bound in walk.reading.comparisons:
        if bound.than is None or bound.difference:
            continue
        things = [item for item in entities if bound.than <= item.start <= bound.than + 1]
        for item in things[:_NAMED]:
            seconds = {measure.hop.relation: measure for measure in find_measures(walk, node_of(item), bound.measures)}
            for node in comparable(nodes, item.positions):
                for first in find_measures(walk, node, bound.measures):
                    if (second := seconds.get(first.hop.relation)) is None:
                        continue
                    query = (
                        f"SELECT DISTINCT ?{node.focus} {{ {node.where} {first.line} {second.line} "
                        f"FILTER(?{first.variable} {bound.operator} ?{second.variable}) }}"
                    )
                    known = replace(node, items=(*node.items, item))
                    proposal = Proposal(query, "select", "filter", known, measure=first.fit, positions=places(bound))
                    yield _maybe_counted(walk, proposal)


def _maybe_counted(walk: Walk, proposal: Proposal) -> Proposal:
    """Return a proposal for the number of things if the question asks for it."""
    if walk.reading.answer_type != "count":
        return proposal
    focus = proposal.node.focus
    query = proposal.query.replace(f"SELECT DISTINCT ?{focus}", f"SELECT (COUNT(DISTINCT ?{focus}) AS ?count)", 1)
    return replace(proposal, query=query, answer_type="count")
