"""Forms: from things that were found to what the question asks of them.

The question may ask for the things, their number, whether there are any, the greatest of them, those above a
bound, or a number for each. Each way to read it becomes a proposal: a query, and the node that it was made from.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final
from typing import Literal as Choice

from triad.kg.schema import DOCUMENTATION, Hop
from triad.lexical.lexicon import Lexicon
from triad.lexical.reading import Comparison, Reading
from triad.lexical.spotting import Item
from triad.lexical.walking import DATES, Node, Walk, kind_of
from triad.types import IRI, XSD, AnswerType, Literal, Term

__all__ = ["Proposal", "propose"]

Form = Choice["list", "count", "number", "ask", "order", "filter", "group", "difference"]

_CLOSE_LOOK: Final = 40  # nodes that are asked for a measure
_MEASURES: Final = 2  # measures tried for one node
_SAMPLE: Final = 60  # things whose measures are looked up
_LEAST: Final = 0.35  # the least fit of a measure


@dataclass(slots=True)
class Proposal:
    """A query that may answer the question."""

    query: str
    """SPARQL, not yet guarded."""
    answer_type: AnswerType
    form: Form
    node: Node
    ends: tuple[Term, ...] = ()
    """What it finds, as far as that is known before it runs."""
    measure: float = 0.0
    """How well what is compared fits the question's words."""
    holds: bool | None = None
    """For a yes/no question whether the graph says yes."""
    positions: frozenset[int] = frozenset()
    """Words that the form accounts for, the node's aside."""
    target: str = ""
    """The variable whose values are the answer, if it is not the node's focus."""
    features: dict[str, float] = field(default_factory=dict)
    score: float = 0.0


@dataclass(frozen=True, slots=True)
class Measure:
    """A value of the things of a node, by which they can be compared."""

    line: str
    """Patterns that bind it."""
    variable: str
    fit: float
    hop: Hop
    count: bool = False
    """True if the values are to be counted and not compared."""


def propose(walk: Walk, nodes: Sequence[Node], items: Sequence[Item], classes: Sequence[Item]) -> list[Proposal]:
    """Return proposals for all readings of the question's form.

    Raises:
        GraphError: The graph failed.
    """
    nodes = [node for node in nodes if node.lines and not node.of_named]
    forms = _Forms(walk, walk.reading, classes)
    if walk.reading.answer_type == "boolean":
        return [*forms.comparisons_of_two(items), *forms.asks(nodes, items)]
    return [
        *forms.differences(items),
        *forms.ordered(nodes, items),
        *forms.filtered(nodes, items),
        *forms.grouped(nodes),
        *forms.counts(nodes),
        *forms.unions(nodes),
        *forms.lists(nodes),
    ]


