from __future__ import annotations

import errno
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from triad.errors import DataError
from triad.kg import stores
from triad.kg.stores import build_store, cached_store, open_store, store_fingerprint

pytestmark = pytest.mark.slow(0.1)

TRIPLE = "<http://example.org/a> <http://example.org/b> {} .\n"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "graphs"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    path = tmp_path / "data.ttl"
    path.write_text(TRIPLE.format(1))
    return path


def test_a_file_is_parsed_once(cache: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = cached_store([data])
    monkeypatch.setattr(stores, "load_rdf", None)
    assert cached_store([data]) == folder
    assert list(cache.iterdir()) == [folder]


def test_a_file_that_changed_is_parsed_again(cache: Path, data: Path) -> None:
    before = cached_store([data])
    data.write_text(TRIPLE.format(1) + TRIPLE.format(2))
    after = cached_store([data])
    assert (len(open_store(before)), len(open_store(after))) == (1, 2)


def test_several_files_make_one_store(cache: Path, data: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.nt"
    other.write_text(TRIPLE.format('"x"'))
    assert len(open_store(cached_store([data, other]))) == 2


def test_blank_nodes_of_different_files_stay_apart(cache: Path, tmp_path: Path) -> None:
    paths = [tmp_path / "one.ttl", tmp_path / "two.ttl"]
    for path in paths:
        path.write_text(TRIPLE.format("_:x"))
    assert len(open_store(cached_store(paths))) == 2


def test_a_store_may_be_built_twice_at_once(cache: Path, data: Path) -> None:
    with ThreadPoolExecutor(4) as threads:
        folders = set(threads.map(cached_store, [[data]] * 4))
    assert list(cache.iterdir()) == list(folders)


def test_a_malformed_file_leaves_nothing_behind(cache: Path, data: Path) -> None:
    data.write_text("nonsense")
    with pytest.raises(DataError, match=r"data\.ttl' is not valid Turtle"):
        cached_store([data])
    assert list(cache.iterdir()) == []


def test_a_full_disk_leaves_nothing_behind(cache: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(stores, "load_rdf", fail)
    with pytest.raises(DataError, match=r"No space left on device.*TRIAD_CACHE"):
        cached_store([data])
    assert list(cache.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_an_error(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("TRIAD_CACHE", str(tmp_path / "file"))
    with pytest.raises(DataError, match="TRIAD_CACHE can name"):
        cached_store([data])


def test_names_are_checked_before_anything_is_parsed(cache: Path, data: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"no file .*missing\.ttl"):
        cached_store([data, tmp_path / "missing.ttl"])
    with pytest.raises(DataError, match=r"cannot tell the RDF format of .*data\.txt"):
        cached_store([data, tmp_path / "data.txt"])
    with pytest.raises(DataError, match="no files"):
        cached_store([])
    assert not cache.exists()


def test_a_store_that_is_there_stays_as_it_is(data: Path, tmp_path: Path) -> None:
    build_store([data], tmp_path / "store")
    data.write_text(TRIPLE.format(1) + TRIPLE.format(2))
    build_store([data], tmp_path / "store")
    assert len(open_store(tmp_path / "store")) == 1


def test_a_fingerprint_tells_stores_apart(data: Path, tmp_path: Path) -> None:
    build_store([data], tmp_path / "one")
    build_store([data], tmp_path / "two")
    assert store_fingerprint(tmp_path / "one") == store_fingerprint(tmp_path / "one")
    assert store_fingerprint(tmp_path / "one") != store_fingerprint(tmp_path / "two")


def test_a_folder_that_is_not_a_store_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="is not a pyoxigraph store"):
        open_store(tmp_path)
    with pytest.raises(DataError, match=r"no folder .*missing"):
        open_store(tmp_path / "missing")


def test_a_damaged_store_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("nonsense")
    with pytest.raises(DataError, match="cannot open the store"):
        open_store(tmp_path)
