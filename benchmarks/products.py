"""Conversations over a product line: what is right by kind of turn, with what evidence, at what cost.

python benchmarks/products.py index --to index/products/ebikes          # the store, its tables and passages
python benchmarks/products.py ask runs/products --model openai:gpt-4.1-mini --workers 16
python benchmarks/products.py ask runs/ragonite --config table_ragonite --model openai:gpt-4.1-mini
python benchmarks/products.py report runs/products

Dialogues are asked side by side, the turns of each in order. What was asked before is kept: a run that ended is gone on
with. TRIAD_DATA names the folder that holds products/.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Annotated, Any, Final

import typer

from triad.cli.display import log_console
from triad.cli.program import app as triad
from triad.cli.progress import run_progress
from triad.evaluation.folder import RecordDigest, RunFolder
from triad.evaluation.run import run
from triad.text import table

INDEX: Final = Path("index/products/ebikes")
KINDS: Final = ("lookup", "complex", "abstract", "text")
HEADER: Final = (
    "turns", "number", "right", "nuggets", "citations", "held", "recall@5", "calls", "tokens",
    "without model p50", "p95",
)  # fmt: skip

app = typer.Typer(add_completion=False, help=__doc__)


def _line() -> str:
    return os.environ.get("PRODUCTS", "ebikes")


@app.command()
def index(to: Annotated[Path, typer.Option(help="Folder of the index.")] = INDEX) -> None:
    """Make the store, its tables, and the passages of the graph and of the documents."""
    folder = Path(os.environ["TRIAD_DATA"]) / "products" / _line()
    triad(["index", str(folder / "kg.ttl.gz"), "--to", str(to), "--tables", "--overwrite"], standalone_mode=False)
    passages = ["--passages", "--documents", str(folder / "passages")]
    triad(["index", "--to", str(to), *passages], standalone_mode=False)


@app.command()
def ask(
    to: Annotated[Path, typer.Argument(help="Folder of the run.")],
    model: Annotated[str | None, typer.Option(help="The model, or none.")] = None,
    config: Annotated[str, typer.Option(help="The config.")] = "products",
    graph: Annotated[Path, typer.Option(help="Folder of the index.")] = INDEX,
    workers: Annotated[int, typer.Option(help="Turns at once.")] = 16,
    alone: Annotated[bool, typer.Option("--alone", help="Ask turns in the form that stands alone.")] = False,
) -> None:
    """Ask the turns, and keep what is answered."""
    changes: dict[str, Any] = {"run.workers": workers, "graph": str(graph.absolute())}
    changes |= {"model": model} if model else {}
    changes |= {"dataset.format": "nuggets"} if alone else {}
    with run_progress(log_console()) as progress:
        run(config, changes=changes, out=to, resume=True, on_progress=progress)
    report(to)


@app.command()
def report(folder: Annotated[Path, typer.Argument(help="Folder of a run, or of a sweep.")]) -> None:
    """Tell what was kept."""
    runs = [folder] if RunFolder(folder).exists else sorted(one for one in folder.iterdir() if RunFolder(one).exists)
    for one in runs:
        digests = list(RunFolder(one).digests())
        print(f"{one.name}:\n")
        print("\n".join(table(HEADER, rows(digests))), "\n")


def rows(digests: Sequence[RecordDigest]) -> list[tuple[str, ...]]:
    """Return a row for each kind of turn, for those that have no answer in the data, and for all."""
    groups: dict[str, Callable[[RecordDigest], bool]] = {"all": lambda _: True}
    kinds = dict.fromkeys((*KINDS, *sorted(str(one.tags.get("kind")) for one in digests)))
    groups |= {f"{kind}, answerable": _of_kind(kind) for kind in kinds}
    groups |= {"unanswerable": lambda one: one.tags.get("gold") == "unanswerable"}
    return [_row(title, members) for title, of in groups.items() if (members := [one for one in digests if of(one)])]


def _of_kind(kind: str) -> Callable[[RecordDigest], bool]:
    return lambda one: one.tags.get("kind") == kind and one.tags.get("gold") != "unanswerable"


def _row(title: str, digests: Sequence[RecordDigest]) -> tuple[str, ...]:
    seconds = [max(0.0, one.seconds - one.usage.seconds) for one in digests]
    cited = sum(one.scores.get("cited_sentences") or 0 for one in digests)
    held = sum(one.scores.get("held_sentences") or 0 for one in digests)
    late = quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else seconds[0]
    return (
        title,
        str(len(digests)),
        f"{sum(one.scores.get('right') or 0 for one in digests):.0f}",
        *(_mean(one.scores.get(name) for one in digests) for name in ("nugget_recall", "citation_precision")),
        f"{held / cited:.3f}" if cited else "-",
        _mean(one.scores.get("recall_at_5") for one in digests),
        f"{fmean(one.usage.calls + one.usage.cached for one in digests):.2f}",
        f"{fmean(one.usage.input_tokens + one.usage.output_tokens for one in digests):.0f}",
        f"{1000 * median(seconds):.0f} ms",
        f"{1000 * late:.0f} ms",
    )


def _mean(values: Iterable[float | None]) -> str:
    there = [value for value in values if value is not None]
    return f"{fmean(there):.3f}" if there else "-"


if __name__ == "__main__":
    app()
