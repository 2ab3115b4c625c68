"""Profiles beside the index: made with it, made anew by themselves, found by the agent, looked after by the doctor."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from elasticsearch import Elasticsearch
from typer.testing import CliRunner, Result

import triad
from triad.cli.program import app
from triad.configs import Config
from triad.doctor import Finding, examine
from triad.errors import ConfigError, GraphError
from triad.indexing import build, prepared, reading
from triad.indexing.pipeline import run
from triad.indexing.profiling import endpoint as endpoint_profile
from triad.indexing.profiling.kept import counted_profile
from triad.indexing.profiling.refresh import refresh
from triad.indexing.recipe import Endpoint, Recipe, load_recipe, recipe_of
from triad.kg.local import LocalGraph
from triad.kg.profile import PROFILE_FILE, GraphProfile, read_profile, write_profile
from triad.kg.stores import build_store
from triad.rdf import RDF_TYPE, RDFS
from triad.search.elastic.index import ElasticIndex

pytestmark = pytest.mark.slow(0.2)

EX = "http://example.org/"
TURTLE = f"""
@prefix : <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:momo a :Book ; rdfs:label "Momo" ; :author :ende .
:jim a :Book ; rdfs:label "Jim Button" ; :author :ende .
:ende a :Writer ; rdfs:label "Michael Ende" .
"""


@pytest.fixture
def books(tmp_path: Path) -> Path:
    path = tmp_path / "books.ttl"
    path.write_text(TURTLE)
    return path


@pytest.fixture
def endpoint(sparql_server: Any) -> Any:
    store = pyoxigraph.Store()
    store.load(TURTLE.encode(), pyoxigraph.RdfFormat.TURTLE)
    return sparql_server(store)


def recipe_for(server: Any, **options: Any) -> Recipe:
    return Recipe(description="d", endpoint=Endpoint(address=server.url, rate=10_000), **options)


def index(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["index", *map(str, arguments)])


def counted(profile: GraphProfile | None) -> tuple[int, list[tuple[str, int]]]:
    assert profile is not None
    return profile.triples, [(found.iri.removeprefix(EX), found.instances) for found in profile.classes]


BOOKS = (8, [("Book", 2), ("Writer", 1)])


def test_a_profile_is_made_while_files_are_indexed(books: Path, tmp_path: Path) -> None:
    build(books, tmp_path / "built")
    made = read_profile(tmp_path / "built")
    assert counted(made) == BOOKS
    assert made is not None
    assert made.fingerprint == json.loads((tmp_path / "built" / "triad.json").read_text())["fingerprint"] != ""


def test_files_that_are_asked_about_have_a_profile(books: Path) -> None:
    assert counted(read_profile(prepared(books))) == BOOKS


@pytest.mark.slow
def test_a_profile_that_is_kept_nowhere_is_counted_once_for_all_who_ask_the_graph(books: Path, tmp_path: Path) -> None:
    build_store([books], tmp_path / "store")
    with LocalGraph(tmp_path / "store") as graph, LocalGraph(tmp_path / "store") as again:
        made = counted_profile(graph, [RDFS + "label"])
        assert counted(made) == BOOKS
        assert counted_profile(again, [RDFS + "label"]) is made
        assert counted_profile(graph, [EX + "author"]) != made
    store = pyoxigraph.Store(str(tmp_path / "store"))
    store.add(
        pyoxigraph.Quad(
            pyoxigraph.NamedNode(EX + "x"), pyoxigraph.NamedNode(RDF_TYPE), pyoxigraph.NamedNode(EX + "Book")
        )
    )
    store.flush()
    del store
    with LocalGraph(tmp_path / "store") as changed:
        found = counted_profile(changed, [RDFS + "label"])
        assert found is not None
        assert found.triples == 9


@pytest.mark.slow
def test_a_recipe_can_do_without(books: Path, tmp_path: Path) -> None:
    for at, line in enumerate(("profile: false", "store: false")):
        recipe = tmp_path / f"{at}.yaml"
        recipe.write_text(f"description: d\nsources: [{{address: {books.name}}}]\n{line}\n")
        run(load_recipe(recipe), tmp_path / f"built{at}")
        assert read_profile(tmp_path / f"built{at}") is None


@pytest.mark.slow
def test_a_build_that_was_interrupted_makes_the_same_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at in range(3):
        lines = [f"<{EX}e{at}{n}> <{EX}p{n % 2}> <{EX}e{at}{n + 1}> ." for n in range(20)]
        (tmp_path / f"{at}.nt").write_text("\n".join([*lines, f"<{EX}e{at}0> <{RDF_TYPE}> <{EX}C> ."]))
    recipe = recipe_of([tmp_path / f"{at}.nt" for at in range(3)])
    run(recipe, tmp_path / "whole")
    real = reading.read
    read = 0

    def interrupted(*args: Any, **options: Any) -> Any:
        nonlocal read
        read += 1
        if read == 3:
            raise KeyboardInterrupt
        return real(*args, **options)

    monkeypatch.setattr("triad.indexing.pipeline.read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(recipe, tmp_path / "built")
    run(recipe, tmp_path / "built", resume=True)
    whole, resumed = read_profile(tmp_path / "whole"), read_profile(tmp_path / "built")
    assert whole is not None
    assert resumed is not None
    assert (resumed.classes, resumed.relations, resumed.triples) == (whole.classes, whole.relations, whole.triples)
    assert whole.triples == 63


def test_a_profile_is_asked_from_an_endpoint_that_is_indexed(endpoint: Any, tmp_path: Path) -> None:
    run(recipe_for(endpoint), tmp_path / "built")
    assert counted(read_profile(tmp_path / "built")) == BOOKS


def test_an_endpoint_that_cannot_count_has_an_index_all_the_same(
    endpoint: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any, **__: Any) -> GraphProfile:
        raise GraphError("too busy")

    monkeypatch.setattr(endpoint_profile, "survey", fails)
    assert run(recipe_for(endpoint), tmp_path / "built").entries["class"] == 2
    assert read_profile(tmp_path / "built") is None


# Made anew ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_profile_alone_is_made_anew_from_the_store(books: Path, tmp_path: Path) -> None:
    build(books, tmp_path / "built")
    before = read_profile(tmp_path / "built")
    (tmp_path / "built" / PROFILE_FILE).unlink()
    result = index("--profile", "--to", tmp_path / "built")
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines()[1:] == ["triples\t8", "classes\t2", "relations\t2"]
    made = read_profile(tmp_path / "built")
    assert made is not None
    assert before is not None
    assert replace(made, created="") == replace(before, created="")
    assert made.prefixes == {"": EX, "rdfs": "http://www.w3.org/2000/01/rdf-schema#"}


@pytest.mark.slow
def test_the_profile_alone_is_made_anew_from_files(books: Path, tmp_path: Path) -> None:
    build(books, tmp_path / "built")
    (tmp_path / "built" / PROFILE_FILE).unlink()
    result = index(books, "--profile", "--to", tmp_path / "built", "--json")
    assert json.loads(result.stdout)["triples"] == 8
    made = read_profile(tmp_path / "built")
    assert made is not None
    assert made.fingerprint == json.loads((tmp_path / "built" / "triad.json").read_text())["fingerprint"]


def test_the_profile_alone_is_made_anew_from_an_endpoint(endpoint: Any, tmp_path: Path) -> None:
    run(recipe_for(endpoint, profile=False), tmp_path / "built")
    assert read_profile(tmp_path / "built") is None
    refresh(tmp_path / "built", recipe_for(endpoint), downloads=tmp_path)
    assert counted(read_profile(tmp_path / "built")) == BOOKS


def test_there_must_be_an_index_that_a_profile_can_go_with(books: Path, tmp_path: Path, endpoint: Any) -> None:
    with pytest.raises(ConfigError, match="has no index yet"):
        refresh(tmp_path / "none", recipe_of([books]), downloads=tmp_path)
    run(recipe_for(endpoint, profile=False), tmp_path / "names")
    with pytest.raises(ConfigError, match="with a store; name the files or the endpoint"):
        refresh(tmp_path / "names", downloads=tmp_path)
    assert "--to names the folder" in index("--profile").output


def test_sources_are_needed_for_all_else(tmp_path: Path) -> None:
    result = index("--to", tmp_path / "built")
    assert result.exit_code == 1
    assert "SOURCES" in result.output


# Found, and looked after --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_an_agent_has_the_profile_of_files_folders_and_the_index_of_an_endpoint(
    books: Path, tmp_path: Path, endpoint: Any
) -> None:
    build(books, tmp_path / "built")
    run(recipe_for(endpoint), tmp_path / "names")
    for graph, names in ((books, None), (tmp_path / "built", None), (endpoint.url, tmp_path / "names")):
        with triad.Agent(graph, names, model="none") as agent:
            assert counted(agent.profile) == BOOKS
    with triad.Agent(endpoint.url, model="none") as agent:
        assert agent.profile is None


@pytest.mark.slow
def test_a_profile_that_cannot_be_read_is_left_aside(books: Path, tmp_path: Path) -> None:
    build(books, tmp_path / "built")
    write_profile(GraphProfile(version=0), tmp_path / "built")
    with triad.Agent(tmp_path / "built", model="none") as agent:
        assert agent.profile is None
        assert agent.ask("Who is the author of Momo?").text == "Michael Ende"


def finding(graph: Path | str, names: Path | None = None) -> Finding:
    config = Config(graph=str(graph), index=str(names) if names else None)
    (found,) = (found for found in examine(config) if found.check == "profile")
    return found


@pytest.mark.slow
def test_the_doctor_looks_after_the_profile(books: Path, tmp_path: Path, endpoint: Any) -> None:
    build(books, tmp_path / "built")
    good = finding(tmp_path / "built")
    assert good.ok
    assert good.detail.startswith("2 classes and 2 relations, made 20")
    write_profile(GraphProfile(fingerprint="other"), tmp_path / "built")
    assert not (stale := finding(tmp_path / "built")).ok
    assert stale.detail == "it is out of date: the graph was made of other files"
    assert stale.mend == f"triad index --profile --to {tmp_path / 'built'}"
    assert index(*stale.mend.split()[2:]).exit_code == 0
    assert finding(tmp_path / "built").ok
    (tmp_path / "built" / PROFILE_FILE).unlink()
    assert (missing := finding(tmp_path / "built")).ok
    assert missing.detail.startswith("there is none")
    assert missing.mend == stale.mend
    assert finding(endpoint.url).mend == (
        f"triad index {endpoint.url} --to FOLDER, and then name the folder with --index"
    )

    run(recipe_for(endpoint), tmp_path / "names")
    assert finding(endpoint.url, tmp_path / "names").ok
    write_profile(GraphProfile(triples=900), tmp_path / "names")
    assert (stale := finding(endpoint.url, tmp_path / "names")).detail == (
        "it is out of date: it was made of 900 triples, and now there are 8"
    )
    assert stale.mend == f"triad index {endpoint.url} --profile --to {tmp_path / 'names'}"


# In Elasticsearch ---------------------------------------------------------------------------------------------


@pytest.fixture
def address(elasticsearch_url: str) -> Iterator[str]:
    name = f"test-{uuid.uuid4().hex[:12]}"
    yield f"elasticsearch:{elasticsearch_url}/{name}"
    with Elasticsearch(elasticsearch_url) as client:
        client.indices.delete(index=list(client.indices.get(index=f"{name}*")))


def test_in_elasticsearch_a_profile_has_an_index_of_its_own(address: str, books: Path, endpoint: Any) -> None:
    with ElasticIndex(address) as found:
        assert found.profile() is None
        run(recipe_of([books]), address)
        assert counted(found.profile()) == BOOKS
        assert found.store.unfinished() == []
        assert found.search("Momo")[0].iri == EX + "momo"
    with triad.Agent(endpoint.url, address, model="none") as agent:
        assert counted(agent.profile) == BOOKS
    before = agent.profile
    assert before is not None
    refresh(address, recipe_for(endpoint), downloads=books.parent)
    with ElasticIndex(address) as found:
        made = found.profile()
        assert made is not None
        assert made.fingerprint != before.fingerprint
