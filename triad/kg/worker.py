"""The job of worker processes for graphs: to run queries that a model or a user wrote, or to parse files.

pyoxigraph has no timeout, takes all the memory that a query or a file needs, and aborts its process when there is no
more. So `triad.worker` does such work in processes that can be killed; this file imports nothing of Triad there.

A worker for queries sends one reply for each request until its input ends. A worker that parses, which
`triad.kg.parsing` uses, reads RDF from its standard input and sends pieces of N-Quads.
"""

from __future__ import annotations

import io
from _pickle import loads

import pyoxigraph

TYPE_CHECKING = False  # typing takes as long to import as the engine
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Literal

    from _typeshed import WriteableBuffer

    from triad.worker.program import Harness, Reply

    Parsed = (
        tuple[Literal["quads"], bytes]
        | tuple[Literal["long"], list[pyoxigraph.Quad]]
        | tuple[Literal["prefixes"], dict[str, str]]
        | tuple[Literal["fault"], int, str]
        | tuple[Literal["unreadable", "failure"], str]
        | tuple[Literal["end"]]
    )
    """The messages of a parsing worker: statements as N-Quads; statements of which some are so long that the parser of
    N-Quads would refuse them, which some other formats allow; the namespaces that the file declares, by prefix; a
    statement that is not valid, with its line (0 where it is not known) and what is wrong; why a file cannot be read,
    or is not valid; or that all was parsed."""

RawTerm = str | tuple[str] | tuple[str, str, str | None] | None
"""A term in short: an IRI is its text, a blank node a tuple of its name, a literal a tuple of its lexical form,
datatype and language; None is unbound."""

RawResult = bool | tuple[tuple[str, ...], list[tuple[RawTerm, ...]], bool]
"""The answer of an ASK; or variables, rows, and whether a cap cut the rows."""

_PIECE = 8 << 20  # bytes of N-Quads after which a piece is sent

_STRING = "http://www.w3.org/2001/XMLSchema#string"
"""The datatype of a text."""

LONG = 12 << 20
"""Bytes of a piece from which on it may have statements that are too long to be read as N-Quads."""

_INPUT = 1 << 20  # bytes of a file that are read at a time

_ENDLESS = "a literal, a comment or another piece of it is longer than 16 MB; is there one that does not end?"
"""What it means that the parser buffers no more of a file."""

_AMPLIFICATION = 500
"""Bytes of N-Quads that a byte of a file may stand for; a list of digits with its blank nodes takes 140."""

_UNBOUND = 64 << 20  # bytes of N-Quads that even the smallest file may stand for

PREFIXES = 1_000
"""Prefixes of a file that are told."""

_DEPTH = 32  # triple terms within one another that a statement may have, as queries may

_LONGEST_NAMESPACE = 1_000  # characters of a namespace that is told

_TERM_OVERHEAD = 16  # bytes that a term counts for on top of its text

_START_TIMEOUT = 60.0  # seconds that a worker may take to open its store


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
    return None if term is None else (f"<<( {term} )>>", _STRING, None)  # a triple term is a text


def _size(term: object) -> int:
    if isinstance(term, pyoxigraph.Literal):
        return len(term.value) + len(term.datatype.value) + len(term.language or "") + _TERM_OVERHEAD
    if isinstance(term, pyoxigraph.NamedNode | pyoxigraph.BlankNode):
        return len(term.value) + _TERM_OVERHEAD
    return 0 if term is None else len(str(term)) + _TERM_OVERHEAD


def has_named_graphs(store: pyoxigraph.Store) -> bool:
    """Tell whether a store has any graph but the default one."""
    return next(iter(store.named_graphs()), None) is not None


def serve(harness: Harness, folder: str, memory_limit: int) -> None:
    """Answer queries over a store until there are no more."""
    harness.alarm(_START_TIMEOUT)
    try:
        store = pyoxigraph.Store.read_only(folder)
    except (OSError, RuntimeError) as error:
        harness.send(("failure", str(error)))
        return
    union = has_named_graphs(store)
    harness.alarm(None)
    harness.limit_memory(memory_limit)

    def run(query: str, row_limit: int, byte_limit: int, _: float) -> Reply:
        try:
            return "result", evaluate(store, query, row_limit=row_limit, byte_limit=byte_limit, union=union)
        except SyntaxError as error:
            return "syntax", f"not a SPARQL query: {error}"

    harness.serve(run)


