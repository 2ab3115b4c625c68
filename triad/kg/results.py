"""What SPARQL servers send: results, checked and brought into one form, and failures, as Triad's errors."""

import dataclasses
import html
import json
import re
import socket
import ssl
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Final

import httpx

from triad.errors import GraphError, QuerySyntaxError, QueryTimeout
from triad.http import AnswerTooLarge, beginning, number, read_json, reason, retry_after
from triad.rdf import XSD, Literal, ResultSet, Term
from triad.text import quoted, shortened

SILENT_CAP: Final = 10_000
"""Rows at which public endpoints tend to cut a result without notice."""

_TRANSIENT_STATUSES: Final = frozenset({429, 502, 503, 504})
"""HTTP statuses after which the same request may succeed later."""

ERROR_PAGE_LIMIT: Final = 1 << 16
"""Bytes of an error page that are read."""

_ASK_VARIABLE: Final = "__ASK_RETVAL"  # the variable that Virtuoso gives an ASK

_EXCERPT: Final = 300  # characters of a server's message that an error quotes

_CELL: Final = 8  # bytes that a value of a table takes even where there is none

_LARGEST_EXPONENT: Final = 400  # powers of ten up to which a number is written out; those of doubles end at 308

_BOOLEAN: Final = XSD + "boolean"
_DECIMAL: Final = XSD + "decimal"
_FRACTIONS: Final = frozenset({_DECIMAL, XSD + "double", XSD + "float"})

_TIMED_OUT: Final = re.compile(
    r"Virtuoso S1T|estimated execution time|TimeoutException|(query|operation|evaluation) timed out"
    r"|query timeout|due to timeout|took too long",
    re.IGNORECASE,
)
"""Messages of engines about a timeout; few engines use an HTTP status of its own for it."""


def read_result(body: bytes | bytearray, name: str, *, byte_limit: int) -> ResultSet:
    """Return the result that a server sent in JSON.

    ``byte_limit`` is what the table of the values may take where it is empty.

    Raises:
        QueryTimeout: It is a message that the query took too long.
        GraphError: It is no result, an incomplete one, or too large.
    """
    text = body.decode("utf-8-sig", errors="replace")  # one broken literal does not spoil the rest
    try:
        data = read_json(text)
        _check_size(data, name, byte_limit)
        result = ResultSet.from_sparql_json(data)
    except json.JSONDecodeError as error:
        if _gave_up(text):
            raise QueryTimeout(f"{name!r} gave up on the query: {excerpt(text)}") from error
        if text.lstrip().startswith("{"):
            raise GraphError(f"the answer of {name!r} was cut off after {len(body):,} bytes") from error
        raise GraphError(
            f"{name!r} sent no SPARQL result but {excerpt(text) or 'nothing'}; is it the address of a SPARQL service?"
        ) from error
    except (ValueError, RecursionError) as error:
        raise GraphError(f"{name!r} sent JSON that is no SPARQL result: {excerpt(text)}") from error
    # Virtuoso 7.2.5 answers an ASK with a row if it is true, and with none if it is not.
    if result.variables == (_ASK_VARIABLE,):
        return ResultSet(boolean=bool(result.rows))
    return dataclasses.replace(result, rows=tuple(tuple(map(_written_out, row)) for row in result.rows))


def _check_size(data: Any, name: str, byte_limit: int) -> None:
    """Raise an error if the table of the values is too large; a few bytes may stand for very many empty ones."""
    try:
        columns, rows = len(data["head"]["vars"]), len(data["results"]["bindings"])
    except (KeyError, TypeError):
        return  # it is no table
    if columns * rows * _CELL > byte_limit:
        raise GraphError(f"the answer of {name!r} has {rows:,} rows of {columns:,} variables; a LIMIT helps")


def _written_out(term: Term | None) -> Term | None:
    """Return a boolean or a fraction in the form that an embedded graph uses; the forms of servers differ."""
    if not isinstance(term, Literal):
        return term
    if term.datatype == _BOOLEAN and term.value in ("0", "1"):  # Virtuoso
        return Literal("true" if term.value == "1" else "false", _BOOLEAN)
    if term.datatype in _FRACTIONS:  # 330 is 330.0 for Virtuoso and 330.0e0 for Fuseki
        try:
            fraction = Decimal(term.value if term.datatype == _DECIMAL else repr(float(term.value)))
        except (ValueError, ArithmeticError):
            return term
        scale = max(abs(fraction.adjusted()), len(fraction.as_tuple().digits)) if fraction.is_finite() else 0
        if fraction.is_finite() and scale <= max(_LARGEST_EXPONENT, len(term.value)):
            text = f"{fraction:f}"
            text = text.rstrip("0").rstrip(".") if "." in text else text
            return Literal("0" if text == "-0" else text, term.datatype)
    return term


def was_capped(rows: int, headers: Mapping[str, str], query: str) -> bool:
    """Return whether a server cut a result at a limit of its own."""
    limits = {int(limit) for limit in re.findall(r"\bLIMIT\s+([0-9]{1,18})\b", query, re.IGNORECASE)}
    caps = {SILENT_CAP, number(headers.get("X-SPARQL-MaxRows"))}
    return rows in caps - limits - {0}  # a page without rows is the last one, whatever the server says


def _gave_up(text: str) -> bool:
    """Return whether a message says that a query took too long."""
    return bool(_TIMED_OUT.search(text))


def excerpt(text: str) -> str:
    """Return the beginning of a page's text, without its markup, as a quotation."""
    text = text[:ERROR_PAGE_LIMIT]
    if re.search(r"</\w+>", text):  # HTML, and not a message with IRIs in angle brackets
        text = html.unescape(re.sub(r"(?is)<(script|style)\b.*?(?:</\1>|\Z)|<[^<>]*>|&#\d{9,}", " ", text))
    return quoted(shortened(" ".join(text.split()), _EXCERPT))


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
            return Fault(GraphError(f"the answer of {name!r} is too large, {error}; a LIMIT helps"))
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
    if _gave_up(text):
        return Fault(QueryTimeout(f"{name!r} gave up on the query: {excerpt(text)}"))
    return Fault(GraphError(f"the answer of {name!r} was cut off after {len(body):,} bytes"), transient=True)


def of_status(response: httpx.Response, name: str) -> Fault:
    """Return the fault for an answer with the HTTP status of an error."""
    page = beginning(response, ERROR_PAGE_LIMIT).decode(errors="replace")
    message = excerpt(page)
    status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
    says = f"{status}: {message}" if message else status
    if _gave_up(page) or response.status_code == 408:
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
    transient = response.status_code in _TRANSIENT_STATUSES
    return Fault(error, transient=transient, retry_after=retry_after(response.headers))
