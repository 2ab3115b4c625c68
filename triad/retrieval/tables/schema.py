"""The schema of a database that was induced from a graph, its text for prompts and people, and advice by it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final, Literal

from triad.answers import from_json, to_json
from triad.errors import DataError, TriadError
from triad.opening import TABLES
from triad.retrieval.sql import tables_in
from triad.text import one_line, within

FOLDER: Final = TABLES
"""The folder of a database, in the folder of an index."""
DATABASE_FILE: Final = "data.duckdb"
SCHEMA_FILE: Final = "schema.json"

VERSION: Final = 1
"""Version of what a schema holds."""

_REST: Final = 200  # characters of the names of columns and tables that there is no room for
_NEAREST: Final = 4  # names that are suggested at most
_COLUMN: Final = re.compile(
    r"(?:column|binding|named) (?:with name )?\"([^\"]+)\"(?= not found| Candidate)"
    r"|does not have a column named \"([^\"]+)\"",
    re.IGNORECASE,
)
_TABLE: Final = re.compile(r"(?:no table|Table with name|table) [\"']?([^\s\"';]+)")

Kind = Literal["class", "things", "links", "values", "membership", "facts"]
"""What a table holds: the things of a class, things without a class, links of a relation, values of a relation, the
classes of things, or facts of relations that are too rare for a column."""


@dataclass(frozen=True, slots=True)
class SqlColumn:
    """A column of a table."""

    name: str
    type: str
    """A type of DuckDB."""
    relation: str = ""
    """IRI of the relation whose values it has; empty for keys and labels."""
    references: str = ""
    """The table whose ``id`` it names; empty if it names none."""
    required: bool = False
    """Whether each row has a value."""
    unit: str = ""
    """The unit of its numbers."""
    samples: tuple[str, ...] = ()
    """Some of its values, the most frequent first."""
    all_values: bool = False
    """Whether the samples are all values that there are."""
    comment: str = ""
    """What else is to be known about it."""

    def remark(self) -> str:
        """Return what stands behind the column in the text of its table: comment, unit and samples."""
        parts = [self.comment] if self.comment else []
        if self.unit and not self.name.endswith(f"_{self.unit}"):
            parts.append(f"in {self.unit}")
        if self.samples:
            # characters of a sample that are shown
            shown = ", ".join("'" + one_line(sample, 32).replace("'", "''") + "'" for sample in self.samples)
            parts.append(f"one of {shown}" if self.all_values else f"e.g. {shown}")
        return "; ".join(parts)


@dataclass(frozen=True, slots=True)
class SqlTable:
    """A table."""

    name: str
    kind: Kind
    columns: tuple[SqlColumn, ...]
    rows: int = 0
    iri: str = ""
    """The class or the relation that it holds; empty if it holds several."""
    comment: str = ""

    def create(self, widest: int | None = None) -> str:
        """Return the table's CREATE TABLE statement, with comments; of its columns, no more than ``widest``."""
        remark = "; ".join(part for part in (self.comment, f"{self.rows:,} row{'s' * (self.rows != 1)}") if part)
        lines = [f"CREATE TABLE {quoted(self.name)} ( -- {remark}"]
        shown = self.columns[:widest]
        for at, column in enumerate(shown):
            key = " PRIMARY KEY" if column.name == "id" and self.kind in ("class", "things") else ""
            need = " NOT NULL" if column.required and not key else ""
            link = f" REFERENCES {quoted(column.references)}(id)" if column.references else ""
            comma = "," if at + 1 < len(shown) else ""
            said = column.remark()
            lines.append(
                f"  {quoted(column.name)} {column.type}{key}{need}{link}{comma}" + (f" -- {said}" if said else "")
            )
        if left := self.columns[len(shown) :]:
            lines.append(f"  -- and {len(left)} more: " + one_line(", ".join(column.name for column in left), _REST))
        return "\n".join([*lines, ");"])


@dataclass(frozen=True, slots=True)
class SqlSchema:
    """The tables of a database."""

    tables: tuple[SqlTable, ...] = ()
    """The most useful first: that with most rows and columns, and behind a class what its things have."""
    fingerprint: str = ""
    """The graph's fingerprint when the tables were made; if it changes, they are out of date."""
    version: int = VERSION

    def text(self, tokens: int | None = None) -> str:
        """Return the CREATE TABLE statements, in about so many tokens; tables without room are only named."""
        whole = "\n\n".join(table.create() for table in self.tables)
        if tokens is None or len(whole) <= tokens * 4:  # characters of a token, about
            return whole
        room = tokens * 4
        shown: list[str] = []
        for at, table in enumerate(self.tables):
            text = table.create(16)  # columns of a table that are shown, where not all tables have room
            if len(text) + 2 > room:
                columns = ((one.name, ", ".join(column.name for column in one.columns)) for one in self.tables[at:])
                also = (one_line(f"-- also {quoted(name)}: {names}", _REST) for name, names in columns)
                shown.append("\n".join(within(also, room)))
                break
            shown.append(text)
            room -= len(text) + 2
        return "\n\n".join(filter(None, shown))

    def named_in(self, query: str) -> list[SqlTable]:
        """Return the tables that a query asks; none where it is not SQL."""
        named = {name.casefold() for name in tables_in(query)}
        return [table for table in self.tables if table.name.casefold() in named]

    def __iter__(self) -> Iterator[SqlTable]:
        return iter(self.tables)

    def to_json(self) -> str:
        """Return the schema as JSON text."""
        return to_json(self, indent=1)


def quoted(name: str) -> str:
    """Return a name as SQL writes it.

    >>> print(quoted('the "best" one'))
    "the ""best"" one"
    """
    return '"' + name.replace('"', '""') + '"'


def read_schema(folder: str | Path) -> SqlSchema:
    """Read the schema of a folder of tables.

    Raises:
        DataError: There is none, or it is of another version.
    """
    file = Path(folder) / SCHEMA_FILE
    try:
        schema = from_json(SqlSchema, file.read_bytes())
    except (FileNotFoundError, NotADirectoryError) as error:
        raise DataError(f"{str(folder)!r} has no tables; 'triad index --tables' makes them") from error
    except (OSError, ValueError) as error:
        raise DataError(f"cannot read {str(file)!r}: {error}") from error
    if schema.version != VERSION:
        raise DataError(f"the tables in {str(folder)!r} are of another release; 'triad index --tables' makes them anew")
    return schema


def advice(error: TriadError, schema: SqlSchema, query: str) -> str:
    """Return what went wrong with a query, and which names would work."""
    said = one_line(str(error), 320)  # characters of what the database says
    asked = schema.named_in(query) or schema
    columns = {f"{table.name}.{column.name}" for table in asked for column in table.columns}
    if match := _COLUMN.search(str(error)):
        wrong = (match[1] or match[2]).rpartition(".")[2]
        names = {name.partition(".")[2] for name in columns}
        near = set(_near(wrong, names)) | {name for name in names if wrong.lower() in name.lower()}
        places = sorted(name for name in columns if name.partition(".")[2] in near)[: 2 * _NEAREST]
        return f"{said} – nearest columns: {', '.join(places)}" if places else said
    if match := _TABLE.search(str(error)):
        near = set(_near(match[1], {table.name for table in schema}))
        return f"{said} – nearest tables: {', '.join(sorted(near))}" if near else said
    return said


def _near(name: str, known: set[str]) -> list[str]:
    folded = {one.casefold(): one for one in sorted(known)}
    return [folded[one] for one in get_close_matches(name.casefold(), list(folded), _NEAREST, 0.5)]
