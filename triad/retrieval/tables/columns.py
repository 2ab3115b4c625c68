"""The columns that hold the literals of a relation: the text as it is, and what is read out of it.

A column has a real type where each of its texts is written as one of that type; leading zeros make a code, which stays
text. Where texts hold more than that (a unit, a range, a currency), or not all hold a number, the text has a column of
its own, and what is read stands beside it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from triad.indexing.triples import fill
from triad.rdf import DATED, NUMERIC, XSD
from triad.resources import statements
from triad.retrieval.tables.names import words_of
from triad.retrieval.tables.readings import AmountReadings, read_all
from triad.retrieval.tables.staging import Staging

_DIGITS: Final = 18

_ALIKE: Final[Mapping[str, str]] = {"date": "DATE", "moment": "TIMESTAMP", "truth": "BOOLEAN"}
"""Types of texts that are all written in one way."""
_KINDS: Final = {"temporal": [*DATED], "numeric": [*NUMERIC], "binary": [XSD + "double", XSD + "float"]}
"""Datatypes that are counted together."""
_SQL: Final = statements(__file__, xsd=XSD)
_READING: Final = {
    "part": "INTEGER", "o": "VARCHAR", "low": "DOUBLE", "high": "DOUBLE", "currency": "VARCHAR"
}  # fmt: skip

_Form = Mapping[str, int]  # how many texts of a part are written in each way


@dataclass(frozen=True, slots=True)
class ColumnExpression:
    """A column, and how its value follows from a fact."""

    suffix: str
    """What follows the relation's name in the column's."""
    type: str
    sql: str
    """An expression on the columns of ``fact``, and on ``low``, ``high`` and ``currency`` of ``reading``."""
    unit: str = ""
    comment: str = ""
    text: bool = False
    """Whether it holds the text as it is."""


def literal_columns(staging: Staging) -> dict[int, tuple[ColumnExpression, ...]]:
    """Return the columns of each part that has literals, and fill the table ``reading``.

    ``reading(part, o, low, high, currency)`` has the numbers that are read out of texts.
    """
    run = staging.database.execute
    fill(staging.database, "reading", _READING, [])
    names = {number: iri for iri, number in staging.datatypes.items()}
    units = {number: " ".join(words_of(iri)).lower() for number, iri in names.items() if not iri.startswith(XSD)}
    tags: list[str] = [tag for (tag,) in run(_SQL["spoken"]).fetchall()]
    run(_SQL["macros"])
    found: dict[int, tuple[ColumnExpression, ...]] = {}
    for part, form in run(_SQL["forms"], _KINDS).fetchall():
        columns = _typed(form)
        if columns is None and 2 * (form["amount"] + form["unit"]) >= form["total"] and not form["tagged"]:
            columns = _amounts(staging, part, names, units, tags)
        columns = columns or (ColumnExpression("", "VARCHAR", "o", text=True),)
        if form["tagged"]:
            columns = (*columns, ColumnExpression("lang", "VARCHAR", "lang", comment="language of the text"))
        found[part] = columns
    return found


def _typed(form: _Form) -> tuple[ColumnExpression, ...] | None:
    """Return the columns of texts that all have one type; None if they need to be read."""

    def every(*names: str) -> bool:
        return sum(form[name] for name in names) == form["total"]

    text = ColumnExpression("", "VARCHAR", "o", text=True)
    if form["tagged"] or (form["padded"] and not every("numeric")):
        return (text,)
    if form["unit"]:
        return None
    if every("integer", "padded") and form["digits"] <= _DIGITS and not form["binary"]:
        return (_cast("BIGINT"),)
    if every("integer", "decimal") or (every("numeric") and every("integer", "padded", "decimal")):
        if form["binary"]:
            return (_cast("DOUBLE"),)
        if form["digits"] + form["scale"] > _DIGITS:
            return (text, _cast("DOUBLE", "number"))
        return (_cast(f"DECIMAL({_DIGITS},{form['scale']})"),)
    if every("integer", "decimal", "double", "padded"):
        return (_cast("DOUBLE"),)
    for name, kind in _ALIKE.items():
        if every(name):
            return (_cast(kind),)
    if every("date", "moment", "zoned"):
        return (text, _cast("TIMESTAMP", "time", comment="in UTC"))
    if every("duration"):
        return (text, ColumnExpression("duration", "INTERVAL", "interval_of(o)"))
    if 2 * form["temporal"] >= form["total"]:
        day = _cast("DATE", "date", "regexp_extract(o, '^[0-9]{4}-[0-9]{2}-[0-9]{2}')")
        return (text, day, _cast("INTEGER", "year", "regexp_extract(o, '^-?[0-9]{4}')"))
    return None


def _cast(kind: str, suffix: str = "", of: str = "o", comment: str = "") -> ColumnExpression:
    return ColumnExpression(suffix, kind, f"TRY_CAST({of} AS {kind})", comment=comment)


def _amounts(
    staging: Staging, part: int, names: Mapping[int, str], units: Mapping[int, str], tags: Sequence[str]
) -> tuple[ColumnExpression, ...] | None:
    """Return the columns of texts with numbers, which are read; None if they are no such texts."""
    # distinct texts of a relation up to which numbers in texts are read
    rows = staging.database.execute(_SQL["texts"], [part, 100_000 + 1]).fetchall()
    if len(rows) > 100_000:
        return None
    found = read_all(
        [text for text, _ in rows],
        units={text: units[d] for text, d in rows if d in units},
        exact={text for text, d in rows if names[d] in NUMERIC or d in units},
        tags=tags,
    )
    if not found.values:
        return None
    values = [(part, text, one.low, one.high, one.currency or None) for text, one in found.values.items()]
    fill(staging.database, "reading", _READING, values, add=True)
    return (ColumnExpression("", "VARCHAR", "o", comment="as it is written", text=True), *_read(found))


def _read(found: AmountReadings) -> tuple[ColumnExpression, ...]:
    comment = _said(found)
    unit = found.unit or (found.currencies[0] if len(found.currencies) == 1 else "")
    name = unit if unit and unit.replace("_", "").isalnum() else "number"
    if found.ranges:
        of = f"_{name}" if name != "number" else ""
        low = ColumnExpression(f"min{of}", "DOUBLE", "low", unit, comment)
        columns: tuple[ColumnExpression, ...] = (low, ColumnExpression(f"max{of}", "DOUBLE", "high", unit))
    else:
        kind, value = ("DECIMAL(18,2)", "round(low, 2)") if found.currencies else ("DOUBLE", "low")
        columns = (ColumnExpression(name, kind, value, unit, comment),)
    if len(found.currencies) > 1:
        columns = (*columns, ColumnExpression("currency", "VARCHAR", "currency"))
    return columns


def _said(found: AmountReadings) -> str:
    notes = []
    if found.bare:
        notes.append(f"{found.bare} texts name no unit")
    if found.unread:
        more = " …" if len(found.unread) > 6 else ""  # texts without a number that a comment lists
        listed = ", ".join(repr(text[:40]) for text in found.unread[:6])
        notes.append(f"empty for {listed}{more}")
    return "; ".join(notes)
