"""The program ``triad``: its commands, and what is said of all of them."""

import sys
from collections.abc import Sequence
from copy import copy
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.main import get_group

from triad.cli.faults import FaultReporter
from triad.text import clean

_COMMANDS: Final = {
    "ask": "asking", "query": "querying", "chat": "asking",
    "serve": "serving", "keys": "serving", "audit": "serving", "mcp": "serving",
    "describe": "querying", "show": "show", "index": "index", "tables": "evidence", "passages": "evidence",
    "learn": "learn", "list": "files", "copy": "files", "data": "data", "models": "models", "words": "learn",
    "doctor": "files", "run": "runs", "report": "runs", "compare": "runs",
}  # fmt: skip
"""The commands in the order of the help, each with its module."""


class _Commands(FaultReporter):
    """The commands; each is made when it is called or told of, for making all takes as long as many a question."""

    def list_commands(self, ctx: Any) -> list[str]:
        return [*_COMMANDS]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name in _COMMANDS and cmd_name not in self.commands:
            alone = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
            alone.add_typer(import_module(f"triad.cli.{_COMMANDS[cmd_name]}").app)
            made = get_group(alone).commands
            for command in made.values():
                _take(command, [_behind(flag) for flag in self.params])
            self.commands.update(made)
        return super().get_command(ctx, cmd_name)


def _behind(flag: Any) -> Any:
    """Return a flag of the program as one that may stand behind a command's name."""
    flag = copy(flag)
    flag.hidden, flag.expose_value = True, False
    flag.callback = flag.callback or _log_behind
    return flag


def _log_behind(_: Any, flag: Any, value: Any) -> None:
    if value:
        _log_at(**{flag.name: value})


def _take(command: Any, flags: Sequence[Any]) -> None:
    """Have a command, and those below it, take flags."""
    command.params += flags
    for inner in getattr(command, "commands", {}).values():
        _take(inner, flags)


app = typer.Typer(
    name="triad",
    cls=_Commands,
    help="Ask any RDF knowledge graph in plain language.",
    epilog="Options may stand before or after a command's name. A command exits with 0 if all is well, with 2 for a "
    "question that has no answer, with 1 for a failure or a mistyped option, and with 130 after Ctrl-C.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"triad {version('triad-kgqa')}")
        raise typer.Exit


@app.callback()
def _root(
    context: typer.Context,
    verbose: Annotated[
        int, typer.Option("--verbose", "-v", count=True, help="Log more; twice for everything.", show_default=False)
    ] = 0,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Log errors only.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    _log_at(verbose=verbose, quiet=quiet)
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _log_at(*, verbose: int = 0, quiet: bool = False) -> None:
    from triad.log import logger

    level = "ERROR" if quiet else ["INFO", "DEBUG", "TRACE"][min(verbose, 2)]
    form = "triad: {message}" if level in ("INFO", "ERROR") else "{time:HH:mm:ss.SSS} {level:<7} {name}: {message}"
    logger.enable("triad")
    logger.remove()
    logger.add(_log, level=level, format=form, diagnose=False)


def _log(line: str) -> None:
    sys.stderr.write(clean(line))  # looked up anew each time: a progress bar may have taken its place
