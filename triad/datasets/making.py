"""Files as configs read them, made of files as publishers give them.

From an archive, only the file that is asked for is taken, as a stream: no name in it becomes a path, links and devices
are no files, and one of more than `LARGEST` bytes is not unpacked.
"""

import contextlib
import fnmatch
import gzip
import io
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Final, cast
from urllib.parse import quote

import pyoxigraph
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple

from triad.datasets.published import MadeFile
from triad.errors import DataError
from triad.indexing.reading import Faults, read
from triad.indexing.recipe import Source
from triad.rdf import RDF_TYPE, RDFS

LARGEST: Final = 8 << 30
"""Bytes that a file may have when it is unpacked."""
_CHUNK: Final = 1 << 20
_DAMAGED: Final = (
    zipfile.BadZipFile, tarfile.TarError, gzip.BadGzipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError,
)  # fmt: skip
"""What readers of archives raise for those that they cannot unpack."""

_TYPE: Final = NamedNode(RDF_TYPE)
_LABEL: Final = NamedNode(RDFS + "label")
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
    """Write a file of the downloads that it is made of; a `DataError` if one of these is not what it should be."""
    if made.form == "graph":
        every = (quads for path in downloads for quads in read(Source(address=str(path)), path, Faults(0)))
        _write_graph((quad.triple for quads in every for quad in quads), to)
        return
    with opened(downloads[0], made.member) as stream:
        if made.form == "metaqa":
            lines = io.TextIOWrapper(cast(IO[bytes], stream), encoding="utf-8")
            _write_graph(dict.fromkeys(_metaqa(lines, downloads[0].name)), to)
        else:
            with to.open("wb") as file:
                shutil.copyfileobj(stream, file, _CHUNK)


@contextlib.contextmanager
def opened(path: Path, member: str = "") -> Iterator[io.BufferedReader]:
    """Open a file, or the only one of an archive that a pattern fits; a `DataError` if it is damaged or too large."""
    try:
        with contextlib.ExitStack() as stack:
            stream = _member(path, member, stack) if member else path.open("rb")
            yield io.BufferedReader(cast(io.RawIOBase, stack.enter_context(stream)), _CHUNK)
    except _DAMAGED as error:
        raise DataError(f"{str(path)!r} is damaged, or no archive that can be read: {error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{str(path)!r} is not UTF-8: {error.reason}") from error


def _member(path: Path, pattern: str, stack: contextlib.ExitStack) -> IO[bytes]:
    if zipfile.is_zipfile(path):
        archive = stack.enter_context(zipfile.ZipFile(path))
        sizes = {entry.filename: entry.file_size for entry in archive.infolist() if not entry.is_dir()}
        return archive.open(_only(path, pattern, sizes))
    packed = stack.enter_context(tarfile.open(path))  # noqa: SIM115  # the stack closes it
    sizes = {entry.name: entry.size for entry in packed if entry.isreg()}
    stream = packed.extractfile(_only(path, pattern, sizes))
    assert stream is not None  # as it is a regular file
    return stream


def _only(path: Path, pattern: str, sizes: Mapping[str, int]) -> str:
    """Return the only file of an archive that a pattern fits; it unpacks to no more than the size that it claims."""
    found = [name for name in sizes if fnmatch.fnmatchcase(name, pattern)]
    if len(found) != 1:
        had = ", ".join(map(repr, (found or list(sizes))[:10])) or "nothing"
        raise DataError(f"{str(path)!r} must have one file {pattern!r}; it has {had}")
    if sizes[found[0]] > LARGEST:
        raise DataError(f"{f'{pattern} of {path.name}'!r} unpacks to more than {LARGEST:,} bytes")
    return found[0]


# Graphs ---------------------------------------------------------------------------------------------------


def _write_graph(triples: Iterable[Triple], to: Path) -> None:
    # Without a name and a time, the same triples give the same bytes.
    with to.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        pyoxigraph.serialize(triples, cast(IO[bytes], packed), RdfFormat.N_TRIPLES)


def _metaqa(lines: Iterator[str], name: str) -> Iterator[Triple]:
    """Yield the triples of lines such as ``Kismet|directed_by|William Dieterle``, some more than once."""
    for class_ in ("Film", *sorted(set(_CLASSES.values()))):
        yield Triple(NamedNode(f"{_METAQA}class/{class_}"), _TYPE, NamedNode(RDFS + "Class"))
        yield Triple(NamedNode(f"{_METAQA}class/{class_}"), _LABEL, Literal(class_.lower(), language="en"))
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        parts = line.rstrip("\n").split("|")
        if len(parts) != 3:
            raise DataError(f"{name!r}, line {number}: 'subject|relation|object' is expected, got {line[:100]!r}")
        film, relation, value = parts
        yield from _thing(film, "Film")
        target: NamedNode | Literal = Literal(value)
        if class_of := _CLASSES.get(relation):
            yield from _thing(value, class_of)
            target = _entity(value)
        elif relation == "release_year" and value.isdecimal():
            target = Literal(int(value))
        yield Triple(_entity(film), NamedNode(f"{_METAQA}relation/{quote(relation)}"), target)


def _thing(label: str, class_: str) -> Iterator[Triple]:
    yield Triple(_entity(label), _TYPE, NamedNode(f"{_METAQA}class/{class_}"))
    yield Triple(_entity(label), _LABEL, Literal(label))


def _entity(label: str) -> NamedNode:
    return NamedNode(f"{_METAQA}entity/{quote(label.replace(' ', '_'), safe='')}")
