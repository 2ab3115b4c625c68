"""``triad list``: the files that users edit, with a line on each."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from triad.cli.options import AsJson, Kind
from triad.errors import ConfigError

app = typer.Typer()


@app.command("list")
def list_files(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; by default everything.")] = None,
    as_json: AsJson = False,
) -> None:
    """List roles, prompts, configs, recipes and graphs: those of TRIAD_PATH, your own, and the shipped ones."""
    from triad import resources
    from triad.cli import display

    rows = [
        (one.value, name, _description(one, path), str(path))
        for one in ([kind] if kind else Kind)
        for name, path in resources.available(one.value).items()
    ]
    header = ("kind", "name", "description", "path")
    listed = [dict(zip(header, row, strict=True)) for row in rows]
    display.give(listed, as_json, lambda out: display.show_table(out, header, rows))


def _description(kind: Kind, path: Path) -> str:
    from triad import resources
    from triad.prompts import load_prompt
    from triad.strict import load_yaml

    try:
        if kind is Kind.graph:
            return resources.read(path).partition("\n")[0].removeprefix("# ")
        if kind is Kind.prompts:
            return load_prompt(path).description
        data = load_yaml(resources.read(path), str(path))
    except ConfigError as error:
        return f"cannot be used: {error}"
    return str(data.get("description") or data.get("purpose") or "")
