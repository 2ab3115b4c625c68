"""The report on a run or a sweep, and its tables in Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from triad.answers import to_json
from triad.configs import NO_MODEL
from triad.evaluation.metrics.calibration import Bin
from triad.evaluation.metrics.definitions import DEFINITIONS
from triad.text import cell, table
from triad.trace import Usage

HEADLINE: Final = "set_f"
"""The metric that tables and progress bars show first."""
_OF_TURNS: Final = "right"  # the same of turns that are answered in words
SHOWN: Final = (
    HEADLINE, "macro_f1_gerbil", "triad_f1", "exact_match",
    _OF_TURNS, "nugget_recall", "declined_unanswerable", "citation_precision", "held_share", "recall_at_5",
)  # fmt: skip
"""Metrics that compact tables show."""


def headline(names: Collection[str]) -> str:
    """Return the metric that tables show first, of a run with these."""
    return _OF_TURNS if _OF_TURNS in names else HEADLINE


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
class RungFigures:
    """A rung of the ladder in a run."""

    climbed: int
    """Questions that it was asked."""
    answered: int
    """Questions that it gave the answer to."""
    score: float | None
    """The mean score of these answers; None where none has a score."""
    said: float | None = None
    """The mean score of all that it said."""
    below: float | None = None
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
        sections = [f"# {cell(self.name)}", "\n".join(f"- {line}" for line in facts(self))]
        if self.parts:
            sections.append("\n".join(compact(self.parts).grid()))
        sections += [section for one in tables(self) for section in one.in_markdown()]
        if self.scores:
            definitions = [f"- **{name}**: {DEFINITIONS[name]}" for name in self.scores if name in DEFINITIONS]
            sections += ["## Definitions", "\n".join(["G is the gold, A the answer.", "", *definitions])]
        return "\n\n".join(sections) + "\n"

    def __repr__(self) -> str:
        return f"Report({self.name!r}, questions={self.questions}, scores={dict(self.scores)!r})"

    _repr_markdown_ = to_markdown


def distinctly_named(reports: Sequence[Report]) -> list[Report]:
    """Return reports with distinct names: a name that several share gets the folder added."""
    names = Counter(report.name for report in reports)
    return [replace(one, name=f"{one.name} in {one.folder}") if names[one.name] > 1 else one for one in reports]


# Tables ---------------------------------------------------------------------------------------------------


class Table(NamedTuple):
    """A table of a report, for the terminal, for Markdown and for the page."""

    title: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    notes: tuple[str, ...] = ()
    """What is to be said above it."""

    def in_markdown(self) -> list[str]:
        """Return its sections in Markdown."""
        return [f"## {cell(self.title)}", *(["\n".join(self.notes)] if self.notes else []), "\n".join(self.grid())]

    def grid(self) -> list[str]:
        """Return the lines of the table alone."""
        return table(self.header, self.rows)


def tables(report: Report) -> list[Table]:
    """Return all that a report says in tables; none is empty."""
    first = headline(report.scores)
    errors = [(f"Expected calibration error by {first} (Guo et al. 2017)", report.calibration_error)]
    errors += [("Right answers over wrong ones (AUROC)", report.auroc)]
    told = tuple(f"{name}: {value:.3f}" for name, value in errors if value is not None)
    bins = [tuple(map(shown, (one.confidence, one.score, one.count))) for one in report.calibration]
    of_rung = ("rung", "asked", "answered", first, "of all it said", "of the rung below", *_USAGE)
    rungs = [
        (name, *map(shown, (one.climbed, one.answered, one.score, one.said, one.below)), *_usage(one.usage))
        for name, one in report.rungs.items()
    ]
    of_point = ("sure from", first, "calls", "tokens", "by the solver alone")
    points = [
        (f"{one.threshold:g}", shown(one.score), shown(one.calls, 2), shown(one.tokens, 0), f"{one.alone:.0%}")
        for one in report.curve
    ]
    would = "What another threshold of the solver would have come to, told from the answers kept."
    costs = {kind: [(name, *_usage(one)) for name, one in usages.items()] for kind, usages in report.costs.items()}
    times = [(name, *(shown(of, 2) for of in (one.mean, one.p50, one.p95))) for name, one in report.latency.items()]
    failures = [(name, count, report.reasons.get(name, "")) for name, count in report.errors.items()]
    left_out = [(one["file"], one["id"], one["reason"]) for one in report.malformed]
    found = [
        score_table(report, report.scores),
        *(_group_table(tag, groups) for tag, groups in report.groups.items()),
        Table("Calibration", ("confidence", first, "answers"), bins, told),
        Table("Rungs", of_rung, rungs),
        Table("Cost against quality", of_point, points, (would,)),
        Table("Where wrong answers went wrong", ("cause", "questions"), list(report.causes.items())),
        *(Table(f"Cost by {kind}", (kind, *_USAGE), rows) for kind, rows in costs.items()),
        Table("Seconds a question", ("phase", "mean", "p50", "p95"), times),
        Table("Failures", ("error", "questions", "the first of them"), failures),
        Table("Records left out", ("file", "record", "reason"), left_out),
    ]
    return [one for one in found if one.rows]


def score_table(report: Report, names: Iterable[str]) -> Table:
    """Return the table of some of a report's scores."""
    rows = [
        (name, shown(one.mean), _interval(one), shown(one.spread), shown(one.count))
        for name, one in ((name, report.scores[name]) for name in names)
    ]
    return Table("Scores", ("metric", "mean", "95 % interval", "spread", "questions"), rows)


