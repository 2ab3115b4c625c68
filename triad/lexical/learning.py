"""Learning for one graph: the weights of the solver, refitted to the graph's own questions.

The shipped weights were learned from many graphs. Those of one graph are drawn to them, the more the fewer questions
there are: two rankings, of candidate queries and of readings, are fitted anew with a penalty on what changes, and the
three regressions of the confidence are stretched and shifted, as far as the questions tell. Questions that all have an
answer cannot tell how to decline the others: by them, the confidence only falls. Whether all that is better is told by
questions that were left out, and each of the two steps is kept only if it helps more than chance would.
"""

import hashlib
import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from triad.lexical.fitting import best_of, named, ranking, scale, vector
from triad.lexical.known import Judged, KnownQuestion
from triad.lexical.weights import Weights

FOLDS: Final = 5
_HOLD: Final = 3.0  # of what stretches and shifts the confidence, in questions
_SURELY: Final = 0.5  # standard errors that are taken off a gain
_CERTAIN: Final = 0.01  # no answer is taken to be surer than this leaves room for

Step = Callable[[Sequence[KnownQuestion], Weights], Weights]


@dataclass(frozen=True, slots=True)
class Learned:
    """Weights that were learned, and what left-out questions say of them."""

    weights: Weights
    steps: tuple[str, ...]
    """The steps that left-out questions are better with; none if the weights are those from before."""
    before: tuple[Judged, ...]
    """What each question is answered by the weights from before."""
    after: tuple[Judged, ...]
    """What each is answered by weights that were learned without it, by these steps."""
    tried: tuple[Judged, ...]
    """The same by all steps."""
    folds: tuple[int, ...]
    """Which part each question is in."""


def learn(known: Sequence[KnownQuestion], weights: Weights, folds: int = FOLDS) -> Learned:
    """Refit weights to questions with known answers, as far as left-out questions are better with that.

    Each of so many folds is answered by what was learned from the others.
    """
    parts = divisions(known, folds)
    before = tuple(one.told(weights) for one in known)
    told, kept = before, tuple[str, ...]()
    steps: tuple[Step, ...] = ()
    for name, (step, cost) in STEPS.items():
        tried = left_out(known, parts, weights, (*steps, step))
        if _gain(cost(told), cost(tried)) > 0:
            told, steps, kept = tried, (*steps, step), (*kept, name)
    every = told if len(kept) == len(STEPS) else left_out(known, parts, weights, [step for step, _ in STEPS.values()])
    return Learned(applied(known, weights, steps), kept, before, told, every, parts)


def divisions(known: Sequence[KnownQuestion], folds: int) -> tuple[int, ...]:
    """Return the part that each question is in; the parts are of about the same size, and depend on the texts alone."""
    digests = [hashlib.sha1(one.question.encode(), usedforsecurity=False).hexdigest() for one in known]
    place = {at: rank for rank, at in enumerate(sorted(range(len(known)), key=digests.__getitem__))}
    return tuple(place[at] % max(2, min(folds, len(known))) for at in range(len(known)))


def left_out(
    known: Sequence[KnownQuestion], parts: Sequence[int], weights: Weights, steps: Sequence[Step]
) -> tuple[Judged, ...]:
    """Return what each question is answered by weights that were learned from the other parts."""
    by_part = {
        part: applied([one for one, other in zip(known, parts, strict=True) if other != part], weights, steps)
        for part in set(parts)
    }
    return tuple(one.told(by_part[part]) for one, part in zip(known, parts, strict=True))


def applied(known: Sequence[KnownQuestion], weights: Weights, steps: Iterable[Step]) -> Weights:
    """Return weights after some steps of learning."""
    for step in steps:
        weights = step(known, weights)
    return weights


# The steps ------------------------------------------------------------------------------------------------


def rankings(known: Sequence[KnownQuestion], weights: Weights) -> Weights:
    """Refit the rankings of readings and of candidate queries."""
    readings = [[(one.features, one.value) for one in each.readings] for each in known]
    searched = [[(one.candidate.features, one.value) for one in each.searched] for each in known]
    return replace(
        weights, composition=_ranked(readings, weights.composition), features=_ranked(searched, weights.features)
    )


def _ranked(
    questions: Sequence[Sequence[tuple[Mapping[str, float], float]]], weights: Mapping[str, float]
) -> Mapping[str, float]:
    useful = [each for each in questions if each and max(value for _, value in each) > 0]
    useful = [each for each in useful if min(value for _, value in each) < max(value for _, value in each)]
    if not useful:
        return weights
    names = sorted({*weights, *(name for each in useful for row, _ in each for name in row)})
    matrix = np.array([[row.get(name, 0.0) for name in names] for each in useful for row, _ in each])
    best = np.concatenate([best_of([value for _, value in each]) for each in useful])
    starts = np.cumsum([0, *map(len, useful)])[:-1]
    shares = np.array([max(value for _, value in each) for each in useful])
    start = vector(names, weights)
    return named(names, ranking(matrix, best, starts, shares, start, start, len(names) / len(useful)))


def certainties(known: Sequence[KnownQuestion], weights: Weights) -> Weights:
    """Stretch and shift how sure the solver is, of both ways alike, so that it chooses between them as before."""
    if not (told := [one for one in (each.told(weights) for each in known) if one.confidence]):
        return weights
    sums = [math.log(sure / (1 - sure)) for sure in (min(1 - _CERTAIN, max(_CERTAIN, one.confidence)) for one in told)]
    lower = all(one.answerable for one in known)
    factor, addend = scale(sums, [one.value for one in told], _HOLD, only_lower=lower)

    def moved(model: Mapping[str, float]) -> dict[str, float]:
        scaled = {name: round(factor * weight, 4) for name, weight in model.items()}
        return scaled | {"bias": round(scaled.get("bias", 0.0) + addend, 4)}

    if any(one.setting for one in known):  # the schema is read, and these two have the last word
        return replace(weights, composed=moved(weights.composed), searched=moved(weights.searched))
    return replace(weights, confidence=moved(weights.confidence))


# What they are judged by ----------------------------------------------------------------------------------


def errors(told: Sequence[Judged]) -> list[float]:
    """Return what each answer lacks: 1 less its value; 0 where there is none to be found."""
    return [1 - one.value if one.answerable else 0.0 for one in told]


def log_losses(told: Sequence[Judged]) -> list[float]:
    """Return how far the confidence in each answer is from its value, as their cross entropy; 0 without an answer."""
    losses = []
    for one in told:
        sure = min(1 - _CERTAIN, max(_CERTAIN, one.confidence))
        loss = -one.value * math.log(sure) - (1 - one.value) * math.log(1 - sure)
        losses.append(loss if one.confidence else 0.0)
    return losses


def _gain(before: Sequence[float], after: Sequence[float]) -> float:
    gains = [old - new for old, new in zip(before, after, strict=True)]
    spread = statistics.stdev(gains) if len(gains) > 1 else 0.0
    return statistics.fmean(gains) - _SURELY * spread / math.sqrt(len(gains))


STEPS: Final[Mapping[str, tuple[Step, Callable[[Sequence[Judged]], list[float]]]]] = {
    "ranking": (rankings, errors),
    "calibration": (certainties, log_losses),
}
"""The steps of learning, each with what left-out questions judge it by: the less, the better."""
