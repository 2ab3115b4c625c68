from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from triad.errors import DataError, GraphError, QueryRejected, QueryTimeout
from triad.kg.base import SafeQuery
from triad.kg.local import LocalGraph
from triad.rdf import Literal

pytestmark = pytest.mark.slow(0.2)

ALL = SafeQuery("SELECT ?s ?p ?o WHERE { ?s ?p ?o }")
ANY = SafeQuery("ASK { ?s ?p ?o }")
RUNAWAY = SafeQuery("SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }")
HUGE = SafeQuery("SELECT * WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?c")
TRIPLES = 500


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("data") / "data.nt"
    path.write_text("".join(f'<http://example.org/{n}> <http://example.org/p> "value {n}" .\n' for n in range(TRIPLES)))
    return path


@pytest.fixture
def open_data(data: Path) -> Iterator[Callable[..., LocalGraph]]:
    opened = []

    def open_(**options: Any) -> LocalGraph:
        opened.append(LocalGraph.load(data, **options))
        return opened[-1]

    yield open_
    for graph in opened:
        graph.close()


others: set[int] = set()
"""Processes of graphs that other tests still have."""


@pytest.fixture(autouse=True)
def _note_others() -> None:
    others.clear()
    others.update(child.pid for child in psutil.Process().children())


def workers() -> list[psutil.Process]:
    return [child for child in psutil.Process().children() if child.pid not in others]


def test_a_store_folder_is_opened_as_it_is(open_data: Callable[..., LocalGraph]) -> None:
    folder = open_data().folder
    with LocalGraph(folder) as graph:
        assert graph.name == str(folder)
        assert len(graph.select(ALL)) == TRIPLES


def test_a_graph_knows_its_size_and_fingerprint(open_data: Callable[..., LocalGraph]) -> None:
    one, two = open_data(), open_data()
    assert one.triples == TRIPLES
    assert one.fingerprint == two.fingerprint


def test_a_folder_without_a_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="not a pyoxigraph store"):
        LocalGraph(tmp_path)


def test_a_runaway_query_costs_one_worker(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=1)
    assert graph.ask(ANY)
    [before] = workers()
    with pytest.raises(QueryTimeout, match=r"did not finish in 0\.2 seconds"):
        graph.select(RUNAWAY, timeout=0.2)
    assert graph.ask(ANY)
    [after] = workers()
    assert after != before


def test_a_graph_has_a_timeout_of_its_own(open_data: Callable[..., LocalGraph]) -> None:
    with pytest.raises(QueryTimeout):
        open_data(timeout=0.2).ask(SafeQuery(f"ASK {{ {{ {RUNAWAY} }} FILTER(?n = 0) }}"))


def test_a_query_may_take_no_time_or_all_the_time(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=1)
    with pytest.raises(QueryTimeout):
        graph.select(RUNAWAY, timeout=0)
    assert graph.ask(ANY, timeout=float("inf"))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to its memory limit")
def test_a_query_that_needs_too_much_memory_costs_one_worker(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=1, memory_limit=2**28)
    with pytest.raises(GraphError, match=r"more memory than the 0\.25 GiB"):
        graph.select(HUGE)
    assert graph.ask(ANY)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_query_that_kills_the_engine_costs_one_worker(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=1)
    assert graph.ask(ANY)
    [worker] = workers()
    threading.Timer(0.2, os.kill, [worker.pid, signal.SIGSEGV]).start()
    with pytest.raises(GraphError, match="the engine died on this query"):
        graph.select(RUNAWAY, timeout=20)
    assert graph.ask(ANY)


def test_a_worker_that_died_between_queries_is_replaced(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=1)
    assert graph.ask(ANY)
    [worker] = workers()
    worker.kill()
    psutil.wait_procs([worker], timeout=5)
    assert graph.ask(ANY)


