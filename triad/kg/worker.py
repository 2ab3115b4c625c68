"""The program of a worker process: it runs queries that a model or a user wrote, and parses files from any source.

pyoxigraph has no timeout, takes all the memory that a query or a file needs, and aborts its process when there is no
more. So it does such work in a process that can be killed. `triad.kg.process` starts it with this file as a script,
which imports nothing of Triad and nothing of the program that Triad is part of, so that it starts quickly.

A worker for queries, which `triad.kg.pool` uses, exchanges pickles with its parent over its standard input and output.
It opens with a reply, then sends one reply for each request until its input ends. A worker that parses, which
`triad.kg.parsing` uses, reads RDF from its standard input and writes pickled pieces of N-Quads to its standard output.
Both enforce their own deadlines: an alarm ends them whatever they are doing, even after the parent has died.
"""

from __future__ import annotations

import io
import json
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import IO, TYPE_CHECKING, Any, BinaryIO, Literal, cast

import pyoxigraph

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = [
    "Parsed",
    "RawResult",
    "RawRow",
    "RawTerm",
    "Reply",
    "Request",
    "evaluate",
    "has_named_graphs",
    "in_short",
    "serve",
    "transcribe",
]

RawTerm = str | tuple[str] | tuple[str, str, str | None] | None
"""A term in short: an IRI is its text, a blank node a tuple of its name, a literal a tuple of its lexical form,
datatype and language; None is unbound."""

RawRow = tuple[RawTerm, ...]

RawResult = bool | tuple[tuple[str, ...], list[RawRow], bool]
"""The answer of an ASK; or variables, rows, and whether a cap cut the rows."""

Request = tuple[str, int, int, float]
"""A query, its row limit, its byte limit and its time in seconds."""

Reply = tuple[Literal["result"], RawResult] | tuple[Literal["syntax", "memory", "failure"], str]

Parsed = (
    tuple[Literal["quads"], bytes]
    | tuple[Literal["long"], list[pyoxigraph.Quad]]
    | tuple[Literal["prefixes"], dict[str, str]]
    | tuple[Literal["fault"], int, str]
    | tuple[Literal["memory", "failure"], str]
    | tuple[Literal["end"]]
)
"""The messages of a parsing worker: statements as N-Quads; statements of which some are so long that the parser of
N-Quads would refuse them, which some other formats allow; the namespaces that the file declares, by prefix; a statement
that is not valid, with its line (0 where it is not known) and what is wrong; why the parsing failed; or that all was
parsed."""

PIECE = 8 << 20
"""Bytes of N-Quads after which a piece is sent."""

LONG = 12 << 20
"""Bytes of a piece from which on it may have statements that are too long to be read as N-Quads."""

INPUT = 1 << 20
"""Bytes of a file that are read at a time."""

PREFIXES = 1_000
"""Prefixes of a file that are told."""

LONGEST_NAMESPACE = 1_000
"""Characters of a namespace that is told."""

TERM_OVERHEAD = 16
"""Bytes that a term counts for on top of its text."""

START_TIMEOUT = 60.0
"""Seconds that a worker may take to open its store."""

EXPIRED = 124 if sys.platform == "win32" else -signal.SIGALRM
"""The exit status of a worker that reached a deadline, as its parent sees it."""


def evaluate(
    store: pyoxigraph.Store,
    query: str,
    *,
    row_limit: int,
    byte_limit: int,
    union: bool = True,
    read: Callable[[object], Any] | None = None,
) -> bool | tuple[tuple[str, ...], list[tuple[Any, ...]], bool]:
    """Run a SELECT or ASK query over the union of all graphs of a store, and stop at the first limit reached.

    Args:
        store: The store.
        query: The query.
        row_limit: Rows that the result may have.
        byte_limit: Bytes that its terms may have in all.
        union: False where there is no named graph: the engine then takes a tenth less to find the same.
        read: Makes of a term of the engine what a row has of it; by default a `RawTerm`.

    Raises:
        SyntaxError: The query is not SPARQL.
        ValueError: It has a result that is neither rows of RDF terms nor a boolean.
        OSError or RuntimeError: The store failed.
    """
    union = union or "from" in query.lower()  # which may name a graph that is not there
    results = store.query(query, use_default_graph_as_union=union)
    if isinstance(results, pyoxigraph.QueryBoolean):
        return bool(results)
    if not isinstance(results, pyoxigraph.QuerySolutions):
        raise ValueError("CONSTRUCT and DESCRIBE give triples; use SELECT or ASK")
    names = tuple(variable.value for variable in results.variables)
    read = read or in_short
    # Results name the same terms again and again, and to look one up takes a third of the time to read it anew.
    known: dict[object, tuple[Any, int]] = {}
    rows: list[tuple[Any, ...]] = []
    size = 0
    for solution in results:
        row = []
        for term in solution:
            if (found := known.get(term)) is None:
                found = known[term] = (read(term), _size(term))
            row.append(found[0])
            size += found[1]
        if len(rows) == row_limit or size > byte_limit:
            return names, rows, True
        rows.append(tuple(row))
    return names, rows, False


