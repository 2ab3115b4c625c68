"""The triples of a graph in a database, from which names and figures are counted.

The database is DuckDB: it uses all cores, and what outgrows the memory that it may take lies in files. Triples come
in the batches of the parser, as text, which the database itself splits, so that Python touches no single triple. With
a folder, the database is a file: what was taken up to the last `note` is there again after an interruption, whatever
ended the process.

>>> with Triples() as triples:
...     triples.take(pyoxigraph.parse('<http://x.org/Ann> <http://x.org/age> "30" .', RdfFormat.TURTLE))
...     triples.database.execute("SELECT p, o FROM triple").fetchall()
[('http://x.org/age', '30')]
"""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pyoxigraph
from pyoxigraph import Literal, Quad, RdfFormat, Store

from triad.closing import Closing
from triad.indexing.layout import Tell
from triad.kg.parsing import Statements
from triad.rdf import RDF, RDF_TYPE, RDFS, SKOS
from triad.resources import statements
from triad.sparql.stated import BY, FACT, WIKIBASE, Stated

if TYPE_CHECKING:
    import duckdb

_FILE: Final = "triples.duckdb"
_SHARE: Final = 3
"""Of the memory that DuckDB would take, which is most of the machine's, it takes one part of so many: the store and the
index of names are made at the same time. What has no room there lies in files."""
_LEAST: Final = 0.5  # GiB that it may take on the smallest machine: with it, three million triples were counted
_ENOUGH: Final = 1.5e7  # triples for which one GiB is as good as more
BATCH: Final = 50_000
"""Triples of a store that are taken at once."""
_WHOLE: Final = 1 << 20  # characters up to which a literal that came as an object is stored whole
_KEPT: Final = 200  # characters of a literal that profiles show; it is told from others by all of them

FAR: Final = 1 << 62
"""A place behind all triples."""

_SQL: Final = statements(__file__, kept=_KEPT)
_STATED: Final = statements(
    str(Path(__file__).with_name("stated")),
    fact=FACT,
    by=BY,
    wikibase=WIKIBASE,
    rdf=RDF,
    rdfs=RDFS,
    skos=SKOS,
    type=RDF_TYPE,
)


def database_in(folder: Path, file: str, **config: Any) -> duckdb.DuckDBPyConnection:
    """Open a database in a folder, without a file in memory; what has no room there lies in the folder."""
    import duckdb  # a tenth of a second, which whoever asks a graph that is there already need not wait

    config |= {"temp_directory": str(folder / "spilled")}
    config |= dict.fromkeys(("autoinstall_known_extensions", "autoload_known_extensions"), False)
    opened = duckdb.connect(str(folder / file) if file else ":memory:", config=config)
    with suppress(duckdb.InvalidInputException):  # in a notebook without ipywidgets, which has no bar
        opened.execute("SET enable_progress_bar = false")  # it would be written to standard output
    return opened


