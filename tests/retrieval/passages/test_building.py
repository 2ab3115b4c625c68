"""From a graph and documents to an index of passages: whole, again, and when something has changed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from tests.retrieval.search.test_index import WordVectors
from tests.services.fixtures import index_name
from triad.cli.program import app
from triad.configs import load_config
from triad.doctor import check_passages
from triad.errors import ConfigError
from triad.indexing.build import build
from triad.locks import lock_of, locked
from triad.opening import Setup
from triad.retrieval.passages.building import make_passages, make_passages_of, outdated, why_outdated
from triad.retrieval.search import open_passages
from triad.retrieval.sources import passages_of

pytestmark = pytest.mark.slow

pytest.importorskip("markdown_it")

GRAPH = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:ape a ex:Car ; rdfs:label "Ape 50" ; ex:madeBy ex:piaggio ; ex:weight "250 kg" .
ex:bee a ex:Car ; rdfs:label "Bee" ; ex:madeBy ex:piaggio ; ex:weight "1,250 kg" .
ex:piaggio a ex:Company ; rdfs:label "Piaggio" .
"""


@pytest.fixture(scope="module")
def cars(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of an index, as it is without passages."""
    folder = tmp_path_factory.mktemp("cars")
    (folder / "cars.ttl").write_text(GRAPH, encoding="utf-8")
    build(folder / "cars.ttl", folder / "cars")
    return folder / "cars"


@pytest.fixture
def folder(cars: Path, tmp_path: Path) -> Path:
    """A copy of the index, with a folder of documents beside it."""
    shutil.copytree(cars, tmp_path / "cars")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "test.md").write_text("# Test drive\n\nThe Ape 50 climbs any hill.", encoding="utf-8")
    (tmp_path / "docs" / "old.md").write_text("The Bee is slow.", encoding="utf-8")
    return tmp_path


def triad(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


def test_things_classes_and_documents_are_in_one_index(folder: Path) -> None:
    report = make_passages(folder / "cars", documents=folder / "docs")
    assert (report.passages, report.graph, report.documents) == (8, 6, 2)
    index = open_passages(folder / "cars")
    [hit, *_] = index.search("Which vehicle climbs a hill?")
    assert hit.passage.document == "test.md"
    assert hit.passage.things == ("http://example.org/ape",)
    assert index.search("weight of the Bee", 1)[0].passage.things == ("http://example.org/bee",)
    assert "http://example.org/Car class 1" in [one.passage.id for one in index.search("How many cars?")]


@pytest.mark.parametrize("vectors", [False, True])
def test_only_documents_that_have_changed_are_read_again(folder: Path, vectors: bool) -> None:
    embedder = WordVectors() if vectors else None
    make_passages(folder / "cars", documents=folder / "docs", embedder=embedder)
    (folder / "docs" / "old.md").unlink()
    (folder / "docs" / "new.md").write_text("The Bee is quick.", encoding="utf-8")
    assert outdated(folder / "cars" / "passages", folder / "cars", folder / "docs").startswith("1 documents are new")
    report = make_passages(folder / "cars", documents=folder / "docs", embedder=embedder)
    assert (report.passages, report.changed, report.removed) == (8, 1, 1)
    index = open_passages(folder / "cars", embedder)
    assert index.get(["old.md 1"]) == []
    assert index.search("quick slow", 1)[0].passage.id == "new.md 1"
    again = make_passages(folder / "cars", documents=folder / "docs", embedder=embedder)
    assert (again.passages, again.changed, again.removed) == (8, 0, 0)
    assert outdated(folder / "cars" / "passages", folder / "cars", folder / "docs") == ""


def test_what_was_made_of_something_else_is_out_of_date(folder: Path) -> None:
    place = folder / "cars" / "passages"
    assert "there are none" in outdated(place)
    make_passages(folder / "cars")
    assert outdated(place, folder / "cars") == ""
    assert outdated(place, folder / "cars", folder / "docs") == "they have no documents"
    (folder / "cars.ttl").write_text(GRAPH + "ex:cat a ex:Car .", encoding="utf-8")
    build(folder / "cars.ttl", folder / "other")
    assert outdated(place, folder / "other") == "the graph has changed since"
    report = make_passages(folder / "other", place)
    assert report.graph == 7


def test_a_build_that_fails_leaves_what_was_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_passages(folder / "cars")

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("triad.retrieval.passages.building.overviews", fail)
    with pytest.raises(KeyboardInterrupt):
        make_passages(folder / "cars", anew=True)
    assert len(open_passages(folder / "cars")) == 6
    assert {path.name for path in (folder / "cars").iterdir() if "passages" in path.name} == {"passages"}


def test_two_processes_do_not_write_at_once(folder: Path) -> None:
    draft = folder / "cars" / "passages.draft"
    with locked(lock_of(draft), "the passages"), pytest.raises(ConfigError, match="is writing to the passages"):
        make_passages(folder / "cars")


def test_a_config_names_documents_and_passages(folder: Path) -> None:
    (folder / "c.yaml").write_text("graph: cars\ndocuments: docs\npassages: made\n", encoding="utf-8")
    setup = Setup.of(load_config(folder / "c.yaml"))
    assert [finding.ok for finding in check_passages(setup)] == [False]
    report = make_passages_of(setup)
    assert (folder / "made").is_dir()
    opened = passages_of(setup)
    assert opened is not None
    assert len(opened) == report.passages == 8
    [finding] = check_passages(setup)
    assert (finding.ok, finding.detail[:10]) == (True, "8 passages")
    (folder / "docs" / "old.md").unlink()
    assert why_outdated(setup)
    [finding] = check_passages(setup)
    assert not finding.ok
    assert "are gone" in finding.detail


def test_a_graph_without_passages_has_none(folder: Path) -> None:
    setup = Setup(graph=str(folder / "cars"))
    assert passages_of(setup) is None
    assert check_passages(setup) == []


def test_the_command_line_makes_searches_and_shows_passages(folder: Path) -> None:
    cars = str(folder / "cars")
    made = triad("index", "--to", cars, "--passages", "--documents", str(folder / "docs"))
    assert made.exit_code == 0, made.stderr
    found = triad("passages", "search", "--graph", cars, "Which one climbs?", "--source", "documents", "--limit", "1")
    assert "The Ape 50 climbs any hill." in found.stdout
    asked = triad("passages", "search", "--graph", cars, "Bee", "--json", "--class", "http://example.org/Car")
    assert json.loads(asked.stdout)[0]["title"] == "Bee"
    shown = triad("passages", "show", "--graph", cars, "http://example.org/bee")
    assert "Weight: 1,250 kg (1250 kg)." in shown.stdout
    assert '<http://example.org/bee> <http://example.org/weight> "1,250 kg" .' in shown.stdout
    missing = triad("passages", "show", "--graph", cars, "Bee")
    assert missing.exit_code == 1
    assert "such as 'http://example.org/bee 1'" in missing.stderr
    wrong = triad("passages", "search", "--graph", cars, "Bee", "--source", "books")
    assert "unknown source 'books'" in wrong.stderr
    lonely = triad("index", "--to", cars, "--documents", str(folder / "docs"))
    assert "--passages" in lonely.stderr


def test_a_config_is_indexed_with_its_passages(folder: Path) -> None:
    (folder / "c.yaml").write_text("graph: cars\ndocuments: docs\n", encoding="utf-8")
    made = triad("index", str(folder / "c.yaml"), "--passages", "--json")
    assert made.exit_code == 0, made.stderr
    assert json.loads(made.stdout)["documents"] == 2


@pytest.mark.server
def test_passages_in_elasticsearch_are_brought_up_to_date(folder: Path, elasticsearch_url: str) -> None:
    with index_name(elasticsearch_url) as name:
        place = f"elasticsearch:{elasticsearch_url}/{name}"
        first = make_passages(folder / "cars", place, documents=folder / "docs", embedder=WordVectors())
        (folder / "docs" / "old.md").unlink()
        second = make_passages(folder / "cars", place, documents=folder / "docs", embedder=WordVectors())
        anew = make_passages(folder / "cars", place, documents=folder / "docs", embedder=WordVectors(), anew=True)
        assert [one.passages for one in (first, second, anew)] == [8, 7, 7]
        assert (second.changed, second.removed) == (0, 1)
        index = open_passages(place, WordVectors())
        assert index.search("climbs any hill", 1)[0].passage.document == "test.md"
        assert len(index) == 7
