"""``/api/v1/ask``, ``/conversations`` and ``/board``: questions, turns, what people say of them, and pinned answers."""

import asyncio
from datetime import datetime
from typing import Annotated, Any, Literal as Choice

from fastapi import APIRouter, Header, Path, Query, Request, Response
from pydantic import Field

from triad import sparql
from triad.conversation.store import Stored, as_json, as_markdown
from triad.errors import QueryRejected
from triad.kg.guard import check
from triad.rdf import IRI
from triad.server.access import Asker, Asks, with_session
from triad.server.asking import LANGUAGE, LONGEST, Asking, AskRequest
from triad.server.events import Events, sent, unless_gone
from triad.server.problems import Problem, documented
from triad.server.querying import QueryView, result_of, run
from triad.server.settings import ALL
from triad.server.state.conversations import Conversations, Kept
from triad.server.views import Body, FeedbackView, PinView, TraceView, TurnView, View
from triad.suggestions import SureQuestion

router = APIRouter(prefix="/api/v1")
_asks = APIRouter(tags=["ask"])
_conversations = APIRouter(prefix="/conversations", tags=["conversations"])
_board = APIRouter(prefix="/board", tags=["board"])

Id = Annotated[str, Path(pattern="^[0-9a-f]{32}$", examples=["8a2f1c0d9b3e4f5a8a2f1c0d9b3e4f5a"])]
Idempotency = Annotated[
    str | None, Header(alias="Idempotency-Key", max_length=100, description="The same key gives the same turn again.")
]


class FollowUpBody(Body):
    """A question in a conversation."""

    question: str = Field(min_length=1, max_length=LONGEST, examples=["When was it founded?"])
    language: str | None = Field(None, pattern=LANGUAGE, examples=["en"])
    sentence: bool = Field(False, description="Whether a model writes the reply, which costs a call.")


class QuestionBody(FollowUpBody):
    """A question."""

    question: str = Field(min_length=1, max_length=LONGEST, examples=["Who founded Intel?"])
    graph: str | None = Field(None, max_length=300, examples=["demo"])
    conversation: str | None = Field(
        None, pattern="^(new|[0-9a-f]{32})$", description="Which conversation it goes on with; `new` begins one."
    )
    min_confidence: float | None = Field(None, ge=0, le=1, description="The confidence below which it is a guess.")


class ConversationView(View):
    """A conversation."""

    id: str
    title: str
    graph: str
    turns: int
    created: datetime
    updated: datetime


class ConversationWithTurns(ConversationView):
    """A conversation with its turns."""

    items: list[TurnView]


class ConversationList(View):
    """Conversations, the latest first."""

    conversations: list[ConversationView]
    next: datetime | None
    """What to ask for the ones before: `?before=`; null if there are none."""


class NewConversation(Body):
    """A conversation that is to be made."""

    graph: str | None = Field(None, max_length=300)
    title: str = Field("", max_length=200)


class Title(Body):
    """What a conversation is called."""

    title: str = Field(min_length=1, max_length=200, pattern=r"\S")


class FeedbackBody(Body):
    """What a person says of a turn."""

    verdict: Choice["right", "wrong", "corrected"]
    query: str | None = Field(None, max_length=20_000, description="The right query, with the verdict `corrected`.")
    comment: str | None = Field(None, max_length=2_000)


class PinnedView(PinView):
    """An answer of a board as it is now, to whoever opens it."""

    found: QueryView


# Asking

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The turn; or, with `Accept: text/event-stream`, events: `begin`, `queued`, `step`, and as the "
        "last one `answer`, `unknown`, `said` or `error`.",
        "content": {"text/event-stream": {"schema": {"type": "string"}, "example": "event: begin\ndata: {…}\n\n"}},
    }
}
_FILES: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}, "text/markdown": {}}}}
_NOT_FOUND = documented("not-found")
_FAILURES = ("not-found", "conflict", "limit-reached", "graph-failed", "index-failed", "busy", "timeout")


@_asks.post("/ask", response_model=TurnView, responses=_STREAM | documented(*_FAILURES))
async def ask(request: Request, response: Response, asker: Asks, body: QuestionBody, key: Idempotency = None) -> Any:
    """Ask a question. That the answer is not known is an answer, too: `outcome` says `unknown`."""
    return await _answered(request, response, asker, AskRequest(**dict(body), idempotency=key))


