"""What is learned by: a softmax over the candidates of each question, and a regression that is stretched and shifted.

It takes numpy and scipy, which only learning needs: ``pip install 'triad-kgqa[evaluation]'``.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from scipy.optimize import minimize

STRENGTH: Final = 0.02
"""Of the L2 penalty of a ranking, over the number of its weights."""


def vector(names: Sequence[str], weights: Mapping[str, float]) -> np.ndarray:
    """Return weights in the order of their names."""
    return np.array([weights.get(name, 0.0) for name in names])


def named(names: Sequence[str], weights: np.ndarray) -> dict[str, float]:
    """Return weights by their names, rounded as they are kept."""
    return {name: round(float(value), 4) for name, value in zip(names, weights, strict=True)}


def best_of(values: Sequence[float]) -> np.ndarray:
    """Return 1 for each candidate of a question that is worth as much as the best one, else 0."""
    array = np.array(values)
    return np.where(array >= array.max() - 1e-9, 1.0, 0.0)


def softmax(scores: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return how probable each candidate is among those of its question, of which only the start is told."""
    question = _questions(starts, len(scores))
    odds = np.exp(scores - np.maximum.reduceat(scores, starts)[question])
    odds /= np.add.reduceat(odds, starts)[question]
    return np.asarray(odds)


def ranking(
    matrix: np.ndarray,
    best: np.ndarray,
    starts: np.ndarray,
    shares: np.ndarray,
    start: np.ndarray | None = None,
    expected: np.ndarray | None = None,
    strength: float = STRENGTH,
    given: np.ndarray | None = None,
) -> np.ndarray:
    """Return the weights under which the best candidates of the questions are the most probable.

    Args:
        matrix: The features of the candidates, a row each, one question after the other.
        best: 1 for each candidate that is one of the best of its question, else 0.
        starts: Where the candidates of each question start.
        shares: How much each question counts.
        start: The weights to start from; zeros by default.
        expected: What the penalty draws the weights to; zeros by default.
        strength: Of the L2 penalty, over the number of the weights.
        given: What each candidate scores before the weights; nothing by default.
    """
    shares = shares / shares.sum()
    question = _questions(starts, len(matrix))
    nothing = np.zeros(matrix.shape[1])
    drawn = nothing if expected is None else expected

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        away = weights - drawn
        odds = softmax(matrix @ weights + (0.0 if given is None else given), starts)
        good = odds * best
        mass = np.maximum(np.add.reduceat(good, starts), 1e-12)
        total = strength * float(away @ away) / len(away) - float(shares @ np.log(mass))
        slope = matrix.T @ (shares[question] * (good / mass[question] - odds))
        return total, 2 * strength * away / len(away) - slope

    begin = nothing if start is None else start
    return np.asarray(minimize(loss, begin, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x)


def scale(
    sums: Sequence[float], right: Sequence[float], strength: float, *, only_lower: bool = False
) -> tuple[float, float]:
    """Return the factor and the addend by which sums of a logistic regression fit best what is right, from 0 to 1.

    Source: J. Platt, Probabilistic Outputs for Support Vector Machines, 1999. A penalty, in cases, draws them to 1 and
    0. With ``only_lower`` no sum may grow: then the factor is 1, and the addend is not positive.
    """
    given, target = np.array(sums), np.array(right)

    def loss(line: np.ndarray) -> tuple[float, np.ndarray]:
        odds = 1 / (1 + np.exp(-np.clip(line[0] * given + line[1], -30, 30)))
        away = line - np.array([1.0, 0.0])
        cost = -np.sum(target * np.log(odds + 1e-12) + (1 - target) * np.log(1 - odds + 1e-12))
        slope = np.array([(odds - target) @ given, np.sum(odds - target)]) + 2 * strength * away
        return float(cost + strength * away @ away), slope

    bounds = [(1.0, 1.0), (None, 0.0)] if only_lower else None
    factor, addend = minimize(loss, np.array([1.0, 0.0]), jac=True, method="L-BFGS-B", bounds=bounds).x
    return float(factor), float(addend)


def _questions(starts: np.ndarray, rows: int) -> np.ndarray:
    return np.repeat(np.arange(len(starts)), np.diff([*starts, rows]))
