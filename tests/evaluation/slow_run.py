"""A program to be killed: a run of a config into a folder, whose model takes up to some seconds for a reply.

    python -m tests.evaluation.slow_run CONFIG FOLDER SECONDS

Company 1 is answered at once.
"""

from __future__ import annotations

import random
import sys
import time
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
    main(*sys.argv[1:])
