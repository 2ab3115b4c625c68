"""Values in groups, by what they have in common."""

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """Return the values of pairs by their keys, both in the order in which they come.

    >>> grouped((name[0], name) for name in ("Rhine", "Elbe", "Rhone"))
    {'R': ['Rhine', 'Rhone'], 'E': ['Elbe']}
    """
    found: defaultdict[K, list[V]] = defaultdict(list)
    for key, value in pairs:
        found[key].append(value)
    return dict(found)
