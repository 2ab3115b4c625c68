"""A graph behind a SPARQL endpoint: Virtuoso, QLever, Fuseki, GraphDB, or any other that speaks the protocol.

SPARQLWrapper writes the requests. An answer is read up to a size and a deadline, and is checked. Whatever a server
sends in place of a result becomes an error that says what to do about it. After a transient failure, the request is
sent again.
"""

import base64
import contextlib
import copy
import dataclasses
import hashlib
import importlib.metadata
import re
import threading
import urllib.parse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal as Choice, Self

import httpx
import tenacity
from SPARQLWrapper import JSON, SPARQLWrapper

from triad import sparql
from triad.admission import questions
from triad.deadline import Deadline
from triad.errors import ConfigError, GraphError, QueryRejected, QueryTimeout
from triad.http import Exchange, beginning, client
from triad.kg import dialects, results
from triad.kg.base import ROW_LIMIT, KnowledgeGraph, SafeQuery
from triad.naming import among
from triad.rdf import ResultSet, Row
from triad.sparql.patterns import GraphPart
from triad.strict import Amount, Seconds

ROWS: Final = min(ROW_LIMIT, results.SILENT_CAP - 1)
"""Rows that a result may have; Virtuoso refuses to sort for a LIMIT beyond its cap."""

_LONGEST_GET: Final = 2_000
"""Characters of a query from which on it is sent by POST, as some servers refuse long addresses."""

BACKOFF = tenacity.wait_random_exponential(multiplier=0.5, max=8.0)
"""Waits between tries, in seconds, where the server does not name one."""

_PEEK_TIMEOUT: Final = 10.0  # seconds that the detection of a server's dialect may take

_DATASET: Final = ("default-graph-uri", "named-graph-uri")
"""Parameters of the SPARQL protocol that name the graphs to query."""


