"""What Virtuoso does that other servers do not, and a Virtuoso that dies."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from threading import Timer

import pytest

from tests.services import services
from tests.services.fixtures import TripleStore, require
from tests.services.services import Service
from triad import Agent
from triad.errors import GraphError, QuerySyntaxError, QueryTimeout, ServiceError
from triad.kg.base import SafeQuery
from triad.kg.endpoint import EndpointGraph
from triad.models import ScriptedModel

ALL = "SELECT ?s ?p ?o WHERE { ?s ?p ?o }"
CAP = 10_000
TRIPLES = 26_903
"""How many CK25 has."""


def test_a_users_result_is_truncated_where_virtuoso_cuts_it(virtuoso: TripleStore) -> None:
    graph = EndpointGraph(virtuoso.address("ck25"), row_limit=100_000)
    for query in (ALL, f"{ALL} LIMIT 20000"):
        result = graph.select(SafeQuery(query))
        assert len(result) == CAP
        assert result.truncated


def test_a_look_up_goes_on_where_virtuoso_cuts_it(virtuoso: TripleStore) -> None:
    graph = EndpointGraph(virtuoso.address("ck25"), row_limit=100_000)
    result = graph.lookup(ALL)
    assert len(set(result.rows)) == len(result) == TRIPLES
    assert not result.truncated
    assert len(graph.lookup(f"{ALL} LIMIT 15000")) == 15_000


def test_that_virtuoso_finds_nothing_in_too_short_a_time_is_an_error(virtuoso: TripleStore) -> None:
    graph = EndpointGraph(f"{virtuoso.address('ck25')}&timeout=1")
    # There is no such pair, and to see that all pairs must be looked at.
    long = "SELECT ?a WHERE { ?a ?b ?c . ?d ?e ?f FILTER(STRLEN(CONCAT(STR(?c), STR(?f))) > 1000000) }"
    for _ in range(3):
        with pytest.raises(QueryTimeout, match="found nothing in its time"):
            graph.select(SafeQuery(long))


@pytest.mark.parametrize("size", [3, 4, 5])
def test_a_query_that_virtuoso_expects_to_take_too_long_is_a_timeout(virtuoso: TripleStore, size: int) -> None:
    graph = EndpointGraph(virtuoso.address("ck25"))
    triples = " ".join(f"?s{number} ?p{number} ?o{number} ." for number in range(size))
    counted = f"SELECT (COUNT(*) AS ?n) WHERE {{ {triples} FILTER(STR(?o0) > STR(?o1)) }}"
    with pytest.raises(QueryTimeout, match="estimated execution time"):
        graph.select(SafeQuery(counted))


def test_virtuosos_words_for_a_mistake_are_told(virtuoso: TripleStore) -> None:
    with pytest.raises(QuerySyntaxError, match="Virtuoso 37000 Error"):
        EndpointGraph(virtuoso.url).select(SafeQuery("SELECT ?x WHERE { ?x"))


@pytest.fixture(scope="module", params=[pytest.param("mortal", marks=pytest.mark.server)])
def mortal(request: pytest.FixtureRequest) -> Iterator[Service]:
    """A Virtuoso of these tests' own, which may be killed."""
    require("virtuoso")
    service = services.start("virtuoso", request.param, 18894)
    yield service
    services.stop(service)
    shutil.rmtree(service.folder)


QUESTION = "What is the capital of Switzerland?"
REPLY = '{"triples": [], "answer_type": "select", "sparql": "SELECT ?city { <Switzerland> <capital> ?city }"}'


def test_the_question_after_a_crash_is_answered(mortal: Service) -> None:
    crashes = [mortal]

    def reply(*_: object) -> str:
        while crashes:
            services.kill(crashes.pop())
        return REPLY

    url = f"{mortal.url}?default-graph-uri={services.DEMO_GRAPH}"
    with Agent(EndpointGraph(url, timeout=5), model=ScriptedModel(reply), route="phases") as agent:
        with pytest.raises(ServiceError, match=f"nothing answers at '{mortal.url}': connection refused"):
            agent.ask(QUESTION)
        services.launch(mortal)
        assert agent.ask(QUESTION).text == "Bern"


def test_a_crash_in_the_middle_of_an_answer_is_an_error_that_names_the_server(mortal: Service) -> None:
    slow = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i FILTER(STR(?c) < STR(?f)) }"
    crash = Timer(1.0, services.kill, [mortal])
    crash.start()
    with pytest.raises(GraphError, match=f"'{mortal.url}'"):
        EndpointGraph(f"{mortal.url}?default-graph-uri={services.DEMO_GRAPH}", retries=0).select(SafeQuery(slow))
    crash.join()
    services.launch(mortal)
    assert EndpointGraph(mortal.url).ask(SafeQuery("ASK { ?s ?p ?o }"))
