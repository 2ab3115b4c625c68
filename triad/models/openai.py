"""Models behind an OpenAI-compatible server: OpenAI itself, vLLM, Ollama, llama.cpp, LM Studio and others.

Compatible servers differ in what they accept. The adapter sends what is best for a reply that can be checked
and repeated (a strict JSON schema, temperature 0) and takes back what a server refuses: a refused parameter is
left out, a refused response format gives way to the next simpler one, and it remembers that. Where prompt and reply do
not fit into the model's context together, the reply is allowed fewer tokens.

Retries are those of the openai package: bounded, with exponential back-off and jitter, and obedient to the
server's ``Retry-After`` up to two minutes.
"""

import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, Unpack, get_args

import openai
from pydantic import BaseModel

from triad.errors import ConfigError, ModelError
from triad.http import number
from triad.log import logger
from triad.models.model import Completion, Model
from triad.models.prices import price, price_list
from triad.models.replies import response_format
from triad.models.server import TOO_LONG, Server
from triad.models.server_options import ServerOptions
from triad.naming import among
from triad.text import one_line, quoted
from triad.trace import Message, Usage, request_messages, usage_of

JsonMode = Literal["auto", "schema", "object", "text"]
"""How a reply's form is asked for: by schema, as any object, by the prompt alone, or the first that works."""

_SIMPLER: Mapping[str, JsonMode] = {"schema": "object", "object": "text"}
OPTIONAL = ("max_completion_tokens", "max_tokens", "seed", "temperature")
"""Parameters that a request can do without."""

MAX_TOKENS = 8_192
"""Tokens that a reply may have, unless it is told otherwise: enough to reason, and an end where a model finds none."""
_LEAST_TOKENS = 256  # tokens that a reply is allowed at least, where a server refuses more: a template is no longer
_TOO_MANY = re.compile(r"max(_completion)?_tokens|in the completion")
"""How a server says that prompt and reply together, or the reply alone, would be too long."""
_REFUSAL = re.compile(r"unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|extra_")
_FORMAT_REFUSAL = re.compile(r"response_format|json_schema|json_object|grammar|guided")

REPLY_LIMIT = 16_000_000
"""Bytes that a reply may have."""


class _Part(BaseModel):
    text: str | None = None


class _ChatMessage(BaseModel):
    content: str | list[_Part | str] | None = None
    refusal: str | None = None


class _Choice(BaseModel):
    message: _ChatMessage | None = None
    finish_reason: Any = None


class _Reply(BaseModel):
    """What is read of a chat completion."""

    choices: list[_Choice] | None
    usage: Any = None