@dataclass
class _Answer:
    result: ResultSet
    headers: Mapping[str, str]
    capped: bool  # whether the server cut the rows at a limit of its own


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
        default_graphs: str | Sequence[str] = (),
        only_graphs: str | Sequence[str] = (),
        method: Choice["auto", "GET", "POST"] = "auto",
        timeout: Seconds = 60.0,
        row_limit: Amount = ROWS,
        byte_limit: Amount = 50_000_000,
        retries: Amount = 2,
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
            only_graphs: IRIs of the named graphs that exist for whoever asks, whatever the address names. Queries with
                ``GRAPH`` are refused then, for by them some servers show others.
            method: The HTTP method; ``auto`` is GET for short queries and POST for long ones.
            timeout: Seconds that a query may take unless it is told otherwise, further tries included.
            row_limit: Rows that a result may have.
            byte_limit: Bytes that an answer may have, in packed form and unpacked.
            retries: How often a request is sent again after a transient failure.
            prefixes: Namespaces by prefix, to show queries with.
            dialect: The server's dialect, one of `triad.kg.dialects.DIALECTS`; by default it is detected.

        Raises:
            ConfigError: The address, the method, a header or the dialect cannot be used.
        """
        address = _parse_address(url)
        if method not in ("auto", "GET", "POST"):
            raise ConfigError(f"the method {method!r} is not one of 'auto', 'GET' and 'POST'")
        if dialect is not None and dialect not in dialects.DIALECTS:
            known = among(dialects.DIALECTS, dialect)
            raise ConfigError(f"there is no dialect {dialect!r} of SPARQL; known are {known}")
        self.name = urllib.parse.urlunsplit((address.scheme, address.netloc.rpartition("@")[2], address.path, "", ""))
        self.timeout = timeout
        self.row_limit = row_limit
        self.prefixes = dict(prefixes or {})
        self.concurrency = 8
        self._byte_limit = byte_limit
        self._method = method
        self._retries = retries
        self._parameters = urllib.parse.parse_qsl(address.query)
        self._parameters += [("default-graph-uri", graph) for graph in _each(default_graphs)]
        self._only = _each(only_graphs)
        if self._only:
            self._parameters = [one for one in self._parameters if one[0] not in _DATASET]
            self._parameters += [(name, graph) for graph in self._only for name in _DATASET]
        version = importlib.metadata.version("triad-kgqa")
        agent = f"triad-kgqa/{version} (question answering over knowledge graphs)"
        sent = {"User-Agent": agent, "Accept-Encoding": "gzip", **(headers or {})}
        self._dialect = dialect
        self._dialect_lock = threading.Lock()
        if user is None and address.username is not None:
            user = urllib.parse.unquote(address.username)
            password = urllib.parse.unquote(address.password or "") if password is None else password
        if user is not None:
            credentials = f"{user}:{password or ''}".encode()
            sent.setdefault("Authorization", f"Basic {base64.b64encode(credentials).decode()}")
        self._headers = {header.encode(): _sendable(header, value) for header, value in sent.items()}
        self._client = client()

    def __repr__(self) -> str:
        return f"EndpointGraph({self.name!r})"

    @property
    def fingerprint(self) -> str:
        """A short text that differs for another address, other graphs at it, and who asks there, who may see others."""
        asked = self.name, sorted(self._parameters), sorted(self._headers.items())
        return hashlib.sha256(repr(asked).encode()).hexdigest()[:32]

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        """Run a SELECT query."""
        if self._only and any(sparql.nodes(query.graph or sparql.parse(query), GraphPart)):
            raise QueryRejected("GRAPH is not allowed here: all that may be seen is found without it")
        return self._send(query, self.timeout if timeout is None else timeout).result

    def lookup(self, query: str) -> ResultSet:
        """Run a small query of Triad's own; where the server caps the rows, the others are fetched, too."""
        deadline = Deadline(self.timeout)
        answer = self._send(query, self.timeout)
        result, page_size = answer.result, len(answer.result)
        if not answer.capped or page_size >= self.row_limit:
            return result
        # Pages need an order, which the first answer did not have.
        rows: list[Row] = []
        while answer.capped and len(rows) <= self.row_limit:
            answer = self._send(_page(query, result.variables, page_size, len(rows)), max(deadline.left, 0.001))
            rows += answer.result.rows
            answer.capped = len(answer.result) == page_size
        cut = len(rows) > self.row_limit or answer.result.truncated
        return ResultSet(result.variables, tuple(rows[: self.row_limit]), truncated=cut)

    def limited(self, seconds: float) -> Self:
        """Return the same endpoint with no more than so many seconds for a look-up; the connections are shared."""
        if seconds >= self.timeout:
            return self
        other = copy.copy(self)
        other.timeout = seconds
        return other

    @property
    def dialect(self) -> str:
        """The server's dialect, detected on first use.

        Raises:
            GraphError: It is not known yet, and the server does not answer.
        """
        with questions.waiting(), self._dialect_lock:
            if self._dialect is None:
                headers = self._send("SELECT ?thing WHERE { ?thing a ?class } LIMIT 1", self.timeout).headers
                self._dialect = dialects.detect(dict(headers), self._peek)
            return self._dialect

    def close(self) -> None:
        """Close the connections to the server; the next query opens them again."""
        self._client.close()
        self._client = client()

    def _peek(self, parameters: Mapping[str, str]) -> str:
        """Send a request without a query, and return the answer; an empty text if it is an error."""
        own = [(name, value) for name, value in self._parameters if name not in _DATASET]
        query = urllib.parse.urlencode([*own, *parameters.items()])
        headers = self._headers | {b"Accept": b"text/turtle, application/rdf+xml;q=0.5, */*;q=0.1"}
        exchange = Exchange(min(self.timeout, _PEEK_TIMEOUT))
        url = f"{self.name}?{query}" if query else self.name
        try:
            with self._client.stream("GET", url, headers=headers, extensions={"exchange": exchange}) as response:
                page = beginning(response, results.ERROR_PAGE_LIMIT) if response.is_success else b""
                return page.decode(errors="replace")
        except (httpx.HTTPError, httpx.InvalidURL):
            return ""

    def _send(self, query: str, timeout: float) -> _Answer:
        deadline = Deadline(timeout)
        tries = tenacity.Retrying(
            retry=tenacity.retry_if_exception(lambda error: isinstance(error, results.Fault) and error.transient),
            wait=_wait,
            stop=tenacity.stop_after_attempt(1 + self._retries) | tenacity.stop_before_delay(timeout),
            sleep=questions.waiting()(tenacity.nap.sleep),
            reraise=True,
        )
        try:
            return tries(self._try, query, timeout, deadline)
        except results.Fault as fault:
            raise fault.error from fault.__cause__

    def _try(self, query: str, timeout: float, deadline: Deadline) -> _Answer:
        exchange = Exchange(max(deadline.left, 0.001), self._byte_limit, repeatable=True)
        try:
            with contextlib.closing(self._client.send(self._request(query, exchange), stream=True)) as response:
                if not response.is_success:
                    raise results.of_status(response, self.name)
                body = self._receive(response)
        except UnicodeEncodeError as error:
            raise GraphError(f"the query for {self.name!r} has half a surrogate pair") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise results.of_connection(error, self.name, timeout) from error
        headers = response.headers
        result = results.read_result(body, self.name, byte_limit=self._byte_limit)
        partial = headers.get("X-SQL-State") == "S1TAT"  # Virtuoso's anytime queries give what they found in time
        if partial and not result.rows and not result.boolean:
            raise QueryTimeout(f"{self.name!r} gave up on the query: it found nothing in its time")
        capped = not partial and results.was_capped(len(result), headers, query)
        cut = len(result) > self.row_limit or capped or partial
        result = dataclasses.replace(result, rows=result.rows[: self.row_limit], truncated=cut)
        return _Answer(result, headers, capped)

    def _request(self, query: str, exchange: Exchange) -> httpx.Request:
        """Return the request that SPARQLWrapper writes as httpx sends it."""
        method = self._method if self._method != "auto" else "POST" if len(query) >= _LONGEST_GET else "GET"
        wrapper = SPARQLWrapper(self.name, returnFormat=JSON)  # which several threads cannot share
        wrapper.setOnlyConneg(True)
        wrapper.setMethod(method)
        for name, value in self._parameters:
            wrapper.addParameter(name, value)
        # Not setQuery, which finds out the form of a query with regular expressions that a comment misleads.
        wrapper.queryString = query
        written = wrapper._createRequest()
        return self._client.build_request(
            method,
            written.full_url,
            content=written.data if isinstance(written.data, bytes) else None,
            headers={name.title().encode(): value.encode() for name, value in written.header_items()} | self._headers,
            extensions={"exchange": exchange},
        )

    def _receive(self, response: httpx.Response) -> bytearray:
        body = bytearray()
        try:
            for chunk in response.iter_raw():
                body += chunk
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            raise results.of_half(body, self.name) from error
        return body


