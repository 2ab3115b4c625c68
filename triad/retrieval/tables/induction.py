"""From a store to a database: the triples are staged, sorted into parts, and the tables filled."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory

from pyoxigraph import Store

from triad.indexing.layout import Progress
from triad.indexing.triples import fill
from triad.kg.labels import WELL_KNOWN
from triad.kg.profile import GraphProfile
from triad.kg.stores import open_store, store_fingerprint
from triad.locks import replacing
from triad.rdf import RDF_TYPE
from triad.retrieval.indexed import IndexedGraph
from triad.retrieval.tables.columns import literal_columns
from triad.retrieval.tables.drafting import LABEL, Drafting
from triad.retrieval.tables.edits import Edits, TableDraft
from triad.retrieval.tables.parts import RelationPart, find_parts
from triad.retrieval.tables.schema import DATABASE_FILE, FOLDER, SCHEMA_FILE, SqlSchema, SqlTable, quoted
from triad.retrieval.tables.staging import BLANK, NO_CLASS, Staging, connect

__all__ = ["TablesReport", "induce", "induce_folder"]


@dataclass(frozen=True, slots=True)
class TablesReport:
    """What was made of a graph."""

    schema: SqlSchema
    triples: int
    rows: int
    seconds: float


def induce(
    store: Store,
    folder: str | Path,
    profile: GraphProfile | None = None,
    *,
    edits: Edits | None = None,
    named_by: Sequence[str] = (),
    fingerprint: str = "",
    tell: Progress | None = None,
) -> TablesReport:
    """Make the tables of a graph, in the place of those that are there.

    Args:
        store: The graph.
        folder: The folder of its index; the tables get a folder in it.
        profile: What the graph is like: the labels of classes and relations, units, and which relations name things.
        edits: What is renamed, commented and left out.
        named_by: The relations that hold names, the preferred one first; by default those of the profile.
        fingerprint: The graph's fingerprint, which tells later whether the tables are out of date.
        tell: Is told the stage, how much of it is done and how much there is.

    Raises:
        ConfigError: The edits do not fit, or the folder cannot be written.
    """
    start = time.perf_counter()
    profile = profile or GraphProfile()
    naming = tuple(named_by) or profile.named_by or WELL_KNOWN
    with replacing(Path(folder) / FOLDER, f"the tables of {str(folder)!r}") as draft:
        tables, triples = _make(store, draft, profile, edits or Edits(), naming, tell)
        schema = SqlSchema(_ordered(tables), fingerprint)
        (draft / SCHEMA_FILE).write_text(schema.to_json(), encoding="utf-8")
    rows = sum(table.rows for table in schema)
    return TablesReport(schema, triples, rows, time.perf_counter() - start)


def induce_folder(folder: str | Path, edits: Edits | None = None, tell: Progress | None = None) -> TablesReport:
    """Make the tables of the graph whose index a folder has.

    Raises:
        ConfigError: The folder has no store; and what `induce` raises.
        DataError: The store or the profile cannot be read.
    """
    graph = IndexedGraph.read(folder, "tables")
    return induce(
        open_store(graph.store),
        graph.folder,
        graph.profile,
        edits=edits,
        named_by=graph.named_by,
        fingerprint=store_fingerprint(graph.store),
        tell=tell,
    )


def _make(
    store: Store,
    folder: Path,
    profile: GraphProfile,
    edits: Edits,
    naming: Sequence[str],
    tell: Progress | None,
) -> tuple[list[SqlTable], int]:
    with TemporaryDirectory(dir=folder) as work, connect(Path(work)) as database:
        staging = Staging(database, profile.typed_by or (RDF_TYPE,))
        triples = staging.take(store.quads_for_pattern(None, None, None, None), tell, len(store))
        staging.classify()
        staging.name_things(naming)
        parts = find_parts(staging)
        first = next((iri for iri in naming if iri in staging.relations), "")
        drafting = Drafting(staging, parts, literal_columns(staging), profile, first)
        drafts = edits.apply(drafting.drafts())
        _prepare(staging, parts, drafting)
        target = str(folder / DATABASE_FILE).replace("'", "''")
        database.execute(f"ATTACH '{target}' AS made (BLOCK_SIZE 16384); BEGIN")
        tables = []
        for done, one in enumerate(drafts, 1):
            tables.append(_fill(staging, one))
            if not done % 100:  # tables that are written together: what is not yet written is in memory
                database.execute("COMMIT; BEGIN")
            if tell:
                tell("fill tables", done, len(drafts))
        database.execute("COMMIT; DETACH made")
    return tables, triples


def _prepare(staging: Staging, parts: Sequence[RelationPart], drafting: Drafting) -> None:
    """Make the table ``cell``: what stands in the columns of classes, in the order of the classes."""
    run = staging.database.execute
    columns = [(part.number, c) for part in parts for c in part.column_of]
    fill(staging.database, "column_of", {"part": "INTEGER", "c": "INTEGER"}, columns)
    names = [*drafting.tables.items(), *drafting.above()]
    fill(staging.database, "class_name", {"c": "INTEGER", "name": "VARCHAR"}, names)
    left = [(part.number, c, part.relation) for part in parts for c in drafting.left(part)]
    fill(staging.database, "class_left", {"part": "INTEGER", "c": "INTEGER", "name": "VARCHAR"}, left)
    run("CREATE TABLE part_left AS SELECT DISTINCT part, k, name FROM class_left JOIN kind_class USING (c)")
    ending = "replace(regexp_extract(coalesce(TRY(url_decode(s)), s), '[^/#]+$'), '_', ' ')"
    fallback = f"CASE WHEN starts_with(s, '{BLANK}') THEN NULL ELSE {ending} END"
    run(
        "CREATE TABLE cell AS SELECT * FROM ("
        "SELECT c, s, f.part, f.o, f.lang, r.low, r.high, r.currency FROM fact f JOIN kind_class USING (k) "
        "JOIN column_of USING (part, c) LEFT JOIN reading r ON r.part = f.part AND r.o = f.o UNION ALL "
        f"SELECT c, s, {LABEL}, coalesce(label, {fallback}), NULL, NULL, NULL, NULL FROM kind "
        "JOIN kind_class USING (k) LEFT JOIN label USING (s) UNION ALL "
        f"SELECT {NO_CLASS}, s, {LABEL}, {fallback}, NULL, NULL, NULL, NULL FROM stub) ORDER BY c"
    )
    run("CREATE TABLE sorted AS SELECT * FROM fact ORDER BY part; DROP TABLE fact; ALTER TABLE sorted RENAME TO fact")
    run("DROP TABLE triple; DROP TABLE label; DROP TABLE stub; CHECKPOINT")


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
        begin = begin.format(f"made.{quoted(draft.table.name)}")
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
