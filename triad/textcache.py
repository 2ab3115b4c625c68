"""Texts kept on disk by key: a convenience that never fails.

Whatever happens to the folder (full, read-only, damaged, shared with another process), the cache knows nothing
from then on, and one warning is logged. Only texts are stored and read: to unpickle what somebody put into a
shared folder is to run it.
"""

import hashlib
import json
import sqlite3
import threading
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import diskcache
from diskcache.core import MODE_PICKLE

from triad.log import logger
from triad.resources import private_folder

_FAILURES = (OSError, sqlite3.Error, diskcache.Timeout)
"""What a folder or a database that is full, locked or damaged raises."""


class TextCache:
    """Texts by key in a folder, at most 1 GB of them. Several threads and processes may share it."""

    def __init__(self, folder: str | Path, what: str) -> None:
        """Open or make the cache in a folder; the warning says what is kept: "replies are not cached"."""
        self.folder = Path(folder)
        self._what = what
        self._lock = threading.Lock()
        self._warned = False
        self._cache: diskcache.Cache | None = None
        try:
            private_folder(self.folder)
            self._cache = _Cache(str(self.folder), disk=_TextDisk)
            self._cache.close()
        except _FAILURES as error:
            self._give_up(error)

    def get(self, *key: Any) -> str | None:
        """Return the text of a key, which is of any values that JSON knows; None if there is none."""
        [text] = self.get_many([key])
        return text

    def get_many(self, keys: Sequence[tuple[Any, ...]]) -> list[str | None]:
        """Return the texts of several keys."""
        if (cache := self._cache) is None:
            return [None] * len(keys)
        try:
            # Leaving the block closes the thread's connection, which nobody else could.
            with cache:
                texts = [cache.get(_digest(key)) for key in keys]
        except _FAILURES as error:
            self._give_up(error)
            return [None] * len(keys)
        return [text if isinstance(text, str) else None for text in texts]

    def set(self, *key: Any, text: str, seconds: float | None = None) -> None:
        """Keep a text, for so many seconds or for as long as there is room."""
        self.set_many([(key, text)], seconds=seconds)

    def set_many(self, texts: Iterable[tuple[tuple[Any, ...], str]], seconds: float | None = None) -> None:
        """Keep the texts of several keys."""
        if (cache := self._cache) is None:
            return
        rows = [(_digest(key), text) for key, text in texts]
        try:
            with cache, cache.transact():
                for key, text in rows:
                    cache.set(key, text, expire=seconds)
        except _FAILURES as error:
            self._give_up(error)

    def _give_up(self, error: Exception) -> None:
        with self._lock:
            cache, self._cache = self._cache, None
            warned, self._warned = self._warned, True
        if cache is not None:
            with suppress(*_FAILURES):
                cache.close()
        if not warned:
            logger.warning("{} are not cached: {!r} cannot be used: {}", self._what, str(self.folder), error)


def _digest(key: tuple[Any, ...]) -> str:
    return hashlib.sha256(json.dumps(key, sort_keys=True).encode()).hexdigest()


class _Cache(diskcache.Cache):  # type: ignore[misc]
    """A cache that closes its connection where it cannot be opened."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        try:
            super().__init__(*arguments, **options)
        except _FAILURES:
            if hasattr(self, "_local"):
                self.close()
            raise


class _TextDisk(diskcache.Disk):  # type: ignore[misc]
    def fetch(self, mode: int, filename: str | None, value: Any, read: bool) -> Any:
        if mode == MODE_PICKLE:
            return None
        return super().fetch(mode, filename, value, read)