class _Forms:
    def __init__(self, walk: Walk, reading: Reading, classes: Sequence[Item]) -> None:
        self.walk = walk
        self.reading = reading
        self.classes = classes
        self.lexicon: Lexicon = walk.matcher.lexicon

    # Plain

    def lists(self, nodes: Iterable[Node]) -> Iterator[Proposal]:
        for node in nodes:
            if node.ends:
                form: Form = "number" if all(_is_number(end) for end in node.ends[:5]) else "list"
                yield Proposal(_select(node), "select", form, node, node.ends)

    def counts(self, nodes: Iterable[Node]) -> Iterator[Proposal]:
        if self.reading.answer_type != "count":
            return
        for node in nodes:
            if node.ends and not any(_is_number(end) for end in node.ends[:5]):
                query = f"SELECT (COUNT(DISTINCT ?{node.focus}) AS ?count) {{ {_where(node)} }}"
                ends = (Literal(str(len(node.ends)), XSD + "integer"),)
                yield Proposal(query, "count", "count", node, ends)

    def unions(self, nodes: Sequence[Node]) -> Iterator[Proposal]:
        """Yield proposals for what has one relation to either of two named things: "by King or Tolkien"."""
        if not self.reading.either:
            return
        single = [node for node in nodes if len(node.items) == len(node.links) == 1 and len(node.lines) == 1]
        for one, other in itertools.combinations(single[:_CLOSE_LOOK], 2):
            first, second = one.items[0], other.items[0]
            same = (one.links[0].relation, one.links[0].forward) == (other.links[0].relation, other.links[0].forward)
            if not same or first.overlaps(second):
                continue
            thing = self.walk.variable()
            values = f"VALUES ?{thing} {{ <{first.candidate.iri}> <{second.candidate.iri}> }}"
            line = one.lines[0].replace(f"<{first.candidate.iri}> ", f"?{thing} ")
            node = replace(
                one,
                lines=(values, line),
                items=(first, second),
                links=(*one.links, *other.links),
                ends=tuple(dict.fromkeys((*one.ends, *other.ends))),
            )
            yield Proposal(_select(node), "select", "list", node, node.ends)

    # Yes or no

    def asks(self, nodes: Sequence[Node], items: Sequence[Item]) -> Iterator[Proposal]:
        by_iri = {item.candidate.iri: item for item in items if item.candidate.kind == "entity"}
        texts = {item.candidate.label: item for item in items if item.candidate.kind == "literal"}
        for node in nodes:
            if len(node.links) > 2:
                continue
            for end in node.ends:
                item = by_iri.get(end.value) if isinstance(end, IRI) else texts.get(end.value)
                if item and node.items and not any(item.overlaps(other) for other in node.items):
                    yield self._ask(node, item, end, True)
            if len(node.links) == 1 and node.items:
                for item in items:
                    end = IRI(item.candidate.iri)
                    if (
                        item.candidate.kind == "entity"
                        and end not in node.ends
                        and not any(item.overlaps(other) for other in node.items)
                    ):
                        yield self._ask(node, item, end, False)
            query = f"ASK {{ {_where(node)} }}"
            yield Proposal(query, "boolean", "list", node, node.ends, holds=True)
        for item in items:
            for kind in self.classes:
                if item.candidate.kind == "entity" and not item.overlaps(kind):
                    yield self._is_a(item, kind)

    def _ask(self, node: Node, item: Item, end: Term, holds: bool) -> Proposal:
        lines = " ".join(node.lines).replace(f"?{node.focus} ", f"{end.n3()} ")
        known = replace(node, items=(*node.items, item))
        return Proposal(f"ASK {{ {lines} }}", "boolean", "ask", known, (end,), holds=holds)

    def _is_a(self, item: Item, kind: Item) -> Proposal:
        of = self.walk.context.schema.kinds(kind.candidate.iri)
        holds = any(iri in of for iri in item.candidate.types)
        values = " ".join(f"<{iri}>" for iri in of)
        query = f"ASK {{ VALUES ?kind {{ {values} }} <{item.candidate.iri}> a ?kind }}"
        node = Node(f"<{item.candidate.iri}>", items=(item,))
        return Proposal(query, "boolean", "ask", node, holds=holds, positions=kind.positions)

    # Things compared with each other

    def comparisons_of_two(self, items: Sequence[Item]) -> Iterator[Proposal]:
        for comparison in self.reading.comparisons:
            for one, other in self._sides(comparison, items):
                for first, second in self._measured(comparison, one, other):
                    query = (
                        f"ASK {{ {first.line} {second.line} "
                        f"FILTER(?{first.variable} {comparison.operator} ?{second.variable}) }}"
                    )
                    node = Node(f"<{one.candidate.iri}>", items=(one, other))
                    yield Proposal(query, "boolean", "filter", node, measure=first.fit, positions=_places(comparison))

    def differences(self, items: Sequence[Item]) -> Iterator[Proposal]:
        for comparison in self.reading.comparisons:
            if not comparison.difference:
                continue
            for one, other in self._sides(comparison, items):
                for first, second in self._measured(comparison, one, other):
                    query = (
                        f"SELECT (ABS(?{first.variable} - ?{second.variable}) AS ?difference) "
                        f"{{ {first.line} {second.line} }}"
                    )
                    node = Node(f"<{one.candidate.iri}>", items=(one, other))
                    yield Proposal(
                        query, "select", "difference", node, measure=first.fit, positions=_places(comparison)
                    )

    def _sides(self, comparison: Comparison, items: Sequence[Item]) -> Iterator[tuple[Item, Item]]:
        """Yield the pairs of things that a comparison may be of: what stands after "than" comes second."""
        things = [item for item in items if item.candidate.kind == "entity"]
        if comparison.than is None:
            return
        for one in things:
            for other in things:
                if one.end <= comparison.than <= other.start and other.start - comparison.than <= 2:
                    yield one, other

    def _measured(self, comparison: Comparison, one: Item, other: Item) -> Iterator[tuple[Measure, Measure]]:
        nodes = [Node(f"<{item.candidate.iri}>", ends=(IRI(item.candidate.iri),)) for item in (one, other)]
        seconds = {(measure.hop.relation): measure for measure in self._measures(nodes[1], comparison.measures)}
        for first in self._measures(nodes[0], comparison.measures):
            if first.hop.relation in seconds and not first.count:
                yield first, seconds[first.hop.relation]

    # Superlatives

    def ordered(self, nodes: Sequence[Node], items: Sequence[Item]) -> Iterator[Proposal]:
        order = self.reading.order
        if order is None:
            return
        places = frozenset(range(order.start, order.end))
        for node in [*self._chosen_among(items), *self._some(nodes, places)]:
            for measure in self._measures(node, order.measures):
                query = _ordered(node, measure, descending=order.descending, first=order.first, count=order.count)
                yield Proposal(query, "select", "order", node, measure=measure.fit, positions=places)
        yield from self._most_linked(nodes, places)

    def _chosen_among(self, items: Sequence[Item]) -> Iterator[Node]:
        """Yield the node of the things that the question names to choose from: "France or Italy"."""
        if not self.reading.either:
            return
        best: dict[int, Item] = {}
        for item in items:
            if item.candidate.kind == "entity":
                best.setdefault(item.start, item)
        named = [
            item
            for at, item in sorted(best.items())
            if not any(
                other is not item and other.start <= item.start and item.end <= other.end for other in best.values()
            )
        ]
        if len(named) > 1:
            focus = self.walk.variable()
            values = " ".join(f"<{item.candidate.iri}>" for item in named)
            ends = tuple(IRI(item.candidate.iri) for item in named)
            yield Node(focus, (f"VALUES ?{focus} {{ {values} }}",), tuple(named), ends=ends)

    def _most_linked(self, nodes: Sequence[Node], places: frozenset[int]) -> Iterator[Proposal]:
        """Yield proposals for what has the most of something: what a step reached is counted."""
        order = self.reading.order
        assert order is not None
        for node, group, counted in self._counted(nodes):
            fit = self._counts(node, counted, order.measures)
            if fit < _LEAST:
                continue
            by = "DESC" if order.descending else "ASC"
            query = (
                f"SELECT ?{group} {{ {_where(node)} }} GROUP BY ?{group} "
                f"ORDER BY {by}(COUNT(DISTINCT ?{counted})) {_slice(order.first, order.count)}"
            )
            yield Proposal(query, "select", "group", node, measure=fit, positions=places, target=group)

    def _counted(self, nodes: Sequence[Node]) -> Iterator[tuple[Node, str, str]]:
        """Yield for nodes that a step between things led to: the things to group by, and those to count."""
        for node in nodes:
            if node.before and not node.items and node.things:
                yield node, node.focus, node.before
                yield node, node.before, node.focus

    def _counts(self, node: Node, counted: str, measures: Sequence[frozenset[str]]) -> float:
        """Return how well the number of a variable's values fits what is compared."""
        link = node.links[-1]
        fit = self.walk.matcher.measure(link.label, link.relation, measures)
        names = self.walk.context.schema.labels(node.classes if counted == node.focus else ())
        return max([fit, *(self.walk.matcher.measure(name, iri, measures) for iri, name in names.items())])

    # Bounds

    def filtered(self, nodes: Sequence[Node], items: Sequence[Item]) -> Iterator[Proposal]:
        yield from self._more_than_thing(nodes, items)
        for group in self._bounds():
            places = frozenset(position for bound in group for position in range(bound.start, bound.end))
            for node in self._some(nodes, places):
                for measure in self._measures(node, group[0].measures, dates=group[0].date is not None):
                    if measure.count:
                        continue
                    conditions = [_condition(measure, bound, self.lexicon, self.walk) for bound in group]
                    query = (
                        f"SELECT DISTINCT ?{node.focus} {{ {_where(node)} {measure.line} "
                        f"FILTER({' && '.join(conditions)}) }}"
                    )
                    yield self._maybe_counted(
                        Proposal(query, "select", "filter", node, measure=measure.fit, positions=places)
                    )
            yield from self._more_than(nodes, group[0], places)

    def _bounds(self) -> Iterator[tuple[Comparison, ...]]:
        """Yield comparisons with a value, those of one range together."""
        ranges: dict[tuple[int, int], list[Comparison]] = {}
        for comparison in self.reading.comparisons:
            if comparison.value is not None or comparison.date is not None:
                ranges.setdefault((comparison.start, comparison.end), []).append(comparison)
        yield from (tuple(found) for found in ranges.values())

    def _more_than(self, nodes: Sequence[Node], bound: Comparison, places: frozenset[int]) -> Iterator[Proposal]:
        """Yield proposals for what has more than so many of something."""
        if bound.value is None or bound.date is not None or bound.value > 1_000:
            return
        if bound.unit is not None:
            return
        for node, group, counted in self._counted(nodes):
            query = (
                f"SELECT ?{group} {{ {_where(node)} }} GROUP BY ?{group} "
                f"HAVING(COUNT(DISTINCT ?{counted}) {bound.operator} {bound.value:g})"
            )
            yield Proposal(query, "select", "group", node, measure=0.5, positions=places, target=group)

    def _more_than_thing(self, nodes: Sequence[Node], items: Sequence[Item]) -> Iterator[Proposal]:
        """Yield proposals for what has more of something than a thing that is named: "more inhabitants than Italy"."""
        for bound in self.reading.comparisons:
            if bound.than is None or bound.difference:
                continue
            things = [item for item in items if bound.than <= item.start <= bound.than + 1]
            for item in things[:2]:
                other = Node(f"<{item.candidate.iri}>", items=(item,), ends=(IRI(item.candidate.iri),))
                seconds = {measure.hop.relation: measure for measure in self._measures(other, bound.measures)}
                for node in self._some(nodes, item.positions):
                    for measure in self._measures(node, bound.measures):
                        if (second := seconds.get(measure.hop.relation)) is None:
                            continue
                        query = (
                            f"SELECT DISTINCT ?{node.focus} {{ {_where(node)} {measure.line} {second.line} "
                            f"FILTER(?{measure.variable} {bound.operator} ?{second.variable}) }}"
                        )
                        known = replace(node, items=(*node.items, item))
                        yield self._maybe_counted(
                            Proposal(query, "select", "filter", known, measure=measure.fit, positions=_places(bound))
                        )

    def _maybe_counted(self, proposal: Proposal) -> Proposal:
        if self.reading.answer_type != "count":
            return proposal
        focus = proposal.node.focus
        query = proposal.query.replace(f"SELECT DISTINCT ?{focus}", f"SELECT (COUNT(DISTINCT ?{focus}) AS ?count)", 1)
        return replace(proposal, query=query, answer_type="count")

    # A number for each

    def grouped(self, nodes: Sequence[Node]) -> Iterator[Proposal]:
        each = self.reading.each
        if each is None:
            return
        for node in nodes:
            if not node.before or each not in node.covered:
                continue
            for group, other in ((node.focus, node.before), (node.before, node.focus)):
                if each not in node.said.get(group, ()):
                    continue
                if self.reading.answer_type == "count":
                    query = (
                        f"SELECT ?{group} (COUNT(DISTINCT ?{other}) AS ?count) {{ {_where(node)} }} GROUP BY ?{group}"
                    )
                else:
                    query = f"SELECT DISTINCT ?{group} ?{other} {{ {_where(node)} }}"
                yield Proposal(query, "select", "group", node, measure=1.0, target=other)

    # Measures

    def _some(self, nodes: Sequence[Node], places: frozenset[int]) -> Iterator[Node]:
        """Yield the nodes whose things may be compared: several, and not by the words of the comparison itself."""
        for node in nodes[:_CLOSE_LOOK]:
            if node.things and not any(places & item.positions for item in node.items):
                yield node

    def _measures(self, node: Node, measures: Sequence[frozenset[str]], *, dates: bool = False) -> list[Measure]:
        """Return what the things of a node can be compared by, the best first."""
        schema = self.walk.context.schema
        hops = schema.joint_card(node.things[:_SAMPLE])
        here = node.focus if node.of_named else f"?{node.focus}"
        found: list[Measure] = []
        for hop in hops:
            if hop.relation.startswith(DOCUMENTATION):
                continue
            fit = self.walk.matcher.measure(hop.label, hop.relation, measures)
            if dates and isinstance(hop.sample, Literal) and kind_of(hop.sample) == "date":
                fit = max(fit, 0.3 + 0.7 * self.walk.matcher.relation(hop.label, hop.relation, node.covered).fit)
            if fit < _LEAST and not (dates and fit >= 0.3):
                continue
            variable = self.walk.variable()
            if isinstance(hop.sample, Literal) and hop.direction == "out" and kind_of(hop.sample) != "text":
                line = f"{here} <{hop.relation}> ?{variable} ."
                found.append(Measure(line, variable, fit * (0.8 + 0.2 * hop.coverage), hop))
            elif isinstance(hop.sample, IRI) and hop.direction == "out":
                found += self._inner(here, hop, fit)
        found.sort(key=lambda measure: -measure.fit)
        return found[:_MEASURES]

    def _inner(self, here: str, hop: Hop, fit: float) -> Iterator[Measure]:
        """Yield the numbers of a thing that stands for a quantity, as of a price with its currency."""
        if not isinstance(hop.sample, IRI):
            return
        for inner in self.walk.context.schema.card(hop.sample.value):
            if inner.direction == "out" and isinstance(inner.sample, Literal) and kind_of(inner.sample) == "number":
                variable = self.walk.variable()
                line = f"{here} <{hop.relation}>/<{inner.relation}> ?{variable} ."
                yield Measure(line, variable, 0.9 * fit, hop)


