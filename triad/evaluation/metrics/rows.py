"""GRASP's F1: rows of the answer are matched with rows of gold, and values beyond the match cost nothing.

Which rows belong together is an assignment problem: a pair is worth the values that it shares.

Source: https://github.com/ad-freiburg/grasp, ``src/grasp/sparql/metrics.py``.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from triad.evaluation.metrics.sets import harmonic

EXACT_ABOVE: Final = 1024
"""Rows above which only equal rows match."""

Row = tuple[str | None, ...]


def grasp_f(gold: Sequence[Row], answered: Sequence[Row]) -> float | None:
    """Return GRASP's F1 of rows in any order and with any columns; None where GRASP drops the question.

    >>> grasp_f([("a", "1"), ("b", "2")], [("2", "label of b", "b"), ("1", "label of a", "a")])
    1.0
    >>> grasp_f([("a", "1"), ("b", "2")], [("a", "1")])
    0.6666666666666666
    """
    if not gold:
        return None
    if not answered:
        return 0.0
    if max(len(gold), len(answered)) > EXACT_ABOVE:
        same = (Counter(gold) & Counter(answered)).total()
        return harmonic(same / len(answered), same / len(gold))
    right = heaviest_matching(_shared(gold, answered)) / max(1, len(gold[0]))
    surplus = max(0, len(answered) - len(gold))
    return harmonic(right / (right + surplus), right / len(gold)) if right else 0.0


def _shared(gold: Sequence[Row], answered: Sequence[Row]) -> list[Counter[int]]:
    """Return for each row that was answered how many values it shares with which rows of gold."""
    holders: defaultdict[tuple[str | None, int], list[int]] = defaultdict(list)
    for at, row in enumerate(gold):
        for numbered in _numbered(row):
            holders[numbered].append(at)
    return [Counter(at for numbered in _numbered(row) for at in holders.get(numbered, ())) for row in answered]


def _numbered(row: Row) -> list[tuple[str | None, int]]:
    """Number equal values of a row, so that set intersections have the sizes of multiset intersections."""
    return [(value, row[:at].count(value)) for at, value in enumerate(row)]


def heaviest_matching(weights: Sequence[Mapping[int, int]]) -> int:
    """Return the greatest weight of pairs of a left and a right item, each in at most one pair.

    Weights are whole numbers above zero: for each left item, those of its pairs by right item.

    >>> heaviest_matching([{0: 2, 1: 1}, {0: 2}])
    3
    """
    liked = [max(pairs, key=pairs.__getitem__) for pairs in weights if pairs]
    if len(set(liked)) == len(liked):  # each can have the best, and SciPy, which takes long to load, has nothing to do
        return sum(max(pairs.values()) for pairs in weights if pairs)
    import numpy as np
    from scipy.optimize import linear_sum_assignment

    width = max((right + 1 for pairs in weights for right in pairs), default=0)
    matrix = np.zeros((len(weights), width), dtype=np.int32)
    for left, pairs in enumerate(weights):
        matrix[left, list(pairs)] = list(pairs.values())
    return int(matrix[linear_sum_assignment(matrix, maximize=True)].sum())
