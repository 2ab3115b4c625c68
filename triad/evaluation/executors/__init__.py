"""Where the questions of a run are asked: on threads, in processes of this machine, or on a Dask cluster."""

from collections.abc import Sequence

from triad.configs import Config
from triad.datasets import Item
from triad.errors import ConfigError
from triad.sections import RunBudget


def executor_for(config: Config, items: Sequence[Item]) -> str:
    """Return the executor: the one that the config names, or the one that suits the run."""
    from loky import cpu_count

    named = config.run.executor
    dialogues = any(item.dialogue for item in items)
    if named is None:
        # Budgets that are checked before each call, and dialogues whose turns share state, need one process.
        together = dialogues or config.model_options.calls_per_minute or config.run.budget != RunBudget()
        # parallel questions from which on one process is too slow, as their computation adds up
        return "processes" if config.run.workers >= 16 and cpu_count() > 1 and not together else "threads"
    if dialogues and named != "threads":
        raise ConfigError("the turns of a dialogue are asked in one process; take 'run: {executor: threads}'")
    return named
