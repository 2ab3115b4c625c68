"""Parts of a graph's files: each is read by itself, on this machine or on another, and then put after those before it.

A file is one part, unless it has one statement a line and is not compressed. Then a large one is cut by its bytes: the
lines that begin in a range belong to it. What a part is depends on the files alone, so that all machines cut alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pyoxigraph import RdfFormat

from triad.indexing.recipe import Source
from triad.kg.files import COMPRESSION_SUFFIXES, RDF_SUFFIXES, rdf_format

__all__ = ["Part", "PartFile", "cut"]

SIZE: Final = 256 << 20
"""Bytes of a part of a file; some two million statements."""

_LINES: Final = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS)


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a recipe, or a range of its bytes."""

    source: int
    """Its place in the recipe."""
    start: int = 0
    end: int | None = None
    """Where the range ends; None for all of the file."""

    @property
    def scope(self) -> str | None:
        """What the names of blank nodes begin with, which are the same in all parts of a file."""
        return None if self.end is None else f"file{self.source}x"


def cut(sources: Sequence[Source], paths: Sequence[Path], size: int | None = None) -> list[Part]:
    """Return the parts of files in their order.

    >>> cut([Source(address="books.nt")], [Path("books.nt")])
    [Part(source=0, start=0, end=None)]

    Args:
        sources: The files' entries in the recipe.
        paths: Where they lie.
        size: Bytes of a part.
    """
    size = size or SIZE
    parts: list[Part] = []
    for at, (source, path) in enumerate(zip(sources, paths, strict=True)):
        length = path.stat().st_size if path.is_file() else 0
        if length < 2 * size or not _in_lines(source, path):
            parts.append(Part(at))
            continue
        starts = range(0, length, size)
        parts += [Part(at, start, min(start + size, length)) for start in starts]
    return parts


def _in_lines(source: Source, path: Path) -> bool:
    if path.suffix.lower() in (*COMPRESSION_SUFFIXES, ".zip"):
        return False
    return (RDF_SUFFIXES[f".{source.format}"] if source.format else rdf_format(path)) in _LINES


class PartFile:
    """The lines of a file that begin in a range of its bytes."""

    def __init__(self, path: Path, start: int, end: int) -> None:
        """Open the file, and skip the line that began before."""
        self._file = path.open("rb")
        self._end = end
        if start:
            self._file.seek(start - 1)
            self._file.readline()
        self._start = start
        self._whole = True

    @property
    def consumed(self) -> int:
        """How many bytes of the range were read."""
        return self._file.tell() - self._start

    def read(self, size: int, /) -> bytes:
        """Return up to so many of the next bytes, and more only to end the last line."""
        chunk = self._file.read(max(0, min(size, self._end - self._file.tell())))
        if chunk:
            self._whole = chunk.endswith(b"\n")
        elif not self._whole:
            chunk, self._whole = self._file.readline(), True
        return chunk

    def __enter__(self) -> PartFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
