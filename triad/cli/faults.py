"""How the command line tells of what went wrong: in one line, with an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, cast

import typer
from typer.core import TyperGroup

from triad.errors import TriadError
from triad.text import clean

__all__ = ["FAILURE", "UNKNOWN", "Faults", "tell"]

FAILURE: Final = 1
"""The exit code of a fault of the user or of a service."""
UNKNOWN: Final = 2
"""The exit code of a question without an answer."""
_MISUSE: Final = cast("tuple[type[Any], ...]", typer.BadParameter.__bases__)  # errors of commands that are mistyped


class Faults(TyperGroup):
    """The frame around every command: an error that has a known reason is told in a line, with an exit code."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """Read the options before the command's name."""
        with _misuse_is_failure():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and turn what it raises into a line and an exit code."""
        try:
            try:
                with _misuse_is_failure():
                    return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except TriadError as error:
            tell(error)
            raise typer.Exit(FAILURE) from error
        except KeyboardInterrupt as error:
            tell("interrupted")
            raise typer.Exit(130) from error
        except BrokenPipeError as error:
            # Python flushes standard output once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from error


@contextmanager
def _misuse_is_failure() -> Iterator[None]:
    """Have a mistyped command exit as any other failure; by itself its code would be that of a question unknown."""
    try:
        yield
    except _MISUSE as error:
        error.exit_code = FAILURE
        raise


def tell(message: object) -> None:
    """Say something on standard error."""
    typer.echo(clean(f"triad: {message}"), err=True)
