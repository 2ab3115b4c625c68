"""Bounds: the entities with a measure above, below or between values, or above that of a named entity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from triad.language.analysis import Comparison
from triad.lexical.forms.candidate_query import CandidateQuery, Form
from triad.lexical.forms.measures import (
    comparable,
    condition,
    counting_fits,
    find_measures,
    groupings,
    node_of,
    own_measure,
    places,
)
from triad.lexical.graph_search import Walk
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node
from triad.sparql.patterns import Aggregate, Filter, Part, Variable, number
from triad.sparql.patterns import Comparison as Test
from triad.sparql.query_graph import QueryGraph

__all__ = ["bounded", "filtered"]

_COUNTABLE: Final = 1_000  # the greatest number that may bound a count of entities and not only a value
_COUNTED_FIT: Final = 0.5  # the fit of a count as measure, as no word says that something is counted
_NAMED: Final = 2  # entities after "than" that are tried, and entities that a yes/no question may be about


def filtered(walk: Walk, nodes: Sequence[Node], mentions: Sequence[LinkedMention]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for comparisons: "longer than 400 km", "before 1970", "more inhabitants than Bern".

    The node of each has the comparison among its patterns, so that other forms can build on it.
    """
    yield from _beyond_a_thing(walk, nodes, mentions)
    for bounds in _bounds(walk.analysis.comparisons):
        positions = places(*bounds)
        for node in comparable(nodes, positions):
            dates = bounds[0].date is not None
            for measure in find_measures(walk, node, bounds[0].measures, dates=dates):
                parts = (*measure.parts, condition(walk, measure, *bounds))
                yield _passing(walk, node, parts, measure.fit, positions | measure.positions)
        yield from _more_than(walk, nodes, bounds[0], positions)


def bounded(walk: Walk, nodes: Sequence[Node], mentions: Sequence[LinkedMention]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for whether a value is within bounds: "is it longer than 900 km", "born in 1867"."""
    things = [node_of(mention) for mention in mentions if mention.candidate.kind == "entity"][:_NAMED]
    within = [(node, frozenset[int]()) for node in nodes]
    if len(walk.analysis.comparisons) > 1:  # of the things within one bound, the number may be within another
        within += [(each.node, each.positions) for each in filtered(walk, nodes, mentions)]
    for bounds in _bounds(walk.analysis.comparisons):
        positions = places(*bounds)
        for node in comparable(things, positions):
            for measure in find_measures(walk, node, bounds[0].measures, dates=bounds[0].date is not None):
                query = QueryGraph.whether(*measure.parts, condition(walk, measure, *bounds))
                said = positions | measure.positions
                yield CandidateQuery(query, "boolean", "filter", node, measure=measure.fit, positions=said)
        for node, said in within:
            if said & positions or any(positions & mention.positions for mention in node.mentions):
                continue
            if not node.mentions and not node.restricted:
                continue
            if value := own_measure(node, dates=bounds[0].date is not None):
                query = node.graph.narrowed(condition(walk, value, *bounds)).asked()
                yield CandidateQuery(query, "boolean", "filter", node, measure=value.fit, positions=said | positions)
            elif _counts(bounds[0]) and node.things and isinstance(node.focus, Variable):
                size = walk.variable()
                query = QueryGraph.whether(node.graph.counted(size), Filter(_held_against(size, bounds[0])))
                fit = max(_COUNTED_FIT, counting_fits(walk, node, node.focus, bounds[0].measures))
                yield CandidateQuery(query, "boolean", "filter", node, measure=fit, positions=said | positions)


def _bounds(comparisons: Sequence[Comparison]) -> list[tuple[Comparison, ...]]:
    ranges: dict[tuple[int, int], list[Comparison]] = {}
    for comparison in comparisons:
        if comparison.value is not None or comparison.date is not None:
            ranges.setdefault((comparison.start, comparison.end), []).append(comparison)
    return [tuple(found) for found in ranges.values()]


def _counts(bound: Comparison) -> bool:
    return bound.value is not None and bound.date is None and bound.unit is None and bound.value <= _COUNTABLE


def _held_against(counted: Variable | Aggregate, bound: Comparison) -> Test:
    assert bound.value is not None
    return Test(counted, bound.operator, number(float(f"{bound.value:g}")))


def _more_than(
    walk: Walk, nodes: Sequence[Node], bound: Comparison, positions: frozenset[int]
) -> Iterator[CandidateQuery]:
    """Yield candidate queries for entities with more than a number of other entities: "more than three children"."""
    if not _counts(bound):
        return
    for node, group, counted in groupings(nodes):
        query = node.graph.grouped_by(group, _held_against(Aggregate("COUNT", counted, distinct=True), bound))
        fit = max(_COUNTED_FIT, counting_fits(walk, node, counted, bound.measures))
        sample = next((other.ends for other in nodes if other.focus == group), ())
        grouped = replace(node, focus=group, parts=(query,), ends=sample, before=None)
        if walk.analysis.answer_type == "count":
            yield _number(grouped, "group", fit, positions)
        else:
            yield CandidateQuery(query, "select", "group", grouped, measure=fit, positions=positions)


def _beyond_a_thing(walk: Walk, nodes: Sequence[Node], mentions: Sequence[LinkedMention]) -> Iterator[CandidateQuery]:
    """Yield candidate queries for entities above a named entity in a measure: "more inhabitants than Italy"."""
    entities = [mention for mention in mentions if mention.candidate.kind == "entity"]
    for bound in walk.analysis.comparisons:
        if bound.than is None or bound.difference:
            continue
        things = [mention for mention in entities if bound.than <= mention.start <= bound.than + 1]
        for mention in things[:_NAMED]:
            dates = not bound.measures  # "before" compares dates without naming any
            others = find_measures(walk, node_of(mention), bound.measures, dates=dates)
            seconds = {measure.hop.relation: measure for measure in others}
            for node in comparable(nodes, mention.positions):
                for first in find_measures(walk, node, bound.measures, dates=dates):
                    if (second := seconds.get(first.hop.relation)) is None:
                        continue
                    beyond = Filter(Test(first.variable, bound.operator, second.variable))
                    parts = (*first.parts, *second.parts, beyond)
                    known = replace(node, mentions=(*node.mentions, mention))
                    yield _passing(walk, known, parts, first.fit, places(bound) | first.positions)


def _passing(walk: Walk, node: Node, parts: Sequence[Part], fit: float, positions: frozenset[int]) -> CandidateQuery:
    passing = replace(node, parts=(*node.parts, *parts))
    if walk.analysis.answer_type == "count":
        return _number(passing, "filter", fit, positions)
    return CandidateQuery(passing.graph, "select", "filter", passing, measure=fit, positions=positions)


def _number(node: Node, form: Form, fit: float, positions: frozenset[int]) -> CandidateQuery:
    return CandidateQuery(node.graph.counted(), "count", form, node, measure=fit, positions=positions)
