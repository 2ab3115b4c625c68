"""What a hostile client cannot do: large, slow and strange requests; headers that hold a page in its bounds."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import re
import select
import socket
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any, cast

import httpx
import psutil
import pyoxigraph
import pytest

from tests.models.openai_server import Server, completion
from tests.server.site import Site, idle, sent, serving, settings, streamed, written
from tests.sparql_server import Reply, Serve
from triad.log import logger
from triad.server import running
from triad.server.routes import page
from triad.server.settings import ALL

pytestmark = pytest.mark.slow

ASK = "/api/v1/ask"
PRICES = {"slow": {"input": 1, "output": 1}}


def _raw(site: Site, *parts: bytes, pause: float = 0.0) -> bytes:
    """Send parts of a request, with pauses between them, and return what comes back until the server ends it."""
    host, port = site.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=120) as connection:
        answer = b""
        with contextlib.suppress(ConnectionError):
            for part in parts:
                connection.sendall(part)
                if select.select([connection], [], [], pause)[0]:
                    break
            while piece := connection.recv(1 << 16):
                answer += piece
    return answer


def test_after_a_request_with_two_lengths_the_connection_ends(site: Site) -> None:
    head = b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nX-Triad: page\r\nContent-Type: application/json\r\n"
    body = b"2\r\n{}\r\n0\r\n\r\n"
    kept = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answer = _raw(site, head + b"Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n" + body + kept)
    assert answer.startswith(b"HTTP/1.1 422 ")
    assert b"connection: close" in answer.lower()
    assert answer.count(b"HTTP/1.1 ") == 1


def test_a_body_that_is_too_large_is_refused_before_all_of_it_came(visitor: httpx.Client) -> None:
    response = visitor.post(ASK, json={"question": "x" * 200_000})
    assert (response.status_code, response.json()["name"]) == (413, "too-large")

    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 10_000

    try:
        refused = visitor.post(ASK, content=endless(), headers={"Content-Type": "application/json"})
    except httpx.TransportError:
        pass  # the server closed the connection while the client still sent
    else:
        assert refused.status_code == 413


def test_a_body_that_comes_too_slowly_is_refused(tmp_path: Path) -> None:
    with serving(settings(tmp_path, body_seconds=0.5)) as site:
        head = b"POST /api/v1/ask HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99\r\n\r\n"
        answer = _raw(site, head, *[b"x"] * 20, pause=0.1)
        assert b" 408 " in answer.partition(b"\r\n")[0]


def test_headers_that_come_too_slowly_or_never_are_not_waited_for(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_HEADER_SECONDS", 0.5)
    for parts in ([], [b"GET / HTTP/1.1\r\n"], [b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ", *[b"y"] * 15]):
        assert b" 200 " not in _raw(site, *parts, pause=0.1)


@pytest.mark.parametrize(
    ("request_", "status", "then"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", b" 200 ", b"GET /healthz HTTP/1.1\r\nX: "),
        (b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", b" 200 ", b"\r\n"),
        (b"POST / HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 9\r\n\r\n1", b" 403 ", b"2"),
        (b"POST / HTTP/1.1\r\nHost: elsewhere\r\nContent-Length: 2\r\n\r\n1", b" 403 ", b"2"),
    ],
)
def test_a_second_request_and_the_rest_of_one_that_was_refused_are_not_waited_for_either(
    site: Site, monkeypatch: pytest.MonkeyPatch, request_: bytes, status: bytes, then: bytes
) -> None:
    monkeypatch.setattr(running, "_HEADER_SECONDS", 0.5)
    host, port = site.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        connection.sendall(request_)
        assert status in connection.recv(1 << 16)
        time.sleep(0.1)  # until the answer has ended, for which the time is another one
        connection.sendall(then)
        while connection.recv(1 << 16):  # what is left of the answer; then the end
            pass


def test_answers_on_a_kept_connection_wait_for_no_acknowledgement(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    made, at_once = running._Protocol.connection_made, []

    def noted(self: running._Protocol, transport: asyncio.Transport) -> None:
        at_once.append(transport.get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        made(self, transport)

    monkeypatch.setattr(running._Protocol, "connection_made", noted)
    httpx.get(f"{site.url}/healthz").raise_for_status()
    assert at_once
    assert all(at_once)


def test_connections_beyond_a_bound_are_closed_and_those_within_it_answered(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _closed()  # kept connections of other tests
    monkeypatch.setattr(running, "_most", lambda: 3)
    host, port = site.url.removeprefix("http://").split(":")
    with contextlib.ExitStack() as stack:
        every = []
        for _ in range(10):
            every.append(stack.enter_context(socket.create_connection((host, int(port)), timeout=120)))
            time.sleep(0.05)
        assert [one.recv(1) for one in every[3:]] == [b""] * 7
        every[0].sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 200 " in every[0].recv(1 << 16)


def test_connections_are_half_of_the_descriptors_and_without_bound_where_these_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    resource = pytest.importorskip("resource")
    for most, connections in ((1_024, 512), (resource.RLIM_INFINITY, sys.maxsize)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, most=most: (most, most))
        assert running._most() == connections


def test_an_address_that_a_client_makes_up_is_not_the_one_that_its_proxy_tells(tmp_path: Path) -> None:
    forged = {"X-Forwarded-For": "198.51.100.7, 203.0.113.9"}
    chosen = settings(tmp_path, limits={"requests_a_minute": 1})
    with serving(chosen, forwarded_allow_ips="127.0.0.0/8") as site, site.stranger() as client:
        assert client.get("/api/v1/graphs", headers=forged).status_code == 200
        told = {"X-Forwarded-For": "203.0.113.9"}
        assert client.get("/api/v1/graphs", headers=told).status_code == 429
        assert client.get("/api/v1/graphs", headers={"X-Forwarded-For": "198.51.100.7"}).status_code == 200


def test_a_process_without_descriptors_left_says_so_once_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: socket.socket) -> tuple[socket.socket, Any]:
        raise OSError(errno.EMFILE, "Too many open files")

    async def run() -> None:
        said: list[dict[str, Any]] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: said.append(context))
        with running._bound("127.0.0.1", 0, 1) as bound:
            server = await loop.create_server(asyncio.Protocol, sock=bound, backlog=100)
            monkeypatch.setattr(socket.socket, "accept", full)
            started = time.monotonic()
            with socket.create_connection(bound.getsockname()):
                await asyncio.sleep(1.5)
            server.close()
        assert 1 <= len(said) <= 1 + time.monotonic() - started  # once a second

    asyncio.run(run())


def test_an_answer_that_nobody_takes_is_not_kept(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "_SENDING_SECONDS", 0.5)
    content = b"GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    assert _closed()
    with socket.socket() as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        host, port = site.url.removeprefix("http://").split(":")
        connection.connect((host, int(port)))
        with contextlib.suppress(OSError):  # closed meanwhile
            for _ in range(100):
                connection.sendall(content)
                time.sleep(0.05)
        assert _closed()


def _closed() -> bool:
    """Tell whether no connection is open any more."""
    deadline = time.monotonic() + 120
    while running._Protocol.open and time.monotonic() < deadline:
        time.sleep(0.1)
    return not running._Protocol.open


def test_headers_that_are_too_large_are_refused(site: Site) -> None:
    answer = _raw(site, b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: " + b"y" * 40_000 + b"\r\n\r\n")
    assert answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
    answer = _raw(site, b"GET / HTTP/1.1\r\n", *[b"X: " + b"y" * 10_000] * 100)
    assert b" 200 " not in answer.partition(b"\r\n")[0]
    assert httpx.get(f"{site.url}/healthz").status_code == 200


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b"null", b"[" * 50_000, b'{"question": 1}', b'{"question": "\xff"}', b'{"question": "\\ud800"}',
     b'{"question": "a", "question": "b"}', b'{"question": NaN}', b"\x00" * 100],
)  # fmt: skip
def test_no_body_makes_the_server_fail(visitor: httpx.Client, body: bytes) -> None:
    response = visitor.post(ASK, content=body, headers={"Content-Type": "application/json"})
    assert response.status_code < 500, response.text


@pytest.mark.parametrize(
    "path",
    ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/assets/../../app.py",
     "//etc/passwd", "/static/../app.py", "/%00", "/app.py", "/.env", "/assets/%2e%2e/%2e%2e/settings.py"],
)  # fmt: skip
def test_no_path_leads_out_of_the_page(site: Site, path: str) -> None:
    answer = _raw(site, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert answer.startswith((b"HTTP/1.1 404", b"HTTP/1.1 400")), answer
    assert b"root:" not in answer
    assert b"import" not in answer


def test_a_path_that_no_file_can_have_is_not_found(stranger: httpx.Client) -> None:
    for path in ("/" + "a" * 256, "/" + "a/" * 3_000, "/%00", "/index.html/x"):
        answer = stranger.get(path)
        assert (answer.status_code, answer.json()["name"]) == (404, "not-found"), path[:20]


def test_an_error_that_nobody_foresaw_is_logged_once_with_the_id_of_its_request(
    site: Site, visitor: httpx.Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("unforeseen")

    monkeypatch.setattr(site.keys, "session", fail)
    monkeypatch.setattr(site.keys, "find", fail)
    records: list[Any] = []
    sink = logger.add(lambda line: records.append(cast(Any, line).record), level="WARNING")
    try:
        answer = visitor.get("/api/v1/session")
        openais = visitor.get("/v1/models", headers={"Authorization": "Bearer x"})
    finally:
        logger.remove(sink)
    assert (answer.status_code, answer.json()["name"]) == (500, "internal")
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert openais.json()["error"]["code"] == "internal"
    assert [one["extra"]["request"] for one in records] == [one.headers["X-Request-Id"] for one in (answer, openais)]
    assert not caplog.records


def test_head_is_answered_as_get_without_the_body(stranger: httpx.Client) -> None:
    for path in ("/", "/healthz", "/api/v1/graphs", "/none"):
        asked, told = stranger.get(path), stranger.head(path)
        assert (told.status_code, told.headers["Content-Type"]) == (asked.status_code, asked.headers["Content-Type"])
        assert told.content == b""


def test_every_answer_holds_a_browser_in_its_bounds(site: Site, stranger: httpx.Client) -> None:
    for path in ("/", "/api/v1/graphs", "/none", "/healthz", "/api/v1/openapi.json", "/v1/models", "/metrics"):
        headers = stranger.get(path).headers
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'none'" in policy
        assert "server" not in headers or "uvicorn" in headers["server"]  # as it runs, it says nothing


def test_pictures_come_from_the_origins_that_the_settings_list(tmp_path: Path) -> None:
    listed = ["https://pictures.example.org"]
    with serving(settings(tmp_path, {"demo": "demo"}, pictures=listed), ready=False) as site, site.visitor() as client:
        answer = client.get("/api/v1/session")
        assert "img-src 'self' data: https://pictures.example.org;" in answer.headers["Content-Security-Policy"]
        assert answer.json()["pictures"] == listed
    for origin in ("https://a.example; script-src *", "https://a.example/path", "http://a.example", "data:"):
        with pytest.raises(ValueError, match="no origin"):
            settings(tmp_path, {"demo": "demo"}, pictures=[origin])


def test_the_page_has_no_script_in_line_and_nothing_from_elsewhere(stranger: httpx.Client) -> None:
    text = stranger.get("/").text
    assert not re.search(r"<script(?![^>]*\bsrc=)[^>]*>\s*\S", text)
    assert not re.search(r"\son\w+\s*=", text)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", text)
    assert page.STATIC.is_dir()


def test_files_of_the_page_are_compressed_for_those_who_take_them_so(site: Site) -> None:
    script = next(page.STATIC.glob("*.js")).name
    plain, packed = (
        httpx.get(f"{site.url}/{script}", headers={"Accept-Encoding": encoding}) for encoding in ("identity", "gzip")
    )
    assert packed.headers["Content-Encoding"] == "gzip"
    assert int(packed.headers.get("Content-Length", 0)) < int(plain.headers["Content-Length"]) / 2
    assert packed.text == plain.text
    assert {"Accept-Encoding"} <= set(packed.headers["Vary"].split(", "))
    known = {"If-None-Match": packed.headers["ETag"], "Accept-Encoding": "gzip"}
    assert httpx.get(f"{site.url}/{script}", headers=known).status_code == 304
    assert "Content-Encoding" not in httpx.get(f"{site.url}/api/v1/openapi.json").headers


def test_labels_and_questions_cannot_become_markup(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    (tmp_path / "evil.ttl").write_text(
        f"""@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        :a a :Book ; rdfs:label "{evil}" ; :author :b . :b rdfs:label "\\"><img src=x onerror=alert(2)>" .
        :author rdfs:label "author" . :Book rdfs:label "book" ."""
    )
    turned = '<x:a> a <x:Book> ; <http://www.w3.org/2000/01/rdf-schema#label> "a\\u202Eb\\u0085c" .'
    (tmp_path / "turned.ttl").write_text(turned, encoding="utf-8")
    graphs = {name: {"graph": str(tmp_path / f"{name}.ttl")} for name in ("evil", "turned")}
    with serving(settings(tmp_path, graphs)) as site, site.visitor() as client:
        body = {"question": f"Who is the author of {evil}?", "conversation": "new"}
        asked = client.post(ASK, json=body)
        assert asked.headers["Content-Type"] == "application/json"
        turned = client.post(ASK, json={"question": "Which books are there?", "graph": "turned"}).json()
        assert (turned["reply"], turned["answer"]["text"]) == ("abc", "abc")
        assert turned["answer"]["values"][0]["label"] == "a\u202eb\u0085c"  # which is no text but data
        path = f"/api/v1/conversations/{asked.json()['conversation']}/export"
        exported = client.get(path, params={"format": "markdown"}).text
        assert not re.search(r"(?<!\\)<(script|img)", exported)
        error = client.get(f"/{evil}")
        assert error.headers["Content-Type"] == "application/problem+json"
        for one in (asked, error, client.get("/api/v1/profile"), client.get("/api/v1/names", params={"q": "<"})):
            assert one.headers["X-Content-Type-Options"] == "nosniff"


def test_logs_and_errors_have_no_secret(tmp_path: Path, logged: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    config = {"graph": "http://user:word1@127.0.0.1:9/sparql?apikey=word2", "graph_options": {"retries": 0}}
    with serving(settings(tmp_path, {"away": config}), ready=False) as site, site.visitor() as client:
        header = {"Authorization": "Bearer triad_word3"}
        answers = [
            client.get("/api/v1/graphs", headers=header).text,
            client.post(ASK, json={"question": "Who?"}).text,
            client.get("/readyz").text,
            client.get("/api/v1/graphs").text,
        ]
        assert client.get("/readyz").json()["missing"]
    told = "\n".join([*answers, *logged, *capsys.readouterr()])
    assert not re.search("word[123]", told)


def test_what_an_endpoint_quotes_of_a_query_or_says_of_itself_is_neither_told_nor_logged(
    tmp_path: Path, logged: list[str], sparql_server: Serve
) -> None:
    endpoint = sparql_server(pyoxigraph.Store())
    config = {"graph": endpoint.url, "index": "endpoint", "model": "none", "graph_options": {"retries": 0}}
    query = {"query": 'SELECT ?s { ?s ?p "Annemarie"@en }'}
    with serving(settings(tmp_path, {"asked": config}), ready=False) as site, site.visitor() as client:
        client.get("/api/v1/profile", params={"questions": 0}).raise_for_status()
        said = '"Annemarie"@en: {secret}'
        for status, body in ((200, said), (200, '{"Annemarie": "secret"}'), (400, said), (500, said), (504, said)):
            endpoint.reply_next(*[Reply(status, body)] * 2)
            answer = client.post("/api/v1/query", json=query)
            assert answer.status_code in (400, 502, 504)
            assert not re.search("Annemarie|secret", answer.text), answer.text
    assert not re.search("Annemarie|secret", "".join(logged))


@pytest.fixture
def silent_model() -> Iterator[Server]:
    """A model that says nothing until its server closes."""
    server = Server()

    def wait(_: object) -> None:
        server.closing.wait(300)

    server.rule = wait
    yield server
    server.close()


def test_a_full_queue_is_told_with_when_to_come_back(tmp_path: Path, silent_model: Server) -> None:
    config = {"base": "demo", "model": f"openai:slow@{silent_model.url}", "route": {"rungs": ["template"]}}
    path = written(tmp_path, "slow", config)
    chosen = settings(tmp_path, {"slow": {"config": path, "limits": {"concurrent": 1, "queue": 1, "seconds": 300}}})
    refused = threading.Event()

    def reply(_: object) -> None:
        refused.wait(300)

    silent_model.rule = reply
    with serving(chosen) as site, site.visitor() as client:

        def ask(_: int) -> httpx.Response:
            return client.post(ASK, json={"question": "Who founded Intel?"})

        with ThreadPoolExecutor(6) as pool:
            answers = as_completed([pool.submit(ask, number) for number in range(6)])
            busy = [next(answers).result() for _ in range(4)]
            refused.set()
            served = [one.result() for one in answers]
        assert {one.status_code for one in busy} == {503}
        assert 503 not in {one.status_code for one in served}
        assert all(int(one.headers["Retry-After"]) >= 1 and one.json()["name"] == "busy" for one in busy)
        events = streamed(client, ASK, {"question": "Who founded Intel?"})
        assert events[-1].name == "error"
        assert events[-1].data["name"] == "model-failed"  # "ok" is no reply that can be used


def test_a_question_that_takes_too_long_is_cancelled(tmp_path: Path, silent_model: Server) -> None:
    path = written(tmp_path, "slow", {"base": "demo", "model": f"openai:slow@{silent_model.url}", "route": "phases"})
    chosen = settings(tmp_path, {"slow": {"config": path, "limits": {"seconds": 0.5}}})
    with serving(chosen) as site, site.visitor() as client:
        answer = client.post(ASK, json={"question": "Who founded Intel?"})
        assert (answer.status_code, answer.json()["name"]) == (504, "timeout")
        assert idle(site)


def test_so_is_one_that_waits_too_long_for_those_before_in_its_conversation(tmp_path: Path) -> None:
    with (
        serving(settings(tmp_path, {"demo": {"config": "demo", "limits": {"seconds": 0.5}}})) as site,
        site.visitor() as client,
    ):
        conversation = client.post("/api/v1/conversations", json={}).json()["id"]
        before = asyncio.Lock()
        asyncio.run(before.acquire())
        site.app.state.asking._one_at_a_time[conversation] = before
        answer = client.post(ASK, json={"question": "Who founded Intel?", "conversation": conversation})
        assert (answer.status_code, answer.json()["name"]) == (504, "timeout")
        assert idle(site)


# Those who leave ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("accept", ["application/json", "text/event-stream"])
def test_who_leaves_cancels_the_question_down_to_the_call_of_the_model(
    tmp_path: Path, silent_model: Server, accept: str
) -> None:
    config = {"base": "demo", "model": f"openai:slow@{silent_model.url}", "route": "phases", "prices": PRICES}
    with serving(settings(tmp_path, {"slow": written(tmp_path, "slow", config)})) as site, site.visitor() as client:
        headers = {"Accept": accept, "Idempotency-Key": "left"}
        with sent(client, ASK, {"question": "Who?"}, **headers):
            deadline = time.monotonic() + 120
            while not silent_model.requests and time.monotonic() < deadline:
                time.sleep(0.05)
        assert len(silent_model.requests) == 1
        assert idle(site)
        assert 'outcome="cancelled"' in client.get("/metrics").text
        assert len(silent_model.requests) == 1
        calls, money = site.keys.spent("address:127.0.0.1")
        assert calls == 1
        assert money > 0


def test_calls_of_a_model_that_take_too_long_count_against_the_limits_of_a_day(
    tmp_path: Path, silent_model: Server
) -> None:
    config = {"base": "demo", "model": f"openai:slow@{silent_model.url}", "route": "phases", "prices": PRICES}
    path = written(tmp_path, "slow", config | {"model_options": {"timeout": 0.2, "retries": 1}})
    with serving(settings(tmp_path, {"slow": path}, limits={"calls_a_day": 2})) as site, site.visitor() as client:
        assert client.post(ASK, json={"question": "Who?"}).status_code == 502
        calls, money = site.keys.spent("address:127.0.0.1")
        assert calls == len(silent_model.requests) == 2
        assert money > 0
        assert client.post(ASK, json={"question": "Who?"}).status_code == 402


def test_questions_that_are_under_way_count_among_the_calls_of_a_day(tmp_path: Path, silent_model: Server) -> None:
    path = written(tmp_path, "slow", {"base": "demo", "model": f"openai:slow@{silent_model.url}", "route": "phases"})
    chosen = settings(tmp_path, {"slow": path}, limits={"calls_a_day": 2})
    with serving(chosen) as site, site.visitor() as client, contextlib.ExitStack() as asked:
        site.app.state.limiter._dearest["slow"] = (1, 0.0)  # while nothing is known they take turns
        for at in (1, 2):
            asked.enter_context(sent(client, ASK, {"question": "Who?"}))
            deadline = time.monotonic() + 120
            while len(silent_model.requests) < at and time.monotonic() < deadline:
                time.sleep(0.05)
        assert client.post(ASK, json={"question": "Who?"}).status_code == 402
        assert len(silent_model.requests) == 2


@pytest.mark.parametrize(("limit", "most"), [("money_a_day", 3), ("calls_a_day", 14)])
def test_of_questions_at_once_no_more_are_answered_than_the_limit_of_a_day_allows(
    tmp_path: Path, silent_model: Server, limit: str, most: int
) -> None:
    prices = {"slow": {"input": 100, "output": 100}}
    config = {"base": "demo", "model": f"openai:slow@{silent_model.url}", "route": {"sure": 1.0}, "prices": prices}
    path = written(tmp_path, "slow", config)
    silent_model.rule = lambda _: (200, completion("no reply that can be used"))
    with serving(settings(tmp_path, {"slow": path}, limits={limit: most})) as site, site.visitor() as client:
        with ThreadPoolExecutor(6) as pool:
            asked = [pool.submit(client.post, ASK, json={"question": "Who founded Intel?"}) for _ in range(6)]
            answers = [one.result() for one in asked]
        usages = [one.json()["usage"] for one in answers if one.status_code == 200]
        costs = [usage[limit.removesuffix("_a_day")] for usage in usages]
        assert sum(costs[:-1]) < most <= sum(costs)
        assert {one.status_code for one in answers} == {200, 402}
        calls, money = site.keys.spent("address:127.0.0.1")
        assert (calls, round(money, 9)) == (len(silent_model.requests), round(sum(one["money"] for one in usages), 9))


def test_who_leaves_ends_the_query_in_its_process_and_is_no_error_of_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    crossed = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    with serving(settings(tmp_path)) as site, site.visitor() as client:
        queries = site.app.state.asking.graphs.find(None, ALL).queries
        with sent(client, "/api/v1/query", {"query": crossed, "seconds": 60}):
            while not (queries.under_way and _busy_workers()):
                time.sleep(0.05)
        deadline = time.monotonic() + 40  # sooner than the query ends by itself
        while (queries.under_way or _busy_workers()) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not queries.under_way
        assert not _busy_workers()
        assert client.post("/api/v1/query", json={"query": "ASK { ?s ?p ?o }"}).json()["boolean"] is True
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def _busy_workers() -> list[psutil.Process]:
    """Return processes below this one that are at work."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.NoSuchProcess):
            if "worker.py" in " ".join(process.cmdline()) and process.cpu_percent(0.2) > 30:
                found.append(process)
    return found
