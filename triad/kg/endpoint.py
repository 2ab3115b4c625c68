"""A graph behind a SPARQL endpoint: Virtuoso, QLever, Fuseki, GraphDB, or any other that speaks the protocol.

SPARQLWrapper writes the requests. What comes back is not taken on trust: it is read up to a size and a
deadline, and everything that servers send in place of a result becomes an error that says what to do about it.
After failures that may pass, the request is sent again.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import email.utils
import hashlib
import html
import http.client
import importlib.metadata
import json
import re
import socket
import ssl
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from email.message import Message
from typing import IO, Any, cast
from typing import Literal as Choice

import tenacity
from SPARQLWrapper import JSON, SPARQLWrapper

from triad.errors import ConfigError, GraphError, QuerySyntaxError, QueryTimeout
from triad.kg import dialects
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.rdf import XSD, Literal, ResultSet, Row, Term

__all__ = ["EndpointGraph"]

LONGEST_GET = 2_000
"""Characters of a query from which on it is sent by POST; some servers refuse long addresses."""

SILENT_CAP = 10_000
"""Rows at which public endpoints tend to cut a result without saying so."""

BACKOFF = tenacity.wait_random_exponential(multiplier=0.5, max=8.0)
"""Waits between tries, in seconds, where the server does not name one."""

TRANSIENT_STATUSES = frozenset({429, 502, 503, 504})
"""HTTP statuses after which the same request may well succeed."""

ASK_VARIABLE = "__ASK_RETVAL"
"""The variable that Virtuoso gives an ASK."""

PEEK_TIMEOUT = 10.0
"""Seconds in which a server may say who it is."""

READ_SIZE = 1 << 16
"""Bytes of an answer that are taken at once."""

ERROR_PAGE_LIMIT = 1 << 16
"""Bytes of an error page that are read."""

EXCERPT = 300
"""Characters of a server's message that an error quotes."""

_BOOLEAN = XSD + "boolean"
_DECIMAL = XSD + "decimal"
_FRACTIONS = frozenset({_DECIMAL, XSD + "double", XSD + "float"})

_TIMED_OUT = re.compile(
    r"Virtuoso S1T|estimated execution time|TimeoutException|(query|operation|evaluation) timed out"
    r"|query timeout|due to timeout|took too long",
    re.IGNORECASE,
)
"""How engines say that a query took too long; few have an HTTP status of its own for it."""


