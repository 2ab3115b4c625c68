"""Reports of runs in a folder: whatever lies there, what is told of it has the shape of a report, and no path."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import Field, ValidationError

from triad.server.problems import Problem
from triad.server.steps import View
from triad.trace import Usage

__all__ = ["ReportEntry", "ReportView", "listed", "read"]

_FILE: Final = "report.json"


class ReportEntry(View):
    """A run that has a report."""

    name: str
    title: str
    questions: int | None
    created: str | None


class ScoreView(View):
    """A metric over a run, with the ends of its 95 % interval."""

    mean: float
    low: float | None = None
    high: float | None = None
    spread: float | None = None
    count: int | None = None


class RungFiguresView(View):
    """A rung of the ladder in a run."""

    climbed: int
    answered: int
    score: float | None
    usage: Usage


class LatencyView(View):
    """Seconds a question."""

    mean: float
    p50: float
    p95: float


class ReportView(View):
    """The report of a run."""

    name: str
    model: str
    graph: str
    dataset: str
    questions: int
    asked: int
    failed: int
    declined: int = 0
    scores: dict[str, ScoreView] = Field(default_factory=dict)
    rungs: dict[str, RungFiguresView] = Field(default_factory=dict)
    latency: dict[str, LatencyView] = Field(default_factory=dict)
    usage: Usage


def listed(folder: Path) -> Sequence[ReportEntry]:
    """Return the runs in a folder that have a report, by name."""
    return [_entry(path) for path in sorted(folder.glob(f"*/{_FILE}")) if path.resolve().is_relative_to(folder)]


def read(folder: Path, name: str) -> ReportView:
    """Return the report of a run.

    Raises:
        Problem: There is none, or it is no report.
    """
    path = (folder / name / _FILE).resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        raise Problem("not-found", "There is no such report.")
    try:
        return ReportView.model_validate(_content(path))
    except ValidationError as error:
        raise Problem("not-found", "The file there is no report of a run.") from error


def _entry(path: Path) -> ReportEntry:
    found = _content(path)
    title = found.get("title") or found.get("name")
    questions, created = found.get("questions"), found.get("finished") or found.get("created")
    return ReportEntry(
        name=path.parent.name,
        title=title if isinstance(title, str) else path.parent.name,
        questions=questions if isinstance(questions, int) else None,
        created=created if isinstance(created, str) else None,
    )


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
