"""``triad copy``: a shipped file, to edit it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import AsJson, Kind, examples

app = typer.Typer()


@app.command(epilog=examples("triad copy configs demo", "triad copy prompts parse_question my_prompts/"))
def copy(
    kind: Annotated[Kind, typer.Argument(help="What to copy.")],
    name: Annotated[str, typer.Argument(help="Its name, as 'triad list' gives it.")],
    to: Annotated[
        Path | None, typer.Argument(help="File or folder to copy to; by default KIND/ in TRIAD_PATH or in this folder.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace what is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Copy a shipped role, prompt, config or recipe, to edit it."""
    from loguru import logger

    from triad import resources

    copies = resources.copy(kind.value, name, to, replace=force)
    paths = list(map(str, copies))
    typer.echo(json.dumps(paths) if as_json else "\n".join(paths))
    target = copies[0]
    if resources.available(kind.value).get(target.stem, Path()).resolve() != target.resolve():
        logger.info("name it by its path, or set TRIAD_PATH to the folder that has {!r}", kind.value)
