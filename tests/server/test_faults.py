"""What a server does while something that it needs is away, and when that is back: nothing is lost, all is told."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import itertools
import json
import os
import shutil
import sqlite3
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

import httpx
import psutil
import pyoxigraph
import pytest
from typer.testing import CliRunner

from tests.hostile_server import HostileServer
from tests.models.openai_server import Server, completion
from tests.ports import free_port
from tests.relay import Relay
from tests.server.site import Site, idle, serving, settings, written
from tests.services import services
from tests.services.fixtures import index_name
from tests.services.services import Service
from tests.sparql_server import Serve
from triad.cli.program import app as cli
from triad.server import limiting, served

if TYPE_CHECKING:
    from mcp import Client  # half a second, which not all processes that collect tests need wait

pytestmark = pytest.mark.slow

ASK = "/api/v1/ask"
QUESTION = {"question": "Who founded Intel?"}
SENTENCE = "Gordon Moore and Robert Noyce founded Intel."
ROOT = Path(__file__).parents[2]
DEMO = ROOT / "configs" / "demo" / "graph.ttl"
RUN = "from triad.cli import main; main()"

Start = Callable[[str], Service]


@pytest.fixture
def own_service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Start]:
    """Start a server that the test may kill, at ports of its own; of the tests' graphs it has that of the demo."""
    monkeypatch.setattr(services, "sources", lambda: {services.DEMO_GRAPH: DEMO})
    started: list[Service] = []

    def start(kind: str) -> Service:
        if not _is_installed(kind) and os.environ.get("TRIAD_SERVICES_REQUIRED") != "1":
            pytest.skip(f"{kind} is not installed; 'make services' installs it")
        started.append(services.start(kind, f"test-{uuid.uuid4().hex}", free_port()))
        return started[-1]

    yield start
    for service in started:
        services.stop(service)
        shutil.rmtree(service.folder)


def _is_installed(kind: str) -> bool:
    if kind == "postgresql":
        return services.find_postgres() is not None
    return shutil.which("virtuoso-t" if kind == "virtuoso" else "redis-server") is not None


@pytest.fixture
def model() -> Iterator[Server]:
    """A model that puts answers into a sentence."""
    server = Server()
    server.rule = lambda _: (200, completion(json.dumps({"sentence": SENTENCE})))
    yield server
    server.close()


@dataclass
class Crowd:
    """Four who ask a server the same question again and again, each time until it is answered."""

    site: Site
    body: dict[str, Any] = field(default_factory=lambda: dict(QUESTION))
    turns: list[dict[str, Any]] = field(default_factory=list)
    problems: list[dict[str, Any]] = field(default_factory=list)
    """What was answered in place of a turn."""
    patience: float = services.PATIENCE
    """Seconds in which a question must be answered."""

    @contextlib.contextmanager
    def asking(self) -> Iterator[None]:
        """Ask for as long as something else is done; at the end all questions have their turns, each one once."""
        with self.site.visitor() as client:
            conversation = client.post("/api/v1/conversations", json={}).json()["id"]
            body = {**self.body, "conversation": conversation}
            run, numbers, ended = uuid.uuid4().hex, itertools.count(), threading.Event()

            def ask(number: int) -> dict[str, Any]:
                deadline = time.monotonic() + self.patience
                while time.monotonic() < deadline:
                    answer = client.post(ASK, json=body, headers={"Idempotency-Key": f"{run} {number}"})
                    if answer.status_code == 200:
                        self.turns.append(answer.json())
                        return self.turns[-1]
                    assert answer.headers["Content-Type"] == "application/problem+json"
                    self.problems.append(answer.json())
                    time.sleep(0.1)
                raise AssertionError(f"it was not answered: {self.problems[-1]}")

            def ask_on() -> list[str]:
                return [ask(number)["id"] for number in itertools.takewhile(lambda _: not ended.is_set(), numbers)]

            with ThreadPoolExecutor(4) as pool:
                asked = [pool.submit(ask_on) for _ in range(4)]
                try:
                    yield
                finally:
                    ended.set()
            told = [id for one in asked for id in one.result()]
            kept = client.get(f"/api/v1/conversations/{conversation}").json()["items"]
        assert sorted(one["id"] for one in kept) == sorted(told)  # none lost, none doubled
        assert [one["number"] for one in kept] == list(range(1, len(told) + 1))

    def await_turns(self, more: int) -> None:
        """Wait until more turns were told."""
        before = len(self.turns)
        _await(lambda: len(self.turns) >= before + more)

    def await_problems(self, more: int) -> None:
        """Wait until more problems were told."""
        before = len(self.problems)
        _await(lambda: len(self.problems) >= before + more)

    def names(self) -> set[tuple[int, str]]:
        """Return the statuses and names of the problems."""
        return {(one["status"], one["name"]) for one in self.problems}

    def said(self) -> str:
        """Return what the problems say, without the ids of the requests, whose digits may be any."""
        return json.dumps([{**one, "instance": ""} for one in self.problems])


