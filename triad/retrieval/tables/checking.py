"""Whether the tables of a graph are those of the graph as it is."""

import shlex
from collections.abc import Iterator
from pathlib import Path

from triad.errors import TriadError
from triad.findings import Finding
from triad.kg.stores import store_fingerprint
from triad.resources import found_at, from_home
from triad.retrieval.indexed import IndexedGraph
from triad.retrieval.tables.schema import FOLDER, read_schema


def check_tables(source: object) -> Iterator[Finding]:
    """Check the tables in the folder that a graph is opened from; nothing if there are none."""
    folder = from_home(source) if isinstance(source, str | Path) else None
    if folder is None or found_at(folder / FOLDER) != "folder":
        return
    mend = shlex.join(["triad", "index", "--to", str(source), "--tables"])
    try:
        schema = read_schema(folder / FOLDER)
        now = store_fingerprint(IndexedGraph.read(folder, "tables").store)
    except TriadError as error:
        yield Finding("tables", False, str(error), mend)
        return
    if schema.fingerprint not in ("", now):
        yield Finding("tables", False, "they are out of date: the graph has changed since they were made", mend)
        return
    rows = sum(table.rows for table in schema)
    yield Finding("tables", True, f"{len(schema.tables):,} tables with {rows:,} rows")
