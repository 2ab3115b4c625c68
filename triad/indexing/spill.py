"""Records by key that outgrow memory: written to files, divided by key, and read again one division at a time.

What is added is appended, so that a file up to a size that was noted is what it was when the size was noted; that
is how a build that was interrupted goes on. Which division a key belongs to never changes, so that the order of what
is read depends on nothing but what was added.
"""

from __future__ import annotations

import pickle
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final

__all__ = ["COUNT", "Divisions", "Gathering", "division_of"]

COUNT: Final = 64
"""Files that records are divided among, and into how many parts one that is too large is divided again."""

LARGEST: Final = 32 << 20
"""Bytes of a division up to which it is put together in memory, where it takes some five times as much."""

Record = tuple[Any, ...]
"""Its first item is the key, a text."""


def division_of(key: str, level: int = 0) -> int:
    """Return the division that a key belongs to, or the part of it at a level below."""
    power: int = COUNT**level
    return zlib.crc32(key.encode("utf-8", "surrogatepass")) // power % COUNT


class Divisions:
    """Records in files of a folder."""

    def __init__(self, folder: Path | None = None, *, largest: int = LARGEST) -> None:
        """Open the files of a folder, if it has any.

        Args:
            folder: Where they lie; if not given, a temporary folder, which `close` removes.
            largest: Bytes of a division that are read at once.
        """
        self._temporary = folder is None
        self._folder = folder or Path(tempfile.mkdtemp(prefix="triad-"))
        self._folder.mkdir(parents=True, exist_ok=True)
        self._largest = largest
        # A file is made when it gets its first record: a small graph has records for few.
        self._files: dict[int, IO[bytes]] = {}
        for path in self._folder.glob("*.records"):
            self._file(int(path.stem))

    def add(self, records: Iterable[Record], *, level: int = 0) -> None:
        """Append records, each to the division of its key."""
        divided: list[list[Record]] = [[] for _ in range(COUNT)]
        for record in records:
            divided[division_of(record[0], level)].append(record)
        for at, part in enumerate(divided):
            if part:
                pickle.dump(part, self._file(at), pickle.HIGHEST_PROTOCOL)

    def sizes(self) -> list[int]:
        """Return the sizes of the files, all that was added being in them."""
        for file in self._files.values():
            file.flush()
        return [self._files[at].tell() if at in self._files else 0 for at in range(COUNT)]

    def truncate(self, sizes: Sequence[int]) -> None:
        """Drop the records that were added after the files had these sizes."""
        for at, size in enumerate(sizes):
            if size or at in self._files:
                file = self._file(at)
                file.truncate(size)
                file.seek(0, 2)

    def append(self, folder: Path, change: Callable[[Record], Record] | None = None) -> None:
        """Append the records in the files of another folder, changed or as they are."""
        for path in sorted(folder.glob("*.records")):
            with path.open("rb") as file:
                if change is None:
                    shutil.copyfileobj(file, self._file(int(path.stem)))
                    continue
                for records in _parts([file]):
                    pickle.dump(list(map(change, records)), self._file(int(path.stem)), pickle.HIGHEST_PROTOCOL)

    def read(self, *others: Divisions, only: Iterable[int] = range(COUNT)) -> Iterator[Iterator[Record]]:
        """Return the records of each division, or only some, those of other files after their own."""
        sizes = self.sizes()
        for at in only:
            size = sizes[at]
            files = [one._files[at] for one in (self, *others) if at in one._files]
            if size <= self._largest:
                yield _records(files)
                continue
            # Of its own: another machine may read the same division.
            finer = Divisions(Path(tempfile.mkdtemp(dir=self._folder, prefix=f"{at:02}-")), largest=size)
            try:
                for part in _parts(files):
                    finer.add(part, level=1)
                yield from finer.read()
            finally:
                finer.close(remove=True)

    def close(self, *, remove: bool = False) -> None:
        """Close the files, and remove them if they are temporary or should be."""
        for file in self._files.values():
            file.close()
        if remove or self._temporary:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _file(self, at: int) -> IO[bytes]:
        if at not in self._files:
            self._files[at] = (self._folder / f"{at:02}.records").open("ab+")
        return self._files[at]


class Gathering:
    """Records that stay in memory as long as there is room, and are in files from then on."""

    def __init__(self, room: int, folder: Path | None = None) -> None:
        """Start with none.

        Args:
            room: Items that may be in memory.
            folder: Where the files lie; if not given, a temporary folder, which `close` removes.
        """
        self._room = room
        self._folder = folder
        self._held: list[Record] = []
        self._items = 0
        self._divisions: Divisions | None = None

    def add(self, record: Record, items: int) -> None:
        """Add a record, which counts as so many items."""
        self._held.append(record)
        self._items += items
        if self._items >= self._room:
            self._spill()

    def extend(self, records: Iterable[Record]) -> None:
        """Add records, each of which counts as one item."""
        for record in records:
            self.add(record, 1)

    def sizes(self) -> list[int]:
        """Write all to the files, and return their sizes, which `restore` comes back to."""
        self._spill()
        assert self._divisions is not None
        return self._divisions.sizes()

    def append(self, folder: Path) -> None:
        """Append the records in the files of another folder."""
        self._spill()
        assert self._divisions is not None
        self._divisions.append(folder)

    def restore(self, sizes: Sequence[int]) -> None:
        """Come back to the point where the files had these sizes; the folder must be the same."""
        self._divisions = Divisions(self._folder)
        self._divisions.truncate(sizes)

    def read(self) -> Iterator[Iterator[Record]]:
        """Return all records; those of one key are in the same part. They can be read again."""
        if self._divisions is None:
            yield iter(self._held)
            return
        self._spill()
        yield from self._divisions.read()

    def close(self) -> None:
        """Let go of the records, and remove the files if they are temporary."""
        self._held, self._items = [], 0
        if self._divisions is not None:
            self._divisions.close()
            self._divisions = None

    def _spill(self) -> None:
        if self._divisions is None:
            self._divisions = Divisions(self._folder)
        self._divisions.add(self._held)
        self._held, self._items = [], 0


def _parts(files: Iterable[Any]) -> Iterator[list[Record]]:
    for file in files:
        file.seek(0)
        while True:
            try:
                yield pickle.load(file)
            except EOFError:
                break


def _records(files: Iterable[Any]) -> Iterator[Record]:
    for part in _parts(files):
        yield from part
