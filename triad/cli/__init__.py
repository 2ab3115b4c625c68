"""The command line: modules of commands, which read options, call the library and show what it gives.

Data go to standard output, everything else to standard error, so that any command can stand in a pipe. A fault of
the user or of a service is one line, ``triad: …``, and exit code 1; a traceback is for bugs. A command imports what
takes long to import when it runs, so that ``triad --help`` stays quick.
"""

import os
import sys
from typing import TYPE_CHECKING, Any

from triad.garbage import kept, left

if TYPE_CHECKING:
    from triad.cli.program import app

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line."""
    # Plugins of pydantic are looked for in all packages there are; what users write is checked without any.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    try:
        with kept():
            from triad.cli.program import app
        with left():
            app(prog_name="triad")
    except KeyboardInterrupt:  # before there is a command that tells of it
        sys.stderr.write("triad: interrupted\n")
        raise SystemExit(130) from None


def __getattr__(name: str) -> Any:
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from triad.cli.program import app

    return app