class EndpointGraph(KnowledgeGraph):
    """A SPARQL endpoint.

    >>> graph = EndpointGraph("https://user:secret@example.org/sparql?default-graph-uri=http://example.org/g")
    >>> graph
    EndpointGraph('https://example.org/sparql')
    """

    def __init__(
        self,
        url: str,
        *,
        user: str | None = None,
        password: str | None = None,
        headers: Mapping[str, str] | None = None,
        default_graphs: str | Iterable[str] = (),
        method: Choice["auto", "GET", "POST"] = "auto",
        timeout: float = 60.0,
        row_limit: int = SILENT_CAP - 1,  # Virtuoso refuses to sort for a LIMIT beyond its cap
        byte_limit: int = 50_000_000,
        retries: int = 2,
        prefixes: Mapping[str, str] | None = None,
        dialect: str | None = None,
    ) -> None:
        """Note the address; nothing is sent before the first query.

        Args:
            url: The address. A user and password in it are taken for basic authentication, and its parameters
                are sent with each query.
            user: The user for basic authentication.
            password: The password that goes with it.
            headers: HTTP headers to send, such as ``{"Authorization": "Bearer …"}``.
            default_graphs: IRIs of the graphs to query, in place of the endpoint's own default.
            method: The HTTP method; ``auto`` is GET for short queries and POST for long ones.
            timeout: Seconds that a query may take unless it is told otherwise, further tries included.
            row_limit: Rows that a result may have.
            byte_limit: Bytes that an answer may have.
            retries: How often a request is sent again after a failure that may pass.
            prefixes: Namespaces by prefix, to show queries with.
            dialect: Whose server it is, one of `triad.kg.dialects.DIALECTS`; found out if it is not named.

        Raises:
            ConfigError: The address, the method, a header or the dialect cannot be used.
        """
        address = _parse_address(url)
        if method not in ("auto", "GET", "POST"):
            raise ConfigError(f"the method {method!r} is not one of 'auto', 'GET' and 'POST'")
        if dialect is not None and dialect not in dialects.DIALECTS:
            raise ConfigError(f"there is no dialect {dialect!r} of SPARQL; known are {', '.join(dialects.DIALECTS)}")
        self.name = urllib.parse.urlunsplit((address.scheme, _host(address), address.path, "", ""))
        self.timeout = timeout
        self.row_limit = row_limit
        self.prefixes = dict(prefixes or {})
        self.concurrency = 8
        self._byte_limit = byte_limit
        self._method = method
        self._retries = retries
        self._parameters = urllib.parse.parse_qsl(address.query)
        graphs = [default_graphs] if isinstance(default_graphs, str) else default_graphs
        self._parameters += [("default-graph-uri", graph) for graph in graphs]
        self._headers = {"User-Agent": _user_agent(), "Accept-Encoding": "gzip", **(headers or {})}
        self._dialect = dialect
        self._dialect_lock = threading.Lock()
        if user is None and address.username is not None:
            user = urllib.parse.unquote(address.username)
            password = urllib.parse.unquote(address.password or "") if password is None else password
        if user is not None:
            credentials = f"{user}:{password or ''}".encode()
            self._headers.setdefault("Authorization", f"Basic {base64.b64encode(credentials).decode()}")
        for header, value in self._headers.items():
            _check_header(header, value)

    def __repr__(self) -> str:
        return f"EndpointGraph({self.name!r})"

    @property
    def fingerprint(self) -> str:
        """A short text that differs for another address, and for other graphs at it."""
        return hashlib.sha256(repr((self.name, sorted(self._parameters))).encode()).hexdigest()[:32]

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        """Run a SELECT query."""
        return self._run(query, self.timeout if timeout is None else timeout)

    def lookup(self, query: str) -> ResultSet:
        """Run a small query of Triad's own; where the server caps the rows, the others are fetched, too."""
        deadline = time.monotonic() + self.timeout
        answer = self._send(query, self.timeout)
        result, page_size = answer.result, len(answer.result)
        if not answer.capped or page_size >= self.row_limit:
            return result
        # Pages need an order, which the first answer did not have.
        rows: list[Row] = []
        while answer.capped and len(rows) <= self.row_limit:
            page = _page(query, result.variables, page_size, len(rows))
            answer = self._send(page, max(deadline - time.monotonic(), 0.001))
            rows += answer.result.rows
            answer.capped = len(answer.result) == page_size
        cut = len(rows) > self.row_limit or answer.result.truncated
        return ResultSet(result.variables, tuple(rows[: self.row_limit]), truncated=cut)

    @property
    def dialect(self) -> str:
        """Whose server it is, found out on first use.

        Raises:
            GraphError: It is not known yet, and the server does not answer.
        """
        with self._dialect_lock:
            if self._dialect is None:
                headers = self._send("SELECT ?thing WHERE { ?thing a ?class } LIMIT 1", self.timeout).headers
                self._dialect = dialects.detect(dict(headers), self._peek)
            return self._dialect

    def _peek(self, parameters: Mapping[str, str]) -> str:
        """Send a request that is no query, and return what is answered; nothing if that is an error."""
        own = [(name, value) for name, value in self._parameters if name != "default-graph-uri"]
        query = urllib.parse.urlencode([*own, *parameters.items()])
        headers = {**self._headers, "Accept": "text/turtle, application/rdf+xml;q=0.5, */*;q=0.1"}
        request = urllib.request.Request(f"{self.name}?{query}" if query else self.name, headers=headers)
        seconds = min(self.timeout, PEEK_TIMEOUT)
        deadline = time.monotonic() + seconds
        try:
            with _OPENER.open(request, timeout=seconds) as response:
                return _read(response, ERROR_PAGE_LIMIT, deadline).decode(errors="replace")
        except (OSError, http.client.HTTPException, zlib.error):
            return ""

    def _run(self, query: str, timeout: float) -> ResultSet:
        return self._send(query, timeout).result

    def _send(self, query: str, timeout: float) -> _Answer:
        deadline = time.monotonic() + timeout
        tries = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, _Failure) and error.transient),
            wait=_wait,
            stop=tenacity.stop_after_attempt(1 + self._retries) | tenacity.stop_before_delay(timeout),
            reraise=True,
        )
        try:
            return tries(self._try, query, timeout, deadline)
        except _Failure as failure:
            raise failure.error from failure.__cause__

    def _try(self, query: str, timeout: float, deadline: float) -> _Answer:
        remaining = max(deadline - time.monotonic(), 0.001)
        request = _Request(self.name, query, self._headers, self._parameters, remaining)
        long = len(query) >= LONGEST_GET
        request.setMethod(self._method if self._method != "auto" else "POST" if long else "GET")
        try:
            with request.query().response as response:
                body = _read(response, self._byte_limit, deadline)
                headers = response.headers
        except (OSError, http.client.HTTPException, UnicodeError, zlib.error) as error:
            raise _translate(error, self.name, timeout, deadline) from error
        if len(body) > self._byte_limit:
            raise GraphError(f"the answer of {self.name!r} has more than {self._byte_limit:,} bytes; a LIMIT helps")
        result = self._parse(body)
        partial = headers.get("X-SQL-State") == "S1TAT"  # Virtuoso's anytime queries give what they found in time
        if partial and not result.rows and not result.boolean:
            raise QueryTimeout(f"{self.name!r} gave up on the query: it found nothing in its time")
        capped = not partial and _was_capped(len(result), headers, query)
        cut = len(result) > self.row_limit or capped or partial
        result = dataclasses.replace(result, rows=result.rows[: self.row_limit], truncated=cut)
        return _Answer(result, headers, capped)

    def _parse(self, body: bytes) -> ResultSet:
        text = body.decode("utf-8-sig", errors="replace")  # one broken literal does not spoil the rest
        try:
            result = ResultSet.from_sparql_json(json.loads(text, strict=False))
            # Virtuoso 7.2.5 answers an ASK with a row if it is true, and with none if it is not.
            if result.variables == (ASK_VARIABLE,):
                return ResultSet(boolean=bool(result.rows))
            return dataclasses.replace(result, rows=tuple(tuple(map(_written_out, row)) for row in result.rows))
        except json.JSONDecodeError as error:
            if _TIMED_OUT.search(text):
                raise QueryTimeout(f"{self.name!r} gave up on the query: {_excerpt(text)}") from error
            if text.lstrip().startswith("{"):
                raise GraphError(f"the answer of {self.name!r} was cut off after {len(body):,} bytes") from error
            raise GraphError(
                f"{self.name!r} sent no SPARQL result but {_excerpt(text) or 'nothing'!r}; "
                "is it the address of a SPARQL service?"
            ) from error
        except (ValueError, RecursionError) as error:
            raise GraphError(f"{self.name!r} sent JSON that is no SPARQL result: {_excerpt(text)!r}") from error


