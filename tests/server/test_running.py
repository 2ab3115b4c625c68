"""``triad serve`` and ``triad keys`` as programs: how they start, end, change and come back."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import shutil
import signal
import socket
import sqlite3
import ssl
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
import yaml
from typer.testing import CliRunner, Result

from tests.models.openai_server import Server, completion
from tests.ports import free_port
from tests.server.site import PAGE, written
from triad.cli.program import app as cli
from triad.errors import ConfigError
from triad.log import logger
from triad.server import running
from triad.server.metrics import FOLDER
from triad.server.settings import load_settings
from triad.server.supervising import VARIABLE, Supervisor
from triad.worker.pool import PROCESSES

RUN = "from triad.cli import main; main()"
ASK = "/api/v1/ask"
QUESTION = {"question": "Who founded Intel?"}
UNLIMITED = ["--set", "limits={requests_a_minute: null}"]
_CONTEXT = ssl.create_default_context()
"""Made once: for each client it takes as long as many a request."""
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
FILM = f'<x:a> a <x:Film> ; <{LABEL}> "Alien" . <x:Film> <{LABEL}> "film" .'
ENDED = (0, -signal.SIGTERM)
"""How a server ends that was told to, a supervisor or a single process."""


@dataclass
class Program:
    """A server that runs as a program."""

    folder: Path
    """Where its state lies."""
    url: str
    process: subprocess.Popen[str]
    lines: list[str]
    """What it wrote to standard error."""

    def client(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers=PAGE, timeout=120, verify=_CONTEXT, **options)

    def end(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Send a signal, and return how it ended."""
        self.process.send_signal(number)
        return self.process.wait(120)


@contextmanager
def program(folder: Path, *arguments: str, port: int = 0, ready: bool = True) -> Iterator[Program]:
    """Start ``triad serve``, and wait until it answers."""
    environment = {**os.environ, "TRIAD_STATE": str(folder / "state.db"), "PYTHONPATH": str(Path.cwd())}
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, "serve", *arguments, "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    lines: list[str] = []
    reading = threading.Thread(target=lambda: lines.extend(process.stderr or ()))
    reading.start()
    try:
        url = process.stdout.readline().strip()
        assert url, lines
        served = Program(folder, url, process, lines)
        _await(served, "readyz" if ready else "healthz")
        yield served
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(120)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        reading.join()
        process.stdout.close()
        process.stderr.close()


def _await(served: Program, path: str) -> None:
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline and served.process.poll() is None:
        with contextlib.suppress(httpx.TransportError):
            if httpx.get(f"{served.url}/{path}", timeout=5, verify=_CONTEXT).status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("the server did not come up: " + "".join(served.lines))


def _settings(folder: Path, **graphs: str) -> str:
    """Write the settings of a server, and return their path."""
    path = folder / "serve.yaml"
    path.write_text(yaml.safe_dump({"graphs": graphs}, sort_keys=False), encoding="utf-8")
    return str(path)


@pytest.fixture
def model() -> Iterator[Server]:
    """A model that takes a while for each call."""
    server = Server()
    server.rule = lambda _: time.sleep(0.3)
    yield server
    server.close()


def test_a_graph_of_settings_may_be_the_keys_of_a_config(tmp_path: Path) -> None:
    (tmp_path / "books.ttl").write_text("<x:a> <x:b> <x:c> .", encoding="utf-8")
    path = tmp_path / "serve.yaml"
    graphs = "{books: {config: {graph: books.ttl}}, films: {config: {grph: x}}, plain: books.ttl}"
    path.write_text(f"graphs: {graphs}", encoding="utf-8")
    found = load_settings(str(path))
    assert found.config("books").graph == str(tmp_path / "books.ttl")
    with pytest.raises(ConfigError, match=r"graphs\.films\.config: .*unknown key 'grph'"):
        found.config("films")
    with pytest.raises(ConfigError, match=r"graphs\.plain: .* no config; write plain: {config: {graph: books\.ttl}}"):
        found.config("plain")


