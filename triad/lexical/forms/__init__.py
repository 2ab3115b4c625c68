"""Forms: from things that were found to what the question asks of them.

The question may ask for the things, their number, whether there are any, the greatest of them, those above a
bound, or a number for each. Each way to read it becomes a proposal: a query, and the node that it was made from.
"""

from __future__ import annotations

from collections.abc import Sequence

from triad.lexical.forms.bounds import filtered
from triad.lexical.forms.pairs import compared, differences
from triad.lexical.forms.plain import counts, grouped, lists, unions
from triad.lexical.forms.proposal import Proposal
from triad.lexical.forms.superlatives import ordered
from triad.lexical.forms.truth import asks
from triad.lexical.nodes import Node
from triad.lexical.spotting import Item
from triad.lexical.walking import Walk

__all__ = ["Proposal", "propose"]


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
    if walk.reading.answer_type == "boolean":
        return [*compared(walk, items), *asks(walk, nodes, items, classes)]
    return [
        *differences(walk, items),
        *ordered(walk, nodes, items),
        *filtered(walk, nodes, items),
        *grouped(walk.reading, nodes),
        *counts(walk.reading, nodes),
        *unions(walk, nodes),
        *lists(nodes),
    ]
