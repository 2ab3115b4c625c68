"""``/api/v1/reports``: whatever lies in the folder of runs, what is told has the shape of a report, and no path."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi import Path as PathPart
from pydantic import Field, ValidationError

from triad.server.access import Asker, needs
from triad.server.problems import Problem, documented
from triad.server.views import View
from triad.text import writable
from triad.trace import Usage

router = APIRouter(prefix="/api/v1/reports", tags=["reports"])

Figures = dict[str, int | float | None]
Inspects = Annotated[Asker, Depends(needs())]

_FILE: Final = "report.json"


class ReportEntry(View):
    """A run that has a report."""

    name: str
    title: str
    questions: int | None
    created: str | None


class RungFiguresView(View):
    """A rung of the ladder in a run."""

    climbed: int
    answered: int
    score: float | None
    usage: Usage


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
    scores: dict[str, Figures] = Field(default_factory=dict)
    """By metric its mean, the ends of its 95 % interval (low, high), its spread, and the count of questions."""
    rungs: dict[str, RungFiguresView] = Field(default_factory=dict)
    latency: dict[str, Figures] = Field(default_factory=dict)
    """Seconds a question: mean, p50 and p95."""
    usage: Usage


class ReportList(View):
    """Reports of runs."""

    reports: list[ReportEntry]


@router.get("", responses=documented("not-found"))
def list_reports(request: Request, asker: Inspects) -> ReportList:
    """List the runs that have a report."""
    folder = _runs(request, asker)
    if folder is None:
        return ReportList(reports=[])
    paths = sorted(folder.glob(f"*/{_FILE}"))
    return ReportList(reports=[_entry(path) for path in paths if path.resolve().is_relative_to(folder)])


@router.get("/{name}", responses=documented("not-found"))
def report(
    request: Request, asker: Inspects, name: Annotated[str, PathPart(pattern=r"^[A-Za-z0-9][\w.+-]{0,200}$")]
) -> ReportView:
    """Return the report of a run."""
    folder = _runs(request, asker)
    if folder is None:
        raise Problem("not-found", "The server has no folder of runs.")
    path = (folder / name / _FILE).resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        raise Problem("not-found", "There is no such report.")
    try:
        return ReportView.model_validate(_content(path))
    except ValidationError as error:
        raise Problem("not-found", "The file there is no report of a run.") from error


def _runs(request: Request, asker: Asker) -> Path | None:
    settings = request.app.state.settings
    if "admin" not in asker.scopes and not settings.open:
        raise Problem("forbidden" if asker.key else "not-authorised", "Reports are for keys with the scope 'admin'.")
    folder: Path | None = settings.runs_folder
    return folder.resolve() if folder and folder.is_dir() else None


def _entry(path: Path) -> ReportEntry:
    found = _content(path)
    title = found.get("title") or found.get("name")
    questions, created = found.get("questions"), found.get("finished") or found.get("created")
    return ReportEntry(
        name=writable(path.parent.name),
        title=writable(title if isinstance(title, str) else path.parent.name),
        questions=questions if isinstance(questions, int) else None,
        created=writable(created) if isinstance(created, str) else None,
    )


def _content(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}
