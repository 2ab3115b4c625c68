"""Calibration: how far confidence lies from the quality of the answers.

Source: C. Guo, G. Pleiss, Y. Sun and K. Weinberger, On Calibration of Modern Neural Networks, ICML 2017, section 2
(reliability diagrams, and the expected calibration error of equation 3); a question's score takes the place of right or
wrong.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from triad.grouping import grouped


@dataclass(frozen=True, slots=True)
class Bin:
    """Answers of about the same confidence: a point of the reliability diagram."""

    confidence: float
    """Their mean confidence."""
    score: float
    """Their mean score."""
    count: int


def bins(pairs: Iterable[tuple[float, float]]) -> tuple[Bin, ...]:
    """Return the points of the reliability diagram, of pairs of confidence and score from 0 to 1.

    The m-th of ten bins is ((m - 1) / 10, m / 10].
    """
    found = grouped((max(1, math.ceil(round(pair[0] * 10, 9))), pair) for pair in pairs)
    return tuple(
        Bin(sum(one for one, _ in members) / len(members), sum(one for _, one in members) / len(members), len(members))
        for _, members in sorted(found.items())
    )


def calibration_error(points: Sequence[Bin]) -> float | None:
    """Return the expected calibration error: Σ |Bₘ| / n · |score(Bₘ) − confidence(Bₘ)|; None without answers.

    >>> calibration_error(bins([(1.0, 1.0), (1.0, 0.0), (0.5, 0.25), (0.5, 0.25)]))
    0.375
    """
    total = sum(one.count for one in points)
    return sum(one.count * abs(one.score - one.confidence) for one in points) / total if total else None


def auroc(pairs: Iterable[tuple[float, float]]) -> float | None:
    """Return how often a right answer has more confidence than a wrong one, a tie counting half; None without both.

    An answer is right from a score of .99 on, and wrong below one of .5; others count as neither.

    >>> auroc([(0.9, 1.0), (0.4, 1.0), (0.4, 0.0)])
    0.75
    """
    known = list(pairs)
    right = sorted(sure for sure, value in known if value >= 0.99)  # the score from which on an answer is right
    wrong = sorted(sure for sure, value in known if value < 0.5)  # the score below which it is wrong
    if not right or not wrong:
        return None
    return sum(bisect_left(wrong, sure) + bisect_right(wrong, sure) for sure in right) / 2 / len(right) / len(wrong)
