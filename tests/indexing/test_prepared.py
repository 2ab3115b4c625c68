from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from triad.errors import DataError
from triad.indexing import prepared
from triad.kg.parsing import ParseLimits
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


def test_what_a_killed_load_left_goes_and_what_another_works_on_stays(indexed: Path, data: Path) -> None:
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