def in_short(term: object) -> RawTerm:
    """Return a term of the engine in short."""
    if isinstance(term, pyoxigraph.NamedNode):
        return term.value
    if isinstance(term, pyoxigraph.Literal):
        return (term.value, term.datatype.value, term.language)
    if isinstance(term, pyoxigraph.BlankNode):
        return (term.value,)
    if term is None:
        return None
    raise ValueError(f"the result has a term that is not an IRI, literal or blank node: {term}")


def _size(term: object) -> int:
    if isinstance(term, pyoxigraph.Literal):
        return len(term.value) + len(term.datatype.value) + len(term.language or "") + TERM_OVERHEAD
    if isinstance(term, pyoxigraph.NamedNode | pyoxigraph.BlankNode):
        return len(term.value) + TERM_OVERHEAD
    return 0


def has_named_graphs(store: pyoxigraph.Store) -> bool:
    """Tell whether a store has any graph but the default one."""
    return next(iter(store.named_graphs()), None) is not None


def serve(folder: str, memory_limit: int, requests: BinaryIO, replies: BinaryIO) -> None:
    """Answer requests until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group, but is meant for the parent
    alarm = _Alarm()
    alarm.set(START_TIMEOUT)
    try:
        store = pyoxigraph.Store.read_only(folder)
    except (OSError, RuntimeError) as error:
        _send(replies, ("failure", str(error)))
        return
    union = has_named_graphs(store)
    alarm.clear()
    _limit_memory(memory_limit)
    _send(replies, ("result", True))
    while True:
        try:
            request: Request = pickle.load(requests)
        except EOFError:
            return
        _send(replies, _reply(store, request, alarm, union))


def _reply(store: pyoxigraph.Store, request: Request, alarm: _Alarm, union: bool) -> Reply:
    query, row_limit, byte_limit, seconds = request
    alarm.set(seconds)
    try:
        return "result", evaluate(store, query, row_limit=row_limit, byte_limit=byte_limit, union=union)
    except SyntaxError as error:
        return "syntax", str(error)
    except MemoryError:
        return "memory", "out of memory"
    except BaseException as error:  # a panic of the engine is no Exception
        return "failure", str(error)
    finally:
        alarm.clear()


def _send(replies: BinaryIO, reply: Reply | Parsed) -> None:
    replies.write(pickle.dumps(reply, pickle.HIGHEST_PROTOCOL))
    replies.flush()


def transcribe(parsing: dict[str, Any], memory_limit: int, seconds: float, source: BinaryIO, pieces: BinaryIO) -> None:
    """Parse a file, and write what is in it as N-Quads.

    Args:
        parsing: ``media_type``, ``base_iri``, ``lenient``, ``recovers``: whether to go on after a statement that is
            not valid, and ``scope``: what the names of blank nodes begin with if they keep them.
        memory_limit: Bytes that the parser may take; 0 is no limit.
        seconds: How long the parser may be busy without reading more of the file or giving statements.
        source: The bytes of the file.
        pieces: Takes the pickles of what comes of them.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory(memory_limit)
    alarm = _Alarm()
    alarm.set(seconds)
    for piece in _pieces(parsing, io.BufferedReader(_Input(source, alarm, seconds), INPUT)):
        alarm.clear()
        _send(pieces, piece)
        alarm.set(seconds)
    alarm.clear()


def _pieces(parsing: dict[str, Any], stream: io.BufferedReader) -> Iterator[Parsed]:
    format_ = pyoxigraph.RdfFormat.from_media_type(parsing["media_type"])
    assert format_ is not None
    scope = parsing["scope"]
    try:
        # Blank nodes of different files are different, even if they have the same name.
        quads = pyoxigraph.parse(
            stream, format_, base_iri=parsing["base_iri"], lenient=parsing["lenient"], rename_blank_nodes=scope is None
        )
    except ValueError as error:
        yield "failure", str(error)
        return
    piece = _Piece(scope)
    declared: dict[str, str] = {}
    while not piece.last:
        piece = _Piece(scope)
        written = cast(IO[bytes], piece)  # it is no more of a file than a serializer needs
        pyoxigraph.serialize(piece.take(quads, parsing["recovers"]), written, format=pyoxigraph.RdfFormat.N_QUADS)
        if piece.size > LONG:
            yield "long", piece.quads
        elif piece.size:
            yield "quads", b"".join(piece.parts)
        # In RDF/XML they hold within an element, mostly the outermost one, which ends before the file does.
        known = len(declared)
        for prefix, namespace in (*piece.prefixes.items(), *quads.prefixes.items()):
            if len(declared) < PREFIXES and len(namespace) <= LONGEST_NAMESPACE:
                declared.setdefault(prefix, namespace)
        if len(declared) > known:
            yield "prefixes", dict(declared)
        if piece.end is not None:
            yield piece.end


