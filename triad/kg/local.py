"""A graph on this machine: RDF files or a store folder, queried with pyoxigraph.

Queries that a model or a user wrote run in worker processes with a deadline and a memory limit. Triad's own
lookups run in this process, on the same store.
"""

import re
import weakref
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final, Self

import pyoxigraph
from pydantic import Field

from triad import sparql
from triad.caching import cached_property
from triad.errors import GraphError, QueryRejected, QuerySyntaxError, QueryTimeout
from triad.kg import worker
from triad.kg.base import ROW_LIMIT, KnowledgeGraph, SafeQuery
from triad.kg.engine import FEW, for_engine, with_values
from triad.kg.parsing import DEFAULT_LIMITS, ParseLimits
from triad.kg.stores import cached_store, open_store, store_fingerprint
from triad.kg.worker import RawResult, RawTerm, evaluate, has_named_graphs, in_short
from triad.rdf import IRI, BlankNode, Literal, ResultSet, Term
from triad.strict import Amount, Seconds
from triad.text import quoted, remembered
from triad.worker.pool import WorkerPool, share_of_memory

_AT_ONCE: Final = 0.25  # seconds for values that meet a condition
_SERVICE: Final = re.compile(r"[?$]\w+|(SERVICE(?:\s*SILENT)?\s*[^\s{}]+\s*\{)", re.IGNORECASE)


