"""From a store to a database: the triples are staged, sorted into parts, and the tables filled."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from triad.indexing.layout import Progress
from triad.indexing.triples import Triples, fill
from triad.kg.stores import open_store, store_fingerprint
from triad.locks import replacing
from triad.resources import statements
from triad.retrieval.indexed import IndexedGraph
from triad.retrieval.tables.columns import literal_columns
from triad.retrieval.tables.drafting import LABEL, Drafting, TableDraft
from triad.retrieval.tables.parts import RelationPart, find_parts
from triad.retrieval.tables.schema import DATABASE_FILE, FOLDER, SCHEMA_FILE, SqlSchema, SqlTable, quoted
from triad.retrieval.tables.staging import BLANK, NO_CLASS, Staging

_SQL: Final = statements(__file__, blank=BLANK, label=LABEL, no_class=NO_CLASS)


@dataclass(frozen=True, slots=True)
class TablesReport:
    """What was made of a graph."""

    schema: SqlSchema
    triples: int
    rows: int
    seconds: float


def induce(folder: str | Path, tell: Progress = lambda *_: None) -> TablesReport:
    """Make the tables of the graph whose index a folder has, in the place of those that are there.

    ``tell`` is told the stage, how much of it is done and how much there is.

    Raises:
        ConfigError: The folder has no store or cannot be written.
        DataError: The store or the profile cannot be read.
    """
    start = time.perf_counter()
    graph = IndexedGraph.read(folder, "tables")
    with replacing(graph.folder / FOLDER, f"the tables of {str(graph.folder)!r}") as draft:
        tables, triples = _make(graph, draft, tell)
        schema = SqlSchema(_ordered(tables), store_fingerprint(graph.store))
        (draft / SCHEMA_FILE).write_text(schema.to_json(), encoding="utf-8")
    return TablesReport(schema, triples, sum(table.rows for table in schema), time.perf_counter() - start)


def _make(graph: IndexedGraph, folder: Path, tell: Progress) -> tuple[list[SqlTable], int]:
    store, naming = open_store(graph.store), graph.named_by
    with TemporaryDirectory(dir=folder) as work, Triples(Path(work), kept=True) as triples:
        count = triples.take_all(store, partial(tell, "tables"))
        staging = Staging(triples, graph.typed_by, naming)
        parts = find_parts(staging)
        first = next((iri for iri in naming if iri in staging.relations), "")
        drafting = Drafting(staging, parts, literal_columns(staging), graph.profile, first)
        drafts = drafting.drafts()
        _prepare(staging, parts, drafting)
        run = staging.database.execute
        target = str(folder / DATABASE_FILE).replace("'", "''")
        run(f"ATTACH '{target}' AS target (BLOCK_SIZE 16384); BEGIN")
        tables = []
        for done, one in enumerate(drafts, 1):
            tables.append(_fill(staging, one))
            if not done % 100:  # tables that are written together: what is not yet written is in memory
                run("COMMIT; BEGIN")
            tell("fill tables", done, len(drafts))
        run("COMMIT; DETACH target")
    return tables, count


def _prepare(staging: Staging, parts: Sequence[RelationPart], drafting: Drafting) -> None:
    """Make the table ``cell``: what stands in the columns of classes, in the order of the classes."""
    columns = [(part.number, c) for part in parts for c in part.column_of]
    fill(staging.database, "column_of", {"part": "INTEGER", "c": "INTEGER"}, columns)
    names = [*drafting.tables.items(), *drafting.above()]
    fill(staging.database, "class_name", {"c": "INTEGER", "name": "VARCHAR"}, names)
    left = [(part.number, c, part.relation) for part in parts for c in drafting.left(part)]
    fill(staging.database, "class_left", {"part": "INTEGER", "c": "INTEGER", "name": "VARCHAR"}, left)
    staging.database.execute(_SQL["cells"])


def _fill(staging: Staging, draft: TableDraft) -> SqlTable:
    """Make a table, and return it with the number of its rows."""
    selected = ", ".join(
        f"TRY_CAST({sql} AS {column.type}) AS {quoted(column.name)}"
        for sql, column in zip(draft.selected, draft.table.columns, strict=True)
    )
    rows = 0
    for at in range(draft.pieces):
        begin = "INSERT INTO {}" if at else "CREATE TABLE {} AS"
        source = draft.source.replace("{piece}", f" AND hash(s) % {draft.pieces} = {at}" if draft.pieces > 1 else "")
        begin = begin.format(f"target.{quoted(draft.table.name)}")
        [(count,)] = staging.database.execute(f"{begin} SELECT {selected} FROM {source}").fetchall()
        rows += count
    return replace(draft.table, rows=rows)


def _ordered(tables: Sequence[SqlTable]) -> tuple[SqlTable, ...]:
    """Return tables, that with most rows and columns first; what only the things of a class have never before it."""
    names = {table.name for table in tables}
    kinds = {table.name: table.kind for table in tables}
    owner = {table.name: table.columns[0].references for table in tables if table.kind in ("links", "values")}
    size = {table.name: table.rows * len(table.columns) for table in tables}

    def place(table: SqlTable) -> tuple[int, int, str, bool, int, str]:
        own = owner.get(table.name, "")
        head = own if own in names else table.name
        late = kinds[head] in ("things", "facts")
        return (late, -min(size[head], size[table.name]), head, head != table.name, -size[table.name], table.name)

    return tuple(sorted(tables, key=place))
