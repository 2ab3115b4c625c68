"""Interrupted builds: killed at any moment and resumed, they make the same index."""

from __future__ import annotations

import bz2
import json
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
import tantivy

from tests.doubles import Clock
from triad.deadline import Pace
from triad.errors import ConfigError, DataError
from triad.indexing import crawl, pipeline
from triad.indexing.crawl import Crawl
from triad.indexing.entries import LabelProperties
from triad.indexing.pipeline import IndexReport, run
from triad.indexing.recipe import Endpoint, Recipe, load_recipe, recipe_of
from triad.indexing.targets import FolderBuilder
from triad.indexing.triples import Triples
from triad.kg.endpoint import EndpointGraph
from triad.kg.labels import WELL_KNOWN
from triad.kg.stores import open_store
from triad.search import open_index
from triad.search.base import Entry
from triad.search.local import LocalIndex

pytestmark = pytest.mark.slow

EX = "http://example.org/"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"

CHILD = """
import sys
from triad.indexing import pipeline
from triad.indexing.recipe import load_recipe
pipeline.run(load_recipe(sys.argv[1]), sys.argv[2], resume=True)
"""


def entries(folder: Path) -> list[Entry]:
    """Return the entries of a label index in the order in which they were added."""
    index = open_index(folder)
    assert isinstance(index, LocalIndex)
    found = index._reader.find(tantivy.Query.all_query(), 1_000_000, popular_first=False)
    return list(map(index._reader.entry, found))


def triples(folder: Path) -> list[str]:
    """Return the triples of a store, blank nodes without their names."""
    store = open_store(folder / "store")
    return sorted(
        " ".join("_" if isinstance(term, pyoxigraph.BlankNode) else str(term) for term in quad.triple) for quad in store
    )


