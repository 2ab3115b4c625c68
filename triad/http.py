"""HTTP exchanges that end: one deadline and one cap on bytes for all that a server sends, whatever it sends.

The timeouts of HTTP clients bound one read of a socket. A server that sends a byte now and then, be it of its headers,
of the size of a chunk or of ``100 Continue`` again and again, keeps such a client for ever; and little that is
compressed unpacks to very much. Here, an `Exchange` is what a request may cost, redirections included. httpcore hands
the timeouts of a request down to each read and write of its connection, which is ours (`_Connection`); an exchange goes
there in their place, so that each of them waits for what is left of the time, and counts its bytes. Only the lookup of
a host's name has no bound of ours, as the system does it.
"""

import email.utils
import functools
import json
import math
import re
import socket
import ssl
import time
import urllib.request
import weakref
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import parse_qsl, urlencode

import certifi
import httpcore
import httpx

from triad.admission import questions
from triad.cancelling import under_way
from triad.deadline import Deadline
from triad.text import SECRET

_READ_SIZE: Final = 1 << 16  # bytes that are unpacked at once
_WRITE_SIZE: Final = 1 << 14  # bytes that are sent at once
_PACKED: Final = frozenset({"gzip", "x-gzip", "deflate"})
_REDIRECTED: Final = frozenset({301, 302, 303, 307, 308})
_OF_ITS_OWN: Final = frozenset({b"host", b"content-length"})  # headers that differ from request to request
_HARMLESS: Final = frozenset({b"accept", b"accept-encoding", b"content-type", b"if-range", b"range", b"user-agent"})
"""Headers that another server may see; any other could be a key."""
_FORM: Final = "application/x-www-form-urlencoded"
_HALF_PAIR: Final = re.compile(r"\\u[dD][89a-fA-F]")
"""What half a surrogate pair may be escaped as, but whole pairs and other things, too."""
_FAILURES: Final = (
    httpcore.TimeoutException,
    httpcore.NetworkError,
    httpcore.ProtocolError,
    httpcore.ProxyError,
    httpcore.UnsupportedProtocol,
)
_DIGITS: Final = re.compile(r"\s*([0-9]{1,18})\s*")


class AnswerTooLarge(httpx.HTTPError):
    """A server sent more bytes than an exchange may have."""


class Exchange(Deadline):
    """What an exchange with a server may cost: seconds and bytes, those of its redirections included."""

    def __init__(self, seconds: float, limit: float = math.inf, *, repeatable: bool = False) -> None:
        """Start the clock.

        Args:
            seconds: Seconds that it may take in all.
            limit: Bytes that the server may send, and that what it sends may unpack to.
            repeatable: Whether the request does no harm if it comes twice; one by GET never does.
        """
        super().__init__(seconds)
        self.limit = limit
        self.repeatable = repeatable
        self.received = 0
        """Bytes that came, those of headers and chunk sizes included."""

    def wait(self) -> float:
        """Return how many seconds a read or write may wait; an `httpx.ReadTimeout` says that none is left."""
        if self.expired:
            raise httpx.ReadTimeout("the deadline has passed")
        return min(self.left, 86_400.0)  # sockets cannot wait for ever longer

    def check_size(self, size: int) -> None:
        """Raise `AnswerTooLarge` if so many bytes, which came or were unpacked, are too many."""
        if size > self.limit:
            raise AnswerTooLarge(f"more than {self.limit:,} bytes came")


def client(limit: float = math.inf, **options: Any) -> httpx.Client:
    """Return a client whose requests are bounded.

    A request takes its bounds from the extension ``exchange``, else its seconds from its timeout and its bytes from
    here. Answers that it unpacks count as what they unpack to. The client follows redirections itself, with method and
    body; another server gets none of the secrets. Connections are kept open and used again; no cookies are.
    """
    transport = Transport(limit)
    made = httpx.Client(transport=transport, **options)
    made.headers["Accept-Encoding"] = "gzip"
    weakref.finalize(made, transport.close)  # httpx leaves the sockets of a forgotten client open
    return made


def beginning(response: httpx.Response, size: int) -> bytes:
    """Return the first bytes of an answer, or those before something went wrong."""
    content = bytearray()
    with suppress(httpx.HTTPError):
        for chunk in response.iter_raw():
            content += chunk
            if len(content) >= size:
                break
    return bytes(content[:size])


def reason(error: BaseException) -> BaseException:
    """Return the error of the system behind one of httpx, or the error itself if there is none."""
    inner: BaseException | None = error
    while inner is not None:
        for one in (inner, *inner.args):
            if isinstance(one, OSError | UnicodeError):
                return one
        inner = inner.__cause__
    return error


def number(text: str | None) -> int | None:
    """Return the number that a header gives; None if it gives none, or a nonsensical one.

    >>> number("10000"), number("9" * 5000), number("-1"), number("abc")
    (10000, None, None, None)
    """
    found = _DIGITS.fullmatch(text or "")
    return int(found[1]) if found else None


