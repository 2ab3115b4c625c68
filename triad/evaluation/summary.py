"""What a run's folder comes to: scores with intervals, breakdowns, costs, latency, calibration.

The unit of the intervals is the question: where a question was asked several times, its mean counts once. The spread
is the standard deviation of the repetitions' own scores.

What another threshold of the solver would have come to is told of what a run kept, too. Where the solver was not sure
enough and the next rung was climbed, both answers are known: with a lower threshold the solver's would have been given,
without a call. Where it was sure enough, nothing else is known, so that no threshold above its confidence is told of.
"""

import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from triad.answers import from_json
from triad.configs import NO_MODEL
from triad.errors import DataError
from triad.evaluation import need_extra
from triad.evaluation.folder import RecordDigest, RunFolder, Said
from triad.evaluation.metrics.calibration import auroc, bins, calibration_error
from triad.evaluation.metrics.scoring import aggregate
from triad.evaluation.metrics.sets import known_mean
from triad.evaluation.metrics.significance import bootstrap
from triad.evaluation.report import Group, Latency, Report, RungFigures, Score, ThresholdPoint, worth
from triad.grouping import grouped
from triad.route import RUNGS
from triad.strict import validate
from triad.trace import Trace, Usage

_THRESHOLDS: Final = (0.0, 0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.975, 1.0)
VALUES: Final = 20
"""Distinct values that a tag may have to be broken down by."""


class _KeptRun(BaseModel):
    seed: int = 0
    repeat: int = 1


class _Kept(BaseModel):
    """What is read of a run's config, which may be that of an earlier release."""

    graph: str | tuple[str, ...]
    model: str | None = None
    dataset: Mapping[str, Any] | None = None
    run: _KeptRun = _KeptRun()


def summarise(folder: RunFolder) -> Report:
    """Return the report of a run; raises a `ConfigError` if the folder has none, a `DataError` if it cannot be read."""
    keys, sessions = folder.config(), folder.environment()["sessions"]
    session: Mapping[str, Any] = sessions[-1] if sessions else {}
    digests = sorted(folder.digests(), key=lambda digest: digest.key)  # the order of finishing must not matter
    kept = validate(_Kept, keys, folder.path / "config.yaml")
    seed = kept.run.seed
    calibration = bins(_sure(digests))
    return Report(
        name=session.get("name", folder.path.name),
        folder=folder.path,
        model=", ".join(dict.fromkeys((session.get("models") or {}).values())) or kept.model or NO_MODEL,
        graph=kept.graph if isinstance(kept.graph, str) else ", ".join(kept.graph),
        dataset=(kept.dataset or {}).get("path", ""),
        questions=session.get("questions", len(digests)),
        asked=len(digests),
        failed=sum(1 for digest in digests if digest.failed),
        declined=sum(1 for digest in digests if digest.declined),
        repeat=kept.run.repeat,
        without_model=sum(1 for digest in digests if digest.answer and digest.answer.method == "lexical"),
        errors=_counted(digest.error.type for digest in digests if digest.error and digest.failed),
        reasons={one.error.type: one.error.message for one in reversed(digests) if one.error and one.failed},
        scores=_scores(digests, seed),
        groups=_groups(digests),
        causes=_counted(digest.cause for digest in digests if digest.cause),
        usage=Usage.total(digest.usage for digest in digests),
        costs=_costs(digests),
        latency=_latencies(digests),
        calibration=calibration,
        calibration_error=calibration_error(calibration),
        auroc=auroc(_sure(digests)),
        rungs=rung_figures(digests),
        curve=threshold_curve(digests),
        malformed=tuple(session.get("malformed") or ()),
        unscored=sum(1 for digest in digests if not digest.scores),
        stopped=session.get("stopped"),
    )


def summarise_sweep(folder: RunFolder, name: str, parts: Sequence[Report]) -> Report:
    """Return the report of a sweep."""
    return Report(
        name=name,
        folder=folder.path,
        model=", ".join(dict.fromkeys(part.model for part in parts)),
        graph=", ".join(dict.fromkeys(part.graph for part in parts)),
        dataset=", ".join(dict.fromkeys(part.dataset for part in parts)),
        questions=sum(part.questions for part in parts),
        asked=sum(part.asked for part in parts),
        failed=sum(part.failed for part in parts),
        declined=sum(part.declined for part in parts),
        usage=Usage.total(part.usage for part in parts),
        parts=tuple(parts),
    )


