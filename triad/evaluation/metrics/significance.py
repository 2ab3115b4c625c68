"""How far a number can be trusted: intervals by the bootstrap, and a test of the difference of two runs.

Both take the questions as the sample that chance drew. Up to a thousand values they draw anew, with a fixed seed, so
that a report can be repeated; a mean of more values follows the normal distribution closely enough to compute the same
interval and the same test directly.

Sources: B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13 (percentile intervals);
E. Noreen, Computer-Intensive Methods for Testing Hypotheses, 1989 (randomisation test of paired values).
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

__all__ = ["Comparison", "bootstrap", "compare"]

_DRAWN_UP_TO: Final = 1_000
_SAMPLES: Final = 10_000
# So few differences that all their signs can be gone through.
_ENUMERATED_UP_TO: Final = 12
# Sums that differ by less are equal but for rounding.
_TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Comparison:
    """How much better the second of two runs is than the first, on the same questions."""

    difference: float
    """The mean of the second run less that of the first: above zero, the second is better."""
    low: float
    high: float
    """The 95 % interval of the difference."""
    p_value: float
    """The probability of so great a difference, in either direction, if the runs differed by chance alone."""


def bootstrap(
    values: Sequence[float], *, seed: int = 0, samples: int = _SAMPLES, level: float = 0.95
) -> tuple[float, float]:
    """Return the interval in which the mean lies, by percentiles of means of samples drawn with replacement.

    >>> bootstrap([1.0, 1.0, 1.0])
    (1.0, 1.0)
    >>> bootstrap([])
    (0.0, 0.0)

    Args:
        values: A value for each question.
        seed: Makes the interval the same each time.
        samples: How many samples are drawn.
        level: The share of samples whose mean lies in the interval.
    """
    count = len(values)
    if not count:
        return 0.0, 0.0
    mean = statistics.fmean(values)
    if min(values) == max(values):
        return mean, mean
    if count > _DRAWN_UP_TO:
        reach = statistics.NormalDist().inv_cdf((1 + level) / 2) * statistics.pstdev(values, mean) / math.sqrt(count)
        return mean - reach, mean + reach
    draw = random.Random(seed)
    means = sorted(sum(draw.choices(values, k=count)) / count for _ in range(samples))
    cut = (1 - level) / 2
    return means[math.floor(cut * (samples - 1))], means[math.ceil((1 - cut) * (samples - 1))]


def compare(a: Sequence[float], b: Sequence[float], *, seed: int = 0) -> Comparison:
    """Compare two runs on the same questions.

    The p-value is that of the randomisation test: if the runs differed by chance alone, each question's difference
    could as well have the other sign, so the observed mean is compared with the means for all combinations of signs, or
    for 10,000 random ones.

    >>> compare([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]).p_value
    0.25

    Args:
        a: The first run's value for each question.
        b: The second run's values, for the same questions in the same order.
        seed: Makes the result the same each time.

    Raises:
        ValueError: The runs have different numbers of values.
    """
    if len(a) != len(b):
        raise ValueError(f"values of the same questions are expected, got {len(a)} and {len(b)}")
    differences = [second - first for first, second in zip(a, b, strict=True)]
    difference = statistics.fmean(differences) if differences else 0.0
    low, high = bootstrap(differences, seed=seed)
    return Comparison(difference, low, high, _p_value([d for d in differences if d], seed))


def _p_value(differences: Sequence[float], seed: int) -> float:
    observed = abs(sum(differences)) - _TOLERANCE
    count = len(differences)
    if not count:
        return 1.0
    if count <= _ENUMERATED_UP_TO:
        signs = itertools.product((1, -1), repeat=count)
        sums = [abs(sum(sign * d for sign, d in zip(row, differences, strict=True))) for row in signs]
        return sum(total >= observed for total in sums) / len(sums)
    if count > _DRAWN_UP_TO:
        deviation = math.sqrt(sum(d * d for d in differences))
        return 2 * (1 - statistics.NormalDist(0, deviation).cdf(max(0.0, observed)))
    draw = random.Random(seed)
    whole = sum(differences)
    extreme = 0
    for _ in range(_SAMPLES):
        bits = bin(draw.getrandbits(count) | 1 << count)[3:]
        turned = sum(itertools.compress(differences, map(int, bits)))
        extreme += abs(whole - 2 * turned) >= observed
    # The observed signs are one of the possible ones.
    return (extreme + 1) / (_SAMPLES + 1)
