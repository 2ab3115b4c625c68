"""``triad compare``: what got better and what got worse between two runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import AsJson, examples

app = typer.Typer()


@app.command(
    epilog=examples("triad compare runs/first runs/second", "triad compare runs/first runs/second --metric exact_match")
)
def compare(
    before: Annotated[Path, typer.Argument(help="The folder of a run.")],
    after: Annotated[Path, typer.Argument(help="The folder of another run.")],
    metric: Annotated[str | None, typer.Option("--metric", help="What questions are compared by.")] = None,
    as_json: AsJson = False,
) -> None:
    """Tell what got better and what got worse from one run to another, and whether it is significant."""
    from triad.cli import display
    from triad.evaluation.comparison import compare_runs

    compared = compare_runs(before, after, metric=metric)
    display.give(compared.to_json(), as_json, compared.to_markdown().removesuffix("\n"))