def read_report(folder: str | Path) -> Report:
    """Return the report of a run or of a sweep, made anew from what is in the folder; raises as `summarise` does."""
    need_extra()
    run = RunFolder(folder)
    saved = run.path / "report.json"
    if not run.exists and saved.is_file():
        try:
            whole = from_json(Report, saved.read_bytes())
        except (OSError, ValueError) as error:
            why = str(error).partition("\n")[0]
            raise DataError(f"{str(saved)!r} is not the report of a sweep: {why}") from error
        # The folders lie beside the report, wherever that is by now.
        parts = (summarise(RunFolder(run.path / part.folder.name)) for part in whole.parts)
        return replace(whole, folder=run.path, parts=tuple(parts))
    return summarise(run)


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(Counter(names).most_common())


# Scores ---------------------------------------------------------------------------------------------------


def _scores(digests: Sequence[RecordDigest], seed: int) -> dict[str, Score]:
    scored = [digest for digest in digests if digest.scores]
    means = [aggregate(found) for found in grouped((one.repetition, one.scores) for one in scored).values()]
    questions = grouped((one.id, one.scores) for one in scored)
    found = {}
    for name in dict.fromkeys(name for mean in means for name in mean):
        per_run = [mean[name] for mean in means if name in mean]
        of_each = (known_mean(one.get(name) for one in scores) for scores in questions.values())
        values = [value for value in of_each if value is not None]
        # values drawn at most for one interval; for many questions there are fewer samples of them
        samples = min(10_000, max(1_000, 2_000_000 // max(1, len(values))))
        low, high = bootstrap(values, seed=seed, samples=samples) if values else (None, None)
        spread = statistics.stdev(per_run) if len(per_run) > 1 else None
        found[name] = Score(statistics.fmean(per_run), low, high, spread, len(values) or None)
    return found


def _groups(digests: Sequence[RecordDigest]) -> dict[str, dict[str, Group]]:
    tagged = [(one, {"answer_type": one.answer_type, **one.tags}) for one in digests if one.scores]
    groups = grouped((tag, (value, one)) for one, tags in tagged for tag, value in tags.items())
    return {
        tag: {
            value: Group(
                len(members),
                aggregate(one.scores for one in members),
                Usage.total(one.usage for one in members),
                sum(one.seconds for one in members),
            )
            for value, members in sorted(values.items())
        }
        for tag, values in ((tag, grouped(pairs)) for tag, pairs in groups.items())
        if tag == "answer_type" or 1 < len(values) <= VALUES
    }


# Costs ----------------------------------------------------------------------------------------------------


def _costs(digests: Sequence[RecordDigest]) -> dict[str, dict[str, Usage]]:
    totals: defaultdict[str, defaultdict[str, Usage]] = defaultdict(lambda: defaultdict(Usage))
    for digest in digests:
        for kind, usages in digest.costs.items():
            for name, usage in usages.items():
                totals[kind][name] += usage
    return {kind: dict(usages) for kind, usages in totals.items()}


def _latencies(digests: Sequence[RecordDigest]) -> dict[str, Latency]:
    if not digests:
        return {}
    phases = dict.fromkeys(phase for digest in digests for phase in digest.phases)
    return {
        "all": _latency([digest.seconds for digest in digests]),
        "model": _latency([digest.usage.seconds for digest in digests]),
        "without model": _latency([max(0.0, digest.seconds - digest.usage.seconds) for digest in digests]),
        **{phase: _latency([digest.phases.get(phase, 0.0) for digest in digests]) for phase in phases},
    }


def _latency(seconds: Sequence[float]) -> Latency:
    p95 = statistics.quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    return Latency(statistics.fmean(seconds), statistics.median(seconds), p95)


def _sure(digests: Sequence[RecordDigest]) -> list[tuple[float, float]]:
    """Return the confidence and the score of each answer."""
    told = ((digest.answer, worth(digest.scores)) for digest in digests)
    return [(answer.confidence, value) for answer, value in told if answer and value is not None]


# Rungs --------------------------------------------------------------------------------------------------


def by_rung(trace: Trace) -> dict[str, Usage]:
    """Return what each rung cost; its seconds are those of all its calls, to the graph and the index, too."""
    usages, seconds = trace.usage_by("rung"), trace.seconds_by("rung")
    return {rung: replace(usages.get(rung, Usage()), seconds=spent) for rung, spent in seconds.items()}


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
        points.append(ThresholdPoint(threshold, *map(statistics.fmean, zip(*outcomes, strict=True))))
    return tuple(points)


def _climbed(digest: RecordDigest) -> bool:
    """Return whether a rung above the solver was asked."""
    return any(rung != RUNGS[0] for rung in digest.costs.get("rung", {}))


def _just_below(digest: RecordDigest, rung: str) -> Said | None:
    """Return what the nearest rung below said."""
    below = [one for one in digest.said if RUNGS.index(one.rung) < RUNGS.index(rung)]
    return max(below, key=lambda one: RUNGS.index(one.rung), default=None)