@dataclass
class _Answer:
    """What a server sent."""

    result: ResultSet
    headers: Message
    capped: bool
    """Whether it cut the rows at a number of its own, without having been asked to."""


def _page(query: str, variables: Iterable[str], size: int, start: int) -> str:
    """Return the query for a part of another query's rows.

    The order is that of a sub-query because Virtuoso sorts no more than its cap on rows at the outermost level.
    """
    names = " ".join(f"?{name}" for name in variables)
    ordered = f"SELECT {names} WHERE {{ {{ {query} }} }} ORDER BY {names}"
    return f"SELECT {names} WHERE {{ {{ {ordered} }} }} LIMIT {size} OFFSET {start}"


# Requests -------------------------------------------------------------------------------------------------


class _Request(SPARQLWrapper):
    """One query on its way; SPARQLWrapper is not safe to share between threads."""

    def __init__(
        self,
        url: str,
        query: str,
        headers: Mapping[str, str],
        parameters: Iterable[tuple[str, str]],
        seconds: float,
    ) -> None:
        super().__init__(url, returnFormat=JSON)
        self._seconds = seconds  # setTimeout would cut it to whole seconds, and less than one to no limit
        self.setOnlyConneg(True)
        # Not setQuery, which finds out the form of a query with regular expressions that a comment misleads.
        self.queryString = query
        for name, value in headers.items():
            self.addCustomHttpHeader(name, value)
        for name, value in parameters:
            self.addParameter(name, value)

    def _query(self) -> tuple[Any, str]:
        """Send the request with an opener of our own, which minds where credentials go."""
        return _OPENER.open(self._createRequest(), timeout=self._seconds), self.returnFormat


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirections with method, query and, on the same server only, the user's headers."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        if not _is_address(newurl):
            return None
        kept = ("Accept", "User-agent", "Content-type")
        same = _same_server(req.full_url, newurl)
        sent = {name: value for name, value in req.headers.items() if same or name in kept}
        return urllib.request.Request(newurl, req.data, sent, req.origin_req_host, True, req.get_method())


