"""Scores of what is displayed: names of things, and values as text; the sets ``free`` and ``spider`` hold these."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from triad.kg.schema import Schema
from triad.rdf import IRI, ResultSet

Cell = tuple[str, ...]
"""The texts that a cell may be read as: its value, and its name; none where it is unbound."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE)
_POSTCODE = re.compile(r"0\d")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_ZONE = r"(?:\.0+)?(?:Z|[-+]\d\d:\d\d)?"
_DAY = re.compile(rf"(\d{{4}}-\d\d-\d\d)(?:T00:00:00{_ZONE}|Z|[-+]\d\d:\d\d)?")
_MINUTE = re.compile(rf"(\d\d:\d\d)(?::00)?{_ZONE}")
_SCHEME = re.compile(r"(?:mailto:|tel:|https?://)")
_QUOTES = str.maketrans({"’": "'", "“": '"', "”": '"'})


def cells(result: ResultSet, schema: Schema) -> list[tuple[Cell, ...]]:
    """Return the rows of a result as they are displayed."""
    iris = dict.fromkeys(term.value for row in result.rows for term in row if isinstance(term, IRI))
    names = schema.labels(iris)
    return [
        tuple(() if term is None else (term.value, names.get(term.value) or term.value) for term in row)
        for row in result.rows
    ]


def rows_f1(gold: Iterable[Iterable[str]], shown: Iterable[tuple[Cell, ...]]) -> float:
    """Return the F1 of the rows that are shown, in any order of their columns.

    Numbers are compared to four digits, other texts apart from case.

    >>> rows_f1([["Ulm", "2"], ["Bonn", "1"]], [(("1.0",), ("http://ex.org/Bonn", "Bonn"))])
    0.6666666666666666
    """
    wanted = {tuple(sorted(map(_to_four_digits, row))) for row in gold}
    given = {tuple(frozenset(map(_to_four_digits, cell)) or frozenset([""]) for cell in row) for row in shown}
    left = set(wanted)
    for row in given:
        ways = (tuple(sorted(way)) for way in itertools.product(*row))
        if found := next((way for way in ways if way in left), None):
            left.remove(found)
    total = len(wanted) + len(given)
    return 2 * (len(wanted) - len(left)) / total if total else 0.0


def is_right(record: Mapping[str, Any], result: ResultSet, shown: Sequence[tuple[Cell, ...]]) -> bool:
    """Tell whether the gold answer of a record of ``free`` is displayed, or another one that is accepted.

    Args:
        record: The question with its answers, or rows, or boolean; other names of values, and other sets of them.
        result: What was found.
        shown: Its rows, as they are displayed.
    """
    if "boolean" in record or result.boolean is not None:
        return result.boolean is not None and result.boolean == record.get("boolean")
    rows = [[_plain(cell[-1]) for cell in row if cell] for row in shown]
    forms = record.get("forms", {})
    values = {value for row in rows for value in row}
    if any(_are_same(values, accepted, forms) for accepted in record.get("accept", ())):
        return True
    if "rows" not in record:
        return _are_same(values, record["answers"], forms)
    left = list(record["rows"])
    for row in rows:
        same = (at for at, gold in enumerate(left) if len(gold) == len(row) and _are_same(set(row), gold, forms))
        if (found := next(same, None)) is None:
            return False
        del left[found]
    return not left


def _are_same(values: Collection[str], gold: Iterable[str], forms: Mapping[str, Sequence[str]]) -> bool:
    """Tell whether all values are names of what is in gold, and all that is in gold is named."""
    names = [{_plain(form) for form in (one, *forms.get(one, ()))} for one in gold]
    return all(map(set(values).intersection, names)) and set(values) <= set[str]().union(*names)


def _to_four_digits(text: str) -> str:
    try:
        return f"{float(text.strip().replace(',', '')):.4g}"
    except ValueError:
        return text.strip().casefold()


def _plain(text: str) -> str:
    """Return what two values are compared by: case, accents, quotes, hyphens and schemes count nothing."""
    text = unicodedata.normalize("NFKC", text).strip()
    number = text.replace(",", "") if _THOUSANDS.fullmatch(text) else text
    if _NUMBER.fullmatch(number) and not _POSTCODE.match(number):
        return str(round(float(number), 2) + 0.0)
    if moment := _MINUTE.fullmatch(text) or _DAY.fullmatch(text):
        return moment[1]
    text = _SCHEME.sub("", text, count=1) if _SCHEME.match(text) else text
    letters = unicodedata.normalize("NFKD", text.rstrip("/").translate(_QUOTES))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter)).casefold()
    return re.sub(r"[\s_-]+", " ", bare).strip(" .\"'")