def read_json(text: str) -> Any:
    """Return what a text in JSON says; half a surrogate pair, which no encoding can write, becomes ``?``.

    Raises:
        ValueError: It is no JSON.
        RecursionError: It is nested too deeply.
    """
    data = json.loads(text, strict=False)
    if _HALF_PAIR.search(text):
        data = json.loads(json.dumps(data, ensure_ascii=False).encode(errors="replace"))
    return data


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds that a server asks to wait for, which it says as a number or as a date."""
    value = headers.get("Retry-After", "").strip()
    if value.isascii() and value.isdigit():
        return float(value)
    with suppress(ValueError, OverflowError, OSError):
        return max(email.utils.parsedate_to_datetime(value).timestamp() - time.time(), 0.0)
    return None


# Redirections -------------------------------------------------------------------------------------------


def same_server(url: httpx.URL, other: httpx.URL) -> bool:
    """Return whether two addresses have the same origin, or the second is the first with TLS."""
    one, two = _origin(url), _origin(other)
    return one == two or (one, two) == (("http", one[1], 80), ("https", one[1], 443))


def _origin(url: httpx.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port or {"http": 80, "https": 443}.get(url.scheme)


def _redirection(request: httpx.Request, response: httpx.Response) -> httpx.Request | None:
    """Return the request to make next; None if the answer is no redirection that can be followed."""
    location = response.headers.get("Location")
    if response.status_code not in _REDIRECTED or not location:
        return None
    try:
        target = request.url.join(location)
    except (httpx.InvalidURL, ValueError):
        return None
    if target.scheme not in ("http", "https") or not target.host:
        return None
    body = request.read()
    headers = [(name, value) for name, value in request.headers.raw if name.lower() not in _OF_ITS_OWN]
    if not same_server(request.url, target):
        form = parse_qsl(body.decode("latin-1")) if request.headers.get("Content-Type") == _FORM else []
        sent = [*parse_qsl(request.url.query.decode("latin-1")), *form]
        secrets = {value for name, value in sent if SECRET.search(name)}
        headers = [(name, value) for name, value in headers if name.lower() in _HARMLESS]
        if secrets:
            query = [(name, value) for name, value in target.params.multi_items() if value not in secrets]
            target = target.copy_with(params=query)
            body = urlencode([pair for pair in form if pair[1] not in secrets]).encode() if form else body
    return httpx.Request(request.method, target, headers=headers, content=body or None, extensions=request.extensions)


# Transport ------------------------------------------------------------------------------------------------


class Transport(httpx.BaseTransport):
    """Sends requests within their bounds, by the proxies of the environment. Safe to use from several threads.

    `client` is a client around one; for many small requests, what the client of httpx does besides takes half the time.
    """

    def __init__(self, limit: float = math.inf, context: ssl.SSLContext | None = None) -> None:
        """Open nothing yet; an answer may have so many bytes, and trusted is whom the system or Mozilla trusts."""
        self._limit = limit
        self._context = context
        self._proxies = urllib.request.getproxies()
        self._free: dict[tuple[str, str, int | None, str | None], list[httpcore.ConnectionPool]] = {}

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request, follow redirections, and return the answer, whose body is not read yet."""
        exchange = request.extensions.get("exchange")
        if not isinstance(exchange, Exchange):
            seconds = request.extensions.get("timeout", {}).get("read")
            exchange = Exchange(math.inf if seconds is None else seconds, self._limit)
        for left in reversed(range(11)):
            response = self._send(request, exchange)
            onward = _redirection(request, response) if left else None
            if onward is None:
                break
            beginning(response, _READ_SIZE)  # after all of a body, its connection can be used again
            response.close()
            request = onward
        response.headers.pop("Location", None)  # where a redirection could not be followed, httpx would try to
        return response

    def _send(self, request: httpx.Request, exchange: Exchange) -> httpx.Response:
        repeatable = exchange.repeatable or request.method == "GET"
        url = request.url
        connection, keep = self._connection(url)
        while True:
            kept, before = bool(connection.connections), exchange.received
            timeouts: Any = {"connect": exchange, "read": exchange, "write": exchange, "pool": exchange.wait()}
            sent = httpcore.Request(
                request.method,
                httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
                headers=request.headers.raw,
                content=request.stream,
                extensions={**request.extensions, "timeout": timeouts},
            )
            try:
                with _as_httpx(), questions.waiting():
                    answer = connection.handle_request(sent)
                break
            except (httpx.NetworkError, httpx.RemoteProtocolError):
                # A server may close a connection that was kept open just when it is used again.
                if not kept or exchange.received > before or not repeatable:
                    raise
        headers = httpx.Headers(answer.headers)
        encoding = headers.get("Content-Encoding", "identity").lower()
        packed = encoding in _PACKED and request.headers.get("Accept-Encoding") != "identity"
        for name in ("Set-Cookie", *(("Content-Encoding", "Content-Length") if packed else ())):
            headers.pop(name, None)
        body = _Body(answer, exchange, keep, packed)
        return httpx.Response(answer.status, headers=headers, stream=body, extensions=answer.extensions)

    def _connection(self, url: httpx.URL) -> tuple[httpcore.ConnectionPool, Callable[[], None]]:
        """Return a connection to a server, by a proxy or by none, and what is called when it is free again.

        Each is a pool of one: to find a free one among hundreds, httpcore compares each of them with all others.
        """
        proxy = self._proxies.get(url.scheme) or self._proxies.get("all")
        if proxy and urllib.request.proxy_bypass(url.host):
            proxy = None
        free = self._free.setdefault(place := (url.scheme, url.host, url.port, proxy), [])
        try:
            connection = free.pop()
        except IndexError:
            connection = httpcore.ConnectionPool(
                ssl_context=self._trust(url.scheme),
                proxy=self._proxy(proxy) if proxy else None,
                max_connections=1,
                keepalive_expiry=30.0,
                network_backend=_Network(),
            )

        def keep() -> None:
            if connection.connections:  # else it was closed
                free.append(connection)
            with suppress(IndexError):  # other threads take them, too
                while self._free.get(place) is not free:  # all were closed while this one was in use
                    free.pop().close()
                if free[0].connections[0].has_expired():
                    free.pop(0).close()

        return connection, keep

    def _proxy(self, address: str) -> httpcore.Proxy:
        proxy = httpx.Proxy(address if "://" in address else f"http://{address}")
        url = httpcore.URL(scheme=proxy.url.raw_scheme, host=proxy.url.raw_host, port=proxy.url.port, target=b"/")
        return httpcore.Proxy(url, auth=proxy.raw_auth, ssl_context=self._trust(proxy.url.scheme))

    def _trust(self, scheme: str) -> ssl.SSLContext | None:
        return (self._context or _trusted()) if scheme == "https" else None

    def close(self) -> None:
        """Close the connections; the next request opens them again."""
        free, self._free = self._free, {}
        for kept in [*free.values()]:
            with suppress(IndexError):
                while True:
                    kept.pop().close()


