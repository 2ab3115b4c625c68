"""The fifteen inputs at which converters of RDF to tables fail, and what else a graph may hold."""

from __future__ import annotations

import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from tests.retrieval.conftest import Make
from tests.retrieval.evidence_world import made_tables
from triad.kg.profile import ClassProfile, GraphProfile, RelationProfile
from triad.rdf import Literal
from triad.retrieval.tables.database import Tables
from triad.retrieval.tables.schema import SqlTable

pytestmark = pytest.mark.slow

EX = "http://example.org/"


def rows(tables: Tables, sql: str) -> list[tuple[Any, ...]]:
    """The rows of a query, IRIs in short, in order."""
    found = tables.query(sql).rows
    short = [tuple(value.removeprefix(EX) if isinstance(value, str) else value for value in row) for row in found]
    return sorted(short, key=repr)


def table(tables: Tables, name: str) -> SqlTable:
    return {one.name.casefold(): one for one in tables.schema}[name.casefold()]


def columns(tables: Tables, name: str) -> dict[str, str]:
    return {column.name: column.type for column in table(tables, name).columns}


def references(tables: Tables, name: str) -> dict[str, str]:
    return {column.name: column.references for column in table(tables, name).columns if column.references}


# The fifteen cases ----------------------------------------------------------------------------------------


def test_two_relations_between_the_same_classes_are_two_columns(tables_of: Make) -> None:
    tables = tables_of(
        "ex:ann a ex:Person ; ex:birthPlace ex:bonn ; ex:deathPlace ex:rome . ex:bonn a ex:City . ex:rome a ex:City ."
    )
    assert rows(tables, "SELECT id, birth_place, death_place FROM Person") == [("ann", "bonn", "rome")]
    assert references(tables, "Person") == {"birth_place": "City", "death_place": "City"}


def test_a_relation_to_two_classes_has_a_column_for_each_with_its_own_targets_only(tables_of: Make) -> None:
    tables = tables_of(
        "ex:ann a ex:Person ; ex:likes ex:momo . ex:bob a ex:Person ; ex:likes ex:alien . "
        "ex:momo a ex:Book . ex:alien a ex:Film ."
    )
    assert rows(tables, "SELECT id, likes_book, likes_film FROM Person") == [
        ("ann", "momo", None),
        ("bob", None, "alien"),
    ]
    assert references(tables, "Person") == {"likes_Book": "Book", "likes_Film": "Film"}


def test_a_relation_to_many_things_of_two_classes_has_a_link_table_for_each(tables_of: Make) -> None:
    tables = tables_of(
        "ex:ann a ex:Person ; ex:likes ex:momo, ex:ulysses, ex:alien, ex:heat . "
        "ex:momo a ex:Book . ex:ulysses a ex:Book . ex:alien a ex:Film . ex:heat a ex:Film ."
    )
    assert rows(tables, "SELECT * FROM Person_likes_Book") == [("ann", "momo"), ("ann", "ulysses")]
    assert rows(tables, "SELECT * FROM Person_likes_Film") == [("ann", "alien"), ("ann", "heat")]


def test_several_literals_of_a_thing_are_a_child_table(tables_of: Make) -> None:
    tables = tables_of('ex:ann a ex:Person ; ex:nick "Annie", "Nan"@en .')
    assert rows(tables, "SELECT id, value, value_lang FROM Person_nick") == [
        ("ann", "Annie", None),
        ("ann", "Nan", "en"),
    ]


