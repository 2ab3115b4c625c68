"""The logistic regressions by which the shipped weights are learned, by L-BFGS."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np
from scipy.optimize import minimize

from triad.lexical.fitting import named, vector


def logistic(
    rows: Sequence[Mapping[str, float]],
    right: Sequence[float],
    shares: Sequence[float],
    strength: float = 1e-3,
    free: Collection[str] = (),
    speaking_for: Collection[str] | None = None,
    expected: Mapping[str, float] | None = None,
) -> dict[str, float]:
    """Return the weights of a logistic regression of ``right`` (0 to 1) on the rows, of which each has its share.

    Args:
        rows: What is known of each case.
        right: What is to be told of it.
        shares: How much it counts.
        strength: Of the L2 penalty, on each weight.
        free: Names whose weights have no penalty and may have any sign.
        speaking_for: Names whose weights are not negative, where those of all others are not positive; if None, any
            weight may have any sign.
        expected: What the penalty draws weights to; by default, and for names that are not in it, to 0.
    """
    drawn_to = expected or {}
    names = sorted({name for row in rows for name in row} | drawn_to.keys())
    drawn = vector(names, drawn_to)
    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    target = np.array(right)
    parts = np.array(shares) / sum(shares)
    penalty = np.array([0.0 if name in free else strength for name in names])

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        odds = 1 / (1 + np.exp(-np.clip(matrix @ weights, -30, 30)))
        cost = -parts @ (target * np.log(odds + 1e-12) + (1 - target) * np.log(1 - odds + 1e-12))
        slope = matrix.T @ (parts * (odds - target)) + 2 * penalty * (weights - drawn)
        return float(cost + penalty @ (weights - drawn) ** 2), slope

    signs = None
    if speaking_for is not None:
        signs = [(None, None) if name in free else (0, None) if name in speaking_for else (None, 0) for name in names]
    return named(names, minimize(loss, drawn, jac=True, method="L-BFGS-B", bounds=signs).x)
