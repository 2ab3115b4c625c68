from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from triad.cli.program import app
from triad.doctor import check_tables

pytest.importorskip("duckdb")

GRAPH = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:a a ex:Car ; rdfs:label "Ape" ; ex:price "€4,500" .
ex:b a ex:Car ; rdfs:label "Bee, new" ; ex:price "€900.00" .
"""


@pytest.fixture(scope="module")
def cars(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cars")
    (folder / "cars.ttl").write_text(GRAPH, encoding="utf-8")
    made = triad("index", str(folder / "cars.ttl"), "--to", str(folder / "cars"), "--tables")
    assert made.exit_code == 0, made.stderr
    return folder / "cars"


def triad(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.mark.slow
def test_the_schema_is_shown(cars: Path) -> None:
    shown = triad("tables", "show", "--graph", str(cars)).stdout
    assert shown.startswith('CREATE TABLE "Car" ( -- things of the class <http://example.org/Car>; 2 rows')
    assert '"price_EUR" DECIMAL(18,2)' in shown
    assert len(triad("tables", "show", "--graph", str(cars), "--tokens", "20").stdout) <= 81


@pytest.mark.slow
def test_tables_of_a_graph_that_has_changed_are_out_of_date(cars: Path, tmp_path: Path) -> None:
    folder, more = tmp_path / "cars", tmp_path / "more.ttl"
    shutil.copytree(cars, folder)
    triad("index", "--to", str(folder), "--tables")
    assert [one.ok for one in check_tables(folder)] == [True]
    more.write_text(GRAPH + "ex:c a ex:Car .", encoding="utf-8")
    triad("index", str(more), "--to", str(tmp_path / "other"))
    shutil.rmtree(folder / "store")
    shutil.copytree(tmp_path / "other" / "store", folder / "store")
    [finding] = check_tables(folder)
    assert (finding.ok, finding.detail) == (False, "they are out of date: the graph has changed since they were made")
    assert finding.mend == f"triad index --to {folder} --tables"
    assert list(check_tables(tmp_path / "other")) == []


def test_tables_are_made_of_files_and_in_a_folder(tmp_path: Path) -> None:
    endpoint = triad("index", "http://localhost:1/sparql", "--to", str(tmp_path / "x"), "--tables")
    assert endpoint.exit_code == 1
    assert "tables and passages are made of files" in endpoint.stderr
    (tmp_path / "cars.ttl").write_text(GRAPH, encoding="utf-8")
    labels = triad("index", str(tmp_path / "cars.ttl"), "--to", "elasticsearch:http://localhost:1/cars", "--tables")
    assert labels.exit_code == 1
    assert "a config whose labels are in Elasticsearch" in labels.stderr


@pytest.mark.slow
def test_rows_are_given_as_table_csv_and_json(cars: Path) -> None:
    query = ("tables", "query", "--graph", str(cars), "SELECT label, price_EUR FROM Car ORDER BY price_EUR")
    assert triad(*query).stdout == "label\tprice_EUR\nBee, new\t900\nApe\t4500\n"
    assert triad(*query, "--csv").stdout == 'label,price_EUR\n"Bee, new",900\nApe,4500\n'
    told = json.loads(triad(*query, "--json").stdout)
    assert told["rows"] == [["Bee, new", 900], ["Ape", 4500]]
    assert (told["columns"], told["truncated"]) == (["label", "price_EUR"], False)


@pytest.mark.slow
def test_rows_are_capped(cars: Path) -> None:
    query = ("tables", "query", "--graph", str(cars), "SELECT label FROM Car ORDER BY label", "--rows", "1", "--json")
    told = json.loads(triad(*query).stdout)
    assert (told["rows"], told["truncated"]) == ([["Ape"]], True)


@pytest.mark.slow(0.6)
def test_what_is_not_allowed_is_one_line(cars: Path) -> None:
    refused = triad("tables", "query", "--graph", str(cars), "DROP TABLE Car")
    assert refused.exit_code == 1
    assert "DROP is not allowed: queries can only read" in refused.stderr


@pytest.mark.slow(0.3)
def test_tables_of_an_index_that_is_there_are_made_anew(cars: Path) -> None:
    made = triad("index", "--to", str(cars), "--tables", "--json")
    assert json.loads(made.stdout)["tables"] == 1


def test_tables_of_an_endpoint_need_a_dump_and_are_told_how_it_is_named(tmp_path: Path) -> None:
    config = tmp_path / "far.yaml"
    config.write_text("graph: http://user:hush@127.0.0.1:9/sparql\n", encoding="utf-8")
    made = triad("index", str(config), "--tables")
    assert made.exit_code == 1
    assert "a dump of what an endpoint holds, as in triad index dump.nt.gz --to FOLDER --tables" in made.stderr
    assert "hush" not in made.stderr


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--tables"], "--to names the folder of an index"),
        (["--tables", "--to", "no-such-folder"], "is no folder of 'triad index' with a store"),
        (["x.ttl", "--tables", "--to", "elasticsearch:http://localhost:9200/x"], "are made of a store"),
    ],
)
def test_what_tables_cannot_be_made_of_is_told(arguments: list[str], fault: str) -> None:
    made = triad("index", *arguments)
    assert made.exit_code == 1
    assert fault in made.stderr
