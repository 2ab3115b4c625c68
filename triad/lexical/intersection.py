"""Intersection: the entities that nodes of different named entities have in common.

"Which films by Lynch were shot in Missoula" has two nodes, what Lynch directed and what was shot in Missoula; the
entities in both are the answer. This module asks the graph nothing: nodes hold the entities that they found.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from triad.lexical.nodes import WIDTH, Node


def joined(nodes: Sequence[Node], starts: Sequence[Node]) -> Iterator[Node]:
    """Yield named entities that are in nodes of other ones, and intersections of nodes of different named entities.

    Nodes come with the most promising first; those of the named entities are the starts.
    """
    direct = [node for node in nodes[: 2 * WIDTH] if node.mentions and not node.turns_back]
    found = [(node, frozenset(node.ends)) for node in direct[:WIDTH] if not node.of_named]
    for start in starts:
        for other, ends in found:
            if not start.parts and start.ends[0] in ends and _apart(start, other):
                yield replace(
                    start,
                    parts=other.parts_of(start.focus),
                    mentions=(*start.mentions, *other.mentions),
                    edges=tuple(replace(edge, connects=True) for edge in other.edges),
                    kinds=start.kinds | other.kinds,
                )
    for (one, own), (other, ends) in itertools.combinations(found, 2):
        if not own.isdisjoint(ends) and _apart(one, other):
            yield replace(
                one,
                parts=tuple(dict.fromkeys((*one.parts, *other.parts_of(one.focus)))),
                mentions=(*one.mentions, *other.mentions),
                edges=(*one.edges, *other.edges),
                kinds=one.kinds | other.kinds,
                ends=tuple(end for end in one.ends if end in ends),
                complete=one.complete and other.complete,
                said={**other.said, **one.said, one.focus: one.said[one.focus] | other.said[other.focus]},
            )


def _apart(one: Node, other: Node) -> bool:
    return not any(a.overlaps(b) or a.candidate.iri == b.candidate.iri for a in one.mentions for b in other.mentions)