@_conversations.post("/{id}/turns", response_model=TurnView, responses=_STREAM | documented(*_FAILURES))
async def go_on(
    request: Request, response: Response, asker: Asks, id: Id, body: FollowUpBody, key: Idempotency = None
) -> Any:
    """Go on with a conversation: a question in the context of those before."""
    return await _answered(request, response, asker, AskRequest(**dict(body), conversation=id, idempotency=key))


async def _answered(request: Request, response: Response, asker: Asker, asked: AskRequest) -> Any:
    asking: Asking = request.app.state.asking
    if "text/event-stream" not in request.headers.get("Accept", ""):
        return view(request, asker, await unless_gone(request, asking.answer(asker, asked)))
    events = Events(inspect=_inspects(request, asker))

    async def work() -> tuple[str, Any]:
        found = view(request, asker, await asking.answer(asker, asked, events))
        return found.outcome, found.model_dump(mode="json")

    answer = sent(events.of(work, request.state.request_id))
    with_session(answer, asker, request.app.state.settings)
    return answer


def view(request: Request, asker: Asker, kept: Kept) -> TurnView:
    """Return what an asker is told of a turn."""
    known = {name: getattr(kept, name) for name in ("id", "conversation", "number", "at", "graph", "feedback")}
    trace = kept.trace and TraceView.of(kept.trace, inspect=_inspects(request, asker))
    return TurnView.made_of(kept.turn, **known, trace=trace)


def _inspects(request: Request, asker: Asker) -> bool:
    return bool(request.app.state.settings.inspect) or "admin" in asker.scopes


def _kept(request: Request) -> Conversations:
    found: Conversations = request.app.state.conversations
    return found


# Conversations


