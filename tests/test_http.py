from __future__ import annotations

import gzip
import itertools
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import httpx
import pytest

from tests.doubles import Clock
from tests.hostile_server import OK, HostileServer, Script
from triad import http
from triad.http import AnswerTooLarge, Exchange
from triad.text import without_secrets

Start = Callable[..., HostileServer]
HELLO = OK + b"Content-Length: 5\r\n\r\nhello"
CHUNKED = OK + b"Transfer-Encoding: chunked\r\n\r\n"
MOVED = b"HTTP/1.1 302 Found\r\nLocation: /\r\n"


def drop_by_drop(content: bytes) -> Script:
    return lambda _: (content[at : at + 1] for at in range(len(content)))


def for_ever(start: bytes, part: bytes) -> Script:
    return lambda _: itertools.chain([start], itertools.repeat(part))


def exchange(url: str, seconds: float = 120.0, limit: float = 100_000, **options: object) -> bytes:
    extensions = {"exchange": Exchange(seconds, limit)}
    with http.client() as client, client.stream("GET", url, extensions=extensions, **options) as response:  # type: ignore[arg-type]
        return b"".join(response.iter_raw())


# Deadlines


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(drop_by_drop(OK + b"X: y\r\n" * 1_000), id="headers"),
        pytest.param(for_ever(OK, b"X: y\r\n"), id="endless headers"),
        pytest.param(for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), id="100 Continue"),
        pytest.param(for_ever(CHUNKED, b"0"), id="size of a chunk"),
        pytest.param(for_ever(CHUNKED + b"1;", b"x"), id="extension of a chunk"),
        pytest.param(for_ever(CHUNKED, b"1\r\nx\r\n"), id="chunks"),
        pytest.param(for_ever(CHUNKED + b"0\r\n", b"X: y\r\n"), id="trailers"),
        pytest.param(for_ever(OK + b"Content-Length: 1000\r\n\r\n", b"x"), id="body"),
        pytest.param(
            for_ever(b"HTTP/1.1 302 Found\r\nContent-Length: 1000\r\nLocation: /\r\n\r\n", b"x"), id="redirect"
        ),
    ],
)
def test_a_server_that_sends_a_little_now_and_then_meets_the_deadline(hostile_server: Start, script: Script) -> None:
    server = hostile_server(script, pause=0.02)
    started = time.monotonic()
    with pytest.raises(httpx.TimeoutException):
        exchange(server.url, 0.15)
    assert 0.1 < time.monotonic() - started < 60  # without the deadline, two minutes at least


@pytest.mark.slow(0.1)
def test_redirections_share_one_deadline(hostile_server: Start) -> None:
    server = hostile_server(lambda _: [MOVED + b"Content-Length: 0\r\n\r\n"], pause=0.1)
    with pytest.raises(httpx.TimeoutException):
        exchange(server.url, 0.15)
    assert len(server.requests) < 5


@pytest.mark.slow(0.1)
def test_a_timeout_of_the_client_is_a_deadline(hostile_server: Start) -> None:
    server = hostile_server(for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n"), pause=0.02)
    with http.client(timeout=0.15) as client, pytest.raises(httpx.TimeoutException):
        client.get(server.url)


@pytest.mark.slow(0.1)
def test_a_silent_server_over_tls_meets_the_deadline(hostile_server: Start) -> None:
    server = hostile_server(lambda _: [])
    with pytest.raises(httpx.TimeoutException):
        exchange(server.url.replace("http:", "https:"), 0.15)


@pytest.mark.slow(0.1)
def test_a_deadline_may_be_renewed(hostile_server: Start, clock: Clock) -> None:
    server = hostile_server(lambda _: [OK + b"Content-Length: 8\r\n\r\n", *[b"x"] * 8], pause=0.02)
    bounds = Exchange(100.0)
    with http.client() as client, client.stream("GET", server.url, extensions={"exchange": bounds}) as response:
        for _ in response.iter_raw():
            clock.now += 80.0
            bounds.renew(100.0)


# Bytes


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "script",
    [
        pytest.param(for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000), id="100 Continue"),
        pytest.param(for_ever(CHUNKED, b"ffff\r\n" + b"x" * 0xFFFF + b"\r\n"), id="chunks"),
        pytest.param(for_ever(CHUNKED, b"1\r\nx\r\n" * 1000), id="small chunks"),
        pytest.param(for_ever(OK + b"\r\n", b"x" * 10_000), id="body without length"),
    ],
)
def test_a_server_that_never_ends_meets_the_cap(hostile_server: Start, script: Script) -> None:
    with pytest.raises(AnswerTooLarge, match="more than 100,000 bytes"):
        exchange(hostile_server(script).url)


