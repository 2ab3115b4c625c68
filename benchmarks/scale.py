"""What indexing takes as a dump grows: `python benchmarks/scale.py 100000 1000000 5000000`.

Dumps in the form of DBpedia's are written for so many names (`benchmarks/memory.py`), and each is indexed into a
folder, without a store, by a process of its own. Told are its seconds; those of the processor, parsers among them,
which other work on the machine lengthens less; the peak of its memory; and the bytes of the index. They are those of
docs/how-to/scale.md.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from memory import write

from triad.indexing.pipeline import run
from triad.indexing.recipe import load_recipe


def processor() -> float:
    """Return the processor's seconds of this process and of those that it began and that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def index(recipe: Path, executor: str | None) -> None:
    """Index a dump in this process, and print what it took."""
    start = time.perf_counter()
    made = load_recipe(recipe).model_copy(update={"store": False})
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "built")
        report = run(made, target, executor=executor)
        size = sum(path.stat().st_size for path in target.rglob("*") if path.is_file())
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    took = {"s": time.perf_counter() - start, "cpu": processor(), "MB": peak, "disk": size / 1e6}
    print(json.dumps({"triples": report.triples, "entries": sum(report.entries.values()), **took}))


def main(
    sizes: Annotated[list[str], typer.Argument(help="numbers of names, or folders of dumps that were written before")],
    executor: Annotated[str | None, typer.Option(help="dask, or dask://HOST:PORT")] = None,
    recipe: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    if recipe:
        index(recipe, executor)
        return
    print(f"{'dump':12}{'triples':>12}{'entries':>12}{'s':>8}{'cpu s':>8}{'peak MB':>9}{'index MB':>10}", flush=True)
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            dump = write(Path(folder), int(size)) if size.isdecimal() else Path(size, "recipe.yaml")
            command = [sys.executable, __file__, size, "--recipe", str(dump)]
            command += ["--executor", executor] if executor else []
            took = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        print(
            f"{Path(size).name:12}{took['triples']:12,}{took['entries']:12,}{took['s']:8.0f}{took['cpu']:8.0f}"
            f"{took['MB']:9.0f}{took['disk']:10.0f}",
            flush=True,
        )


if __name__ == "__main__":
    typer.run(main)
