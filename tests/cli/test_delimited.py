"""Rows as CSV and TSV."""

from __future__ import annotations

import csv
import io

import pytest

from triad.answers import Answer
from triad.cli.delimited import answer_lines, csv_lines, tsv_lines
from triad.questions import Question
from triad.rdf import IRI, XSD, BlankNode, Literal, Value

ROWS = (
    (Value(IRI("http://example.org/a"), 'A, "the first"'), Value(Literal("-5", XSD + "integer"), "-5")),
    (Value(BlankNode("b0"), "b0"), Value(Literal("two\nlines\tand a tab", language="en"), "two lines")),
    (None, Value(Literal("2001-01-01", XSD + "date"), "2001-01-01")),
)
ANSWER = Answer(Question("?"), variables=("thing", "value"), rows=ROWS)


def test_csv_is_what_a_reader_of_csv_reads() -> None:
    assert list(csv.reader(io.StringIO(answer_lines(ANSWER)))) == [
        ["thing", "thing_label", "value"],
        ["http://example.org/a", 'A, "the first"', "-5"],
        ["_:b0", "b0", "two\nlines\tand a tab"],
        ["", "", "2001-01-01"],
    ]


def test_tsv_has_a_line_a_row() -> None:
    assert answer_lines(ANSWER, "tsv").splitlines() == [
        "?thing\t?thing_label\t?value",
        '<http://example.org/a>\t"A, \\"the first\\""\t-5',
        '_:b0\t"b0"\t"two\\nlines\\tand a tab"@en',
        f'\t\t"2001-01-01"^^<{XSD}date>',
    ]


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\n=1", "＝1+1", "＋1", "－2+3", "＠SUM(A1)"]
)
def test_a_spreadsheet_takes_no_cell_for_a_formula(cell: str) -> None:
    [[read]] = csv.reader(io.StringIO(csv_lines([[cell]])))
    assert read == "'" + cell


@pytest.mark.parametrize("cell", ["-5", "+1.5e-3", "-.5", "a=b", ""])
def test_numbers_and_texts_are_left_as_they_are(cell: str) -> None:
    assert [one for row in csv.reader(io.StringIO(csv_lines([[cell, "x"]]))) for one in row] == [cell, "x"]


def test_nothing_in_a_cell_steers_a_terminal() -> None:
    assert csv_lines([["\x1b[2Ja", "b\u202e"]]) == "[2Ja,b"
    assert tsv_lines([["\x9b1mx", "y\nz"]]) == "1mx\ty\\nz"
