"""What a shell completes, and how little that imports."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from triad.cli import options
from triad.models import SCHEMES
from triad.trace import Rung


def complete(*words: str, folder: Path) -> list[str]:
    """What bash is told for a line that ends in the last word."""
    line = " ".join(("triad", *words))
    environment = {**os.environ, "_TRIAD_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    code = "from triad.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**environment, "PYTHONPATH": str(Path(options.__file__).parents[2])},
        capture_output=True, text=True, check=False, cwd=folder,
    )  # fmt: skip
    assert done.stderr == ""
    return done.stdout.split()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "books.ttl").touch()
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("ask", "--config", "dem"), {"demo", "demo-servers"}),
        (("--config", "demo", "ask", "--route", "sol"), {"solver"}),
        (("run", "qald9"), {"qald9", "qald9-servers"}),
        (("copy", "roles", ""), {"advisor", "decision_maker", "generalist"}),
        (("copy", "prompts", "parse_q"), {"parse_question"}),
        (("ask", "--graph", ""), set()),
    ],
)
def test_a_shell_completes_names_and_is_left_to_complete_paths(
    folder: Path, words: tuple[str, ...], found: set[str]
) -> None:
    assert set(complete(*words, folder=folder)) == found


def test_rungs_are_completed_one_by_one() -> None:
    assert options.complete_route("solver,re") == ["solver,repair", "solver,retrieval"]


def test_what_is_known_without_importing_it_is_what_there_is() -> None:
    assert set(options._RUNGS) == set(get_args(Rung))
    assert options._SCHEMES == SCHEMES
