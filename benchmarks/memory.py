"""Peak memory of indexing a dump, as the dump grows: `python benchmarks/memory.py [--store] [TARGET]`.

Dumps in the form of DBpedia's (labels, types, abstracts, redirects and facts in files of their own) are written for
200,000 and for 1,000,000 names, and each is indexed by a process of its own, whose peak is told by the system.
"""

from __future__ import annotations

import argparse
import bz2
import hashlib
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from itertools import repeat
from pathlib import Path

from triad.indexing.pipeline import run
from triad.indexing.recipe import load_recipe

SIZES = (200_000, 1_000_000)
RESOURCE = "http://dbpedia.org/resource/"
ONTOLOGY = "http://dbpedia.org/ontology/"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
WORDS = 1_000_003
"""So many names begin with words that no other has."""
SYLLABLES = [first + second for first in "bdfgklmnprstvz" for second in ("a", "e", "i", "o", "u", "ei", "an", "or")]


@lru_cache(WORDS)
def words(number: int) -> str:
    """Return two or three words."""
    chance = hashlib.blake2b(number.to_bytes(8, "big"), digest_size=16).digest()
    syllables = [SYLLABLES[byte % len(SYLLABLES)] for byte in chance[4:]]
    each = ["".join(syllables[4 * at : 4 * at + 2 + chance[at] % 3]).title() for at in range(2 + chance[3] % 2)]
    return " ".join(each)


def name(number: int) -> str:
    """Return a name that no other number has."""
    return f"{words(number % WORDS)} {number}"


def thing(number: int) -> str:
    return f"<{RESOURCE}{name(number).replace(' ', '_')}>"


def labels(count: int) -> Iterator[str]:
    for number in range(count):
        yield f'{thing(number)} <{RDFS}label> "{name(number)}"@en .\n'


def abstracts(count: int) -> Iterator[str]:
    for number in range(0, count, 2):
        text = f"{name(number)} is known for the work with {name(number + 1)} and for many other things. " * 3
        yield f'{thing(number)} <{RDFS}comment> "{text}"@en .\n'


def types(count: int) -> Iterator[str]:
    for number in range(count):
        yield f"{thing(number)} <{TYPE}> <{ONTOLOGY}Class{number % 300}> .\n"


def redirects(count: int) -> Iterator[str]:
    for number in range(0, count, 10):
        yield f"{thing(number)} <{ONTOLOGY}wikiPageRedirects> {thing(number + 1)} .\n"


def facts(count: int, each: int = 2) -> Iterator[str]:
    chance = random.Random(count)
    for number in range(count):
        for at in range(each):
            relation = (number + at // 2) % 700
            yield f"{thing(number)} <{ONTOLOGY}relation{relation}> {thing(chance.randrange(count))} .\n"


PARTS: dict[str, Callable[[int], Iterator[str]]] = {
    "labels": labels,
    "redirects": redirects,
    "short_abstracts": abstracts,
    "instance_types": types,
    "mappingbased_objects": facts,
}


def write_part(path: Path, lines: Callable[[int], Iterator[str]], count: int) -> None:
    with (
        bz2.open(path, "wt", compresslevel=1, encoding="utf-8")
        if path.suffix == ".bz2"
        else path.open("w", encoding="utf-8")
    ) as file:
        file.write("# started 2017-07-06T12:05:32Z\n")
        file.writelines(lines(count))
        file.write("# completed 2017-07-06T13:05:32Z\n")


def write(folder: Path, count: int, ending: str = ".ttl.bz2", each: int = 2) -> Path:
    """Write a dump with so many facts of each name, its files beside each other; return the path of its recipe."""
    parts = {f"{part}_en{ending}": lines for part, lines in PARTS.items()}
    parts[f"mappingbased_objects_en{ending}"] = partial(facts, each=each)
    with ProcessPoolExecutor() as pool:
        list(pool.map(write_part, map(folder.joinpath, parts), parts.values(), repeat(count)))
    recipe = folder / "recipe.yaml"
    sources = "".join(f"  - {{address: {part}, format: nt}}\n" for part in parts)
    recipe.write_text(f"description: a dump in the form of DBpedia's\nsources:\n{sources}", encoding="utf-8")
    return recipe


def index(recipe: Path, target: str, store: bool) -> None:
    """Index a dump in this process, and print what it took."""
    start = time.perf_counter()
    report = run(load_recipe(recipe).model_copy(update={"store": store}), target, overwrite=True)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"triples": report.triples, "entries": sum(report.entries.values()), "s": seconds, "MB": peak}))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="?", help="such as elasticsearch:http://localhost:9200/memory; else a folder")
    parser.add_argument("--store", action="store_true", help="build a store, too")
    parser.add_argument("--recipe", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.recipe:
        index(options.recipe, options.target, options.store)
        return
    print("names      triples    entries    seconds  triples/s  peak MB")
    peaks = []
    for count in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            recipe = write(Path(folder), count)
            command = [sys.executable, __file__, options.target or str(Path(folder) / "built"), "--recipe", recipe]
            command += ["--store"] if options.store else []
            took = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        peaks.append(took["MB"])
        print(
            f"{count:<11,}{took['triples']:<11,}{took['entries']:<11,}{took['s']:<9.1f}"
            f"{took['triples'] / took['s']:<11,.0f}{took['MB']:.0f}"
        )
    print(f"growth: {peaks[-1] / peaks[0] - 1:+.1%}")


if __name__ == "__main__":
    main()
