"""Elasticsearch behind a server that does not mean well: each exchange ends, in time and in size."""

from __future__ import annotations

import itertools
import socket
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from elastic_transport import ConnectionError, ConnectionTimeout, NodeConfig, TlsError

from tests.hostile_server import OK, HostileServer, Script
from triad.errors import ConfigError, SearchError
from triad.search import open_index
from triad.search.elastic import client
from triad.search.elastic.client import BoundedNode, TooLarge

Start = Callable[..., HostileServer]
CHUNKED = OK + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


def for_ever(start: bytes, part: bytes) -> Script:
    return lambda _: itertools.chain([start], itertools.repeat(part))


def ask(url: str, *, seconds: float = 60.0, prefix: str = "") -> tuple[int, bytes]:
    scheme, host = url.split("://")
    asked = BoundedNode(NodeConfig(scheme, host.split(":")[0], int(host.split(":")[1]), prefix))
    try:
        answer = asked.perform_request("GET", "/labels/_search", request_timeout=seconds)
    finally:
        asked.close()
    return answer.meta.status, answer.body


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(for_ever(OK, b"X: y\r\n"), id="headers"),
        pytest.param(for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), id="100 Continue"),
        pytest.param(for_ever(CHUNKED, b"1\r\nx\r\n"), id="chunks"),
        pytest.param(for_ever(OK + b"Content-Length: 1000\r\n\r\n", b"x"), id="body"),
        pytest.param(for_ever(b"", b""), id="nothing"),
    ],
)
def test_a_server_that_sends_a_little_now_and_then_meets_the_deadline(hostile_server: Start, script: Script) -> None:
    server = hostile_server(script, pause=0.02)
    started = time.monotonic()
    with pytest.raises(ConnectionTimeout):
        ask(server.url, seconds=0.15)
    assert 0.1 < time.monotonic() - started < 20  # without the deadline, it never ends


def test_an_endless_body_meets_the_cap(hostile_server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LIMIT", 1_000_000)
    server = hostile_server(for_ever(CHUNKED, b"10000\r\n" + b"x" * 0x10000 + b"\r\n"))
    with pytest.raises(TooLarge, match="more than 1,000,000 bytes came"):
        ask(server.url)


def test_huge_headers_are_refused(hostile_server: Start) -> None:
    server = hostile_server(for_ever(OK, b"X: " + b"y" * 10_000 + b"\r\n"))
    with pytest.raises(ConnectionError):
        ask(server.url)


def test_what_is_no_http_is_a_failed_connection(hostile_server: Start) -> None:
    server = hostile_server(lambda _: [b"EHLO there\r\n\r\n"])
    with pytest.raises(ConnectionError):
        ask(server.url)


def test_a_server_that_speaks_no_tls_is_told() -> None:
    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1 << 16)
            connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listening, ThreadPoolExecutor(1) as pool:
        served = pool.submit(serve)
        with pytest.raises(TlsError):
            ask(f"https://127.0.0.1:{listening.getsockname()[1]}")
        served.result()


def test_a_path_on_the_server_and_the_node_s_headers_are_sent(hostile_server: Start) -> None:
    server = hostile_server(lambda _: [OK + b"Content-Length: 2\r\n\r\n{}"])
    assert ask(server.url, prefix="search/es") == (200, b"{}")
    [request] = server.requests
    assert request.startswith(b"GET /search/es/labels/_search HTTP/1.1\r\n")
    assert b"\r\nuser-agent: elastic-transport-python/" in request.lower()


def test_a_closed_node_can_be_asked_again(hostile_server: Start) -> None:
    server = hostile_server(lambda _: [OK + b"Content-Length: 2\r\n\r\n{}"])
    port = int(server.url.rpartition(":")[2])
    asked = BoundedNode(NodeConfig("http", "127.0.0.1", port))
    for _ in range(2):
        assert asked.perform_request("GET", "/").body == b"{}"
        asked.close()
    assert server.connections == 2


# Through the index ----------------------------------------------------------------------------------------


def test_an_endless_answer_is_a_search_error_at_once(hostile_server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "LIMIT", 1_000_000)
    server = hostile_server(for_ever(CHUNKED, b"10000\r\n" + b"x" * 0x10000 + b"\r\n"))
    source = f"elasticsearch:{server.url}/labels"
    with open_index(source) as index, pytest.raises(SearchError, match="an answer that is too large"):
        index.search("Ann")
    assert len(server.requests) == 1, "another try would not be smaller"


@pytest.mark.slow(0.1)
def test_a_slow_answer_is_a_search_error_in_time(hostile_server: Start) -> None:
    server = hostile_server(for_ever(CHUNKED, b"1\r\n \r\n"), pause=0.02)
    started = time.monotonic()
    source = f"elasticsearch:{server.url}/labels"
    with (
        open_index(source, timeout=0.15) as index,
        pytest.raises(SearchError, match=r"did not answer in time \(0\.15 seconds have passed\)"),
    ):
        index.search("Ann")
    assert time.monotonic() - started < 20  # without the deadline, it never ends


@pytest.mark.slow(0.1)
def test_the_next_host_answers_for_one_that_is_slow(hostile_server: Start) -> None:
    slow = hostile_server(for_ever(CHUNKED, b"1\r\n \r\n"), pause=0.02)
    body = b'{"error": {"type": "index_not_found_exception", "reason": "no such index"}}'
    head = b"HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nX-Elastic-Product: Elasticsearch\r\n"
    quick = hostile_server(lambda _: [head + b"Content-Length: %d\r\n\r\n" % len(body) + body])
    source = f"elasticsearch:{slow.url},{quick.url.removeprefix('http://')}/labels"
    with open_index(source, timeout=0.15) as index, pytest.raises(SearchError, match="has no index of that name"):
        index.search("Ann")
    assert quick.requests


def test_hosts_with_and_without_tls_may_be_mixed() -> None:
    source = "elasticsearch:http://127.0.0.1:9,https://127.0.0.1:9/labels"
    with open_index(source, verify=False) as index, pytest.raises(SearchError, match="cannot be reached"):
        index.search("Ann")


def test_a_key_that_no_header_can_hold_is_refused() -> None:
    with pytest.raises(ConfigError, match="a character that no key has"):
        open_index("elasticsearch:http://one/labels", api_key="schlüssel")
