"""The report on a run or a sweep, and its tables in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from triad.answers import to_json
from triad.configs import NO_MODEL
from triad.evaluation.metrics import DEFINITIONS, Bin
from triad.text import cell, table
from triad.trace import Usage

__all__ = [
    "HEADLINE",
    "SHOWN",
    "Effort",
    "Group",
    "Latency",
    "Report",
    "RungFigures",
    "Score",
    "ThresholdPoint",
    "compact",
    "curve_header",
    "curve_rows",
    "distinctly_named",
    "facts",
    "headline",
    "rung_header",
    "rung_rows",
    "score_cells",
    "usage_cells",
    "worth",
]

HEADLINE: Final = "set_f"
"""The metric that tables and progress bars show first."""
OF_TURNS: Final = "right"
"""The same of turns that are answered in words."""
SHOWN: Final = (
    HEADLINE, "macro_f1_gerbil", "triad_f1", "exact_match",
    OF_TURNS, "nugget_recall", "declined_unanswerable", "citation_precision", "held_share", "recall_at_5",
)  # fmt: skip
"""Metrics that compact tables show."""


def headline(names: Collection[str]) -> str:
    """Return the metric that tables show first, of a run with these."""
    return OF_TURNS if OF_TURNS in names else HEADLINE


def worth(scores: Mapping[str, float | None]) -> float | None:
    """Return what an answer is worth by that metric."""
    return scores.get(headline(scores))


@dataclass(frozen=True, slots=True)
class Score:
    """A metric over a run."""

    mean: float
    low: float | None = None
    """The lower end of its 95 % interval; None for a metric that is not a mean over questions."""
    high: float | None = None
    spread: float | None = None
    """The standard deviation over repetitions, where there are several."""
    count: int | None = None
    """Questions that it has a value for; None for a metric that is not a mean over questions."""


@dataclass(frozen=True, slots=True)
class Group:
    """A part of the questions."""

    count: int
    scores: Mapping[str, float]
    usage: Usage = Usage()
    seconds: float = 0.0
    """Seconds of all of them, from question to answer."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds a question."""

    mean: float
    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Effort:
    """Questions that took the same number of model calls."""

    calls: int
    tokens: float
    """Their mean number of tokens, sent and received."""
    score: float
    """Their mean score."""
    count: int


@dataclass(frozen=True, slots=True)
class RungFigures:
    """A rung of the ladder in a run."""

    climbed: int
    """Questions that it was asked."""
    answered: int
    """Questions that it gave the answer to."""
    score: float | None
    """The mean score of these answers; None where none has a score."""
    said: float | None
    """The mean score of all that it said."""
    below: float | None
    """The mean score of what the nearest rung below had said to the questions that it gave the answer to."""
    usage: Usage = Usage()
    """What it cost; its seconds are those of all its calls, to the graph and the index, too."""


@dataclass(frozen=True, slots=True)
class ThresholdPoint:
    """What a run would have come to with another threshold of the solver."""

    threshold: float
    """The confidence from which on the solver's answer is given without asking the model."""
    score: float
    calls: float
    """Calls a question."""
    tokens: float
    """Tokens a question, sent and received."""
    alone: float
    """The share of the questions that the solver answers."""


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The results of a run."""

    name: str
    folder: Path
    model: str
    graph: str
    dataset: str
    questions: int
    """The number of questions, repetitions included."""
    asked: int
    failed: int
    """Questions that ended with an error."""
    declined: int = 0
    """Questions without an answer, or with one whose confidence is below the config's ``min_confidence``."""
    repeat: int = 1
    errors: Mapping[str, int] = field(default_factory=dict)
    """How many questions failed with each error."""
    reasons: Mapping[str, str] = field(default_factory=dict)
    """For each error the message of the first question that failed with it."""
    without_model: int = 0
    """Questions that the lexical solver answered: all, or those for which the model failed."""
    scores: Mapping[str, Score] = field(default_factory=dict)
    groups: Mapping[str, Mapping[str, Group]] = field(default_factory=dict)
    """For the answer type, and for each tag of the data set, the questions of each value."""
    causes: Mapping[str, int] = field(default_factory=dict)
    """How many wrong answers have their first error in which step."""
    usage: Usage = Usage()
    costs: Mapping[str, Mapping[str, Usage]] = field(default_factory=dict)
    """Usage by ``phase``, ``role`` and ``subtask``."""
    latency: Mapping[str, Latency] = field(default_factory=dict)
    """Seconds in ``all``, of them ``model``, and by phase."""
    calibration: tuple[Bin, ...] = ()
    """The reliability diagram: mean scores by confidence."""
    calibration_error: float | None = None
    """The expected calibration error, by the metric that tables show first; None without scored answers."""
    auroc: float | None = None
    """How often a right answer has more confidence than a wrong one; None without both."""
    rungs: Mapping[str, RungFigures] = field(default_factory=dict)
    """The rungs of the ladder, the lowest first; empty where there is none."""
    curve: tuple[ThresholdPoint, ...] = ()
    """Cost against quality: what other thresholds of the solver would have come to, told from the answers kept."""
    efforts: tuple[Effort, ...] = ()
    malformed: tuple[Mapping[str, str], ...] = ()
    """Records of the data set that were left out, with file, id and reason."""
    unscored: int = 0
    """Questions without gold."""
    stopped: str | None = None
    """Why the run ended early."""
    parts: tuple[Report, ...] = ()
    """The runs of a sweep."""

    def to_json(self) -> str:
        """Return the report as JSON text; `read_report` reads it."""
        return to_json(self, indent=2)

    def to_markdown(self) -> str:
        """Return the report as tables in Markdown."""
        return _markdown(self)

    def __repr__(self) -> str:
        return f"Report({self.name!r}, questions={self.questions}, scores={dict(self.scores)!r})"

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def distinctly_named(reports: Sequence[Report]) -> list[Report]:
    """Return reports with distinct names: a name that several share gets the folder added."""
    names = Counter(report.name for report in reports)
    return [replace(one, name=f"{one.name} in {one.folder}") if names[one.name] > 1 else one for one in reports]