@pytest.mark.slow
def test_a_graph_alone_is_served_without_a_key_and_each_request_is_logged_as_json_with_its_id(tmp_path: Path) -> None:
    graph = shutil.copy(Path(__file__).parents[2] / "configs" / "demo" / "graph.ttl", tmp_path / "people.ttl")
    with program(tmp_path, str(graph)) as served, served.client() as client:
        assert [one["name"] for one in client.get("/api/v1/graphs").json()["graphs"]] == ["people"]
        assert served.url.startswith("http://127.0.0.1:")
        answer = client.post(ASK, json=QUESTION)
        assert answer.json()["reply"] == "Gordon Moore; Robert Noyce"
        assert "server" not in answer.headers
        client.post(ASK, json={"question": "Who founded Wakanda?"})
        assert served.end() in ENDED
    lines = [json.loads(line) for line in served.lines if line.startswith("{")]
    line, _ = [one for one in lines if one.get("path") == ASK]
    assert line["request"] == answer.headers["X-Request-Id"]
    assert line["status"] == 200
    assert not re.search("Intel|Wakanda", "".join(served.lines))


@pytest.mark.parametrize(
    ("name", "level", "kept"),
    [("triad.routing.ladder", "INFO", False), ("triad.agent", "WARNING", True), ("triad.server.running", "INFO", True)],
)
def test_the_log_tells_of_the_server_and_not_how_questions_were_answered(name: str, level: str, kept: bool) -> None:
    record: Any = {"name": name, "level": logger.level(level)}
    assert running._is_ours(record) is kept


@pytest.mark.slow
def test_the_log_of_a_server_has_no_words_of_questions_or_of_what_servers_say(tmp_path: Path, model: Server) -> None:
    model.rule = lambda body: (500, {"error": {"message": f"no answer to {body['messages'][-1]['content']}"}})
    keys = {"model": f"openai:m@{model.url}", "model_options": {"retries": 0}, "route": "phases"}
    path = written(tmp_path, "fails", {"base": "demo", "on_model_failure": "lexical", **keys})
    with program(tmp_path, path) as served, served.client() as client:
        for rule in (model.rule, lambda _: (400, {"error": "Intel"}), lambda _: (200, completion("Intel was …"))):
            model.rule = rule
            assert client.post(ASK, json=QUESTION).json()["reply"] == "Gordon Moore; Robert Noyce"
    assert sum("without a model" in line for line in served.lines) == 3
    assert not re.search("Intel|founded", "".join(served.lines))


def test_of_an_error_that_nobody_foresaw_the_log_has_where_it_arose_and_not_what_it_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def parsed(text: str) -> None:
        try:
            int(text)
        except ValueError as error:
            raise ExceptionGroup(f"of {text}", [KeyError(text)]) from error

    def of_agent(record: Any) -> None:
        record["name"] = "triad.agent"

    library, handler = logging.getLogger("library"), running._Forward()
    library.addHandler(handler)
    sink = logger.add(running._write, filter=running._is_ours, format="{message}")
    try:
        parsed("".join(["Anne", "marie"]))
    except ExceptionGroup as error:
        library.error("it cannot be read: %s", "1 fault\ninput: Annemarie", exc_info=error)
        logger.patch(of_agent).opt(exception=error).error("a request failed")
    finally:
        logger.remove(sink)
        library.removeHandler(handler)
    told = capsys.readouterr().err.splitlines()
    first, second = (json.loads(line) for line in told if line.startswith("{"))
    assert first["message"] == "library: it cannot be read: 1 fault"
    for line in (first, second):
        assert "in parsed" in line["exception"]
        assert line["exception"].split()[-1] == "ExceptionGroup"
        assert "KeyError" in line["exception"]
        assert "Annemarie" not in str(line)