def test_literals_and_links_of_one_relation_are_apart(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Car ; ex:colour ex:red . ex:b a ex:Car ; ex:colour "raw" . ex:red a ex:Colour .')
    assert rows(tables, "SELECT id, colour, colour_link FROM Car") == [("a", None, "red"), ("b", "raw", None)]
    assert references(tables, "Car") == {"colour_link": "Colour"}


def test_a_link_to_what_has_no_triples_leads_to_a_row(tables_of: Make) -> None:
    tables = tables_of("ex:a a ex:Car ; ex:next ex:b . ex:b a ex:Car ; ex:next ex:no_such_car .")
    assert rows(tables, "SELECT id, next FROM Car") == [("a", "b"), ("b", "no_such_car")]
    assert rows(tables, "SELECT id, label FROM thing") == [("no_such_car", "no such car")]
    assert rows(tables, "SELECT count(*) FROM Car") == [(2,)]


def test_blank_nodes_are_rows_with_ids_of_their_own(tables_of: Make) -> None:
    tables = tables_of("ex:a a ex:Car ; ex:price [ a ex:Price ; ex:amount 5 ], [ a ex:Price ; ex:amount 7 ] .")
    joined = "SELECT amount FROM Car_price JOIN Price ON Price.id = target_id"
    assert rows(tables, joined) == [(5,), (7,)]
    assert all(name.startswith("urn:blank:") for (name,) in rows(tables, "SELECT id FROM Price"))


def test_things_without_a_class_are_in_a_table(tables_of: Make) -> None:
    tables = tables_of('ex:a ex:size 5 . ex:b a ex:Car ; rdfs:label "B" .')
    assert rows(tables, "SELECT id, size FROM thing") == [("a", 5)]


def test_things_of_two_classes_are_in_both_tables_and_in_the_membership(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Car, ex:Product ; rdfs:label "A" . ex:b a ex:Product ; rdfs:label "B" .')
    assert rows(tables, "SELECT label FROM Product") == [("A",), ("B",)]
    assert rows(tables, "SELECT label FROM Car") == [("A",)]
    assert rows(tables, "SELECT label, class FROM membership") == [("A", "Car"), ("A", "Product"), ("B", "Product")]


def test_things_belong_to_the_classes_above_theirs_too(tables_of: Make) -> None:
    above = (
        "ex:Car rdfs:subClassOf ex:Vehicle . ex:Bike rdfs:subClassOf ex:Vehicle . ex:Vehicle rdfs:subClassOf ex:Ware ."
    )
    tables = tables_of(f'{above} ex:a a ex:Car ; rdfs:label "A" . ex:b a ex:Bike ; rdfs:label "B" . ex:c a ex:Ware .')
    belonging = "SELECT label FROM membership WHERE class = '{}' ORDER BY label"
    assert rows(tables, belonging.format("Vehicle")) == [("A",), ("B",)]
    assert rows(tables, belonging.format("Ware")) == [("A",), ("B",), ("c",)]
    assert rows(tables, "SELECT label FROM Ware") == [("c",)], "what is stated to be of it"
    said = table(tables, "membership").columns[2].comment
    assert "a class above: 'Vehicle' has Bike, Car; 'Ware' has Bike, Car" in said


def test_classes_above_each_other_are_no_end_of_classes(tables_of: Make) -> None:
    tables = tables_of("ex:A rdfs:subClassOf ex:B . ex:B rdfs:subClassOf ex:A . ex:x a ex:A .")
    assert rows(tables, "SELECT class FROM membership WHERE label = 'x' ORDER BY class") == [("A",), ("B",)]


def test_links_among_things_of_one_class_have_a_source_and_a_target(tables_of: Make) -> None:
    tables = tables_of("ex:a a ex:P ; ex:knows ex:b, ex:c . ex:b a ex:P ; ex:knows ex:a . ex:c a ex:P .")
    assert rows(tables, "SELECT source_id, target_id FROM P_knows") == [("a", "b"), ("a", "c"), ("b", "a")]
    assert references(tables, "P_knows") == {"source_id": "P", "target_id": "P"}


def test_names_behind_a_hash_are_columns(tables_of: Make) -> None:
    tables = tables_of('ex:a a v:Car ; v:name "A" ; v:order 1 ; <http://example.org/v#select-it> 2 .')
    assert rows(tables, 'SELECT "name", "order", select_it FROM "Car"') == [("A", 1, 2)]


def test_leading_zeros_stay_text(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Place ; ex:zip "00123" . ex:b a ex:Place ; ex:zip "53113" .')
    assert rows(tables, "SELECT zip FROM Place") == [("00123",), ("53113",)]
    assert columns(tables, "Place")["zip"] == "VARCHAR"


def test_ranges_are_two_numbers(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Car ; ex:use "5.9 - 16.3 l/100km" . ex:b a ex:Car ; ex:use "10 - 9.5 l/100km" .')
    found = "SELECT use, use_min, use_max FROM Car"
    assert rows(tables, found) == [("10 - 9.5 l/100km", 9.5, 10.0), ("5.9 - 16.3 l/100km", 5.9, 16.3)]
    assert [column.unit for column in table(tables, "Car").columns if column.name == "use_min"] == ["l/100km"]


def test_languages_have_a_column_and_datatypes_make_types(tables_of: Make) -> None:
    tables = tables_of(
        'ex:a a ex:Car ; ex:motto "Los"@de ; ex:size "1.25"^^xsd:decimal ; ex:wheels 4 ; '
        'ex:built "2020-05-01"^^xsd:date ; '
        'ex:seen "2020-05-01T10:00:00"^^xsd:dateTime ; ex:sold true ; ex:year "2020"^^xsd:gYear ; ex:load 1.5e3 ; '
        'ex:ride "P1DT2H30M"^^xsd:duration .'
    )
    assert columns(tables, "Car") == {
        "id": "VARCHAR", "label": "VARCHAR", "motto": "VARCHAR", "motto_lang": "VARCHAR", "size": "DECIMAL(18,2)",
        "wheels": "BIGINT", "built": "DATE", "seen": "TIMESTAMP", "sold": "BOOLEAN", "year": "BIGINT", "load": "DOUBLE",
        "ride": "VARCHAR", "ride_duration": "INTERVAL",
    }  # fmt: skip
    [row] = tables.query("SELECT motto, motto_lang, size, wheels, built, sold, year, load, ride_duration FROM Car").rows
    assert row == (
        "Los", "de", Decimal("1.25"), 4, datetime.date(2020, 5, 1), True, 2020, 1500.0,
        datetime.timedelta(days=1, hours=2, minutes=30),
    )  # fmt: skip


def test_a_large_graph_is_read_in_batches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.indexing.triples.BATCH", 2_000)
    count = 4_500  # more than two batches
    store = pyoxigraph.Store()
    lines = "".join(f'<{EX}{n}> <{EX}size> "{n}" .\n<{EX}{n}> a <{EX}Car> .\n' for n in range(count))
    store.bulk_load(input=lines, format=pyoxigraph.RdfFormat.TURTLE)
    told: list[int] = []
    report = made_tables(store, tmp_path, tell=lambda stage, done, _: told.append(done) if stage == "tables" else None)
    assert told == [2_000, 4_000, 6_000, 8_000, 9_000]
    assert report.triples == 2 * count
    with Tables(tmp_path) as tables:
        assert tables.query("SELECT count(*), sum(size) FROM Car").rows == ((count, count * (count - 1) // 2),)


# What texts hold ------------------------------------------------------------------------------------------


def test_numbers_with_units_stand_beside_their_text(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Car ; ex:weight "1,250 kg" . ex:b a ex:Car ; ex:weight "900kg" . ex:c a ex:Car .')
    assert rows(tables, "SELECT weight, weight_kg FROM Car") == [("1,250 kg", 1250.0), ("900kg", 900.0), (None, None)]


def test_datatypes_that_are_units_are_units(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Car ; ex:length "4.2"^^<http://dbpedia.org/datatype/metre> .')
    assert rows(tables, "SELECT length, length_metre FROM Car") == [("4.2", 4.2)]


def test_money_has_its_currency(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Car ; ex:price "1.599,00 €" . ex:b a ex:Car ; ex:price "$900" .')
    assert rows(tables, "SELECT price_number, price_currency FROM Car") == [
        (Decimal("1599.00"), "EUR"),
        (Decimal("900.00"), "USD"),
    ]


def test_dates_of_several_kinds_have_a_year(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:X ; ex:d "2020-05-01"^^xsd:date . ex:b a ex:X ; ex:d "1999"^^xsd:gYear .')
    assert rows(tables, "SELECT d, d_date, d_year FROM X") == [
        ("1999", None, 1999),
        ("2020-05-01", datetime.date(2020, 5, 1), 2020),
    ]


# What else a graph may hold -------------------------------------------------------------------------------


def test_a_triple_in_two_named_graphs_counts_once(tmp_path: Path) -> None:
    store = pyoxigraph.Store()
    a, size = pyoxigraph.NamedNode(EX + "a"), pyoxigraph.NamedNode(EX + "size")
    for graph in ("g", "h"):
        store.add(pyoxigraph.Quad(a, size, pyoxigraph.Literal(5), pyoxigraph.NamedNode(EX + graph)))
    made_tables(store, tmp_path)
    with Tables(tmp_path) as tables:
        assert rows(tables, "SELECT id, size FROM thing") == [("a", 5)]


def test_addresses_that_the_graph_says_nothing_about_are_no_rows(tables_of: Make) -> None:
    tables = tables_of("ex:a a ex:Car ; ex:picture <http://example.com/a.png> .")
    assert rows(tables, "SELECT picture FROM Car") == [("http://example.com/a.png",)]
    assert "thing" not in [one.name for one in tables.schema]


def test_links_to_things_of_many_classes_are_in_one_column(tables_of: Make) -> None:
    facts = " ".join(f"ex:s{n} a ex:Source ; ex:about ex:o{n} . ex:o{n} a ex:Kind{n} ." for n in range(6))
    tables = tables_of(facts)
    joined = "SELECT class FROM Source JOIN membership m ON m.id = about"
    assert rows(tables, joined) == [(f"Kind{n}",) for n in range(6)]


def test_what_a_table_has_no_room_for_stays_a_fact(tables_of: Make) -> None:
    tables = tables_of(" ".join(f"ex:a ex:r{n} {n} ." for n in range(130)) + " ex:a a ex:Car .")
    kept = tables.query("SELECT count(*) FROM fact").rows[0][0]
    assert len(columns(tables, "Car")) - 2 + kept == 130
    assert kept > 0


def test_values_that_no_type_holds_stay_text_and_do_no_harm(tables_of: Make) -> None:
    tables = tables_of(
        'ex:a a ex:Car ; ex:d "2020-13-45"^^xsd:date ; ex:i "99999999999999999999999" ; '
        'ex:p "€9,999,999,999,999,999,999" ; '
        "ex:t 'P99999999999999999D'^^xsd:duration ; ex:x 'line\\ntwo \\u0000 \\'quoted\\'' ; ex:y '' . "
        "ex:b a ex:Car ; ex:next <http://example.org/%F8> , ex:a ."
    )
    [row] = tables.query("SELECT d, d_date, i, i_number, p, p_EUR, t, t_duration, x, y FROM Car WHERE x <> ''").rows
    assert row[:4] == ("2020-13-45", None, "9" * 23, 1e23)
    assert row[4:8] == ("€9,999,999,999,999,999,999", None, "P99999999999999999D", None)
    assert row[8:] == ("line\ntwo \0 'quoted'", "")
    assert tables.query("SELECT id FROM thing").rows == (("http://example.org/%F8",),)


def test_an_empty_graph_has_no_tables(tables_of: Make) -> None:
    assert tables_of("").schema.tables == ()


def test_names_that_differ_in_capitals_only_are_told_apart(tables_of: Make) -> None:
    tables = tables_of("ex:a a ex:Car ; ex:Size 1 ; v:size 2 ; ex:id 3 ; ex:label 4 .")
    assert set(columns(tables, "Car")) == {"id", "label", "size", "size_2", "id_2", "label_2"}
    assert sorted(tables.query("SELECT size, size_2, id_2, label_2 FROM Car").rows[0]) == [1, 2, 3, 4]


def test_the_profile_gives_labels_and_units(tables_of: Make) -> None:
    profile = GraphProfile(
        classes=(ClassProfile(EX + "C1", (Literal("Auto", language="de"), Literal("motor car", language="en"))),),
        relations=(RelationProfile(EX + "P7", (Literal("top speed", language="en"),), units=("km/h",)),),
    )
    tables = tables_of("ex:a a ex:C1 ; ex:P7 180 .", profile=profile)
    assert rows(tables, "SELECT top_speed FROM motor_car") == [(180,)]
    assert "-- in km/h" in tables.schema.text()


def test_labels_are_in_english_where_there_are_several(tables_of: Make) -> None:
    tables = tables_of('ex:a a ex:Car ; rdfs:label "Wagen"@de, "Car"@en .')
    assert rows(tables, "SELECT label FROM Car") == [("Car",)]
    assert rows(tables, "SELECT value, value_lang FROM Car_label") == [("Car", "en"), ("Wagen", "de")]


def test_tables_that_are_made_again_are_the_same(tables_of: Make, tmp_path: Path) -> None:
    graph = 'ex:a a ex:Car ; ex:weight "5 kg" ; ex:likes ex:b . ex:b a ex:Car, ex:Toy ; ex:likes ex:a, ex:b .'
    first = tables_of(graph).schema.tables
    assert tables_of(graph).schema.tables == first
    assert [path.name for path in sorted((tmp_path / "tables").iterdir())] == ["data.duckdb", "schema.json"]


def test_each_link_of_the_bikes_leads_to_a_row(shared_data: Path, tmp_path: Path) -> None:
    from triad.kg.stores import load_rdf

    store = pyoxigraph.Store()
    load_rdf(store, shared_data / "products" / "ebikes" / "kg.ttl.gz")
    made_tables(store, tmp_path)
    with Tables(tmp_path) as tables:
        for one in tables.schema:
            for column in one.columns:
                if column.references:
                    lost = tables.query(
                        f'SELECT count(*) FROM "{one.name}" t WHERE t."{column.name}" IS NOT NULL AND NOT EXISTS '
                        f'(SELECT 1 FROM "{column.references}" r WHERE r.id = t."{column.name}") AND NOT EXISTS '
                        f'(SELECT 1 FROM thing r WHERE r.id = t."{column.name}")'
                    )
                    assert lost.rows == ((0,),), (one.name, column.name)
        average = (
            "SELECT avg(price_EUR), count(*) FROM EBike b JOIN ModelSeries s ON s.id = b.variant_of "
            "WHERE s.label = 'Aurvind Fjell'"
        )
        assert tables.query(average).rows == ((6099.0, 6),)
