from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest

from tests.sparql_server import Serve, SparqlServer
from triad.agent import Agent
from triad.kg.base import SafeQuery
from triad.kg.endpoint import EndpointGraph
from triad.kg.lookups import CachedLookups
from triad.questions import Question
from triad.rdf import Literal

ONE = "SELECT ?o { <http://e/s> <http://e/p> ?o } LIMIT 1"


@pytest.fixture
def server(sparql_server: Serve) -> SparqlServer:
    store = pyoxigraph.Store()
    store.load(
        b'<http://e/s> <http://e/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .', pyoxigraph.RdfFormat.TURTLE
    )
    return sparql_server(store)


def test_a_look_up_is_made_once(server: SparqlServer, tmp_path: Path) -> None:
    for _ in range(2):  # the second time, as another process would
        with CachedLookups(EndpointGraph(server.url), folder=tmp_path) as graph:
            assert graph.lookup(ONE).rows == ((Literal("1", "http://www.w3.org/2001/XMLSchema#integer"),),)
    assert len(server.requests) == 1


def test_a_look_up_is_made_again_when_it_is_too_old(server: SparqlServer, tmp_path: Path) -> None:
    with CachedLookups(EndpointGraph(server.url), hours=0.0, folder=tmp_path) as graph:
        graph.lookup(ONE)
        graph.lookup(ONE)
    assert len(server.requests) == 2


def test_what_a_model_asks_is_not_kept(server: SparqlServer, tmp_path: Path) -> None:
    with CachedLookups(EndpointGraph(server.url), folder=tmp_path) as graph:
        assert len(graph.select(SafeQuery(ONE)).rows) == len(graph.select(SafeQuery(ONE)).rows) == 1
        assert graph.ask(SafeQuery("ASK { ?s ?p ?o }"))
    assert len(server.requests) == 3


def test_two_graphs_do_not_share_look_ups(server: SparqlServer, sparql_server: Serve, tmp_path: Path) -> None:
    other = sparql_server(pyoxigraph.Store())
    with CachedLookups(EndpointGraph(server.url), folder=tmp_path) as first:
        assert len(first.lookup(ONE)) == 1
    with CachedLookups(EndpointGraph(other.url), folder=tmp_path) as second:
        assert len(second.lookup(ONE)) == 0


def test_look_ups_of_questions_are_kept_too(
    server: SparqlServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path))
    with Agent(server.url, model="none") as agent:
        for _ in range(2):
            agent.begin(Question("What is it?")).schema.graph.lookup(ONE)
    assert [request.query for request in server.requests].count(ONE) == 1
