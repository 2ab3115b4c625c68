"""A program whose runs are to be killed: runs of a config into a folder, whose model takes up to some seconds a reply.

    python -m tests.evaluation.slow_run

Each line of its input is a run: the config, the folder, the seconds, and a file for what it says. It is made by a copy
of the program, so that all but the first begin at once; what is written is the copy's number, and then how it ended.
Company 1 is answered at once.
"""

from __future__ import annotations

import os
import random
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.evaluation.companies import reply
from triad.configs import Config
from triad.evaluation.run import run
from triad.models import ScriptedModel
from triad.trace import Message


def main(config: str, out: str, seconds: str) -> None:
    """Run a config with the slow model in the place of all models."""

    def slow(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        time.sleep(random.uniform(0, float(seconds)) if "Company 1?" not in messages[-1].content else 0)
        return reply(messages, schema)

    def open_model(self: Config, name: str | None = None) -> ScriptedModel:
        return ScriptedModel(slow)

    setattr(Config, "open_model", open_model)  # noqa: B010  mypy forbids to assign to a method
    run(Path(config), out=Path(out), resume=True)


if __name__ == "__main__":
    for line in sys.stdin:
        *arguments, log = line.rstrip("\n").split("\t")
        if pid := os.fork():
            os.write(1, f"{pid}\n".encode())
            os.write(1, f"{os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])}\n".encode())
            continue
        os.dup2(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        code = 1
        try:
            main(*arguments)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