def transcribe(harness: Harness, parsing: dict[str, Any], memory_limit: int, seconds: float) -> None:
    """Parse a file, and send what is in it as N-Quads.

    Args:
        harness: Has the bytes of the file, and takes what comes of them.
        parsing: ``media_type``, ``base_iri``, ``lenient``, ``recovers``: whether to go on after a statement that is
            not valid, and ``scope``: what the names of blank nodes begin with if they keep them.
        memory_limit: Bytes that the parser may take; 0 is no limit.
        seconds: How long the parser may be busy without reading more of the file or giving statements.
    """
    harness.limit_memory(memory_limit)
    harness.alarm(seconds)
    for piece in _pieces(parsing, _Input(harness, seconds)):
        harness.alarm(None)
        harness.send(piece)
        harness.alarm(seconds)
    harness.alarm(None)


def _pieces(parsing: dict[str, Any], source: _Input) -> Iterator[Parsed]:
    format_ = pyoxigraph.RdfFormat.from_media_type(parsing["media_type"])
    assert format_ is not None
    scope = parsing["scope"]
    stream = io.BufferedReader(source, _INPUT)
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
    size = 0
    while not piece.last:
        piece = _Piece(scope)
        written: Any = piece  # it is no more of a file than a serializer needs
        pyoxigraph.serialize(piece.take(quads, parsing["recovers"]), written, format=pyoxigraph.RdfFormat.N_QUADS)
        size += piece.size
        if size > max(_UNBOUND, _AMPLIFICATION * source.read_so_far):
            short = "its entities, prefixes or other short forms stand for more than"
            yield "unreadable", f"{short} {_AMPLIFICATION} times as much as the file has"
            return
        if piece.size > LONG:
            yield "long", piece.quads
        elif piece.size:
            yield "quads", b"".join(piece.parts)
        # In RDF/XML they hold within an element, mostly the outermost one, which ends before the file does.
        known = len(declared)
        for prefix, namespace in (*piece.prefixes.items(), *quads.prefixes.items()):
            if len(declared) < PREFIXES and len(namespace) <= _LONGEST_NAMESPACE:
                declared.setdefault(prefix, namespace)
        if len(declared) > known:
            yield "prefixes", dict(declared)
        if piece.end is not None:
            yield piece.end


class _Piece:
    """The output of a serializer, up to `_PIECE` bytes or a fault."""

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
                if _is_deep(quad):
                    raise SyntaxError(f"triple terms within one another, more than {_DEPTH} deep")
                if self._scope is not None:
                    quad = _scoped(quad, self._scope)
                self.quads.append(quad)
                yield quad
                if self.size >= _PIECE:
                    return
        except SyntaxError as error:
            self.end, self.last = ("fault", error.lineno or 0, error.msg), not recovers
        except MemoryError:
            self.end, self.last = ("unreadable", _ENDLESS), True
        except (ValueError, OSError) as error:
            self.end, self.last = ("failure", str(error)), True
        else:
            self.end, self.last = ("end",), True


def _is_deep(quad: pyoxigraph.Quad) -> bool:
    """Tell whether triple terms are nested deeper than queries can name: whoever reads very deep ones crashes."""
    term, depth = quad.object, 0
    while isinstance(term, pyoxigraph.Triple) and depth <= _DEPTH:
        term, depth = term.object, depth + 1
    return depth > _DEPTH


def _scoped(quad: pyoxigraph.Quad, scope: str) -> pyoxigraph.Quad:
    def renamed(term: Any) -> Any:
        if isinstance(term, pyoxigraph.BlankNode):
            return pyoxigraph.BlankNode(scope + term.value)
        return pyoxigraph.Triple(*map(renamed, term)) if isinstance(term, pyoxigraph.Triple) else term

    return pyoxigraph.Quad(*map(renamed, quad))


class _Input(io.RawIOBase):
    """Standard input; waiting for it does not count as time that the parser takes."""

    def __init__(self, harness: Harness, seconds: float) -> None:
        self._harness = harness
        self._seconds = seconds
        self.read_so_far = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        self._harness.alarm(None)
        target = memoryview(buffer)
        chunk = self._harness.source.read1(len(target))  # type: ignore[attr-defined]  # standard input is buffered
        target[: len(chunk)] = chunk
        self.read_so_far += len(chunk)
        self._harness.alarm(self._seconds)
        return len(chunk)


def main(harness: Harness, job: str, *arguments: str) -> None:
    """Run queries, or parse a file."""
    if job == "query":
        folder, memory = arguments
        serve(harness, folder, int(memory))
    else:
        parsing, memory, seconds = arguments
        transcribe(harness, loads(bytes.fromhex(parsing)), int(memory), float(seconds))