@_conversations.get("", responses=documented())
def conversations(
    request: Request,
    asker: Asks,
    graph: Annotated[str | None, Query(max_length=300)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
    before: datetime | None = None,
) -> ConversationList:
    """List the conversations of this key or session, the latest first."""
    found = _kept(request).list(asker.owner, graph=graph, before=before, limit=limit + 1)
    views = [ConversationView.model_validate(one) for one in found[:limit]]
    return ConversationList(conversations=views, next=views[-1].updated if len(found) > limit else None)


@_conversations.post("", status_code=201, response_model=ConversationView, responses=_NOT_FOUND)
def begin(request: Request, asker: Asks, body: NewConversation) -> Stored:
    """Begin a conversation."""
    graph = request.app.state.asking.graphs.find(body.graph, asker.reach).name
    return _kept(request).create(asker.owner, graph, body.title)


@_conversations.get("/{id}", response_model=ConversationWithTurns, responses=_NOT_FOUND)
async def conversation(request: Request, asker: Asks, id: Id) -> Response:
    """Return a conversation with its turns."""

    def told() -> str:  # as text, for to write a long one takes time that others wait for
        listed = _kept(request).find(asker.owner, id)
        items = [view(request, asker, kept) for kept in _kept(request).turns(asker.owner, id)]
        return ConversationWithTurns.made_of(listed, items=items).model_dump_json()

    return Response(await request.app.state.telling.do(told, asker.account), media_type="application/json")


@_conversations.patch("/{id}", response_model=ConversationView, responses=_NOT_FOUND)
def rename(request: Request, asker: Asks, id: Id, body: Title) -> Stored:
    """Rename a conversation."""
    _kept(request).rename(asker.owner, id, body.title)
    return _kept(request).find(asker.owner, id)


@_conversations.delete("/{id}", status_code=204, responses=_NOT_FOUND)
def delete(request: Request, asker: Asks, id: Id) -> None:
    """Delete a conversation with its turns."""
    _kept(request).delete(asker.owner, id)


@_conversations.get("/{id}/export", response_class=Response, responses=_FILES | _NOT_FOUND)
async def export(
    request: Request, asker: Asks, id: Id, form: Annotated[Choice["json", "markdown"], Query(alias="format")] = "json"
) -> Response:
    """Return a conversation as a file."""
    written, suffix, kind = (
        (as_json, "json", "application/json") if form == "json" else (as_markdown, "md", "text/markdown")
    )

    def told() -> bytes:
        stored = _kept(request).find(asker.owner, id)
        return written(stored, [kept.turn for kept in _kept(request).turns(asker.owner, id)]).encode(errors="replace")

    headers = {"Content-Disposition": f'attachment; filename="conversation-{id[:8]}.{suffix}"'}
    return Response(await request.app.state.telling.do(told, asker.account), media_type=kind, headers=headers)


# Turns


@_asks.get("/turns/{id}", responses=_NOT_FOUND)
def turn(request: Request, asker: Asks, id: Id) -> TurnView:
    """Return a turn with all its steps."""
    return view(request, asker, _kept(request).turn(asker.owner, id))


@_asks.get("/turns/{id}/next", responses=documented("not-found", "graph-failed", "index-failed", "busy"))
async def next_questions(request: Request, asker: Asks, id: Id) -> list[SureQuestion]:
    """Return up to three questions that the answer of a turn invites, each of which surely has an answer."""
    asking: Asking = request.app.state.asking
    return [*await unless_gone(request, asking.next_questions(asker, _kept(request).turn(asker.owner, id)))]


@_asks.post("/turns/{id}/feedback", status_code=201, responses=documented("not-found", "query-rejected"))
def judge(request: Request, asker: Asks, id: Id, body: FeedbackBody) -> FeedbackView:
    """Say whether an answer is right, wrong, or what its query should have been.

    A query that is right, or corrected, answers its question from then on, and is shown to the model as an example.
    """
    kept = _kept(request).turn(asker.owner, id)
    query = body.query
    if body.verdict == "corrected":
        if query is None:
            raise Problem("bad-request", "With the verdict 'corrected', the query is needed.")
    elif body.verdict == "right" and kept.turn.answer and kept.turn.answer.source == "graph":
        query = kept.turn.answer.query
    if query is not None:
        named = sparql.nodes(check(query).graph, IRI)
        if relative := [one for one in named if ":" not in one.value]:
            raise QueryRejected(f"the IRI {relative[0].n3()} is not allowed: it is relative, so that no graph has it")
    used = body.verdict != "wrong" and query is not None and _may_teach(request, asker)
    return _kept(request).judge(kept, body.verdict, query, body.comment, used=used)


def _may_teach(request: Request, asker: Asker) -> bool:
    """Tell whether what an asker says holds for all: of keys that may query, and of others where settings say so.

    Who sees a part of a graph cannot tell what holds of all of it.
    """
    sees_all = asker.reach.part == ALL
    return sees_all and "query" in asker.scopes and (asker.key is not None or request.app.state.settings.learn)


@_asks.delete("/turns/{id}/feedback", status_code=204, responses=_NOT_FOUND)
def forget_judgement(request: Request, asker: Asks, id: Id) -> None:
    """Forget what was said of a turn."""
    _kept(request).forget_judgement(_kept(request).turn(asker.owner, id))


# Boards


@_board.get("", responses=documented())
def board(request: Request, asker: Asks) -> list[PinView]:
    """List the answers that this key or session pinned, in order."""
    seen = request.app.state.asking.graphs.seen(asker.reach)
    states = {served.name: served.part(asker.reach.part).state for served in seen}
    return [pin.model_copy(update={"state": states.get(pin.graph)}) for pin in _kept(request).board(asker.owner)]


@_board.put("/{id}", status_code=204, responses=documented("not-found", "conflict"))
def pin(request: Request, asker: Asks, id: Id, place: Annotated[int, Query(ge=0, le=1_000)] = 1_000) -> None:
    """Pin the answer of a turn, by default as the last one, or move it; others may then open it by its id."""
    kept = _kept(request).turn(asker.owner, id)
    answer = None if kept.turn.unknown else kept.turn.answer
    if answer is None or answer.query is None or answer.source != "graph":
        raise Problem("unprocessable", "Only an answer that a query of the graph gave can be given again.")
    _kept(request).pin(kept, answer.query, asker.reach.part, place)


@_board.delete("/{id}", status_code=204, responses=documented())
def unpin(request: Request, asker: Asks, id: Id) -> None:
    """Take an answer from the board: nobody can open it any more."""
    _kept(request).unpin(asker.owner, id)


@_board.get("/{id}", responses=documented("not-found", "query-rejected", "graph-failed", "busy", "query-timeout"))
async def pinned(request: Request, asker: Asks, id: Id) -> PinnedView:
    """Give an answer again, by its query over what who asks now sees; who sees less than its owner is refused."""
    pin = await asyncio.to_thread(_kept(request).pinned, id)
    served = request.app.state.asking.graphs.find(pin.graph, asker.reach)
    if asker.reach.part not in (ALL, pin.part):  # question and query may name what they do not see
        raise Problem("forbidden", "This answer is of more than your key sees.")
    found = await unless_gone(request, run(served, pin.query, 30.0, asker, request.app.state, result_of))
    return PinnedView.made_of(pin, found=found)


router.include_router(_asks)
router.include_router(_conversations)
router.include_router(_board)
