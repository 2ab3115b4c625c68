"""What `triad index --infer` finds, and what it costs: queries over explicit facts against a graph with all of them.

    .venv/bin/python benchmarks/inference.py

The questions' own queries run on three indexes: of the explicit facts, of these with what follows from them, and of the
graph whose publisher applied the rules. A row counts as found if it is among those of the publisher's graph.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from triad.indexing.build import build
from triad.kg import open_graph
from triad.kg.base import KnowledgeGraph
from triad.rdf import ResultSet

DATA = Path(os.environ.get("TRIAD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
PEER = DATA / "peers" / "talk2powersystem"


def found(rows: ResultSet, gold: ResultSet) -> float:
    """Return the share of gold rows that are among others; a yes or no is one row."""
    if gold.boolean is not None:
        return float(rows.boolean == gold.boolean)
    wanted, had = Counter(gold.rows), Counter(rows.rows)
    return (wanted & had).total() / wanted.total() if wanted else float(not had)


def size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def report(name: str, folder: Path, cost: tuple[float, int], gold: KnowledgeGraph, queries: list[str]) -> None:
    shares, same = [], 0
    with open_graph(folder) as graph:
        for query in queries:
            rows, wanted = graph.lookup(query), gold.lookup(query)
            shares.append(found(rows, wanted))
            same += Counter(rows.rows) == Counter(wanted.rows) and rows.boolean == wanted.boolean
    print(f"{name:24}{cost[0]:9.2f}{cost[1] / 2**20:9.2f}{sum(shares) / len(shares):8.4f}{same:7}")


def main(
    explicit: Annotated[Path, typer.Option(help="The graph of the explicit facts")] = PEER / "graph-explicit.nt.gz",
    full: Annotated[Path, typer.Option(help="The graph with what follows")] = PEER / "graph.nt.gz",
    questions: Annotated[Path, typer.Option(help="Questions with queries, a JSON object a line")] = PEER
    / "v3-dev.jsonl",
    axioms: Annotated[list[Path] | None, typer.Option(help="Files of axioms beside the explicit facts")] = None,
    runs: Annotated[int, typer.Option(help="Runs of each, of which the fastest counts")] = 3,
) -> None:
    queries = [json.loads(line)["sparql"] for line in questions.read_text(encoding="utf-8").splitlines()]
    kinds = {
        "explicit": (explicit, False),
        "explicit, --infer": (explicit, True),
        "with the rules applied": (full, False),
    }
    with tempfile.TemporaryDirectory() as made:
        costs: dict[str, tuple[float, int]] = {}
        for _ in range(runs):
            for name, (file, infer) in kinds.items():
                seconds = build(
                    [file, *(axioms or ())] if infer else file, Path(made, name), overwrite=True, infer=infer
                ).seconds
                costs[name] = (min(seconds, costs.get(name, (seconds, 0))[0]), size(Path(made, name)))
        print(f"{'index':24}{'seconds':>9}{'MiB':>9}{'found':>8}{'same':>7} of {len(queries)} queries")
        with open_graph(Path(made, "with the rules applied")) as gold:
            for name in kinds:
                report(name, Path(made, name), costs[name], gold, queries)
    (least, small), (most, large) = costs["explicit"], costs["explicit, --infer"]
    print(f"--infer takes {most / least:.2f} x the time and {large / small:.2f} x the size")


if __name__ == "__main__":
    typer.run(main)
