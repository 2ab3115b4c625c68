"""Answers and tables with one row a line: CSV for spreadsheets, TSV for programs, Markdown for texts.

A column is a variable of the query, and beside it stands one with labels where it has things. CSV has IRIs and the
texts of literals, TSV has terms as SPARQL writes them, which is how SPARQL 1.1 gives results in both. A cell of CSV
that a spreadsheet would take for a formula, and that is no number, begins with an apostrophe. Markdown has labels,
which are links where things have web addresses.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from triad.rdf import IRI, XSD, Literal, Value
from triad.text import address, clean, escaped

if TYPE_CHECKING:
    from triad.answers import Answer
    from triad.asked import Asked
    from triad.rdf import Term

BATCH: Final = ("question", "outcome", "reply", "confidence", "source", "query", "seconds")
"""The columns for several questions, of which each is a row."""

_FORMULA: Final = tuple("=+-@＝＋－＠\t\n")
_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_SHORT: Final = {
    XSD + "integer": re.compile(r"[+-]?\d+"),
    XSD + "decimal": re.compile(r"[+-]?\d*\.\d+"),
    XSD + "double": re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)[eE][+-]?\d+"),
    XSD + "boolean": re.compile(r"true|false"),
}
"""Literals that SPARQL writes without quotes."""


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_in_csv(cell) for cell in row] for row in rows)
    return text.getvalue().removesuffix("\n")


def tsv_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows as lines with tabs; a backslash stands for those in a cell, as in SPARQL."""
    cells = ((clean("" if cell is None else str(cell)) for cell in row) for row in rows)
    return "\n".join("\t".join(cell.replace("\t", "\\t").replace("\n", "\\n") for cell in row) for row in cells)


def markdown_lines(rows: Iterable[Sequence[Any]]) -> str:
    """Return rows of a Markdown table."""
    return "\n".join(f"| {' | '.join(_in_markdown(cell) for cell in row)} |" for row in rows)


LINES: Final[Mapping[str, Callable[[Iterable[Sequence[Any]]], str]]] = {
    "csv": csv_lines,
    "tsv": tsv_lines,
    "markdown": markdown_lines,
}
"""What writes rows, by the name of a form."""


def header(form: str, names: Sequence[str]) -> list[Sequence[str]]:
    """Return the rows above a table: its columns' names, and in Markdown the line below them."""
    return [names, ["---"] * len(names)] if form == "markdown" else [names]


def answer_lines(answer: Answer, form: str = "csv") -> str:
    """Return the rows of an answer under the names of its variables."""
    tsv = form == "tsv"
    written: Callable[[Term], str] = _term if tsv else str
    named: Callable[[str], str] = (lambda label: _term(Literal(label))) if tsv else str
    mark = "?" if tsv else ""
    variables = answer.variables if answer.boolean is None else ("answer",)
    values = answer.rows if answer.boolean is None else ((answer.values[0],),)
    if form == "markdown":
        return markdown_lines([*header(form, answer.headers or variables), *values])
    things = [any(row[at] and isinstance(row[at].term, IRI) for row in values) for at in range(len(variables))]  # type: ignore[union-attr]
    names: list[str] = []
    for name, has_things in zip(variables, things, strict=True):
        names += [f"{mark}{name}", *([f"{mark}{name}_label"] if has_things else [])]
    rows = [names]
    for row in values:
        cells: list[str] = []
        for value, has_things in zip(row, things, strict=True):
            cells.append(written(value.term) if value else "")
            if has_things:
                cells.append(named(value.label) if value else "")
        rows.append(cells)
    return LINES[form](rows)


def batch_row(asked: Asked) -> tuple[Any, ...]:
    """Return what came of one of several questions, under `BATCH`; of a guess there is the reason and not the query."""
    answer = asked.answer
    about = (f"{answer.confidence:.2f}", answer.source, answer.query) if answer else ("", "", "")
    return (asked.question, asked.outcome, asked.reply, *about, f"{asked.seconds:.2f}")


def _term(term: Term) -> str:
    if isinstance(term, Literal) and (short := _SHORT.get(term.datatype)) and short.fullmatch(term.value):
        return term.value
    return term.n3().replace("\t", "\\t")


def _in_csv(cell: Any) -> Any:
    text = "" if cell is None else clean(str(cell))
    return f"'{text}" if text.startswith(_FORMULA) and not _NUMBER.fullmatch(text) else text


def _in_markdown(cell: Any) -> str:
    if isinstance(cell, Value):
        link = address(cell.term.value) if isinstance(cell.term, IRI) else ""
        return f"[{escaped(cell.shown)}]({link})" if link.startswith("<") else escaped(cell.shown)
    return escaped("" if cell is None else str(cell))