def _places(comparison: Comparison) -> frozenset[int]:
    return frozenset(range(comparison.start, comparison.end))


def _where(node: Node) -> str:
    return " ".join(node.lines)


def _select(node: Node) -> str:
    return f"SELECT DISTINCT ?{node.focus} {{ {_where(node)} }}"


def _ordered(node: Node, measure: Measure, *, descending: bool, first: int, count: int) -> str:
    by = "DESC" if descending else "ASC"
    return (
        f"SELECT DISTINCT ?{node.focus} {{ {_where(node)} {measure.line} }} "
        f"ORDER BY {by}(?{measure.variable}) {_slice(first, count)}"
    )


def _slice(first: int, count: int) -> str:
    return f"LIMIT {count}" + (f" OFFSET {first - 1}" if first > 1 else "")


def _condition(measure: Measure, bound: Comparison, lexicon: Lexicon, walk: Walk) -> str:
    sample = measure.hop.sample
    if bound.date is not None:
        assert isinstance(sample, Literal)
        if sample.datatype in DATES and sample.datatype != XSD + "gYear" and len(bound.date) > 4:
            return f'?{measure.variable} {bound.operator} "{bound.date}"^^<{sample.datatype}>'
        return f"{_year(measure.variable)} {bound.operator} {int(bound.date[:4])}"
    assert bound.value is not None
    return f"?{measure.variable} {bound.operator} {_in_unit(measure, bound, bound.value, lexicon, walk)}"


def _year(variable: str) -> str:
    return f"xsd:integer(SUBSTR(STR(?{variable}), 1, 4))".replace("xsd:integer", f"<{XSD}integer>")


def _in_unit(measure: Measure, bound: Comparison, value: float, lexicon: Lexicon, walk: Walk) -> str:
    """Return a bound in the unit in which the graph has the measure, as far as names and descriptions tell."""
    if bound.unit and bound.unit in lexicon.units:
        dimension, factor = lexicon.units[bound.unit]
        described = walk.context.schema.descriptions([measure.hop.relation])[measure.hop.relation]
        for text in (measure.hop.label, described):
            for word in text.replace("(", " ").replace(")", " ").replace("_", " ").split():
                known = lexicon.units.get(lexicon.stem(word))
                if known and known[0] == dimension:
                    return f"{value * factor / known[1]:.10g}"
    return f"{value:.15g}"


def _is_number(term: Term) -> bool:
    return isinstance(term, Literal) and kind_of(term) == "number"
