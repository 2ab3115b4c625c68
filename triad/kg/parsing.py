"""RDF parsing in a process of its own, so that no file can hang the program, exhaust its memory or crash it.

A few hundred bytes of RDF/XML can stand for gigabytes, and a parser can die of nesting that is too deep. So the bytes
of a file go to a worker, and statements come back in batches. The limits apply to the parser, not to the file, which
may be of any size as long as the parser makes progress and what it gives is in proportion.
"""

import codecs
import re
import threading
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pickle import dumps
from typing import Any, Final, Protocol, Self

import pyoxigraph
from pyoxigraph import Quad, RdfFormat

from triad.errors import DataError
from triad.kg import worker
from triad.rdf import writable
from triad.strict import Amount, Seconds, check_options
from triad.worker.pool import WorkerEnded, WorkerProcess

_RECOVERING: Final = (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS, RdfFormat.TURTLE, RdfFormat.TRIG)
"""Formats whose parser can recover from an invalid line, or in Turtle and TriG an invalid statement or two."""

_MEMORY: Final = 2 * 2**30
_SECONDS: Final = 60.0
_MARK: Final = codecs.BOM_UTF8
"""The byte order mark with which some programs start a file; the parsers take it for a part of the first statement."""
_PREFIX: Final = re.compile(r"([A-Za-z][\w-]*)?", re.ASCII)  # a prefix that can be written into any query


class Readable(Protocol):
    """A stream of bytes."""

    def read(self, size: int, /) -> bytes:
        """Return up to so many of the next bytes; none at the end."""


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """Limits of the parser of a file, and of inference; large files need no more than small ones to be parsed."""

    memory: int = _MEMORY
    """Bytes; 0 is no limit. Only Linux holds a process to it."""
    seconds: float = _SECONDS
    """How long it may be busy without reading more of the file or giving statements."""

    @classmethod
    def taken(cls, options: dict[str, Any]) -> Self:
        """Take ``parse_memory`` and ``parse_timeout`` out of the options of a graph.

        >>> options = {"parse_memory": 2**30, "name": "books"}
        >>> ParseLimits.taken(options), options
        (ParseLimits(memory=1073741824, seconds=60.0), {'name': 'books'})

        Raises:
            ConfigError: One is no such limit.
        """
        names = ("parse_memory", "parse_timeout")
        given: dict[str, Any] = {name: options.pop(name) for name in names if name in options}
        check_options(given, "the graph", _limits)
        return cls(*_limits(**given))

    def told(self, who: str, ended: WorkerEnded) -> str:
        """Return why a process ended that was held to the limits."""
        if ended.expired:
            return f"{who} came no further for {self.seconds:g} seconds ('parse_timeout' allows more)"
        if ended.out_of_memory:
            most = self.memory / 2**30
            return f"{who} needs more memory than the {most:g} GiB that it may take ('parse_memory' allows more)"
        return f"{who} died of it: {ended}"


def _limits(*, parse_memory: Amount = _MEMORY, parse_timeout: Seconds = _SECONDS) -> tuple[int, float]:
    return parse_memory, parse_timeout


DEFAULT_LIMITS: Final = ParseLimits()


@dataclass(frozen=True, slots=True)
class Fault:
    """A statement that is not valid."""

    file: str
    format: str
    line: int
    """0 where it is not known."""
    message: str


class Statements:
    """Statements that came together, some megabytes of them."""

    def __init__(self, text: bytes, quads: list[Quad] | None = None) -> None:
        """Hold them as text, or as quads where the text would be none that can be read."""
        self.text = text
        """Valid N-Quads; empty where a statement is too long to be read as such."""
        self._quads = quads

    def __len__(self) -> int:
        return self.text.count(b"\n") if self._quads is None else len(self._quads)

    def __iter__(self) -> Iterator[Quad]:
        quads = self._quads
        return iter(pyoxigraph.parse(self.text, RdfFormat.N_QUADS, lenient=True) if quads is None else quads)

    def load(self, store: pyoxigraph.Store) -> None:
        """Add them to a store; reading text for it leaves Python to other threads."""
        # The store would give blank nodes of every text other names; IRIs may have an underscore before a colon.
        if self.text and not self.text.startswith(b"_:") and b"\n_:" not in self.text and b" _:" not in self.text:
            store.bulk_load(self.text, RdfFormat.N_QUADS, lenient=True)
        else:
            store.bulk_extend(self)