# Tables ---------------------------------------------------------------------------------------------------


def _markdown(report: Report) -> str:
    """Return a report as tables in Markdown."""
    shown_first = headline(report.scores)
    sections = [[f"# {cell(report.name)}"], [f"- {line}" for line in facts(report)]]
    if report.parts:
        sections.append(table(*compact(report.parts)))
    if report.scores:
        rows = [(name, *score_cells(score)) for name, score in report.scores.items()]
        sections += [["## Scores"], table(("metric", "mean", "95 % interval", "spread", "questions"), rows)]
    for tag, groups in report.groups.items():
        sections += [[f"## By {cell(tag)}"], table(*_group_table(tag, groups))]
    if report.calibration_error is not None:
        rows = [(f"{one.confidence:.3f}", f"{one.score:.3f}", f"{one.count:,}") for one in report.calibration]
        sections += [
            ["## Calibration"],
            [f"Expected calibration error by {shown_first} (Guo et al. 2017): {report.calibration_error:.3f}"]
            + ([] if report.auroc is None else [f"Right answers over wrong ones (AUROC): {report.auroc:.3f}"]),
            table(("confidence", shown_first, "answers"), rows),
        ]
    if report.rungs:
        sections += [["## Rungs"], table(rung_header(report), rung_rows(report))]
    if report.curve:
        sections += [
            ["## Cost against quality"],
            ["What another threshold of the solver would have come to, told from the answers kept."],
            table(curve_header(report), curve_rows(report)),
        ]
    if report.causes:
        sections += [["## Where wrong answers went wrong"], table(("cause", "questions"), report.causes.items())]
    for kind, usages in report.costs.items():
        rows = [(name, *usage_cells(usage)) for name, usage in usages.items()]
        sections += [
            [f"## Cost by {kind}"],
            table((kind, "calls", "tokens in", "tokens out", "money", "seconds"), rows),
        ]
    if report.latency:
        rows = [(name, f"{one.mean:.2f}", f"{one.p50:.2f}", f"{one.p95:.2f}") for name, one in report.latency.items()]
        sections += [["## Seconds a question"], table(("phase", "mean", "p50", "p95"), rows)]
    if report.errors:
        told = [(name, count, report.reasons.get(name, "")) for name, count in report.errors.items()]
        sections += [["## Failures"], table(("error", "questions", "the first of them"), told)]
    if report.malformed:
        rows = [(one["file"], one["id"], one["reason"]) for one in report.malformed]
        sections += [["## Records left out"], table(("file", "record", "reason"), rows)]
    if report.scores:
        definitions = [f"- **{name}**: {DEFINITIONS[name]}" for name in report.scores if name in DEFINITIONS]
        sections += [["## Definitions"], ["G is the gold, A the answer.", "", *definitions]]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def facts(report: Report) -> list[str]:
    """Describe the run in a few lines."""
    usage, asked = report.usage, max(1, report.asked)
    lines = [
        f"model {report.model}, graph {report.graph}, data set {report.dataset}",
        f"{report.asked:,} of {report.questions:,} questions asked"
        + (f" ({report.repeat} times each)" if report.repeat > 1 else "")
        + f", {report.declined:,} declined, {report.failed:,} failed",
        f"{usage.calls / asked:.2f} calls, {usage.input_tokens / asked:,.0f} tokens in and "
        f"{usage.output_tokens / asked:,.0f} out a question, ${usage.money:.4f} in all",
    ]
    if report.without_model and report.model != NO_MODEL:
        lines.append(f"{report.without_model:,} of the answers are the lexical solver's, for the model failed")
    if report.unscored:
        lines.append(f"{_counted(report.unscored, 'question')} without gold, and so without a score")
    if report.malformed:
        first = report.malformed[0]
        lines.append(
            f"{_counted(len(report.malformed), 'record')} of the data set left out as malformed, the first of them "
            f"{first['id']!r}: {first['reason']}"
        )
    if report.stopped:
        lines.append(f"stopped early: {report.stopped}")
    return lines


