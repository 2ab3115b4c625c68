"""The job of a worker process that runs SQL which passed the guard.

A function of the database that makes one long text after another does not heed an interrupt, and takes memory that the
database does not count. So `triad.worker` runs queries in a process that can be killed: an alarm ends it a little after
the deadline, and its address space is capped. This file imports nothing of Triad there.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import _duckdb as duckdb  # the engine alone, in half the time that what wraps it for frames takes

if TYPE_CHECKING:
    from triad.worker.program import Harness, Reply


def main(harness: Harness, file: str, memory: str, threads: str) -> None:
    """Answer queries over the tables of a file until there are no more."""
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory}B",
        "threads": int(threads),
        "max_temp_directory_size": "0KB",
        "enable_external_access": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    try:
        database = duckdb.connect(file, read_only=True, config=config)
        database.execute("SET enable_progress_bar = false; SET lock_configuration = true")
    except duckdb.Error as error:
        harness.send(("failure", f"cannot open the tables: {_said(error)}"))
        return
    # a GiB of address space is taken and not used, by threads and by the database
    harness.limit_memory(int(memory) + (1 << 30))

    def run(query: str, row_limit: int, size_limit: int, seconds: float) -> Reply:
        timer = threading.Timer(seconds, database.interrupt)
        timer.daemon = True
        timer.start()
        try:
            return "result", _rows(database, query, row_limit, size_limit)
        except duckdb.InterruptException:
            return "late", ""
        except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException) as error:
            return "syntax", _said(error)
        except duckdb.PermissionException as error:
            return "rejected", _said(error)
        except duckdb.OutOfMemoryException as error:
            return "memory", str(error)
        except duckdb.Error as error:
            out_of_memory = "bad_alloc" in str(error) or "allocate" in str(error)
            return "memory" if out_of_memory else "failure", _said(error)
        finally:
            timer.cancel()

    harness.serve(run, grace=1.0)  # seconds that a query has to end after it was interrupted


def _rows(
    database: duckdb.DuckDBPyConnection, query: str, row_limit: int, size_limit: int
) -> tuple[tuple[str, ...], list[tuple[Any, ...]], bool]:
    """Return the names of the columns, the rows, and whether a cap cut them."""
    result = database.execute(query)
    columns = tuple(name for name, *_ in result.description or ())
    rows: list[tuple[Any, ...]] = []
    size = 0
    while batch := result.fetchmany(200):
        for row in batch:
            size += sum(map(_size, row))
            if size > size_limit or len(rows) == row_limit:
                return columns, rows, True
            rows.append(row)
    return columns, rows, False


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | bytes) else len(str(value)) if isinstance(value, list | dict) else 8


def _said(error: Exception) -> str:
    """Return what the database says, without the query."""
    return " ".join(str(error).partition("\nLINE")[0].split())[:500]
