"""Mutation testing of a room: how many small faults in its code its tests notice, on a random sample of all faults.

mutmut makes the mutants, each a function with one fault in it, and runs the tests of the room that call the function.
All mutants of a room take hours; a sample with a fixed seed gives their share within the interval that is told. The
fastest tests run first, and only those that together take some seconds: a mutant that only a slow test would kill
counts as alive, so that the share is a lower bound. What is decorated is not mutated, nor what is outside of functions:
tables, patterns, defaults of fields.

This file is a plugin of pytest, too, which has the tests of a mutant run in that order.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
COPIED = ("benchmarks", "configs", "graph", "index", "prompts", "roles")
CONFIG = """
[tool.mutmut]
source_paths = ["triad"]
only_mutate = ["{code}"]
also_copy = {copied}
pytest_add_cli_args = [
  "-p", "mutate", "-p", "no:cacheprovider", "-m", "not server",
  "-o", "disable_test_id_escaping_and_forfeit_all_rights_to_community_support=true",  # or no id but ASCII is found
]
pytest_add_cli_args_test_selection = {tests}
process_isolation = "forkserver"  # engines with threads do not outlive a fork
timeout_constant = 30
timeout_multiplier = 3
"""
KILLED = {1, 3}
LATE = {-24, 24, 152, -11, -9}  # by time, or by a crash
SURVIVED = {0, 5, 33}  # the last two: no test of the room calls it


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    """Run the fastest tests of a mutant first, and no longer than `SECONDS` in all."""
    statistics = Path("mutmut-stats.json")
    if os.environ.get("MUTANT_UNDER_TEST") in (None, "stats", "list_all_tests") or not statistics.exists():
        return
    taken = json.loads(statistics.read_text(encoding="utf-8"))["duration_by_test"]
    items.sort(key=lambda item: taken.get(item.nodeid, 0))
    left = float(os.environ["SECONDS_A_MUTANT"])
    kept = sum((left := left - taken.get(item.nodeid, 0)) >= 0 for item in items)
    items[max(kept, 1) :] = []


def main() -> int:
    """Take a sample of a room's mutants, run it, and tell what survived."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "room", help="guard, or a folder of triad/ with tests of the same name: routing, queries, conversation"
    )
    parser.add_argument("--sample", type=int, default=80, help="how many mutants; 0: all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--tests", nargs="*", help="the tests to run, in place of all of the room")
    parser.add_argument("--seconds", type=float, default=60, help="how long the tests of one mutant may take")
    asked = parser.parse_args()
    code, tests = f"triad/{asked.room}/*.py", [f"tests/{asked.room}"]
    if asked.room == "guard":
        code, tests = "triad/kg/guard.py", ["tests/kg/test_guard.py"]
    tests = asked.tests or tests
    folder = ROOT / "build" / "mutation" / asked.room
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("triad", "tests", *COPIED):
        (folder / name).symlink_to(ROOT / name)
    config = CONFIG.format(code=code, tests=json.dumps(tests), copied=json.dumps(COPIED))
    (folder / "pyproject.toml").write_text(
        (ROOT / "pyproject.toml").read_text(encoding="utf-8") + config, encoding="utf-8"
    )
    os.chdir(folder)

    mutants = sorted(name for path in Path().glob(code) for name in _mutants(path))
    sample = random.Random(asked.seed).sample(mutants, min(asked.sample or len(mutants), len(mutants)))
    print(f"{len(sample)} of {len(mutants)} mutants of {code}, with {' '.join(tests)}", flush=True)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent), "SECONDS_A_MUTANT": str(asked.seconds)}
    command = [str(Path(sys.executable).with_name("mutmut")), "run", "--max-children", "1", *sample]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout)
        return done.returncode
    _tell(sample)
    return 0


def _mutants(path: Path) -> list[str]:
    from mutmut.mutation.file_mutation import mutate_file_contents
    from mutmut.utils.format_utils import get_mutant_name

    made = mutate_file_contents(str(path), path.read_text(encoding="utf-8"))
    return [get_mutant_name(path, name) for name in made.mutant_names]


def _tell(sample: list[str]) -> None:
    """Print what survived, and the share that was killed with its interval by Wilson."""
    from mutmut.mutation.diff_apply import get_diff_for_mutant

    ended: dict[str, int] = {}
    for file in Path("mutants").glob("triad/**/*.meta"):
        ended |= json.loads(file.read_text(encoding="utf-8"))["exit_code_by_key"]
    alive = sorted(name for name in sample if ended[name] in SURVIVED)
    for name in alive:
        changed = [line for line in get_diff_for_mutant(name).splitlines()[2:] if line[0] in "+-"]
        print(f"\n{_place(name, changed[0][1:])}: {name}{'' if ended[name] == 0 else ', which no test calls'}")
        print(*changed, sep="\n")
    if unknown := [name for name in sample if ended[name] not in KILLED | LATE | SURVIVED]:
        raise SystemExit(f"the tests of {len(unknown)} mutants were not run, such as those of {unknown[0]}")
    total, late = len(sample), sum(ended[name] in LATE for name in sample)
    share, z = 1 - len(alive) / total, 1.96
    middle = share + z * z / (2 * total)
    width = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    low, high = ((middle + side * width) / (1 + z * z / total) for side in (-1, 1))
    print(f"\nkilled {total - len(alive)} of {total}: {share:.2f} (95%: {low:.2f} to {high:.2f})")
    print(f"{late} of them by time or crash")


def _place(name: str, line: str) -> str:
    """Return the file and the number of a line that a mutant changes."""
    module, _, mangled = name.partition("__mutmut")[0].rpartition(".")
    function = mangled.rpartition("ǁ")[2].removeprefix("x_")
    path = Path(module.replace(".", "/") + ".py")
    lines = path.read_text(encoding="utf-8").splitlines()
    start = next(at for at, one in enumerate(lines) if f"def {function}(" in one)
    same = (at for at, one in enumerate(lines[start:], start) if one.strip() == line.strip())
    return f"{path}:{next(same, start) + 1}"


if __name__ == "__main__":
    sys.exit(main())
