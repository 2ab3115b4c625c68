"""``/v1``: OpenAI's protocol, in which a graph is a model. Whatever speaks to OpenAI can ask a graph.

A request holds the messages so far. The last one of the user is the question; the conversation that it goes on with is
found by the messages before it, or named as ``metadata.conversation``. Instructions to a model have no effect here.
"""

import asyncio
import hashlib
import json
import time
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal as Choice

from fastapi import APIRouter, Path, Request
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel, ConfigDict, FailFast, Field

from triad.server.access import Asker, Asks, by_id
from triad.server.asking import LONGEST, Asking, AskRequest
from triad.server.events import UNBUFFERED, Events, unless_gone
from triad.server.problems import Problem, documented, for_openai, of, told
from triad.server.state.conversations import Kept
from triad.server.state.keys import digest
from triad.server.told import in_text, metadata
from triad.server.views import View

router = APIRouter(prefix="/v1", tags=["openai"])

_PIECE: Final = 60  # characters of a piece of a stream


class MessagePart(BaseModel):
    """A part of a message."""

    model_config = ConfigDict(extra="allow")

    type: str = Field(examples=["text"])
    text: str = ""


class ChatMessage(BaseModel):
    """A message."""

    model_config = ConfigDict(extra="allow")

    role: str = Field(examples=["user"])
    content: str | Annotated[list[MessagePart], Field(max_length=100)] | None = Field(None, examples=["Where is Bonn?"])

    def words(self) -> str:
        """Return its text."""
        if isinstance(self.content, list):
            return "\n".join(part.text for part in self.content if part.type in ("text", "input_text"))
        return self.content or ""


class StreamOptions(BaseModel):
    """How a stream ends."""

    include_usage: bool = False


class ChatBody(BaseModel):
    """A request for a completion; what is not named here has no effect."""

    model_config = ConfigDict(extra="allow")

    model: str = Field(max_length=300, examples=["demo"])
    messages: Annotated[list[ChatMessage], FailFast()] = Field(min_length=1, max_length=500)
    stream: bool = False
    stream_options: StreamOptions | None = None
    metadata: dict[str, str] | None = None


class ModelView(View):
    """A graph, as a model."""

    id: str
    object: Choice["model"] = "model"
    created: int = 0
    owned_by: str = "triad"


class ModelList(View):
    """The graphs, as models."""

    object: Choice["list"] = "list"
    data: list[ModelView]


@router.get("/models", responses=documented())
def models(request: Request, asker: Asks) -> ModelList:
    """List the graphs, as models."""
    return ModelList(data=[ModelView(id=one.name) for one in request.app.state.asking.graphs.seen(asker.reach)])


@router.get("/models/{name}", responses=documented("not-found"))
def model(request: Request, asker: Asks, name: Annotated[str, Path(max_length=300)]) -> ModelView:
    """Return a graph, as a model."""
    return ModelView(id=request.app.state.asking.graphs.find(name, asker.reach).name)


_COMPLETION: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A completion; with `stream`, chunks as server-sent events.",
        "content": {
            "application/json": {"schema": {"type": "object"}},
            "text/event-stream": {"schema": {"type": "string"}},
        },
    }
}


@router.post(
    "/chat/completions",
    responses=_COMPLETION
    | documented(
        "not-found", "conflict", "limit-reached", "graph-failed", "index-failed", "busy", "timeout", "internal"
    ),
    response_class=JSONResponse,
)
async def complete(request: Request, asker: Asks, body: ChatBody) -> Any:
    """Answer the last message of the user."""
    # Of an address alone: else whoever begins with the same words could have the next ones of somebody else come into
    # a conversation of theirs, which they know the id of.
    asker = by_id(asker, f"openai:{digest(asker.account)[:20]}")
    try:
        said = [(one.role, one.words().strip()) for one in body.messages if one.role in ("user", "assistant")]
        work = _Completion(request, asker, body, said, await _asked(request, asker, body, said), int(time.time()))
        if body.stream:
            return StreamingResponse(work.stream(), media_type="text/event-stream", headers=UNBUFFERED)
        return JSONResponse(work.completion(await unless_gone(request, work.answered())))
    except Exception as error:
        return told(of(error), request.state.request_id, openai=True)


