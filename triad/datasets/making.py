"""Files as configs read them, made of files as publishers give them.

From an archive, only the file that is asked for is taken, as a stream: no name in it becomes a path, links and devices
are no files, and what unpacks to more than `LARGEST` bytes is given up.
"""

from __future__ import annotations

import contextlib
import fnmatch
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, Final, cast
from urllib.parse import quote

import pyoxigraph
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple

from triad.datasets.published import MadeFile
from triad.errors import DataError
from triad.indexing.reading import Faults, read
from triad.indexing.recipe import Source

__all__ = ["LARGEST", "make"]

LARGEST: Final = 8 << 30
"""Bytes that a file may have when it is unpacked."""
_CHUNK: Final = 1 << 20
_DAMAGED: Final = (
    zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError,
    NotImplementedError, RuntimeError,
)  # fmt: skip
"""What readers of archives raise for those that they cannot unpack."""

_RDF: Final = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS: Final = "http://www.w3.org/2000/01/rdf-schema#"
_METAQA: Final = "http://example.org/metaqa/"
_CLASSES: Final = {
    "directed_by": "Person",
    "written_by": "Person",
    "starred_actors": "Person",
    "has_genre": "Genre",
    "has_tags": "Tag",
    "in_language": "Language",
}
"""The relations of MetaQA whose values are things, with the class of these; all others have literals."""


def make(made: MadeFile, downloads: Sequence[Path], to: Path) -> None:
    """Write a file.

    Args:
        made: What it is to be.
        downloads: The files that it is made of.
        to: Where to write it.

    Raises:
        DataError: A download is not what it should be.
        OSError: The file cannot be written.
    """
    if made.form == "graph":
        _write_graph(_triples(downloads), to)
        return
    with opened(downloads[0], made.member) as stream:
        if made.form == "metaqa":
            _write_graph(_metaqa(io.TextIOWrapper(cast(IO[bytes], stream), encoding="utf-8"), downloads[0].name), to)
        else:
            with to.open("wb") as file:
                while chunk := stream.read(_CHUNK):
                    file.write(chunk)


# Archives -------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def opened(path: Path, member: str = "") -> Iterator[io.BufferedReader]:
    """Open a file, or the only one of an archive that a pattern fits.

    Raises:
        DataError: There is none or there are several, or it is damaged or too large.
    """
    try:
        with contextlib.ExitStack() as stack:
            stream = (
                stack.enter_context(_member(path, member, stack)) if member else stack.enter_context(path.open("rb"))
            )
            yield io.BufferedReader(_Bounded(stream, f"{member} of {path.name}" if member else path.name), _CHUNK)
    except _DAMAGED as error:
        raise DataError(f"{str(path)!r} is damaged, or no archive that can be read: {error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{str(path)!r} is not UTF-8: {error.reason}") from error


def _member(path: Path, pattern: str, stack: contextlib.ExitStack) -> IO[bytes]:
    if zipfile.is_zipfile(path):
        archive = stack.enter_context(zipfile.ZipFile(path))
        names = [entry.filename for entry in archive.infolist() if not entry.is_dir()]
        return archive.open(_only(path, pattern, names))
    packed = stack.enter_context(tarfile.open(path))  # noqa: SIM115  # the stack closes it
    entries = {entry.name: entry for entry in packed if entry.isreg()}
    stream = packed.extractfile(entries[_only(path, pattern, list(entries))])
    assert stream is not None  # as it is a regular file
    return stream


def _only(path: Path, pattern: str, names: list[str]) -> str:
    found = [name for name in names if fnmatch.fnmatchcase(name, pattern)]
    if len(found) != 1:
        had = ", ".join(map(repr, (found or names)[:10])) or "nothing"
        raise DataError(f"{str(path)!r} must have one file {pattern!r}; it has {had}")
    return found[0]


class _Bounded(io.RawIOBase):
    """A stream that ends with an error where it has more than `LARGEST` bytes."""

    def __init__(self, stream: IO[bytes], name: str) -> None:
        self._stream = stream
        self._name = name
        self._left = LARGEST

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        chunk = self._stream.read(len(buffer))
        self._left -= len(chunk)
        if self._left < 0:
            raise DataError(f"{self._name!r} unpacks to more than {LARGEST:,} bytes")
        buffer[: len(chunk)] = chunk
        return len(chunk)


# Graphs ---------------------------------------------------------------------------------------------------


def _write_graph(triples: Iterator[Triple], to: Path) -> None:
    # Without a name and a time, the same triples give the same bytes.
    with to.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        pyoxigraph.serialize(triples, cast(IO[bytes], packed), RdfFormat.N_TRIPLES)


def _triples(paths: Sequence[Path]) -> Iterator[Triple]:
    for path in paths:
        for quads in read(Source(address=str(path)), path, Faults(0)):
            for quad in quads:
                yield quad.triple


def _metaqa(lines: Iterator[str], name: str) -> Iterator[Triple]:
    """Yield the triples of lines such as ``Kismet|directed_by|William Dieterle``; a name is a thing."""
    seen: set[tuple[str, str]] = set()

    def thing(label: str, class_: str) -> Iterator[Triple]:
        if (label, class_) not in seen:
            seen.add((label, class_))
            yield Triple(_entity(label), NamedNode(f"{_RDF}type"), NamedNode(f"{_METAQA}class/{class_}"))
        if (label, "") not in seen:
            seen.add((label, ""))
            yield Triple(_entity(label), NamedNode(f"{_RDFS}label"), Literal(label))

    for name_ in ("Film", *sorted(set(_CLASSES.values()))):
        class_ = NamedNode(f"{_METAQA}class/{name_}")
        yield Triple(class_, NamedNode(f"{_RDF}type"), NamedNode(f"{_RDFS}Class"))
        yield Triple(class_, NamedNode(f"{_RDFS}label"), Literal(name_.lower(), language="en"))
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        parts = line.rstrip("\n").split("|")
        if len(parts) != 3:
            raise DataError(f"{name!r}, line {number}: 'subject|relation|object' is expected, got {line[:100]!r}")
        film, relation, value = parts
        yield from thing(film, "Film")
        target: NamedNode | Literal
        if class_of := _CLASSES.get(relation):
            yield from thing(value, class_of)
            target = _entity(value)
        elif relation == "release_year" and value.isdecimal():
            target = Literal(int(value))
        else:
            target = Literal(value)
        if (key := (film, f"{relation}|{value}")) not in seen:
            seen.add(key)
            yield Triple(_entity(film), NamedNode(f"{_METAQA}relation/{quote(relation)}"), target)


def _entity(label: str) -> NamedNode:
    return NamedNode(f"{_METAQA}entity/{quote(label.replace(' ', '_'), safe='')}")
