"""The comparison of two runs, question by question, and what differs between configs as far as it affects answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, Final

from triad.answers import to_json
from triad.errors import ConfigError
from triad.evaluation import need_extra
from triad.evaluation.folder import RecordDigest, RunFolder
from triad.evaluation.metrics.definitions import DEFINITIONS
from triad.evaluation.metrics.sets import known_mean
from triad.evaluation.metrics.significance import PairedComparison, compare
from triad.evaluation.report import RungFigures, Table, headline, shown
from triad.evaluation.summary import rung_figures
from triad.grouping import grouped
from triad.naming import among
from triad.route import RUNGS
from triad.text import cell

_TOLERANCE: Final = 1e-9  # scores that differ by less are equal

_INDIFFERENT: Final = (
    "description", "run.workers", "run.out", "run.budget", "run.executor", "run.repeat", "sweep",
    "dataset.limit", "dataset.ids", "dataset.filter",
)  # fmt: skip
"""Keys of a config that may change when a run is resumed: they do not change answers."""
WATCHED: Final = ("graph", "prompts", "weights", "examples")
"""What a session says of its surroundings that changes answers, though the config stays the same."""


@dataclass(frozen=True, slots=True)
class Change:
    """A question whose score changed."""

    id: str
    question: str
    before: float
    after: float
    cause_before: str = ""
    """Where the answer went wrong, or the error that the question failed with."""
    cause_after: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """Two runs over the questions that both asked."""

    before: Path
    after: Path
    metric: str
    """The metric by which questions are compared."""
    metrics: Mapping[str, PairedComparison]
    """Each metric that is a mean over questions: the difference, its 95 % interval, and the significance."""
    means: Mapping[str, tuple[float, float]]
    better: tuple[Change, ...]
    worse: tuple[Change, ...]
    same: int
    rungs: Mapping[str, tuple[RungFigures | None, RungFigures | None]] = field(default_factory=dict)
    """The rungs of the ladder in both runs, over all that each asked; None where a run did not have one."""
    only_before: int = 0
    """Questions that the first run alone asked; they are left out."""
    only_after: int = 0
    differs: tuple[str, ...] = ()
    """Keys of the configs, the graph and the prompts that differ, as far as they affect answers."""

    def to_json(self) -> str:
        """Return the comparison as JSON text."""
        return to_json(self, indent=2)

    def to_markdown(self) -> str:
        """Return the comparison as tables in Markdown."""
        facts = [
            f"{len(self.better) + len(self.worse) + self.same:,} questions that both asked, by {self.metric}: "
            f"{len(self.better):,} better, {len(self.worse):,} worse, {self.same:,} the same"
        ]
        if self.only_before or self.only_after:
            facts.append(f"left out: {self.only_before:,} of the first run alone, {self.only_after:,} of the second")
        facts.append("p: how probable so great a difference would be if chance alone told the runs apart")
        facts += [f"differs: {cell(line)}" for line in self.differs]
        scores, *others = self._tables()
        sections = [f"# {self.before} → {self.after}", "\n".join(f"- {line}" for line in facts)]
        sections += ["\n".join(scores.grid()), *(section for one in others for section in one.in_markdown())]
        return "\n\n".join(sections) + "\n"

    def _tables(self) -> list[Table]:
        rows: list[Sequence[str]] = []
        for name, one in self.metrics.items():
            interval = f"{one.low:+.3f} … {one.high:+.3f}"
            rows.append((name, *map(shown, self.means[name]), f"{one.difference:+.3f}", interval, f"{one.p_value:.3g}"))
        rungs = [(name, *_rung_cells(one), *_rung_cells(other)) for name, (one, other) in self.rungs.items()]
        of_rung = ("answered", headline(self.metrics), "calls", "tokens in")
        of_change = ("id", "question", "before", "after", "fault before", "fault after")
        found = [
            Table("Scores", ("metric", "before", "after", "difference", "95 % interval", "p"), rows),
            Table("Rungs", ("rung", *(f"{what} {when}" for when in ("before", "after") for what in of_rung)), rungs),
        ]
        for title, changes in (("Better", self.better), ("Worse", self.worse)):
            lines = [
                (one.id, one.question, shown(one.before), shown(one.after), one.cause_before, one.cause_after)
                for one in changes
            ]
            found.append(Table(title, of_change, lines))
        return found[:1] + [one for one in found[1:] if one.rows]


def compare_runs(before: str | Path, after: str | Path, *, metric: str | None = None) -> Compared:
    """Compare two runs over the questions that both asked, by default by the metric that tables show first.

    Raises:
        ConfigError: A folder is not that of a run, the runs have no question in common, there is no such metric, or the
            extra ``evaluation`` is missing.
        DataError: A file cannot be read.
    """
    need_extra()
    runs = RunFolder(before), RunFolder(after)
    configs = [run.config() for run in runs]  # raises an error if the folder holds no run
    digests = [list(run.digests()) for run in runs]
    first, second = map(_by_question, digests)
    common = [id_ for id_ in first if id_ in second and _text(first[id_]) == _text(second[id_])]
    if not common:
        raise ConfigError(f"the runs {str(before)!r} and {str(after)!r} have no scored question in common")
    values = {name: {at: (_value(first[at], name), _value(second[at], name)) for at in common} for name in DEFINITIONS}
    names = [name for name in DEFINITIONS if any(name in first[id_][0].scores for id_ in common)]
    metric = metric or headline(names)
    if metric not in names:
        raise ConfigError(f"there is no metric {metric!r} to compare questions by; there are {among(names, metric)}")
    metrics, means = {}, {}
    for name in names:
        if pairs := [(old, new) for old, new in values[name].values() if old is not None and new is not None]:
            olds, news = map(list, zip(*pairs, strict=True))
            metrics[name] = compare(olds, news)
            means[name] = fmean(olds), fmean(news)
    changes = [
        Change(id_, _text(first[id_]), old, new, _cause(first[id_]), _cause(second[id_]))
        for id_, (old, new) in values[metric].items()
        if old is not None and new is not None and abs(old - new) >= _TOLERANCE
    ]
    changes.sort(key=lambda change: change.before - change.after)
    better = tuple(change for change in changes if change.after > change.before)
    worse = tuple(reversed([change for change in changes if change.after < change.before]))
    lasts = [(run.environment()["sessions"] or [{}])[-1] for run in runs]
    old_rungs, new_rungs = map(rung_figures, digests)
    return Compared(
        before=Path(before),
        after=Path(after),
        metric=metric,
        metrics=metrics,
        means=means,
        better=better,
        worse=worse,
        same=len(common) - len(changes),
        rungs={one: (old_rungs.get(one), new_rungs.get(one)) for one in RUNGS if one in {**old_rungs, **new_rungs}},
        only_before=len(first) - len(common),
        only_after=len(second) - len(common),
        differs=(*differences(*configs), *differences(*({key: last.get(key) for key in WATCHED} for last in lasts))),
    )


def _rung_cells(one: RungFigures | None) -> tuple[str, ...]:
    if one is None:
        return ("",) * 4
    return tuple(map(shown, (one.answered, one.score, one.usage.calls, one.usage.input_tokens)))


def _by_question(digests: Iterable[RecordDigest]) -> dict[str, list[RecordDigest]]:
    """Return the scored repetitions of each question."""
    return grouped((digest.id, digest) for digest in digests if digest.scores)


def _text(asked: Sequence[RecordDigest]) -> str:
    return asked[0].question.text


def _value(asked: Sequence[RecordDigest], name: str) -> float | None:
    return known_mean(one.scores.get(name) for one in asked)


def _cause(asked: Sequence[RecordDigest]) -> str:
    causes = ("declined" if one.declined else one.error.type if one.error else one.cause or "" for one in asked)
    return ", ".join(dict.fromkeys(filter(None, causes)))


# What differs in the configs ------------------------------------------------------------------------------


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the keys of two configs that differ and affect answers.

    >>> differences({"roles": {"advisor": {"tries": 3}}, "model": "a"}, {"roles": {"advisor": {"tries": 1}}})
    ["model: 'a' → nothing", 'roles.advisor.tries: 3 → 1']
    """
    before, after = dict(_flat(old)), dict(_flat(new))
    changed = (key for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key))
    told = (key for key in changed if not any(key == name or key.startswith(f"{name}.") for name in _INDIFFERENT))
    return [f"{key}: {_shown(before, key)} → {_shown(after, key)}" for key in told]


def _flat(keys: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in keys.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{above}{key}.")
        elif value not in (None, [], ()):  # an empty key counts as a missing one
            yield f"{above}{key}", value


def _shown(keys: Mapping[str, Any], key: str) -> str:
    return repr(keys[key]) if key in keys else "nothing"
