"""The connection to Elasticsearch: addresses, credentials, errors, and how requests are sent.

An address names one host or several and an index or alias: ``elasticsearch:https://one:9200,two:9200/dbpedia``. A user
name and a password in it are taken out at once, so that the address is always shown without them.

elastic-transport lets its users choose what sends requests. Its own choices bound a read of a socket each; here, one
deadline and one cap on bytes hold for a whole exchange, as with any other server.
"""

from __future__ import annotations

import math
import os
import re
import ssl
import weakref
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Self
from urllib.parse import unquote, urlsplit

import elastic_transport
import httpx
from elastic_transport import ConnectionError, ConnectionTimeout, HttpHeaders, NodeConfig, TlsError, TransportError
from elastic_transport._node import NodeApiResponse  # the type of what a node returns has no public name
from elastic_transport.client_utils import DEFAULT, DefaultType, client_meta_version, url_to_node_config
from elasticsearch import ApiError, Elasticsearch, UnsupportedProductError

from triad.errors import ConfigError, SearchError
from triad.http import AnswerTooLarge, Exchange, Transport, reason
from triad.resources import from_home, read
from triad.strict import Seconds, load_yaml
from triad.text import quoted

_SCHEME: Final = "elasticsearch:"
_PORT: Final = 9200
_FORM: Final = "'elasticsearch:https://HOST:9200,HOST:9200/INDEX'"
_NO_INDEX_NAME: Final = re.compile(r'[A-Z\\*?"<>|\s,#:%@]|^[-_+.]')
"""Characters that the name of an index cannot have."""
_RETRIES: Final = 3  # how often a failed request is sent again, to another host if there is one

LIMIT: Final = 100_000_000
"""Bytes that an answer may have; Elasticsearch itself takes requests of that size."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where an index is."""

    hosts: tuple[str, ...]
    """With scheme and port, without user name and password."""
    index: str
    """Name of the index or alias."""
    user: str | None = field(default=None, repr=False)
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{_SCHEME}{','.join(self.hosts)}/{self.index}"


def parse_address(source: str) -> Address:
    """Read the address of an index.

    >>> str(parse_address("elasticsearch:https://ann:secret@one,two:9201/dbpedia"))
    'elasticsearch:https://one:9200,https://two:9201/dbpedia'

    Args:
        source: Hosts separated by commas, of which only the first needs a scheme, and the name of an index or alias;
            what lies between them is a path on the servers. The port is 9200 by default. A user name and
            a password before the first host are percent-encoded.

    Raises:
        ConfigError: The address cannot be read.
    """
    shown = re.sub(r"//.*@", "//", source)
    unusable = f"{shown!r} is no address of an index; what works is {_FORM}"
    named, _, rest = source.removeprefix(_SCHEME).replace("://", "\0").partition("/")
    named, rest = named.replace("\0", "://"), rest.replace("\0", "://")
    if "@" in rest:
        raise ConfigError(f"cannot read {shown!r}: a user name and password in an address are percent-encoded")
    path, _, index = rest.rpartition("/")
    if not index or _NO_INDEX_NAME.search(index):
        raise ConfigError(f"{unusable}, where INDEX has letters in lower case, digits, '-' and '_'")
    scheme = named.partition("://")[0]
    user = password = None
    addresses = []
    for host in filter(None, named.split(",")):
        try:
            url = urlsplit(host if "://" in host else f"{scheme}://{host}")
            name, port = url.hostname, url.port or _PORT
        except ValueError as error:
            raise ConfigError(unusable) from error
        if url.scheme not in ("http", "https") or not name:
            raise ConfigError(unusable)
        if url.username is not None:
            user, password = unquote(url.username), unquote(url.password or "")
        name = f"[{name}]" if ":" in name else name
        prefix = "/".join(filter(None, (url.path.strip("/"), path)))
        addresses.append(f"{url.scheme}://{name}:{port}" + (f"/{prefix}" if prefix else ""))
    if not addresses:
        raise ConfigError(unusable)
    return Address(tuple(dict.fromkeys(addresses)), index, user, password)


