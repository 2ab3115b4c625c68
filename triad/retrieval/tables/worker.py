"""The program of a worker process that runs SQL which passed the guard.

A function of the database that makes one long text after another does not heed an interrupt, and takes memory that the
database does not count. So queries run in a process that can be killed: an alarm ends it a little after the deadline,
and its address space is capped. `triad.retrieval.tables.database` starts it with this file as a script, which imports
nothing of Triad, and exchanges pickles with it.
"""

from __future__ import annotations

import pickle
import signal
import sys
import threading
from typing import Any, BinaryIO, Literal

import duckdb

__all__ = ["Reply", "Request", "serve"]

Request = tuple[str, int, int, float]
"""A query, its row limit, its limit on characters and its time in seconds."""

Reply = (
    tuple[Literal["result"], tuple[str, ...], list[tuple[Any, ...]], bool]
    | tuple[Literal["syntax", "rejected", "memory", "late", "failure"], str]
)
"""The names of the columns, the rows and whether a cap cut them; or what went wrong."""

FETCHED = 200
GRACE = 1.0
"""Seconds that a query has to end after it was interrupted."""
RESERVED = 1 << 30
"""Bytes of address space that are taken and not used, by threads and by the database."""


def serve(file: str, memory: int, threads: int, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group, but is meant for the parent
    config: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": f"{memory}B",
        "threads": threads,
        "max_temp_directory_size": "0KB",
        "enable_external_access": False,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    try:
        database = duckdb.connect(file, read_only=True, config=config)
        database.execute("SET enable_progress_bar = false; SET lock_configuration = true")
    except duckdb.Error as error:
        _send(replies, ("failure", str(error)))
        return
    _limit_memory(memory + RESERVED)
    _send(replies, ("result", (), [], False))
    while True:
        try:
            request: Request = pickle.load(requests)
        except EOFError:
            return
        _send(replies, _reply(database, *request))


def _reply(database: duckdb.DuckDBPyConnection, query: str, rows: int, size: int, seconds: float) -> Reply:
    timer = threading.Timer(seconds, database.interrupt)
    timer.daemon = True
    timer.start()
    _alarm(seconds + GRACE)
    try:
        return _run(database, query, rows, size)
    except duckdb.InterruptException:
        return ("late", "")
    except (duckdb.BinderException, duckdb.CatalogException, duckdb.ParserException) as error:
        return ("syntax", str(error))
    except duckdb.PermissionException as error:
        return ("rejected", str(error))
    except (duckdb.OutOfMemoryException, MemoryError) as error:
        return ("memory", str(error))
    except duckdb.Error as error:
        return ("memory" if "bad_alloc" in str(error) or "allocate" in str(error) else "failure", str(error))
    finally:
        timer.cancel()
        _alarm(0)


def _run(database: duckdb.DuckDBPyConnection, query: str, row_limit: int, limit: int) -> Reply:
    result = database.execute(query)
    columns = tuple(name for name, *_ in result.description or ())
    rows: list[tuple[Any, ...]] = []
    size = 0
    while batch := result.fetchmany(FETCHED):
        for row in batch:
            size += sum(map(_size, row))
            if size > limit or len(rows) == row_limit:
                return ("result", columns, rows, True)
            rows.append(row)
    return ("result", columns, rows, False)


def _size(value: Any) -> int:
    return len(value) if isinstance(value, str | bytes) else len(str(value)) if isinstance(value, list | dict) else 8


def _send(replies: BinaryIO, reply: Reply) -> None:
    pickle.dump(reply, replies, pickle.HIGHEST_PROTOCOL)
    replies.flush()


def _alarm(seconds: float) -> None:
    if hasattr(signal, "setitimer"):  # the signal's default is to end the process; no Python code has to run for it
        signal.setitimer(signal.ITIMER_REAL, seconds)


def _limit_memory(size: int) -> None:
    """Cap the growth of the address space, where the system can."""
    if sys.platform == "linux":
        import resource

        with open("/proc/self/statm", encoding="ascii") as statistics:  # noqa: PTH123 - pathlib takes long to import
            now = int(statistics.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = now + size if hard == resource.RLIM_INFINITY else min(now + size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


if __name__ == "__main__":
    name, memory_limit, workers = sys.argv[1:]
    serve(name, int(memory_limit), int(workers), sys.stdin.buffer, sys.stdout.buffer)
