from __future__ import annotations

import threading
from pathlib import Path

import psutil
import pytest

from tests.retrieval.conftest import Make
from triad.errors import DataError
from triad.retrieval.tables.database import Tables

pytestmark = pytest.mark.slow

GRAPH = 'ex:a a ex:Car ; ex:price 1.25 ; ex:built "2020-05-01"^^xsd:date ; ex:tag "x", "y" .'


def test_rows_are_told_as_json_knows_them(tables_of: Make) -> None:
    tables = tables_of(GRAPH)
    found = tables.query(
        "SELECT price, built, list(value ORDER BY value) AS tags FROM Car JOIN Car_tag USING (id) GROUP BY ALL"
    )
    assert found.columns == ("price", "built", "tags")
    assert found.plain() == [[1.25, "2020-05-01", ["x", "y"]]]


def test_a_process_that_was_killed_is_started_again(tables_of: Make) -> None:
    tables = tables_of(GRAPH)
    assert tables.query("SELECT count(*) FROM Car").rows == ((1,),)
    assert tables._pool is not None
    [worker] = tables._pool._workers
    psutil.Process(worker.pid).kill()
    psutil.wait_procs([psutil.Process(worker.pid)], timeout=120)
    assert tables.query("SELECT count(*) FROM Car").rows == ((1,),)


def test_several_threads_may_ask(tables_of: Make) -> None:
    tables = tables_of(GRAPH)
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda n=n: found.append(tables.query(f"SELECT {n} FROM Car").rows[0][0]))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, found)) == [str(n) for n in range(8)]


def test_a_folder_without_tables_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'triad index --tables' makes them"):
        Tables(tmp_path)
