"""Fetches a published data set into the folder that configs read: each file is whole when it has its name.

Beside the sets, in ``fetched/``, lies for each of them a record of where its files are from and which checksums they
have: a file that the publisher exchanges is noticed, even where no checksum was published.

Files as configs read them are made of files as publishers give them. From an archive, only the file that is asked for
is taken, as a stream: no name in it becomes a path, links and devices are no files, and one of more than `LARGEST`
bytes is not unpacked.
"""

import contextlib
import datetime
import fnmatch
import gzip
import io
import json
import lzma
import shutil
import tarfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Final, cast
from urllib.parse import quote

import pyoxigraph
from pyoxigraph import Literal, NamedNode, RdfFormat, Triple

from triad.datasets.published import Download, MadeFile, PublishedSet
from triad.errors import ConfigError, DataError
from triad.indexing.downloads import fetch
from triad.indexing.layout import Progress, read_record
from triad.indexing.reading import Faults, read
from triad.indexing.recipe import Source, checksum
from triad.locks import lock_of, locked
from triad.rdf import RDF_TYPE, RDFS
from triad.resources import drafted

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


def is_there(published: PublishedSet, folder: Path) -> bool:
    """Return whether all files of a set are in the data folder, wherever they are from."""
    return all((folder / name).is_file() for name in published.files)


def get_set(
    name: str,
    published: PublishedSet,
    folder: Path,
    *,
    downloads: Path,
    taken_from: Path | None = None,
    replace: bool = False,
    tell: Progress = lambda *_: None,
) -> list[Path]:
    """Fetch a set; return the files that were made, which are none if all were there.

    What a folder with files of the publisher has (``taken_from``) is not downloaded. With ``replace``, files that are
    there are made anew, also of other downloads than before.

    Raises:
        ConfigError: A file is there that was not fetched, or nothing can be written.
        DataError: A file cannot be fetched, is to be fetched by hand, or is not what it should be.
    """
    if taken_from is not None and not taken_from.is_dir():
        raise ConfigError(f"there is no folder {str(taken_from)!r} to take files from")
    record = folder / "fetched" / f"{name}.json"
    with locked(lock_of(record), f"the data set {name!r}"):
        before = read_record(record)
        there = [path for path in published.files if (folder / path).exists()]
        if not replace:
            if foreign := [path for path in there if path not in before.get("files", {})]:
                raise ConfigError(
                    f"{str(folder / foreign[0])!r} exists, and was not fetched; replace it with --force, or have "
                    "TRIAD_DATA name another folder"
                )
            if len(there) == len(published.files):
                return []
        found = {one.name: _found(one, downloads, taken_from, tell) for one in published.downloads}
        origins = {
            one.name: {"address": one.address, "bytes": path.stat().st_size, "sha256": checksum(path)}
            for one in published.downloads
            for path in [found[one.name]]
        }
        for one, origin in origins.items():
            kept = before.get("downloads", {}).get(one, origin)
            if kept["sha256"] != origin["sha256"] and not replace:
                raise DataError(
                    f"{origin['address']!r} has changed since it was first fetched: its sha256 was {kept['sha256']}, "
                    f"and is {origin['sha256']} now; --force takes it as it is"
                )
        made = {}
        for path, file in published.files.items():
            tell(f"make {path}", 0, None)
            with drafted(folder / path) as draft:
                make(file, [found[one] for one in file.of], draft)
                made[path] = checksum(draft)
        kept_record = {
            "licence": published.licence,
            "home": published.home,
            "fetched": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "downloads": origins,
            "files": made,
        }
        with drafted(record) as draft:
            draft.write_text(json.dumps(kept_record, indent=2) + "\n", encoding="utf-8")
        return [folder / path for path in made]


def _found(one: Download, downloads: Path, taken_from: Path | None, tell: Progress) -> Path:
    """Return a file of the publisher, fetched if that is possible."""
    if taken_from and (given := taken_from / one.name).is_file():
        return fetch(one.model_copy(update={"address": str(given)}), downloads)
    if one.by_hand:
        raise DataError(
            f"{one.name!r} is fetched by hand, from {one.address} : {one.by_hand}. Then name its folder with --from"
        )
    try:
        return fetch(one, downloads, tell=partial(tell, f"fetch {one.name}"))
    except DataError as error:
        raise DataError(
            f"{error}. By hand: fetch {one.address} with a browser or on another machine, as {one.name!r}, and name "
            "its folder with --from"
        ) from error


# Files that are made --------------------------------------------------------------------------------------


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
