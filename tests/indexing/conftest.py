"""A server of dumps inside the test process: with ranges, and faults where it is told to have some."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from tests.http_server import Handler, LocalServer


@dataclass(frozen=True)
class Fault:
    """What goes wrong with the next request."""

    status: int = 0
    """A status to answer with in place of the file."""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    """Bytes after which the connection ends."""
    stall: int | None = None
    """Bytes after which nothing more comes."""


class DumpServer(LocalServer):
    """Serves files by name; `requests` has the headers of what was asked."""

    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}
        self.etags: dict[str, str] = {}
        self.ranges = True
        self.requests: list[dict[str, str]] = []
        self.faults: deque[Fault] = deque()
        super().__init__(self._handler())

    def put(self, name: str, content: bytes, etag: str = '"1"') -> str:
        """Serve a file; return its address."""
        self.files[f"/{name}"], self.etags[f"/{name}"] = content, etag
        return f"{self.address}/{name}"

    def _handler(self) -> type[Handler]:
        server = self

        class Protocol(Handler):
            def do_GET(self) -> None:
                server.requests.append(dict(self.headers))
                fault = server.faults.popleft() if server.faults else Fault()
                content = server.files.get(self.path)
                if fault.status or content is None:
                    self._answer(fault.status or 404, fault.headers, b"")
                    return
                etag = server.etags[self.path]
                headers = {"ETag": etag} if etag else {}
                start, status = 0, 200
                wanted = self.headers.get("Range")
                if wanted and server.ranges and self.headers.get("If-Range", etag) == etag:
                    start, status = int(wanted.removeprefix("bytes=").rstrip("-")), 206
                    if start >= len(content):
                        self._answer(416, {"Content-Range": f"bytes */{len(content)}"}, b"")
                        return
                    headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
                self._answer(status, headers, content[start:], fault)

            def _answer(self, status: int, headers: dict[str, str], body: bytes, fault: Fault | None = None) -> None:
                fault = fault or Fault()
                try:
                    self.send_response(status)
                    for name, value in headers.items():
                        self.send_header(name, value)
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body[: fault.cut if fault.stall is None else fault.stall])
                    if fault.stall is not None:
                        self.wfile.flush()
                        server.closing.wait(60)
                except ConnectionError:
                    pass  # the client has had enough
                self.close_connection = True

        return Protocol


@pytest.fixture
def dump_server() -> Iterator[DumpServer]:
    with DumpServer() as server:
        yield server


@pytest.fixture
def fault() -> type[Fault]:
    return Fault
