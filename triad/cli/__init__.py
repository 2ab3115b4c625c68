"""The command line: modules of commands, which read options, call the library and show what it gives.

Data go to standard output, everything else to standard error, so that any command can stand in a pipe. A fault of
the user or of a service is one line, ``triad: …``, and exit code 1; a traceback is for bugs. A command imports what
takes long to import when it runs, so that ``triad --help`` stays quick.
"""

import os
import sys

from triad.garbage import kept, left


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
