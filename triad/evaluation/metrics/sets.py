"""Metrics on sets of values, those of the challenge, GERBIL and QALD; and GRASP's F1, which is one on rows.

Answers are compared as sets of values, taken over all variables, as the TEXT2SPARQL challenge does:

    P = |gold ∩ answered| / |answered|    R = |gold ∩ answered| / |gold|    F = 2 P R / (P + R)

`challenge_f` is the challenge's number to the letter. It scores TRUE answered FALSE as right, a gold FALSE as
wrong whatever is answered, and drops questions without gold values. `set_f` compares booleans, gives 1 where
both are empty, and takes numbers as numbers.

`grasp_f` matches rows of the answer with rows of gold, and values beyond the match cost nothing. Which rows belong
together is an assignment problem: a pair is worth the values that it shares.

Sources: https://github.com/AKSW/text2sparql-client, ``evaluation_metrics.py``, which calls ``pytrec_eval`` (set_F);
https://github.com/ad-freiburg/grasp, ``src/grasp/sparql/metrics.py``.
"""

import math
import re
import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Final

from triad.grouping import grouped

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)

EXACT_ABOVE: Final = 1024
"""Rows above which only equal rows match."""

Row = tuple[str | None, ...]


# Sets -----------------------------------------------------------------------------------------------------


def challenge_f(gold: Collection[str], answered: Collection[str]) -> float | None:
    """Return the challenge's set_F of one question, quirks included; None where the challenge drops it.

    >>> challenge_f({"true"}, {"false"})
    1.0
    >>> challenge_f({"false"}, {"false"})
    0.0
    """
    if not gold:
        return None
    if set(gold) <= {"true", "false"}:
        return 1.0 if set(gold) == {"true"} and set(answered) <= {"true", "false"} and answered else 0.0
    return _f(set(gold), set(answered))


def set_f(gold: Collection[str], answered: Collection[str]) -> float:
    """Return the corrected set_F of one question.

    >>> set_f({"true"}, {"false"}), set_f(set(), set()), set_f({"2.50", "a"}, {"2.5"})
    (0.0, 1.0, 0.6666666666666666)
    """
    wanted, given = {canonical(value) for value in gold}, {canonical(value) for value in answered}
    return 1.0 if not wanted and not given else _f(wanted, given)


def challenge_ndcg(gold: Collection[str], answered: Collection[str]) -> float | None:
    """Return the challenge's nDCG of one question whose order matters; None where the challenge drops it.

    The challenge gives all answered values the same weight; ``pytrec_eval`` ranks ties by text, the last first.

    >>> challenge_ndcg({"a"}, {"a"}), round(challenge_ndcg({"a"}, {"a", "b"}), 4)
    (1.0, 0.6309)
    """
    if not gold:
        return None
    gain = _discounted([value in gold for value in sorted(set(answered), reverse=True)])
    return gain / _discounted([True] * len(set(gold)))


def _discounted(relevant: Sequence[bool]) -> float:
    return sum(1 / math.log2(rank + 1) for rank, right in enumerate(relevant, start=1) if right)


def precision_recall(right: float, answered: float, wanted: float) -> tuple[float, float]:
    """Return precision and recall as GERBIL makes them of counts of values, of one question or of all.

    >>> precision_recall(1, 1, 2), precision_recall(0, 0, 0), precision_recall(0, 0, 1)
    ((1.0, 0.5), (1.0, 1.0), (0.0, 0.0))
    """
    if not answered and not wanted:
        return 1.0, 1.0
    return (right / answered, right / wanted) if right else (0.0, 0.0)


def harmonic(precision: float, recall: float) -> float:
    """Return the F1 of a precision and a recall; 0 if both are."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _f(gold: set[str], answered: set[str]) -> float:
    right = len(gold & answered)
    return 2 * right / (len(gold) + len(answered)) if right else 0.0


def canonical(value: str) -> str:
    """Return a number in a form in which equal numbers have equal texts, any other value as it is.

    Numbers count to ten digits, and longer ones to the last one before the point, for they may be identifiers.

    >>> canonical("5.90"), canonical("00123"), canonical("Bern"), canonical("9783161484100")
    ('5.9', '00123', 'Bern', '9783161484100')
    """
    text = value.strip()
    # Identifiers with leading zeros are no numbers.
    if not _NUMBER.fullmatch(text) or (text[0] == "0" and text[1:2].isdigit()):
        return value
    number = float(text)
    if not math.isfinite(number):
        return value
    return f"{number + 0.0:.10g}" if abs(number) < 10**10 else str(round(Decimal(text)))


def mean(values: Iterable[float | None]) -> float:
    """Return the mean of the values that are there; 0 for none."""
    there = [value for value in values if value is not None]
    return sum(there) / len(there) if there else 0.0


def known_mean(values: Iterable[float | None]) -> float | None:
    """Return the mean of the values that are there; None for none."""
    there = [value for value in values if value is not None]
    return statistics.fmean(there) if there else None


# Rows -----------------------------------------------------------------------------------------------------


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
    return harmonic(right / (right + max(0, len(answered) - len(gold))), right / len(gold)) if right else 0.0


def _shared(gold: Sequence[Row], answered: Sequence[Row]) -> list[Counter[int]]:
    """Return for each row that was answered how many values it shares with which rows of gold."""
    holders = grouped((numbered, at) for at, row in enumerate(gold) for numbered in _numbered(row))
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
