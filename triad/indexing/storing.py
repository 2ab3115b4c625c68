"""The store of a graph, filled while its files are read."""

import shutil
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pyoxigraph

from triad.kg.parsing import Statements

_STORE: Final = "store"
_AHEAD: Final = 4  # batches that wait until the store takes them


class FilledStore:
    """A store that is filled in parallel with the parsing, with a checkpoint after each part of a file.

    A copy costs next to nothing: it shares the files of the store, which never change.
    """

    def __init__(self, work: Path, read: int) -> None:
        """Go on after so many parts."""
        self.folder = work / _STORE
        shutil.rmtree(self.folder, ignore_errors=True)
        self._forget(read)
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

    def keep(self, read: int) -> None:
        """Make a checkpoint, once all is in the store; the one before stays until this one is noted."""
        assert self._store is not None
        self._complete()
        self._forget(read - 1)
        self._store.flush()
        self._store.backup(str(self._copy(read)))

    def finish(self) -> int:
        """Close the store, once all is in it, and return how many triples it has."""
        assert self._store is not None
        self._complete()
        self._store.flush()
        triples = len(self._store)
        self._store = None  # closes it, so that its folder can be renamed
        return triples

    def close(self) -> None:
        """Leave it as it is."""
        self._pool.shutdown(cancel_futures=True)
        self._loading.clear()
        self._store = None  # or it would stay locked as long as an error is looked at

    def _complete(self, ahead: int = 0) -> None:
        """Wait until all batches but so many are in the store."""
        while len(self._loading) > ahead:
            self._loading.popleft().result()

    def _copy(self, read: int) -> Path:
        return self.folder.with_name(f"{_STORE}-{read}")

    def _forget(self, but: int) -> None:
        """Remove all checkpoints but one."""
        for copy in self.folder.parent.glob(f"{_STORE}-*"):
            if copy != self._copy(but):
                shutil.rmtree(copy)
