"""Places: slow queries and look-ups of one asker hold up nobody else, and none goes on for longer than its time."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pyoxigraph
import pytest

from tests.server.site import Site, sent, serving, settings
from triad.agent import Agent
from triad.errors import QueryTimeout
from triad.server.places import Places
from triad.server.problems import Problem
from triad.server.served import Served
from triad.server.settings import ALL, GraphLimits, GraphSettings

pytestmark = pytest.mark.slow

CROSSED = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"


def test_slow_queries_of_one_key_hold_up_no_other_key_no_question_and_no_probe(tmp_path: Path) -> None:
    with serving(settings(tmp_path, open=False)) as site, site.stranger() as client:
        slow, quick = site.key("slow"), site.key("quick")
        queries = site.app.state.asking.graphs.find(None, ALL).queries
        with ExitStack() as running:
            for _ in range(8):
                running.enter_context(sent(client, "/api/v1/query", {"query": CROSSED, "seconds": 60}, **slow))
            _await(lambda: queries.under_way == 8)
            assert client.get("/readyz").status_code == 200
            assert client.get("/api/v1/session", headers=slow).status_code == 200
            assert client.get("/api/v1/names", params={"q": "Stan"}, headers=slow).json()["names"]
            assert _asks(client, quick)
            assert client.post("/api/v1/query", json={"query": "ASK { ?s ?p ?o }"}, headers=quick).json()["boolean"]
            assert queries.under_way == 8
        _await(lambda: queries.under_way == 0)


def test_a_query_waits_within_its_time(tmp_path: Path) -> None:
    with serving(settings(tmp_path)) as site, site.visitor() as client, ThreadPoolExecutor(4) as pool:
        body = {"query": CROSSED, "seconds": 1}
        answers = [pool.submit(client.post, "/api/v1/query", json=body) for _ in range(4)]
        problems = {(one.result().status_code, one.result().json()["name"]) for one in answers}
        assert problems == {(504, "query-timeout")}


def _await(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not true():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.02)


def _asks(client: httpx.Client, key: dict[str, str]) -> bool:
    answer = client.post("/api/v1/ask", json={"question": "Who founded Intel?"}, headers=key).json()
    return bool(answer["outcome"] == "answer")


def test_queries_that_wait_have_a_bound_of_each_asker() -> None:
    async def run() -> None:
        places, ended = Places("test", concurrent=2, queue=1, each=1), threading.Event()
        first, second = (asyncio.create_task(places.do(ended.wait, "ann")) for _ in range(2))
        while places.under_way < 2:
            await asyncio.sleep(0.01)
        with pytest.raises(Problem, match="1 requests wait already"):
            await places.do(ended.wait, "ann")
        assert await places.do(lambda: "done", "bob") == "done"
        ended.set()
        assert [await first, await second] == [True, True]
        assert places.under_way == 0

    asyncio.run(asyncio.wait_for(run(), 120))


def test_one_asker_has_not_all_places_of_questions() -> None:
    async def run() -> None:
        limits, ended = GraphLimits(concurrent=4), threading.Event()
        places = Served("demo", GraphSettings(config="demo", limits=limits), lambda _: Agent("demo")).questions
        asked = [asyncio.create_task(places.do(ended.wait, "ann")) for _ in range(5)]
        while places.under_way < 5:
            await asyncio.sleep(0.01)
        try:
            async with asyncio.timeout(30):
                assert await places.do(lambda: "done", "bob") == "done"
        finally:
            ended.set()
            await asyncio.gather(*asked)

    asyncio.run(asyncio.wait_for(run(), 120))


def test_a_place_is_free_when_its_work_has_ended_and_not_when_its_asker_left() -> None:
    async def run() -> None:
        places, ended = Places("test", concurrent=1, queue=1), threading.Event()
        with pytest.raises(QueryTimeout):
            await places.do_within(0.1, lambda _: ended.wait(), "ann")
        with pytest.raises(QueryTimeout):
            await places.do_within(0.1, lambda _: None, "bob")
        ended.set()
        assert await places.do_within(60, lambda deadline: deadline.left < 60, "bob")

    asyncio.run(asyncio.wait_for(run(), 120))


def test_a_thing_with_very_many_links_is_told_soon_and_with_what_else_is_known(tmp_path: Path) -> None:
    def iri(name: str) -> pyoxigraph.NamedNode:
        return pyoxigraph.NamedNode(f"http://example.org/{name}")

    hub, links = iri("hub"), 10_000
    data = tmp_path / "hub.nt"
    with data.open("w") as file:
        file.write(f'{hub} <http://www.w3.org/2000/01/rdf-schema#label> "Hub" .\n')
        file.write(f"{iri('other')} <http://zoo.example.org/likes> {hub} .\n")
        for number in range(links):
            file.write(f"{iri(f'thing/{number}')} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> {hub} .\n")
    chosen = settings(tmp_path, {"hub": {"graph": str(data), "model": "none"}})
    with serving(chosen) as site, site.visitor() as client:
        [thing] = _things(client, "http://example.org/hub")
        assert thing["label"] == "Hub"
        assert [one["label"] for one in thing["relations"]] == ["likes"]
        _ends_in_time(site, client)


def test_things_are_looked_up_though_no_question_may_wait(tmp_path: Path) -> None:
    chosen = settings(tmp_path, {"demo": {"config": "demo", "limits": {"queue": 0}}})
    with serving(chosen) as site, site.visitor() as client:
        query = "SELECT DISTINCT ?s { ?s ?p ?o FILTER(isIRI(?s)) } LIMIT 10"
        found = client.post("/api/v1/query", json={"query": query}).json()["rows"]
        iris = [row[0]["value"] for row in found]
        assert len(_things(client, *iris)) == len(iris)


def _things(client: httpx.Client, *iris: str) -> list[dict[str, Any]]:
    answer = client.get("/api/v1/things", params={"iri": [*iris]})
    answer.raise_for_status()
    found: list[dict[str, Any]] = answer.json()["things"]
    return found


def _ends_in_time(site: Site, client: httpx.Client) -> None:
    """Look the hub up while no worker is free: what needs none is told."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("triad.server.served._LOOKUP_SECONDS", 1.0)
        places = site.app.state.asking.graphs.find(None, ALL)._agent.graph._pool._places
        busy = [places.get(timeout=120) for _ in range(3)]
        assert places.empty()
        answer = client.get("/api/v1/things", params={"iri": "http://example.org/hub"})
        assert answer.status_code in (200, 504)
        assert "likes" not in answer.text  # which the server's own process does not look for
        for one in busy:
            places.put(one)
