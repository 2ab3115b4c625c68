"""Dumps: files of publishers, checked by size and checksum, and read in a stream.

They hold lines that are not valid. These are left out, counted, and named by file and line; too many of them are an
error.
"""

from __future__ import annotations

import contextlib
import fnmatch
import hashlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from pyoxigraph import RdfFormat

from triad.errors import DataError
from triad.indexing.layout import Tell
from triad.indexing.parts import Part, PartFile
from triad.indexing.recipe import FileSource, Source, is_address
from triad.kg.files import RDF_SUFFIXES, RdfFile, open_rdf, rdf_format, rdf_members
from triad.kg.parsing import DEFAULT_LIMITS, Fault, ParseLimits, Readable, Statements, parse
from triad.resources import found_at

__all__ = ["Faults", "SkippedLine", "checksum", "given", "read", "verified"]

_KEPT: Final = 20
"""Malformed lines that are quoted: enough to see what is wrong with a file."""


def given(source: FileSource) -> Path:
    """Return the path of a source that is a file here.

    Raises:
        DataError: It is missing, or not what the recipe says.
    """
    if found_at(source.path) != "file":
        raise DataError(f"there is no file {str(source.path)!r}")
    verified(source, source.path)
    return source.path


def verified(source: FileSource, path: Path) -> None:
    """Compare a file with its size and checksum in the recipe.

    Raises:
        DataError: It is another one; if it was downloaded, it is deleted.
    """
    fault = ""
    size = path.stat().st_size
    if source.size is not None and size != source.size:
        fault = f"has {size:,} bytes, and the recipe says {source.size:,}"
    for kind, expected in (("sha256", source.sha256), ("md5", source.md5)):
        if expected and not fault:
            found = checksum(path, kind)
            if found != expected:
                fault = f"has the {kind} checksum {found!r}, and the recipe says {expected!r}"
    if not fault:
        return
    if is_address(source.address):
        path.unlink()
        fault += "; it was deleted. If the publisher has put another file there, the recipe must be changed"
    raise DataError(f"{source.address!r} {fault}")


def checksum(path: Path, kind: str = "sha256") -> str:
    """Return the checksum of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, kind).hexdigest()


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line of a file that is not valid."""

    file: str
    line: int
    message: str


@dataclass
class Faults:
    """The malformed lines that were left out."""

    allowed: int
    """How many there may be."""
    count: int = 0
    lines: list[SkippedLine] = field(default_factory=list)
    """The first of them."""

    def add(self, fault: Fault) -> None:
        """Note one.

        Raises:
            DataError: It is one too many.
        """
        if self.count >= self.allowed:
            message = f"{fault.file!r}, line {fault.line}, is not valid {fault.format}: {fault.message}"
            if self.allowed:
                ways = "--max-errors or --lenient, 'max_errors' in a recipe, or lenient=True in Python leave out more"
                message += f", after {self.count:,} that were left out, and no more are allowed ({ways})"
            else:
                message += "; 'triad index --lenient', or lenient=True in Python, leaves out what is not valid"
            raise DataError(message)
        self.count += 1
        if len(self.lines) < _KEPT:
            self.lines.append(SkippedLine(fault.file, fault.line, fault.message))

    def join(self, count: int, lines: Sequence[SkippedLine]) -> None:
        """Take in those of a part that was read elsewhere.

        Raises:
            DataError: There are too many by now.
        """
        self.count += count
        self.lines += lines[: _KEPT - len(self.lines)]
        if self.count > self.allowed:
            last = (lines or self.lines)[-1]
            raise DataError(
                f"{self.count:,} statements are not valid and {self.allowed:,} may be left out; one is in "
                f"{last.file!r}, line {last.line}: {last.message}"
            )


class Digest(Protocol):
    """What makes a short text of bytes, as those of hashlib do."""

    def update(self, data: bytes, /) -> None:
        """Take bytes."""


def read(
    source: Source,
    path: Path,
    faults: Faults,
    tell: Tell | None = None,
    *,
    digest: Digest | None = None,
    limits: ParseLimits = DEFAULT_LIMITS,
    prefixes: dict[str, str] | None = None,
    part: Part | None = None,
) -> Generator[Statements, None, None]:
    """Yield the triples of a source's file in batches.

    Args:
        source: Its entry in the recipe.
        path: Where it lies.
        faults: Takes what is not valid.
        tell: Is told how many triples were read, and about how many there are.
        digest: Takes all bytes that are read.
        limits: What the parser may take.
        prefixes: Takes the namespaces that the file declares, by prefix; those that it has stay.
        part: Which part of the file to read, if not all of it.

    Raises:
        DataError: The file cannot be read, has too many faults, or takes too much to parse.
    """
    size, done, scope = path.stat().st_size, 0, None
    for member, format_ in _members(source, path):
        name = f"{source.name}/{member}" if member else source.name
        opened: RdfFile | PartFile
        if part is not None and part.end is not None:
            opened, size, scope = PartFile(path, part.start, part.end), part.end - part.start, part.scope
            name += f" from byte {part.start:,}" if part.start else ""
        else:
            opened = open_rdf(path, member)
        with opened as stream:
            bytes_ = _Tapped(stream, digest) if digest else stream
            base = _base(source, path)
            batches = parse(
                bytes_, format_, name, base_iri=base, skip=faults.add, limits=limits, prefixes=prefixes, scope=scope
            )
            with contextlib.closing(batches):
                for batch in batches:
                    yield batch
                    done += len(batch)
                    if tell is not None and stream.consumed < size:
                        tell(done, max(done, done * size // max(stream.consumed, 1)))
    if tell is not None:
        tell(done, done)


class _Tapped:
    """A stream whose bytes go into a digest, too."""

    def __init__(self, stream: Readable, digest: Digest) -> None:
        self._stream = stream
        self._digest = digest

    def read(self, size: int, /) -> bytes:
        chunk = self._stream.read(size)
        self._digest.update(chunk)
        return chunk


def _members(source: Source, path: Path) -> Iterator[tuple[str | None, RdfFormat]]:
    named = RDF_SUFFIXES[f".{source.format}"] if source.format else None
    if path.suffix.lower() != ".zip":
        # Files of DBpedia that are called Turtle have one triple a line and no prefixes, so that lines that are not
        # valid do no harm to others.
        yield None, named or rdf_format(path)
        return
    members = rdf_members(path)
    for pattern in source.members or ("*",):
        found = fnmatch.filter(members, pattern)
        if not found:
            raise DataError(
                f"{str(path)!r} has no member {pattern!r}; it has {', '.join(map(repr, members)) or 'none'}"
            )
        for member in found:
            yield member, named or rdf_format(member)


def _base(source: Source, path: Path) -> str:
    return source.address if is_address(source.address) else path.absolute().as_uri()
