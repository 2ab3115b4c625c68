"""Superlatives: the greatest of the things, by a value that they have or by how many of something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from triad.lexical.forms.measures import LEAST_FIT, comparable, counting_fits, find_measures, groupings
from triad.lexical.forms.proposal import Proposal
from triad.lexical.nodes import Node
from triad.lexical.ordering import Order
from triad.lexical.spotting import Item
from triad.lexical.walking import Walk
from triad.rdf import IRI

__all__ = ["ordered"]

_PASSING: Final = 12  # proposals for what passes a comparison of which the greatest is looked for


def ordered(
    walk: Walk, nodes: Sequence[Node], items: Sequence[Item], passing: Sequence[Proposal] = ()
) -> Iterator[Proposal]:
    """Yield proposals for superlatives: "the second longest river", "which city has the most inhabitants".

    Args:
        walk: The search.
        nodes: What it found, the most promising first.
        items: The named entities and values, the likeliest first.
        passing: Proposals for what passes a comparison: "the longest river under 1000 km".
    """
    order = walk.reading.order
    if order is None:
        return
    positions = frozenset(range(order.start, order.end))
    choice = [(node, 1.0, positions) for node in (*_chosen_among(walk, items), *comparable(nodes, positions))]
    within = [each for each in passing if each.answer_type == "select" and positions.isdisjoint(each.positions)]
    choice += [(each.node, each.measure, positions | each.positions) for each in within[:_PASSING]]
    for node, fit, said in choice:
        for measure in find_measures(walk, node, order.measures):
            query = (
                f"SELECT DISTINCT ?{node.focus} {{ {node.where} {measure.line} }} "
                f"ORDER BY {_ranked(order, f'?{measure.variable}')}"
            )
            both = said | measure.positions
            yield Proposal(query, "select", "order", node, measure=min(fit, measure.fit), positions=both)
    for node, group, counted in groupings(nodes):
        if (fit := counting_fits(walk, node, counted, order.measures)) >= LEAST_FIT:
            query = (
                f"SELECT ?{group} {{ {node.where} }} GROUP BY ?{group} "
                f"ORDER BY {_ranked(order, f'COUNT(DISTINCT ?{counted})')}"
            )
            yield Proposal(query, "select", "group", node, measure=fit, positions=positions, target=group)


def _ranked(order: Order, key: str) -> str:
    """Return the order by a key, and the ranks that are asked for."""
    by = "DESC" if order.descending else "ASC"
    offset = f" OFFSET {order.first - 1}" if order.first > 1 else ""
    return f"{by}({key}) LIMIT {order.count}{offset}"


def _chosen_among(walk: Walk, items: Sequence[Item]) -> Iterator[Node]:
    """Yield the node of the things that the question names to choose from: "France or Italy"."""
    if not walk.reading.either:
        return
    best: dict[int, Item] = {}
    for item in items:
        if item.candidate.kind == "entity":
            best.setdefault(item.start, item)
    named = [item for _, item in sorted(best.items()) if not any(_inside(item, other) for other in best.values())]
    if len(named) > 1:
        focus = walk.variable()
        values = " ".join(f"<{item.candidate.iri}>" for item in named)
        ends = tuple(IRI(item.candidate.iri) for item in named)
        kinds = walk.kinds.named(named[0].candidate.types, frozenset().union(*(item.positions for item in named)))
        yield Node(focus, (f"VALUES ?{focus} {{ {values} }}",), tuple(named), kinds=kinds, ends=ends)


def _inside(item: Item, other: Item) -> bool:
    """Tell whether an item's words are among those of another one."""
    return item is not other and other.start <= item.start and item.end <= other.end
