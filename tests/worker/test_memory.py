"""What memory queries may take where nobody says so."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from triad.kg.local import LocalGraph
from triad.worker import pool

GIB = 2**30


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with 16 GiB; returns where it says what groups of processes may have."""
    monkeypatch.setattr(os, "sysconf", {"SC_PAGE_SIZE": 4_096, "SC_PHYS_PAGES": 16 * GIB // 4_096}.__getitem__)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(pool, "_GROUPS", tmp_path)
    monkeypatch.setattr(pool, "_OWN", tmp_path / "own")
    return tmp_path


def test_all_workers_of_all_processes_take_half_of_the_memory_at_most(
    machine: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pool.share_of_memory(1) == 4 * GIB  # and no more, however much there is
    assert pool.share_of_memory(4) == 2 * GIB
    monkeypatch.setenv(pool.PROCESSES, "4")
    assert pool.share_of_memory(4) == GIB // 2


@pytest.mark.parametrize(
    ("own", "file", "limit", "share"),
    [
        ("0::/", "memory.max", "4294967296\n", 1 * GIB),
        ("0::/", "memory.max", "max\n", 4 * GIB),
        ("0::/system.slice/triad.service", "system.slice/memory.max", str(2 * GIB), GIB // 2),
        ("4:memory:/docker/1f", "memory/memory.limit_in_bytes", str(2 * GIB), GIB // 2),
        ("4:memory:/docker/1f", "memory/docker/1f/memory.limit_in_bytes", str(2 * GIB), GIB // 2),
        ("4:cpu:/", "memory/memory.limit_in_bytes", str(2 * GIB), 4 * GIB),
    ],
)
def test_a_container_counts_as_a_machine(machine: Path, own: str, file: str, limit: str, share: int) -> None:
    (machine / "own").write_text(f"9:name=systemd:/\n{own}\n")
    (machine / file).parent.mkdir(parents=True, exist_ok=True)
    (machine / file).write_text(limit)
    assert pool.share_of_memory(2) == share


@pytest.mark.slow(4.4)
def test_a_local_graph_gives_each_query_its_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one.nt").write_text("<x:a> <x:b> <x:c> .")
    monkeypatch.setenv(pool.PROCESSES, "1000")
    started = Mock()
    monkeypatch.setattr(pool, "WorkerProcess", started)
    LocalGraph.load(tmp_path / "one.nt", workers=2).close()
    LocalGraph.load(tmp_path / "one.nt", workers=2, memory_limit=5).close()
    assert [call.args[-1] for call in started.call_args_list] == [str(pool.share_of_memory(2)), "5"]