def _await(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not true():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.02)


def _ready(site: Site) -> tuple[int, dict[str, str]]:
    ready = httpx.get(f"{site.url}/readyz", timeout=30)
    return ready.status_code, ready.json()["missing"]


# The database and the counters ----------------------------------------------------------------------------


@pytest.mark.server
def test_a_database_that_is_killed_loses_and_doubles_no_turn(tmp_path: Path, own_service: Start) -> None:
    pytest.importorskip("psycopg", reason="psycopg, of the extra 'servers', is not installed")
    database = own_service("postgresql")
    chosen = settings(tmp_path, state=database.url, limits={"requests_a_minute": None})
    with serving(chosen) as site, site.visitor() as client:
        crowd = Crowd(site)
        with crowd.asking():
            for _ in range(2):
                crowd.await_turns(5)
                services.kill(database)
                crowd.await_problems(5)
                status, missing = _ready(site)
                assert (status, set(missing)) == (503, {"database"})
                assert httpx.get(f"{site.url}/healthz").status_code == 200
                answer = client.post(ASK, json=QUESTION)
                assert (answer.status_code, answer.json()["name"]) == (503, "busy")
                assert int(answer.headers["Retry-After"]) >= 1
                services.launch(database)
        assert crowd.names() == {(503, "busy")}
        said = crowd.said() + json.dumps(missing)
        assert str(database.port) not in said  # where the database is concerns nobody
        assert _ready(site) == (200, {})


