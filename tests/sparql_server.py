"""A SPARQL endpoint inside the test process, honest unless it is told what to answer next."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

import pyoxigraph

from tests.http_server import Handler, LocalServer

RESULTS_JSON = "application/sparql-results+json"


@dataclass(frozen=True)
class Reply:
    """An answer to give in place of the honest one."""

    status: int = 200
    body: str | bytes = ""
    headers: dict[str, str] = field(default_factory=lambda: {"Content-Type": "text/html"})
    delay: float = 0.0
    """Seconds to wait before the first byte."""
    pause: float = 0.0
    """Seconds to wait after each byte of the body."""
    missing: int = 0
    """Bytes of the body that are announced but not sent."""


@dataclass(frozen=True)
class Request:
    """What a client sent."""

    method: str
    path: str
    headers: dict[str, str]
    parameters: dict[str, list[str]]

    @property
    def query(self) -> str:
        return self.parameters["query"][0]


class SparqlServer(LocalServer):
    """Answers SELECT and ASK queries over a store by the SPARQL 1.1 protocol."""

    def __init__(self, store: pyoxigraph.Store) -> None:
        self.store = store
        self.requests: list[Request] = []
        self._replies: deque[Reply] = deque()
        super().__init__(self._handler())

    @property
    def url(self) -> str:
        return f"{self.address}/sparql"

    def reply_next(self, *replies: Reply) -> None:
        """Give these answers to the next requests, one each."""
        self._replies.extend(replies)

    def _answer(self, request: Request) -> Reply:
        if self._replies:
            return self._replies.popleft()
        if "query" not in request.parameters:
            return Reply(400, "there is no query", {"Content-Type": "text/plain"})
        try:
            results = self.store.query(request.query, use_default_graph_as_union=True)
        except SyntaxError as error:
            return Reply(400, f"Parse error: {error}", {"Content-Type": "text/plain"})
        assert not isinstance(results, pyoxigraph.QueryTriples)
        body = results.serialize(format=pyoxigraph.QueryResultsFormat.JSON)
        assert body is not None
        return Reply(200, body, {"Content-Type": RESULTS_JSON})

    def _handler(self) -> type[Handler]:
        server = self

        class Protocol(Handler):
            def do_GET(self) -> None:
                address = urlsplit(self.path)
                self._serve(address.path, address.query)

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                self._serve(self.path, body)

            def _serve(self, path: str, parameters: str) -> None:
                request = Request(self.command, path, dict(self.headers), parse_qs(parameters))
                server.requests.append(request)
                reply = server._answer(request)
                body = reply.body.encode() if isinstance(reply.body, str) else reply.body
                server.closing.wait(reply.delay)
                try:
                    self.send_response(reply.status)
                    for name, value in reply.headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body) + reply.missing))
                    self.end_headers()
                    for part in [body] if not reply.pause else [body[i : i + 1] for i in range(len(body))]:
                        self.wfile.write(part)
                        server.closing.wait(reply.pause)
                except ConnectionError:
                    pass  # the client has had enough

        return Protocol


Serve = Callable[[pyoxigraph.Store], SparqlServer]
"""Start a server of a store, which ends with the test."""
