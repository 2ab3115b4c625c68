"""A server with OpenAI's API inside the test process."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from tests.http_server import Handler, LocalServer
from triad.models.openai import OpenAIModel

Connect = Callable[..., OpenAIModel]
"""Open a model of the server, by its name and with options."""


class Server(LocalServer):
    """A server with OpenAI's API on this machine: it plays its script, then answers every request with "ok"."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.headers: list[Any] = []
        self.script: deque[tuple[int, Any, dict[str, str]]] = deque()
        self.models: Any = ["gpt-4.1", "gpt-4.1-mini"]
        self.rule: Callable[[Any], tuple[int, Any] | None] = lambda body: None
        super().__init__(self._handler())
        self.url = f"{self.address}/v1"

    def reply(self, content: str = "ok", finish_reason: str = "stop", **changes: Any) -> None:
        """Script a completion; further keys replace those of the response."""
        self.script.append((200, completion(content, finish_reason) | changes, {}))

    def fail(self, status: int, message: str = "no", headers: Any = (), **error: Any) -> None:
        """Script an error in OpenAI's form."""
        self.script.append((status, {"error": {"message": message, **error}}, dict(headers)))

    def send(self, status: int, body: Any, **headers: Any) -> None:
        """Script a response as it is; a function is called for the body."""
        self.script.append((status, body, headers))

    def _handler(server) -> type[Handler]:  # noqa: N805
        class Protocol(Handler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                listed: Any = server.models
                if not isinstance(listed, bytes):
                    listed = {"object": "list", "data": [{"id": name} for name in listed]}
                self.answer(200, listed, {})

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.requests.append(body)
                server.headers.append(self.headers)
                refused = server.rule(body)
                if refused:
                    self.answer(*refused, {})
                elif server.script:
                    self.answer(*server.script.popleft())
                else:
                    self.answer(200, completion("ok"), {})

            def answer(self, status: int, body: Any, headers: dict[str, str]) -> None:
                body = body() if callable(body) else body
                data = body if isinstance(body, bytes) else json.dumps(body).encode()
                headers = {"Content-Type": "application/json", "Content-Length": str(len(data))} | headers
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                with suppress(ConnectionError):  # who asked may have given up
                    self.end_headers()
                    self.wfile.write(data)
                self.close_connection = int(headers["Content-Length"]) != len(data)

        return Protocol


def completion(content: str, finish_reason: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": content}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500},
    }