def connect(
    address: Address,
    *,
    user: str | None = None,
    password: str | None = None,
    api_key: str | None = None,
    ca_file: str | Path | None = None,
    verify: bool = True,
    timeout: Seconds = 10.0,
) -> IndexClient:
    """Return a client for the hosts of an address; nothing is sent yet.

    A request that one of the hosts fails to answer goes to the next. Credentials are looked for in the options, then in
    the address, then in the environment: ELASTICSEARCH_USER and ELASTICSEARCH_PASSWORD, or ELASTICSEARCH_API_KEY. The
    first place that has any is used.

    Args:
        address: Where the index is.
        user: Name of a user.
        password: The user's password.
        api_key: An API key, in place of user and password.
        ca_file: A file with the certificate of the authority that signed the servers'; by default
            ELASTICSEARCH_CA_FILE of the environment.
        verify: Whether the servers must have a certificate that is trusted.
        timeout: Seconds that a request and all of its answer may take.

    Raises:
        ConfigError: The options contradict one another, or a file is missing.
    """
    options: dict[str, Any] = _credentials(address, user, password, api_key)
    context = _trust(ca_file or os.environ.get("ELASTICSEARCH_CA_FILE") or None, verify=verify)
    nodes = [url_to_node_config(host) for host in address.hosts]
    client = IndexClient(
        [node.replace(ssl_context=context) if node.scheme == "https" else node for node in nodes],
        node_class=BoundedNode,
        request_timeout=timeout,
        retry_on_timeout=len(address.hosts) > 1,
        max_retries=max(_RETRIES, len(address.hosts)),
        **options,
    )
    client.index_name = str(address)
    return client


def _trust(ca_file: str | Path | None, *, verify: bool) -> ssl.SSLContext | None:
    """Return what tells whether a server is trusted; None for whom the system trusts."""
    if not verify:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context
    if ca_file is None:
        return None
    path = from_home(ca_file)
    context = ssl.create_default_context()
    try:
        context.load_verify_locations(path)
    except (OSError, ssl.SSLError) as error:
        raise ConfigError(f"cannot read the certificate of {str(path)!r}: {error}") from error
    return context


def _credentials(
    address: Address, user: str | None, password: str | None, api_key: str | None
) -> dict[str, str | tuple[str, str]]:
    found = (os.environ.get(f"ELASTICSEARCH_{name}") for name in ("USER", "PASSWORD", "API_KEY"))
    places = (
        ("the options", user, password, api_key),
        ("the address", address.user, address.password, None),
        ("the environment", *found),
    )
    for place, name, secret, key in places:
        if key and (name or secret):
            raise ConfigError(f"{place} for {str(address)!r} have both an API key and a user; one of them is enough")
        if key and not (key.isascii() and key.isprintable()):
            raise ConfigError(f"the API key in {place} holds a character that no key has; was it copied whole?")
        if key:
            return {"api_key": key}
        if name and secret:
            return {"basic_auth": (name, secret)}
        if name or secret:
            raise ConfigError(
                f"{place} for {str(address)!r} have a {'user' if name else 'password'} "
                f"without a {'password' if name else 'user'}"
            )
    return {}


# Errors ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ElasticFault:
    """A fault of a request, or of a part of one."""

    type: str
    """As Elasticsearch calls it, or ``connection``, ``timeout``, ``size``, ``tls`` or ``product``."""
    status: int = 0
    reason: str = ""

    @property
    def passing(self) -> bool:
        """Whether the same request may succeed later."""
        if self.type == "cluster_block_exception":
            return self.status == 503  # with any other the index is blocked, which only its operator can change
        return self.type in ("connection", "timeout") or self.status in (429, 502, 503, 504)