class OpenAIModel(Model):
    """A model behind an OpenAI-compatible server.

    Args:
        name: The model's name on the server.
        max_tokens: Tokens that a reply may have; as many as the server allows if None, which may be no end at all.
        temperature: The sampling temperature; the server's default if None.
        seed: The sampling seed; none if None.
        json_mode: How a reply's form is asked for where the caller gives a schema.
        prices: For each model ``input`` and ``output`` in US dollars per million tokens, to add to the price
            list.
        server: Address, key, timeout and retries: `triad.models.server_options.ServerOptions`.

    Raises:
        ConfigError: An option makes no sense, or there is no key where one is needed.
    """

    def __init__(
        self,
        name: str,
        *,
        max_tokens: int | None = MAX_TOKENS,
        temperature: float | None = 0.0,
        seed: int | None = None,
        json_mode: JsonMode = "auto",
        prices: Mapping[str, Any] | None = None,
        **server: Unpack[ServerOptions],
    ) -> None:
        if json_mode not in get_args(JsonMode):
            raise ConfigError(f"unknown json_mode {json_mode!r}; known are {among(get_args(JsonMode), json_mode)}")
        self._server = Server(name, limit=REPLY_LIMIT, without="model: none works", **server)
        self.name = name
        self.address = self._server.address
        self.json_mode = json_mode
        self._prices = price_list(prices)
        settings = {"max_tokens": max_tokens, "seed": seed, "temperature": temperature}
        self._settings: Mapping[str, Any] = {key: value for key, value in settings.items() if value is not None}
        self.fingerprint = f"{self.address} {json_mode} {self._settings}"
        self._format: JsonMode = "schema" if json_mode == "auto" else json_mode
        self._several, self._beams = True, True  # until the server refuses it
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the model's reply; what a `ModelError` says about an empty or a cut one is what to do."""
        [completion] = self._replies(messages, schema, 1)
        return completion

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Return up to so many replies, by beam search where the server has it, else as samples.

        Beam search is that of vLLM; a server that refuses it is asked for samples at a temperature of 1, and one that
        gives only one reply at a time gives one. Raises as `complete` does.
        """
        return self._replies(messages, None, max(1, count))

    def _replies(self, messages: Sequence[Message], schema: Mapping[str, Any] | None, count: int) -> list[Completion]:
        started = time.perf_counter()
        with self._server.translated():
            content = self._send(messages, schema, count)
        if (reply := self._server.read(_Reply, content)) is None:
            raise self._server.error("did not answer with a chat completion; does the address end in /v1?", begun=1)
        seconds = time.perf_counter() - started

        def usage(texts: Sequence[str]) -> Usage:
            told = reply.usage if isinstance(reply.usage, Mapping) else {}
            sent, received = (number(str(told.get(f"{kind}_tokens"))) for kind in ("prompt", "completion"))
            counted = usage_of(messages, "\n".join(texts), sent, received)
            return replace(counted, seconds=seconds, money=price(self.name, counted, self._prices))

        try:
            texts = self._texts(reply)
        except ModelError as error:
            error.usage = usage(())
            raise
        return [Completion(texts[0], usage(texts)), *(Completion(text, Usage()) for text in texts[1:count])]

    def close(self) -> None:
        """Close the connections to the server; the next call opens them again."""
        self._server.close()

    def __repr__(self) -> str:
        return f"OpenAIModel({self.name!r}, base_url={self.address!r})"

    # Requests ---------------------------------------------------------------------------------------------

    def _send(self, messages: Sequence[Message], schema: Mapping[str, Any] | None, count: int) -> bytes:
        shorter = 1  # by so much the reply must be
        while True:
            request = self._request(messages, schema, count)
            limit = next((name for name in ("max_tokens", "max_completion_tokens") if name in request), "")
            if limit:
                request[limit] //= shorter
            try:
                # Not by `chat.completions.create`, which compares each message with all kinds of messages there are.
                return self._server.connect().post("/chat/completions", cast_to=bytes, body=request)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                complaint = f"{error.message} {error.body}".lower()
                if self._learn(error, complaint, request):
                    continue
                if not limit or not _TOO_MANY.search(complaint) or request[limit] < 2 * _LEAST_TOKENS:
                    raise
                shorter *= 2

    def _request(self, messages: Sequence[Message], schema: Mapping[str, Any] | None, count: int) -> dict[str, Any]:
        request: dict[str, Any] = {"model": self.name, "messages": request_messages(messages), **self._settings}
        if count > 1 and self._several:
            request |= {"n": count} | ({"use_beam_search": True} if self._beams else {"temperature": 1.0})
        if schema is not None and self._format != "text":
            request["response_format"] = response_format(schema if self._format == "schema" else None)
        return request

    def _learn(self, error: openai.APIStatusError, complaint: str, request: Mapping[str, Any]) -> bool:
        """Take back what the server refuses, and return whether that leaves another request to try."""
        if TOO_LONG.search(complaint):
            return False
        with self._lock:
            if "response_format" in request and _FORMAT_REFUSAL.search(complaint):
                return self._simplify(request["response_format"]["type"])
            if not _REFUSAL.search(complaint):
                return False
            named = str(error.param or complaint).lower()
            if "use_beam_search" in request and "beam" in named:
                self._beams = False
                return True
            if "n" in request and re.search(r"\bn\b", named):
                self._several = False
                return True
            refused = [name for name in OPTIONAL if name in request and re.search(rf"\b{name}\b", named)]
            settings = {name: value for name, value in self._settings.items() if name not in refused}
            if "max_tokens" in refused and "max_completion_tokens" in complaint:
                settings["max_completion_tokens"] = request["max_tokens"]
            if refused:
                logger.debug("{!r} at {} refuses {}", self.name, self.address, ", ".join(refused))
            self._settings = settings
            return bool(refused)

    def _simplify(self, refused: str) -> bool:
        if self.json_mode != "auto":
            return False
        # Another thread may have learned the same in the meantime.
        if refused == f"json_{self._format}":
            self._format = _SIMPLER[self._format]
            logger.debug("{!r} at {} refuses {}; using {}", self.name, self.address, refused, self._format)
        return True

    # Replies ----------------------------------------------------------------------------------------------

    def _texts(self, reply: _Reply) -> list[str]:
        """Return the texts of a reply; of several choices, one that is cut or empty is left out."""
        if not reply.choices:
            raise self._server.error("answered without a choice; try again or use another server")
        found: list[str] = []
        faults: list[ModelError] = []
        for choice in reply.choices:
            try:
                found.append(self._text(choice))
            except ModelError as error:
                faults.append(error)
        if not found:
            raise faults[-1]
        return found

    def _text(self, choice: _Choice) -> str:
        """Return the text of a choice, which compatible servers fill in to different degrees."""
        message = choice.message or _ChatMessage()
        parts = message.content if isinstance(message.content, list) else [message.content or ""]
        text = "".join(part if isinstance(part, str) else part.text or "" for part in parts)
        if choice.finish_reason == "content_filter" or (message.refusal and not text):
            why = quoted(one_line(message.refusal or "")) or "no reason given"
            raise self._server.error(f"withheld the reply (content filter): {why}")
        if choice.finish_reason == "length":
            raise self._server.error(
                "cut the reply at the limit of its length; raise max_tokens or the server's context"
            )
        if not text.strip():
            raise self._server.error("gave an empty reply; try again or use another model")
        return text
