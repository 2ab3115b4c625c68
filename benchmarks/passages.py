"""How long passages take to make and to find, and how much memory.

    .venv/bin/python benchmarks/passages.py build [FILE...] [--part 0.1 --part 0.2]
    .venv/bin/python benchmarks/passages.py search FOLDER
    .venv/bin/python benchmarks/passages.py vectors [--rows 100000]

`build` makes the tables and the passages of a graph in a process of its own, whose peak memory is told; indexing the
graph does not count. `search` asks an index of passages with titles of its own. `vectors` compares ways to search
vectors of 384 numbers: exactly by numpy, usearch and DuckDB, and by usearch's graph of neighbours.
"""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from tables import MEASURED, lines_of

from triad.indexing.pipeline import run
from triad.indexing.recipe import recipe_of
from triad.retrieval.search import open_passages

app = typer.Typer()

_MAKE = """
import json, resource, sys, time
from triad.retrieval.passages.building import make_passages
from triad.retrieval.tables.induction import induce
start = time.process_time()
tables = induce(sys.argv[1])
middle = time.process_time()
passages = make_passages(sys.argv[1])
print(json.dumps({
    "triples": tables.triples, "passages": passages.passages,
    "tables": tables.seconds, "seconds": passages.seconds,
    "cpu": time.process_time() - middle, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


@app.command()
def build(
    files: Annotated[list[Path] | None, typer.Argument(help="Files of N-Triples")] = None,
    part: Annotated[list[float] | None, typer.Option(help="Shares of the subjects")] = None,
) -> None:
    chosen = [(file, at) for file in files or [] for at in part or [1.0]] or MEASURED
    print("graph                           share   triples  passages  s tables  s passages    cpu  MB peak  MB file")
    for file, share in chosen:
        with tempfile.TemporaryDirectory() as name:
            source, target = Path(name, "part.nt"), Path(name, "made")
            with source.open("wb") as out:
                out.writelines(lines_of(file, share))
            run(recipe_of([str(source)]), target)
            told = subprocess.run(
                [sys.executable, "-c", _MAKE, str(target)], capture_output=True, check=True, text=True
            )
            found = json.loads(told.stdout)
            size = sum(one.stat().st_size for one in (target / "passages").rglob("*") if one.is_file()) / 2**20
        print(
            f"{'/'.join(file.parts[-2:]):30}{share:7.1f}{found['triples']:10}{found['passages']:10}"
            f"{found['tables']:10.1f}{found['seconds']:12.1f}{found['cpu']:7.1f}{found['memory']:9.0f}{size:9.0f}"
        )


@app.command()
def search(folder: Path, questions: int = 200) -> None:
    index = open_passages(folder)
    chosen = random.Random(0)
    words = ["river", "city", "born", "director", "album", "team", "year", "population", "company", "film"]
    names: list[str] = []
    while len(names) < questions:
        hits = index.search(" ".join(chosen.sample(words, 2)), 50)
        names += [hit.passage.title for hit in chosen.sample(hits, min(len(hits), 20))]
    seconds = list(times(lambda name: index.search(f"What is the {chosen.choice(words)} of {name}?", 5), names))
    print(f"{len(index)} passages: {told(seconds)}")


@app.command()
def vectors(rows: int = 100_000, width: int = 384, questions: int = 50) -> None:
    import duckdb
    import numpy as np
    from usearch.index import Index, search as exact

    chosen = np.random.default_rng(0)
    centres = chosen.standard_normal((500, width)).astype(np.float32)
    array = centres[chosen.integers(0, 500, rows)] + chosen.standard_normal((rows, width)).astype(np.float32)
    array /= np.linalg.norm(array, axis=1, keepdims=True)
    asked = array[chosen.integers(0, rows, questions)]
    asked = asked + 0.05 * chosen.standard_normal(asked.shape).astype(np.float32)
    half, best = array.astype(np.float16), [set(np.argpartition(-(array @ one), 100)[:100].tolist()) for one in asked]
    bytes_ = np.round(array * 127 / np.abs(array).max()).astype(np.int8)

    def small(one: Any) -> Any:
        return np.round(one * 127 / np.abs(one).max()).astype(np.int8)

    ways: dict[str, Callable[[Any], Sequence[int]]] = {
        "numpy, exact, 32 bits": lambda one: np.argpartition(-(array @ one), 100)[:100].tolist(),
        "usearch, exact, 16 bits": lambda one: exact(
            half, one.astype(np.float16), 100, "cos", exact=True
        ).keys.tolist(),
        "usearch, exact, 8 bits": lambda one: exact(bytes_, small(one), 100, "cos", exact=True).keys.tolist(),
    }
    graph = Index(ndim=width, metric="cos", dtype="f16")
    start = time.perf_counter()
    graph.add(np.arange(rows), array)
    print(f"usearch's graph is built in {time.perf_counter() - start:.0f} s")
    ways["usearch, graph, 16 bits"] = lambda one: graph.search(one, 100).keys.tolist()
    database = duckdb.connect()
    database.execute(f"CREATE TABLE v (id INTEGER, e FLOAT[{width}])")
    for at in range(0, rows, 5_000):
        part = array[at : at + 5_000].tolist()
        ids = list(range(at, at + len(part)))
        database.execute(f"INSERT INTO v SELECT unnest($1::INTEGER[]), unnest($2::FLOAT[{width}][])", [ids, part])
    query = f"SELECT id FROM v ORDER BY array_cosine_distance(e, $1::FLOAT[{width}]) LIMIT 100"
    ways["DuckDB, exact, 32 bits"] = lambda one: [at for (at,) in database.execute(query, [one.tolist()]).fetchall()]
    for name, way in ways.items():
        way(asked[0])
        seconds = list(times(way, asked))
        found = [way(one) for one in asked]
        share = statistics.mean(len(known & set(got)) / 100 for known, got in zip(best, found, strict=True))
        print(f"{name:26}{told(seconds)}, {share:.3f} of the nearest 100")


def times(call: Callable[[Any], object], items: Iterable[Any]) -> Iterable[float]:
    for one in items:
        start = time.perf_counter()
        call(one)
        yield time.perf_counter() - start


def told(seconds: list[float]) -> str:
    quantiles = statistics.quantiles(seconds, n=20)
    return f"p50 {statistics.median(seconds) * 1_000:.1f} ms, p95 {quantiles[18] * 1_000:.1f} ms"


if __name__ == "__main__":
    app()
