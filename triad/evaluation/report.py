"""Reports of runs: Markdown tables, and one HTML page that holds everything.

The page needs no network and no other file. Its table is drawn by a few lines of JavaScript from a list that holds a
short row for each question; derivations lie beside it in compressed packs, which are opened when they are read, so that
ten thousand questions open at once.
"""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

from triad.configs import NO_MODEL
from triad.errors import ConfigError
from triad.evaluation.folder import Record, RunFolder
from triad.evaluation.metrics import METRICS
from triad.evaluation.summary import HEADLINE, Group, Report, Score, told_apart
from triad.explain import explain
from triad.rdf import ResultSet
from triad.text import clean, one_line
from triad.trace import Usage

__all__ = ["SHOWN", "compact", "facts", "html", "markdown", "table", "write_html", "write_reports"]

SHOWN: Final = (HEADLINE, "macro_f1_gerbil", "triad_f1", "exact_match")
"""Metrics that compact tables show."""
PACK: Final = 50
"""Questions whose derivations are compressed together."""
VALUES: Final = 20
"""Values of an answer or a gold answer that a derivation shows."""
_TAG = re.compile(r"(?<!\]\()<")  # where a tag may begin; behind "](" a link's address does


def write_reports(folder: RunFolder, report: Report) -> Report:
    """Write a report into its folder, as JSON, Markdown and HTML, and return it."""
    folder.write("report.json", report.to_json() + "\n")
    folder.write("report.md", markdown(report))
    write_html([report], folder.path / "report.html")
    return report


# Markdown -------------------------------------------------------------------------------------------------


def markdown(report: Report) -> str:
    """Return a report as tables in Markdown."""
    sections = [[f"# {_cell(report.name)}"], [f"- {line}" for line in facts(report)]]
    if report.parts:
        sections.append(table(*compact(report.parts)))
    if report.scores:
        rows = [(name, *_score_cells(score)) for name, score in report.scores.items()]
        sections += [["## Scores"], table(("metric", "mean", "95 % interval", "spread", "questions"), rows)]
    for tag, groups in report.groups.items():
        sections += [[f"## By {_cell(tag)}"], table(*_group_table(tag, groups))]
    if report.calibration_error is not None:
        rows = [(f"{one.confidence:.3f}", f"{one.score:.3f}", f"{one.count:,}") for one in report.calibration]
        sections += [
            ["## Calibration"],
            [f"Expected calibration error by {HEADLINE} (Guo et al. 2017): {report.calibration_error:.3f}"],
            table(("confidence", HEADLINE, "answers"), rows),
        ]
    if report.causes:
        sections += [["## Where wrong answers went wrong"], table(("cause", "questions"), report.causes.items())]
    for kind, usages in report.costs.items():
        rows = [(name, *_usage_cells(usage)) for name, usage in usages.items()]
        sections += [
            [f"## Cost by {kind}"],
            table((kind, "calls", "tokens in", "tokens out", "money", "seconds"), rows),
        ]
    if report.latency:
        rows = [(name, f"{one.mean:.2f}", f"{one.p50:.2f}", f"{one.p95:.2f}") for name, one in report.latency.items()]
        sections += [["## Seconds a question"], table(("phase", "mean", "p50", "p95"), rows)]
    if report.errors:
        sections += [["## Failures"], table(("error", "questions"), report.errors.items())]
    if report.malformed:
        rows = [(one["file"], one["id"], one["reason"]) for one in report.malformed]
        sections += [["## Records left out"], table(("file", "record", "reason"), rows)]
    if report.scores:
        definitions = [f"- **{name}**: {METRICS[name]}" for name in report.scores if name in METRICS]
        sections += [["## Definitions"], ["G is the gold, A the answer.", "", *definitions]]
    return "\n\n".join("\n".join(lines) for lines in sections if lines) + "\n"


def facts(report: Report) -> list[str]:
    """Say in a few lines what was run."""
    usage, asked = report.usage, max(1, report.asked)
    lines = [
        f"model {report.model}, graph {report.graph}, data set {report.dataset}",
        f"{report.asked:,} of {report.questions:,} questions asked"
        + (f" ({report.repeat} times each)" if report.repeat > 1 else "")
        + f", {report.failed:,} failed",
        f"{usage.calls / asked:.2f} calls, {usage.input_tokens / asked:,.0f} tokens in and "
        f"{usage.output_tokens / asked:,.0f} out a question, ${usage.money:.4f} in all",
    ]
    if report.without_model and report.model != NO_MODEL:
        lines.append(f"{report.without_model:,} of the answers are the lexical solver's, for the model failed")
    if report.unscored:
        lines.append(f"{report.unscored:,} questions have no gold and no score")
    if report.malformed:
        lines.append(f"{len(report.malformed):,} records of the data set are malformed and left out")
    if report.stopped:
        lines.append(f"stopped early: {report.stopped}")
    return lines


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
        (value, f"{group.count:,}", *(f"{group.scores[name]:.3f}" if name in group.scores else "" for name in shown))
        for value, group in groups.items()
    ]
    return (tag, "questions", *shown), rows


def _score_cells(score: Score) -> tuple[str, ...]:
    interval = f"{score.low:.3f} – {score.high:.3f}" if score.low is not None and score.high is not None else ""
    spread = f"{score.spread:.3f}" if score.spread is not None else ""
    return f"{score.mean:.3f}", interval, spread, f"{score.count:,}" if score.count else ""