@pytest.mark.slow(0.3)
@pytest.mark.parametrize("encoding", ["gzip", "x-gzip"])
def test_the_cap_counts_what_was_unpacked(hostile_server: Start, encoding: str) -> None:
    packed = gzip.compress(bytes(50_000_000))
    head = OK + f"Content-Encoding: {encoding}\r\nContent-Length: {len(packed)}\r\n\r\n".encode()
    with pytest.raises(AnswerTooLarge):
        exchange(hostile_server(lambda _: [head + packed]).url)


def test_redirections_share_one_cap(hostile_server: Start) -> None:
    body = b"x" * 20_000
    answer = MOVED + b"Content-Length: 20000\r\n\r\n" + body
    with pytest.raises(AnswerTooLarge):
        exchange(hostile_server(lambda _: [answer]).url)


@pytest.mark.parametrize(("accepted", "expected"), [("gzip", b"hello"), ("identity", gzip.compress(b"hello", mtime=0))])
def test_what_was_not_asked_for_in_packed_form_is_handed_on_as_it_is(
    hostile_server: Start, accepted: str, expected: bytes
) -> None:
    packed = gzip.compress(b"hello", mtime=0)
    head = OK + f"Content-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n".encode()
    server = hostile_server(lambda _: [head + packed])
    assert exchange(server.url, headers={"Accept-Encoding": accepted}) == expected


def test_a_length_that_is_none_is_an_error(hostile_server: Start) -> None:
    for length in (b"abc", b"9" * 5000, b"-1"):
        server = hostile_server(lambda _, length=length: [OK + b"Content-Length: " + length + b"\r\n\r\n"])
        with pytest.raises(httpx.RemoteProtocolError):
            exchange(server.url)


# Redirections


def to(location: str, status: int = 307) -> Callable[[bytes], Iterable[bytes]]:
    head = f"HTTP/1.1 {status} Moved\r\nContent-Length: 0\r\nLocation: {location}\r\n\r\n".encode()
    return lambda request: [HELLO if b"/end" in request.partition(b"\r\n")[0] else head]


def test_a_redirection_without_end_is_given_up(hostile_server: Start) -> None:
    server = hostile_server(to("/"))
    with http.client() as client:
        assert client.get(server.url).status_code == 307
    assert len(server.requests) == 10 + 1


@pytest.mark.parametrize("location", ["http://[::1", "http://h:port/", "ftp://h/", "file:///etc/hosts", "http://"])
def test_a_redirection_that_cannot_be_followed_is_the_answer(hostile_server: Start, location: str) -> None:
    with http.client() as client:
        assert client.get(hostile_server(to(location)).url).status_code == 307


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirection_keeps_method_and_body(hostile_server: Start, status: int) -> None:
    server = hostile_server(to("/end", status))
    with http.client() as client:
        assert client.post(server.url, content=b"the body", headers={"X-Key": "s3cr3t"}).content == b"hello"
    assert server.requests[1].startswith(b"POST /end ")
    assert server.requests[1].endswith(b"\r\n\r\nthe body")
    assert b"s3cr3t" in server.requests[1]
    assert server.connections == 1


def test_another_server_gets_no_secrets(hostile_server: Start) -> None:
    other = hostile_server(lambda _: [HELLO])
    target = f"{other.url}/end?apikey=s3cr3t&graph=g&k=s3cr3t&X-Signature=theirs"
    server = hostile_server(to(target))
    with http.client() as client:
        client.post(
            server.url.replace("//", "//user:pass@") + "?apikey=s3cr3t",
            data={"query": "ASK {}", "access_token": "hidden"},
            headers={"Authorization": "Bearer abc", "X-Key": "abc", "Cookie": "a=abc", "Accept": "text/plain"},
        )
    [first], [sent] = server.requests, other.requests
    assert all(secret in first for secret in (b"s3cr3t", b"hidden", b"abc"))
    assert not any(secret in sent for secret in (b"s3cr3t", b"hidden", b"abc", b"Authorization"))
    assert sent.startswith(b"POST /end?graph=g&X-Signature=theirs ")
    assert sent.endswith(b"\r\n\r\nquery=ASK+%7B%7D")
    assert b"text/plain" in sent


