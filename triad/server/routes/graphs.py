"""``/api/v1``: the graphs, what they are about, their names and things, guarded queries."""

import asyncio
from functools import partial
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Query, Request
from pydantic import Field, StringConstraints

from triad.agent import Agent
from triad.deadline import Deadline
from triad.description import GraphDescription
from triad.errors import ConfigError
from triad.glossaries import add_words, held_by, read_words
from triad.opening import Setup
from triad.rdf import IN_IRI, writable
from triad.server.access import Asker, needs
from triad.server.asking import Asking
from triad.server.events import unless_gone
from triad.server.problems import Problem, documented, of as problem_of
from triad.server.querying import ExplainedQuery, QueryView, explanation_of, instances, result_of, run
from triad.server.served import Graphs, Served
from triad.server.things import ThingView, look_up
from triad.server.views import Body, LinkView, View
from triad.strict import load_yaml
from triad.suggestions import SureQuestion

router = APIRouter(prefix="/api/v1")
_graphs = APIRouter(tags=["graphs"])

Asks = Annotated[Asker, Depends(needs("ask", "query"))]
Admins = Annotated[Asker, Depends(needs("admin"))]
Queries = Annotated[Asker, Depends(needs("query"))]
Text = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Iri = Annotated[str, StringConstraints(min_length=1, max_length=2_000)]
Written = Annotated[str, StringConstraints(max_length=2_000, pattern=f"^{IN_IRI}+$")]
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


class WordView(View):
    """A word of the glossary."""

    word: str
    meaning: str = Field(validation_alias="stands for")
    holds: int | str = Field(validation_alias="holds of")
    """Of how many things it holds; empty for a word that stands for terms of the graph."""
    examples: str = Field(validation_alias="such as")
    owner: str


class WordList(View):
    """Words of the glossary."""

    words: list[WordView]


class WordsBody(Body):
    """Words as a config has them."""

    words: str = Field(min_length=1, max_length=10_000, examples=["big city: {of: City, where: population > 150000}"])
    graph: str | None = Field(None, max_length=300, examples=["demo"])
    add: bool = Field(False, description="Whether they are added to the config of the graph, and not only tried.")


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
    request: Request,
    asker: Asks,
    graph: GraphName = None,
    questions: Annotated[int, Query(ge=0, le=10)] = 5,
    language: Annotated[str | None, Query(max_length=20)] = None,
) -> GraphDescription:
    """Tell what a graph is about: classes, relations, counts, and questions that it surely answers."""
    served = _served(request, asker, graph)
    async with request.app.state.audit.of(asker, served.name, "profile", ""):
        return await served.description(questions, language)


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
        return [NameView.made_of(one, completes=text) for text, one in found]

    return NameList(names=await request.app.state.asking.look_up(asker, graph, "names", "\n".join(q), completed))


@_graphs.get("/things", responses=documented(*_FAILURES))
async def things(
    request: Request,
    asker: Asks,
    iri: Annotated[list[Iri], Query(min_length=1, max_length=_THINGS, examples=[["http://example.org/Intel"]])],
    graph: GraphName = None,
) -> ThingList:
    """Tell what the graph has on one thing, or on several; what it has nothing on, or not in time, is left out."""
    # Endpoints give what is no IRI, too, which is not to take the things beside it along.
    if not (wanted := [one for one in dict.fromkeys(iri) if writable(one)]):
        raise Problem("bad-request", "That is no IRI.")
    served = _served(request, asker, graph)
    async with request.app.state.audit.of(asker, served.name, "things", "\n".join(wanted)) as entry:
        asked = (served.look_up(partial(look_up, iri=one), asker.account) for one in wanted)
        looked_up = await asyncio.gather(*asked, return_exceptions=True)
        known = [thing for thing in looked_up if isinstance(thing, ThingView)]
        failed = [error for error in looked_up if isinstance(error, BaseException)]
        if failed and not known:
            raise failed[0]
        for error in failed:
            problem_of(error)  # which the log has
        entry.rows = len(known)
    if not known:
        raise Problem("not-found", "The graph says nothing of that thing.")
    return ThingList(things=known)


@_graphs.get("/things/next", responses=documented(*_FAILURES))
async def questions_about(request: Request, asker: Asks, iri: Written, graph: GraphName = None) -> list[SureQuestion]:
    """Return questions about a thing, each of which surely has an answer."""
    asking: Asking = request.app.state.asking
    return await asking.look_up(asker, graph, "things", iri, lambda agent, _: [*agent.next_questions(iri)])


@_graphs.get("/instances", responses=documented(*_FAILURES))
async def instances_of(
    request: Request,
    asker: Asks,
    iri: Written,
    graph: GraphName = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 500,
) -> QueryView:
    """List the things of a class, the best known first, with what many of them have."""
    asking: Asking = request.app.state.asking
    return await asking.look_up(asker, graph, "instances", iri, partial(instances, iri=iri, most=limit))


@_graphs.get("/words", responses=documented(*_FAILURES))
async def words(request: Request, asker: Asks, graph: GraphName = None) -> WordList:
    """Tell what the words of the graph's glossary stand for, and of how much that holds."""
    asking: Asking = request.app.state.asking
    found = await asking.look_up(asker, graph, "words", "", lambda agent, _: held_by(agent, agent.glossary))
    return WordList.model_validate({"words": found})


@_graphs.post("/words", responses=documented("conflict", *_FAILURES))
async def define(request: Request, asker: Admins, body: WordsBody) -> WordList:
    """Try words for the graph, and add them to the file of its config."""
    graphs: Graphs = request.app.state.asking.graphs
    served = _served(request, asker, body.graph)

    def tried(agent: Agent, _: Deadline) -> list[dict[str, Any]]:
        config, new = graphs.settings.config(served.name), read_words(body.words)
        setup = Setup.of(config.model_copy(update={"words": {**config.words, **new}}))
        return held_by(agent, setup.glossary(agent.graph, agent.profile), new)

    async with request.app.state.audit.of(asker, served.name, "words", body.words):
        found = await served.look_up(tried, asker.account)
        if body.add:
            if (file := graphs.settings.file(served.name)) is None:
                raise Problem(
                    "conflict", "The graph has no config in a file of its own, to which words could be added."
                )
            await asyncio.to_thread(add_words, file, load_yaml(body.words, "words"))
            await graphs.exchange(graphs.settings)
    return WordList.model_validate({"words": found})


@router.post("/query", tags=["query"], responses=documented("query-rejected", *_FAILURES, "query-timeout"))
async def query(request: Request, asker: Queries, body: QueryBody) -> QueryView:
    """Run a SELECT or ASK query, if the guard lets it pass: it reads only, and has a limit."""
    served, state = _served(request, asker, body.graph), request.app.state
    return await unless_gone(request, run(served, body.query, body.seconds, asker, state, result_of))


@router.post("/query/explain", tags=["query"], responses=documented("query-rejected", *_FAILURES, "query-timeout"))
async def explain(request: Request, asker: Queries, body: QueryBody) -> ExplainedQuery:
    """Tell what a query asks, in words, and what each part of it matches: alone, and what there is without it."""
    served, state = _served(request, asker, body.graph), request.app.state
    return await unless_gone(request, run(served, body.query, body.seconds, asker, state, explanation_of))


router.include_router(_graphs)
