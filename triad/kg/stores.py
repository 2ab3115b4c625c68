"""Stores on disk: RDF files are parsed once, and the store is reused as long as they do not change.

A store built from files lies in the cache folder under a name made of their paths, sizes and times. It is built
under a name of its own and then renamed, so that any number of processes may ask for the same one at once.
"""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

import pyoxigraph

from triad.errors import ConfigError, DataError
from triad.kg.files import load_rdf, rdf_format
from triad.kg.parsing import DEFAULT_LIMITS, ParseLimits
from triad.locks import lock_of, locked, remove_abandoned
from triad.resources import cache_folder, found_at

__all__ = ["build_store", "cached_store", "fingerprint", "is_store", "open_store", "store_fingerprint"]

PARTS_THAT_CHANGE = ("*.sst", "*.log", "MANIFEST-*", "CURRENT")
"""The files of a store that differ when its triples do."""


def is_store(folder: str | Path) -> bool:
    """Return whether a folder looks like a pyoxigraph store."""
    return (Path(folder) / "CURRENT").is_file()


def open_store(folder: str | Path) -> pyoxigraph.Store:
    """Open a store to read it.

    Raises:
        DataError: The folder is missing, or is not a store.
    """
    if found_at(folder) != "folder":
        raise DataError(f"there is no folder {str(folder)!r}")
    if not is_store(folder):
        raise DataError(f"the folder {str(folder)!r} is not a pyoxigraph store")
    try:
        return pyoxigraph.Store.read_only(str(folder))
    except (OSError, RuntimeError) as error:  # corruption is a RuntimeError
        raise DataError(f"cannot open the store {str(folder)!r}: {error}") from error


def build_store(
    paths: Iterable[str | Path], folder: str | Path, *, lenient: bool = False, limits: ParseLimits = DEFAULT_LIMITS
) -> None:
    """Parse RDF files into a new store.

    Args:
        paths: The files; `triad.kg.files` says which.
        folder: Where the store is put. A store that is already there stays as it is.
        lenient: Accept malformed IRIs and language tags, which large dumps tend to have.
        limits: What the parser of a file may take.

    Raises:
        DataError: A file cannot be read or takes too much to parse, or the folder cannot be written. Nothing is left
            behind.
    """
    folder = Path(folder)
    draft = folder.with_name(f"{folder.name}.tmp")
    with ExitStack() as stack:
        try:
            stack.enter_context(locked(lock_of(draft), repr(str(folder)), wait=True))
        except ConfigError as error:
            raise _unwritable(folder.parent, error) from error
        if is_store(folder):  # another process was faster, and its store is as good
            return
        try:
            shutil.rmtree(draft, ignore_errors=True)
            _fill(draft, paths, lenient, limits)
            draft.rename(folder)
        except (OSError, RuntimeError) as error:
            raise _unwritable(folder.parent, error) from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def _fill(folder: Path, paths: Iterable[str | Path], lenient: bool, limits: ParseLimits) -> None:
    store = pyoxigraph.Store(str(folder))
    for path in paths:
        load_rdf(store, path, lenient=lenient, limits=limits)
    store.flush()


def _unwritable(folder: Path, error: Exception) -> DataError:
    return DataError(
        f"cannot build a store in {str(folder)!r}: {error}; TRIAD_CACHE can name a folder that can be written "
        "and has room"
    )


def cached_store(paths: Sequence[str | Path], *, lenient: bool = False, limits: ParseLimits = DEFAULT_LIMITS) -> Path:
    """Return the folder of a store that holds the triples of RDF files, built now if it is not yet there.

    What builds that were killed have left in the cache folder is deleted on that occasion.

    Raises:
        DataError: A file is missing, of an unknown format or malformed; or the cache cannot be written.
    """
    if not paths:
        raise DataError("there are no files to load")
    for path in paths:
        rdf_format(path)  # a wrong name should not come out after an hour of parsing the files before it
        if found_at(path) != "file":
            raise DataError(f"there is no file {str(path)!r}")
    key = fingerprint([Path(path) for path in paths], f"pyoxigraph {pyoxigraph.__version__}, {lenient=}")
    folder = cache_folder() / "graphs" / key
    if not is_store(folder):
        remove_abandoned(folder.parent, "*.tmp")
        build_store(paths, folder, lenient=lenient, limits=limits)
    return folder


def store_fingerprint(folder: str | Path) -> str:
    """Return a short text that changes when the triples of a store do."""
    parts = (part for pattern in PARTS_THAT_CHANGE for part in Path(folder).glob(pattern))
    return fingerprint(sorted(parts), "store")


def fingerprint(files: Iterable[Path], kind: str) -> str:
    """Return a short text that changes when one of the files, as far as path, size and time tell, or the kind does."""
    digest = hashlib.sha256(kind.encode())
    for file in files:
        stat = file.stat()
        digest.update(f"\0{file.absolute()}\0{stat.st_size}\0{stat.st_mtime_ns}".encode(errors="surrogateescape"))
    return digest.hexdigest()[:32]
