"""A server of Triad inside the test process, and clients of it."""

from __future__ import annotations

import json
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import uvicorn
import yaml
from fastapi import FastAPI

from triad.server.app import create_app
from triad.server.running import _bound, _Protocol
from triad.server.settings import Settings
from triad.server.state.keys import Keys

PAGE = {"X-Triad": "page"}
_CONTEXT = ssl.create_default_context()  # made once: for each client it takes as long as many a request


@dataclass(frozen=True)
class Event:
    """A server-sent event."""

    name: str
    data: Any


@dataclass(frozen=True)
class Site:
    """A server that runs."""

    url: str
    app: FastAPI

    @property
    def keys(self) -> Keys:
        found: Keys = self.app.state.keys
        return found

    def key(self, name: str, *scopes: str, **options: Any) -> dict[str, str]:
        """Make a key, and return the header that it is sent in."""
        return {"Authorization": f"Bearer {self.keys.add(name, scopes or ('ask', 'query'), **options)}"}

    @contextmanager
    def visitor(self) -> Iterator[httpx.Client]:
        """Yield a client with the session of a page."""
        with httpx.Client(base_url=self.url, headers=PAGE, timeout=60, verify=_CONTEXT) as client:
            client.get("/api/v1/session").raise_for_status()
            yield client

    @contextmanager
    def stranger(self) -> Iterator[httpx.Client]:
        """Yield a client without a session and without a key."""
        with httpx.Client(base_url=self.url, timeout=60, verify=_CONTEXT) as client:
            yield client


def events(response: httpx.Response) -> Iterator[Event]:
    """Yield the events of a stream."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: "):
            yield Event(name, json.loads(line.removeprefix("data: ")))


def streamed(client: httpx.Client, path: str, body: Mapping[str, Any], **headers: str) -> list[Event]:
    """Ask, and return all events."""
    accept = {"Accept": "text/event-stream", **headers}
    with client.stream("POST", path, json=body, headers=accept) as response:
        assert response.headers["Content-Type"].startswith("text/event-stream"), response.read()
        return list(events(response))


def sent(client: httpx.Client, path: str, body: Mapping[str, Any], **headers: str) -> socket.socket:
    """Send a request of a client, and return its connection: to close it is to leave before the answer comes."""
    request = client.build_request("POST", path, json=body, headers=headers)
    lines = b"".join(b"%b: %b\r\n" % line for line in request.headers.raw)
    connection = socket.create_connection((request.url.host, request.url.port or 80), timeout=120)
    connection.sendall(b"POST %b HTTP/1.1\r\n%b\r\n%b" % (request.url.raw_path, lines, request.content))
    return connection


def settings(folder: Path, configs: Mapping[str, Any] | None = None, **keys: Any) -> Settings:
    """Return settings whose state lies in a folder; configs that are mappings are written there."""
    graphs = {
        name: written(folder, name, config) if isinstance(config, Mapping) and "graph" in config else config
        for name, config in (configs or {"demo": "demo"}).items()
    }
    state = {"state": f"sqlite:///{folder / 'state.db'}"}
    return Settings.model_validate({"graphs": graphs, "learn": True, "folder": folder, **state, **keys})


def written(folder: Path, name: str, config: Mapping[str, Any]) -> str:
    """Write a config, and return its path."""
    path = folder / f"{name}.yaml"
    path.write_text(yaml.safe_dump(dict(config)), encoding="utf-8")
    return str(path)


@contextmanager
def serving(chosen: Settings, *, ready: bool = True, **options: Any) -> Iterator[Site]:
    """Serve in a thread until the test ends."""
    app = create_app(chosen)
    config = uvicorn.Config(
        app,
        http=_Protocol,
        ws="none",
        loop="asyncio",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,
        **options,
    )
    server = uvicorn.Server(config)
    bound = _bound("127.0.0.1", 0, 1)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
    thread.start()
    site = Site(f"http://127.0.0.1:{bound.getsockname()[1]}", app)
    try:
        await_start(site, ready=ready)
        yield site
    finally:
        server.should_exit = True
        thread.join()
        bound.close()


def await_start(site: Site, *, ready: bool) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            if httpx.get(f"{site.url}/{'readyz' if ready else 'healthz'}", verify=_CONTEXT).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError("the server did not come up")


def idle(site: Site, *, within: float = 120) -> bool:
    """Tell whether no question is under way any more, or was not after some seconds."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if not any(served.under_way for served in site.app.state.asking.graphs):
            return True
        time.sleep(0.05)
    return False
