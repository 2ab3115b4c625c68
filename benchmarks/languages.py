"""How often the language of a question is told, as a table of those that are taken for another one.

python benchmarks/languages.py                        # all sets
python benchmarks/languages.py --only free,qald9

Each question is taken by itself, and without a graph. English is what a question is taken for that leaves it open.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from triad.language.detection import detect
from triad.text import table

DATA: Final = Path(os.environ.get("TRIAD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
SETS: Final = ("free", "spider", "lcquad", "qald9")


def main(
    only: Annotated[str, typer.Option(help="Sets to read, with commas.")] = ",".join(SETS),
    data: Annotated[Path, typer.Option(help="The folder of the sets.")] = DATA,
) -> None:
    rows: list[tuple[str, ...]] = []
    detect("Is it warm in here?")  # loads the model
    for name in only.split(","):
        counts: Counter[tuple[str, str]] = Counter()
        seconds: list[float] = []
        for language, text in questions(data / name.strip()):
            started = time.perf_counter()
            counts[language, detect(text)] += 1
            seconds.append(time.perf_counter() - started)
        for language in sorted({one for one, _ in counts}):
            taken = Counter({other: count for (one, other), count in counts.items() if one == language})
            others = ", ".join(f"{other} {count}" for other, count in taken.most_common() if other != language)
            rows.append((name, language, str(taken.total()), f"{taken[language] / taken.total():.3f}", others))
        right = sum(count for (one, other), count in counts.items() if one == other)
        median = f"{1_000 * statistics.median(seconds):.2f} ms a question"
        rows.append((name, "all", str(counts.total()), f"{right / counts.total():.3f}", median))
    typer.echo("\n".join(table(("set", "language", "questions", "told", "taken for"), rows)))


def questions(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the questions of a set with their languages."""
    for file in sorted(folder.rglob("questions.json")):
        content: Any = json.loads(file.read_text(encoding="utf-8"))
        for record in content if isinstance(content, list) else content["questions"]:
            if isinstance(record["question"], str):
                yield record["language"], record["question"]
                continue
            for text in record["question"]:
                if text.get("string"):
                    yield text["language"].lower()[:2], text["string"]


if __name__ == "__main__":
    typer.run(main)
