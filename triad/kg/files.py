"""RDF files: their format, which the name tells, and their decompressed bytes.

A file's name tells how to read it, as ``books.ttl``, ``dump.nq.zst``. What is compressed is decompressed while
it is read, so a dump of any size needs no more room than it has. A zip archive stands for its RDF files, its members.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable, Mapping
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, BinaryIO, cast

import zstandard
from pyoxigraph import RdfFormat

from triad.errors import DataError

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

RDF_SUFFIXES: Mapping[str, RdfFormat] = {
    f".{suffix}": RdfFormat.from_extension(suffix) or RdfFormat.RDF_XML  # which ontologies in .owl are
    for suffix in ("ttl", "nt", "nq", "trig", "rdf", "xml", "owl", "n3", "jsonld")
}
"""The format of each file name extension."""

COMPRESSION_SUFFIXES = (".gz", ".bz2", ".xz", ".zst")
"""Extensions that may follow those of `RDF_SUFFIXES`."""

DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zstandard.ZstdError, zipfile.BadZipFile)
"""What reading damaged data raises."""
_BUFFER = 1 << 20  # bytes that are decompressed at a time
_DICTIONARY = 1 << 28  # bytes that decompressing may keep: four times what 'xz -9' asks for


def rdf_format(path: str | Path) -> RdfFormat:
    """Return the RDF format of a file by its name; for a zip archive, that of its only member.

    >>> rdf_format("dump.nt.gz").name
    'N-Triples'

    Raises:
        DataError: The extension is not known, or the file is an archive of several.
    """
    if Path(path).suffix.lower() == ".zip":
        return rdf_format(_only_member(Path(path)))
    suffix = rdf_suffix(path)
    if not suffix:
        raise DataError(
            f"cannot tell the RDF format of {str(path)!r}: the name must end in {', '.join(RDF_SUFFIXES)}, "
            f"or in one of these and {', '.join(COMPRESSION_SUFFIXES)}; or in .zip, with one such file in the archive"
        )
    return RDF_SUFFIXES[suffix]


def rdf_suffix(path: str | PurePath) -> str:
    """Return the extension that tells a file's RDF format; an empty text if none does."""
    suffixes = [suffix.lower() for suffix in PurePath(path).suffixes]
    if suffixes and suffixes[-1] in COMPRESSION_SUFFIXES:
        suffixes.pop()
    return suffixes[-1] if suffixes and suffixes[-1] in RDF_SUFFIXES else ""


def rdf_members(path: str | Path) -> list[str]:
    """Return the names of the RDF files in a zip archive, in their order in there.

    Raises:
        DataError: It cannot be read.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return [name for name in archive.namelist() if Path(name).suffix.lower() in RDF_SUFFIXES]
    except (OSError, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise DataError(f"cannot open {str(path)!r}: {reason or error}") from error


def _only_member(path: Path) -> str:
    members = rdf_members(path)
    if len(members) == 1:
        return members[0]
    found = ", ".join(map(repr, members)) or "none"
    raise DataError(f"{str(path)!r} must have one RDF file in it, it has {found}; unpack the file to be read")


def open_rdf(path: str | Path, member: str | None = None) -> RdfFile:
    """Open a file to read it, decompressing by the last extension; of a zip archive, its only or a named member.

    Raises:
        DataError: The file cannot be opened; or, while it is read, its compressed data are damaged.
    """
    path = Path(path)
    try:
        if path.suffix.lower() == ".zip":
            name = _only_member(path) if member is None else member
            with contextlib.ExitStack() as opened:
                file = opened.enter_context(path.open("rb"))
                stream = opened.enter_context(zipfile.ZipFile(file).open(name))
                opened.pop_all()
            return RdfFile(cast(io.BufferedIOBase, stream), file, path)
        if path.exists() and not path.is_file():  # a pipe, which nobody may ever write to
            raise OSError("it is no regular file")
        file = path.open("rb")
    except OSError as error:
        raise DataError(f"cannot open {str(path)!r}: {error.strerror or error}") from error
    except (KeyError, zipfile.BadZipFile, RuntimeError, ValueError) as error:  # or it has a password
        raise DataError(f"cannot open {member!r} in {str(path)!r}: {error}") from error
    opener = OPENERS.get(path.suffix.lower())
    return RdfFile(opener(file) if opener else file, file, path)


class RdfFile(io.BufferedReader):
    """The decompressed bytes of a file."""

    def __init__(self, stream: io.BufferedIOBase | io.RawIOBase, file: io.BufferedReader, path: Path) -> None:
        super().__init__(_NamedErrors(stream, file, path), _BUFFER)
        self._file = file

    @property
    def consumed(self) -> int:
        """How many bytes of the file on disk were read, which shows the progress."""
        return self._file.tell()


class _NamedErrors(io.RawIOBase):
    """A stream whose read errors become `DataError` and name the file."""

    def __init__(self, stream: io.BufferedIOBase | io.RawIOBase, file: BinaryIO, path: Path) -> None:
        self._stream = stream
        self._file = file
        self._path = path

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        try:
            return self._stream.readinto(buffer)
        except DAMAGED as error:
            raise DataError(f"cannot read {str(self._path)!r}: {error}") from error

    def close(self) -> None:
        self._stream.close()
        self._file.close()  # a stream that was given an open file does not close it
        super().close()


class _Frames(io.RawIOBase):
    """The frames of a compressed file, one after the other, with zeros or nothing between them.

    The reader of zstandard accepts a file that was cut off; this one raises an error.
    """

    CHUNK = 1 << 11  # which may stand for 64 MB

    def __init__(self, file: BinaryIO, begin: Callable[[], Any]) -> None:
        self._file, self._begin, self._frame = file, begin, begin()
        self._between = False
        self._decompressed = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer).cast("B")
        while not self._decompressed:
            compressed = self._frame.unused_data or self._file.read(self.CHUNK)
            if self._frame.eof:
                self._frame = self._begin()
                self._between = True
            if not compressed:
                if self._between:
                    return 0
                raise EOFError("the compressed data end in the middle")
            if self._between and not (compressed := compressed.lstrip(b"\0")):
                continue
            self._decompressed = memoryview(self._frame.decompress(compressed))
            self._between = False
        count = min(len(target), len(self._decompressed))
        target[:count] = self._decompressed[:count]
        self._decompressed = self._decompressed[count:]
        return count


OPENERS: Mapping[str, Callable[[io.BufferedReader], io.BufferedIOBase | io.RawIOBase]] = {
    ".gz": lambda file: gzip.GzipFile(fileobj=file),
    ".bz2": bz2.BZ2File,
    ".xz": lambda file: _Frames(file, lambda: lzma.LZMADecompressor(memlimit=_DICTIONARY)),
    ".zst": lambda file: _Frames(file, lambda: zstandard.ZstdDecompressor().decompressobj()),
}
