"""From RDF files to a folder with all that questions need: a store, and an index of its labels.

A file is read twice at the same time: pyoxigraph loads it into the store, without holding Python up, while a collector
notes what it names. The folder is made under a name of its own and renamed when it is complete, so that a build that
fails or is interrupted leaves nothing that looks like one.
"""

from __future__ import annotations

import contextlib
import gc
import hashlib
import io
import json
import secrets
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final, cast

import pyoxigraph
from pyoxigraph import Quad, RdfFormat

from triad.errors import ConfigError, DataError
from triad.indexing.labels import LabelCollector, LabelProperties
from triad.kg import INDEX_MARKER
from triad.kg.files import COMPRESSION_SUFFIXES, open_rdf, rdf_format
from triad.questions import Kind
from triad.search.base import Entry
from triad.search.local import LocalIndex

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["BuildReport", "Progress", "SkippedLine", "build"]

VERSION: Final = 2
"""Version of the layout of a built folder."""

Progress = Callable[[str, int, int | None], None]
"""Is told how far a build has come: the stage, ``load`` (in bytes of RDF) or ``labels`` (in entries); how much of it
is done; and how much there is, where that is known beforehand."""

_STORE: Final = "store"
_LABELS: Final = "labels"
_FORMATS_BY_LINE: Final = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS)
"""Formats whose parser finds its way again on the next line."""
_BUFFER: Final = 1 << 20
"""Bytes that are read at a time."""
_REPORTED: Final = 10_000
"""Entries between two reports of progress."""
_SKIPPED_KEPT: Final = 20
"""Skipped lines that a report quotes."""


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line of a file that is not valid."""

    file: str
    line: int
    message: str


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build made."""

    folder: Path
    triples: int
    """Distinct triples in the store."""
    entries: Mapping[Kind, int]
    """How many things of each kind the label index knows."""
    seconds: float
    skipped: int = 0
    """How many invalid lines were left out."""
    skipped_lines: tuple[SkippedLine, ...] = field(default=(), repr=False)
    """The first of them."""


