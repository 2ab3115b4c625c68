"""Forms: from nodes to candidate queries for what the question asks of their entities.

The question may ask for the entities, their number, whether there are any, the greatest of them, those above a
bound, or a number for each. Each interpretation becomes a candidate query, which holds the node that it was made from.
"""

from __future__ import annotations

from collections.abc import Sequence

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


def candidate_queries(
    walk: Walk, nodes: Sequence[Node], mentions: Sequence[LinkedMention], classes: Sequence[LinkedMention]
) -> list[CandidateQuery]:
    """Return candidate queries for all interpretations of the question's form.

    Raises:
        GraphError: The graph failed.
    """
    nodes = [node for node in nodes if node.parts and not node.of_named and (node.edges or not node.mentions)]
    analysis = walk.analysis
    if analysis.answer_type == "boolean":
        found = [*compared(walk, mentions), *bounded(walk, nodes, mentions)]
        if not found and any(comparison.than is not None for comparison in analysis.comparisons):
            return []  # the entity to compare with is not in the graph, or has no such measure
        return [one for one in (*found, *asks(walk, nodes, mentions, classes)) if _heeds(one, analysis)]
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
    """Return whether a candidate query for a yes/no question uses every bound; a number within a name is no bound."""
    used = candidate.positions.union(*(mention.positions for mention in candidate.node.mentions))
    bounds = [bound for bound in analysis.comparisons if bound.value is not None or bound.date is not None]
    return all(not used.isdisjoint(range(bound.start, bound.end)) for bound in bounds)
