"""Dumps: files of publishers, fetched with patience and read in a stream.

A download that was cut off goes on where it ended, if the server still has the same file. A server that falls
silent is asked again, and so is one that is overloaded; what has arrived is checked by size and checksum before it
gets its name, so that a file that has its name is complete.

Publishers' files hold lines that are not valid. They are left out, counted, and named by file and line; too many of
them are an error.
"""

from __future__ import annotations

import contextlib
import errno
import fnmatch
import hashlib
import importlib.metadata
import json
import math
import re
import shutil
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol
from urllib.parse import unquote, urlsplit

import httpx
import tenacity
from pyoxigraph import RdfFormat

from triad.errors import DataError
from triad.http import AnswerTooLarge, Exchange, client, number, reason, retry_after
from triad.indexing.parts import Part, PartFile
from triad.indexing.recipe import FileSource, Source, is_address
from triad.kg.files import RDF_SUFFIXES, RdfFile, open_rdf, rdf_format, rdf_members
from triad.kg.parsing import DEFAULT_LIMITS, Fault, ParseLimits, Readable, Statements, parse
from triad.locks import lock_of, locked
from triad.log import logger
from triad.resources import found_at

__all__ = ["Faults", "SkippedLine", "fetch", "local_path", "read"]

STALL: Final = 30.0
"""Seconds without a byte after which a server is asked again."""
FRUITLESS: Final = 6
"""Tries in a row that bring not a byte after which a download is given up."""
WAIT: Final = tenacity.wait_random_exponential(multiplier=1.0, max=60.0)
"""Seconds between tries, where the server does not say how many."""
LONGEST_WAIT: Final = 300.0
"""Seconds for which a server is waited for at the most if it says how many."""

_TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""HTTP statuses after which the same request may well succeed."""
_PAGE: Final = re.compile(
    rb"(\xef\xbb\xbf)?\s*(<\?xml[^>]*>\s*)?(<!--.*?-->\s*)*<(!doctype\s+html|html|head|title|body|script)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)
"""How a web page starts, and no file with triples."""
_PAGE_START: Final = 1 << 10
"""Bytes at the beginning of a file that show whether it is a web page."""
_FRAMING: Final = 1 << 20
"""Bytes that headers may have, on top of the file."""
_KEPT: Final = 20
"""Malformed lines that are quoted."""

Tell = Callable[[int, int | None], None]
"""A function that is called with the amount done and, where known, the total."""


# Fetching -------------------------------------------------------------------------------------------------


def local_path(source: FileSource, folder: Path) -> Path:
    """Return where a source lies on disk: its own path, or where its download comes to lie."""
    if not is_address(source.address):
        return source.path
    address = urlsplit(source.address)
    parts = [part for part in unquote(address.path).split("/") if part not in ("", ".", "..")]
    return folder.joinpath(address.netloc.rpartition("@")[2].replace(":", "_"), *parts)


def fetch(
    source: FileSource,
    folder: Path,
    *,
    tell: Tell | None = None,
    user_agent: str = "",
    stall: float = STALL,
    wait: tenacity.wait.wait_base = WAIT,
) -> Path:
    """Return the path of a source's file, downloaded now if it is not there yet.

    Args:
        source: What to fetch.
        folder: Where downloads lie.
        tell: Is told how many bytes have arrived.
        user_agent: Who asks; by default Triad and its version.
        stall: Seconds without a byte after which the server is asked again.
        wait: The waits between tries.

    Raises:
        ConfigError: Another process is fetching it.
        DataError: The file is missing, the server does not give it, the disk is full, or what came is not what the
            recipe says.
    """
    path = local_path(source, folder)
    if not is_address(source.address):
        if found_at(path) != "file":
            raise DataError(f"there is no file {str(path)!r}")
        _verify(source, path, path)
        return path
    record = path.with_name(path.name + ".json")
    if path.is_file() and _read_json(record) == _identity(source, path):
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(lock_of(path), repr(str(path))):  # else two would write what arrives into one file
            if not path.is_file():
                part = path.with_name(path.name + ".part")
                _Download(source, part, user_agent or _user_agent(), stall, tell).run(wait)
                _verify(source, part, part)
                part.replace(path)
                part.with_name(part.name + ".json").unlink(missing_ok=True)
            else:
                _verify(source, path, path)
            record.write_text(json.dumps(_identity(source, path)) + "\n", encoding="utf-8")
    except OSError as error:
        raise _unwritable(path, error) from error
    return path


def _identity(source: FileSource, path: Path) -> dict[str, Any]:
    """The state of a file when it was verified; a file with another state is verified again."""
    return {
        "address": source.address,
        "bytes": path.stat().st_size,
        "size": source.size,
        "sha256": source.sha256,
        "md5": source.md5,
    }


class _Transient(Exception):
    """A failure that may pass; ``after`` are the seconds that the server asks to wait."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class _Download:
    """One file on its way into a part file, next to which a record tells which version of the file it is of."""

    def __init__(self, source: FileSource, part: Path, user_agent: str, stall: float, tell: Tell | None) -> None:
        self._source = source
        self._part = part
        self._record = part.with_name(part.name + ".json")
        self._stall = stall
        self._tell = tell
        self._fruitless = 0
        self._client = client(headers={"User-Agent": user_agent, "Accept": "*/*"})

    def run(self, wait: tenacity.wait.wait_base) -> None:
        def pause(state: tenacity.RetryCallState) -> float:
            error = state.outcome.exception() if state.outcome else None
            after = error.after if isinstance(error, _Transient) else None
            # The waits grow with the tries that received nothing, not with those that received a part.
            state.attempt_number = max(self._fruitless, 1)
            return wait(state) if after is None else after

        tries = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(_Transient),
            wait=pause,
            stop=lambda _: self._fruitless >= FRUITLESS,
            before_sleep=self._warn,
            reraise=True,
        )
        try:
            with self._client:
                tries(self._try)
        except _Transient as failure:
            raise DataError(
                f"cannot fetch {self._source.address!r}: {failure}, {FRUITLESS} times in a row; what has arrived is "
                "kept, and the same command goes on from there"
            ) from failure

    def _warn(self, state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        logger.warning("{!r}: {}; trying again", self._source.address, error)

    def _try(self) -> None:
        have = self._part.stat().st_size if self._part.is_file() else 0
        validator = (_read_json(self._record) or {}).get("validator")
        if have and not validator and not (self._source.sha256 or self._source.md5):
            have = 0  # without a version, the rest may be that of another file
        self._fruitless += 1
        try:
            self._receive(have, validator)
        except httpx.TimeoutException as error:
            raise _Transient(f"no byte came for {self._stall:g} s") from error
        except AnswerTooLarge as error:
            raise DataError(f"{self._source.address!r} has more bytes than it should: {error}") from error
        except httpx.InvalidURL as error:
            raise DataError(f"cannot fetch {self._source.address!r}: {error}") from error
        except (httpx.NetworkError, httpx.ProxyError) as error:
            raise _Transient(str(reason(error))) from error
        except httpx.HTTPError as error:
            raise _Transient(f"the answer is damaged: {error}") from error

    def _receive(self, have: int, validator: str | None) -> None:
        headers = {"Accept-Encoding": "identity"}
        if have:
            headers["Range"] = f"bytes={have}-"
            if validator:
                headers["If-Range"] = validator
        limit = math.inf if self._source.size is None else self._source.size + _FRAMING
        exchange = Exchange(self._stall, limit)
        extensions = {"exchange": exchange}
        with self._client.stream("GET", self._source.address, headers=headers, extensions=extensions) as response:
            if not response.is_success:
                self._refused(response, have)
                return
            start, total = 0, number(response.headers.get("Content-Length"))
            if response.status_code == 206:
                start, total = _content_range(response.headers.get("Content-Range", ""))
                if start != have:
                    raise DataError(f"{self._source.address!r} sent another part than was asked for")
            elif have:
                logger.warning("{!r} has changed or cannot be continued; starting again", self._source.address)
            self._note(response.headers)
            if total is not None:
                self._check_room(total - start)
            done = start
            with self._open(start) as write:
                for chunk in response.iter_raw():
                    if done == 0 and _PAGE.match(chunk[:_PAGE_START]):
                        raise DataError(f"{self._source.address!r} sent a web page in place of the file")
                    write(chunk)
                    done += len(chunk)
                    self._fruitless = 0
                    exchange.renew(self._stall)
                    if self._tell:
                        self._tell(done, total)
        if total is not None and done < total:
            raise _Transient(f"the connection ended after {done:,} of {total:,} bytes")
        if self._tell:
            self._tell(done, done)

    @contextlib.contextmanager
    def _open(self, start: int) -> Iterator[Callable[[bytes], object]]:
        """Open the part file to go on after so many bytes; an error of the disk is not an error of the server."""

        def write(chunk: bytes) -> None:
            try:
                file.write(chunk)
            except OSError as error:
                raise _unwritable(self._part, error) from error

        try:
            file = self._part.open("ab", buffering=0)
            file.truncate(start)
        except OSError as error:
            raise _unwritable(self._part, error) from error
        with file:
            yield write

    def _refused(self, response: httpx.Response, have: int) -> None:
        if response.status_code == 416:
            if number(response.headers.get("Content-Range", "").rpartition("/")[2]) == have:
                return  # it was complete before
            self._part.unlink(missing_ok=True)
            raise _Transient("the file there is shorter than what has arrived")
        status = f"{response.status_code} {response.reason_phrase}".strip()
        if response.status_code not in _TRANSIENT:
            raise DataError(f"cannot fetch {self._source.address!r}: {status}")
        after = retry_after(response.headers)
        if after is not None and after > LONGEST_WAIT:
            raise DataError(
                f"cannot fetch {self._source.address!r} now: {status}, and it asks to wait for {after:,.0f} s; what "
                "has arrived is kept, and the same command goes on from there"
            )
        raise _Transient(f"HTTP status {response.status_code}", after)

    def _note(self, headers: httpx.Headers) -> None:
        etag = headers.get("ETag", "")
        validator = etag if etag and not etag.startswith("W/") else headers.get("Last-Modified")
        self._record.write_text(json.dumps({"validator": validator}), encoding="utf-8")

    def _check_room(self, needed: int) -> None:
        free = shutil.disk_usage(self._part.parent).free
        if needed > free:
            raise DataError(
                f"{self._source.name!r} needs {needed / 1e9:,.2f} GB more in {str(self._part.parent)!r}, which has "
                f"{free / 1e9:,.2f} GB free; --downloads can name another folder"
            )


def _content_range(text: str) -> tuple[int, int | None]:
    """Return where a part starts and how long the whole is, of a header such as ``bytes 100-199/200``."""
    span, _, total = text.removeprefix("bytes").strip().partition("/")
    start, size = number(span.partition("-")[0]), number(total)
    if start is None or (size is None and total != "*"):
        raise DataError(f"a server sent the header 'Content-Range: {text[:100]}', which cannot be read")
    return start, size


def _verify(source: FileSource, path: Path, delete: Path) -> None:
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
            with path.open("rb") as file:
                found = hashlib.file_digest(file, kind).hexdigest()
            if found != expected:
                fault = f"has the {kind} checksum {found!r}, and the recipe says {expected!r}"
    if not fault:
        return
    if is_address(source.address):
        delete.unlink()
        fault += "; it was deleted. If the publisher has put another file there, the recipe must be changed"
    raise DataError(f"{source.address!r} {fault}")


def _unwritable(path: Path, error: OSError) -> DataError:
    full = "the disk is full" if error.errno == errno.ENOSPC else str(error)
    return DataError(f"cannot write {str(path)!r}: {full}; --downloads can name another folder")


def _read_json(path: Path) -> dict[str, Any] | None:
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data if isinstance(data, dict) else None


def _user_agent() -> str:
    return f"triad-kgqa/{importlib.metadata.version('triad-kgqa')}"


# Reading --------------------------------------------------------------------------------------------------


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