@pytest.fixture(scope="module")
def recipe(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recipe of three files in the form of DBpedia's."""
    folder = tmp_path_factory.mktemp("recipe")
    files = {
        "labels": [f'<{EX}e{at}> <{RDFS}label> "thing {at}"@en .' for at in range(2000)],
        "redirects": [
            f"<{EX}r{at}> <http://dbpedia.org/ontology/wikiPageRedirects> <{EX}e{at}> ." for at in range(0, 2000, 5)
        ],
        "facts": [f"<{EX}e{at}> <{EX}p{at % 7}> <{EX}e{at * 3 % 2000}> ." for at in range(2000)]
        + [f'<{EX}e{at}> <{EX}colour> "dark red" .' for at in range(100)]
        + [f"_:b{at} <{EX}of> <{EX}e{at}> ." for at in range(50)]
        + ["nonsense"],
    }
    for name, lines in files.items():
        text = "\n".join(["# started", *lines, "# completed", ""])
        (folder / f"{name}_en.ttl.bz2").write_bytes(bz2.compress(text.encode()))
    sources = "".join(f"  - {{address: {name}_en.ttl.bz2, format: nt}}\n" for name in files)
    path = folder / "recipe.yaml"
    path.write_text(f"description: three files\nsources:\n{sources}", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def whole(recipe: Path) -> tuple[Path, IndexReport]:
    """What the recipe makes when nothing interrupts it."""
    folder = recipe.with_name("whole")
    return folder, run(load_recipe(recipe), folder)


def test_a_build_killed_at_random_moments_makes_the_same_index(recipe: Path, tmp_path: Path) -> None:
    def child(target: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([sys.executable, "-c", CHILD, recipe, tmp_path / target], stderr=subprocess.DEVNULL)

    def ended_after(process: subprocess.Popen[bytes], within: float = 180) -> float:
        started = time.monotonic()
        assert process.wait(within) == 0
        return time.monotonic() - started

    duration = ended_after(child("whole"))
    chance = random.Random(4)
    killed = 0
    while killed < 3:
        process = child("killed")
        try:
            duration = ended_after(process, chance.uniform(0.3, 1.0) * duration)
            shutil.rmtree(tmp_path / "killed")  # it was quicker than the one before
        except subprocess.TimeoutExpired:
            process.kill()
            killed += process.wait(180) == -signal.SIGKILL
    assert child("killed").wait(180) == 0
    assert entries(tmp_path / "killed") == entries(tmp_path / "whole")
    assert triples(tmp_path / "killed") == triples(tmp_path / "whole")
    assert not list(tmp_path.glob(".*-unfinished"))


class Killed(BaseException):
    pass


@pytest.mark.parametrize("moment", range(6))
def test_each_step_can_be_interrupted(
    recipe: Path, whole: tuple[Path, IndexReport], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: int
) -> None:
    moments = iter(range(100))
    real_note, real_add, real_finish = Triples.note, FolderBuilder.add, FolderBuilder.finish

    def interrupted(call: Callable[..., Any]) -> Callable[..., Any]:
        def instead(*args: Any, **options: Any) -> Any:
            if next(moments) == moment:
                raise Killed
            return call(*args, **options)

        return instead

    monkeypatch.setattr(Triples, "note", interrupted(real_note))
    monkeypatch.setattr(FolderBuilder, "add", interrupted(real_add))
    monkeypatch.setattr(FolderBuilder, "finish", interrupted(real_finish))
    with pytest.raises(Killed):
        run(load_recipe(recipe), tmp_path / "built")
    assert not (tmp_path / "built").exists()
    resumed = run(load_recipe(recipe), tmp_path / "built", resume=True)
    folder, report = whole
    assert (resumed.triples, resumed.entries, resumed.skipped) == (report.triples, report.entries, report.skipped)
    assert resumed.skipped_lines == report.skipped_lines
    assert entries(tmp_path / "built") == entries(folder)
    assert triples(tmp_path / "built") == triples(folder)


def test_resuming_what_is_complete_leaves_it_alone(recipe: Path, tmp_path: Path) -> None:
    first = run(load_recipe(recipe), tmp_path / "built")
    before = (tmp_path / "built" / "triad.json").stat().st_mtime_ns
    again = run(load_recipe(recipe), tmp_path / "built", resume=True)
    assert (again.triples, again.entries) == (first.triples, first.entries)
    assert (tmp_path / "built" / "triad.json").stat().st_mtime_ns == before


def test_another_recipe_does_not_go_on_with_what_was_begun(recipe: Path, tmp_path: Path) -> None:
    loaded = load_recipe(recipe)
    with pytest.raises(DataError, match=r"'facts_en\.ttl\.bz2', line 2152, is not valid"):
        run(loaded, tmp_path / "built", max_errors=0)
    other = loaded.model_copy(update={"names": LabelProperties(languages=("de",))})
    with pytest.raises(ConfigError, match="had another recipe or other files"):
        run(other, tmp_path / "built", resume=True)
    assert run(loaded, tmp_path / "built", resume=True).skipped == 1


def test_too_many_malformed_lines_are_an_error_also_in_sum(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.nt").write_text("nonsense\n")
    recipe = recipe_of([tmp_path / "a.nt", tmp_path / "b.nt"])
    with pytest.raises(DataError, match=r"'b\.nt', line 1.*, after 1 that"):
        run(recipe, tmp_path / "built", max_errors=1)
    report = run(recipe, tmp_path / "built", max_errors=2)
    assert [(line.file, line.line) for line in report.skipped_lines] == [("a.nt", 1), ("b.nt", 1)]


def test_a_folder_is_replaced_only_when_all_is_there(recipe: Path, tmp_path: Path) -> None:
    loaded = load_recipe(recipe)
    run(loaded, tmp_path / "built")
    with pytest.raises(ConfigError, match=r"exists; with --overwrite .*it is replaced"):
        run(loaded, tmp_path / "built")
    with pytest.raises(DataError):
        run(loaded, tmp_path / "built", overwrite=True, max_errors=0)
    assert len(entries(tmp_path / "built")) > 2000
    assert run(loaded, tmp_path / "built", overwrite=True).skipped == 1


def test_what_cannot_be_gone_on_with_is_begun_again(
    recipe: Path, whole: tuple[Path, IndexReport], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises(DataError):
        run(load_recipe(recipe), tmp_path / "built", max_errors=0)
    [database] = (tmp_path / ".built-unfinished").glob("*.duckdb")
    database.write_bytes(b"damaged")
    run(load_recipe(recipe), tmp_path / "built", resume=True)
    assert entries(tmp_path / "built") == entries(whole[0])


# Endpoints ------------------------------------------------------------------------------------------------

TURTLE = f"""
@prefix : <{EX}> . @prefix rdfs: <{RDFS}> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:likes rdfs:label "likes" .
:x skos:altLabel "only an alias" .
""" + "".join(f':e{at} a :Thing ; rdfs:label "thing {at}"@en ; :likes :e{at // 2} .\n' for at in range(60))


@pytest.fixture
def endpoint(sparql_server: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(pipeline, "_PAGES", 2)
    store = pyoxigraph.Store()
    store.load(TURTLE.encode(), pyoxigraph.RdfFormat.TURTLE)
    return sparql_server(store)


def recipe_for(server: Any, **options: Any) -> Recipe:
    return Recipe(description="d", endpoint=Endpoint(address=server.url, rate=10_000, page=7, **options))


def test_an_endpoint_is_indexed(endpoint: Any, tmp_path: Path) -> None:
    report = run(recipe_for(endpoint, user_agent="me (me@example.org)"), tmp_path / "built")
    assert {request.headers["User-Agent"] for request in endpoint.requests} == {"me (me@example.org)"}
    assert report.entries == {"entity": 61, "relation": 2, "class": 1}  # skos:altLabel is a relation, too
    found = {entry.iri: entry for entry in entries(tmp_path / "built")}
    assert found[EX + "e1"] == Entry(EX + "e1", "entity", "thing 1", (), "", (EX + "Thing",), 5)
    assert (found[EX + "likes"].label, found[EX + "likes"].popularity) == ("likes", 60)
    assert found[EX + "x"].aliases == ("only an alias",)
    description = json.loads((tmp_path / "built" / "triad.json").read_text())
    assert "store" not in description
    assert description["sources"] == [endpoint.url]


def test_a_visit_that_was_interrupted_goes_on(endpoint: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = recipe_for(endpoint)
    run(recipe, tmp_path / "whole")
    asked = len(endpoint.requests)
    pages = 0
    real = Crawl._page

    def page(self: Crawl, things: Any) -> Any:
        nonlocal pages
        pages += 1
        if pages == 6:
            raise Killed
        return real(self, things)

    monkeypatch.setattr(Crawl, "_page", page)
    with pytest.raises(Killed):
        run(recipe, tmp_path / "built")
    endpoint.requests.clear()
    run(recipe, tmp_path / "built", resume=True)
    assert len(endpoint.requests) < asked
    assert entries(tmp_path / "built") == entries(tmp_path / "whole")


def test_an_endpoint_is_asked_no_more_often_than_agreed(endpoint: Any) -> None:
    waits: list[float] = []
    clock = Clock()

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        clock.now += seconds

    settings = Endpoint(address=endpoint.url, rate=2, degrees=False)
    with EndpointGraph(endpoint.url) as graph:
        list(Crawl(graph, settings, LabelProperties(), pace=Pace(2, sleep, clock.monotonic)))
    assert set(waits) == {0.5}
    assert len(waits) == len(endpoint.requests) - 1


def test_names_are_found_by_what_their_relations_are_called(sparql_server: Any, tmp_path: Path) -> None:
    store = pyoxigraph.Store()
    store.load(f'<{EX}a> <{EX}name> "Ann" .'.encode(), pyoxigraph.RdfFormat.TURTLE)
    run(recipe_for(sparql_server(store)), tmp_path / "built")
    assert "Ann" in [entry.label for entry in entries(tmp_path / "built")]


def test_an_endpoint_without_names_is_an_error(sparql_server: Any, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no names: .*a recipe can name others under 'names'"):
        run(recipe_for(sparql_server(pyoxigraph.Store())), tmp_path / "built")


@pytest.mark.parametrize(("properties", "looks"), [(LabelProperties(labels=WELL_KNOWN), 0), (LabelProperties(), 2)])
def test_a_full_page_takes_as_many_requests_as_planned(endpoint: Any, properties: LabelProperties, looks: int) -> None:
    settings = Endpoint(address=endpoint.url, rate=10_000, page=50)
    with EndpointGraph(endpoint.url) as graph:
        next(iter(Crawl(graph, settings, properties)))
    assert len(endpoint.requests) == looks + crawl.requests_for(settings)
