"""The HTML page of one or several runs, in one file; and the answers of one as QALD-JSON.

The page needs no network and no other file. Its table is drawn by a few lines of JavaScript from a list that holds a
short row for each question; derivations lie beside it in compressed packs, which are opened when they are read, so that
ten thousand questions open at once.
"""

import base64
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from jinja2.utils import htmlsafe_json_dumps

from triad.datasets.qald import qald_record
from triad.evaluation.folder import Record, RunFolder
from triad.evaluation.metrics.definitions import DEFINITIONS
from triad.evaluation.report import SHOWN, Report, compact, distinctly_named, facts, headline, tables, worth
from triad.explain import explain
from triad.rdf import ResultSet
from triad.resources import drafted
from triad.text import clean, one_line

_PACK: Final = 50  # questions whose derivations are compressed together
VALUES: Final = 20
"""Values of an answer or a gold answer that a derivation shows."""


def write_reports(folder: RunFolder, report: Report) -> Report:
    """Write a report into its folder, as JSON, Markdown and HTML, and return it."""
    folder.write("report.json", report.to_json() + "\n")
    folder.write("report.md", report.to_markdown())
    write_html([report], folder.path / "report.html")
    return report


_TEMPLATES = Environment(
    loader=PackageLoader("triad.evaluation", "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_COLUMNS: Final = ("run", "id", "repetition", "question", "type", "score", "calls", "tokens", "seconds", "outcome")


def write_html(reports: Sequence[Report], path: Path, *, named: bool = False) -> None:
    """Write the page of one or several runs, piece by piece: not all derivations fit in memory."""
    with drafted(path, named=named) as draft, draft.open("w", encoding="utf-8") as file:
        file.writelines(html(reports))


def html(reports: Sequence[Report]) -> Iterator[str]:
    """Yield the page of one or several runs in pieces; a sweep's report stands for the runs that it is made of."""
    runs = distinctly_named([run for report in reports for run in (report.parts or (report,))])
    title = ", ".join(report.name for report in distinctly_named(reports))
    rows: list[list[Any]] = []
    context = {
        "title": title,
        "runs": runs,
        "facts": [facts(run) for run in runs],
        "compact": compact(runs),
        "shown": SHOWN,
        "tables": [tables(run) for run in runs],
        "headlines": [headline(run.scores) for run in runs],
        "headline": headline([name for run in runs for name in run.scores]),
        "definitions": DEFINITIONS,
        "columns": _COLUMNS,
        "packs": _packs(runs, rows),
        "index": lambda: htmlsafe_json_dumps(rows, ensure_ascii=False, separators=(",", ":")),
        "pack_size": _PACK,
    }
    yield from _TEMPLATES.get_template("report.html.jinja").generate(context)


def _packs(runs: Sequence[Report], rows: list[list[Any]]) -> Iterator[str]:
    """Yield derivations, compressed, so many at a time; each question gets its row of the index on the way."""
    pack: list[dict[str, Any]] = []
    for number, run in enumerate(runs):
        for record in RunFolder(run.folder).records():
            rows.append(_row(number, record))
            pack.append(derivation(record))
            if len(pack) == _PACK:
                yield _compressed(pack)
                pack = []
    if pack:
        yield _compressed(pack)


def _compressed(value: Any) -> str:
    return base64.b64encode(zlib.compress(json.dumps(value, ensure_ascii=False).encode(errors="replace"), 6)).decode()


def _row(run: int, record: Record) -> list[Any]:
    score = worth(record.scores)
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
        "declined" if record.declined else record.error.type if record.error else record.cause or "",
    ]


def derivation(record: Record) -> dict[str, Any]:
    """Return the details of a question for the page: its gold, its answer, and the derivation."""
    return {
        "told": _told(record),
        "answer": _values(record.answer.result) if record.answer else [],
        "gold": _values(record.gold) if record.gold else record.expected.told() if record.expected else [],
        "gold_query": clean(record.gold_query or ""),
        "scores": {name: value for name, value in record.scores.items() if name in DEFINITIONS and value is not None},
    }


def _told(record: Record) -> str:
    """Return how a question was answered or declined; for one that failed the error and the steps of its trace."""
    if record.answer:
        return explain(record.answer)
    if record.unknown:
        return replace(record.unknown, trace=record.trace).explain()
    lines = [f"{record.error.type}: {clean(record.error.message)}"] if record.error else []
    for number, step in enumerate(record.trace.steps if record.trace else (), 1):
        done = one_line(step.error or step.reply or step.request)
        lines.append(f"{number}. {step.phase}, {step.role or step.service}: {step.action}: {done}")
    return "\n".join(lines)


def _values(result: ResultSet) -> list[str]:
    if result.boolean is not None:
        return ["true" if result.boolean else "false"]
    values = [one_line(" | ".join("" if term is None else term.value for term in row)) for row in result.rows[:VALUES]]
    more = len(result.rows) - VALUES
    return [*values, f"and {more:,} more"] if more > 0 else values


def qald(folder: RunFolder) -> str:
    """Return the answers as QALD-JSON: question, query and SPARQL JSON result of each, of its first repetition.

    Raises:
        ConfigError: The folder is not that of a run.
        DataError: A file of it cannot be read.
    """
    name = Path((folder.config().get("dataset") or {}).get("path") or "questions").stem
    questions = [qald_record(one.question, one.answer) for one in folder.records() if one.repetition == 1]
    return json.dumps({"dataset": {"id": name}, "questions": questions}, indent=2, ensure_ascii=False) + "\n"