def _page(query: str, variables: Iterable[str], size: int, start: int) -> str:
    """Return the query for a part of another query's rows.

    The order is that of a sub-query because Virtuoso sorts no more than its cap on rows at the outermost level.
    """
    names = " ".join(f"?{name}" for name in variables)
    ordered = f"SELECT {names} WHERE {{ {{ {query} }} }} ORDER BY {names}"
    return f"SELECT {names} WHERE {{ {{ {ordered} }} }} LIMIT {size} OFFSET {start}"


def _parse_address(url: str) -> urllib.parse.SplitResult:
    # What cannot be parsed is not quoted in the errors: it may hold a password.
    if not url.isascii() or not url.isprintable() or " " in url:
        raise ConfigError("the address of the endpoint has blanks or characters beyond ASCII; percent-encode them")
    try:
        address = urllib.parse.urlsplit(url)
        usable = address.scheme in ("http", "https") and bool(address.hostname) and address.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ConfigError("the address of the endpoint is malformed; it must look like 'https://example.org/sparql'")
    return address


def _each(graphs: str | Sequence[str]) -> Sequence[str]:
    return [graphs] if isinstance(graphs, str) else graphs


def _sendable(name: str, value: str) -> bytes:
    """Return the value of a header as it is sent; a `ConfigError` if the header cannot be sent."""
    if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name):
        raise ConfigError(f"{name!r} cannot be the name of an HTTP header")
    if not re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", value):
        raise ConfigError(f"the HTTP header {name!r} has line breaks or characters beyond Latin-1 in its value")
    return value.strip().encode("latin-1")


def _wait(state: tenacity.RetryCallState) -> float:
    fault = state.outcome.exception() if state.outcome else None
    if isinstance(fault, results.Fault) and fault.retry_after is not None:
        return fault.retry_after
    return BACKOFF(state)
