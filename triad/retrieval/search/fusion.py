"""Reciprocal rank fusion: several rankings become one, by the places that each gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["fused"]

K: Final = 60
"""How little the first places count before the next; the value of Cormack, Clarke and Büttcher (SIGIR 2009)."""


def fused(rankings: Mapping[str, Sequence[str]]) -> list[tuple[str, float, dict[str, int]]]:
    """Return what rankings hold, with its score and its ranks, the best first.

    >>> fused({"words": ["a", "b"], "vectors": ["b"]})[0][0]
    'b'
    """
    ranks: dict[str, dict[str, int]] = {}
    for name, ranking in rankings.items():
        for rank, one in enumerate(ranking, 1):
            ranks.setdefault(one, {})[name] = rank
    scored = [(one, sum(1 / (K + rank) for rank in places.values()), places) for one, places in ranks.items()]
    return sorted(scored, key=lambda found: -found[1])