def parse(
    stream: Readable,
    format_: RdfFormat,
    name: str,
    *,
    base_iri: str | None = None,
    lenient: bool = False,
    skip: Callable[[Fault], None] | None = None,
    limits: ParseLimits = DEFAULT_LIMITS,
    prefixes: dict[str, str] | None = None,
    scope: str | None = None,
) -> Generator[Statements, None, None]:
    """Yield the statements of a file, some megabytes at a time; blank nodes get names of their own.

    Args:
        stream: The bytes of the file.
        format_: Its format.
        name: What errors call it.
        base_iri: The base of relative IRIs.
        lenient: Accept malformed IRIs and language tags.
        skip: A function that is called with each invalid statement that is skipped; it may raise an error instead.
            Without it, and in formats that are not `_RECOVERING`, such a statement is an error.
        limits: The limits of the parser.
        prefixes: Takes the namespaces that the file declares, by prefix; those that it has stay.
        scope: What the names of blank nodes begin with, in place of names of their own: of parts of a file that are
            parsed one by one and share blank nodes.

    Raises:
        DataError: The file is not valid, or takes too much to parse.
    """
    recovers = skip is not None and format_ in _RECOVERING
    parsing = {"media_type": format_.media_type, "base_iri": base_iri, "lenient": lenient, "recovers": recovers}
    parsing["scope"] = scope
    try:
        process = WorkerProcess(worker.__file__, "parse", dumps(parsing).hex(), str(limits.memory), str(limits.seconds))
    except OSError as error:
        raise DataError(f"cannot start a process to read {name!r}: {error}") from error
    feeder = _Feeder(stream, process)
    feeder.start()
    try:
        while True:
            try:
                piece: worker.Parsed = process.receive()
            except WorkerEnded as ended:
                why = limits.told("the parser", ended)
                raise DataError(f"{name!r} cannot be read as {format_.name}: {why}") from ended
            if piece[0] not in ("quads", "long", "prefixes") and feeder.error is not None:
                raise feeder.error  # the read error explains the invalid end of the file
            match piece:
                case ("quads", content):
                    yield Statements(content)  # the worker has validated them
                case ("long", quads):
                    yield Statements(b"", quads)
                case ("prefixes", declared):
                    for prefix, namespace in declared.items():
                        if prefixes is not None and _PREFIX.fullmatch(prefix) and namespace and writable(namespace):
                            prefixes.setdefault(prefix, namespace)
                case ("fault", line, message):
                    if skip is None or not recovers:
                        raise DataError(f"{name!r} is not valid {format_.name}: {message}")
                    skip(Fault(name, format_.name, line, message))
                case ("unreadable", why):
                    raise DataError(f"{name!r} cannot be read as {format_.name}: {why}")
                case ("failure", message):
                    raise DataError(f"{name!r} is not valid {format_.name}: {message}")
                case ("end",):
                    return
    finally:
        process.close()
        feeder.join(1)


class _Feeder(threading.Thread):
    """Feeds the bytes of a file to a worker while its output is read."""

    def __init__(self, stream: Readable, process: WorkerProcess) -> None:
        super().__init__(name="feeder", daemon=True)
        self._stream = stream
        self._process = process
        self.error: Exception | None = None
        """Why the file could not be read to its end."""

    def run(self) -> None:
        try:
            chunk = self._stream.read(1 << 18)
            start = chunk.removeprefix(_MARK)
            while chunk:
                if start and not self._give(start):
                    return
                start = chunk = self._stream.read(1 << 18)
        except Exception as error:  # any error is raised again where the statements are read
            self.error = error
        self._give(b"")

    def _give(self, chunk: bytes) -> bool:
        """Write a chunk, an empty one being the last; tell whether the worker took it."""
        try:
            self._process.input.write(chunk)
            if not chunk:
                self._process.input.close()
        except (OSError, ValueError):  # the worker died or was closed, which its reader reports
            return False
        return True
