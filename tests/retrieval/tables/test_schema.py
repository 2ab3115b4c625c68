from __future__ import annotations

from pathlib import Path

import pytest

from triad.errors import DataError
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable, read_schema

KEY = SqlColumn("id", "VARCHAR", required=True)
CAR = SqlTable(
    "Car",
    "class",
    (
        KEY,
        SqlColumn("price", "DECIMAL(18,2)", unit="EUR", samples=("5", "it's"), comment="when new"),
        SqlColumn("maker", "VARCHAR", references="Maker"),
    ),
    rows=1200,
    comment="cars",
)
MAKER = SqlTable("Maker", "class", (KEY, *(SqlColumn(f"column_{n}", "VARCHAR") for n in range(30))), rows=3)


def test_a_table_is_shown_as_a_statement_with_comments() -> None:
    assert CAR.create().splitlines() == [
        'CREATE TABLE "Car" ( -- cars; 1,200 rows',
        '  "id" VARCHAR PRIMARY KEY,',
        "  \"price\" DECIMAL(18,2), -- when new; in EUR; e.g. '5', 'it''s'",
        '  "maker" VARCHAR REFERENCES "Maker"(id)',
        ");",
    ]


def test_a_text_keeps_to_its_budget() -> None:
    schema = SqlSchema((CAR, MAKER, *(SqlTable(f"small_{n}", "links", (KEY,)) for n in range(50))))
    assert len(schema.text()) > 2000
    for tokens in (1, 20, 100, 300):
        assert len(schema.text(tokens)) <= 4 * tokens
    assert schema.text(100).splitlines()[0] == 'CREATE TABLE "Car" ( -- cars; 1,200 rows'
    assert '-- also "Maker": id, column_0' in schema.text(100)
    assert "-- and 15 more: column_15" in schema.text(400)


def test_comments_stay_on_their_line() -> None:
    nasty = SqlTable("t", "class", (SqlColumn("c", "VARCHAR", samples=("a\nDROP TABLE x; --",)),))
    assert len(nasty.create().splitlines()) == 3


def test_a_schema_is_kept_and_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="'triad index --tables' makes them"):
        read_schema(tmp_path)
    (tmp_path / "schema.json").write_text(SqlSchema((CAR,)).to_json(), encoding="utf-8")
    assert read_schema(tmp_path) == SqlSchema((CAR,))
    (tmp_path / "schema.json").write_text(SqlSchema(version=9).to_json(), encoding="utf-8")
    with pytest.raises(DataError, match="of another release"):
        read_schema(tmp_path)