class LocalGraph(KnowledgeGraph):
    """The triples of a pyoxigraph store. A query reads the union of all its graphs, and with ``GRAPH`` a named one.

    >>> with LocalGraph.load("books.ttl") as graph:
    ...     [str(one) for one in graph.lookup("SELECT ?thing { ?thing ?relation 'Momo'@en }").column("thing")]
    ['https://example.org/books/Momo']
    """

    in_process = True

    def __init__(
        self,
        folder: str | Path,
        *,
        name: str | None = None,
        timeout: Seconds = 30.0,
        row_limit: Amount = ROW_LIMIT,
        byte_limit: Amount = 50_000_000,
        workers: Annotated[int, Field(ge=1)] = 3,
        memory_limit: Amount | None = None,
        prefixes: Mapping[str, str] | None = None,
    ) -> None:
        """Open a store folder; it is never written to.

        Args:
            folder: The folder of a pyoxigraph store.
            name: The name of the graph; by default that of its folder.
            timeout: Seconds that a query may take unless it is told otherwise.
            row_limit: Rows that a result may have.
            byte_limit: Bytes that the terms of a result may have in all.
            workers: How many queries may run at once, each in a process of its own.
            memory_limit: Bytes that a query may take on top of what the open store takes; 0 is no limit. By default
                4 GiB, or less where all workers, of all processes of a server, would take more than half of the memory
                of the machine or the container. Only Linux holds a process to it.
            prefixes: Namespaces by prefix, to show queries with.

        Raises:
            DataError: The folder is missing, or is not a store.
        """
        self.name = name or str(folder)
        self.timeout = timeout
        self.row_limit = row_limit
        self.prefixes = dict(prefixes or {})
        self.folder = Path(folder)
        """The folder of the store."""
        self._byte_limit = byte_limit
        self._store: pyoxigraph.Store | None = open_store(folder)
        self._union = has_named_graphs(self._store)
        limit = share_of_memory(workers) if memory_limit is None else memory_limit
        arguments = ("query", str(self.folder.absolute()), str(limit))
        self._pool = WorkerPool(worker.__file__, arguments, workers=workers, memory_limit=limit)
        self._few = remembered(1024)(partial(_find_few, self._pool, byte_limit))
        self._finalizer = weakref.finalize(self, self._pool.close)

    @classmethod
    def load(
        cls,
        paths: str | Path | Sequence[str | Path],
        *,
        lenient: bool = False,
        parse_memory: Amount = DEFAULT_LIMITS.memory,
        parse_timeout: Seconds = DEFAULT_LIMITS.seconds,
        **options: Any,
    ) -> Self:
        """Open RDF files as one graph.

        The files are parsed into a store in the cache folder, which is found again as long as they do not
        change. The environment variable ``TRIAD_CACHE`` names another cache folder.

        Args:
            paths: One file or several; `triad.kg.files` says which.
            lenient: Accept malformed IRIs and language tags, which large dumps tend to have.
            parse_memory: Bytes that the parser of a file may take, however large the file is; 0 is no limit. Only
                Linux holds a process to it.
            parse_timeout: Seconds that the parser may be busy without making progress.
            options: Further options of the constructor.

        Raises:
            DataError: A file is missing, of an unknown format or malformed, or takes too much to parse; or the cache
                cannot be written.
        """
        files = [paths] if isinstance(paths, str | Path) else list(paths)
        options.setdefault("name", ", ".join(map(str, files)))
        return cls(cached_store(files, lenient=lenient, limits=ParseLimits(parse_memory, parse_timeout)), **options)

    def __repr__(self) -> str:
        return f"LocalGraph({self.name!r})"

    @property
    def fingerprint(self) -> str:
        """A short text that changes when the data change."""
        return store_fingerprint(self.folder)

    @cached_property
    def triples(self) -> int:
        """How many triples there are; counting takes about a second for ten million."""
        return len(self._open_store())

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        """Run a SELECT query in a worker."""
        seconds = self.timeout if timeout is None else timeout
        request = for_engine(with_values(query, self._few)), self.row_limit, self._byte_limit, seconds
        return _result(self._pool.run(*request))

    def lookup(self, query: str) -> ResultSet:
        """Run a small query of Triad's own in this process; the engine would ask any address that ``SERVICE`` names."""
        store = self._open_store()
        if "service" in query.lower():
            masked = sparql.mask(query.replace("\r", "\n"))  # either ends a comment
            if any(one[1] for one in _SERVICE.finditer(masked)):
                raise QueryRejected("SERVICE is not allowed in a look-up")
        try:
            found = evaluate(
                store, query, row_limit=self.row_limit, byte_limit=self._byte_limit, union=self._union, read=read_term
            )
        except SyntaxError as error:
            raise QuerySyntaxError(f"not a SPARQL query: {error}") from error
        except (OSError, ValueError, RuntimeError, MemoryError) as error:
            raise GraphError(f"the query failed: {quoted(str(error))}") from error
        if isinstance(found, bool):
            return ResultSet(boolean=found)
        names, rows, truncated = found
        return ResultSet(names, tuple(rows), truncated=truncated)

    def close(self) -> None:
        """End the workers and close the store; running queries fail."""
        self._finalizer()
        self._store = None

    def _open_store(self) -> pyoxigraph.Store:
        if self._store is None:
            raise GraphError("the graph is closed")
        return self._store


def _find_few(pool: WorkerPool, byte_limit: int, query: str) -> Sequence[IRI | Literal] | None:
    """Return the values that a query finds, if they are few and found at once."""
    try:
        found = _result(pool.run(query, FEW + 1, byte_limit, _AT_ONCE)).column("value")
    except QueryTimeout:
        return None
    values = [one for one in found if isinstance(one, IRI | Literal)]
    return values if len(values) == len(found) <= FEW else None


def _result(raw: RawResult) -> ResultSet:
    if isinstance(raw, bool):
        return ResultSet(boolean=raw)
    names, rows, truncated = raw
    known = {raw: _term(raw) for raw in {raw for row in rows for raw in row}}
    return ResultSet(names, tuple([tuple([known[raw] for raw in row]) for row in rows]), truncated=truncated)


_iri: Final = remembered(10_000)(IRI)  # results name the same relations and classes again and again


def _term(raw: RawTerm) -> Term | None:
    if isinstance(raw, str):
        return _iri(raw)
    return None if raw is None else BlankNode(*raw) if len(raw) == 1 else Literal(*raw)


def read_term(term: object) -> Any:
    """Return a term of the engine as one of Triad's; a triple term is a text."""
    return _term(in_short(term))
