"""The ladder in a run: what each rung answered and cost, and what another threshold of the solver would have come to.

All of it is told from what a run kept. Where the solver was not sure enough and the next rung was climbed, both answers
are known: with a lower threshold the solver's would have been given, without a call. Where it was sure enough, nothing
else is known, so that no threshold above its confidence can be told of.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final

from triad.evaluation.folder import RecordDigest, Said
from triad.evaluation.metrics.sets import known_mean
from triad.evaluation.report import RungFigures, ThresholdPoint, worth
from triad.route import RUNGS
from triad.trace import Trace, Usage

_THRESHOLDS: Final = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 1.0)


def by_rung(trace: Trace) -> dict[str, Usage]:
    """Return what each rung cost; its seconds are those of all its calls, to the graph and the index, too."""
    found: defaultdict[str, Usage] = defaultdict(Usage)
    for step in trace.steps:
        if step.rung:
            found[step.rung] += replace(step.usage, seconds=step.seconds)
    return dict(found)


def rung_figures(digests: Sequence[RecordDigest]) -> dict[str, RungFigures]:
    """Return the figures of each rung that said something or cost something, the lowest first."""
    found: dict[str, RungFigures] = {}
    for rung in RUNGS:
        said = [one for digest in digests for one in digest.said if one.rung == rung]
        given = [digest for digest in digests if digest.answer and digest.answer.rung == rung]
        usage = Usage.total(digest.costs.get("rung", {}).get(rung, Usage()) for digest in digests)
        if said or given or usage.seconds or usage.calls:
            found[rung] = RungFigures(
                climbed=sum(rung in digest.costs.get("rung", {}) for digest in digests),
                answered=len(given),
                score=known_mean(worth(digest.scores) for digest in given),
                said=known_mean(one.score for one in said),
                below=known_mean(one.score for digest in given if (one := _just_below(digest, rung))),
                usage=usage,
            )
    return found


def threshold_curve(digests: Sequence[RecordDigest]) -> tuple[ThresholdPoint, ...]:
    """Return what a run would have come to with each threshold of the solver, as far as what was kept can tell.

    Nothing is returned for a run in which the solver gave no way to a model.
    """
    scored = [
        (digest, next((one for one in digest.said if one.rung == RUNGS[0]), None))
        for digest in digests
        if worth(digest.scores) is not None
    ]
    if not any(solver and _climbed(digest) for digest, solver in scored):
        return ()
    points: list[ThresholdPoint] = []
    for threshold in _THRESHOLDS:
        outcomes: list[tuple[float, int, int, bool]] = []
        for digest, solver in scored:
            if solver is not None and solver.score is not None and solver.confidence >= threshold:
                outcomes.append((solver.score, 0, 0, True))
            elif solver is None or _climbed(digest):
                usage = digest.usage
                tokens = usage.input_tokens + usage.output_tokens
                outcomes.append((worth(digest.scores) or 0.0, usage.calls + usage.cached, tokens, False))
            else:
                return tuple(points)
        scores, calls, tokens_, alone = zip(*outcomes, strict=True)
        points.append(ThresholdPoint(threshold, fmean(scores), fmean(calls), fmean(tokens_), fmean(alone)))
    return tuple(points)


def _climbed(digest: RecordDigest) -> bool:
    """Return whether a rung above the solver was asked."""
    return any(rung != RUNGS[0] for rung in digest.costs.get("rung", {}))


def _just_below(digest: RecordDigest, rung: str) -> Said | None:
    """Return what the nearest rung below said."""
    below = [one for one in digest.said if RUNGS.index(one.rung) < RUNGS.index(rung)]
    return max(below, key=lambda one: RUNGS.index(one.rung), default=None)
