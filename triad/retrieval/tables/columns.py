"""The columns that hold the literals of a relation: the text as it is, and what is read out of it.

A column has a real type where each of its texts is written as one of that type; leading zeros make a code, which stays
text. Where texts hold more than that (a unit, a range, a currency), or not all hold a number, the text has a column of
its own, and what is read stands beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from triad.rdf import NUMERIC, XSD
from triad.retrieval.tables.names import words_of
from triad.retrieval.tables.readings import AmountReadings, read_all
from triad.retrieval.tables.staging import Staging

__all__ = ["ColumnExpression", "literal_columns"]

_DIGITS: Final = 18

_FORMS: Final[Mapping[str, str]] = {
    "integer": r"[-+]?(0|[1-9][0-9]*)",
    "padded": r"[-+]?0[0-9]+",
    "decimal": r"[-+]?(0|[1-9][0-9]*)?\.[0-9]+",
    "double": r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+",
    "date": r"[0-9]{4}-[01][0-9]-[0-3][0-9]",
    "moment": r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?",
    "zoned": r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:.]+(Z|[-+][0-9:]+)",
    "year": r"-?[0-9]{4}(-[01][0-9])?",
    "truth": r"true|false",
    "duration": r"-?P([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9.]+S)?)?",
    "amount": r"[^0-9\pL]{0,4}([A-Z]{3} ?)?[^0-9\pL]{0,3}[0-9].{0,59}",
}
"""How texts are written, as regular expressions of the database."""
_CAST: Final[Mapping[str, str]] = {"date": "DATE", "moment": "TIMESTAMP"}
"""Types that not all texts have that are written so: there is no 45th of May."""
_TEMPORAL: Final = tuple(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth"))


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


@dataclass(frozen=True, slots=True)
class _Form:
    """How many texts of a relation are written in each way."""

    counts: Mapping[str, int]
    total: int
    tagged: int
    temporal: int
    numeric: int
    digits: int
    """Digits before the point, at most."""
    scale: int
    """Digits behind the point, at most."""
    doubles: int
    units: int
    """Literals with a datatype that is a unit."""

    def all(self, *names: str) -> bool:
        return sum(self.counts[name] for name in names) == self.total


def literal_columns(staging: Staging) -> dict[int, tuple[ColumnExpression, ...]]:
    """Return the columns of each part that has literals, and fill the table ``reading``.

    ``reading(part, o, low, high, currency)`` has the numbers that are read out of texts.
    """
    run = staging.database.execute
    run("CREATE TABLE reading (part INTEGER, o VARCHAR, low DOUBLE, high DOUBLE, currency VARCHAR)")
    names = {number: iri for iri, number in staging.datatypes.items()}
    units = {number: _words(iri) for number, iri in names.items() if not iri.startswith(XSD)}
    forms = _forms(staging, list(units))
    spoken = (
        # languages of the graph, the most frequent first, whose words for units are known
        "SELECT lang FROM triple WHERE lang IS NOT NULL GROUP BY lang ORDER BY count(*) DESC, lang LIMIT 3"
    )
    tags: list[str] = [tag for (tag,) in run(spoken).fetchall()]
    found: dict[int, tuple[ColumnExpression, ...]] = {}
    for part, form in forms.items():
        columns = _typed(form)
        if columns is None and 2 * (form.counts["amount"] + form.units) >= form.total and not form.tagged:
            columns = _amounts(staging, part, names, units, tags)
        columns = columns or (ColumnExpression("", "VARCHAR", "o", text=True),)
        if form.tagged:
            columns = (*columns, ColumnExpression("lang", "VARCHAR", "lang", comment="language of the text"))
        found[part] = columns
    return found


def _forms(staging: Staging, units: Sequence[int]) -> dict[int, _Form]:
    def among(*iris: str) -> str:
        return ", ".join(str(staging.datatypes[iri]) for iri in iris if iri in staging.datatypes) or "-1"

    forms = ", ".join(
        f"count({f'TRY_CAST(o AS {_CAST[name]})' if name in _CAST else '*'}) FILTER (regexp_full_match(o, '{form}'))"
        for name, form in _FORMS.items()
    )
    rows = staging.database.execute(
        "SELECT part, count(*), count(lang), "
        f"count(*) FILTER (d IN ({among(*_TEMPORAL)})), count(*) FILTER (d IN ({among(*sorted(NUMERIC))})), "
        "max(length(regexp_extract(o, '^[-+]?([0-9]*)', 1))), max(length(regexp_extract(o, '\\.([0-9]*)$', 1))), "
        f"count(*) FILTER (d IN ({among(XSD + 'double', XSD + 'float')})), "
        f"count(*) FILTER (d IN ({', '.join(map(str, units)) or '-1'})), {forms} "
        "FROM fact WHERE d >= 0 AND part IN (SELECT part FROM route WHERE way = -1) GROUP BY part ORDER BY part"
    ).fetchall()
    return {row[0]: _Form(dict(zip(_FORMS, row[9:], strict=True)), *row[1:9]) for row in rows}


def _typed(form: _Form) -> tuple[ColumnExpression, ...] | None:
    """Return the columns of texts that all have one type; None if they need to be read."""
    text = ColumnExpression("", "VARCHAR", "o", text=True)
    if form.tagged or (form.counts["padded"] and form.numeric < form.total):
        return (text,)
    if form.units:
        return None
    if form.all("integer", "padded") and form.digits <= _DIGITS and not form.doubles:
        return (ColumnExpression("", "BIGINT", "TRY_CAST(o AS BIGINT)"),)
    if form.all("integer", "decimal") or (form.numeric == form.total and form.all("integer", "padded", "decimal")):
        if form.doubles or form.digits + form.scale > _DIGITS:
            number = ColumnExpression("", "DOUBLE", "TRY_CAST(o AS DOUBLE)")
            return (number,) if form.doubles else (text, replace(number, suffix="number"))
        kind = f"DECIMAL({_DIGITS},{form.scale})"
        return (ColumnExpression("", kind, f"TRY_CAST(o AS {kind})"),)
    if form.all("integer", "decimal", "double", "padded"):
        return (ColumnExpression("", "DOUBLE", "TRY_CAST(o AS DOUBLE)"),)
    if form.all("date"):
        return (ColumnExpression("", "DATE", "TRY_CAST(o AS DATE)"),)
    if form.all("moment"):
        return (ColumnExpression("", "TIMESTAMP", "TRY_CAST(o AS TIMESTAMP)"),)
    if form.all("truth"):
        return (ColumnExpression("", "BOOLEAN", "TRY_CAST(o AS BOOLEAN)"),)
    if form.all("date", "moment", "zoned"):
        return (text, ColumnExpression("time", "TIMESTAMP", "TRY_CAST(o AS TIMESTAMP)", comment="in UTC"))
    if form.all("duration"):
        return (text, ColumnExpression("duration", "INTERVAL", _interval()))
    if 2 * form.temporal >= form.total:
        year = ColumnExpression("year", "INTEGER", "TRY_CAST(regexp_extract(o, '^-?[0-9]{4}') AS INTEGER)")
        day = ColumnExpression("date", "DATE", "TRY_CAST(regexp_extract(o, '^[0-9]{4}-[0-9]{2}-[0-9]{2}') AS DATE)")
        return (text, day, year)
    return None


def _interval() -> str:
    """Return the expression that makes an interval of a duration as XML Schema writes it."""

    def number(pattern: str, letter: str) -> str:
        return f"coalesce(TRY_CAST(nullif(regexp_extract(o, '{pattern}([0-9.]+){letter}', 1), '') AS DOUBLE), 0)"

    months = f"12 * {number('P', 'Y')} + {number('^-?P[^T]*?', 'M')}"
    seconds = (
        f"86400 * {number('P[^T]*?', 'D')} + 3600 * {number('T', 'H')} + 60 * {number('T[^M]*?', 'M')} "
        f"+ {number('T.*?', 'S')}"
    )
    sign = "CASE WHEN o LIKE '-%' THEN -1 ELSE 1 END"
    return f"TRY((to_months(({months})::INTEGER) + to_seconds({seconds})) * ({sign}))"


def _amounts(
    staging: Staging, part: int, names: Mapping[int, str], units: Mapping[int, str], tags: Sequence[str]
) -> tuple[ColumnExpression, ...] | None:
    """Return the columns of texts with numbers, which are read; None if they are no such texts."""
    rows = staging.database.execute(
        "SELECT o, max(d) FROM fact WHERE part = $1 GROUP BY o ORDER BY count(*) DESC, o LIMIT $2",
        [part, 100_000 + 1],  # distinct texts of a relation up to which numbers in texts are read
    ).fetchall()
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
    staging.database.execute(
        "INSERT INTO reading SELECT $1, unnest($2::VARCHAR[]), unnest($3::DOUBLE[]), unnest($4::DOUBLE[]), "
        "unnest($5::VARCHAR[])",
        [
            part,
            list(found.values),
            [one.low for one in found.values.values()],
            [one.high for one in found.values.values()],
            [one.currency or None for one in found.values.values()],
        ],
    )
    return (ColumnExpression("", "VARCHAR", "o", comment="as it is written", text=True), *_read(found))


def _read(found: AmountReadings) -> tuple[ColumnExpression, ...]:
    comment = _said(found)
    unit = found.unit or (found.currencies[0] if len(found.currencies) == 1 else "")
    name = unit if unit and unit.replace("_", "").isalnum() else "number"
    if found.ranges:
        low = ColumnExpression(f"min_{name}" if name != "number" else "min", "DOUBLE", "low", unit, comment)
        high = ColumnExpression(f"max_{name}" if name != "number" else "max", "DOUBLE", "high", unit)
        columns: tuple[ColumnExpression, ...] = (low, high)
    elif found.currencies:
        columns = (ColumnExpression(name, "DECIMAL(18,2)", "round(low, 2)", unit, comment),)
    else:
        columns = (ColumnExpression(name, "DOUBLE", "low", unit, comment),)
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


def _words(iri: str) -> str:
    """Return the unit that a datatype is called after: us dollar, kilometre."""
    return " ".join(words_of(iri)).lower()