def _interval_cell(score: Score | None) -> str:
    if score is None:
        return ""
    mean, interval, spread, _ = _score_cells(score)
    return f"{mean} ± {spread}" if spread else f"{mean} ({interval})" if interval else mean


def _usage_cells(usage: Usage) -> tuple[str, ...]:
    tokens = f"{usage.input_tokens:,}", f"{usage.output_tokens:,}"
    return f"{usage.calls:,}", *tokens, f"${usage.money:.4f}", f"{usage.seconds:.1f}"


def table(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> list[str]:
    """Return the lines of a Markdown table."""
    lines = [f"| {' | '.join(map(_cell, cells))} |" for cells in (header, *rows)]
    return [lines[0], "|" + " --- |" * len(header), *lines[1:]]


def _cell(value: object) -> str:
    return _TAG.sub(r"\\<", one_line(str(value)).replace("|", "\\|"))


# HTML -----------------------------------------------------------------------------------------------------

_TEMPLATES = Environment(
    loader=PackageLoader("triad.evaluation", "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_COLUMNS: Final = ("run", "id", "repetition", "question", "type", "score", "calls", "tokens", "seconds", "outcome")


def write_html(reports: Sequence[Report], path: Path) -> None:
    """Write the page of one or several runs, piece by piece: not all derivations fit in memory.

    Raises:
        ConfigError: The file cannot be written.
    """
    draft = path.with_name(f".{path.name}.tmp")
    try:
        with draft.open("w", encoding="utf-8") as file:
            file.writelines(html(reports))
        draft.replace(path)
    except OSError as error:
        raise ConfigError(f"cannot write {str(path)!r}: {error}") from error


def html(reports: Sequence[Report]) -> Iterator[str]:
    """Yield the page of one or several runs in pieces.

    Args:
        reports: The runs' reports; a sweep's stands for the runs that it is made of.
    """
    runs = told_apart([run for report in reports for run in (report.parts or (report,))])
    title = ", ".join(report.name for report in told_apart(reports))
    rows: list[list[Any]] = []
    context = {
        "title": title,
        "runs": runs,
        "facts": [facts(run) for run in runs],
        "compact": compact(runs),
        "shown": SHOWN,
        "costs": [
            {kind: [(name, *_usage_cells(one)) for name, one in usages.items()] for kind, usages in run.costs.items()}
            for run in runs
        ],
        "scores": [[(name, *_score_cells(one)) for name, one in run.scores.items()] for run in runs],
        "headline": HEADLINE,
        "definitions": METRICS,
        "columns": _COLUMNS,
        "packs": _packs(runs, rows),
        "index": lambda: _script(rows),
        "pack_size": PACK,
    }
    yield from _TEMPLATES.get_template("report.html.jinja").generate(context)


def _packs(runs: Sequence[Report], rows: list[list[Any]]) -> Iterator[str]:
    """Yield derivations, compressed, so many at a time; each question gets its row of the index on the way."""
    pack: list[dict[str, Any]] = []
    for number, run in enumerate(runs):
        for record in RunFolder(run.folder).records():
            rows.append(_row(number, record))
            pack.append(derivation(record))
            if len(pack) == PACK:
                yield _compressed(pack)
                pack = []
    if pack:
        yield _compressed(pack)


def _compressed(value: Any) -> str:
    return base64.b64encode(zlib.compress(json.dumps(value, ensure_ascii=False).encode(errors="replace"), 6)).decode()


def _script(value: Any) -> Markup:
    """Return JSON that may stand in a script element, whatever its texts say."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026"))


def _row(run: int, record: Record) -> list[Any]:
    score = record.scores.get(HEADLINE)
    return [
        run,
        record.id,
        record.repetition,
        clean(record.question.text),
        record.answer_type,
        None if score is None else round(score, 3),
        record.usage.calls,
        record.usage.input_tokens + record.usage.output_tokens,
        round(record.seconds, 2),
        record.error.type if record.error else record.cause or "",
    ]


def derivation(record: Record) -> dict[str, Any]:
    """Return what the page tells of a question: its gold, its answer, and how that came about."""
    return {
        "told": explain(record.answer) if record.answer else _told(record),
        "answer": _values(record.answer.result) if record.answer else [],
        "gold": _values(record.gold) if record.gold else [],
        "gold_query": clean(record.gold_query or ""),
        "scores": {name: value for name, value in record.scores.items() if name in METRICS and value is not None},
    }


def _told(record: Record) -> str:
    """Tell how far a question came that failed."""
    lines = [f"{record.error.type}: {clean(record.error.message)}"] if record.error else []
    steps = record.trace.steps if record.trace else ()
    return "\n".join(
        [
            *lines,
            *(
                f"{number}. {step.phase}, {step.role or step.service}: {step.action}: "
                f"{one_line(step.error or step.reply or step.request)}"
                for number, step in enumerate(steps, 1)
            ),
        ]
    )


def _values(result: ResultSet) -> list[str]:
    if result.boolean is not None:
        return ["true" if result.boolean else "false"]
    values = [one_line(" | ".join("" if term is None else term.value for term in row)) for row in result.rows[:VALUES]]
    more = len(result.rows) - VALUES
    return [*values, f"and {more:,} more"] if more > 0 else values
