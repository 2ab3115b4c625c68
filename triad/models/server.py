"""An OpenAI-compatible server: the connection, the key, and what its errors mean."""

import difflib
import os
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar, Unpack, cast
from urllib.parse import urlsplit

import httpx
import openai
from pydantic import BaseModel

from triad.errors import ConfigError, ModelError, PromptTooLong
from triad.http import AnswerTooLarge, client, read_json
from triad.models.keyring import key_of, provider_of
from triad.models.server_options import RETRIES, TIMEOUT, ServerOptions
from triad.resources import from_home
from triad.text import one_line, quoted

_OPENAI_URL: Final = "https://api.openai.com/v1"
T = TypeVar("T", bound=BaseModel)
TOO_LONG: Final = re.compile(r"context[_ ](length|size|window)|exceed_context|prompt is too long")


class _Listed(BaseModel):
    id: str | None = None


class _Models(BaseModel):
    data: list[_Listed]


class Server:
    """The server of one model, with the options of `ServerOptions`. Safe to use from several threads.

    Without a name, only its models are listed. ``without`` tells, in an error, what works where there is no key.

    Raises:
        ConfigError: An option makes no sense, or there is no key where one is needed.
    """

    def __init__(self, name: str, *, limit: int, without: str, **options: Unpack[ServerOptions]) -> None:
        timeout, retries = options.get("timeout", TIMEOUT), options.get("retries", RETRIES)
        if retries < 0 or timeout <= 0:
            raise ConfigError(f"retries={retries!r}, timeout={timeout!r}: no retries are 0, and a timeout is positive")
        self.name = name
        self.timeout = timeout
        self.retries = retries
        self._limit = limit
        self._base_url = options.get("base_url") or os.environ.get("OPENAI_BASE_URL") or _OPENAI_URL
        self.address = _without_secrets(self._base_url)
        """The address without user, password and query."""
        self._api_key = options.get("api_key") or read_key(options.get("api_key_file"))
        self._api_key = self._api_key or os.environ.get("OPENAI_API_KEY") or key_of(provider_of(self._base_url))
        if not (self._api_key.isascii() and self._api_key.isprintable()):
            raise ConfigError(f"the key for model {name!r} holds a character that no key has; was it copied whole?")
        if not self._api_key and self._base_url == _OPENAI_URL:
            raise ConfigError(
                f"model {name!r} at {self.address} needs a key: set OPENAI_API_KEY, keep one with "
                f"'triad models keys set openai', or give api_key or api_key_file; "
                f"for a server of your own give base_url; without a key, {without}"
            )
        self._client: openai.OpenAI | None = None
        self._lock = threading.Lock()

    def connect(self) -> openai.OpenAI:
        """Return the client, which opens connections as it needs them."""
        with self._lock:
            if self._client is None:
                self._client = openai.OpenAI(
                    base_url=self._base_url,
                    api_key=self._api_key or "no-key",
                    timeout=self.timeout,
                    max_retries=self.retries,
                    # openai takes httpx, and is typed for the successor that it uses itself.
                    http_client=cast(Any, client(self._limit)),
                )
            return self._client

    def close(self) -> None:
        """Close the connections; the next call opens them again."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    @contextmanager
    def translated(self) -> Iterator[None]:
        """Raise what goes wrong as a `ModelError` that says what it means."""
        try:
            yield
        except openai.OpenAIError as error:
            # A server may repeat the key in its complaint; then the cause, which quotes it, is not shown.
            raise self._translate(error) from (None if self._redact(str(error)) != str(error) else error)
        except AnswerTooLarge as error:
            raise self.error(f"sent no reply of a reasonable size: {error}", begun=1) from error

    def _translate(self, error: openai.OpenAIError) -> ModelError:
        """Return the error that says what a foreign one means and what to do about it."""
        body = getattr(error, "body", None)
        complaint = f"{error} {body}".lower()
        if isinstance(body, Mapping):  # servers have several forms of what they say themselves
            body = body.get("message") or body.get("detail") or body
        said = quoted(one_line(self._redact(str(body or error))))
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
                problem = f"cannot be reached ({one_line(str(error.__cause__ or error))}); is the server running?"
            case openai.APIStatusError() if TOO_LONG.search(complaint):
                problem = f"cannot take so long a prompt ({said}); shorten it or use a model with a larger context"
                return self.error(problem, PromptTooLong)
            case openai.APIStatusError() if "content_filter" in complaint:
                problem = f"withheld the reply (content filter): {said}"
            case openai.InternalServerError():
                problem = f"failed with HTTP status {error.status_code} {tries} ({said}); try again later"
            case openai.APIStatusError():
                problem = f"refused the request with HTTP status {error.status_code}: {said}"
            case _:
                problem = f"failed: {said}"
        # Where no reply came, the server may have worked for each request.
        broken = isinstance(error.__cause__, httpx.ReadTimeout | httpx.ReadError | httpx.RemoteProtocolError)
        return self.error(problem, begun=(self.retries + 1) * (broken or isinstance(error, openai.InternalServerError)))

    def read(self, kind: type[T], content: bytes) -> T | None:
        """Return what a server sent if it has a form; None if it has another."""
        try:
            return kind.model_validate(read_json(content.decode()))
        except (ValueError, RecursionError):
            return None

    def error(self, problem: str, kind: type[ModelError] = ModelError, begun: int = 0) -> ModelError:
        """Return the error that says a problem of this server, and to how many requests it gave no reply."""
        what = f"model {self.name!r}" if self.name else "the server"
        return kind(f"{what} at {self.address} {self._redact(problem)}", begun=begun)

    def _redact(self, text: str) -> str:
        # A shorter key is a dummy, such as "EMPTY", which may well be a word of the text.
        return text.replace(self._api_key, "***") if len(self._api_key) >= 8 else text

    def models(self) -> list[str]:
        """Return the names of the server's models; none where it does not tell."""
        with self.translated():
            return self._list()

    def _list(self) -> list[str]:
        quick = self.connect().with_options(timeout=min(self.timeout, 10), max_retries=0)
        listed = self.read(_Models, quick.models.with_raw_response.list().content)
        return [model.id for model in listed.data if model.id] if listed else []

    def _known_models(self) -> str:
        names: list[str] = []
        with suppress(openai.OpenAIError, AnswerTooLarge):
            names = self._list()
        if not names:
            return "does the address end as the server's API does (/v1)?"
        nearest = difflib.get_close_matches(self.name, names, n=8, cutoff=0.0)
        return f"the server has {', '.join(map(repr, nearest))}" + (" and others" if len(names) > 8 else "")


def read_key(path: str | Path | None) -> str:
    """Return the key that a file holds; an empty text without a file, and a `ConfigError` if it cannot be read."""
    if path is None:
        return ""
    try:
        key = from_home(path).read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as error:
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
