"""Measures: the values by which entities can be compared, and conditions on them in the graph's own units.

A measure is a relation whose values are numbers or dates and whose name fits what the question compares by: "longer"
fits a length, "inhabitants" a population.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from triad.kg.schema import DOCUMENTATION, Hop
from triad.language.analysis import Comparison
from triad.language.pack import Measures
from triad.language.units import converted
from triad.lexical.graph_search import LOOKED_AT, Walk
from triad.lexical.matching import LEAST_FIT
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node
from triad.queries.comparisons import held, held_against_date, held_against_number
from triad.rdf import IRI, Literal, is_number, kind_of
from triad.sparql.patterns import EdgePattern, Expression, Filter, Part, Path, Variable

__all__ = [
    "Measure",
    "comparable",
    "condition",
    "counting_fits",
    "find_measures",
    "find_values",
    "groupings",
    "node_of",
    "own_measure",
    "places",
]

_DATE_FIT: Final = 0.3  # the fit of a date that nothing names; most entities have few dates
_CLOSE_LOOK: Final = 40  # nodes that are asked for a measure
_MEASURES: Final = 2  # measures tried for one node


@dataclass(frozen=True, slots=True)
class Measure:
    """A value of the entities of a node, by which they can be compared."""

    parts: tuple[Part, ...]
    """Patterns that bind it."""
    variable: Variable
    """The variable that stands for it."""
    fit: float
    """How well it fits what the question compares by, from 0 to 1."""
    hop: Hop
    """The relation that leads from the entities to it, or to what stands for a quantity."""
    sample: Literal
    """One of the values."""
    positions: frozenset[int] = frozenset()
    """The words of the question that name the relation, beside those that compare."""


def comparable(nodes: Sequence[Node], positions: frozenset[int]) -> Iterator[Node]:
    """Yield the nodes whose entities may be compared, without those that the comparison's own words name."""
    for node in nodes[:_CLOSE_LOOK]:
        if node.things and not any(positions & mention.positions for mention in node.mentions):
            yield node


def groupings(nodes: Sequence[Node]) -> Iterator[tuple[Node, Variable, Variable]]:
    """Yield nodes that end in a step between entities, with the variables to group by and to count, both ways."""
    for node in nodes:
        if node.before and not node.mentions and node.things and isinstance(node.focus, Variable):
            yield node, node.focus, node.before
            yield node, node.before, node.focus


def node_of(mention: LinkedMention) -> Node:
    """Return the node of a named entity alone."""
    thing = IRI(mention.candidate.iri)
    return Node(thing, mentions=(mention,), ends=(thing,))


def own_measure(node: Node, *, dates: bool) -> Measure | None:
    """Return the values of a node themselves as what is compared, if they are numbers, or dates if these are asked."""
    sample = node.ends[0] if node.ends else None
    if not isinstance(sample, Literal) or kind_of(sample) != ("date" if dates else "number") or not node.edges:
        return None
    assert isinstance(node.focus, Variable)  # entities that are literals were found
    last = node.edges[-1]
    hop = Hop(last.relation, last.label, "out", 1, sample, sample.value)
    return Measure((), node.focus, last.match.fit, hop, sample)


def counting_fits(walk: Walk, node: Node, counted: Variable, measures: Measures) -> float:
    """Return how well the number of a variable's values fits what is compared: "most films"."""
    names = walk.context.schema.labels(node.classes if counted == node.focus else ())
    fits = [walk.matcher.measure(name, iri, measures) for iri, name in names.items()]
    return max([*(walk.matcher.measure(edge.label, edge.relation, measures) for edge in node.edges[-1:]), *fits])


def places(*comparisons: Comparison) -> frozenset[int]:
    """Return the positions of comparisons' words."""
    return frozenset(at for comparison in comparisons for at in range(comparison.start, comparison.end))


def find_measures(walk: Walk, node: Node, measures: Measures, *, dates: bool = False) -> list[Measure]:
    """Return what the entities of a node can be compared by, the best first.

    Args:
        walk: The search.
        node: The entities.
        measures: Names of what the question compares by, the best first.
        dates: Whether dates will do, whatever they are called.

    Raises:
        GraphError: The graph failed.
    """
    found = walk.patiently(partial(_measures, walk, measures=measures, dates=dates), node)
    found.sort(key=lambda measure: -measure.fit)
    return found[:_MEASURES]


