from __future__ import annotations

from pathlib import Path

import pytest

from tests.retrieval.conftest import Make
from triad.errors import ConfigError
from triad.retrieval.tables.edits import load_edits

GRAPH = 'ex:a a ex:Car ; ex:weight "5 kg" ; ex:maker ex:m ; ex:tag "x", "y" . ex:m a ex:Maker ; ex:code "007" .'


def edits_of(folder: Path, text: str) -> Path:
    path = folder / "tables.yaml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.slow
def test_tables_and_columns_are_renamed_commented_and_left_out(tables_of: Make, tmp_path: Path) -> None:
    path = edits_of(
        tmp_path,
        """
        tables:
          Car:
            name: vehicle
            comment: all that drives
            columns:
              weight_kg: {name: mass, comment: when empty}
              weight: {leave_out: true}
          Car_tag: {leave_out: true}
          Maker: {name: firm}
        """,
    )
    tables = tables_of(GRAPH, edits=load_edits(path))
    assert [table.name for table in tables.schema] == ["vehicle", "firm"]
    assert tables.query("SELECT mass, code FROM vehicle v JOIN firm f ON f.id = v.maker").rows == ((5.0, "007"),)
    text = tables.schema.text()
    assert '"maker" VARCHAR NOT NULL REFERENCES "firm"(id)' in text
    assert "-- all that drives; 1 row\n" in text
    assert '"mass" DOUBLE, -- when empty; in kg' in text
    assert '"weight"' not in text


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("tables: {Cars: {name: x}}", "there is no table called 'Cars'; known: Car, Car_tag, Maker"),
        ("tables: {Car: {columns: {mass: {name: x}}}}", "there is no column of 'Car' called 'mass'; known: id, label"),
        ("tables: {Car: {columns: {id: {leave_out: true}}}}", "the column 'id' of 'Car' is a key"),
        ("tables: {Car: {name: maker}}", "two tables would be called 'Maker'"),
        ("tables: {Car: {columns: {maker: {name: LABEL}}}}", "two columns of 'Car' would be called 'LABEL'"),
        ("tables: {Car: {nam: x}}", "unknown key 'tables.Car.nam'; known here: columns, comment, leave_out, name"),
        ("table: {}", "unknown key 'table'; known here: tables"),
    ],
)
def test_what_does_not_fit_is_named(tables_of: Make, tmp_path: Path, text: str, fault: str) -> None:
    with pytest.raises(ConfigError) as caught:
        tables_of(GRAPH, edits=load_edits(edits_of(tmp_path, text)))
    assert fault in str(caught.value)