def test_secrets_move_on_to_tls_but_not_back() -> None:
    plain, secure = httpx.URL("http://example.org/sparql"), httpx.URL("https://example.org/sparql")
    assert http.same_server(plain, secure)
    assert not http.same_server(secure, plain)
    assert not http.same_server(plain, httpx.URL("http://example.org:8080/sparql"))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:p@h:1/a?apikey=x&token=y&graph=g", "https://h:1/a?graph=g"),
        ("https://h/a?api_key=x", "https://h/a"),
        ("http://[::1?key=x", "http://[::1"),
        ("http://h/a?keyword=x", "http://h/a?keyword=x"),
        ("books.ttl", "books.ttl"),
    ],
)
def test_an_address_is_shown_without_secrets(url: str, shown: str) -> None:
    assert without_secrets(url) == shown


# Connections


def test_connections_are_used_again(hostile_server: Start) -> None:
    server = hostile_server(lambda _: [HELLO])
    with http.client() as client:
        for _ in range(3):
            client.get(server.url)
    assert server.connections == 1


def test_as_many_connections_are_open_as_requests_were_under_way_at_once(hostile_server: Start) -> None:
    together = threading.Barrier(5)

    def script(request: bytes) -> Iterable[bytes]:
        if b" /together " in request:
            together.wait(60)
        return [HELLO]

    server = hostile_server(script)
    with http.client(timeout=120) as client, ThreadPoolExecutor(5) as pool:
        for _ in range(3):
            assert [one.content for one in pool.map(client.get, [f"{server.url}/together"] * 5)] == [b"hello"] * 5
        for _ in range(3):
            client.get(server.url)
        assert server.connections == 5


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The connections that were closed."""
    closed: list[object] = []
    close = http._Connection.close

    def noted(self: http._Connection) -> None:
        closed.append(self)
        close(self)

    monkeypatch.setattr(http._Connection, "close", noted)
    return closed


def test_a_connection_that_is_in_use_when_all_are_closed_is_closed_then(
    hostile_server: Start, closed: list[object]
) -> None:
    server = hostile_server(lambda _: [HELLO])
    transport = http.Transport()
    for times in (1, 2):
        response = transport.handle_request(httpx.Request("GET", server.url))
        transport.close()
        assert response.read() == b"hello"
        response.close()
        assert (len(closed), server.connections) == (times, times)


def test_connections_that_nobody_used_for_long_are_closed_while_others_are_used(
    hostile_server: Start, closed: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = hostile_server(lambda _: [HELLO])
    with http.client() as client:
        with client.stream("GET", server.url) as one, client.stream("GET", server.url) as other:
            assert one.read() == other.read() == b"hello"
        for _ in range(2):
            client.get(server.url)
        assert not closed
        later = time.monotonic() + 31
        monkeypatch.setattr(time, "monotonic", lambda: later)
        client.get(server.url)
        assert (len(closed), server.connections) == (2, 3)


def test_a_connection_that_the_server_closed_meanwhile_does_no_harm(hostile_server: Start) -> None:
    answered = itertools.count()

    def script(_: bytes) -> Iterable[bytes]:
        if next(answered) == 1:
            raise ConnectionError  # the second request finds it closed
        return [HELLO]

    server = hostile_server(script)
    with http.client() as client:
        assert [client.get(server.url).content for _ in range(2)] == [b"hello"] * 2
        assert server.connections == 2


def test_cookies_are_not_kept(hostile_server: Start) -> None:
    server = hostile_server(lambda _: [HELLO.replace(b"\r\n", b"\r\nSet-Cookie: a=b\r\n", 1)])
    with http.client() as client:
        client.get(server.url)
        client.get(server.url)
    assert b"a=b" not in server.requests[1]


def test_a_proxy_of_the_environment_is_used(hostile_server: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    proxy = hostile_server(lambda _: [HELLO])
    monkeypatch.delenv("no_proxy")
    monkeypatch.setenv("http_proxy", proxy.url.removeprefix("http://"))
    assert exchange("http://example.org/a") == b"hello"
    assert proxy.requests[0].startswith(b"GET http://example.org/a ")


# Headers


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("5", 5.0),
        ("9" * 400, float("inf")),
        ("²", None),
        ("", None),
        ("later", None),
        ("Fri, 99 Dec 99999 00:00:00 GMT", None),
        pytest.param(format_datetime(datetime.now(UTC) - timedelta(seconds=9)), 0.0, id="a moment that has passed"),
    ],
)
def test_the_time_to_wait_is_read(value: str, expected: float | None) -> None:
    assert http.retry_after(httpx.Headers([(b"Retry-After", value.encode())])) == expected