@pytest.mark.slow
def test_of_an_error_in_the_depth_the_log_has_the_innermost_places() -> None:
    text = """
        from triad.log import logger
        from triad.server import running
        def here(told):
            return there((told, told[0]))
        def there(told):
            return here((told, told[0]))
        running._log_as_json()
        log = logger.patch(lambda record: record.update(name="triad.agent"))
        try:
            here(("Annemarie",))
        except RecursionError as error:
            log.opt(exception=error).error("a request failed")
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, check=True)
    line = json.loads(ran.stderr)
    assert 20 < line["exception"].count("here") < 100
    assert line["exception"].split()[-1] == "RecursionError"


def test_the_processes_of_a_server_share_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (PROCESSES, VARIABLE, FOLDER):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(Supervisor, "run", lambda _: None)
    running.serve("demo", port=0, workers=3)
    assert os.environ[PROCESSES] == "3"


@pytest.mark.slow
def test_keys_are_made_listed_and_revoked_at_the_command_line(tmp_path: Path) -> None:
    def keys(*arguments: str) -> Result:
        return CliRunner().invoke(cli, ["keys", *arguments], env={"TRIAD_STATE": str(tmp_path / "state.db")})

    secret = keys("add", "ann", "--scope", "ask", "--requests-a-minute", "5").stdout.strip()
    assert secret.startswith("triad_")
    assert "already" in keys("add", "ann").stderr
    assert "none of which steers a terminal" in keys("add", "a\x1b[31m").stderr
    assert "unknown scope 'all'" in keys("add", "bob", "--scope", "all").stderr
    assert keys("add", "bob").exit_code == 0
    with contextlib.closing(sqlite3.connect(tmp_path / "state.db")) as state, state:  # as 1.0 kept it
        state.execute("UPDATE api_keys SET name = 'b\x1b[31m' WHERE name = 'bob'")
    listed = keys("list").stdout
    assert listed.startswith("ann: ask; made ")
    assert "\nb[31m: ask, query; made " in listed
    assert "requests a minute: 5" in listed
    assert secret not in listed
    with program(tmp_path, "demo", "--closed") as served, served.client() as client:
        header = {"Authorization": f"Bearer {secret}"}
        assert client.post(ASK, json=QUESTION).status_code == 401
        assert client.post(ASK, json=QUESTION, headers=header).status_code == 200
        assert keys("revoke", "ann").exit_code == 0
        assert client.post(ASK, json=QUESTION, headers=header).status_code == 401
    assert "revoked" in keys("list").stdout
    assert keys("revoke", "ann").exit_code == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none"], "nothing in 'configs' has the name 'none'"),
        (["demo", "--host", "no.such.host.invalid"], "cannot listen"),
        (["demo", "--proxies", "*"], "proxies are named by addresses or networks"),
        (["demo", "--proxies", "10.0.0.1,0.0.0.0/0"], "proxies are named by addresses or networks"),
        (["demo", "--set", "color=blue"], "unknown key 'color'"),
        (["demo", "--set", "limits={requests_a_minute: 0}"], "requests_a_minute"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(arguments: list[str], message: str) -> None:
    done = CliRunner().invoke(cli, ["serve", *arguments, "--port", "0"])
    [line] = done.stderr.splitlines()
    assert (done.exit_code, message in line) == (1, True)


@pytest.mark.slow
def test_a_state_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path) -> None:
    command = [sys.executable, "-c", RUN, "serve", "demo", "--set", "state=nonsense", "--port", "0"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=180)
    assert done.returncode == 1
    assert "the state 'nonsense'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_server_none_of_whose_graphs_can_be_opened_ends_and_says_why(tmp_path: Path) -> None:
    (tmp_path / "bad.ttl").write_text("<x:a> <x:b>", encoding="utf-8")
    command = [sys.executable, "-c", RUN, "serve", str(tmp_path / "bad.ttl"), "--port", "0"]
    state = {"TRIAD_STATE": str(tmp_path / "state.db")}
    done = subprocess.run(command, capture_output=True, text=True, timeout=180, env={**os.environ, **state})
    assert done.returncode == 1
    assert re.search(
        r"^triad: the graph 'bad' cannot be opened: .*bad\.ttl', line 1, is not valid Turtle", done.stderr, re.M
    )


def _films(folder: Path) -> str:
    """Write a config of a graph of one film, and return its path."""
    (folder / "films.ttl").write_text(FILM, encoding="utf-8")
    return written(folder, "films", {"graph": "films.ttl", "model": "none"})


def _slow(folder: Path, model: Server) -> str:
    """Write a config whose model takes a while, and return its path."""
    keys = {"base": "demo", "model": f"openai:m@{model.url}", "on_model_failure": "lexical", "route": "phases"}
    return written(folder, "slow", keys)


def _answers_before_it_ends(served: Program, model: Server) -> None:
    """Tell a server to end while its graph ``slow`` is asked."""
    with served.client() as client, ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.post, ASK, json={"question": "Who discovered polonium?", "graph": "slow"})
        deadline = time.monotonic() + 120
        while not model.requests and time.monotonic() < deadline:
            time.sleep(0.05)
        assert model.requests
        status = served.end()
        assert asked.result().status_code in (200, 502)
    assert status in ENDED


# Two workers, which all of these ask and the last two kill ----------------------------------------------------


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    """A server with two processes."""
    folder = tmp_path_factory.mktemp("pair")
    path = _settings(folder, demo="demo", films=_films(folder))
    started = [path, "--workers", "2", "--proxies", "203.0.113.7", *UNLIMITED]
    with program(folder, *started, port=free_port()) as served:
        yield served


@pytest.mark.slow
def test_workers_count_together(pair: Program) -> None:
    for _ in range(8):
        with pair.client() as client:
            client.post(ASK, json=QUESTION).raise_for_status()
    for _ in range(4):
        with pair.client() as client:
            assert 'triad_questions_total{graph="demo",outcome="answer"} 8.0' in client.get("/metrics").text


@pytest.mark.slow
def test_clients_of_one_moment_are_spread_over_the_workers(pair: Program) -> None:
    port = int(pair.url.rpartition(":")[2])

    def connections() -> list[int]:
        return [
            sum(one.status == "ESTABLISHED" and one.laddr.port == port for one in process.net_connections("tcp"))
            for process in psutil.Process(pair.process.pid).children()
        ]

    deadline = time.monotonic() + 120
    found: list[int] = []
    while sum(count >= 5 for count in found) < 2:  # all 20 would be with one of them
        assert time.monotonic() < deadline, found
        with contextlib.ExitStack() as clients:
            for _ in range(20):
                clients.enter_context(socket.create_connection(("127.0.0.1", port)))
            time.sleep(0.3)  # they are taken one after the other, and the second process may not be up yet
            found = connections()


def _ask_all(served: Program, questions: int, threads: int) -> list[str]:
    """Ask with idempotency keys until each question is answered; return the ids of turns."""

    def ask(number: int) -> str:
        headers = {"Idempotency-Key": f"question {number}", **PAGE}
        deadline = time.monotonic() + 300
        while time.monotonic() < deadline:
            try:
                with served.client(cookies=cookies) as client:
                    answer = client.post(ASK, json={**QUESTION, "conversation": conversation}, headers=headers)
            except httpx.TransportError:
                time.sleep(0.2)
                continue
            if answer.status_code == 200:
                return str(answer.json()["id"])
            time.sleep(min(float(answer.headers.get("Retry-After", 0.2)), 1.0))
        raise AssertionError("it was not answered")

    with served.client() as client:
        client.get("/api/v1/session")
        conversation = client.post("/api/v1/conversations", json={}).json()["id"]
        cookies = dict(client.cookies)
    with ThreadPoolExecutor(threads) as pool:
        ids = list(pool.map(ask, range(questions)))
    with httpx.Client(base_url=served.url, cookies=cookies, timeout=120) as client:
        turns = client.get(f"/api/v1/conversations/{conversation}").json()["items"]
    assert [turn["number"] for turn in turns] == list(range(1, len(turns) + 1))
    assert sorted(turn["id"] for turn in turns) == sorted(ids)  # none lost, none doubled
    return ids


@pytest.mark.slow
def test_a_worker_that_is_killed_loses_and_doubles_no_turn(pair: Program) -> None:
    stop = threading.Event()

    def kill() -> None:
        for _ in range(2):
            if stop.wait(0.5):
                return
            for one in psutil.Process(pair.process.pid).children():
                with contextlib.suppress(psutil.Error):
                    if "spawn_main" in " ".join(one.cmdline()):
                        one.kill()
                        break

    killing = threading.Thread(target=kill)
    killing.start()
    ids = _ask_all(pair, 50, 4)
    stop.set()
    killing.join()
    assert len(set(ids)) == 50


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_other_settings_are_taken_without_a_gap_and_a_server_that_is_told_to_end_answers_first(
    tmp_path: Path, workers: str, model: Server, request: pytest.FixtureRequest
) -> None:
    graphs = {"demo": "demo"}
    with contextlib.ExitStack() as stack:
        if workers == "2":
            served: Program = request.getfixturevalue("pair")
            graphs["films"] = _films(served.folder)
        else:
            graphs["slow"] = _slow(tmp_path, model)
            served = stack.enter_context(program(tmp_path, _settings(tmp_path, **graphs), *UNLIMITED))
        statuses: list[int] = []
        stop = threading.Event()

        def ask() -> None:
            while not stop.wait(0.05):
                with served.client() as client:
                    statuses.append(client.post(ASK, json=QUESTION).status_code)

        asking = threading.Thread(target=ask)
        asking.start()
        _settings(served.folder, more="demo", **graphs)
        served.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 120
        names: list[list[str]] = []
        while time.monotonic() < deadline and names[-8:] != [sorted(["more", *graphs])] * 8:
            with served.client() as client:
                names.append(sorted(one["name"] for one in client.get("/api/v1/graphs").json()["graphs"]))
            time.sleep(0.1)
        _settings(served.folder, broken="no-such-config")
        served.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and "the settings stay as they were" not in "".join(served.lines):
            time.sleep(0.1)
        while time.monotonic() < deadline and len(statuses) <= 5:
            time.sleep(0.1)  # a slow machine has asked less often by now
        stop.set()
        asking.join()
        _settings(served.folder, more="demo", **graphs)
        assert names[-1] == sorted(["more", *graphs])
        assert len(statuses) > 5
        assert set(statuses) == {200}
        log = "".join(served.lines)
        assert "the settings stay as they were" in log
        assert "Traceback" not in log
        if "slow" in graphs:
            _answers_before_it_ends(served, model)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_what_can_be_asked_stays_where_other_settings_cannot_open_it(
    tmp_path: Path, workers: str, request: pytest.FixtureRequest
) -> None:
    count = {"question": "How many films are there?", "graph": "films"}

    def exchanged(told: str, **graphs: str) -> set[tuple[int, str | None]]:
        """Have the server take other settings, and return how it answers once its log tells something."""
        _settings(served.folder, **graphs)
        seen, deadline = len(served.lines), time.monotonic() + 120
        served.process.send_signal(signal.SIGHUP)
        while told not in "".join(served.lines[seen:]):
            assert time.monotonic() < deadline, served.lines
            time.sleep(0.1)
        assert httpx.get(f"{served.url}/readyz", verify=_CONTEXT).json() == {"ready": True, "missing": {}}
        answers = []
        for _ in range(6):
            with served.client() as client:
                answers.append(client.post(ASK, json=count))
        return {(one.status_code, one.json().get("reply")) for one in answers}

    with contextlib.ExitStack() as stack:
        if workers == "2":
            served: Program = request.getfixturevalue("pair")
        else:
            started = [_settings(tmp_path, films=_films(tmp_path)), "--proxies", "203.0.113.7"]
            served = stack.enter_context(program(tmp_path, *started, port=free_port()))
        films, file = _films(served.folder), served.folder / "films.ttl"
        absent = written(served.folder, "absent", {"graph": "absent.ttl", "model": "none"})
        file.write_text(f"{FILM} broken", encoding="utf-8")
        stays = "the graph 'films' stays as it was" if workers == "1" else "the settings stay as they were"
        assert exchanged(stays, films=films) == {(200, "1")}
        assert exchanged("the settings stay as they were", absent=absent) == {(200, "1")}
        file.write_text(FILM + "<x:b> a <x:Film> .", encoding="utf-8")
        assert exchanged("the settings were read anew", demo="demo", films=films) == {(200, "2")}
    assert "Traceback" not in "".join(served.lines)


@pytest.mark.slow
def test_a_server_that_is_killed_leaves_its_port_and_its_turns_and_the_next_answers_before_it_ends(
    pair: Program, model: Server
) -> None:
    with pair.client() as client:
        turn = client.post(ASK, json=QUESTION | {"conversation": "new"}).json()
        cookies = dict(client.cookies)
        port = int(pair.url.rpartition(":")[2])
        workers = psutil.Process(pair.process.pid).children(recursive=True)
        pair.process.kill()
        pair.process.wait()
    psutil.wait_procs(workers, timeout=120)  # which end by themselves
    path = _settings(pair.folder, demo="demo", slow=_slow(pair.folder, model))
    with program(pair.folder, path, "--workers", "2", port=port) as again:
        with again.client(cookies=cookies) as client:
            kept = client.get(f"/api/v1/conversations/{turn['conversation']}").json()
        assert [one["id"] for one in kept["items"]] == [turn["id"]]
        _answers_before_it_ends(again, model)
