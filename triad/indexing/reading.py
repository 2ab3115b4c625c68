"""The files of a graph, read in parts and in a stream.

A part is a file; or, of a large one that has a statement a line and is not compressed, the lines that begin in a range
of its bytes. What a part is depends on the files alone, so all machines cut alike. Lines that are not valid are left
out, counted, and named by file and line; too many of them are an error.
"""

import contextlib
import fnmatch
import hashlib
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from pyoxigraph import RdfFormat

from triad.closing import Closing
from triad.errors import DataError
from triad.indexing.layout import Tell
from triad.indexing.recipe import Source, is_address
from triad.kg.files import COMPRESSION_SUFFIXES, RDF_SUFFIXES, RdfFile, open_rdf, rdf_format, rdf_members
from triad.kg.parsing import DEFAULT_LIMITS, Fault, ParseLimits, Readable, Statements, parse

SIZE: Final = 256 << 20
"""Bytes of a part of a file; some two million statements."""
_KEPT: Final = 20  # malformed lines that are quoted: enough to see what is wrong with a file
_NOTHING: Final = hashlib.blake2b(digest_size=16).hexdigest()
_LINES: Final = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS)


@dataclass(frozen=True, slots=True)
class Part:
    """A file of a recipe, or a range of its bytes."""

    source: int
    """Its place in the recipe."""
    start: int = 0
    end: int | None = None
    """Where the range ends; None for all of the file."""


def cut(sources: Sequence[Source], paths: Sequence[Path]) -> list[Part]:
    """Return the parts of a recipe's files in their order.

    >>> cut([Source(address="books.nt")], [Path("books.nt")])
    [Part(source=0, start=0, end=None)]
    """
    parts: list[Part] = []
    for at, (source, path) in enumerate(zip(sources, paths, strict=True)):
        length = path.stat().st_size if path.is_file() else 0
        if length < 2 * SIZE or not _in_lines(source, path):
            parts.append(Part(at))
            continue
        parts += [Part(at, start, min(start + SIZE, length)) for start in range(0, length, SIZE)]
    return parts


def _in_lines(source: Source, path: Path) -> bool:
    if path.suffix.lower() in (*COMPRESSION_SUFFIXES, ".zip"):
        return False
    return (RDF_SUFFIXES[f".{source.format}"] if source.format else rdf_format(path)) in _LINES


class _PartFile(Closing):
    """The lines of a file that begin in a range of its bytes."""

    def __init__(self, path: Path, start: int, end: int) -> None:
        self._file = path.open("rb")
        self._end = end
        if start:  # the line that began before is skipped
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
        if chunk := self._file.read(max(0, min(size, self._end - self._file.tell()))):
            self._whole = chunk.endswith(b"\n")
        elif not self._whole:
            chunk, self._whole = self._file.readline(), True
        return chunk

    def close(self) -> None:
        self._file.close()


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
        """Note one; a `DataError` says that it is one too many."""
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

    def join(self, other: Self) -> None:
        """Take in those of a part that was read elsewhere; a `DataError` says that there are too many by now."""
        self.count += other.count
        self.lines += other.lines[: _KEPT - len(self.lines)]
        if self.count > self.allowed:
            last = (other.lines or self.lines)[-1]
            raise DataError(
                f"{self.count:,} statements are not valid and {self.allowed:,} may be left out; one is in "
                f"{last.file!r}, line {last.line}: {last.message}"
            )


@dataclass
class PartNotes:
    """What is noted of a part while it is read."""

    triples: int = 0
    digest: str = ""
    """Of its unpacked bytes, once all are read."""
    prefixes: dict[str, str] = field(default_factory=dict)
    """Namespaces by prefix, as the part declares them."""
    faults: Faults = field(default_factory=lambda: Faults(0))
    """What a machine of a cluster left out."""


def read(
    source: Source,
    path: Path,
    faults: Faults,
    tell: Tell = lambda *_: None,
    *,
    notes: PartNotes | None = None,
    limits: ParseLimits = DEFAULT_LIMITS,
    part: Part | None = None,
) -> Generator[Statements, None, None]:
    """Yield the triples of a source's file in batches.

    ``notes`` takes the number of triples, the prefixes and the digest; ``tell`` is told how many triples were read, and
    about how many there are.

    Raises:
        DataError: The file cannot be read, has too many faults, or takes too much to parse.
    """
    notes = notes or PartNotes()
    digest = hashlib.blake2b(digest_size=16)
    size, scope, before = path.stat().st_size, None, faults.count
    base = source.shown if is_address(source.address) else path.absolute().as_uri()
    for member, format_ in _members(source, path):
        name = f"{source.name}/{member}" if member else source.name
        opened: RdfFile | _PartFile
        if part is not None and part.end is not None:
            opened, size = _PartFile(path, part.start, part.end), part.end - part.start
            scope = f"file{part.source}x"  # of blank nodes, whose names are the same in all parts of a file
            name += f" from byte {part.start:,}" if part.start else ""
        else:
            opened = open_rdf(path, member)
        with opened as stream:
            batches = parse(
                _Tapped(stream, digest),
                format_,
                name,
                base_iri=base,
                skip=faults.add,
                limits=limits,
                prefixes=notes.prefixes,
                scope=scope,
            )
            with contextlib.closing(batches):
                for batch in batches:
                    yield batch
                    notes.triples += len(batch)
                    if stream.consumed < size:
                        tell(notes.triples, max(notes.triples, notes.triples * size // max(stream.consumed, 1)))
    notes.digest = digest.hexdigest()
    # JSON of any kind is JSON-LD, and what is compressed may be empty; a file of comments alone is another thing.
    other = faults.count > before or format_ == RdfFormat.JSON_LD or notes.digest == _NOTHING
    if not notes.triples and other and is_address(source.address):
        path.unlink(missing_ok=True)  # it would be taken for what was asked for the next time
        raise DataError(f"there is not one triple in what {source.shown!r} sent")
    tell(notes.triples, notes.triples)


class _Tapped:
    """A stream whose bytes go into a digest, too."""

    def __init__(self, stream: Readable, digest: Any) -> None:
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
        if not (found := fnmatch.filter(members, pattern)):
            raise DataError(
                f"{str(path)!r} has no member {pattern!r}; it has {', '.join(map(repr, members)) or 'none'}"
            )
        yield from ((member, named or rdf_format(member)) for member in found)
