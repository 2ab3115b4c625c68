import json
import threading
from collections import deque
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from triad.models.openai import OpenAIModel


class Server:
    """A server with OpenAI's API on this machine: it plays its script, then answers every request with "ok"."""

    def __init__(self):
        self.requests = []
        self.headers = []
        self.script = deque()
        self.models = ["gpt-4.1", "gpt-4.1-mini"]
        self.rule = lambda body: None
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._http.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._http.server_port}/v1"
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.01,))
        self._thread.start()

    def reply(self, content="ok", finish_reason="stop", **changes):
        """Script a completion; further keys replace those of the response."""
        self.script.append((200, completion(content, finish_reason) | changes, {}))

    def fail(self, status, message="no", headers=(), **error):
        """Script an error in OpenAI's form."""
        self.script.append((status, {"error": {"message": message, **error}}, dict(headers)))

    def send(self, status, body, **headers):
        """Script a response as it is; a function is called for the body."""
        self.script.append((status, body, headers))

    def close(self):
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def _handler(server):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                listed = server.models
                if not isinstance(listed, bytes):
                    listed = {"object": "list", "data": [{"id": name} for name in listed]}
                self.answer(200, listed, {})

            def do_POST(self):
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

            def answer(self, status, body, headers):
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

            def log_message(self, *_):
                pass

        return Handler


def completion(content, finish_reason="stop"):
    message = {"role": "assistant", "content": content}
    return {
        "id": "1",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [{"index": 0, "finish_reason": finish_reason, "message": message}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 500, "total_tokens": 1500},
    }


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def server():
    server = Server()
    yield server
    server.close()


@pytest.fixture
def connect(server):
    models = []

    def connect(name="gpt-4.1-mini", **options):
        model = OpenAIModel(name, **{"base_url": server.url, "retries": 0, "timeout": 5} | options)
        models.append(model)
        return model

    yield connect
    for model in models:
        model.close()
