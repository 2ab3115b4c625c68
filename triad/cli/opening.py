"""Opening an agent where a user waits: what takes long is shown."""

from __future__ import annotations

from rich.console import Console

from triad.agent import Agent
from triad.cli.progress import index_progress
from triad.configs import Config
from triad.indexing import is_rdf, prepared
from triad.kg.parsing import ParseLimits

__all__ = ["open_agent"]


def open_agent(config: Config, log: Console) -> Agent:
    """Open what a config names, and show what takes long of it."""
    if config.index is None and is_rdf(config.graph_source):
        with index_progress(log, transient=True) as progress:
            limits = ParseLimits.taken(dict(config.graph_options))
            prepared(config.graph_source, progress=progress, limits=limits)
    with log.status("opening graph, index and model"):
        return Agent.from_config(config)
