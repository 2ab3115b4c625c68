"""Of the tables a prompt shows what the question may need; the others are named."""

from __future__ import annotations

import pytest

from triad.language.analysis import analyse
from triad.language.glossary import Glossary
from triad.language.pack import load_pack
from triad.phases.grounding.relevance import Relevance
from triad.retrieval.tables.schema import SqlColumn, SqlSchema, SqlTable
from triad.retrieval.vocabulary import TableRanking

EX = "http://example.org/"


def column(name: str, **fields: object) -> SqlColumn:
    kind = str(fields.pop("type", "VARCHAR"))
    return SqlColumn(name, kind, relation=EX + name, **fields)  # type: ignore[arg-type]


def table(name: str, *columns: SqlColumn, **fields: str) -> SqlTable:
    kind = fields.get("kind", "class")
    keys = () if kind == "links" else (SqlColumn("id", "VARCHAR"), SqlColumn("label", "VARCHAR"))
    return SqlTable(name, kind, (*keys, *columns), 10, EX + name)  # type: ignore[arg-type]


FILLER = tuple(column(f"note_{letter * 9}") for letter in "bcdfg")
SCHEMA = SqlSchema(
    (
        table(
            "Bike",
            column("weight_kg", type="DOUBLE"),
            column("price", samples=("€6,499", "€3,199")),
            column("colour", samples=("Moss", "Sand"), all_values=True),
            column("battery", references="Battery"),
            *FILLER,
        ),
        table("Battery", column("capacity_Wh", type="DOUBLE"), *FILLER),
        table("Dealer", column("city", samples=("Lindau",)), *FILLER),
        table("Warranty", *(column(f"clause_{letter * 40}") for letter in "bcdfghjklm")),
        table(
            "Dealer_sells",
            SqlColumn("source_id", "VARCHAR", references="Dealer"),
            SqlColumn("target_id", "VARCHAR", references="Bike"),
            kind="links",
        ),
    )
)


def ranked(question: str) -> TableRanking:
    return TableRanking(SCHEMA, Relevance(analyse(question, load_pack("en")), (), Glossary()), [load_pack("en")])


def lines(question: str, *about: str, room: int = 3_000) -> dict[str, str]:
    found = ranked(question).lines([EX + one for one in about], room)
    return {line.split(" ")[0].strip('"'): line for line in found}


def test_tables_that_a_question_asks_for_come_first_and_what_their_asked_links_lead_to() -> None:
    assert list(lines("Which bike has the largest battery?"))[:2] == ["Battery", "Bike"]


def test_columns_that_matter_are_shown_with_what_they_hold_and_the_others_by_name() -> None:
    line = lines("What is the price of the Fjell?", "Bike")["Bike"]
    assert line.startswith('"Bike" (id, label, price ["€6,499", "€3,199", …]; also weight_kg, colour, battery, note_')
    assert lines("Which ones come in moss?")["Bike"].startswith('"Bike" (id, label, colour ["Moss", "Sand"];')


def test_of_tables_that_a_question_hardly_needs_only_the_names_and_how_many_are_shown() -> None:
    found = lines("What is the price of the Fjell?", "Bike")
    assert "Warranty" not in found
    [rest] = [line for line in found.values() if "more table" in line]
    assert rest.startswith("1 more table, ")
    assert '"Warranty"' in rest


def test_what_links_two_classes_that_are_named_is_needed() -> None:
    assert "Dealer_sells" in list(lines("Where is it?", "Bike", "Dealer"))[:3]


def test_a_table_that_sql_named_is_shown_in_full_from_then_on() -> None:
    tables = ranked("What is the price of the Fjell?")
    tables.open('SELECT * FROM "Dealer" LIMIT 3')
    [line] = [line for line in tables.lines([], 3_000) if line.startswith('"Dealer" ')]
    assert line.startswith('"Dealer" (id, label, city ["Lindau", …], note_')
    assert "also" not in line


@pytest.mark.parametrize("room", [200, 600, 900, 3_000])
def test_tables_keep_to_their_room(room: int) -> None:
    found = ranked("Which dealer sells the bike with the largest battery?").lines([], room)
    assert sum(len(line) + 1 for line in found) <= room
    assert "more table" in found[-1]


def test_what_no_table_has_bears_on_none() -> None:
    assert not ranked("How many nurses speak Welsh?").bears()
    assert ranked("How many dealers are there?").bears()
    assert ranked("What comes in moss?").bears()
