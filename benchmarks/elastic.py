"""How well and how fast the index in Elasticsearch finds names, and how fast it is loaded.

    make services
    .venv/bin/python benchmarks/elastic.py [--address http://127.0.0.1:19200]

Each figure has its measure beside it, taken in the same run: recall that of the local index; three mentions in one
round trip one bare ``match`` query, sent in turn by a client of its own; loading ``helpers.streaming_bulk`` with the
same documents, ready to be sent. What a search takes is told with how long this process is busy for it, for the rest is
the server's, which needs thousands of searches until it is as fast as it gets.
"""

from __future__ import annotations

import csv
import gzip
import os
import random
import secrets
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from elasticsearch import Elasticsearch, helpers

from triad.language.normalize import fold
from triad.questions import Kind
from triad.search.base import Entry, LabelIndex, Lookup
from triad.search.elastic.index import ElasticIndex
from triad.search.elastic.layout import LabelLayout, document, document_id
from triad.search.local import LocalIndex

DATA = Path(os.environ.get("TRIAD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
MENTIONS = {"clean": "mentions_dev.tsv", "noisy": "mentions_dev_noisy.tsv"}
LOADING = {"number_of_shards": 1, "number_of_replicas": 0, "refresh_interval": "-1"}


def read_entries(folder: Path) -> Iterator[Entry]:
    with gzip.open(folder / "entities.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            aliases = tuple(filter(None, row["aliases"].split("|")))
            kind: Kind = "relation" if row["id"].startswith("P") else "entity"
            yield Entry(row["id"], kind, row["label"], aliases, row["description"])


def recall(index: LabelIndex, mentions: list[list[str]]) -> tuple[float, float]:
    """Return recall at 1 and at 10."""
    results = index.search_many([Lookup(mention) for mention, _ in mentions])
    found = [[candidate.iri for candidate in candidates] for candidates in results]
    ranks = [iris.index(gold) if gold in iris else None for iris, (_, gold) in zip(found, mentions, strict=True)]
    return ranks.count(0) / len(ranks), 1 - ranks.count(None) / len(ranks)


def milliseconds(call: Callable[[], Any]) -> tuple[float, float]:
    """Return how long a call takes, and how long this process is busy with it."""
    start, busy = time.perf_counter(), time.thread_time()
    call()
    return (time.perf_counter() - start) * 1000, (time.thread_time() - busy) * 1000


def measure_search(index: ElasticIndex, address: str, name: str, mentions: list[str], rounds: int) -> None:
    mentions = random.Random(1).sample(mentions, len(mentions))
    times: dict[str, list[tuple[float, float]]] = {"bare": [], "three": []}
    with Elasticsearch(address) as client:
        for at in range(2 * rounds):
            first, *_ = three = [mentions[(3 * at + offset) % len(mentions)] for offset in range(3)]
            query = {"match": {"names.words": fold(first)}}
            bare = milliseconds(partial(client.search, index=name, query=query))
            ours = milliseconds(partial(index.search_many, [Lookup(text) for text in three]))
            if at >= rounds:  # before that, the server warms up
                times["bare"].append(bare)
                times["three"].append(ours)
    (bare, bare_busy), (ours, busy) = (map(statistics.median, zip(*times[name], strict=True)) for name in times)
    p95 = {name: statistics.quantiles([whole for whole, _ in times[name]], n=20)[-1] for name in times}
    print(f"one bare match:  p50 {bare:.2f} ms, p95 {p95['bare']:.2f} ms, busy {bare_busy:.2f} ms ({rounds} searches)")
    print(f"three mentions:  p50 {ours:.2f} ms, p95 {p95['three']:.2f} ms, busy {busy:.2f} ms")
    print(f"ratios:          p50 {ours / bare:.2f}, busy {busy / bare_busy:.2f}")


def bulk(address: str, name: str, actions: list[dict[str, Any]]) -> float:
    """Load ready documents by the client's helper; return seconds."""
    with Elasticsearch(address, request_timeout=120) as client:
        start = time.perf_counter()
        client.indices.create(index=name, mappings=LabelLayout(name, None).mapping(), settings=LOADING)
        for _ in helpers.streaming_bulk(client, actions, chunk_size=2000):
            pass
        client.indices.refresh(index=name)
        seconds = time.perf_counter() - start
        client.indices.delete(index=name)
    return seconds


def measure_loading(address: str, name: str, entries: list[Entry], runs: int) -> None:
    times: dict[str, list[float]] = {"ready": [], "build": []}
    for _ in range(runs):
        ready = f"{name}-ready"
        actions = [{"_index": ready, "_id": document_id(entry), **document(entry)} for entry in entries]
        times["ready"].append(bulk(address, ready, actions))
        with ElasticIndex(f"elasticsearch:{address}/{name}") as index:
            start = time.perf_counter()
            index.store.build(entries)
            times["build"].append(time.perf_counter() - start)
    loaded, built = (len(entries) / min(times[kind]) for kind in ("ready", "build"))
    print(f"streaming_bulk:  {loaded:,.0f} ready documents a second (best of {runs})")
    print(f"build:           {built:,.0f} entries a second; ratio {built / loaded:.2f}")


def main(
    data: Annotated[Path, typer.Option(help="the folder of the development data")] = DATA,
    address: Annotated[str, typer.Option(help="an Elasticsearch, where indices of random names are made")] = (
        "http://127.0.0.1:19200"
    ),
    rounds: Annotated[int, typer.Option(help="searches that are measured, after as many that are not")] = 1000,
    runs: Annotated[int, typer.Option(help="loads of each kind, of which the fastest counts")] = 3,
) -> None:
    folder = data / "linking"
    entries = list(read_entries(folder))
    mentions = {
        name: [line.split("\t") for line in (folder / file).read_text(encoding="utf-8").splitlines()]
        for name, file in MENTIONS.items()
    }
    name = f"bench-{secrets.token_hex(4)}"
    try:
        measure_loading(address, name, entries, runs)
        with ElasticIndex(f"elasticsearch:{address}/{name}") as index:
            measure_search(index, address, name, [mention for mention, _ in mentions["clean"]], rounds)
            print(f"{'aliases':9}{'mentions':10}{'local: recall@1':>17}{'@10':>8}{'Elasticsearch: @1':>20}{'@10':>8}")
            for aliases in ("with", "without"):
                chosen = entries if aliases == "with" else [replace(entry, aliases=()) for entry in entries]
                local = LocalIndex()
                local.add(chosen)
                index.store.build(chosen)
                for kind, lines in mentions.items():
                    (at_1, at_10), (es_1, es_10) = recall(local, lines), recall(index, lines)
                    print(f"{aliases:9}{kind:10}{at_1:17.4f}{at_10:8.4f}{es_1:20.4f}{es_10:8.4f}")
    finally:
        with Elasticsearch(address) as client:
            if found := list(client.indices.get(index=f"{name}*")):
                client.indices.delete(index=found)


if __name__ == "__main__":
    typer.run(main)
