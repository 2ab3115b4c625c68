"""How the command line tells of what went wrong: in one line, with an exit code."""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from triad.errors import TriadError
from triad.text import clean

__all__ = ["Faults", "tell"]


class Faults(TyperGroup):
    """The frame around every command: an error that has a known reason is told in a line, with an exit code."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command, and turn what it raises into a line and an exit code."""
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except TriadError as error:
            tell(error)
            raise typer.Exit(1) from error
        except KeyboardInterrupt as error:
            tell("interrupted")
            raise typer.Exit(130) from error
        except BrokenPipeError as error:
            # Python flushes standard output once more when it ends.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(141) from error


def tell(message: object) -> None:
    """Say something on standard error."""
    typer.echo(clean(f"triad: {message}"), err=True)
