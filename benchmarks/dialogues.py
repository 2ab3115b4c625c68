"""What questions lose in a dialogue: each turn in the context of those before, against its form that stands alone.

python benchmarks/dialogues.py --model none                  # without a language model
python benchmarks/dialogues.py --model openai:gpt-4.1-mini
python benchmarks/dialogues.py --data FOLDER --to runs/dialogues --resume

Retention is F1 in the dialogue / F1 alone, of the same turns. TRIAD_DATA, or --data, names the folder of dialogues/.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import fmean
from typing import Annotated, Final

import typer

from triad.cli.display import log_console
from triad.cli.progress import run_progress
from triad.evaluation.folder import RecordDigest, RunFolder
from triad.evaluation.run import run

DATA: Final = Path(__file__).resolve().parents[1].parent / "shared" / "data"
CONFIGS: Final = ("dialogues", "dialogues-in-context")
METRICS: Final = ("p_at_1", "mrr", "hit_at_5", "macro_f1_gerbil")
EXTRA: Final = ("rephrasing",)


def main(
    data: Annotated[Path, typer.Option(help="The folder of dialogues/.")] = DATA,
    to: Annotated[Path | None, typer.Option(help="Folder of the runs.")] = None,
    model: Annotated[str | None, typer.Option(help="The model, or none.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the runs in the folder.")] = False,
    workers: Annotated[int, typer.Option(help="Questions at once.")] = 2,
) -> None:
    os.environ.setdefault("TRIAD_DATA", str(data))
    out = to or Path("runs") / f"dialogues-{model or 'default'}".replace(":", "-")
    changes = {"run.workers": workers, **({"model": model} if model else {})}
    turns: dict[str, dict[str, RecordDigest]] = {}
    for name in CONFIGS:
        with run_progress(log_console()) as progress:
            run(name, changes=changes, out=out / name, resume=resume, on_progress=progress)
        folders = [folder for folder in sorted((out / name).iterdir()) if folder.is_dir()]
        turns[name] = {digest.id: digest for folder in folders for digest in RunFolder(folder).digests()}
    alone, inside = (turns[name] for name in CONFIGS)
    groups: dict[str, Callable[[RecordDigest], bool]] = {"all turns": lambda _: True}
    groups |= {graph: _in(graph) for graph in sorted({str(one.tags["graph"]) for one in alone.values()})}
    groups |= {"first turns": lambda one: one.tags["dependent"] == "false"}
    groups |= {"dependent turns": lambda one: one.tags["dependent"] == "true"}
    print(
        "| turns | number | "
        + " | ".join(f"{name}: alone, in dialogue" for name in METRICS)
        + " | retention | extra calls |"
    )
    print("| --- " * (len(METRICS) + 4) + "|")
    for title, wanted in groups.items():
        ids = [id for id, one in alone.items() if wanted(one) and id in inside]
        if ids:
            print(_row(title, [alone[id] for id in ids], [inside[id] for id in ids]))


def _in(graph: str) -> Callable[[RecordDigest], bool]:
    return lambda one: one.tags["graph"] == graph


def _row(title: str, alone: list[RecordDigest], inside: list[RecordDigest]) -> str:
    pairs = {name: (_mean(alone, name), _mean(inside, name)) for name in METRICS}
    before, after = pairs["macro_f1_gerbil"]
    cells = [f"{one:.3f}, {other:.3f}" for one, other in pairs.values()]
    extra = fmean(
        sum(one.costs["subtask"][name].calls for name in EXTRA if name in one.costs.get("subtask", {}))
        for one in inside
    )
    retention = f"{100 * after / before:.1f} %" if before else "–"
    return f"| {title} | {len(alone)} | " + " | ".join(cells) + f" | {retention} | {extra:.2f} |"


def _mean(digests: Iterable[RecordDigest], metric: str) -> float:
    return fmean(digest.scores.get(metric) or 0.0 for digest in digests)


if __name__ == "__main__":
    typer.run(main)
