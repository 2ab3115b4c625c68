"""Telling servers apart: Virtuoso and Fuseki."""

from __future__ import annotations

import pyoxigraph
import pytest

from tests.services.fixtures import TripleStore
from tests.sparql_server import Reply, Serve, SparqlServer
from triad.errors import ConfigError, GraphError
from triad.kg.dialects import DIALECTS, from_headers
from triad.kg.endpoint import EndpointGraph


@pytest.fixture
def server(sparql_server: Serve) -> SparqlServer:
    return sparql_server(pyoxigraph.Store())


def test_real_servers_are_known(triple_store: TripleStore) -> None:
    assert EndpointGraph(triple_store.address("demo")).dialect == triple_store.service.kind


@pytest.mark.parametrize(
    ("headers", "dialect"),
    [
        ({"Server": "Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu"}, "virtuoso"),
        ({"Fuseki-Request-Id": "8"}, "fuseki"),
        ({"Server": "Apache Jena Fuseki (3.17.0)"}, "fuseki"),
        ({"Server": "nginx", "X-Note": "Server: Virtuoso"}, "plain"),
        ({}, "plain"),
    ],
)
def test_headers_name_the_server(headers: dict[str, str], dialect: str) -> None:
    assert from_headers(headers) == dialect


def test_a_server_is_asked_once(server: SparqlServer) -> None:
    graph = EndpointGraph(server.url)
    assert [graph.dialect, graph.dialect] == ["plain", "plain"]
    assert len(server.requests) == 1


def test_a_named_dialect_is_not_asked_for(server: SparqlServer) -> None:
    assert EndpointGraph(server.url, dialect="virtuoso").dialect == "virtuoso"
    assert server.requests == []


def test_a_server_that_fails_is_asked_again(server: SparqlServer) -> None:
    graph = EndpointGraph(server.url, retries=0)
    server.reply_next(Reply(503))
    with pytest.raises(GraphError, match="HTTP 503"):
        _ = graph.dialect
    assert graph.dialect == "plain"


def test_a_dialect_that_is_not_known_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no dialect 'oracle' of SPARQL; known are fuseki"):
        EndpointGraph("http://example.org/sparql", dialect="oracle")


def test_every_dialect_has_its_full_text_search() -> None:
    assert all("?label" in one(["momo"], ["http://x.org/name"], 10) for one in DIALECTS.values())