_OPENER = urllib.request.build_opener(_Redirects)


def _same_server(url: str, other: str) -> bool:
    """Tell whether two addresses have the same origin, or the second is the first with TLS."""
    one, two = _origin(url), _origin(other)
    return one == two or (one, two) == (("http", one[1], 80), ("https", one[1], 443))


def _origin(url: str) -> tuple[str, str | None, int]:
    address = urllib.parse.urlsplit(url)
    return address.scheme, address.hostname, address.port or {"http": 80, "https": 443}[address.scheme]


def _parse_address(url: str) -> urllib.parse.SplitResult:
    # What cannot be parsed is not quoted in the errors: it may hold a password.
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigError("the address of the endpoint has blanks or characters beyond ASCII; percent-encode them")
    if not _is_address(url):
        raise ConfigError("the address of the endpoint is malformed; it must look like 'https://example.org/sparql'")
    return urllib.parse.urlsplit(url)


def _is_address(url: str) -> bool:
    try:
        address = urllib.parse.urlsplit(url)
        return address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:
        return False


def _host(address: urllib.parse.SplitResult) -> str:
    return address.netloc.rpartition("@")[2]


def _check_header(name: str, value: str) -> None:
    if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
        raise ConfigError(f"{name!r} cannot be the name of an HTTP header")
    if not re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value):
        raise ConfigError(f"the HTTP header {name!r} has line breaks or characters beyond Latin-1 in its value")


def _user_agent() -> str:
    return f"triad-kgqa/{importlib.metadata.version('triad-kgqa')} (question answering over knowledge graphs)"


# Answers --------------------------------------------------------------------------------------------------


def _read(response: http.client.HTTPResponse, limit: int, deadline: float) -> bytes:
    """Read up to one byte more than the limit, chunk by chunk so that a slow server meets the deadline."""
    chunks = []
    size = 0
    for chunk in _unpack(response):
        chunks.append(chunk[: limit + 1 - size])
        size += len(chunk)
        if size > limit:
            break
        if time.monotonic() > deadline:
            raise TimeoutError("the deadline has passed")
    return b"".join(chunks)


