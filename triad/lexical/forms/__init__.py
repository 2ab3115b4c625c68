"""Forms: from things that were found to what the question asks of them.

The question may ask for the things, their number, whether there are any, the greatest of them, those above a
bound, or a number for each. Each way to read it becomes a proposal: a query, and the node that it was made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triad.lexical.forms.aggregates import aggregates
from triad.lexical.forms.bounds import bounded, filtered
from triad.lexical.forms.columns import columns
from triad.lexical.forms.negation import excluding
from triad.lexical.forms.pairs import compared, differences
from triad.lexical.forms.plain import counts, grouped, lists, unions
from triad.lexical.forms.proposal import Proposal
from triad.lexical.forms.superlatives import ordered
from triad.lexical.forms.truth import asks
from triad.lexical.nodes import Node
from triad.lexical.reading import Reading
from triad.lexical.spotting import Item
from triad.lexical.walking import Walk

__all__ = ["Proposal", "propose"]


_SURE: Final = 0.5  # the least fit of a value that a yes/no question is about; without one a bound may mean anything


def propose(walk: Walk, nodes: Sequence[Node], items: Sequence[Item], classes: Sequence[Item]) -> list[Proposal]:
    """Return proposals for all readings of the question's form.

    Args:
        walk: The search.
        nodes: What it found, the most promising first.
        items: The named entities and values, the likeliest first.
        classes: The named classes.

    Raises:
        GraphError: The graph failed.
    """
    nodes = [node for node in nodes if node.lines and not node.of_named]
    reading = walk.reading
    if reading.answer_type == "boolean":
        found = [*compared(walk, items), *bounded(walk, nodes, items)]
        if not found and any(comparison.than is not None for comparison in reading.comparisons):
            return []  # what it is compared with is not there, or has nothing to compare
        sure = any(proposal.measure >= _SURE for proposal in found)
        return [*found, *(ask for ask in asks(walk, nodes, items, classes) if not sure or _heeds(ask, reading))]
    passing = list(filtered(walk, nodes, items))
    return [
        *differences(walk, items),
        *ordered(walk, nodes, items, passing),
        *passing,
        *excluding(walk, nodes),
        *aggregates(walk, nodes),
        *columns(walk, nodes, passing),
        *grouped(reading, nodes),
        *counts(reading, nodes),
        *unions(walk, nodes),
        *lists(nodes),
    ]


def _heeds(proposal: Proposal, reading: Reading) -> bool:
    """Tell whether a proposal for a yes/no question leaves no bound aside; one in a name is none."""
    named = frozenset(at for item in proposal.node.items for at in item.positions)
    bounds = [bound for bound in reading.comparisons if bound.value is not None or bound.date is not None]
    return all(not named.isdisjoint(range(bound.start, bound.end)) for bound in bounds)
