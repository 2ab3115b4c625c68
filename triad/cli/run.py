"""``triad run``: a config over its data set."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

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
    config: Annotated[str, typer.Argument(help="A config, by name or path: see 'triad list configs'.")],
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
    """Run a config over its data set, and report how good the answers are and what they cost."""
    from triad.cli import display
    from triad.cli.progress import run_progress
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
        "out": out,
        "resume": resume,
    }
    data, log = display.data_console(), display.log_console()
    if dry_run:
        estimate = run(config, dry_run=True, **selection)
        told = f"{estimate.questions:,} questions: {', '.join(cost(estimate.usage))}; by {estimate.basis}"
        display.show_text(data, json.dumps(asdict(estimate), indent=2) if as_json else told)
        return
    with run_progress(log) as progress:
        report = run(config, on_progress=progress, **selection)
    display.show_text(data, report.to_json() if as_json else report.to_markdown())
    logger.info("the answers and a page for the browser are in {}", report.folder)
    if report.stopped:
        raise typer.Exit(1)