def _unpack(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Yield the content of an answer, which may be compressed, in small chunks."""
    encoding = (response.headers.get("Content-Encoding") or "identity").lower()
    if encoding not in ("gzip", "x-gzip", "deflate"):
        while chunk := response.read1(READ_SIZE):
            yield chunk
        return
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 32)
    while packed := response.read1(READ_SIZE):
        while packed and not unpacker.eof:
            yield unpacker.decompress(packed, READ_SIZE)  # in parts, as little may unpack to very much
            packed = unpacker.unconsumed_tail
    if not unpacker.eof:
        raise http.client.IncompleteRead(b"")


def _written_out(term: Term | None) -> Term | None:
    """Return a boolean or a fraction as an embedded graph writes it; of servers each has a way of its own."""
    if not isinstance(term, Literal):
        return term
    if term.datatype == _BOOLEAN and term.value in ("0", "1"):  # Virtuoso
        return Literal("true" if term.value == "1" else "false", _BOOLEAN)
    if term.datatype in _FRACTIONS:  # 330 is 330.0 for Virtuoso and 330.0e0 for Fuseki
        try:
            number = Decimal(term.value if term.datatype == _DECIMAL else repr(float(term.value)))
        except (ValueError, ArithmeticError):
            return term
        if number.is_finite():
            text = f"{number:f}"
            text = text.rstrip("0").rstrip(".") if "." in text else text
            return Literal("0" if text == "-0" else text, term.datatype)
    return term


def _was_capped(rows: int, headers: Message, query: str) -> bool:
    limits = {int(number) for number in re.findall(r"\bLIMIT\s+(\d+)", query, re.IGNORECASE)}
    caps = {SILENT_CAP, *map(int, re.findall(r"^\d+$", headers.get("X-SPARQL-MaxRows", "")))}
    return rows in caps - limits


def _excerpt(text: str) -> str:
    """Return the beginning of what a page says, without its markup."""
    if re.search(r"</\w+>", text):  # HTML, and not a message with IRIs in angle brackets
        text = html.unescape(re.sub(r"(?is)<(script|style)\b.*?</\1>|<[^>]*>", " ", text))
    text = " ".join(text.split())
    return text if len(text) <= EXCERPT else text[:EXCERPT] + "…"


# Failures -------------------------------------------------------------------------------------------------


class _Failure(Exception):
    """What became of a try: an error, and whether another try may fare better."""

    def __init__(self, error: GraphError, *, transient: bool = False, retry_after: float | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.transient = transient
        self.retry_after = retry_after


def _wait(state: tenacity.RetryCallState) -> float:
    failure = state.outcome.exception() if state.outcome else None
    if isinstance(failure, _Failure) and failure.retry_after is not None:
        return failure.retry_after
    return BACKOFF(state)


def _translate(
    error: OSError | http.client.HTTPException | UnicodeError | zlib.error, name: str, timeout: float, deadline: float
) -> _Failure:
    """Say in Triad's words what the HTTP client met with."""
    if isinstance(error, urllib.error.HTTPError):
        return _refusal(error, name, deadline)
    reason = error.reason if isinstance(error, urllib.error.URLError) else error
    match reason:
        case TimeoutError():
            return _Failure(QueryTimeout(f"{name!r} did not answer in {timeout:g} seconds"))
        case socket.gaierror() | UnicodeError():
            return _Failure(GraphError(f"there is no host of this name: {name!r}"))
        case ssl.SSLError():
            return _Failure(GraphError(f"cannot talk securely to {name!r}: {reason}"))
        case ConnectionRefusedError():
            return _Failure(GraphError(f"nothing answers at {name!r}: connection refused"), transient=True)
        case http.client.IncompleteRead():
            return _Failure(GraphError(f"the answer of {name!r} was cut off"), transient=True)
        case zlib.error():
            return _Failure(GraphError(f"the answer of {name!r} is compressed, and damaged: {reason}"))
    return _Failure(GraphError(f"the connection to {name!r} failed: {reason}"), transient=True)


def _refusal(error: urllib.error.HTTPError, name: str, deadline: float) -> _Failure:
    with contextlib.closing(error):
        try:
            page = _read(cast(http.client.HTTPResponse, error.fp), ERROR_PAGE_LIMIT, deadline).decode(errors="replace")
        except (OSError, http.client.HTTPException, zlib.error):
            page = ""
    excerpt = _excerpt(page)
    status = f"HTTP {error.code} {error.reason}"
    says = f"{status}: {excerpt}" if excerpt else status
    if _TIMED_OUT.search(page) or error.code == 408:
        return _Failure(QueryTimeout(f"{name!r} gave up on the query: {says}"))
    match error.code:
        case 400:
            failure: GraphError = QuerySyntaxError(f"{name!r} does not accept the query: {excerpt or status}")
        case 401 | 403:
            failure = GraphError(f"{name!r} refuses access ({status}); check user, password and headers")
        case 404 | 410:
            failure = GraphError(f"there is no SPARQL service at this address: {name!r} ({status})")
        case 414:
            failure = GraphError(f"the query is too long for {name!r} ({status}); use method='POST'")
        case 429:
            failure = GraphError(f"{name!r} asks for fewer requests ({says})")
        case 504:
            failure = QueryTimeout(f"{name!r} did not answer its gateway in time ({status})")
        case _:
            failure = GraphError(f"{name!r} failed ({says})")
    transient = error.code in TRANSIENT_STATUSES
    return _Failure(failure, transient=transient, retry_after=_retry_after(error.headers))


def _retry_after(headers: Message) -> float | None:
    """Return the seconds that the server asks to wait for, given as a number or as a date."""
    value = headers.get("Retry-After", "")
    if value.isdecimal():
        return float(value)
    try:
        moment = email.utils.parsedate_to_datetime(value)
    except ValueError:
        return None
    return max(moment.timestamp() - time.time(), 0.0)
