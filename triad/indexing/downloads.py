"""Files of publishers, fetched with patience.

A download that was cut off goes on where it ended, if the server still has the same file. A server that falls
silent is asked again, and so is one that is overloaded; what has arrived is checked by size and checksum before it
gets its name, so that a file that has its name is complete.
"""

import errno
import importlib.metadata
import json
import math
import re
import shutil
from pathlib import Path
from typing import Any, Final

import httpx
import tenacity

from triad.errors import DataError
from triad.http import AnswerTooLarge, Exchange, client, number, reason, retry_after
from triad.indexing.layout import Tell, read_record
from triad.indexing.recipe import FileSource, given, is_address, local_path, verified
from triad.locks import lock_of, locked
from triad.log import logger
from triad.resources import refuse_links

STALL: Final = 30.0
"""Seconds without a byte after which a server is asked again."""
FRUITLESS: Final = 6
"""Tries in a row that bring not a byte after which a download is given up."""
WAIT: Final = tenacity.wait_random_exponential(multiplier=1.0, max=60.0)
"""Seconds between tries, where the server does not say how many."""
_LONGEST_WAIT: Final = 300.0  # seconds for which a server is waited for at the most if it says how many

_TRANSIENT: Final = frozenset({408, 425, 429, 500, 502, 503, 504})
"""HTTP statuses after which the same request may well succeed."""
_PAGE: Final = re.compile(
    rb"(\xef\xbb\xbf)?\s*+(<\?xml[^>]*+>\s*+)?(<!--(?:(?!-->).)*+-->\s*+)*+"
    rb"<(!doctype\s+html|html|head|title|body|script)[\s/>]",
    re.IGNORECASE | re.DOTALL,
)
"""How a web page starts, and no file with triples."""
_PAGE_START: Final = 1 << 10  # bytes at the beginning of a file that show whether it is a web page
_FRAMING: Final = 1 << 20  # bytes that headers may have, on top of the file


def fetch(
    source: FileSource,
    folder: Path,
    *,
    tell: Tell = lambda *_: None,
    stall: float = STALL,
    wait: tenacity.wait.wait_base = WAIT,
) -> Path:
    """Return the path of a source's file, downloaded now if it is not there yet.

    ``tell`` is told how many bytes have arrived; after ``stall`` seconds without a byte, the server is asked again.

    Raises:
        ConfigError: Another process is fetching it.
        DataError: The file is missing, the server does not give it, the disk is full, or what came is not what the
            recipe says.
    """
    if not is_address(source.address):
        return given(source)
    path = local_path(source, folder)
    record = path.with_name(path.name + ".json")
    if path.is_file() and read_record(record) == _identity(source, path):
        return path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with locked(lock_of(path), repr(str(path))):  # else two would write what arrives into one file
            refuse_links(record, *(path.with_name(path.name + end) for end in (".part", ".part.json")))
            if not path.is_file():
                part = path.with_name(path.name + ".part")
                _Download(source, part, stall, tell).run(wait)
                verified(source, part)
                part.replace(path)
                part.with_name(part.name + ".json").unlink(missing_ok=True)
            else:
                verified(source, path)
            record.write_text(json.dumps(_identity(source, path)) + "\n", encoding="utf-8")
    except OSError as error:
        full = "the disk is full" if error.errno == errno.ENOSPC else str(error)
        raise DataError(f"cannot write {str(path)!r}: {full}; --downloads can name another folder") from error
    return path


def _identity(source: FileSource, path: Path) -> dict[str, Any]:
    """The state of a file when it was verified; a file with another state is verified again."""
    expected = source.model_dump(include={"size", "sha256", "md5"})
    return {"address": source.shown, "bytes": path.stat().st_size, **expected}


class _Transient(Exception):
    """A failure that may pass; ``after`` are the seconds that the server asks to wait."""

    def __init__(self, message: str, after: float | None = None) -> None:
        super().__init__(message)
        self.after = after


class _Download:
    """One file on its way into a part file, next to which a record tells which version of the file it is of."""

    def __init__(self, source: FileSource, part: Path, stall: float, tell: Tell) -> None:
        self._source = source
        self._part = part
        self._record = part.with_name(part.name + ".json")
        self._stall = stall
        self._tell = tell
        self._fruitless = 0
        version = importlib.metadata.version("triad-kgqa")
        self._client = client(headers={"User-Agent": f"triad-kgqa/{version}", "Accept": "*/*"})

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
                f"cannot fetch {self._source.shown!r}: {failure}, {FRUITLESS} times in a row; what has arrived is "
                "kept, and the same command goes on from there"
            ) from failure

    def _warn(self, state: tenacity.RetryCallState) -> None:
        error = state.outcome.exception() if state.outcome else None
        logger.warning("{!r}: {}; trying again", self._source.shown, error)

    def _try(self) -> None:
        have = self._part.stat().st_size if self._part.is_file() else 0
        validator = read_record(self._record).get("validator")
        if have and not validator and not (self._source.sha256 or self._source.md5):
            have = 0  # without a version, the rest may be that of another file
        self._fruitless += 1
        try:
            self._receive(have, validator)
        except httpx.TimeoutException as error:
            raise _Transient(f"no byte came for {self._stall:g} s") from error
        except AnswerTooLarge as error:
            raise DataError(f"{self._source.shown!r} has more bytes than it should: {error}") from error
        except httpx.InvalidURL as error:
            raise DataError(f"cannot fetch {self._source.shown!r}: {error}") from error
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
        exchange = Exchange(self._stall, math.inf if self._source.size is None else self._source.size + _FRAMING)
        extensions = {"exchange": exchange}
        with self._client.stream("GET", self._source.address, headers=headers, extensions=extensions) as response:
            if not response.is_success:
                self._refused(response, have)
                return
            start, total = 0, number(response.headers.get("Content-Length"))
            if response.status_code == 206:
                start, total = _content_range(response.headers.get("Content-Range", ""))
                if start != have:
                    raise DataError(f"{self._source.shown!r} sent another part than was asked for")
            elif have:
                logger.warning("{!r} has changed or cannot be continued; starting again", self._source.shown)
            self._note(response.headers)
            if total is not None:
                self._check_room(total - start)
            done = start
            with self._part.open("ab", buffering=0) as file:
                file.truncate(start)
                for chunk in response.iter_raw():
                    if done == 0 and _PAGE.match(chunk[:_PAGE_START]):
                        raise DataError(f"{self._source.shown!r} sent a web page in place of the file")
                    file.write(chunk)
                    done += len(chunk)
                    self._fruitless = 0
                    exchange.renew(self._stall)
                    self._tell(done, total)
        if not done and not total:
            raise DataError(f"{self._source.shown!r} sent an empty file")
        if total is not None and done < total:
            raise _Transient(f"the connection ended after {done:,} of {total:,} bytes")
        self._tell(done, done)

    def _refused(self, response: httpx.Response, have: int) -> None:
        if response.status_code == 416:
            if number(response.headers.get("Content-Range", "").rpartition("/")[2]) == have:
                return  # it was complete before
            self._part.unlink(missing_ok=True)
            raise _Transient("the file there is shorter than what has arrived")
        status = f"{response.status_code} {response.reason_phrase}".strip()
        if response.status_code not in _TRANSIENT:
            raise DataError(f"cannot fetch {self._source.shown!r}: {status}")
        if (after := retry_after(response.headers)) is not None and after > _LONGEST_WAIT:
            raise DataError(
                f"cannot fetch {self._source.shown!r} now: {status}, and it asks to wait for {after:,.0f} s; what "
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
