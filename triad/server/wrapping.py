"""What lies around every request: its id, its log line, its host, the bounds of its body, the headers of its answer.

These are plain ASGI applications around the app: nothing here holds back a stream, or hides that a client left.
"""

import asyncio
import json
import re
import sys
import time
import uuid
from abc import ABC, abstractmethod
from typing import Final

from starlette.datastructures import State
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from triad.log import logger
from triad.server.events import Gone
from triad.server.problems import Problem, of, told
from triad.server.settings import LOCAL_HOSTS

_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src {images}; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}
_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")
_PROBES: Final = ("/healthz", "/readyz", "/metrics")
"""Paths that operators ask by any name, such as the address of a pod; they tell no more of a graph than its name."""
_HEADER_BYTES: Final = 32_768
_DRAINED: Final = 10  # times the limit that is read of a body before it is refused, so that the client hears why
_KEPT: Final = ("/assets/",)  # paths whose files have a hash in their names, so that a browser may keep them


class _Around(ABC):
    """What lies around an app, and knows the settings that hold now; only requests by HTTP concern it."""

    def __init__(self, app: ASGIApp, state: State) -> None:
        self._app = app
        self._state = state

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._answer if scope["type"] == "http" else self._app)(scope, receive, send)

    @abstractmethod
    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""


async def _refuse(problem: Problem, scope: Scope, receive: Receive, send: Send, **headers: str) -> None:
    answer = told(problem, scope["state"]["request_id"], openai=scope["path"].startswith("/v1/"))
    answer.headers.update(headers)
    await answer(scope, receive, send)


class Requests(_Around):
    """Gives each request an id, logs it as a line of JSON when it is done, and sets the headers of its answer."""

    def __init__(self, app: ASGIApp, state: State, *, logs: bool) -> None:
        super().__init__(app, state)
        self._logs = logs

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        sizes = (len(name) + len(value) for name, value in scope["headers"])
        given = dict(scope["headers"]).get(b"x-request-id", b"").decode("latin-1")
        request_id = given if _ID.fullmatch(given) else uuid.uuid4().hex
        scope.setdefault("state", {})["request_id"] = request_id
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope  # uvicorn leaves out the body
        started, status = time.perf_counter(), 0
        pictures = self._state.settings.pictures
        elsewhere = ("https:",) if pictures is True else pictures or ()
        policy = _POLICY.format(images=" ".join(("'self'", "data:", *elsewhere)))
        more = {**_HEADERS, "Content-Security-Policy": policy, "X-Request-Id": request_id}
        kept = scope["path"].startswith(_KEPT)
        if {b"content-length", b"transfer-encoding"} <= {name for name, _ in scope["headers"]}:
            more["Connection"] = "close"  # two lengths, of which a proxy may have taken the other one (RFC 9112, 6.1)
        if scope["path"] == "/triad-ask.js":  # which pages of other sites load
            more["Cross-Origin-Resource-Policy"] = "cross-origin"

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                known = {name.lower() for name, _ in message["headers"]}
                extra = [(name.lower().encode(), value.encode()) for name, value in more.items()]
                control = b"public, max-age=31536000, immutable" if kept and status == 200 else b"no-store"
                extra.append((b"cache-control", control))
                message["headers"] = [*message["headers"], *(one for one in extra if one[0] not in known)]
            await send(message)

        try:
            with logger.contextualize(request=request_id):
                if sum(sizes) > _HEADER_BYTES:
                    problem = Problem("headers-too-large", f"Headers have at most {_HEADER_BYTES:,} bytes.")
                    await _refuse(problem, scope, receive, answer)
                else:
                    await self._app(inner, receive, answer)
        except Gone:
            pass  # nobody waits for an answer; the log has a line of it as of every request
        except Exception as error:  # nothing around this one is to log it again, without the id of the request
            with logger.contextualize(request=request_id):
                problem = of(error)
            if not status:
                await _refuse(problem, scope, receive, answer)
        finally:
            path = getattr(inner.get("route"), "path", None) or ("page" if status < 400 else "none")
            self._state.metrics.requests.labels(path, str(status)).inc()
            if self._logs:
                self._log(scope, request_id, status or 499, time.perf_counter() - started)

    @staticmethod
    def _log(scope: Scope, request_id: str, status: int, seconds: float) -> None:
        # Neither query string nor headers: they hold questions and keys.
        line = {
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "request": request_id,
            "method": scope["method"],
            "path": scope["path"],
            "status": status,
            "seconds": round(seconds, 4),
            "client": (scope.get("client") or ("",))[0],
        }
        sys.stderr.write(json.dumps(line) + "\n")


class Hosts(_Around):
    """Refuses requests for other hosts: a page of a stranger whose name leads to this machine may not ask."""

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        hosts = self._state.settings.hosts
        if scope["path"] not in _PROBES and "*" not in hosts:
            name = re.sub(r":\d+$", "", dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower())
            if name not in LOCAL_HOSTS and name not in hosts:
                problem = Problem("forbidden", "The server is not called so; 'hosts' of its settings lists its names.")
                await _refuse(problem, scope, receive, send)
                return
        await self._app(scope, receive, send)


class Bodies(_Around):
    """Reads bodies, which are small here, before the app sees them: none is too large, and none too slow."""

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with asyncio.timeout(self._state.settings.body_seconds):
                body = await self._body(receive)
        except (TimeoutError, Problem) as error:
            slow = Problem("slow", "The body of the request did not come in time.")
            problem = error if isinstance(error, Problem) else slow
            await _refuse(problem, scope, receive, send, Connection="close")  # the rest of the body is not read
            return
        if body is None:
            return
        whole: Message | None = {"type": "http.request", "body": body, "more_body": False}

        async def again() -> Message:
            nonlocal whole
            if whole is not None:
                message, whole = whole, None
                return message
            return await receive()

        await self._app(scope, again, send)

    async def _body(self, receive: Receive) -> bytes | None:
        """Return the body; None if the client left."""
        body, size, most = bytearray(), 0, self._state.settings.body_limit
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return None
            size += len(part := message.get("body", b""))
            body += part if size <= most else b""
            ended = not message.get("more_body")
            if size > most and (ended or size > _DRAINED * most):
                raise Problem("too-large", f"The body of a request has at most {most:,} bytes.")
            if ended:
                return bytes(body)
