"""Opening an agent where a user waits: what takes long is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.text import Text

from triad.cli.progress import index_progress
from triad.garbage import kept

if TYPE_CHECKING:
    from triad.agent import Agent
    from triad.configs import Config

__all__ = ["open_agent"]


def open_agent(config: Config, log: Console) -> Agent:
    """Open what a config names, and show what takes long of it."""
    with kept():
        from triad.agent import Agent
        from triad.opening import Setup
    with index_progress(log, transient=True) as progress:
        Setup.of(config).prepared(progress)
    with log.status(Text("opening graph, index and model")), kept():
        return Agent.from_config(config)