class Triples(Closing):
    """The triples that were taken: in ``triple`` as text, and after `number` in tables of ``made`` as numbers."""

    def __init__(self, folder: Path | None = None, *, kept: bool = False) -> None:
        """Open the database.

        Args:
            folder: Where what has no room in memory lies; if not given, a temporary folder, which `close` removes.
            kept: Whether the database is a file there, which goes on from what was noted.

        Raises:
            duckdb.Error: It cannot be opened, or holds what no build has put there.
        """
        self._temporary = folder is None
        self._folder = folder or Path(tempfile.mkdtemp(prefix="triad-"))
        self._folder.mkdir(parents=True, exist_ok=True)
        goes_on = kept and self.are_in(self._folder)
        self.database = database_in(self._folder, _FILE if kept else "")
        if goes_on:  # from a file of which somebody else may have made a trap
            self.database.execute(_SQL["foreign"])
            here = str(self._folder).replace("'", "''")
            self.database.execute(f"SET allowed_directories = ['{here}']; SET enable_external_access = false")
        [amount, unit] = self.database.execute("SELECT current_setting('memory_limit')").fetchall()[0][0].split()
        self._share = max(float(amount) / _SHARE if unit == "GiB" else 0, _LEAST)
        self.database.execute(f"{_SQL['tables']} ATTACH ':memory:' AS made; BEGIN")
        self._limit_memory()
        self._relations: list[tuple[str, int]] | None = None
        self.stated: tuple[Stated, ...] = ()
        """The relations whose facts are stated by nodes, after `number`."""

    def _limit_memory(self) -> None:
        [[triples]] = self.database.execute("SELECT count(*) FROM triple").fetchall()
        self.database.execute(f"SET memory_limit = '{min(self._share, max(_LEAST, triples / _ENOUGH)):.2f}GiB'")

    @staticmethod
    def are_in(folder: Path) -> bool:
        """Return whether a folder has a database that can be gone on with."""
        return (folder / _FILE).is_file()

    def close(self) -> None:
        """Close the database; what came after the last note is forgotten."""
        self.database.close()
        if self._temporary:
            shutil.rmtree(self._folder, ignore_errors=True)

    def __exit__(self, *raised: Any) -> None:
        super().__exit__(*raised)
        if isinstance(raised[1], RuntimeError) and str(raised[1]) == "Query interrupted":  # what DuckDB makes of Ctrl-C
            raise KeyboardInterrupt from raised[1]

    def take(self, batch: Iterable[Quad]) -> None:
        """Take a batch of triples."""
        with self.file("batch.nq") as path:
            path.write_bytes(_text(batch))
            self.database.execute(f"INSERT INTO triple {_SQL['taken']}", [str(path)])
        self._limit_memory()

    def take_all(self, store: Store | Iterator[Quad], tell: Tell = lambda *_: None) -> int:
        """Take many triples, and return how many; ``tell`` is told how many are done, and of how many in a store."""
        quads, count, done = iter(store), len(store) if isinstance(store, Store) else 0, 0
        while batch := list(islice(quads, BATCH)):
            self.take(batch)
            done += len(batch)
            tell(done, count)
        return done

    def take_links(self, batch: Iterable[Quad]) -> None:
        """Count how often resources are linked to by a batch of triples, and nothing else."""
        with self.file("batch.nq") as path:
            path.write_bytes(_text(batch))
            self.database.execute(
                f"INSERT INTO link SELECT o, count(*) FROM ({_SQL['taken']}) "
                "WHERE tag IS NULL AND NOT starts_with(o, '_:') GROUP BY o",
                [str(path)],
            )

    def count(self, links: Mapping[str, int], uses: Mapping[str, int]) -> None:
        """Add to the numbers of links to resources, and of uses of relations."""
        for table, counts in (("link", links), ("uses", uses)):
            fill(self.database, table, {"iri": "VARCHAR", "n": "BIGINT"}, list(counts.items()), add=True)

    def note(self, state: Mapping[str, Any]) -> None:
        """Keep all that was taken, and a note about it in the place of the last one."""
        self.database.execute("DELETE FROM note")
        self.database.execute("INSERT INTO note VALUES (?)", [json.dumps(state)])
        self.database.execute("COMMIT; BEGIN")

    def noted(self) -> dict[str, Any] | None:
        """Return the last note; None if there is none."""
        found = self.database.execute("SELECT state FROM note").fetchone()
        return dict(json.loads(found[0])) if found else None

    def number(self, types: Sequence[str] = (RDF_TYPE,)) -> list[tuple[str, int]]:
        """Make the tables of numbers, now that all was taken; return the relations and how often each is used.

        The number of a relation is its place. Facts that nodes state get their class by the first of ``types``.
        """
        if self._relations is None:
            # From now on, several connections read, and the order of rows is in a column, or nobody asks for it.
            self.database.execute("COMMIT")
            self.stated = self._read_facts(types[0])
            self.database.execute("SET GLOBAL preserve_insertion_order = false")
            found = self.database.execute(_SQL["relations"], [FAR]).fetchall()
            self._relations = [(iri, uses) for iri, uses, _ in found]
            rows = list(enumerate(iri for iri, _ in self._relations))
            fill(self.database, "made.relation", {"id": "INTEGER", "iri": "VARCHAR"}, rows)
            self.database.create_function("crc32", crc32, ["VARCHAR"], "UINTEGER")
            self.database.execute(_SQL["numbered"])
        return self._relations

    def _read_facts(self, type_: str) -> tuple[Stated, ...]:
        """Put facts and ways to them in the place of what states them, if that was not done; return their relations.

        So figures and names are made of all shapes alike, and names of triples about triples are not needed.
        """
        database = self.database
        is_read = database.execute("SELECT 1 FROM duckdb_tables() WHERE table_name = 'stated'").fetchone()
        if not is_read and database.execute(_STATED["any"]).fetchone():
            database.execute("BEGIN")
            with self.file("reified.nq") as path:
                form = "FORMAT csv, HEADER false, QUOTE '', DELIMITER '\x01'"
                database.execute(f"COPY ({_STATED['reified']}) TO '{path}' ({form})")
                database.execute(f"CREATE TEMP TABLE reified AS {_SQL['taken']}", [str(path)])
            database.execute(_STATED["facts"])
            database.execute(_STATED["read"].replace("$type", f"'{type_}'"))
            database.execute("COMMIT")
            is_read = (1,)
        database.execute("UPDATE triple SET o = '' WHERE tag = '<<'")
        rows = database.execute("FROM stated ORDER BY facts DESC, relation").fetchall() if is_read else []
        return tuple(
            Stated(relation, shape, facts, asserted, dict(used or ()), claim, value)
            for relation, shape, facts, asserted, claim, value, used in rows
        )

    @contextmanager
    def file(self, name: str) -> Iterator[Path]:
        """Lend a file beside the database, for what it reads or writes: a file it reads on all cores, a text on one."""
        path = self._folder / name
        yield path
        path.unlink(missing_ok=True)


def fill(
    database: duckdb.DuckDBPyConnection,
    table: str,
    columns: Mapping[str, str],
    rows: Sequence[Sequence[Any]],
    *,
    add: bool = False,
) -> None:
    """Make a table of rows with columns of some types, or add the rows to it."""
    lists = ", ".join(f"unnest(?::{type_}[]) AS {name}" for name, type_ in columns.items())
    values = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in columns]
    database.execute(f"{'INSERT INTO' if add else 'CREATE TABLE'} {table} {'' if add else 'AS'} SELECT {lists}", values)


def rows(found: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    """Yield the rows that a query finds, of which few are in Python at a time."""
    while some := found.fetchmany(10_000):
        yield from some


def _text(batch: Iterable[Quad]) -> bytes:
    """Return a batch as N-Quads."""
    if isinstance(batch, Statements) and batch.text:
        return batch.text
    return pyoxigraph.serialize(map(_shortened, batch), format=RdfFormat.N_QUADS) or b""


def _shortened(quad: Quad) -> Quad:
    text = quad.object
    if not isinstance(text, Literal) or len(text.value) <= _WHOLE:
        return quad
    value = text.value[:_KEPT] + hashlib.blake2b(text.value.encode(), digest_size=16).hexdigest()
    short = Literal(value, language=text.language) if text.language else Literal(value, datatype=text.datatype)
    return Quad(quad.subject, quad.predicate, short, quad.graph_name)


def crc32(text: str) -> int:
    """Return the checksum of a text, by which terms are in no order of theirs."""
    return zlib.crc32(text.encode("utf-8", "surrogatepass"))
