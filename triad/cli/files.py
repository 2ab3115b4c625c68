"""``triad list``, ``copy`` and ``doctor``: the files that users edit, and whether what a config names can be used."""

import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from triad import resources
from triad.cli.options import KINDS, AsJson, Changes, ConfigName, Kind, command, complete_name, read_kind, with_changes
from triad.errors import ConfigError

app = typer.Typer()

_KIND: Any = {
    "parser": read_kind,
    "autocompletion": lambda incomplete: [name for name in KINDS if name.startswith(incomplete)],
}


@app.command("list")
def list_files(
    kind: Annotated[Kind | None, typer.Argument(help="What to list; by default everything.", **_KIND)] = None,
    as_json: AsJson = False,
) -> None:
    """List roles, prompts, configs, recipes and graphs. Those of TRIAD_PATH, your own, and the shipped ones."""
    from triad.cli import display

    kinds = [kind] if kind else KINDS
    found = ((one, name, path) for one in kinds for name, path in resources.available(one).items())
    rows = [(one, name, _description(one, path), str(path)) for one, name, path in found]
    header = ("kind", "name", "description", "path")
    listed = [dict(zip(header, row, strict=True)) for row in rows]
    display.give(listed, as_json, lambda out: display.show_table(out, header, rows))


def _description(kind: Kind, path: Path) -> str:
    from triad.prompts import load_prompt
    from triad.strict import load_yaml

    try:
        if kind == "graph":
            return resources.read(path).partition("\n")[0].removeprefix("# ")
        if kind == "prompts":
            return load_prompt(path).description
        data = load_yaml(resources.read(path), str(path))
    except ConfigError as error:
        return f"cannot be used: {error}"
    return str(data.get("description") or data.get("purpose") or "")


@command(app, "triad copy configs demo", "triad copy prompts parse_question my_prompts/", "triad copy graph books")
def copy(
    kind: Annotated[Kind, typer.Argument(help="What to copy.", **_KIND)],
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
    """Copy a shipped role, prompt, config, recipe or graph.

    It is yours to edit. Without a place to copy to, the copy is used from the next command on, in place of the shipped
    file; a graph is copied into this folder.
    """
    from triad.cli import display
    from triad.log import logger

    copies = resources.copy(kind, name, to, replace=force)
    paths = list(map(str, copies))
    display.give(paths, as_json, "\n".join(paths))
    target = copies[0]
    if kind == "graph":
        logger.info('ask it: triad ask "…" --graph {}', shlex.quote(str(target)))
    elif resources.available(kind).get(target.stem, Path()).resolve() == target.resolve():
        logger.info("{!r} in {!r} is this copy from now on; delete it to have the shipped one", name, kind)
    else:
        logger.info("name it by its path, or set TRIAD_PATH to the folder that has {!r}", kind)


@command(app, "triad doctor", "triad doctor --graph https://dbpedia.org/sparql --model openai:gpt-4.1-mini")
@with_changes
def doctor(*, config: ConfigName = None, changes: Changes, as_json: AsJson = False) -> None:
    """Check graph, index, model, roles and prompts.

    What is wrong is told with how to mend it. The check of a model makes one tiny call; without a model there is none.
    Exits with 0 only if all is well.
    """
    from triad.cli import display
    from triad.doctor import Finding, examine

    try:
        found = examine(changes.of(config))
    except ConfigError as error:
        found = iter([Finding("config", False, str(error), "see 'triad list configs', and 'triad doctor --help'")])
    findings = list(found if as_json else display.show_findings(found))
    if as_json:
        display.show_json(display.data_console(), [asdict(finding) for finding in findings])
    if not all(finding.ok for finding in findings):
        raise typer.Exit(1)
