"""``triad run``: a config over its data set."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from triad.cli.completing import complete_config
from triad.cli.faults import FAILURE
from triad.cli.options import AsJson, Changes, examples, key_and_value, with_changes

app = typer.Typer()


@app.command(
    "run",
    epilog=examples(
        "triad run demo",
        "triad run qald9 --limit 20 --set run.workers=4 --out runs/first",
        "triad run qald9 --out runs/first --resume",
        "triad run table4 --dry-run",
    ),
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
    """Run a config over its data set, and report how good the answers are and what they cost.

    Ends with a short table; the run's folder has all scores with their definitions. Exits with 1 if the run stopped
    early or every question failed.
    """
    from triad.cli import display
    from triad.cli.progress import run_progress
    from triad.cli.summary import show_report
    from triad.evaluation.run import run
    from triad.explain import cost
    from triad.log import logger

    selection: dict[str, Any] = {
        "limit": limit,
        "ids": [id_.strip() for id_ in ids.split(",") if id_.strip()] if ids is not None else None,
        "filter": dict(key_and_value(one, "--filter takes TAG=VALUE", "answer_type=count") for one in filters)
        if filters
        else None,
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
    display.give(report.to_json(), as_json, lambda out: show_report(out, report))
    logger.info("the answers, and a report with all scores and their definitions, are in {}", report.folder)
    runs = [one for one in report.parts or (report,) if one.asked]
    if report.stopped or (runs and all(one.failed == one.asked for one in runs)):
        raise typer.Exit(FAILURE)