def compact(reports: Sequence[Report]) -> Table:
    """Return the table with a row for each run."""
    names = [name for name in SHOWN if any(name in report.scores for report in reports)]
    rows = []
    for report in reports:
        asked = max(1, report.asked)
        rows.append((
            report.name,
            *(_with_interval(report.scores.get(name)) for name in names),
            shown(report.asked),
            shown(report.usage.calls / asked, 2),
            shown(report.usage.input_tokens / asked, 0),
            f"${report.usage.money:.4f}",
            shown(report.latency["all"].mean, 2) if report.latency else "",
        ))  # fmt: skip
    return Table("Runs", ("run", *names, "questions", "calls", "tokens in", "money", "seconds"), rows)


def shown(value: float | None, digits: int = 3) -> str:
    """Return a number as tables show it: a whole one with its thousands, another with so many digits; or nothing."""
    if value is None:
        return ""
    return f"{value:,}" if isinstance(value, int) else f"{value:,.{digits}f}"


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


def _group_table(tag: str, groups: Mapping[str, Group]) -> Table:
    names = [name for name in SHOWN if any(name in group.scores for group in groups.values())]
    rows = []
    for value, group in groups.items():
        usage, count = group.usage, group.count
        tokens = (usage.input_tokens + usage.output_tokens) / count
        effort = shown(usage.calls / count, 2), shown(tokens, 0), shown(group.seconds / count, 2)
        rows.append((value, shown(count), *(shown(group.scores.get(name)) for name in names), *effort))
    return Table(f"By {tag}", (tag, "questions", *names, "calls", "tokens", "seconds"), rows)


def _interval(score: Score) -> str:
    return f"{score.low:.3f} – {score.high:.3f}" if score.low is not None and score.high is not None else ""


def _with_interval(score: Score | None) -> str:
    if score is None:
        return ""
    mean, interval = shown(score.mean), _interval(score)
    return f"{mean} ± {score.spread:.3f}" if score.spread is not None else f"{mean} ({interval})" if interval else mean


_USAGE: Final = ("calls", "tokens in", "tokens out", "money", "seconds")


def _usage(usage: Usage) -> tuple[str, ...]:
    tokens = f"{usage.input_tokens:,}", f"{usage.output_tokens:,}"
    return f"{usage.calls:,}", *tokens, f"${usage.money:.4f}", f"{usage.seconds:.1f}"
