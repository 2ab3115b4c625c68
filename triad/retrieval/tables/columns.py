"""The columns that hold the literals of a relation: the text as it is, and what is read out of it.

A column has a real type where each of its texts is written as one of that type; leading zeros make a code, which stays
text. Where texts hold more than that (a unit, a range, a currency), or not all hold a number, the text has a column of
its own, and what is read stands beside it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from triad.indexing.triples import fill
from triad.rdf import NUMERIC, XSD
from triad.retrieval.tables.names import words_of
from triad.retrieval.tables.readings import AmountReadings, read_all
from triad.retrieval.tables.staging import Staging

_DIGITS: Final = 18

_FORMS: Final[Mapping[str, str]] = {
    "integer": r"[-+]?(0|[1-9][0-9]*)",
    "padded": r"[-+]?0[0-9]+",
    "decimal": r"[-+]?(0|[1-9][0-9]*)?\.[0-9]+",
    "double": r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+",
    "date": r"[0-9]{4}-[01][0-9]-[0-3][0-9]",
    "moment": r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?",
    "zoned": r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-9:.]+(Z|[-+][0-9:]+)",
    "truth": r"true|false",
    "duration": r"-?P([0-9]+Y)?([0-9]+M)?([0-9]+D)?(T([0-9]+H)?([0-9]+M)?([0-9.]+S)?)?",
    "amount": r"[^0-9\pL]{0,4}([A-Z]{3} ?)?[^0-9\pL]{0,3}[0-9].{0,59}",
}
"""How texts are written, as regular expressions of the database."""
_CAST: Final[Mapping[str, str]] = {"date": "DATE", "moment": "TIMESTAMP"}
"""Types that not all texts have that are written so: there is no 45th of May."""
_ALIKE: Final[Mapping[str, str]] = {**_CAST, "truth": "BOOLEAN"}
"""Types of texts that are all written in one way."""
_TEMPORAL: Final = tuple(XSD + name for name in ("date", "dateTime", "gYear", "gYearMonth"))
_READING: Final = {
    "part": "INTEGER", "o": "VARCHAR", "low": "DOUBLE", "high": "DOUBLE", "currency": "VARCHAR"
}  # fmt: skip

_Form = Mapping[str, int]
"""How many texts of a part are written in each way."""


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
    spoken = (
        # languages of the graph, the most frequent first, whose words for units are known
        "SELECT lang FROM triple WHERE lang IS NOT NULL GROUP BY lang ORDER BY count(*) DESC, lang LIMIT 3"
    )
    tags: list[str] = [tag for (tag,) in run(spoken).fetchall()]
    found: dict[int, tuple[ColumnExpression, ...]] = {}
    for part, form in _forms(staging, units).items():
        columns = _typed(form)
        if columns is None and 2 * (form["amount"] + form["unit"]) >= form["total"] and not form["tagged"]:
            columns = _amounts(staging, part, names, units, tags)
        columns = columns or (ColumnExpression("", "VARCHAR", "o", text=True),)
        if form["tagged"]:
            columns = (*columns, ColumnExpression("lang", "VARCHAR", "lang", comment="language of the text"))
        found[part] = columns
    return found


def _forms(staging: Staging, units: Collection[int]) -> dict[int, _Form]:
    """Return for each part how many of its texts are written in each way, and have datatypes of each kind."""
    kinds: dict[str, Set[int | None]] = {
        "temporal": {staging.datatypes.get(iri) for iri in _TEMPORAL},
        "numeric": {staging.datatypes.get(iri) for iri in NUMERIC},
        "binary": {staging.datatypes.get(XSD + name) for name in ("double", "float")},
        "unit": {*units},
    }
    counted = {
        "total": "count(*)",
        "tagged": "count(lang)",
        "digits": "max(length(regexp_extract(o, '^[-+]?([0-9]*)', 1)))",  # before the point
        "scale": "max(length(regexp_extract(o, '\\.([0-9]*)$', 1)))",  # behind it
    }
    for kind, numbers in kinds.items():
        among = ", ".join(str(number) for number in numbers if number is not None) or "-1"
        counted[kind] = f"count(*) FILTER (d IN ({among}))"
    for name, form in _FORMS.items():
        what = f"TRY_CAST(o AS {_CAST[name]})" if name in _CAST else "*"
        counted[name] = f"count({what}) FILTER (regexp_full_match(o, '{form}'))"
    rows = staging.database.execute(
        f"SELECT part, {', '.join(counted.values())} FROM fact "
        "WHERE d >= 0 AND part IN (SELECT part FROM route WHERE way = -1) GROUP BY part ORDER BY part"
    ).fetchall()
    return {part: dict(zip(counted, counts, strict=True)) for part, *counts in rows}


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
        return (text, ColumnExpression("duration", "INTERVAL", _interval()))
    if 2 * form["temporal"] >= form["total"]:
        day = _cast("DATE", "date", "regexp_extract(o, '^[0-9]{4}-[0-9]{2}-[0-9]{2}')")
        return (text, day, _cast("INTEGER", "year", "regexp_extract(o, '^-?[0-9]{4}')"))
    return None


def _cast(kind: str, suffix: str = "", of: str = "o", comment: str = "") -> ColumnExpression:
    return ColumnExpression(suffix, kind, f"TRY_CAST({of} AS {kind})", comment=comment)


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
