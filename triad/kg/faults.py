"""Failures of a SPARQL server as Triad's errors, and which of them are transient."""

from __future__ import annotations

import socket
import ssl
from typing import Final

import httpx

from triad.errors import GraphError, QuerySyntaxError, QueryTimeout
from triad.http import AnswerTooLarge, beginning, reason, retry_after
from triad.kg.results import excerpt, gave_up

__all__ = ["ERROR_PAGE_LIMIT", "Fault", "of_connection", "of_half", "of_status"]

TRANSIENT_STATUSES: Final = frozenset({429, 502, 503, 504})
"""HTTP statuses after which the same request may succeed later."""

ERROR_PAGE_LIMIT: Final = 1 << 16
"""Bytes of an error page that are read."""


class Fault(Exception):
    """A failed try: its error, and whether another try may succeed."""

    def __init__(self, error: GraphError, *, transient: bool = False, retry_after: float | None = None) -> None:
        super().__init__(error)
        self.error = error
        self.transient = transient
        self.retry_after = retry_after
        """Seconds to wait before the next try, if the server names them."""


def of_connection(error: httpx.HTTPError | httpx.InvalidURL, name: str, timeout: float) -> Fault:
    """Return the fault for an exception of the HTTP client."""
    match error:
        case httpx.TimeoutException():
            return Fault(QueryTimeout(f"{name!r} did not answer in {timeout:g} seconds"))
        case AnswerTooLarge():
            return Fault(GraphError(f"the answer of {name!r} has {error}; a LIMIT helps"))
        case httpx.DecodingError():
            return Fault(GraphError(f"the answer of {name!r} is compressed, and damaged: {error}"))
        case httpx.InvalidURL():
            return Fault(GraphError(f"the query is too long for the address of {name!r}; use method='POST'"))
    match cause := reason(error):
        case socket.gaierror() | UnicodeError():
            return Fault(GraphError(f"there is no host of this name: {name!r}"))
        case ssl.SSLError():
            return Fault(GraphError(f"cannot talk securely to {name!r}: {cause}"))
        case ConnectionRefusedError():
            return Fault(GraphError(f"nothing answers at {name!r}: connection refused"), transient=True)
    return Fault(GraphError(f"the connection to {name!r} failed: {cause}"), transient=True)


def of_half(body: bytes | bytearray, name: str) -> Fault:
    """Return the fault for an answer that was cut off."""
    text = body.decode(errors="replace")
    if gave_up(text):
        return Fault(QueryTimeout(f"{name!r} gave up on the query: {excerpt(text)}"))
    return Fault(GraphError(f"the answer of {name!r} was cut off after {len(body):,} bytes"), transient=True)


def of_status(response: httpx.Response, name: str) -> Fault:
    """Return the fault for an answer with the HTTP status of an error."""
    page = beginning(response, ERROR_PAGE_LIMIT).decode(errors="replace")
    message = excerpt(page)
    status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
    says = f"{status}: {message}" if message else status
    if gave_up(page) or response.status_code == 408:
        return Fault(QueryTimeout(f"{name!r} gave up on the query: {says}"))
    match response.status_code:
        case 400:
            error: GraphError = QuerySyntaxError(f"{name!r} does not accept the query: {message or status}")
        case 401 | 403:
            error = GraphError(f"{name!r} refuses access ({status}); check user, password and headers")
        case 404 | 410:
            error = GraphError(f"there is no SPARQL service at this address: {name!r} ({status})")
        case 414:
            error = GraphError(f"the query is too long for {name!r} ({status}); use method='POST'")
        case 429:
            error = GraphError(f"{name!r} asks for fewer requests ({says})")
        case 504:
            error = QueryTimeout(f"{name!r} did not answer its gateway in time ({status})")
        case _:
            error = GraphError(f"{name!r} failed ({says})")
    transient = response.status_code in TRANSIENT_STATUSES
    return Fault(error, transient=transient, retry_after=retry_after(response.headers))
