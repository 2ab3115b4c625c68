"""What a program keeps stays out of garbage collections until it is swept."""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from triad.garbage import kept, left, paused

SWEPT = """
import gc, weakref
from triad.garbage import kept, sweep


class Ring:
    def __init__(self):
        self.own = self

with kept():
    ring = Ring()
assert gc.isenabled()
assert not any(one is ring for one in gc.get_objects())
seen = weakref.ref(ring)
del ring
gc.collect()
assert seen() is not None
sweep()
assert seen() is None
"""
ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module", autouse=True)
def _frozen_again() -> Iterator[None]:
    yield
    gc.freeze()  # as what collecting the tests made was before


@pytest.fixture(autouse=True)
def _thawed() -> Iterator[None]:
    threshold = gc.get_threshold()
    gc.enable()
    yield
    gc.unfreeze()
    gc.set_threshold(*threshold)


class Ring:
    """Something that only garbage collection frees."""

    def __init__(self) -> None:
        self.own = self


def test_nothing_is_collected_while_it_is_paused() -> None:
    with paused():
        assert not gc.isenabled()
        with paused():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()


def test_what_is_kept_is_not_looked_at_until_a_sweep() -> None:
    """In a process of its own: here, it would look through all that tests have made."""
    done = subprocess.run([sys.executable, "-c", SWEPT], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_collections_are_rarer_where_something_is_kept() -> None:
    gc.set_threshold(700, 10, 10)
    with kept():
        pass
    assert gc.get_threshold() == (50_000, 10, 10)


def test_what_fails_is_not_kept() -> None:
    before = gc.get_freeze_count()
    with pytest.raises(ValueError, match="no graph"), kept():
        raise ValueError("no graph")
    assert gc.get_freeze_count() == before
    assert gc.isenabled()


def test_at_the_end_nothing_is_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "duckdb", raising=False)  # of another test
    ring = Ring()
    with pytest.raises(SystemExit), left():
        raise SystemExit
    assert not any(one is ring for one in gc.get_objects())


@pytest.mark.slow(0.2)
def test_what_the_database_holds_is_looked_through(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", ModuleType("duckdb"))
    ring = Ring()
    with pytest.raises(SystemExit), left():
        raise SystemExit
    assert any(one is ring for one in gc.get_objects())
