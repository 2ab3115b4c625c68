"""Models behind an OpenAI-compatible server: OpenAI itself, vLLM, Ollama, llama.cpp, LM Studio and others.

Compatible servers differ in what they accept. The adapter sends what is best for a reply that can be checked
and repeated (a strict JSON schema, temperature 0) and takes back what a server refuses: a refused parameter is
left out, a refused response format gives way to the next simpler one. It remembers what it learned.

Retries are those of the openai package: bounded, with exponential back-off and jitter, and obedient to the
server's ``Retry-After`` up to two minutes.
"""

from __future__ import annotations

import difflib
import json
import os
import re
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args
from urllib.parse import urlsplit

import openai
from loguru import logger
from openai.types.chat import ChatCompletion

from triad.errors import ConfigError, ModelError
from triad.models.base import Completion, Model
from triad.models.prices import price, price_list
from triad.models.transcript import estimate_usage
from triad.types import Message, Usage

__all__ = ["JsonMode", "OpenAIModel"]

JsonMode = Literal["auto", "schema", "object", "text"]
"""How a reply's form is asked for: by schema, as any object, by the prompt alone, or the first that works."""

OPENAI_URL = "https://api.openai.com/v1"
SIMPLER: Mapping[str, JsonMode] = {"schema": "object", "object": "text"}
OPTIONAL = ("max_completion_tokens", "max_tokens", "seed", "temperature")
"""Parameters that a request can do without."""

REFUSAL = re.compile(r"unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|not allowed|extra_")
FORMAT_REFUSAL = re.compile(r"response_format|json_schema|json_object|grammar|guided")
TOO_LONG = re.compile(r"context_length|context length|context size|context window|exceed_context")


