"""What indexing takes as a dump grows: `python benchmarks/scale.py 100000 1000000 5000000`.

Dumps in the form of DBpedia's are written for so many names (`benchmarks/memory.py`), and each is indexed into a
folder by a process of its own. Told are its seconds; those of the processor, parsers among them, which other work on
the machine lengthens less; the peak of its memory; and the bytes of the index. They are those of docs/how-to/scale.md.

With ``--to``, entries go to a server instead, such as ``elasticsearch:http://127.0.0.1:19200/scale``; with ``--executor
dask``, dumps are written plain, which workers read in parts.

With ``--asked``, the folder has a store, too, and another process tells the median milliseconds of looking up a name,
and one with two letters exchanged, and of answering a question about it without a model; and how often the thing that
was meant was first.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer
from memory import RESOURCE, name, write

from triad import Agent, open_index
from triad.indexing.pipeline import run
from triad.indexing.recipe import load_recipe

LOOKED_UP = 300
"""Names that are looked up; a tenth of them is asked about."""


def processor() -> float:
    """Return the processor's seconds of this process and of those that it began and that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, kinds))


def index(recipe: Path, target: Path | str, store: bool, executor: str | None) -> dict[str, float]:
    """Index a dump in this process; return what it took."""
    start = time.perf_counter()
    report = run(load_recipe(recipe).model_copy(update={"store": store}), target, executor=executor, resume=True)
    size = sum(path.stat().st_size for path in Path(target).rglob("*") if path.is_file())
    return {
        "triples": report.triples,
        "entries": sum(report.entries.values()),
        "s": time.perf_counter() - start,
        "cpu": processor(),
        "MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "disk": size / 1e6,
    }


def asked(folder: Path, count: int) -> dict[str, tuple[float, float]]:
    """Return the median milliseconds, and the part that was found, of names, mistyped names and questions."""
    chance = random.Random(1)
    numbers = [chance.randrange(count) for _ in range(LOOKED_UP)]
    things = [RESOURCE + name(number).replace(" ", "_") for number in numbers]

    def told(texts: list[str], find: Callable[[str], list[str]]) -> tuple[float, float]:
        find(texts[0])
        times, hits = [], 0
        for text, thing in zip(texts, things, strict=False):
            start = time.perf_counter()
            found = find(text)
            times.append(1_000 * (time.perf_counter() - start))
            hits += thing in found
        return statistics.median(times), hits / len(texts)

    names = [name(number) for number in numbers]
    with open_index(folder) as labels:

        def first(text: str) -> list[str]:
            return [candidate.iri for candidate in labels.search(text, 10)[:1]]

        figures = {"exact": told(names, first), "typo": told([_mistyped(one) for one in names], first)}
    with Agent(graph=folder, model="none") as agent:

        def mentioned(question: str) -> list[str]:
            query = agent.ask(question, min_confidence=0).query or ""
            return [thing for thing in things if thing.removeprefix(RESOURCE) in query]

        questions = [f"What is the relation{n % 700} of {name(n)}?" for n in numbers[: LOOKED_UP // 10]]
        figures["question"] = told(questions, mentioned)
    return figures


def _mistyped(text: str) -> str:
    return text[:2] + text[3] + text[2] + text[4:]


def main(
    sizes: Annotated[list[str], typer.Argument(help="numbers of names, or folders of dumps so named")],
    executor: Annotated[str | None, typer.Option(help="dask, or dask://HOST:PORT")] = None,
    to: Annotated[str | None, typer.Option(help="a server's index in place of a folder")] = None,
    with_asked: Annotated[bool, typer.Option("--asked", help="with a store, which is asked")] = False,
    facts: Annotated[int, typer.Option(help="of each name")] = 2,
    step: Annotated[str | None, typer.Option(hidden=True)] = None,
    folder: Annotated[Path | None, typer.Option(hidden=True)] = None,
) -> None:
    if folder:
        made = folder / "built"
        recipe = Path(sizes[0], "recipe.yaml")
        print(
            json.dumps(
                index(recipe, to or made, with_asked, executor)
                if step == "index"
                else asked(made, int(Path(sizes[0]).name))
            )
        )
        return
    print(f"{'dump':12}{'triples':>12}{'entries':>12}{'s':>8}{'cpu s':>8}{'peak MB':>9}{'index MB':>10}", flush=True)
    for size in sizes:
        with tempfile.TemporaryDirectory() as scratch:
            dump = (
                write(Path(scratch), int(size), ".nt" if executor else ".ttl.bz2", facts).parent
                if size.isdecimal()
                else Path(size)
            )
            options = ["--folder", scratch, *(["--asked"] if with_asked else [])]
            took = _told(
                [
                    str(dump),
                    "--step",
                    "index",
                    *options,
                    *(["--executor", executor] if executor else []),
                    *(["--to", to] if to else []),
                ]
            )
            print(
                f"{Path(size).name:12}{took['triples']:12,}{took['entries']:12,}{took['s']:8.0f}{took['cpu']:8.0f}"
                f"{took['MB']:9.0f}{took['disk']:10.0f}",
                flush=True,
            )
            if with_asked:
                for what, (median, found) in _told([size, "--step", "ask", *options]).items():
                    print(f"  {what:10}{median:8.1f} ms, {found:.2f} found")


def _told(arguments: list[str]) -> dict[str, Any]:
    command = [sys.executable, __file__, *arguments]
    told: dict[str, Any] = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    return told


if __name__ == "__main__":
    typer.run(main)
