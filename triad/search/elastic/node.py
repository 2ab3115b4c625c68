"""How the client of Elasticsearch sends its requests: by Triad's HTTP, so that no exchange costs more than it may.

elastic-transport lets its users choose what sends requests. Its own choices bound a read of a socket each; here, one
deadline and one cap on bytes hold for a whole exchange, as with any other server.
"""

import math
import ssl
import weakref
from contextlib import closing
from functools import lru_cache
from typing import Final

import httpx
from elastic_transport import (
    ApiResponseMeta,
    BaseNode,
    ConnectionError,
    ConnectionTimeout,
    HttpHeaders,
    NodeConfig,
    TlsError,
    TransportError,
)
from elastic_transport._node import NodeApiResponse  # the type of what a node returns has no public name
from elastic_transport.client_utils import DEFAULT, DefaultType, client_meta_version

from triad.http import AnswerTooLarge, Exchange, Transport, reason

LIMIT: Final = 100_000_000
"""Bytes that an answer may have; Elasticsearch itself takes requests of that size."""


class TooLarge(TransportError):
    """An answer that is larger than answers may be; another try would not be smaller."""


class BoundedNode(BaseNode):
    """A server of a cluster, asked within bounds. Safe to use from several threads."""

    _CLIENT_META_HTTP_CLIENT = ("hx", client_meta_version(httpx.__version__))

    def __init__(self, config: NodeConfig) -> None:
        """Open nothing yet; of a configuration, address, headers, timeout and the TLS context count."""
        super().__init__(config)
        self.headers.setdefault("accept-encoding", "identity")  # servers are near; packing costs more than it saves
        self._transport = Transport(context=config.ssl_context)
        weakref.finalize(self, self._transport.close)
        self._url = lru_cache(100)(httpx.URL)  # searches go to few

    def perform_request(
        self,
        method: str,
        target: str,
        body: bytes | None = None,
        headers: HttpHeaders | None = None,
        request_timeout: DefaultType | float | None = DEFAULT,
    ) -> NodeApiResponse:
        """Send a request and return the answer, all of it.

        Raises:
            ConnectionError: There is no answer, or half of one.
            ConnectionTimeout: The answer is not whole when the time is over.
            TlsError: The server is not trusted, or speaks no TLS.
            TooLarge: The answer is larger than answers may be.
        """
        seconds = self.config.request_timeout if isinstance(request_timeout, DefaultType) else request_timeout
        exchange = Exchange(math.inf if seconds is None else seconds, LIMIT)
        try:
            request = httpx.Request(
                method,
                self._url(self.base_url + target),
                content=body,
                headers={**self.headers, **(headers or {})},
                extensions={"exchange": exchange},
            )
            with closing(self._transport.handle_request(request)) as response:
                content = response.read()
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _fault(error, exchange) from error
        meta = ApiResponseMeta(
            status=response.status_code,
            http_version=response.http_version.removeprefix("HTTP/"),
            headers=HttpHeaders(response.headers),
            duration=exchange.elapsed,
            node=self.config,
        )
        return NodeApiResponse(meta, content)

    def close(self) -> None:
        """Close the connections; the next request opens them again."""
        self._transport.close()


def _fault(error: httpx.HTTPError | httpx.InvalidURL, exchange: Exchange) -> TransportError:
    cause = reason(error)
    match error:
        case httpx.TimeoutException():
            return ConnectionTimeout(f"{exchange.seconds:g} seconds have passed")
        case AnswerTooLarge():
            return TooLarge(str(error))
    return TlsError(str(cause)) if isinstance(cause, ssl.SSLError) else ConnectionError(str(cause))