_SENTENCES: Final = load_yaml(read(Path(__file__).with_suffix(".yaml")), "client.yaml")
"""The predicates of error messages, by type of fault and by HTTP status."""


def sentence(name: str, fault: ElasticFault) -> str:
    """Return the message for a fault: what failed, and what to do about it."""
    said: str = _SENTENCES["types"].get(fault.type) or _SENTENCES["statuses"].get(
        fault.status, "failed ({type}: {reason})"
    )
    return f"the index {name!r} " + said.format(type=fault.type, reason=fault.reason[:302] or fault.type)


def fault_of(error: TransportError | ApiError) -> ElasticFault:
    """Return the fault that an error of the client stands for."""
    if isinstance(error, UnsupportedProductError):
        return ElasticFault("product", error.meta.status)
    if isinstance(error, ApiError):
        return fault_in(error.body, error.meta.status)
    if isinstance(error, elastic_transport.SerializationError):
        return ElasticFault("product")
    kinds = {TlsError: "tls", ConnectionTimeout: "timeout", TooLarge: "size"}
    return ElasticFault(
        next((kinds[kind] for kind in kinds if isinstance(error, kind)), "connection"), reason=error.message
    )


def fault_in(body: Any, status: int) -> ElasticFault:
    """Return the fault that an error answer describes."""
    said = body.get("error") if isinstance(body, Mapping) else None
    if not isinstance(said, Mapping):
        return ElasticFault("http", status, f"HTTP status {status}")
    causes = said.get("root_cause")
    cause = causes[0] if isinstance(causes, list) and causes and isinstance(causes[0], Mapping) else said
    reason = str(cause.get("reason") or said.get("reason") or "")
    return ElasticFault(str(cause.get("type")), status, quoted(reason[:300]))


class ElasticError(SearchError):
    """A request that failed, or a part of one."""

    fault: ElasticFault

    @classmethod
    def of(cls, name: str, fault: ElasticFault, about: str = "") -> ElasticError:
        """Return the error of an index with a name; more may be said about it."""
        error = cls(sentence(name, fault) + about)
        error.fault = fault
        return error


class IndexClient(Elasticsearch):
    """A client for one index, whose errors are Triad's and name it."""

    index_name = ""

    def perform_request(self, *arguments: Any, **options: Any) -> Any:
        """Send a request; raises an `ElasticError` where it fails."""
        with self.reading():
            return super().perform_request(*arguments, **options)

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Ask, and read what is answered; raises an `ElasticError` where that fails, or an answer has another form."""
        try:
            yield
        except (ApiError, TransportError) as error:
            raise ElasticError.of(self.index_name, fault_of(error)) from error
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
            raise ElasticError.of(self.index_name, ElasticFault("product")) from error

    def options(self, **changes: Any) -> Self:
        """Return the same client with other options of a request."""
        made = super().options(**changes)
        made.index_name = self.index_name
        return made

    def searched(self, index: str, bodies: Iterable[dict[str, Any]]) -> list[list[Any]]:
        """Return the hits of each of several searches, which are one request, and of each as many as it asked for.

        Raises:
            SearchError: The server failed, or a part of the index is missing: that is better than hits that happen to
                be there.
        """
        header = {"allow_partial_search_results": False}
        asked = [{**body, "track_total_hits": False} for body in bodies]
        lines = [line for body in asked for line in (header, body)]
        with self.reading():
            answers = self.msearch(index=index, searches=lines)["responses"] if lines else []
            for answer in answers:
                if "error" in answer:
                    raise ElasticError.of(self.index_name, fault_in(answer, answer.get("status", 0)))
            return [answer["hits"]["hits"][: body["size"]] for body, answer in zip(asked, answers, strict=True)]


# Requests -------------------------------------------------------------------------------------------------


class TooLarge(TransportError):
    """An answer that is larger than answers may be; another try would not be smaller."""


class BoundedNode(elastic_transport.BaseNode):
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
        meta = elastic_transport.ApiResponseMeta(
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
