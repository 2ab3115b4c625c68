from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow(10)

ROOT = Path(__file__).parents[2]


def test_sets_become_one_table_and_what_was_not_run_is_named(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "benchmarks" / "quality.py"), "--only", "demo,ck25,mondial"]
    options = ["--limit", "3", "--model", "none", "--to", str(tmp_path / "quality")]
    environment = {**os.environ, "TRIAD_DATA": str(tmp_path / "nothing")}
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=True, env=environment)
    table = (tmp_path / "quality" / "quality.md").read_text(encoding="utf-8")
    assert table in done.stdout
    [row] = [line for line in table.splitlines() if line.startswith("| demo |")]
    assert row.startswith("| demo | none | 3 | ")
    assert row.endswith(" | [page](<demo/report.html>) |")
    assert (tmp_path / "quality" / "demo" / "report.html").is_file()
    assert "- mondial: it has no questions" in table
    assert f"- ck25: '{tmp_path}/nothing/ck25/kg.nt.gz' is not there; TRIAD_DATA names the folder of the data" in table