@pytest.mark.server
def test_a_database_that_says_nothing_holds_nobody_up_and_is_back_by_itself(
    tmp_path: Path, own_service: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("psycopg", reason="psycopg, of the extra 'servers', is not installed")
    patience = 3.0
    monkeypatch.setattr("triad.server.state.database._PATIENCE", patience)
    monkeypatch.setattr("triad.server.state.database._SLOW", 1.0)
    database = own_service("postgresql")
    with serving(settings(tmp_path, state=database.url)) as site, site.visitor() as client:
        assert client.post(ASK, json=QUESTION).status_code == 200
        every = [psutil.Process(database.pid), *psutil.Process(database.pid).children(recursive=True)]
        for process in every:
            process.suspend()
        try:
            assert client.post(ASK, json=QUESTION).status_code == 503
            told = client.post(ASK, json=QUESTION)  # without asking the database once more
            assert (told.status_code, told.elapsed.total_seconds() < patience) == (503, True)
            assert _ready(site)[0] == 503
        finally:
            for process in every:
                process.resume()
        _await(lambda: client.post(ASK, json=QUESTION).status_code == 200)
    gc.collect()  # connections that came to nothing


@pytest.mark.server
def test_a_server_comes_up_before_its_database_and_works_when_that_is_there(tmp_path: Path, own_service: Start) -> None:
    pytest.importorskip("psycopg", reason="psycopg, of the extra 'servers', is not installed")
    database = own_service("postgresql")
    services.kill(database)
    with serving(settings(tmp_path, state=database.url), ready=False) as site, site.stranger() as client:
        _await(lambda: _ready(site)[1] == {"database": "the database does not answer"})
        refused = client.post(ASK, json=QUESTION)
        assert (refused.status_code, refused.json()["name"]) == (503, "busy")
        assert str(database.port) not in refused.json()["detail"]
        assert client.get("/").status_code == 200
        services.launch(database)
        _await(lambda: client.post(ASK, json=QUESTION).status_code == 200)  # the tables were made
        assert _ready(site) == (200, {})


def test_a_question_whose_turn_cannot_be_kept_counts_once_when_it_is_asked_again(tmp_path: Path, model: Server) -> None:
    config = {"base": "demo", "model": f"openai:m@{model.url}"}
    chosen = settings(tmp_path, {"demo": written(tmp_path, "modelled", config)})
    with serving(chosen) as site, site.stranger() as client:
        ann = site.key("ann")
        owner = f"key:{site.keys.list()[0].id}"
        ask = functools.partial(client.post, ASK, json=QUESTION | {"sentence": True}, headers=ann)
        with contextlib.closing(sqlite3.connect(tmp_path / "state.db")) as state, state:
            state.execute("CREATE TRIGGER full BEFORE INSERT ON turns BEGIN SELECT RAISE(ABORT, 'full'); END")
        assert ask().status_code == 503
        assert site.keys.spent(owner) == (0, 0.0)
        with contextlib.closing(sqlite3.connect(tmp_path / "state.db")) as state, state:
            state.execute("DROP TRIGGER full")
        assert ask().json()["answer"]["text"] == SENTENCE
        assert site.keys.spent(owner)[0] == 1
        assert 'outcome="answer"} 1.0' in client.get("/metrics").text


@pytest.mark.server
def test_counters_that_are_killed_fail_no_question(
    tmp_path: Path, own_service: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    redis = pytest.importorskip("redis", reason="redis, of the extra 'servers', is not installed")
    monkeypatch.setattr(limiting, "_AWAY", 0.5)
    counters = own_service("redis")
    chosen = settings(tmp_path, counters=counters.url, limits={"requests_a_minute": 100_000})
    with serving(chosen) as site, redis.Redis.from_url(counters.url) as shared:
        crowd = Crowd(site)
        with crowd.asking():
            crowd.await_turns(5)
            assert shared.dbsize()
            services.kill(counters)
            crowd.await_turns(10)
            assert _ready(site) == (200, {"counters": "the counters do not answer"})
            services.launch(counters)
            crowd.await_turns(5)
        assert crowd.problems == []
        with site.visitor() as client:

            def counted() -> bool:
                assert client.post(ASK, json=QUESTION).status_code == 200
                return bool(shared.dbsize())

            _await(counted)
        assert _ready(site) == (200, {})


# The model, the graph and the index -----------------------------------------------------------------------


@pytest.mark.parametrize("otherwise", ["error", "lexical"])
def test_a_model_that_is_away_is_said_so_or_done_without_and_is_back_by_itself(
    tmp_path: Path, model: Server, otherwise: str
) -> None:
    with Relay(_port(model.address)) as line:
        keys = {
            "base": "demo",
            "model": f"openai:m@http://127.0.0.1:{line.port}/v1",
            "model_options": {"retries": 0},
            "on_model_failure": otherwise,
        }
        chosen = settings(tmp_path, {"demo": written(tmp_path, "modelled", keys)}, limits={"requests_a_minute": None})
        with serving(chosen) as site:
            crowd = Crowd(site, QUESTION | {"sentence": True})
            with crowd.asking():
                crowd.await_turns(5)
                line.cut()
                if otherwise == "error":
                    crowd.await_problems(5)
                else:
                    crowd.await_turns(10)
                line.mend()
                crowd.await_turns(10)
            assert crowd.names() == ({(502, "model-failed")} if otherwise == "error" else set())
            plain = set() if otherwise == "error" else {"Gordon Moore; Robert Noyce"}
            assert {one["answer"]["text"] for one in crowd.turns} == {SENTENCE} | plain
            assert crowd.turns[-1]["answer"]["text"] == SENTENCE


def test_an_endpoint_that_never_answers_keeps_no_other_graph_waiting(
    tmp_path: Path, hostile_server: Callable[..., HostileServer]
) -> None:
    silent = hostile_server(lambda _: [])
    options = {"timeout": 60, "retries": 0}
    asked = {"graph": f"{silent.url}/sparql", "model": "none", "lookup_hours": 0, "graph_options": options}
    chosen = settings(tmp_path, {"silent": asked, "demo": "demo"}, open=True)
    with serving(chosen, ready=False) as site, site.stranger() as client:
        _await(lambda: bool(silent.requests))
        answer = client.post(ASK, json=QUESTION | {"graph": "demo"})
        opened = {one.name: one.fault for one in site.app.state.asking.graphs}
        assert opened == {"silent": "it is being opened", "demo": None}
        assert answer.json()["reply"] == "Gordon Moore; Robert Noyce"
        silent.close()


def test_a_graph_whose_file_is_broken_is_said_so_and_keeps_no_other_from_being_asked(tmp_path: Path) -> None:
    (tmp_path / "bad.ttl").write_text("<x:a> <x:b>", encoding="utf-8")
    bad = {"graph": str(tmp_path / "bad.ttl"), "model": "none"}
    with serving(settings(tmp_path, {"bad": bad, "demo": "demo"}), ready=False) as site, site.visitor() as client:
        answer = client.post(ASK, json=QUESTION | {"graph": "bad"})
        assert (answer.status_code, answer.json()["name"]) == (503, "unusable")
        assert answer.json()["title"] == "The graph cannot be opened"
        assert str(tmp_path) not in answer.text
        assert client.post(ASK, json=QUESTION | {"graph": "demo"}).json()["reply"] == "Gordon Moore; Robert Noyce"


def test_an_endpoint_that_is_away_is_said_so_and_is_back_by_itself(
    tmp_path: Path, sparql_server: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = pyoxigraph.Store()
    store.load(path=str(DEMO))
    with Relay(_port(sparql_server(store).address)) as line:
        url = f"http://127.0.0.1:{line.port}/sparql"
        config = written(tmp_path, "remote", {"graph": url, "model": "none", "graph_options": {"retries": 0}})
        chosen = settings(tmp_path, {"remote": config}, limits={"requests_a_minute": None})
        with serving(chosen) as site:
            crowd = Crowd(site)
            with crowd.asking():
                crowd.await_turns(3)
                line.cut()
                crowd.await_problems(5)
                assert _ready(site) == (503, {"graph remote": "its graph does not answer"})
                line.mend()
            assert crowd.names() == {(502, "graph-failed")}
            assert {one["reply"] for one in crowd.turns} == {"Gordon Moore and Robert Noyce founded Intel."}
            assert _ready(site) == (200, {})
        line.cut()
        monkeypatch.setattr(served, "AGAIN", 0.2)
        with serving(chosen, ready=False) as site, site.visitor() as client:
            answer = client.post(ASK, json=QUESTION)
            # It is opened without its endpoint where a cache has what there is to know of it.
            assert (answer.status_code, answer.json()["name"]) in [(502, "index-failed"), (503, "busy")]
            assert _ready(site)[0] == 503
            line.mend()
            _await(lambda: client.post(ASK, json=QUESTION).status_code == 200)


@pytest.mark.server
def test_a_graph_whose_server_is_killed_loses_no_turn_and_is_back_by_itself(tmp_path: Path, own_service: Start) -> None:
    service = own_service("virtuoso")
    address = f"{service.url}?{urlencode({'default-graph-uri': services.DEMO_GRAPH})}"
    config = {"graph": address, "model": "none", "graph_options": {"retries": 0}}
    with _far(tmp_path, config) as (site, crowd):
        services.kill(service)
        crowd.await_problems(5)
        assert _ready(site) == (503, {"graph far": "its graph does not answer"})
        assert httpx.get(f"{site.url}/healthz").status_code == 200
        services.launch(service)
    assert crowd.names() == {(502, "graph-failed")}
    assert str(service.port) not in crowd.said()  # where it is concerns nobody


def test_an_index_whose_server_is_away_loses_no_turn_and_is_back_by_itself(
    tmp_path: Path, elasticsearch_url: str
) -> None:
    with Relay(_port(elasticsearch_url)) as line, index_name(elasticsearch_url) as name:
        address = f"elasticsearch:http://127.0.0.1:{line.port}/{name}"
        indexed = CliRunner().invoke(cli, ["-q", "index", str(DEMO), "--to", address])
        assert indexed.exit_code == 0, indexed.output
        with _far(tmp_path, {"graph": str(DEMO), "index": address, "model": "none"}) as (site, crowd):
            line.cut()
            crowd.await_problems(5)
            assert _ready(site) == (503, {"graph far": "its index of names does not answer"})
            assert httpx.get(f"{site.url}/healthz").status_code == 200
            line.mend()
        assert crowd.names() == {(502, "index-failed")}
        assert str(line.port) not in crowd.said()  # where it is concerns nobody


@contextlib.contextmanager
def _far(tmp_path: Path, config: dict[str, Any]) -> Iterator[tuple[Site, Crowd]]:
    """Serve a graph, of which something is taken away and comes back while others ask; at the end all is well."""
    chosen = settings(tmp_path, {"far": written(tmp_path, "far", config)}, limits={"requests_a_minute": None})
    with serving(chosen) as site:
        crowd = Crowd(site)
        with crowd.asking():
            crowd.await_turns(3)
            yield site, crowd
        assert {one["reply"] for one in crowd.turns} == {"Gordon Moore and Robert Noyce founded Intel."}
        assert _ready(site) == (200, {})


def _port(address: str) -> int:
    return int(address.rpartition(":")[2])


# Clients that cancel --------------------------------------------------------------------------------------


async def _cancelled(client: Client, model: Server, free: Callable[[], bool] | None) -> None:
    """Cancel a question while the model is asked; if it can be seen, it ends while the client stays and asks on."""
    asking = asyncio.create_task(client.call_tool("ask", QUESTION))
    await asyncio.to_thread(_await, lambda: bool(model.requests))
    asking.cancel()
    await asyncio.gather(asking, return_exceptions=True)
    assert asking.cancelled()
    if free:
        await asyncio.to_thread(_await, free)
    found = await client.call_tool("find_names", {"text": "Intel"})
    assert found.structured_content
    assert found.structured_content["names"]


@pytest.fixture
def waiting_model(model: Server) -> Iterator[Server]:
    """A model that says nothing until the test ends."""
    ended = threading.Event()

    def wait(_: object) -> None:
        ended.wait(services.PATIENCE)

    model.rule = wait
    yield model
    ended.set()


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_mcps_client_cancels_its_question_over_http(
    tmp_path: Path, waiting_model: Server, mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    from mcp import Client

    config = written(tmp_path, "slow", {"base": "demo", "model": f"openai:m@{waiting_model.url}", "route": "phases"})

    async def cancel(site: Site) -> None:
        async with Client(f"{site.url}/mcp", mode=mode) as client:
            # By the protocol before 2026-07-28, a server without sessions does not know what is cancelled:
            # there, the question ends when the client leaves.
            free = (lambda: idle(site, within=0.1)) if mode == "auto" else None
            await _cancelled(client, waiting_model, free)

    with serving(settings(tmp_path, {"slow": config})) as site:
        asyncio.run(cancel(site))
        assert idle(site)
        assert 'outcome="cancelled"' in httpx.get(f"{site.url}/metrics").text
        assert len(waiting_model.requests) == 1
    gc.collect()
    assert "never retrieved" not in caplog.text


def test_mcps_client_cancels_the_question_of_a_program(tmp_path: Path, waiting_model: Server) -> None:
    from mcp import Client, StdioServerParameters

    async def cancel(line: Relay) -> None:
        url = f"http://127.0.0.1:{line.port}/v1"
        config = written(tmp_path, "slow", {"base": "demo", "model": f"openai:m@{url}", "route": "phases"})
        environment = {**os.environ, "TRIAD_STATE": str(tmp_path / "state.db")}
        command = StdioServerParameters(command=sys.executable, args=["-c", RUN, "mcp", config], env=environment)
        async with Client(command) as client:
            await _cancelled(client, waiting_model, lambda: line.connections == 0)
            assert len(waiting_model.requests) == 1

    with Relay(_port(waiting_model.address)) as line:
        asyncio.run(cancel(line))
