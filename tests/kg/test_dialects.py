"""Telling servers apart: Virtuoso and Fuseki for real, the others by replies in the form that they document."""

from __future__ import annotations

import pyoxigraph
import pytest

from tests.services.fixtures import TripleStore
from tests.sparql_server import Reply, Serve, SparqlServer
from triad.errors import ConfigError, GraphError
from triad.kg.dialects import DIALECTS, from_headers
from triad.kg.endpoint import EndpointGraph

RESULT = '{"head": {"vars": ["thing"]}, "results": {"bindings": []}}'
REFUSED = Reply(400, "a query is missing")
BLAZEGRAPH = """\
@prefix sd: <http://www.w3.org/ns/sparql-service-description#> .
[] a sd:Service ; sd:feature <http://www.bigdata.com/rdf#/features/KB/Mode/Triples> .
"""
QLEVER = '{"git-hash-index": "7143ff", "name-index": "olympics", "num-triples": {"normal": 1781625}}'


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
        ({"server": "GraphDB-Free/9.4.1 RDF4J/3.3.1"}, "graphdb"),
        ({"Server": "QLever"}, "qlever"),
        ({"x-served-by": "wdqs1012", "server": "nginx"}, "blazegraph"),
        ({"Server": "nginx", "X-Note": "Server: Virtuoso"}, None),
        ({}, None),
    ],
)
def test_headers_name_the_server(headers: dict[str, str], dialect: str | None) -> None:
    assert from_headers(headers) == dialect


@pytest.mark.parametrize(
    ("replies", "dialect"),
    [
        ([Reply(200, BLAZEGRAPH)], "blazegraph"),
        ([REFUSED, Reply(200, QLEVER)], "qlever"),
        ([REFUSED, REFUSED], "plain"),
        ([Reply(200, "<html>a form</html>"), Reply(200, RESULT)], "plain"),
    ],
)
def test_a_server_that_does_not_name_itself_is_known_by_what_it_answers(
    server: SparqlServer, replies: list[Reply], dialect: str
) -> None:
    server.reply_next(Reply(200, RESULT), *replies)
    graph = EndpointGraph(f"{server.url}?key=x", user="me", password="secret", default_graphs="http://example.org/g")
    assert graph.dialect == dialect
    assert all(request.headers["Authorization"] for request in server.requests)
    assert [request.parameters["key"] for request in server.requests] == [["x"]] * (1 + len(replies))


def test_a_server_is_asked_once(server: SparqlServer) -> None:
    graph = EndpointGraph(server.url)
    assert [graph.dialect, graph.dialect] == ["plain", "plain"]
    assert len(server.requests) == 3


def test_a_named_dialect_is_not_asked_for(server: SparqlServer) -> None:
    assert EndpointGraph(server.url, dialect="qlever").dialect == "qlever"
    assert server.requests == []


def test_a_server_that_fails_is_asked_again(server: SparqlServer) -> None:
    graph = EndpointGraph(server.url, retries=0)
    server.reply_next(Reply(503))
    with pytest.raises(GraphError, match="HTTP 503"):
        _ = graph.dialect
    assert graph.dialect == "plain"


def test_a_dialect_that_is_not_known_is_an_error() -> None:
    with pytest.raises(ConfigError, match="no dialect 'oracle' of SPARQL; known are blazegraph"):
        EndpointGraph("http://example.org/sparql", dialect="oracle")


def test_every_dialect_has_its_full_text_search() -> None:
    assert all("?label" in one(["momo"], ["http://x.org/name"], 10) for one in DIALECTS.values())
