"""Texts kept on disk by key: a convenience that never fails.

Whatever happens to the folder (full, read-only, damaged, shared with another process), the cache knows nothing
from then on, and one warning is logged.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Final, TypeVar

from triad.log import logger

__all__ = ["TextCache"]

T = TypeVar("T")

_GREATEST: Final = 1 << 30
"""Bytes that are kept, some 100,000 replies or vectors; of more, the oldest tenth of the texts goes."""
_WAIT: Final = 60.0
"""Seconds for which another process may write: longer than any writes, unless it hangs."""
_TABLE: Final = "CREATE TABLE IF NOT EXISTS texts (key TEXT PRIMARY KEY, text TEXT NOT NULL, until REAL)"


class TextCache:
    """Texts by key in a folder, at most 1 GB of them. Several threads and processes may share it."""

    def __init__(self, folder: str | Path, what: str) -> None:
        """Open or make the cache.

        Args:
            folder: Where the texts are kept.
            what: What they are, for the warning: "replies are not cached".
        """
        self.folder = Path(folder)
        self._what = what
        self._lock = threading.Lock()
        self._is_given_up = False
        self._used(lambda database: database.executescript(f"PRAGMA journal_mode = WAL; {_TABLE}"), None)

    def get(self, *key: Any) -> str | None:
        """Return the text of a key, which is of any values that JSON knows; None if there is none."""
        [text] = self.get_many([key])
        return text

    def get_many(self, keys: Sequence[tuple[Any, ...]]) -> list[str | None]:
        """Return the texts of several keys."""
        query = "SELECT text FROM texts WHERE key = ? AND ifnull(until, 1e99) > ?"

        def read(database: sqlite3.Connection) -> list[str | None]:
            now = time.time()
            rows = [database.execute(query, [_digest(key), now]).fetchone() for key in keys]
            return [row[0] if row and isinstance(row[0], str) else None for row in rows]

        return self._used(read, [None] * len(keys))

    def set(self, *key: Any, text: str, seconds: float | None = None) -> None:
        """Keep a text, for so many seconds or for as long as there is room."""
        self.set_many([(key, text)], seconds=seconds)

    def set_many(self, texts: Iterable[tuple[tuple[Any, ...], str]], seconds: float | None = None) -> None:
        """Keep the texts of several keys."""
        until = time.time() + seconds if seconds is not None else None
        rows = [(_digest(key), text, until) for key, text in texts]

        def write(database: sqlite3.Connection) -> None:
            with database:
                database.executemany("INSERT OR REPLACE INTO texts VALUES (?, ?, ?)", rows)
            _make_room(database)

        self._used(write, None)

    def _used(self, use: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        """Use the database, on a connection of its own, for none outlives its thread; otherwise, where that fails."""
        if self._is_given_up:
            return otherwise
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.folder / "texts.db", timeout=_WAIT)) as database:
                database.execute("PRAGMA synchronous = NORMAL")
                return use(database)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)
            return otherwise

    def _give_up(self, error: Exception) -> None:
        with self._lock:
            warned, self._is_given_up = self._is_given_up, True
        if not warned:
            logger.warning("{} are not cached: {!r} cannot be used: {}", self._what, str(self.folder), error)


def _make_room(database: sqlite3.Connection) -> None:
    [[used]] = database.execute(
        "SELECT (page_count - freelist_count) * page_size "
        "FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
    )
    if used > _GREATEST:
        with database:
            database.execute(
                "DELETE FROM texts WHERE rowid IN "
                "(SELECT rowid FROM texts ORDER BY rowid LIMIT (SELECT 1 + count(*) / 10 FROM texts))"
            )


def _digest(key: tuple[Any, ...]) -> str:
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()
