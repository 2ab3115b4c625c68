"""What happens when Elasticsearch is killed, while an index is built and while one is searched.

    .venv/bin/python benchmarks/faults.py

It starts servers of its own by ``tests/services``, kills them (SIGKILL), and stops what it started.
"""

from __future__ import annotations

import secrets
import shutil
import statistics
import threading
import time
from collections.abc import Iterator
from typing import Annotated

import typer
from elasticsearch import Elasticsearch

from tests.services import services
from triad.errors import SearchError
from triad.search.base import Entry, Lookup
from triad.search.elastic.index import ElasticIndex

EX = "http://example.org/"


def entries(count: int) -> Iterator[Entry]:
    for at in range(count):
        yield Entry(f"{EX}{at}", "entity", f"thing number {at}", (f"alias {at} of it",), popularity=at % 1000)


def remove(*names: str) -> None:
    """Stop servers and delete what they have."""
    for service in filter(None, map(services.find, names)):
        services.stop(service)
        shutil.rmtree(service.folder)


def killed_while_building(count: int) -> bool:
    """Kill the server once at a third of a build, and start it again after some seconds."""
    service = services.start("elasticsearch", "faults-build", 19210)
    name = f"faults-{secrets.token_hex(4)}"
    restarted: list[threading.Thread] = []

    def kill_and_restart() -> None:
        services.kill(service)
        time.sleep(5)
        services.launch(service)

    def progress(arrived: int) -> None:
        if arrived >= count // 3 and not restarted:
            restarted.append(threading.Thread(target=kill_and_restart))
            restarted[0].start()

    try:
        with ElasticIndex(f"elasticsearch:{service.url}/{name}") as index:
            start = time.perf_counter()
            index.store.build(entries(count), progress=progress)
            seconds = time.perf_counter() - start
        restarted[0].join()
        with Elasticsearch(service.url) as client:
            found = client.count(index=name)["count"]
            left = len(client.indices.get(index=f"{name}*")) - 1
            seen = client.search(index=name, size=0, aggs={"iris": {"cardinality": {"field": "iri"}}})
            distinct = seen["aggregations"]["iris"]["value"]
        print(
            f"killed while building: {count:,} entries sent in {seconds:.1f} s with the server away in between; "
            f"{found:,} documents, lost {max(0, count - found)}, twice {max(0, found - count)}, "
            f"some {distinct:,} distinct IRIs; indices left over: {left}"
        )
        return found == count and left == 0
    finally:
        remove("faults-build")


def killed_while_searching(searches: int) -> bool:
    """Kill one of two nodes at a third of the searches: the one that is their master and was asked first."""
    first = services.start("elasticsearch", "faults-one", 19211)
    second = services.start("elasticsearch", "faults-two", 19212, join="faults-one")
    name = f"faults-{secrets.token_hex(4)}"
    try:
        hosts = f"{first.url},{second.url.removeprefix('http://')}"
        with ElasticIndex(f"elasticsearch:{hosts}/{name}") as index, Elasticsearch(first.url) as client:
            index.store.build(entries(20_000))
            client.cluster.health(index=name, wait_for_status="green", timeout="60s")
            times: list[float] = []
            failed: list[SearchError] = []
            wrong = 0
            for at in range(searches):
                if at == searches // 3:
                    services.kill(first)
                start = time.perf_counter()
                try:
                    [found] = index.search_many([Lookup(f"thing number {at}", limit=3)])
                    wrong += not found or found[0].iri != f"{EX}{at}"
                except SearchError as error:
                    failed.append(error)
                times.append((time.perf_counter() - start) * 1000)
        print(
            f"one of two nodes killed: {searches:,} searches, failed {len(failed)}, without the right thing {wrong}; "
            f"p50 {statistics.median(times):.1f} ms, slowest {max(times):,.0f} ms"
        )
        for failure in failed[:3]:
            print(f"  {failure}")
        return not failed and not wrong
    finally:
        remove("faults-two", "faults-one")


def main(
    count: Annotated[int, typer.Option(help="entries of the build")] = 200_000,
    searches: Annotated[int, typer.Option(help="searches while a node is killed")] = 1_000,
) -> None:
    passed = [killed_while_building(count), killed_while_searching(searches)]
    raise typer.Exit(0 if all(passed) else 1)


if __name__ == "__main__":
    typer.run(main)
