"""A server with OpenAI's API inside the test process."""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from triad.models.openai import OpenAIModel

Connect = Callable[..., OpenAIModel]
"""Open a model of the server, by its name and with options."""


class Server:
    """A server with OpenAI's API on this machine: it plays its script, then answers every request with "ok"."""

    def __init__(self) -> None:
        self.requests: list[Any] = []
        self.headers: list[Any] = []
        self.script: deque[tuple[int, Any, dict[str, str]]] = deque()
        self.models: Any = ["gpt-4.1", "gpt-4.1-mini"]
        self.rule: Callable[[Any], tuple[int, Any] | None] = lambda body: None
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def reply(self, content: str = "ok", finish_reason: str = "stop", **changes: Any) -> None:
        """Script a completion; further keys replace those of the response."""
        self.script.append((200, completion(content, finish_reason) | changes, {}))

    def fail(self, status: int, message: str = "no", headers: Any = (), **error: Any) -> None:
        """Script an error in OpenAI's form."""
        self.script.append((status, {"error": {"message": message, **error}}, dict(headers)))

    def send(self, status: int, body: Any, **headers: Any) -> None:
        """Script a response as it is; a function is called for the body."""
        self.script.append((status, body, headers))

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(server) -> type[BaseHTTPRequestHandler]:  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
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

            def log_message(self, *_: Any) -> None:
                pass

        return Handler


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
