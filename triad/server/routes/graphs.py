"""``/api/v1``: the graphs, what they are about, their names and things, guarded queries, and reports of runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from fastapi import Path as PathPart
from pydantic import BaseModel, ConfigDict, Field

from triad.cancelling import in_thread
from triad.description import GraphDescription
from triad.errors import ConfigError, QueryRejected
from triad.questions import Kind
from triad.rdf import writable
from triad.server.access import Asker, needs
from triad.server.events import unless_gone
from triad.server.graphs import Served
from triad.server.problems import Problem, documented
from triad.server.querying import QueryView, run
from triad.server.steps import View
from triad.server.things import Thing, look_up

__all__ = ["router"]

router = APIRouter(prefix="/api/v1")

Asks = Annotated[Asker, Depends(needs("ask", "query"))]
Queries = Annotated[Asker, Depends(needs("query"))]
Inspects = Annotated[Asker, Depends(needs())]
GraphName = Annotated[str | None, Query(max_length=300, description="A graph; by default the first.")]


class GraphView(View):
    """A graph of the server."""

    name: str
    title: str
    description: str
    model: str | None
    language: str | None
    default: bool
    ready: bool


class GraphList(View):
    """The graphs of the server."""

    graphs: list[GraphView]


class NameView(View):
    """A name of the graph."""

    iri: str
    label: str
    kind: Kind
    description: str = ""
    score: float


class NameList(View):
    """Names that begin so."""

    names: list[NameView]


class QueryBody(BaseModel):
    """A query."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(min_length=1, max_length=50_000, examples=["SELECT * { ?s ?p ?o } LIMIT 3"])
    graph: str | None = Field(None, max_length=300, examples=["demo"])
    seconds: float = Field(10.0, gt=0, le=60, description="How long it may take.")


class ReportEntry(View):
    """A run that has a report."""

    name: str
    title: str
    questions: int | None
    created: str | None


class ReportList(View):
    """Reports of runs."""

    reports: list[ReportEntry]


def _served(request: Request, graph: str | None) -> Served:
    found: Served = request.app.state.asking.graphs.find(graph)
    return found


@router.get("/graphs", tags=["graphs"], response_model=GraphList, responses=documented())
def graphs(request: Request, _: Asks) -> GraphList:
    """List the graphs that can be asked."""
    settings = request.app.state.asking.graphs.settings
    views = []
    for served in request.app.state.asking.graphs:
        try:
            config = settings.config(served.name)
            about = {"description": config.description, "model": _model_name(config.model), "language": config.language}
        except ConfigError:  # it was removed after it was opened
            about = {"description": "", "model": None, "language": None}
        first = served.name == settings.default_graph
        views.append(
            GraphView(name=served.name, title=served.title, default=first, ready=served.fault is None, **about)
        )
    return GraphList(graphs=views)


def _model_name(model: str | None) -> str | None:
    """Return the name of a model without the address that it is asked at."""
    if model is None or model == "none" or model.startswith(("replay:", "records:")):
        return None
    return model.partition(":")[2].partition("@")[0] or None


@router.get(
    "/profile",
    tags=["graphs"],
    response_model=GraphDescription,
    responses=documented("not-found", "graph-failed", "busy"),
)
async def profile(
    request: Request, _: Asks, graph: GraphName = None, questions: Annotated[int, Query(ge=0, le=10)] = 5
) -> GraphDescription:
    """Tell what a graph is about: classes, relations, counts, and questions that it surely answers."""
    return await _served(request, graph).described(questions)


@router.get(
    "/names", tags=["graphs"], response_model=NameList, responses=documented("not-found", "graph-failed", "busy")
)
async def names(
    request: Request,
    _: Asks,
    q: Annotated[str, Query(min_length=1, max_length=200, examples=["Stan"])],
    graph: GraphName = None,
    limit: Annotated[int, Query(ge=1, le=50)] = 10,
) -> NameList:
    """Complete a name: what the graph has whose name begins so."""
    agent = await _served(request, graph).agent()
    found = await in_thread(agent.index.complete, q, limit)
    return NameList(names=[NameView.model_validate(one) for one in found])


@router.get("/things", tags=["graphs"], response_model=Thing, responses=documented("not-found", "graph-failed", "busy"))
async def things(
    request: Request, _: Asks, iri: Annotated[str, Query(min_length=1, max_length=2_000)], graph: GraphName = None
) -> Thing:
    """Tell what the graph has on one thing."""
    if not writable(iri):
        raise Problem("bad-request", "That is no IRI.")
    agent = await _served(request, graph).agent()
    found = await in_thread(look_up, agent, iri)
    if found is None:
        raise Problem("not-found", "The graph says nothing of that thing.")
    return found


@router.post(
    "/query",
    tags=["query"],
    response_model=QueryView,
    responses=documented("not-found", "query-rejected", "graph-failed", "busy", "query-timeout"),
)
async def query(request: Request, _: Queries, body: QueryBody) -> QueryView:
    """Run a SELECT or ASK query, if the guard lets it pass: it reads only, and has a limit."""
    served = _served(request, body.graph)
    agent = await served.agent()
    try:
        return await unless_gone(request, in_thread(run, agent, body.query, body.seconds))
    except QueryRejected:
        request.app.state.metrics.refused(served.name)
        raise


# Reports


@router.get("/reports", tags=["reports"], response_model=ReportList, responses=documented("not-found"))
def reports(request: Request, asker: Inspects) -> ReportList:
    """List the runs that have a report."""
    found = []
    folder = _runs(request, asker)
    for path in sorted(folder.glob("*/report.json")):
        if not path.resolve().is_relative_to(folder):
            continue
        content = _read(path)
        title = str(content.get("title") or content.get("name") or path.parent.name)
        questions, created = content.get("questions"), content.get("finished") or content.get("created")
        found.append(
            ReportEntry(
                name=path.parent.name,
                title=title,
                questions=questions if isinstance(questions, int) else None,
                created=created if isinstance(created, str) else None,
            )
        )
    return ReportList(reports=found)


@router.get("/reports/{name}", tags=["reports"], response_model=dict[str, Any], responses=documented("not-found"))
def report(
    request: Request, asker: Inspects, name: Annotated[str, PathPart(pattern=r"^[A-Za-z0-9][\w.+-]{0,200}$")]
) -> Mapping[str, Any]:
    """Return the report of a run."""
    folder = _runs(request, asker)
    path = (folder / name / "report.json").resolve()
    if not path.is_relative_to(folder) or not path.is_file():
        raise Problem("not-found", "There is no such report.")
    return _read(path)


def _runs(request: Request, asker: Asker) -> Path:
    settings = request.app.state.settings
    if "admin" not in asker.scopes and not settings.open:
        raise Problem("forbidden" if asker.key else "not-authorised", "Reports are for keys with the scope 'admin'.")
    if settings.runs_folder is None or not settings.runs_folder.is_dir():
        raise Problem("not-found", "The server has no folder of runs.")
    folder: Path = settings.runs_folder.resolve()
    return folder


def _read(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise Problem("not-found", "The report cannot be read.") from error
    return content if isinstance(content, dict) else {"content": content}
