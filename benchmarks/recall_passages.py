"""How many of the things and documents that dialogues need are among the first passages found.

    .venv/bin/python benchmarks/recall_passages.py [FOLDER] [--embedder fastembed:…] [--at 5]

The folder is one of `data/products`: a graph, its documents and dialogues whose turns name what they rest on. Each
turn is searched for by its stand-alone question; recall is the share of its supports among the first passages, and the
mean is over the turns that have supports.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from triad.embedding import open_embedder
from triad.indexing.pipeline import run
from triad.indexing.recipe import recipe_of
from triad.retrieval.passages.building import make_passages
from triad.retrieval.search import Passage, open_passages

DATA = Path(os.environ.get("TRIAD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
BIKES = DATA / "products" / "ebikes"


def turns(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield the turns of a folder's dialogues that name what they rest on."""
    told = json.loads((folder / "dialogues.json").read_text(encoding="utf-8"))
    for conversation in told["conversations"]:
        for turn in conversation["turns"]:
            if turn["supports"].get("entities") or turn["supports"].get("passages"):
                yield turn


def recall(turn: dict[str, Any], found: Sequence[Passage]) -> float:
    """Return the share of a turn's supports among passages: of its things and of its documents."""
    things = {passage.things[0] for passage in found if passage.source == "passages"}
    documents = {Path(passage.document).stem for passage in found if passage.document}
    supports = turn["supports"]
    others = supports.get("passage_alternatives", {})
    got = [iri in things for iri in supports.get("entities", ())]
    got += [bool(documents & {name, *others.get(name, ())}) for name in supports.get("passages", ())]
    return sum(got) / len(got)


def main(
    folder: Annotated[Path, typer.Argument(help="A folder of products")] = BIKES,
    embedder: Annotated[str | None, typer.Option(help="Find by vectors, too")] = None,
    at: Annotated[int, typer.Option(help="How many passages are looked at")] = 5,
) -> None:
    opened = open_embedder(embedder) if embedder else None
    by_kind: defaultdict[str, list[float]] = defaultdict(list)
    with tempfile.TemporaryDirectory() as name:
        run(recipe_of([str(folder / "kg.nt.gz")]), Path(name, "made"))
        report = make_passages(Path(name, "made"), documents=folder / "passages", embedder=opened)
        print(f"{report.passages} passages, made in {report.seconds:.1f} s")
        index = open_passages(Path(name, "made"), opened)
        for turn in turns(folder):
            found = [hit.passage for hit in index.search(turn["standalone"], at)]
            by_kind[turn["kind"]].append(recall(turn, found))
    for kind, values in sorted(by_kind.items()):
        print(f"{kind:10}{len(values):4} turns  recall@{at} {statistics.mean(values):.3f}")
    every = [value for values in by_kind.values() for value in values]
    print(f"{'all':10}{len(every):4} turns  recall@{at} {statistics.mean(every):.3f}")


if __name__ == "__main__":
    typer.run(main)
