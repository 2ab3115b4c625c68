"""Fixtures for the real servers that ``make services`` starts.

Where a server does not run, the tests that need it are skipped and say so; with TRIAD_SERVICES_REQUIRED=1, as in CI,
they fail.
"""

from __future__ import annotations

import os
import uuid
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import urlencode

import pyoxigraph
import pytest
from elasticsearch import Elasticsearch

from tests.services import services
from tests.services.services import Service

TRIPLE_STORES = [pytest.param(kind, marks=pytest.mark.server) for kind in ("virtuoso", "fuseki")]
"""Parameters of what runs on each of the real SPARQL servers."""
FIXTURES = {"elasticsearch_url", "virtuoso", "fuseki", "triple_store", "postgresql", "redis_url"}
"""Fixtures that need a real server: tests that use one have the marker ``server``."""


@dataclass
class TripleStore:
    """A SPARQL server that has the tests' graphs, and takes others for as long as a test needs them."""

    service: Service
    _graphs: list[str] = field(default_factory=list)

    @property
    def url(self) -> str:
        """The address of the server."""
        return self.service.url

    def address(self, name: str) -> str:
        """Return the address of a graph that every server has: ``demo`` or ``ck25``."""
        graphs = {"demo": services.DEMO_GRAPH, "ck25": services.CK25_GRAPH}
        if graphs[name] not in services.sources():
            pytest.skip(f"there is no development data for the graph {name!r}; TRIAD_DATA can name its folder")
        if self.service.kind == "virtuoso":
            return f"{self.url}?{urlencode({'default-graph-uri': graphs[name]})}"
        return f"{self.url}/{name}/sparql"

    def hold(self, data: str | bytes, form: pyoxigraph.RdfFormat = pyoxigraph.RdfFormat.TURTLE) -> str:
        """Load data until the test ends, and return an address where they alone are to be found.

        Named graphs get names of their own, so that tests which run at the same time do not meet.
        """
        run = f"http://triad.test/{uuid.uuid4().hex}"
        triples: defaultdict[str, list[pyoxigraph.Triple]] = defaultdict(list)
        content = data.encode() if isinstance(data, str) else data
        for quad in pyoxigraph.parse(content, format=form):
            name = "" if isinstance(quad.graph_name, pyoxigraph.DefaultGraph) else quad.graph_name.value
            triples[name].append(quad.triple)
        graphs = [f"{run}/{number}" for number in range(len(triples))]
        for graph, held in zip(graphs, triples.values(), strict=True):
            self._graphs.append(graph)
            self._put(graph, pyoxigraph.serialize(held, format=pyoxigraph.RdfFormat.N_TRIPLES) or b"")
        base = self.url if self.service.kind == "virtuoso" else f"{self.url}/test/sparql"
        return f"{base}?{urlencode([('default-graph-uri', graph) for graph in graphs])}"

    def forget(self) -> None:
        """Remove what was loaded for a test."""
        while self._graphs:
            self._put(self._graphs.pop(), b"")

    def _put(self, graph: str, data: bytes) -> None:
        if self.service.kind == "virtuoso":
            services.load_into_virtuoso(self.service, graph, data)
        else:
            services.load_into_fuseki(self.service, "test", data, graph)


@cache
def _missing(kind: str) -> str | None:
    """Return what is wrong with a server, asked once a session."""
    service = services.find(kind)
    if service is None:
        return f"there is no {kind}; 'make services' starts it"
    if not service.healthy():
        return f"{kind} does not answer at {service.url!r}; 'make services' starts it again"
    return None


def require(kind: str) -> Service:
    """Return a server, or have the test skipped or failed."""
    if reason := _missing(kind):
        if os.environ.get("TRIAD_SERVICES_REQUIRED") == "1":
            pytest.fail(f"{reason} (TRIAD_SERVICES_REQUIRED is set)", pytrace=False)
        pytest.skip(reason)
    service = services.find(kind)
    assert service is not None
    return service


@contextmanager
def index_name(url: str) -> Iterator[str]:
    """Make up a name for an index of Elasticsearch; at the end, no index is left whose name starts with it."""
    name = f"test-{uuid.uuid4().hex}"
    yield name
    with Elasticsearch(url) as client:
        if found := list(client.indices.get(index=f"{name}*", expand_wildcards="all")):
            client.indices.delete(index=found)


@pytest.fixture(scope="session")
def elasticsearch_url() -> str:
    """The address of a real Elasticsearch."""
    return require("elasticsearch").url


@pytest.fixture
def virtuoso() -> Iterator[TripleStore]:
    """A real Virtuoso."""
    store = TripleStore(require("virtuoso"))
    yield store
    store.forget()


@pytest.fixture
def fuseki() -> Iterator[TripleStore]:
    """A real Fuseki."""
    store = TripleStore(require("fuseki"))
    yield store
    store.forget()


@pytest.fixture
def postgresql() -> Iterator[str]:
    """The address of a database of its own in a real PostgreSQL."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg, of the extra 'servers', is not installed")
    service, name = require("postgresql"), f"test_{uuid.uuid4().hex}"
    with psycopg.connect(service.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    yield service.url.removesuffix("postgres") + name
    with psycopg.connect(service.url, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def redis_url() -> str:
    """The address of a real Redis."""
    pytest.importorskip("redis", reason="redis, of the extra 'servers', is not installed")
    return require("redis").url


@pytest.fixture(params=TRIPLE_STORES)
def triple_store(request: pytest.FixtureRequest) -> TripleStore:
    """Each of the real SPARQL servers."""
    store: TripleStore = request.getfixturevalue(request.param)
    return store