class _Piece:
    """The output of a serializer, up to `PIECE` bytes or a fault."""

    def __init__(self, scope: str | None) -> None:
        self._scope = scope
        self.parts: list[bytes] = []
        self.size = 0
        self.quads: list[pyoxigraph.Quad] = []
        self.end: Parsed | None = None
        """The message that follows it, unless that is the next piece."""
        self.last = False
        self.prefixes: dict[str, str] = {}
        """Namespaces by prefix at its first statement."""

    def write(self, part: bytes) -> int:
        self.parts.append(part)
        self.size += len(part)
        return len(part)

    def flush(self) -> None:
        pass

    def take(self, quads: pyoxigraph.QuadParser, recovers: bool) -> Iterator[pyoxigraph.Quad]:
        try:
            for quad in quads:
                if not self.quads:
                    self.prefixes = quads.prefixes
                if self._scope is not None:
                    quad = _scoped(quad, self._scope)
                self.quads.append(quad)
                yield quad
                if self.size >= PIECE:
                    return
        except SyntaxError as error:
            self.end, self.last = ("fault", error.lineno or 0, error.msg), not recovers
        except MemoryError as error:
            self.end, self.last = ("memory", str(error)), True
        except (ValueError, OSError) as error:
            self.end, self.last = ("failure", str(error)), True
        else:
            self.end, self.last = ("end",), True


def _scoped(quad: pyoxigraph.Quad, scope: str) -> pyoxigraph.Quad:
    def renamed(term: Any) -> Any:
        if isinstance(term, pyoxigraph.BlankNode):
            return pyoxigraph.BlankNode(scope + term.value)
        return pyoxigraph.Triple(*map(renamed, term)) if isinstance(term, pyoxigraph.Triple) else term

    return pyoxigraph.Quad(*map(renamed, quad))


class _Input(io.RawIOBase):
    """Standard input; waiting for it does not count as time that the parser takes."""

    def __init__(self, source: BinaryIO, alarm: _Alarm, seconds: float) -> None:
        self._source = source
        self._alarm = alarm
        self._seconds = seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        self._alarm.clear()
        target = memoryview(buffer)
        chunk = self._source.read1(len(target))  # type: ignore[attr-defined]  # standard input is buffered
        target[: len(chunk)] = chunk
        self._alarm.set(self._seconds)
        return len(chunk)


class _Alarm:
    """Ends this process after a time, unless it is cancelled."""

    def set(self, seconds: float) -> None:
        seconds = min(max(seconds, 0.001), threading.TIMEOUT_MAX)
        if sys.platform == "win32":
            self._timer = threading.Timer(seconds, os._exit, [EXPIRED])
            self._timer.daemon = True
            self._timer.start()
        else:  # the signal's default is to end the process; no Python code has to run for it
            signal.setitimer(signal.ITIMER_REAL, seconds)

    def clear(self) -> None:
        if sys.platform == "win32":
            self._timer.cancel()
        else:
            signal.setitimer(signal.ITIMER_REAL, 0)


def _limit_memory(size: int) -> None:
    """Cap the growth of the address space, where the system can; 0 is no cap.

    The present size does not count: the threads that a store starts reserve much, and use little of it.
    """
    if sys.platform == "linux" and size:
        import resource

        with open("/proc/self/statm", encoding="ascii") as statistics:  # noqa: PTH123 - pathlib takes long to import
            now = int(statistics.read().split()[0]) * resource.getpagesize()
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        soft = now + size if hard == resource.RLIM_INFINITY else min(now + size, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


if __name__ == "__main__":
    match sys.argv[1:]:
        case "query", folder, memory:
            serve(folder, int(memory), sys.stdin.buffer, sys.stdout.buffer)
        case "parse", parsing, memory, time:
            transcribe(json.loads(parsing), int(memory), float(time), sys.stdin.buffer, sys.stdout.buffer)
