"""``/api/v1``: the graphs, what they are about, their names and things, guarded queries."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field, StringConstraints

from triad.agent import Agent
from triad.deadline import Deadline
from triad.description import GraphDescription
from triad.errors import ConfigError
from triad.rdf import writable
from triad.server.access import Asker, needs
from triad.server.events import unless_gone
from triad.server.problems import Problem, documented
from triad.server.querying import QueryView, run
from triad.server.served import Served
from triad.server.things import ThingView, look_up
from triad.server.views import Body, LinkView, View

router = APIRouter(prefix="/api/v1")
_graphs = APIRouter(tags=["graphs"])

Asks = Annotated[Asker, Depends(needs("ask", "query"))]
Queries = Annotated[Asker, Depends(needs("query"))]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Iri = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
GraphName = Annotated[str | None, Query(max_length=300, description="A graph; by default the first.")]

_TEXTS: Final = 5  # that one request completes
_THINGS: Final = 12  # that one request tells of
_FAILURES: Final = ("not-found", "graph-failed", "index-failed", "busy")


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


class NameView(LinkView):
    """A name of the graph."""

    completes: str
    """The text that it completes."""


class NameList(View):
    """Names that begin so."""

    names: list[NameView]


class ThingList(View):
    """Things of the graph."""

    things: list[ThingView]


class QueryBody(Body):
    """A query."""

    query: str = Field(min_length=1, max_length=50_000, examples=["SELECT * { ?s ?p ?o } LIMIT 3"])
    graph: str | None = Field(None, max_length=300, examples=["demo"])
    seconds: float = Field(10.0, ge=0.1, le=60, description="How long it may take, waiting included.")


def _served(request: Request, asker: Asker, graph: str | None) -> Served:
    found: Served = request.app.state.asking.graphs.find(graph, asker.reach)
    return found


@_graphs.get("/graphs", responses=documented())
def graphs(request: Request, asker: Asks) -> GraphList:
    """List the graphs that can be asked."""
    settings = request.app.state.asking.graphs.settings
    views: list[GraphView] = []
    for served in request.app.state.asking.graphs.seen(asker.reach):
        try:
            config = settings.config(served.name)
            about = {"description": config.description, "model": _model_name(config.model), "language": config.language}
        except ConfigError:  # it was removed after it was opened
            about = {"description": "", "model": None, "language": None}
        views.append(
            GraphView(name=served.name, title=served.title, default=not views, ready=served.fault is None, **about)
        )
    return GraphList(graphs=views)


def _model_name(model: str | None) -> str | None:
    """Return the name of a model without the address that it is asked at."""
    if model is None or model == "none" or model.startswith(("replay:", "records:")):
        return None
    return model.partition(":")[2].partition("@")[0] or None


@_graphs.get("/profile", responses=documented(*_FAILURES))
async def profile(
    request: Request, asker: Asks, graph: GraphName = None, questions: Annotated[int, Query(ge=0, le=10)] = 5
) -> GraphDescription:
    """Tell what a graph is about: classes, relations, counts, and questions that it surely answers."""
    served = _served(request, asker, graph)
    async with request.app.state.audit.of(asker, served.name, "profile", ""):
        return await served.description(questions)


@_graphs.get("/names", responses=documented(*_FAILURES))
async def names(
    request: Request,
    asker: Asks,
    q: Annotated[list[Text], Query(min_length=1, max_length=_TEXTS, examples=[["Stan"]])],
    graph: GraphName = None,
    limit: Annotated[int, Query(ge=1, le=50, description="How many names each text has at most.")] = 10,
) -> NameList:
    """Complete a name: what the graph has whose name begins so. Of several texts each is completed."""

    def completed(agent: Agent, _: Deadline) -> list[NameView]:
        found = ((text, one) for text in dict.fromkeys(q) for one in agent.index.complete(text, limit))
        return [NameView(completes=text, **LinkView.model_validate(one).model_dump()) for text, one in found]

    served = _served(request, asker, graph)
    async with request.app.state.audit.of(asker, served.name, "names", "\n".join(q)) as entry:
        found = await served.look_up(completed, asker.account)
        entry.rows = len(found)
    return NameList(names=found)


@_graphs.get("/things", responses=documented(*_FAILURES))
async def things(
    request: Request,
    asker: Asks,
    iri: Annotated[list[Iri], Query(min_length=1, max_length=_THINGS, examples=[["http://example.org/Intel"]])],
    graph: GraphName = None,
) -> ThingList:
    """Tell what the graph has on one thing, or on several; those that it says nothing of are left out."""
    # Endpoints give what is no IRI, too, which is not to take the things beside it along.
    wanted = [one for one in dict.fromkeys(iri) if writable(one)]
    if not wanted:
        raise Problem("bad-request", "That is no IRI.")
    served = _served(request, asker, graph)
    async with request.app.state.audit.of(asker, served.name, "things", "\n".join(wanted)) as entry:
        looked_up = await asyncio.gather(*(served.look_up(partial(look_up, iri=one), asker.account) for one in wanted))
        known = [thing for thing in looked_up if thing is not None]
        entry.rows = len(known)
    if not known:
        raise Problem("not-found", "The graph says nothing of that thing.")
    return ThingList(things=known)


@router.post("/query", tags=["query"], responses=documented("query-rejected", *_FAILURES, "query-timeout"))
async def query(request: Request, asker: Queries, body: QueryBody) -> QueryView:
    """Run a SELECT or ASK query, if the guard lets it pass: it reads only, and has a limit."""
    served = _served(request, asker, body.graph)
    return await unless_gone(request, run(served, body.query, body.seconds, asker, request.app.state))


router.include_router(_graphs)
