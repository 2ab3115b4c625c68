"""What shows a user that waits how far something is: the making of an index, a run, the opening of an agent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

from rich import progress
from rich.console import Console
from rich.progress import BarColumn, Progress, Task, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.text import Text

from triad.cli.display import show_text
from triad.garbage import kept
from triad.text import clean

if TYPE_CHECKING:
    from triad.agent import Agent
    from triad.configs import Config
    from triad.evaluation.progress import Progress as RunProgress


def open_agent(config: Config, log: Console) -> Agent:
    """Open what a config names, and show what takes long of it."""
    with kept():
        from triad.agent import Agent
        from triad.opening import Setup
    with index_progress(log, transient=True) as report:
        Setup.of(config).prepared(report)
    with log.status(Text("opening graph, index and model")), kept():
        return Agent.from_config(config)


@contextmanager
def index_progress(console: Console, *, transient: bool = False) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show a bar for each stage, on a terminal; what is yielded is told how much of a stage is done.

    Transient bars go when all is done.
    """
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        _Amount(),
        TimeRemainingColumn(),
        TimeElapsedColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=transient,
    )
    stages: dict[str, TaskID] = {}

    def report(stage: str, done: int, total: int | None) -> None:
        if stage not in stages:
            stages[stage] = bars.add_task(stage)
        bars.update(stages[stage], completed=done, total=total)

    with bars:
        yield report


@contextmanager
def run_progress(console: Console) -> Iterator[Callable[[RunProgress], None]]:
    """Show how far runs are, with score, cost and time left: a bar each on a terminal, else a line now and then."""
    bars = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TextColumn("{task.fields[state]}"),
        console=console,
        disable=not console.is_terminal,
    )
    shown: dict[str, TaskID] = {}
    told: dict[str, int] = {}

    def report(at: RunProgress) -> None:
        state = ", ".join(_run_state(at))
        if not console.is_terminal:
            if (tenth := 10 * at.done // max(1, at.total)) != told.setdefault(at.name, tenth):
                told[at.name] = tenth
                show_text(console, clean(f"{at.name}: {at.done:,} of {at.total:,}, {state}"))
            return
        if at.name not in shown:
            shown[at.name] = bars.add_task(clean(at.name), total=at.total, state="")
        bars.update(shown[at.name], completed=at.done, total=at.total, state=state)

    with bars:
        yield report


def _run_state(at: RunProgress) -> Iterator[str]:
    if at.score is not None:
        yield f"score {at.score:.3f}"
    if at.declined:
        yield f"{at.declined:,} declined"
    if at.failed:
        yield f"{at.failed:,} failed"
    if at.usage.money:
        yield f"${at.usage.money:.2f}"
    elif tokens := at.usage.input_tokens + at.usage.output_tokens:
        yield f"{tokens:,} tokens"
    if at.left is not None:
        yield f"{timedelta(seconds=round(at.left))} left"


class _Amount(progress.ProgressColumn):
    """How much of a stage is done: megabytes of files, or a number of triples or entries."""

    def render(self, task: Task) -> Text:
        if task.description.startswith(("load", "fetch")):
            return Text(f"{task.completed / 1e6:,.1f} MB, {(task.speed or 0) / 1e6:,.1f} MB/s")
        return Text(f"{task.completed:,.0f}, {task.speed or 0:,.0f}/s")
