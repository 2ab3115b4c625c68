"""The store of a graph, filled while its files are read."""

from __future__ import annotations

import shutil
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final, Self

import pyoxigraph

from triad.kg.parsing import Statements

__all__ = ["FilledStore", "NoStore"]

_STORE: Final = "store"
_AHEAD: Final = 4
"""Batches that wait until the store takes them."""


class NoStore:
    """The consumer in place of a store where none is built."""

    folder: Path | None = None

    def take(self, batch: Statements) -> None:
        """Put triples into the store."""

    def keep(self, read: int) -> None:
        """Make a checkpoint of the store."""

    def forget_before(self, read: int) -> None:
        """Remove the files of earlier checkpoints."""

    def finish(self, triples: int) -> int:
        """Close the store and return how many triples it has."""
        return triples

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


class FilledStore(NoStore):
    """A store that is filled in parallel with the parsing, with a checkpoint after each part of a file.

    A copy costs next to nothing: it shares the files of the store, which never change.
    """

    def __init__(self, work: Path, read: int) -> None:
        self.folder = work / _STORE
        self._work = work
        shutil.rmtree(self.folder, ignore_errors=True)
        for copy in work.glob(f"{_STORE}-*"):
            if copy != self._copy(read):
                shutil.rmtree(copy)
        if read:
            pyoxigraph.Store(str(self._copy(read))).backup(str(self.folder))
        self._store: pyoxigraph.Store | None = pyoxigraph.Store(str(self.folder))
        self._pool = ThreadPoolExecutor(1)
        self._loading: deque[Future[None]] = deque()

    def take(self, batch: Statements) -> None:
        """Have triples put into the store; wait where many batches are not yet."""
        assert self._store is not None
        self._complete(_AHEAD)
        self._loading.append(self._pool.submit(batch.load, self._store))

    def _complete(self, ahead: int = 0) -> None:
        """Wait until all batches but so many are in the store."""
        while len(self._loading) > ahead:
            self._loading.popleft().result()

    def keep(self, read: int) -> None:
        """Make a checkpoint, once all is in the store."""
        assert self._store is not None
        self._complete()
        shutil.rmtree(self._copy(read), ignore_errors=True)
        self._store.flush()
        self._store.backup(str(self._copy(read)))

    def forget_before(self, read: int) -> None:
        """Remove the checkpoint before."""
        shutil.rmtree(self._copy(read - 1), ignore_errors=True)

    def finish(self, triples: int) -> int:
        """Close the store, once all is in it, and return how many triples it has."""
        assert self._store is not None
        self._complete()
        self._store.flush()
        triples = len(self._store)
        self._store = None  # closes it, so that its folder can be renamed
        return triples

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)
        self._loading.clear()
        self._store = None  # or it would stay locked as long as an error is looked at

    def _copy(self, read: int) -> Path:
        return self._work / f"{_STORE}-{read}"