def build(
    files: str | Path | Sequence[str | Path],
    target: str | Path,
    *,
    properties: LabelProperties | None = None,
    overwrite: bool = False,
    lenient: bool = False,
    max_errors: int | None = None,
    progress: Progress | None = None,
) -> BuildReport:
    """Make a folder with a store and a label index from RDF files.

    >>> build("books.ttl", "books")  # doctest: +SKIP
    BuildReport(folder=PosixPath('books'), triples=120, entries={'entity': 31, 'relation': 9}, seconds=0.1, skipped=0)

    Args:
        files: One file or several, which `triad.kg.files` can read. Relative IRIs in them are resolved against the
            file's own address.
        target: The folder to make.
        properties: Which properties hold names, if not the usual ones.
        overwrite: Replace what is there, if it was built before.
        lenient: Leave out invalid lines of N-Triples and N-Quads, and count them; otherwise, and in other formats,
            they are errors.
        max_errors: How many lines may be left out; None is any number.
        progress: Is called with the stage, how much of it is done, and how much there is.

    Raises:
        ConfigError: The target exists and may not be overwritten, or cannot be written.
        DataError: A file cannot be read, or is not valid; the target stays as it was.
    """
    start = time.perf_counter()
    paths = [Path(files)] if isinstance(files, str | Path) else [Path(file) for file in files]
    if not paths:
        raise DataError("there are no files to index")
    source = _Source(paths, lenient=lenient, max_errors=max_errors, progress=progress)
    target = Path(target)
    _check_target(target, overwrite)
    draft = target.parent / f".{target.name}-{secrets.token_hex(4)}"
    try:
        draft.mkdir(parents=True)
        with _no_garbage_collection(), contextlib.closing(LabelCollector(properties)) as collector:
            triples, entries = _fill(draft, source, collector, progress)
        _describe(draft, source, triples, entries)
        _put(draft, target)
    except OSError as error:
        raise ConfigError(f"cannot build {str(target)!r}: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    seconds = time.perf_counter() - start
    return BuildReport(target, triples, entries, seconds, source.skipped, tuple(source.skipped_lines))


class _Source:
    """The triples of files, one after the other, as they are parsed."""

    def __init__(
        self, paths: Sequence[Path], *, lenient: bool, max_errors: int | None, progress: Progress | None
    ) -> None:
        self.files = [(path, rdf_format(path)) for path in paths]
        self.skipped = 0
        self.skipped_lines: list[SkippedLine] = []
        self.lenient = lenient
        self._stopped = False
        self._max_errors = max_errors
        self._progress = progress
        self._digest = hashlib.blake2b(digest_size=16)
        self._read = 0
        plain = not any(path.suffix.lower() in COMPRESSION_SUFFIXES for path in paths)
        self._size = sum(path.stat().st_size for path in paths if path.is_file()) if plain else None

    @property
    def fingerprint(self) -> str:
        """A short text that depends on every byte that was read."""
        return self._digest.hexdigest()

    def __iter__(self) -> Iterator[Quad]:
        for path, format_ in self.files:
            with open_rdf(path) as stream:
                yield from self._parse(_tapped(stream, self._tell), path, format_)

    def _parse(self, stream: BinaryIO, path: Path, format_: RdfFormat) -> Iterator[Quad]:
        # Blank nodes of different files are different, even if they have the same name.
        rename = len(self.files) > 1
        quads = pyoxigraph.parse(stream, format_, base_iri=_base(path), rename_blank_nodes=rename)
        while True:
            try:
                yield from quads
            except SyntaxError as error:
                self._skip(error, path, format_)
            except ValueError as error:
                raise DataError(f"{str(path)!r} is not valid {format_.name}: {error}") from error
            else:
                return

    def load(self, store: pyoxigraph.Store) -> pyoxigraph.Store:
        """Load the triples into a store, as another thread iterates over them.

        That one tells what is wrong with the files, if anything is.
        """
        for path, format_ in self.files:
            with open_rdf(path) as stream:
                store.bulk_load(_tapped(stream, self._check), format_, base_iri=_base(path))
        store.flush()
        return store

    def stop(self) -> None:
        """Have `load` give up."""
        self._stopped = True

    def _check(self, _: bytes) -> None:
        if self._stopped:
            raise InterruptedError("the build was given up")

    def _skip(self, error: SyntaxError, path: Path, format_: RdfFormat) -> None:
        fault = f"{str(path)!r} is not valid {format_.name}: {error.msg}"
        by_line = format_ in _FORMATS_BY_LINE
        if not self.lenient or not by_line:
            hint = " (lenient=True leaves such lines out)" if by_line else ""
            raise DataError(fault + hint) from error
        if self._max_errors is not None and self.skipped >= self._max_errors:
            raise DataError(
                f"{fault}; {self.skipped} lines before it were left out, and no more are allowed"
            ) from error
        self.skipped += 1
        if len(self.skipped_lines) < _SKIPPED_KEPT:
            self.skipped_lines.append(SkippedLine(str(path), error.lineno or 0, error.msg))

    def _tell(self, chunk: bytes) -> None:
        self._digest.update(chunk)
        self._read += len(chunk)
        if self._progress:
            self._progress("load", self._read, self._size)


def _base(path: Path) -> str:
    return path.absolute().as_uri()


def _tapped(stream: BinaryIO, tell: Callable[[bytes], None]) -> BinaryIO:
    # The parser reads in small pieces, which are better taken from a buffer than from Python code.
    return cast(BinaryIO, io.BufferedReader(_Tap(stream, tell), _BUFFER))


class _Tap(io.RawIOBase):
    """A stream that tells what is read from it."""

    def __init__(self, stream: BinaryIO, tell: Callable[[bytes], None]) -> None:
        self._stream = stream
        self._tell = tell

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        target = memoryview(buffer)
        chunk = self._stream.read(len(target))
        target[: len(chunk)] = chunk
        self._tell(chunk)
        return len(chunk)


@contextlib.contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Keep Python from searching the facts of millions of things for cycles, of which they have none."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _fill(
    folder: Path, source: _Source, collector: LabelCollector, progress: Progress | None
) -> tuple[int, dict[Kind, int]]:
    """Write the store and the label index; return how many triples and how many entries of each kind."""
    store = pyoxigraph.Store(str(folder / _STORE))
    with ThreadPoolExecutor(1) as pool:
        try:
            if source.lenient:
                # Only triples that pass through here can be left out.
                store.bulk_extend(collector.watch(source))
                loading = pool.submit(lambda: store)
            else:
                loading = pool.submit(source.load, store)
                for _ in collector.watch(source):
                    pass
            entries = _index(folder / _LABELS, collector.entries(), progress)
            return len(loading.result()), entries
        except BaseException:
            source.stop()
            raise


def _index(folder: Path, entries: Iterable[Entry], progress: Progress | None) -> dict[Kind, int]:
    """Write the label index; return how many entries of each kind it has."""
    kinds: Counter[Kind] = Counter()

    def counted() -> Iterator[Entry]:
        for done, entry in enumerate(entries, start=1):
            kinds[entry.kind] += 1
            if progress and done % _REPORTED == 0:
                progress("labels", done, None)
            yield entry

    with LocalIndex.create(folder) as index:
        count = index.add(counted())
    if progress:
        progress("labels", count, count)
    return dict(kinds)


def _describe(folder: Path, source: _Source, triples: int, entries: Mapping[Kind, int]) -> None:
    description = {
        "version": VERSION,
        "store": _STORE,
        "labels": _LABELS,
        "sources": [path.name for path, _ in source.files],
        "fingerprint": source.fingerprint,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "triples": triples,
        "entries": entries,
        "skipped": source.skipped,
    }
    text = json.dumps(description, ensure_ascii=False, indent=2)
    (folder / INDEX_MARKER).write_text(text + "\n", encoding="utf-8")


def _check_target(target: Path, overwrite: bool) -> None:
    if not target.exists() or (target.is_dir() and not any(target.iterdir())):
        return
    if not (target / INDEX_MARKER).is_file():
        raise ConfigError(f"{str(target)!r} exists and is not what an earlier build made; name another folder")
    if not overwrite:
        raise ConfigError(f"{str(target)!r} exists; with overwrite=True it is replaced")


def _put(draft: Path, target: Path) -> None:
    if not (target / INDEX_MARKER).is_file():
        draft.rename(target)
        return
    old = draft.with_name(f"{draft.name}-old")
    target.rename(old)
    try:
        draft.rename(target)
    except OSError:
        old.rename(target)
        raise
    shutil.rmtree(old, ignore_errors=True)