def find_values(walk: Walk, node: Node, without: frozenset[int]) -> list[Measure]:
    """Return the numbers of entities that the question names, some words left out, the best first."""
    found = walk.patiently(partial(_values, walk, without=without), node)
    found.sort(key=lambda measure: -measure.fit)
    return found[:_MEASURES]


def _values(walk: Walk, node: Node, without: frozenset[int]) -> Iterator[Measure]:
    for hop in walk.context.schema.joint_card(node.things[:LOOKED_AT], ["out"], brief=True):
        match = walk.matcher.relation(hop.label, hop.relation, without)
        if match.fit < LEAST_FIT or hop.relation.startswith(DOCUMENTATION):
            continue
        if isinstance(hop.sample, IRI):
            yield from _inner(walk, node, hop, match.fit, match.positions)
        elif is_number(hop.sample):
            variable = walk.variable()
            parts = (node.step(hop.relation, variable, forward=True),)
            yield Measure(parts, variable, match.fit, hop, hop.sample, match.positions)


def _measures(walk: Walk, node: Node, measures: Measures, dates: bool) -> Iterator[Measure]:
    for hop in walk.context.schema.joint_card(node.things[:LOOKED_AT], ["out"], brief=True):
        if hop.relation.startswith(DOCUMENTATION):
            continue
        fit = walk.matcher.measure(hop.label, hop.relation, measures)
        if dates and isinstance(hop.sample, Literal) and kind_of(hop.sample) == "date":
            named = walk.matcher.relation(hop.label, hop.relation, node.covered).fit
            fit = max(fit, _DATE_FIT + (1 - _DATE_FIT) * named)
        if fit < (_DATE_FIT if dates else LEAST_FIT):
            continue
        said = walk.matcher.relation(hop.label, hop.relation, node.covered).positions
        if isinstance(hop.sample, IRI):
            yield from _inner(walk, node, hop, fit, said)
        elif isinstance(hop.sample, Literal) and kind_of(hop.sample) != "text":
            variable = walk.variable()
            parts = (node.step(hop.relation, variable, forward=True),)
            yield Measure(parts, variable, fit * (0.8 + 0.2 * hop.coverage), hop, hop.sample, said)


def _inner(walk: Walk, node: Node, hop: Hop, fit: float, said: frozenset[int]) -> Iterator[Measure]:
    """Yield the numbers of an entity that stands for a quantity, as of a price with its currency."""
    card = walk.context.schema.joint_card([hop.sample.value], ["out"], brief=True)
    numbers = [(inner, inner.sample) for inner in card if is_number(inner.sample)]
    if len(numbers) == 1:  # an entity with several numbers is more than a quantity
        [(inner, sample)] = numbers
        variable = walk.variable()
        path = Path((IRI(hop.relation), IRI(inner.relation)))
        yield Measure((EdgePattern(node.focus, path, variable),), variable, 0.9 * fit, hop, sample, said)


def condition(walk: Walk, measure: Measure, *bounds: Comparison) -> Filter:
    """Return the condition that holds a measure against dates or numbers."""
    return held(*(_condition(walk, measure, bound) for bound in bounds))


def _condition(walk: Walk, measure: Measure, bound: Comparison) -> Expression:
    if bound.date is not None:
        return held_against_date(measure.variable, bound.operator, bound.date, measure.sample)
    assert bound.value is not None
    return held_against_number(measure.variable, bound.operator, _in_unit(walk, measure, bound, bound.value))


def _in_unit(walk: Walk, measure: Measure, bound: Comparison, value: float) -> float:
    """Return a bound in the unit in which the graph has the measure, as far as names and descriptions tell."""
    pack, hop = walk.matcher.pack, measure.hop
    if bound.unit not in pack.units:
        return value
    described = walk.context.schema.descriptions([hop.relation])[hop.relation]
    found = converted(value, bound.unit, (hop.label, described), pack)
    return value if found is None else found
