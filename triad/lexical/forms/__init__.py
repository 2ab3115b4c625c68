"""Forms: from nodes to candidate queries for what the question asks of their entities.

The question may ask for the entities, their number, whether there are any, the greatest of them, those above a
bound, or a number for each. Each interpretation becomes a candidate query, which holds the node that it was made from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from triad.language.analysis import Analysis
from triad.lexical.forms.aggregates import aggregates
from triad.lexical.forms.bounds import bounded, filtered
from triad.lexical.forms.candidate_query import CandidateQuery
from triad.lexical.forms.columns import columns
from triad.lexical.forms.negation import excluding
from triad.lexical.forms.pairs import compared, differences
from triad.lexical.forms.plain import counts, grouped, lists, unions
from triad.lexical.forms.superlatives import ordered
from triad.lexical.forms.truth import asks
from triad.lexical.graph_search import Walk
from triad.lexical.mention_detection import LinkedMention
from triad.lexical.nodes import Node

__all__ = ["CandidateQuery", "candidate_queries"]

_SURE: Final = (
    0.5  # the least fit of a value that a yes/no question is about; below it, the bound may be about anything
)


def candidate_queries(
    walk: Walk, nodes: Sequence[Node], mentions: Sequence[LinkedMention], classes: Sequence[LinkedMention]
) -> list[CandidateQuery]:
    """Return candidate queries for all interpretations of the question's form.

    Args:
        walk: The search.
        nodes: The nodes that it found, the most promising first.
        mentions: The named entities and values, the likeliest first.
        classes: The named classes.

    Raises:
        GraphError: The graph failed.
    """
    nodes = [node for node in nodes if node.parts and not node.of_named]
    analysis = walk.analysis
    if analysis.answer_type == "boolean":
        found = [*compared(walk, mentions), *bounded(walk, nodes, mentions)]
        if not found and any(comparison.than is not None for comparison in analysis.comparisons):
            return []  # the entity to compare with is not in the graph, or has no such measure
        sure = any(candidate.measure >= _SURE for candidate in found)
        return [*found, *(ask for ask in asks(walk, nodes, mentions, classes) if not sure or _heeds(ask, analysis))]
    passing = list(filtered(walk, nodes, mentions))
    return [
        *differences(walk, mentions),
        *ordered(walk, nodes, mentions, passing),
        *passing,
        *excluding(walk, nodes),
        *aggregates(walk, nodes),
        *columns(walk, nodes, passing),
        *grouped(analysis, nodes),
        *counts(analysis, nodes),
        *unions(walk, nodes),
        *lists(nodes),
    ]


def _heeds(candidate: CandidateQuery, analysis: Analysis) -> bool:
    """Tell whether a candidate query for a yes/no question uses every bound; a number within a name is no bound."""
    named = frozenset(at for mention in candidate.node.mentions for at in mention.positions)
    bounds = [bound for bound in analysis.comparisons if bound.value is not None or bound.date is not None]
    return all(not named.isdisjoint(range(bound.start, bound.end)) for bound in bounds)
