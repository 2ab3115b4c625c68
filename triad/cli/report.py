"""``triad report``: pages, tables and exports of runs."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import examples
from triad.errors import ConfigError
from triad.resources import write

app = typer.Typer()


class ReportFormat(Enum):
    """What 'triad report' writes."""

    html = "html"
    markdown = "markdown"
    json = "json"
    qald = "qald"
    text2sparql = "text2sparql"


@app.command(
    "report",
    epilog=examples(
        "triad report runs/first",
        "triad report runs/first runs/second --to both.html",
        "triad report runs/first --format markdown",
        "triad report runs/first --format qald > answers.json",
    ),
)
def report_runs(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs or sweeps.")],
    format_: Annotated[ReportFormat, typer.Option("--format", "-f", help="What to write.")] = ReportFormat.html,
    to: Annotated[
        Path | None, typer.Option("--to", help="The file; by default report.html in the first run, else the output.")
    ] = None,
) -> None:
    """Report on runs: a page for the browser, tables, or their answers in the formats of others."""
    from triad.answers import to_json
    from triad.cli import display
    from triad.evaluation.export import EXPORTS
    from triad.evaluation.folder import RunFolder
    from triad.evaluation.rendering import write_html
    from triad.evaluation.report import distinctly_named
    from triad.evaluation.summary import read_report

    out = display.data_console()
    if format_ is ReportFormat.html:
        path = to or runs[0] / "report.html"
        write_html([read_report(run) for run in runs], path)
        display.show_text(out, str(path))
        return
    if export := EXPORTS.get(format_.value):
        if len(runs) > 1:
            raise ConfigError(f"--format {format_.value} is of one run, not of {len(runs)}")
        text = export(RunFolder(runs[0]))
    else:
        reports = distinctly_named([read_report(run) for run in runs])
        if format_ is ReportFormat.markdown:
            text = "\n".join(report.to_markdown() for report in reports)
        else:
            text = reports[0].to_json() if len(reports) == 1 else to_json(reports, indent=2)
    if to is None and format_ is not ReportFormat.markdown:
        display.show_json(out, text)
    elif to is None:
        display.show_text(out, text.removesuffix("\n"))
    else:
        write(to, text)
