"""``triad copy``: a shipped file, to edit it."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from triad.cli.completing import complete_name
from triad.cli.options import AsJson, Kind, examples

app = typer.Typer()


@app.command(
    epilog=examples(
        "triad copy configs demo", "triad copy prompts parse_question my_prompts/", "triad copy graph books"
    )
)
def copy(
    kind: Annotated[Kind, typer.Argument(help="What to copy.")],
    name: Annotated[str, typer.Argument(help="Its name, as 'triad list' gives it.", autocompletion=complete_name)],
    to: Annotated[
        Path | None,
        typer.Argument(
            help="File or folder; by default one where it is found: KIND/ in TRIAD_PATH, or your own; a graph comes "
            "into this folder."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Replace what is there.")] = False,
    as_json: AsJson = False,
) -> None:
    """Copy a shipped role, prompt, config, recipe or graph, to edit it.

    Without a place to copy to, the copy is used from the next command on, in place of the shipped file; a graph is
    copied into this folder.
    """
    from triad import resources
    from triad.cli import display
    from triad.log import logger

    copies = resources.copy(kind.value, name, to, replace=force)
    paths = list(map(str, copies))
    display.give(paths, as_json, "\n".join(paths))
    target = copies[0]
    if kind is Kind.graph:
        logger.info('ask it: triad ask "…" --graph {}', shlex.quote(str(target)))
    elif resources.available(kind.value).get(target.stem, Path()).resolve() == target.resolve():
        logger.info("{!r} in {!r} is this copy from now on; delete it to have the shipped one", name, kind.value)
    else:
        logger.info("name it by its path, or set TRIAD_PATH to the folder that has {!r}", kind.value)