class OpenAIModel(Model):
    """A model behind an OpenAI-compatible server.

    Args:
        name: The model's name on the server.
        base_url: The server's address, up to ``/v1``; if None, OPENAI_BASE_URL of the environment, else
            OpenAI's.
        api_key: The key; if None, the content of ``api_key_file``, else OPENAI_API_KEY of the environment.
            Servers other than OpenAI's can do without one.
        api_key_file: A file that holds nothing but the key.
        timeout: Seconds to wait for the server at most, for each try.
        retries: How often a call is tried again after a rate limit, a failure of the server or a timeout.
        max_tokens: Tokens that a reply may have; as many as the server allows if None.
        temperature: The sampling temperature; the server's default if None.
        seed: The sampling seed; none if None.
        json_mode: How a reply's form is asked for where the caller gives a schema.
        prices: For each model ``input`` and ``output`` in US dollars per million tokens, to add to the price
            list.

    Raises:
        ConfigError: An option makes no sense, or there is no key where one is needed.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None = None,
        api_key: str | None = None,
        api_key_file: str | Path | None = None,
        timeout: float = 120.0,
        retries: int = 3,
        max_tokens: int | None = None,
        temperature: float | None = 0.0,
        seed: int | None = None,
        json_mode: JsonMode = "auto",
        prices: Mapping[str, Any] | None = None,
    ) -> None:
        if json_mode not in get_args(JsonMode):
            known = ", ".join(map(repr, get_args(JsonMode)))
            raise ConfigError(f"unknown json_mode {json_mode!r}; known are {known}")
        if retries < 0 or timeout <= 0:
            raise ConfigError(f"retries={retries!r}, timeout={timeout!r}: no retries are 0, and a timeout is positive")
        self.name = name
        self.json_mode = json_mode
        self.timeout = timeout
        self.retries = retries
        self._base_url = base_url or os.environ.get("OPENAI_BASE_URL") or OPENAI_URL
        self.address = _without_secrets(self._base_url)
        self._api_key = api_key or _read_key(api_key_file) or os.environ.get("OPENAI_API_KEY", "")
        if not (self._api_key.isascii() and self._api_key.isprintable()):
            raise ConfigError(f"the key for model {name!r} holds a character that no key has; was it copied whole?")
        if not self._api_key and self._base_url == OPENAI_URL:
            raise ConfigError(
                f"model {name!r} at {self.address} needs a key: set OPENAI_API_KEY, or give api_key or "
                "api_key_file; for a server of your own give base_url; without a key, model: none works"
            )
        self._prices = price_list(prices)
        settings = {"max_tokens": max_tokens, "seed": seed, "temperature": temperature}
        self._settings: Mapping[str, Any] = {key: value for key, value in settings.items() if value is not None}
        self.fingerprint = f"{self.address} {json_mode} {self._settings}"
        self._format: JsonMode = "schema" if json_mode == "auto" else json_mode
        self._client: openai.OpenAI | None = None
        self._lock = threading.Lock()

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the model's reply to a conversation.

        Raises:
            ModelError: The server cannot be reached, refused or failed, retries included, or the reply is empty
                or cut. The message says what to do.
        """
        started = time.perf_counter()
        try:
            response = self._send(messages, schema)
        except openai.OpenAIError as error:
            # A server may repeat the key in its complaint; then the cause, which quotes it, is not shown.
            raise self._translate(error) from (None if self._redact(str(error)) != str(error) else error)
        except json.JSONDecodeError as error:
            raise self._error("did not answer in JSON; does the address end as the server's API does (/v1)?") from error
        text = self._text(response)
        usage = replace(_usage(response, messages, text), seconds=time.perf_counter() - started)
        return Completion(text, replace(usage, money=price(self.name, usage, self._prices)))

    def close(self) -> None:
        """Close the connections to the server; the next call opens them again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def __repr__(self) -> str:
        return f"OpenAIModel({self.name!r}, base_url={self.address!r})"

    # Requests ---------------------------------------------------------------------------------------------

    def _connect(self) -> openai.OpenAI:
        with self._lock:
            if self._client is None:
                self._client = openai.OpenAI(
                    base_url=self._base_url,
                    api_key=self._api_key or "no-key",
                    timeout=self.timeout,
                    max_retries=self.retries,
                )
            return self._client

    def _send(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> object:
        while True:
            request = self._request(messages, schema)
            try:
                return self._connect().chat.completions.create(**request)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._learn(error, request):
                    raise

    def _request(self, messages: Sequence[Message], schema: Mapping[str, Any] | None) -> dict[str, Any]:
        request = {
            "model": self.name,
            "messages": [{"role": message.role, "content": _utf8(message.content)} for message in messages],
            **self._settings,
        }
        if schema is not None and self._format == "schema":
            json_schema = {"name": "reply", "strict": True, "schema": dict(schema)}
            request["response_format"] = {"type": "json_schema", "json_schema": json_schema}
        elif schema is not None and self._format == "object":
            request["response_format"] = {"type": "json_object"}
        return request

    def _learn(self, error: openai.APIStatusError, request: Mapping[str, Any]) -> bool:
        """Take back what the server refuses, and return whether that leaves another request to try."""
        complaint = f"{error.message} {error.body}".lower()
        if TOO_LONG.search(complaint):
            return False
        with self._lock:
            if "response_format" in request and FORMAT_REFUSAL.search(complaint):
                return self._simplify(request["response_format"]["type"])
            if not REFUSAL.search(complaint):
                return False
            named = (error.param or complaint).lower()
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
            self._format = SIMPLER[self._format]
            logger.debug("{!r} at {} refuses {}; using {}", self.name, self.address, refused, self._format)
        return True

    # Replies ----------------------------------------------------------------------------------------------

    def _text(self, response: object) -> str:
        """Return the text of a response, which compatible servers fill in to different degrees."""
        if not isinstance(response, ChatCompletion):
            raise self._error("did not answer with a chat completion; does the address end in /v1?")
        if not response.choices:
            raise self._error("answered without a choice; try again or use another server")
        choice = response.choices[0]
        text = (choice.message.content if choice.message else None) or ""
        refusal = choice.message.refusal if choice.message else None
        if choice.finish_reason == "content_filter" or (refusal and not text):
            raise self._error(f"withheld the reply (content filter): {_line(refusal or 'no reason given')}")
        if choice.finish_reason == "length":
            raise self._error("cut the reply at the limit of its length; raise max_tokens or the server's context")
        if not text.strip():
            raise self._error("gave an empty reply; try again or use another model")
        return text

    # Errors -----------------------------------------------------------------------------------------------

    def _translate(self, error: openai.OpenAIError) -> ModelError:
        """Return the error that says what a foreign one means and what to do about it."""
        said = _line(self._redact(_said(error)))
        complaint = f"{error} {getattr(error, 'body', '')}".lower()
        tries = f"in spite of up to {self.retries} retries" if self.retries else "(no retries allowed)"
        match error:
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                problem = f"refused the key ({said}); check OPENAI_API_KEY, api_key or api_key_file"
            case openai.NotFoundError():
                problem = f"was not found ({said}); {self._known_models()}"
            case openai.RateLimitError() if "insufficient_quota" in complaint:
                problem = f"has no quota left ({said}); check the account's plan and billing"
            case openai.RateLimitError():
                problem = f"is over its rate limit {tries} ({said}); make fewer calls a minute or allow more retries"
            case openai.APITimeoutError():
                problem = f"did not answer within {self.timeout:g} s {tries}; raise timeout or use a smaller model"
            case openai.APIConnectionError():
                problem = f"cannot be reached ({_line(str(error.__cause__ or error))}); is the server running?"
            case openai.APIStatusError() if TOO_LONG.search(complaint):
                problem = f"cannot take so long a prompt ({said}); shorten it or use a model with a larger context"
            case openai.APIStatusError() if "content_filter" in complaint:
                problem = f"withheld the reply (content filter): {said}"
            case openai.InternalServerError():
                problem = f"failed with HTTP status {error.status_code} {tries} ({said}); try again later"
            case openai.APIStatusError():
                problem = f"refused the request with HTTP status {error.status_code}: {said}"
            case _:
                problem = f"failed: {said}"
        return self._error(problem)

    def _error(self, problem: str) -> ModelError:
        return ModelError(f"model {self.name!r} at {self.address} {self._redact(problem)}")

    def _redact(self, text: str) -> str:
        # A shorter key is a dummy, such as "EMPTY", which may well be a word of the text.
        return text.replace(self._api_key, "***") if len(self._api_key) >= 8 else text

    def _known_models(self) -> str:
        try:
            listed = self._connect().with_options(timeout=min(self.timeout, 10), max_retries=0).models.list()
            names = [model.id for model in listed.data]
        except (openai.OpenAIError, ValueError, AttributeError, TypeError):
            names = []
        if not names:
            return "does the address end as the server's API does (/v1)?"
        nearest = difflib.get_close_matches(self.name, names, n=8, cutoff=0.0)
        return f"the server has {', '.join(map(repr, nearest))}" + (" and others" if len(names) > 8 else "")


def _read_key(path: str | Path | None) -> str:
    if path is None:
        return ""
    try:
        key = Path(path).expanduser().read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"cannot read api_key_file {str(path)!r}: {error}") from error
    if not key:
        raise ConfigError(f"api_key_file {str(path)!r} is empty")
    return key


def _without_secrets(url: str) -> str:
    """Return an address without user, password and query."""
    try:
        parts = urlsplit(url)
        host = parts.hostname
        port = f":{parts.port}" if parts.port else ""
    except ValueError as error:
        raise ConfigError("base_url is not an address; one looks like 'http://localhost:11434/v1'") from error
    if parts.scheme not in ("http", "https") or not host:
        shown = re.sub(r"^.*@|\?.*", "", url)
        raise ConfigError(f"base_url {shown!r} is not an address; one looks like 'http://localhost:11434/v1'")
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}{parts.path}"


def _usage(response: object, messages: Sequence[Message], text: str) -> Usage:
    """Return the tokens that the server counted, else an estimate."""
    estimate = estimate_usage(messages, text)
    counted = getattr(response, "usage", None)
    return replace(
        estimate,
        input_tokens=getattr(counted, "prompt_tokens", None) or estimate.input_tokens,
        output_tokens=getattr(counted, "completion_tokens", None) or estimate.output_tokens,
    )


def _said(error: openai.OpenAIError) -> str:
    """Return what the server itself said, in any of the forms that servers say it."""
    body = getattr(error, "body", None)
    if isinstance(body, Mapping):
        body = body.get("message") or body.get("detail") or body
    return str(body or error)


def _utf8(text: str) -> str:
    """Return a text that UTF-8 can write: half a surrogate pair, as bad escapes leave it, becomes ``?``."""
    return text.encode(errors="replace").decode()


def _line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else line[:199] + "…"
