from __future__ import annotations

import errno
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from triad.errors import DataError
from triad.indexing import pipeline, prepared
from triad.kg.parsing import ParseLimits
from triad.kg.stores import open_store
from triad.locks import lock_of, locked

pytestmark = pytest.mark.slow(0.3)


@pytest.fixture
def indexed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "indexed"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.nt"
    path.write_text('<http://example.org/a> <http://www.w3.org/2000/01/rdf-schema#label> "Ann" .\n')
    return path


@pytest.mark.parametrize("there", [False, True])
def test_what_a_killed_load_left_goes_and_what_another_works_on_stays(indexed: Path, data: Path, there: bool) -> None:
    if there:
        prepared(data)
    left, busy = indexed / ".one-unfinished", indexed / ".two-unfinished"
    for draft in (left, busy):
        draft.mkdir(parents=True)
        (draft / "state.json").touch()
    with locked(lock_of(busy), "it"):
        folder = prepared(data)
        assert {path.name for path in indexed.iterdir()} == {folder.name, busy.name, lock_of(busy).name}


def test_files_that_several_ask_for_at_once_are_loaded_once(indexed: Path, data: Path) -> None:
    with ThreadPoolExecutor(3) as threads:
        folders = set(threads.map(prepared, [data] * 3))
    assert len(folders) == 1
    assert set(indexed.iterdir()) == folders


def test_a_file_that_cannot_be_parsed_in_its_limits_leaves_nothing(indexed: Path, tmp_path: Path) -> None:
    path = tmp_path / "deep.rdf"
    start = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">'
    path.write_text(start + "<rdf:Description><e:b>" * 40_000)
    with pytest.raises(DataError, match="came no further"):
        prepared(path, limits=ParseLimits(seconds=0.1))
    assert list(indexed.iterdir()) == []


@pytest.mark.parametrize("full", [False, True])
def test_where_nothing_can_be_kept_there_is_a_folder_for_as_long_as_the_program_runs(
    indexed: Path, data: Path, monkeypatch: pytest.MonkeyPatch, logged: list[str], full: bool
) -> None:
    run = pipeline.Job.run

    def filling(job: pipeline.Job, **options: Any) -> Any:
        if job._work.is_relative_to(indexed):
            raise OSError(errno.ENOSPC, "No space left on device")
        return run(job, **options)

    if full:
        monkeypatch.setattr(pipeline.Job, "run", filling)
    else:
        indexed.parent.write_text("no folder")
    folder = prepared(data)
    assert len(open_store(folder / "store")) == 1
    assert not folder.is_relative_to(indexed)
    assert prepared(data) == folder
    assert all(line.startswith("WARNING") and "not kept: cannot" in line and "TRIAD_CACHE" in line for line in logged)
    assert logged
