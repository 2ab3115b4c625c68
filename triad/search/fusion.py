"""Reciprocal rank fusion: several rankings become one, by the places that each gives."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Final, TypeVar

K: Final = 60
"""How little the first places count before the next; the value of Cormack, Clarke and Büttcher (SIGIR 2009)."""

T = TypeVar("T", bound=Hashable)

Found = tuple[T, float, dict[str, int]]
"""What was found, such as an id, with its score and its rank in each ranking."""


def fused(rankings: Mapping[str, Sequence[T]], *, smoothing: int = K) -> list[Found[T]]:
    """Return what rankings hold, with its score and its ranks from 1 on, the best first; none has anything twice.

    >>> fused({"words": ["a", "b"], "vectors": ["b"]})[0][0]
    'b'
    """
    ranks: dict[T, dict[str, int]] = {}
    for name, ranking in rankings.items():
        for rank, one in enumerate(ranking, 1):
            ranks.setdefault(one, {})[name] = rank
    scored = [(one, sum(1 / (smoothing + rank) for rank in places.values()), places) for one, places in ranks.items()]
    return sorted(scored, key=lambda found: -found[1])


def spread(ranking: Sequence[Found[str]]) -> list[Found[str]]:
    """Return what a ranking holds with the best part of each thing first, and the other parts behind all of these.

    The parts of a thing, or of a section of a document, have the same id but for the number at its end.

    >>> [one[0] for one in spread(fused({"words": ["a 1", "a 2", "b 1"]}))]
    ['a 1', 'b 1', 'a 2']
    """
    seen: set[str] = set()
    first: list[Found[str]] = []
    others: list[Found[str]] = []
    for found in ranking:
        whole = found[0].rpartition(" ")[0] or found[0]
        (others if whole in seen else first).append(found)
        seen.add(whole)
    return first + others
