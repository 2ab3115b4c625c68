"""How well and how fast the local label index finds what mentions stand for.

    .venv/bin/python benchmarks/linking.py
    .venv/bin/python benchmarks/linking.py --names 1000000

The index holds the items of the development data's folder ``linking``, once with their aliases and once without. With
``--names``, it holds in their place that many names: theirs, and others made of the same words, each as well known as
chance has it, a few of them very well. They are looked up as people write who mean what is well known: with a typo, or
by a part of the name. What a part finds is compared with the best that can be had, where of all the names that have
the part the best known are found: many parts stand in so many names that no index can tell which of them is meant.
"""

from __future__ import annotations

import csv
import gzip
import os
import random
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from triad.language.normalize import fold
from triad.search.base import Entry
from triad.search.local import LocalIndex

DATA = Path(os.environ.get("TRIAD_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")
MENTIONS = {"clean": "mentions_dev.tsv", "noisy": "mentions_dev_noisy.tsv"}
ASKED = 1_000
"""Lookups of each kind."""
BEST_KNOWN = 100_000
"""Triples of the best-known thing."""


def read_entries(folder: Path) -> Iterator[Entry]:
    with gzip.open(folder / "entities.tsv.gz", "rt", encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            aliases = tuple(filter(None, row["aliases"].split("|")))
            yield Entry(
                row["id"],
                "relation" if row["id"].startswith("P") else "entity",
                row["label"],
                aliases,
                row["description"],
            )


def measure(index: LocalIndex, mentions: list[list[str]]) -> tuple[float, float, list[float]]:
    """Return recall at 1, recall at 10, and the milliseconds of each search."""
    ranks, times = search(index, mentions)
    return ranks.count(0) / len(ranks), 1 - ranks.count(None) / len(ranks), times


def search(index: LocalIndex, mentions: list[list[str]]) -> tuple[list[int | None], list[float]]:
    """Return the rank of what each mention means, None if it is not found, and the milliseconds of each search."""
    ranks: list[int | None] = []
    times: list[float] = []
    for mention, gold in mentions:
        start = time.perf_counter()
        found = [candidate.iri for candidate in index.search(mention, limit=10)]
        times.append((time.perf_counter() - start) * 1000)
        ranks.append(found.index(gold) if gold in found else None)
    return ranks, times


def made_entries(folder: Path, count: int, chance: random.Random) -> list[Entry]:
    """Return things with names of the data's words, of which one in ten has ten times as many triples."""
    names = dict.fromkeys(entry.label for entry in read_entries(folder))
    words = [word for name in names for word in name.split()]
    while len(names) < count:
        names[" ".join(chance.choices(words, k=chance.choice((1, 2, 2, 2, 3, 3, 4))))] = None
    mixed = chance.sample(list(names), count)
    known = [min(BEST_KNOWN, int(1 / (1 - chance.random()))) for _ in mixed]
    return [
        Entry(f"http://example.org/{at}", "entity", name, popularity=popularity)
        for at, (name, popularity) in enumerate(zip(mixed, known, strict=True))
    ]


def mistyped(name: str, chance: random.Random) -> str:
    """Return a name with a letter left out, doubled, replaced, or swapped with the next."""
    at = chance.randrange(1, len(name) - 1)
    one, other = name[at], name[at + 1]
    return name[:at] + chance.choice([other, one + one + other, "e" + other, other + one]) + name[at + 2 :]


def part(name: str, counts: Counter[str], chance: random.Random) -> str:
    """Return some of the words of a name, which stand together, the rarest of them among these: it tells most."""
    words = fold(name).split()
    rarest = words.index(min(words, key=lambda word: counts[word]))
    first = chance.randint(0, rarest)
    end = chance.randint(rarest + 1, len(words))
    return " ".join(words[first:end] if end - first < len(words) else words[rarest : rarest + 1])


def places(entries: list[Entry], mentions: list[list[str]]) -> list[int]:
    """Return for each mention how many things whose name has its words are better known than the one that it means."""
    wanted = {word for text, _ in mentions for word in fold(text).split()}
    having: defaultdict[str, set[int]] = defaultdict(set)
    for at, entry in enumerate(entries):
        for word in wanted.intersection(fold(entry.label).split()):
            having[word].add(at)
    found = []
    for text, gold in mentions:
        things = set.intersection(*(having[word] for word in fold(text).split()))
        best = sorted(things, key=lambda at: -entries[at].popularity)
        found.append([entries[at].iri for at in best].index(gold))
    return found


def measure_many(folder: Path, count: int) -> None:
    """Print how well and how fast typos and parts of names are found among many names."""
    chance = random.Random(1)
    entries = made_entries(folder, count, chance)
    weights = [entry.popularity for entry in entries]
    asked = [one for one in chance.choices(entries, weights, k=9 * ASKED) if len(fold(one.label)) >= 6]
    long = [one for one in asked if " " in fold(one.label)]
    counts = Counter(word for entry in entries for word in fold(entry.label).split())
    mentions = {
        "whole": [[one.label, one.iri] for one in asked[:ASKED]],
        "typo": [[mistyped(one.label, chance), one.iri] for one in asked[:ASKED]],
        "part": [[text, one.iri] for one in long if len(fold(text := part(one.label, counts, chance))) >= 4][:ASKED],
    }
    with tempfile.TemporaryDirectory() as target, LocalIndex.create(Path(target, "labels")) as index:
        start = time.perf_counter()
        index.add(entries)
        print(f"{count:,} entries added in {time.perf_counter() - start:.1f} s")
        print(f"{'mentions':10}{'count':>6}{'recall@1':>10}{'recall@10':>11}{'p50 ms':>8}{'p95 ms':>8}")
        for name, lines in mentions.items():
            at_1, at_10, times = measure(index, lines)
            p95 = statistics.quantiles(times, n=20)[-1]
            print(f"{name:10}{len(lines):6}{at_1:10.4f}{at_10:11.4f}{statistics.median(times):8.2f}{p95:8.2f}")
        found, _ = search(index, mentions["part"])
    can = [place < 10 for place in places(entries, mentions["part"])]
    both = sum(possible and rank is not None for possible, rank in zip(can, found, strict=True)) / sum(can)
    print(f"the best that can be had for parts: recall@10 {sum(can) / len(can):.4f}; of these, {both:.4f} are found")


def main(
    data: Annotated[Path, typer.Option(help="the folder of the development data")] = DATA,
    names: Annotated[int, typer.Option(help="how many names, if more than the data has")] = 0,
) -> None:
    folder = data / "linking"
    if names:
        measure_many(folder, names)
        return
    entries = list(read_entries(folder))
    print(f"{'aliases':9}{'mentions':10}{'count':>6}{'recall@1':>10}{'recall@10':>11}{'p50 ms':>8}{'p95 ms':>8}")
    for aliases in ("with", "without"):
        with tempfile.TemporaryDirectory() as target, LocalIndex.create(Path(target, "labels")) as index:
            start = time.perf_counter()
            index.add(entries if aliases == "with" else (replace(entry, aliases=()) for entry in entries))
            seconds = time.perf_counter() - start
            for name, file in MENTIONS.items():
                lines = (folder / file).read_text(encoding="utf-8").splitlines()
                mentions = [line.split("\t") for line in lines]
                at_1, at_10, times = measure(index, mentions)
                p95 = statistics.quantiles(times, n=20)[-1]
                print(
                    f"{aliases:9}{name:10}{len(mentions):6}{at_1:10.4f}{at_10:11.4f}"
                    f"{statistics.median(times):8.2f}{p95:8.2f}"
                )
            print(f"{aliases:9}{len(entries)} entries added in {seconds:.2f} s")


if __name__ == "__main__":
    typer.run(main)