def _counted(number: int, name: str) -> str:
    return f"{number:,} {name}{'s' * (number != 1)}"


def compact(reports: Sequence[Report]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return header and rows of a table with a row for each run."""
    shown = [name for name in SHOWN if any(name in report.scores for report in reports)]
    header = ("run", *shown, "questions", "calls", "tokens in", "money", "seconds")
    rows = []
    for report in reports:
        asked = max(1, report.asked)
        rows.append((
            report.name,
            *(_interval_cell(report.scores.get(name)) for name in shown),
            f"{report.asked:,}",
            f"{report.usage.calls / asked:.2f}",
            f"{report.usage.input_tokens / asked:,.0f}",
            f"${report.usage.money:.4f}",
            f"{report.latency['all'].mean:.2f}" if report.latency else "",
        ))  # fmt: skip
    return header, rows


def _group_table(tag: str, groups: Mapping[str, Group]) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    shown = [name for name in SHOWN if any(name in group.scores for group in groups.values())]
    rows = [
        (
            value,
            f"{group.count:,}",
            *(f"{group.scores[name]:.3f}" if name in group.scores else "" for name in shown),
            f"{group.usage.calls / group.count:.2f}",
            f"{(group.usage.input_tokens + group.usage.output_tokens) / group.count:,.0f}",
            f"{group.seconds / group.count:.2f}",
        )
        for value, group in groups.items()
    ]
    return (tag, "questions", *shown, "calls", "tokens", "seconds"), rows


def rung_header(report: Report) -> tuple[str, ...]:
    """Return the header of the table of rungs."""
    return (
        "rung", "asked", "answered", headline(report.scores), "of all it said", "of the rung below", "calls",
        "tokens in", "tokens out", "money", "seconds",
    )  # fmt: skip


def curve_header(report: Report) -> tuple[str, ...]:
    """Return the header of the table of thresholds; calls and tokens are those a question."""
    return ("sure from", headline(report.scores), "calls", "tokens", "by the solver alone")


def rung_rows(report: Report) -> list[tuple[str, ...]]:
    """Return the rows of the table of rungs."""
    return [
        (
            name, f"{one.climbed:,}", f"{one.answered:,}",
            *("" if value is None else f"{value:.3f}" for value in (one.score, one.said, one.below)),
            *usage_cells(one.usage),
        )
        for name, one in report.rungs.items()
    ]  # fmt: skip


def curve_rows(report: Report) -> list[tuple[str, ...]]:
    """Return the rows of the table of thresholds."""
    return [
        (f"{one.threshold:g}", f"{one.score:.3f}", f"{one.calls:.2f}", f"{one.tokens:,.0f}", f"{one.alone:.0%}")
        for one in report.curve
    ]


def score_cells(score: Score) -> tuple[str, ...]:
    """Return mean, interval, spread and count of a score, as tables show them."""
    interval = f"{score.low:.3f} – {score.high:.3f}" if score.low is not None and score.high is not None else ""
    spread = f"{score.spread:.3f}" if score.spread is not None else ""
    return f"{score.mean:.3f}", interval, spread, f"{score.count:,}" if score.count else ""


def _interval_cell(score: Score | None) -> str:
    if score is None:
        return ""
    mean, interval, spread, _ = score_cells(score)
    return f"{mean} ± {spread}" if spread else f"{mean} ({interval})" if interval else mean


def usage_cells(usage: Usage) -> tuple[str, ...]:
    """Return calls, tokens sent and received, money and seconds, as tables show them."""
    tokens = f"{usage.input_tokens:,}", f"{usage.output_tokens:,}"
    return f"{usage.calls:,}", *tokens, f"${usage.money:.4f}", f"{usage.seconds:.1f}"