def test_an_interrupted_query_leaves_no_reply_behind(
    open_data: Callable[..., LocalGraph], monkeypatch: pytest.MonkeyPatch
) -> None:
    graph = open_data(workers=1)
    assert graph.ask(ANY)

    def interrupt(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("triad.worker.pool.pickle.load", interrupt)
        with pytest.raises(KeyboardInterrupt):
            graph.ask(ANY)
    assert len(graph.select(ALL)) == TRIPLES


def test_bytes_beyond_the_limit_are_cut_and_the_result_says_so(open_data: Callable[..., LocalGraph]) -> None:
    result = open_data(byte_limit=1000).select(ALL)
    assert 0 < len(result) < 20
    assert result.truncated


def test_a_query_for_triples_is_an_error(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data()
    construct = "CONSTRUCT WHERE { ?s ?p ?o }"
    with pytest.raises(GraphError, match="use SELECT or ASK"):
        graph.select(SafeQuery(construct))
    with pytest.raises(GraphError, match="use SELECT or ASK"):
        graph.lookup(construct)


def test_a_term_that_is_itself_a_triple_is_a_text(open_data: Callable[..., LocalGraph]) -> None:
    [term] = (
        open_data().lookup('SELECT (<<( <http://example.org/a> <http://example.org/b> "c" )>> AS ?t) {}').column("t")
    )
    assert term == Literal('<<( <http://example.org/a> <http://example.org/b> "c" )>>')


@pytest.mark.slow
def test_there_are_no_more_workers_than_allowed(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=2)
    with ThreadPoolExecutor(6) as threads:
        results = list(threads.map(graph.select, [ALL] * 30))
    assert {len(result) for result in results} == {TRIPLES}
    assert 1 <= len(workers()) <= 2


def test_a_runaway_query_does_not_hold_up_another_thread(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=2)
    with ThreadPoolExecutor(1) as threads:
        runaway = threads.submit(graph.select, RUNAWAY, timeout=20)
        assert graph.ask(ANY)
        assert not runaway.done()
        graph.close()
        with pytest.raises(GraphError, match="closed"):
            runaway.result()


def test_a_worker_is_left_to_quick_queries(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data(workers=2)
    with ThreadPoolExecutor(4) as threads:
        runaways = [threads.submit(graph.select, RUNAWAY, timeout=20) for _ in range(4)]
        for _ in range(3):
            assert graph.ask(ANY)
        assert not any(one.done() for one in runaways)
        graph.close()
        for one in runaways:
            with pytest.raises(GraphError, match="closed"):
                one.result()


def test_a_query_that_gave_way_to_quick_ones_is_answered(
    open_data: Callable[..., LocalGraph], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triad.worker.pool.QUICK", 0.01)
    graph = open_data(workers=2)
    crossed = SafeQuery("SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f FILTER(STR(?c) != STR(?f)) }")
    with ThreadPoolExecutor(4) as threads:
        found = [threads.submit(graph.select, crossed, timeout=60) for _ in range(4)]
        counted = {str(TRIPLES * (TRIPLES - 1))}
        assert {str(count.value) for one in found for count in one.result().column("n")} == counted


def test_a_closed_graph_has_no_workers_and_says_so(open_data: Callable[..., LocalGraph]) -> None:
    graph = open_data()
    assert graph.ask(ANY)
    graph.close()
    graph.close()
    assert workers() == []
    for query in (graph.select, graph.lookup):
        with pytest.raises(GraphError, match="the graph is closed"):
            query(ALL)


@pytest.mark.slow
def test_a_forgotten_graph_takes_its_workers_along(data: Path) -> None:
    graph = LocalGraph.load(data)
    assert graph.ask(ANY)
    del graph
    gc.collect()
    assert workers() == []


PROGRAM = """
import sys
from triad.kg.local import LocalGraph

graph = LocalGraph.load(sys.argv[1])
print(graph.ask("ASK { ?s ?p ?o }"), graph._pool._workers.copy().pop().pid, flush=True)
sys.stdin.read()
"""


@pytest.mark.slow
@pytest.mark.parametrize("end", ["kill", "exit"])
def test_workers_end_with_a_program_that_needs_no_main_guard(data: Path, tmp_path: Path, end: Any) -> None:
    script = tmp_path / "program.py"
    script.write_text(PROGRAM)
    command = [sys.executable, "-W", "error", str(script), str(data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        answer, pid = program.stdout.readline().split()
        worker = psutil.Process(int(pid))
        if end == "kill":
            program.kill()
        _, complaints = program.communicate()
    gone, _ = psutil.wait_procs([worker], timeout=10)
    assert (answer, complaints, gone) == (b"True", b"", [worker])


@pytest.mark.parametrize(
    "query",
    [
        "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p 1service silent ?e { ?s ?p ?o } }",
        "PREFIX e: <http://127.0.0.1:1/> SELECT * { service#\n e:x{ } }",
        "SELECT * { # the comment ends here\rSERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p <http://e/\\u0041'> SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
        "SELECT * { ?s ?p '\\u0027' SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
    ],
)
def test_a_look_up_asks_no_other_server(open_data: Callable[..., LocalGraph], query: str) -> None:
    with pytest.raises(QueryRejected, match="SERVICE is not allowed"):
        open_data().lookup(query)


def test_a_look_up_may_name_a_service(open_data: Callable[..., LocalGraph]) -> None:
    text = "SERVICE <http://127.0.0.1:1/> { }"
    named = f'VALUES ?services {{ "{text}" }} {{ ?service <http://e/service> ?o }} UNION {{ }} # {text}'
    assert [row["services"] for row in open_data().lookup(f"SELECT * {{ {named}\n }}")] == [Literal(text)]
