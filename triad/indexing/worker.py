"""The job of a worker process that infers: of a few kilobytes of axioms and facts may follow what takes hours to find.

Clingo can neither be interrupted nor be held to an amount of memory. This file imports nothing of Triad there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triad.worker.program import Harness


def main(harness: Harness, rules: str, given: str, found: str, rdf_type: str, memory: str, seconds: str) -> None:
    """Apply the rules of a file to the facts of another one, and write what follows to a third, as lines of numbers."""
    import clingo

    harness.limit_memory(int(memory))
    harness.alarm(float(seconds))
    engine = clingo.Control(["--warn=none", "-c", f"type={rdf_type}"])
    engine.load(rules)
    engine.load(given)
    engine.ground([("base", [])])
    with open(found, "w", encoding="ascii") as file:  # noqa: PTH123 - pathlib takes long to import
        atoms = engine.symbolic_atoms.by_signature("inferred", 3)
        file.writelines(f"{str(atom.symbol)[len('inferred(') : -1]}\n" for atom in atoms)
    harness.send(("result", None))