@contextmanager
def _as_httpx() -> Iterator[None]:
    """Turn errors of httpcore into those of httpx, which have the same names."""
    try:
        yield
    except _FAILURES as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error


@functools.cache
def _trusted() -> ssl.SSLContext:
    """Return who is trusted: whom the system trusts, and whom Mozilla does, for some systems have no list."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context


@dataclass
class _Body(httpx.SyncByteStream):
    answer: httpcore.Response
    exchange: Exchange
    keep: Callable[[], None]
    packed: bool

    def __iter__(self) -> Iterator[bytes]:
        with _as_httpx():
            for part in self._unpack() if self.packed else self.answer.iter_stream():
                self.exchange.wait()
                yield part

    def _unpack(self) -> Iterator[bytes]:
        unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
        empty, size = True, 0
        try:
            for packed in self.answer.iter_stream():
                empty = False
                while packed and not unpacker.eof:
                    part = unpacker.decompress(packed, _READ_SIZE)  # little may unpack to very much
                    self.exchange.check_size(size := size + len(part))
                    yield part
                    packed = unpacker.unconsumed_tail
            yield unpacker.flush()
        except zlib.error as error:
            raise httpx.DecodingError(str(error)) from error
        if not (unpacker.eof or empty):
            raise httpx.RemoteProtocolError("what came is compressed, and not whole")

    def close(self) -> None:
        with _as_httpx():
            self.answer.close()
        self.keep()


# Connections ----------------------------------------------------------------------------------------------


class _Network(httpcore.SyncBackend):
    """Opens connections within the bounds of the exchange that comes as their timeout."""

    def connect_tcp(self, host: str, port: int, timeout: float | None = None, *options: Any, **named: Any) -> Any:
        try:
            found = socket.getaddrinfo(host, port, socket.AF_UNSPEC, socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            raise httpcore.ConnectError(error) from error
        failure = httpcore.ConnectError(f"{host} has no address")
        for *_, place in dict.fromkeys(found):
            try:
                # One at a time, for each of them would have all of the time.
                return _Connection(super().connect_tcp(str(place[0]), port, _left(timeout), *options, **named))
            except httpcore.ConnectError as error:
                failure = error
        raise failure


class _Connection(httpcore.NetworkStream):
    """A connection whose reads and writes keep within the bounds of the exchange that comes as their timeout."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        with under_way(self._end), questions.waiting():
            content = self._stream.read(max_bytes, _left(timeout))
        if isinstance(timeout, Exchange):
            timeout.received += len(content)
            timeout.check_size(timeout.received)
        return content

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        for start in range(0, len(buffer), _WRITE_SIZE):
            self._stream.write(buffer[start : start + _WRITE_SIZE], _left(timeout))

    def start_tls(self, ssl_context: ssl.SSLContext, server_hostname: Any = None, timeout: Any = None) -> Self:
        return type(self)(self._stream.start_tls(ssl_context, server_hostname, _left(timeout)))

    def _end(self) -> None:
        """End a read that waits in another thread."""
        if found := self._stream.get_extra_info("socket"):
            found.shutdown(socket.SHUT_RDWR)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)

    def close(self) -> None:
        self._stream.close()


def _left(timeout: float | None) -> float | None:
    return timeout.wait() if isinstance(timeout, Exchange) else timeout
