"""Stores on disk: RDF files are parsed once, and the store is reused as long as they do not change.

A store built from files lies in the cache folder under a name made of their paths, sizes and times. It is built
under a name of its own and then renamed, so that any number of processes may ask for the same one at once.
"""

import hashlib
import shutil
from collections.abc import Iterable, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import pyoxigraph

from triad.errors import ConfigError, DataError
from triad.kg.files import open_rdf, rdf_format
from triad.kg.parsing import DEFAULT_LIMITS, ParseLimits, parse
from triad.locks import lock_of, locked, remove_abandoned
from triad.resources import cache_folder, found_at

_PARTS_THAT_CHANGE = ("*.sst", "*.log", "MANIFEST-*", "CURRENT")  # the files of a store that differ when its triples do


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
    """Parse RDF files into a new store; one that is already there stays as it is.

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
            store = pyoxigraph.Store(str(draft))
            for path in paths:
                load_rdf(store, path, lenient=lenient, limits=limits)
            store.flush()
            del store  # closes it, so that its folder can be renamed
            draft.rename(folder)
        except (OSError, RuntimeError) as error:
            raise _unwritable(folder.parent, error) from error
        finally:
            shutil.rmtree(draft, ignore_errors=True)


def load_rdf(
    store: pyoxigraph.Store, path: str | Path, *, lenient: bool = False, limits: ParseLimits = DEFAULT_LIMITS
) -> None:
    """Add the triples or quads of a file to a store; relative IRIs are resolved against its own ``file:`` address.

    Raises:
        DataError: The file cannot be read, is not of the format that its name says, or takes too much to parse.
        OSError: The store cannot be written to.
    """
    base = Path(path).absolute().as_uri()
    with (
        open_rdf(path) as stream,
        closing(parse(stream, rdf_format(path), str(path), base_iri=base, lenient=lenient, limits=limits)) as batches,
    ):
        try:
            for batch in batches:
                batch.load(store)
        except DataError as error:
            if lenient or "IRI" not in str(error):
                raise
            raise DataError(f"{error} (lenient=True accepts malformed IRIs)") from error


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
    parts = (part for pattern in _PARTS_THAT_CHANGE for part in Path(folder).glob(pattern))
    return fingerprint(sorted(parts), "store")


def fingerprint(files: Iterable[Path], kind: str) -> str:
    """Return a short text that changes when one of the files, as far as path, size and time tell, or the kind does."""
    digest = hashlib.sha256(kind.encode())
    for file in files:
        stat = file.stat()
        digest.update(f"\0{file.absolute()}\0{stat.st_size}\0{stat.st_mtime_ns}".encode(errors="surrogateescape"))
    return digest.hexdigest()[:32]
