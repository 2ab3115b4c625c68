"""Fuzzes for a time: ``python -m tests.fuzz --minutes 60``, all targets by turns, or those that are named."""

from __future__ import annotations

import argparse
import hashlib
import random
import sys
import time
import traceback

from hypothesis import HealthCheck, Phase, given, seed, settings
from loguru import logger

from tests.fuzz.mutations import mutated
from tests.fuzz.targets import CORPUS, TARGETS, Target

ROUND = 300
"""Inputs of a target before it is the next one's turn."""
SLOW = 30.0
"""Seconds after which an input counts as one that hangs."""


def fuzz(target: Target, inputs: int, number: int) -> tuple[int, bytes | None, str]:
    """Run a target on so many inputs; return how many ran, and the smallest that breaks it, with why."""
    ran, broken, why = 0, None, ""

    @seed(number)
    @settings(
        max_examples=inputs,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(mutated(target.seeds, target.pieces))
    def run(content: bytes) -> None:
        nonlocal ran, broken, why
        ran += 1
        begun = time.monotonic()
        try:
            target.run(content)
            assert time.monotonic() - begun < SLOW, "it takes too long"
        except Exception:
            broken, why = content, traceback.format_exc()
            raise

    try:
        run()
    except Exception as error:
        why = why or repr(error)
    return ran, broken, why


def main() -> int:
    """Fuzz, tell how much was tried, and keep what breaks a target in the corpus."""
    options = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    options.add_argument("targets", nargs="*", metavar="TARGET", help=f"by default all: {', '.join(TARGETS)}")
    options.add_argument("--minutes", type=float, default=60.0, help="for how long, in all")
    options.add_argument(
        "--seed", type=int, default=random.SystemRandom().randrange(2**32), help="to try the same again"
    )
    given_ = options.parse_args()
    logger.remove()
    targets = [TARGETS[name] for name in given_.targets or TARGETS]
    until = time.monotonic() + given_.minutes * 60
    counts, spent, number, failures = dict.fromkeys(TARGETS, 0), dict.fromkeys(TARGETS, 0.0), given_.seed, set()
    print(f"seed {given_.seed}")
    while time.monotonic() < until:
        # The target that had the least time is next, so that slow ones have as much as quick ones.
        target = min(targets, key=lambda one: spent[one.name])
        begun = time.monotonic()
        ran, broken, why = fuzz(target, ROUND, number)
        counts[target.name] += ran
        spent[target.name] += time.monotonic() - begun
        number += 1
        if why and (last := why.strip().splitlines()[-1]) not in failures:
            failures.add(last)
            place = CORPUS / target.name / hashlib.sha256(broken or b"").hexdigest()[:12]
            if broken is not None:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(broken)
            print(f"{target.name}: {place}\n{why}", flush=True)
    for target in targets:
        print(f"{target.name:10} {counts[target.name]:>9,} inputs in {spent[target.name]:>6.0f} s")
    print(f"{len(failures)} kinds of failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