async def _asked(request: Request, asker: Asker, body: ChatBody, said: list[tuple[str, str]]) -> AskRequest:
    """Return the question of a request, with the conversation that it goes on with."""
    if not said or said[-1][0] != "user":
        raise Problem("bad-request", "The last message is to be one of the user.")
    if len(question := said[-1][1]) > LONGEST:
        raise Problem("bad-request", f"The question has more than {LONGEST:,} characters.")
    asking: Asking = request.app.state.asking
    graph = asking.graphs.find(body.model, asker.reach).name
    conversations = request.app.state.conversations
    if (conversation := (body.metadata or {}).get("conversation")) is None and len(said) > 1:
        conversation = await asyncio.to_thread(conversations.of_thread, asker.owner, graph, _thread(said[:-1]))
    if conversation is None:
        conversation = await asking.begin(asker, graph)
    return AskRequest(question, graph=graph, conversation=conversation)


def _thread(said: list[tuple[str, str]]) -> str:
    """Return what tells some messages from others."""
    return hashlib.sha256(json.dumps(said).encode(errors="replace")).hexdigest()


@dataclass(frozen=True, slots=True)
class _Completion:
    request: Request
    asker: Asker
    body: ChatBody
    said: list[tuple[str, str]]
    asked: AskRequest
    created: int

    async def answered(self, events: Events | None = None) -> Kept:
        state = self.request.app.state
        kept: Kept = await state.asking.answer(self.asker, self.asked, events)
        if kept.conversation is not None:
            thread = _thread([*self.said, ("assistant", in_text(kept).strip())])
            await asyncio.to_thread(state.conversations.follow_thread, self.asker.owner, kept.conversation, thread)
        return kept

    def completion(self, kept: Kept) -> dict[str, Any]:
        message = {"role": "assistant", "content": in_text(kept), "refusal": None}
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
        return {**self._head("chat.completion", kept.id), "choices": [choice], **self._end(kept)}

    def _head(self, kind: str, id: str) -> dict[str, Any]:
        return {"id": f"chatcmpl-{id}", "object": kind, "created": self.created, "model": self.body.model}

    @staticmethod
    def _end(kept: Kept) -> dict[str, Any]:
        usage = kept.turn.usage
        tokens = {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
        }
        # OpenAI has metadata as texts; what is none is JSON.
        told = ((name, value) for name, value in metadata(kept).items() if value is not None)
        texts = {key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False) for key, value in told}
        return {"usage": tokens, "metadata": texts}

    async def stream(self) -> AsyncIterator[bytes]:
        events = Events(inspect=False)
        request_id = self.request.state.request_id

        async def work() -> tuple[str, Any]:
            return "kept", await self.answered(events)

        id = "0"
        async with aclosing(events.of(work, request_id)) as happening:
            async for name, data in happening:
                match name:
                    case "begin":
                        id = data["turn"]
                        yield self._chunk(id, {"role": "assistant", "content": ""})
                    case "kept":
                        text, end = in_text(data), self._end(data)
                        for at in range(0, len(text), _PIECE):
                            yield self._chunk(id, {"content": text[at : at + _PIECE]})
                        yield self._chunk(id, {}, "stop", {"metadata": end["metadata"]})
                        if self.body.stream_options and self.body.stream_options.include_usage:
                            head = self._head("chat.completion.chunk", id)
                            yield _event({**head, "choices": [], "usage": end["usage"]})
                    case "error":
                        yield _event(for_openai(Problem(data["name"], data["detail"]), request_id))
                    case _:
                        yield f": {name or data}\n\n".encode()
            yield b"data: [DONE]\n\n"

    def _chunk(
        self, id: str, delta: dict[str, Any], reason: str | None = None, more: dict[str, Any] | None = None
    ) -> bytes:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return _event({**self._head("chat.completion.chunk", id), "choices": [choice], **(more or {})})


def _event(content: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(content, ensure_ascii=False)}\n\n".encode(errors="replace")
