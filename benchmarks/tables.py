"""How long the tables of a graph take, and how much memory.

    .venv/bin/python benchmarks/tables.py [FILE...] [--part 0.1 --part 0.2]

Each graph is indexed first, which does not count. Its tables are made in a process of their own, whose peak memory is
told. A part of a graph has all triples of that share of its subjects. With neither files nor parts, the bikes and a
tenth and a fifth of DBpedia's slice are measured; ``--part 1`` is all of a file.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from triad.indexing.pipeline import run
from triad.indexing.recipe import recipe_of

DATA = Path(os.environ.get("TRIAD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
BIKES, DBPEDIA = DATA / "products" / "ebikes" / "kg.nt.gz", DATA / "dbpedia" / "kg.nt.gz"
MEASURED = [(BIKES, 1.0), (DBPEDIA, 0.1), (DBPEDIA, 0.2)]
HEADER = "graph                           share   triples  tables      rows  seconds    cpu  MB peak  MB file"

_MAKE = """
import json, resource, sys, time
from triad.retrieval.tables.induction import induce
start = time.process_time()
made = induce(sys.argv[1])
print(json.dumps({
    "triples": made.triples, "tables": len(made.schema.tables), "rows": made.rows, "seconds": made.seconds,
    "cpu": time.process_time() - start, "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def lines_of(file: Path, share: float) -> Iterator[bytes]:
    """Yield the lines of a file of N-Triples whose subjects belong to a share of all."""
    with gzip.open(file) if file.suffix == ".gz" else file.open("rb") as stream:
        for line in stream:
            if zlib.crc32(line.split(b" ", 1)[0]) < share * 2**32:
                yield line


def measure(file: Path, share: float) -> dict[str, Any]:
    """Return how the tables of a part of a file were made, and how large they are."""
    with tempfile.TemporaryDirectory() as name:
        part, target = Path(name, "part.nt"), Path(name, "made")
        with part.open("wb") as out:
            out.writelines(lines_of(file, share))
        run(recipe_of([str(part)]), target)
        told = subprocess.run([sys.executable, "-c", _MAKE, str(target)], capture_output=True, check=True, text=True)
        size = (target / "tables" / "data.duckdb").stat().st_size
        return {**json.loads(told.stdout), "size": size / 2**20}


def main(
    files: Annotated[list[Path] | None, typer.Argument(help="Files of N-Triples")] = None,
    part: Annotated[list[float] | None, typer.Option(help="Shares of the subjects")] = None,
) -> None:
    chosen = [(file, at) for file in files or [] for at in part or [1.0]] or MEASURED
    print(HEADER)
    for file, share in chosen:
        found = measure(file, share)
        print(
            f"{'/'.join(file.parts[-2:]):30}{share:7.1f}{found['triples']:10}{found['tables']:8}{found['rows']:10}"
            f"{found['seconds']:9.1f}{found['cpu']:7.1f}{found['memory']:9.0f}{found['size']:9.0f}"
        )


if __name__ == "__main__":
    typer.run(main)
