"""``/api/v1/reports``: whatever lies in the folder of runs, what is told has the shape of a report, and no path."""

from pathlib import Path
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Request
from pydantic import Field, ValidationError

from triad.errors import ConfigError
from triad.evaluation import need_extra
from triad.evaluation.comparison import Change, compare_runs
from triad.evaluation.metrics.significance import PairedComparison
from triad.evaluation.report import RungFigures
from triad.indexing.layout import read_record
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
    rungs: dict[str, RungFigures] = Field(default_factory=dict)
    latency: dict[str, Figures] = Field(default_factory=dict)
    """Seconds a question: mean, p50 and p95."""
    usage: Usage


class ComparisonView(View):
    """How a run compares with another one, over the questions that both asked, which one metric compares."""

    metric: str
    metrics: dict[str, PairedComparison]
    """By metric the difference, its 95 % interval, and how probable so great a one would be by chance alone."""
    better: list[Change]
    worse: list[Change]
    same: int


class ReportList(View):
    """Reports of runs."""

    reports: list[ReportEntry]


@router.get("", responses=documented("not-found"))
def list_reports(request: Request, asker: Inspects) -> ReportList:
    """List the runs that have a report."""
    return ReportList(reports=[_entry(folder / _FILE) for folder in _runs(request, asker).values()])


@router.get("/{name}", responses=documented("not-found"))
def report(request: Request, asker: Inspects, name: str) -> ReportView:
    """Return the report of a run."""
    try:
        return ReportView.model_validate(read_record(_run(request, asker, name) / _FILE))
    except ValidationError as error:
        raise Problem("not-found", "The file there is no report of a run.") from error


@router.get("/{name}/changes", responses=documented("not-found", "busy"))
async def changes(request: Request, asker: Inspects, name: str, since: str) -> ComparisonView:
    """Compare a run with another one: the scores, and the questions that are answered better or worse."""
    runs = [_run(request, asker, one) for one in (since, name)]
    need_extra()
    try:
        found = await request.app.state.comparing.do(lambda: compare_runs(*runs))
    except ConfigError as error:  # which names the folders
        raise Problem("not-found", "The runs have no answers to the same questions that could be compared.") from error
    return ComparisonView.model_validate(found)


def _run(request: Request, asker: Asker, name: str) -> Path:
    if found := _runs(request, asker).get(name):
        return found
    raise Problem("not-found", "There is no such report.")


def _runs(request: Request, asker: Asker) -> dict[str, Path]:
    """Return the folders of the runs that have a report, by name."""
    settings = request.app.state.settings
    if "admin" not in asker.scopes and not settings.open:
        raise Problem("forbidden" if asker.key else "not-authorised", "Reports are for keys with the scope 'admin'.")
    if settings.runs_folder is None:
        return {}
    folder = settings.runs_folder.resolve()
    paths = sorted(folder.glob(f"*/{_FILE}"))
    return {path.parent.name: path.parent for path in paths if path.resolve().is_relative_to(folder)}


def _entry(path: Path) -> ReportEntry:
    found = read_record(path)
    title = found.get("title") or found.get("name")
    questions, created = found.get("questions"), found.get("finished") or found.get("created")
    return ReportEntry(
        name=writable(path.parent.name),
        title=writable(title if isinstance(title, str) else path.parent.name),
        questions=questions if isinstance(questions, int) else None,
        created=writable(created) if isinstance(created, str) else None,
    )
