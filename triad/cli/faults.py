"""How the command line tells of what went wrong: in one line, with an exit code."""

import codecs
import errno
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import typer
from typer.core import TyperGroup

from triad.errors import TriadError
from triad.naming import meant, meant_of
from triad.text import clean, shortened

FAILURE: Final = 1
"""The exit code of a fault of the user or of a service."""
UNKNOWN: Final = 2
"""The exit code of a question without an answer."""
_NOT_ONE_OF: Final = re.compile(r"'([^']*)' is not one of ")
_NO_COMMAND: Final = re.compile(r"no such command '(.*?)'(\.|$)")
_SPARE: Final = re.compile(r"^got unexpected extra argument")
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)
_ESCAPED: Final = "triad.escaped"
codecs.register_error(_ESCAPED, lambda error: _escaped(cast(UnicodeEncodeError, error)))
_MISUSE: Final = cast("tuple[type[Any], ...]", typer.BadParameter.__bases__)  # errors of commands that are mistyped


class FaultReporter(TyperGroup):
    """The frame around every command: an error that has a known reason is told in a line, with an exit code."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read the options before the command's name."""
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # what the terminal's encoding lacks is no reason to fail
                stream.reconfigure(errors=_ESCAPED)
        with _in_a_line():
            return super().make_context(*args, **extra)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command with a help that reads well at any width."""
        return _readable(super().get_command(ctx, cmd_name), ctx)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the options, which may stand before the name of the command that takes them."""
        _readable(self, ctx)
        return super().parse_args(ctx, _arranged(self, ctx, args))

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and turn what it raises into a line and an exit code."""
        try:
            try:
                with _in_a_line():
                    return super().invoke(ctx)
            finally:
                if sys.stdout:  # else it was closed before the program began
                    sys.stdout.flush()
        except TriadError as error:
            tell(error)
            raise typer.Exit(FAILURE) from error
        except BrokenPipeError as error:
            _drop_output()
            raise typer.Exit(141) from error
        except OSError as error:
            if error.filename is not None:
                tell(f"{shortened(str(error.filename))!r} cannot be used: {error.strerror or error}")
            elif error.errno in _FULL:
                _drop_output()
                tell(f"cannot write: {error.strerror}")
            else:
                raise
            raise typer.Exit(FAILURE) from error


def _arranged(group: Any, ctx: Any, args: Sequence[str]) -> list[str]:
    """Return a command line in which options that stand before the name of their command stand behind it."""
    names = group.list_commands(ctx) if hasattr(group, "list_commands") else ()
    for at, name in enumerate(args):
        if name in names:
            command = group.get_command(ctx, name)
            if _are_options(args[:at], _options_of(command, ctx)):
                return [name, *_arranged(command, ctx, [*args[:at], *args[at + 1 :]])]
    return list(args)


def _options_of(command: Any, ctx: Any) -> dict[str, bool]:
    """Return the options of a command and of those below it, and whether each takes a value."""
    inner = [command.get_command(ctx, name) for name in getattr(command, "commands", ())]
    found = {name: takes for one in inner for name, takes in _options_of(one, ctx).items()}
    for one in command.params:
        if one.param_type_name == "option":
            found |= dict.fromkeys((*one.opts, *one.secondary_opts), not (one.is_flag or one.count))
    return found


def _are_options(words: Sequence[str], options: Mapping[str, bool]) -> bool:
    """Return whether words are options with their values, as ``--graph x``, ``--graph=x``, ``-gx`` and ``-vv`` are."""
    rest = iter(words)
    for word in rest:
        if options.get(word):
            if next(rest, None) is None:
                return False  # what follows is its value
        elif (word.partition("=")[0] if word.startswith("--") else word[:2]) not in options:
            return False
    return True


def _escaped(error: UnicodeEncodeError) -> tuple[str, int]:
    """Return what stands for letters that an encoding lacks: their escapes, which JSON reads."""
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def _drop_output() -> None:
    """Let go of what cannot be written to standard output: Python flushes it once more when it ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _readable(command: Any, ctx: Any) -> Any:
    """Have the paragraphs of a command's help flow, and none of its flags look as if it took a value."""
    if command is not None:
        command.help = "\n\n".join(" ".join(one.split()) for one in (command.help or "").split("\n\n"))
        for one in (*command.params, command.get_help_option(ctx)):
            if getattr(one, "is_flag", False) or getattr(one, "count", False):
                one.metavar = ""
        for inner in getattr(command, "commands", {}).values():
            _readable(inner, ctx)
    return command


@contextmanager
def _in_a_line() -> Iterator[None]:
    """Tell in a line how a command is mistyped, whose exit code were else that of a question unknown, and of Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt as error:
        tell("interrupted")
        raise typer.Exit(130) from error
    except _MISUSE as error:
        if type(error).__name__ == "NoArgsIsHelpError":  # all that it says is the help
            error.exit_code = FAILURE
            raise
        tell(_misuse(error))
        raise typer.Exit(FAILURE) from error


def _misuse(error: Any) -> str:
    """Return what is wrong with a command line, what was meant, and where its help is."""
    said = error.format_message().replace("Value error, ", "").rstrip(".")
    said = " ".join(said.split())
    said = said[:1].lower() + said[1:]
    ctx = error.ctx
    if name := getattr(error, "option_name", ""):
        if hasattr(error, "possibilities"):
            question = meant(name, _options_of(ctx.command, ctx)) if ctx else ""
            said = f"there is no option {name!r}" + (question and f"; {question}")
    elif wrong := _NOT_ONE_OF.search(said):
        said += meant_of(wrong[1], said)
    elif _SPARE.search(said) and ctx and ctx.command.name == "ask":
        said += '; a question stands in quotes: triad ask "…"'
    elif typed := _NO_COMMAND.search(said):
        name = typed[1]
        question = meant(name, ctx.command.list_commands(ctx))
        hint = 'to ask a question: triad ask "…"' if " " in name else question
        said = f"there is no command {name!r}" + (hint and f"; {hint}")
    where = f"see '{ctx.command_path} --help'" if ctx else ""
    return f"{said}{' ' if said.endswith('?') else '; '}{where}" if where else said


def tell(message: object) -> None:
    """Say something on standard error."""
    typer.echo(clean(f"triad: {message}"), err=True)
