"""Advice on SQL that failed: which tables and columns are called nearly so, for the round after."""

import re
from difflib import get_close_matches
from typing import Final

from triad.errors import TriadError
from triad.retrieval.tables.schema import SqlSchema
from triad.text import one_line

_NEAREST: Final = 4
_COLUMN: Final = re.compile(
    r"(?:column|binding|named) (?:with name )?\"([^\"]+)\"(?= not found| Candidate)"
    r"|does not have a column named \"([^\"]+)\"",
    re.IGNORECASE,
)
_TABLE: Final = re.compile(r"(?:no table|Table with name|table) [\"']?([^\s\"';]+)")


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
