"""``triad run``, ``triad report`` and ``triad compare``: a config over its data set, and what it came to."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal

import typer

from triad.cli.faults import FAILURE
from triad.cli.options import AsJson, Changes, command, complete_config, key_and_value, with_changes
from triad.errors import ConfigError
from triad.resources import write
from triad.text import one_line

if TYPE_CHECKING:
    from rich.console import Console

    from triad.evaluation.report import Report

app = typer.Typer()

_CAUSES: Final = 3  # reasons of failures that are named, for mostly one is behind all; the report has all


@command(
    app,
    "triad run demo",
    "triad run qald9 --limit 20 --set run.workers=4 --out runs/first",
    "triad run qald9 --out runs/first --resume",
    "triad run table4 --dry-run",
    name="run",
)
@with_changes
def run_config(
    *,
    config: Annotated[
        str, typer.Argument(help="A config, by name or path: see 'triad list configs'.", autocompletion=complete_config)
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The run's folder; by default runs/ and the config's name.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in that folder, if there is one.")
    ] = False,
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="Ask so many questions at most.")] = None,
    ids: Annotated[str | None, typer.Option("--ids", help="Ask the questions of these ids, with commas.")] = None,
    filters: Annotated[
        list[str] | None,
        typer.Option("--filter", help="Ask those with this tag, such as answer_type=count.", metavar="TAG=VALUE"),
    ] = None,
    changes: Changes,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what the run would cost, and ask nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Run a config over its data set, and report quality and cost.

    Ends with a short table; the run's folder has all scores with their definitions. Exits with 1 if the run stopped
    early or every question failed.
    """
    from triad.cli import display
    from triad.cli.progress import run_progress
    from triad.evaluation.run import run
    from triad.explain import cost
    from triad.log import logger

    tags = dict(key_and_value(one, "--filter takes TAG=VALUE", "answer_type=count") for one in filters or ())
    selection: dict[str, Any] = {
        "limit": limit,
        "ids": [id_.strip() for id_ in ids.split(",") if id_.strip()] if ids is not None else None,
        "filter": tags or None,
        "changes": changes.keys(),
        "out": out.expanduser() if out else None,
        "resume": resume,
    }
    if dry_run:
        estimate = run(config, dry_run=True, **selection)
        told = f"{estimate.questions:,} questions: {', '.join(cost(estimate.usage))}; by {estimate.basis}"
        display.give(asdict(estimate), as_json, told)
        return
    with run_progress(display.log_console()) as progress:
        report = run(config, on_progress=progress, **selection)
    display.give(report.to_json(), as_json, lambda out: _show_report(out, report))
    logger.info("the answers, and a report with all scores and their definitions, are in {}", report.folder)
    runs = [one for one in report.parts or (report,) if one.asked]
    if report.stopped or (runs and all(one.failed == one.asked for one in runs)):
        raise typer.Exit(FAILURE)


def _show_report(console: Console, report: Report) -> None:
    """Show what a run came to: the scores that matter most, how many questions failed and why, and the cost."""
    from triad.cli.display import show_table, show_text
    from triad.evaluation.report import SHOWN, compact, facts, score_table

    show_text(console, "\n".join(map(one_line, (report.name, *facts(report)))) + "\n")
    if report.parts:
        runs = compact(report.parts)
        show_table(console, runs.header, [[one_line(str(cell)) for cell in row] for row in runs.rows])
    elif report.scores:
        scores = score_table(report, [name for name in SHOWN if name in report.scores] or report.scores)
        show_table(console, scores.header, scores.rows)
    for error, count in sorted(report.errors.items(), key=lambda one: -one[1])[:_CAUSES]:
        reason = f", the first of them: {report.reasons[error]}" if report.reasons.get(error) else ""
        show_text(console, one_line(f"{count:,} failed: {error}{reason}"))
    if len(report.errors) > _CAUSES:
        show_text(console, f"and {len(report.errors) - _CAUSES:,} other causes of failures")


@command(
    app,
    "triad report runs/first",
    "triad report runs/first runs/second --to both.html",
    "triad report runs/first --format markdown",
    "triad report runs/first --format qald > answers.json",
    name="report",
)
def report_runs(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs or sweeps.")],
    format_: Annotated[
        Literal["html", "markdown", "json", "qald"], typer.Option("--format", "-f", help="What to write.")
    ] = "html",
    to: Annotated[
        Path | None, typer.Option("--to", help="The file; by default report.html in the first run, else the output.")
    ] = None,
) -> None:
    """Report on runs: a page, tables, or one's answers as QALD-JSON."""
    from triad.answers import to_json
    from triad.cli import display
    from triad.evaluation.folder import RunFolder
    from triad.evaluation.rendering import qald, write_html
    from triad.evaluation.report import distinctly_named
    from triad.evaluation.summary import read_report

    out = display.data_console()
    if format_ == "html":
        path = to or runs[0] / "report.html"
        write_html([read_report(run) for run in runs], path, named=to is not None)
        display.show_text(out, str(path))
        return
    if format_ == "qald":
        if len(runs) > 1:
            raise ConfigError(f"--format qald is of one run, not of {len(runs)}")
        text = qald(RunFolder(runs[0]))
    else:
        reports = distinctly_named([read_report(run) for run in runs])
        if format_ == "markdown":
            text = "\n".join(report.to_markdown() for report in reports)
        else:
            text = reports[0].to_json() if len(reports) == 1 else to_json(reports, indent=2)
    if to is not None:
        write(to, text)
    else:
        display.give(text, format_ != "markdown", text.removesuffix("\n"))


@command(app, "triad compare runs/first runs/second", "triad compare runs/first runs/second --metric exact_match")
def compare(
    before: Annotated[Path, typer.Argument(help="The folder of a run.")],
    after: Annotated[Path, typer.Argument(help="The folder of another run.")],
    metric: Annotated[str | None, typer.Option("--metric", help="What questions are compared by.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what got better or worse from one run to another. It is told, too, whether this is significant."""
    from triad.cli import display
    from triad.evaluation.comparison import compare_runs

    compared = compare_runs(before, after, metric=metric)
    display.give(compared.to_json(), as_json, compared.to_markdown().removesuffix("\n"))
