"""Opening an agent where a user waits: what takes long is shown."""

from __future__ import annotations

from rich.console import Console

from triad.agent import Agent
from triad.cli.progress import index_progress
from triad.configs import Config
from triad.garbage import kept
from triad.opening import Setup

__all__ = ["open_agent"]


def open_agent(config: Config, log: Console) -> Agent:
    """Open what a config names, and show what takes long of it."""
    with index_progress(log, transient=True) as progress:
        Setup.of(config).prepared(progress)
    with log.status("opening graph, index and model"), kept():
        return Agent.from_config(config)
