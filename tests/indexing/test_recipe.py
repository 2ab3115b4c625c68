from __future__ import annotations

import bz2
import gzip
import os
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cases import cases
from triad import resources
from triad.errors import ConfigError, ResourceNotFound
from triad.indexing.pipeline import run
from triad.indexing.recipe import Recipe, Source, is_address, load_recipe, recipe_of
from triad.search import open_index
from triad.search.base import Entry
from triad.search.local import LocalIndex

SHIPPED = sorted((resources.bundled_root() / "index").glob("*.yaml"))
RDFS = "http://www.w3.org/2000/01/rdf-schema#"


def write(folder: Path, text: str) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(text, encoding="utf-8")
    return path


# Shipped recipes ------------------------------------------------------------------------------------------


def test_recipes_are_shipped() -> None:
    assert {path.stem for path in SHIPPED} >= {"dbpedia", "wikidata", "yago", "yago45"}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_a_shipped_recipe_can_be_used_and_run(path: Path) -> None:
    recipe = load_recipe(path.stem)
    assert recipe.description
    assert all(is_address(source.address) and source.holds and source.expected_size for source in recipe.sources)
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env -S triad index\n")
    assert os.access(path, os.X_OK)
    assert "# Cost: " in path.read_text(encoding="utf-8")


# The publishers' formats, in small ------------------------------------------------------------------------


def build(recipe_name: str, files: dict[str, bytes], folder: Path, server: Any) -> dict[str, Entry]:
    """Carry out a shipped recipe on files of a server of one's own; return the entries by IRI."""
    recipe = load_recipe(recipe_name)
    sources = []
    for source in recipe.sources:
        address = server.put(source.name, files.pop(source.name, b""))
        sources.append(source.model_copy(update={"address": address}))
    assert not files
    run(recipe.model_copy(update={"sources": tuple(sources)}), folder / "built", downloads=folder / "downloads")
    index = open_index(folder / "built")
    assert isinstance(index, LocalIndex)
    return {entry.iri: entry for entry in entries(index)}


def entries(index: LocalIndex) -> list[Entry]:
    import tantivy

    found = index._reader.find(tantivy.Query.all_query(), 100_000, popular_first=False)
    return list(map(index._reader.entry, found))


def dbpedia(*lines: str) -> bytes:
    text = "\n".join(["# started 2017-07-06T12:05:32Z", *lines, "# completed 2017-07-06T12:09:13Z", ""])
    return bz2.compress(text.encode())


@pytest.mark.slow(0.6)
def test_dbpedia_joins_labels_redirects_abstracts_and_types(dump_server: Any, tmp_path: Path) -> None:
    resource, ontology = "http://dbpedia.org/resource/", "http://dbpedia.org/ontology/"
    city = f"<{resource}New_York_City>"
    empty = dbpedia()
    files = {
        "dbpedia_2016-10.nt": f'<{ontology}City> <{RDFS}label> "city"@en .\n'.encode(),
        "labels_en.ttl.bz2": dbpedia(
            f'{city} <{RDFS}label> "New York City"@en .',
            f'<{resource}NYC> <{RDFS}label> "NYC"@en .',
            f'<{resource}Category:Cities> <{RDFS}label> "Cities"@en .',
            "a line that is not valid",
        ),
        "redirects_en.ttl.bz2": dbpedia(
            f"<{resource}NYC> <{ontology}wikiPageRedirects> {city} .",
            f"<{resource}Big_Apple> <{ontology}wikiPageRedirects> {city} .",
        ),
        "short_abstracts_en.ttl.bz2": dbpedia(f'{city} <{RDFS}comment> "The most populous city."@en .'),
        "instance_types_en.ttl.bz2": dbpedia(
            f"{city} <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <{ontology}City> ."
        ),
        "mappingbased_objects_en.ttl.bz2": dbpedia(f"{city} <{ontology}country> <{resource}United_States> ."),
        "mappingbased_literals_en.ttl.bz2": empty,
    }
    found = build("dbpedia", files, tmp_path, dump_server)
    assert found[f"{resource}New_York_City"] == Entry(
        f"{resource}New_York_City",
        "entity",
        "New York City",
        ("Big Apple", "NYC"),
        "The most populous city.",
        (f"{ontology}City",),
        6,
    )
    assert found.keys() == {
        f"{resource}New_York_City",
        f"{resource}United_States",
        f"{ontology}City",
        f"{ontology}country",
        f"{ontology}wikiPageRedirects",
    }
    assert found[f"{ontology}City"].kind == "class"


@pytest.mark.slow(0.5)
def test_yago_4_is_read(dump_server: Any, tmp_path: Path) -> None:
    yago = "http://yago-knowledge.org/resource/"
    labels = f"""<{yago}Ann> <{RDFS}label> "Anna"@de .
<{yago}Ann> <{RDFS}label> "Ann"@en .
<{yago}Ann> <http://schema.org/alternateName> "Annie"@en .
"""
    facts = f"<{yago}Ann> <http://schema.org/spouse> <{yago}Bob> .\n"
    schema = f'<http://schema.org/spouse> <{RDFS}label> "spouse" .\n'
    files = {
        "yago-wd-schema.nt.gz": gzip.compress(schema.encode()),
        "yago-wd-class.nt.gz": gzip.compress(b"# none\n"),
        "yago-wd-labels.nt.gz": gzip.compress(labels.encode()),
        "yago-wd-simple-types.nt.gz": gzip.compress(b"# none\n"),
        "yago-wd-facts.nt.gz": gzip.compress(facts.encode()),
    }
    found = build("yago", files, tmp_path, dump_server)
    assert (found[yago + "Ann"].label, found[yago + "Ann"].aliases) == ("Ann", ("Anna", "Annie"))
    assert found["http://schema.org/spouse"].kind == "relation"


@pytest.mark.slow(0.3)
def test_yago_4_5_is_an_archive_of_turtle(dump_server: Any, tmp_path: Path) -> None:
    yago = "http://yago-knowledge.org/resource/"
    prefixes = f"@prefix yago: <{yago}> .\n@prefix schema: <http://schema.org/> .\n@prefix rdfs: <{RDFS}> .\n"
    path = tmp_path / "yago.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("yago-schema.ttl", prefixes + 'schema:spouse rdfs:label "spouse"@en .\n')
        archive.writestr("yago-taxonomy.ttl", prefixes + "yago:Human rdfs:subClassOf schema:Person .\n")
        archive.writestr(
            "yago-facts.ttl",
            prefixes + 'yago:Ann\ta\tschema:Person ; rdfs:label "Ann"@en ; schema:alternateName "Annie"@en .\n',
        )
        archive.writestr("yago-beyond-wikipedia.ttl", "left out, and so never parsed")
    found = build("yago45", {"yago-4.5.0.2.zip": path.read_bytes()}, tmp_path, dump_server)
    assert found[yago + "Ann"].types == ("http://schema.org/Person",)
    assert found[yago + "Ann"].aliases == ("Annie",)


@pytest.mark.slow(0.3)
def test_relations_of_wikidata_have_the_names_of_their_properties(dump_server: Any, tmp_path: Path) -> None:
    wd, wdt = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/direct/"
    text = f"""<{wd}P50> <{RDFS}label> "author"@en .
<{wd}P50> <http://www.w3.org/2004/02/skos/core#prefLabel> "author"@en .
<{wd}P50> <http://schema.org/name> "author"@en .
<{wd}P50> <http://www.w3.org/2004/02/skos/core#altLabel> "writer"@en .
<{wd}P50> <http://schema.org/description> "who wrote it"@en .
<{wd}P50> <http://wikiba.se/ontology#directClaim> <{wdt}P50> .
<{wd}Q1> <{wdt}P50> <{wd}Q2> .
<{wd}Q1> <{wdt}P31> <{wd}Q571> .
<{wd}Q1> <{RDFS}label> "Momo"@en .
<{wd}Q571> <{RDFS}label> "book"@en .
"""
    found = build("wikidata", {"latest-truthy.nt.bz2": bz2.compress(text.encode())}, tmp_path, dump_server)
    author = found[wdt + "P50"]
    assert (author.kind, author.label, author.description) == ("relation", "author", "who wrote it")
    assert author.aliases == ("writer", "P50")
    assert found[wd + "Q571"].kind == "class"
    assert found[wd + "Q1"].types == (wd + "Q571",)
    assert wd + "P50" not in found


@pytest.mark.slow(0.4)
def test_page_links_make_popular(tmp_path: Path) -> None:
    ex = "http://example.org/"
    (tmp_path / "labels.nt").write_text("".join(f'<{ex}{x}> <{RDFS}label> "{x}" .\n' for x in "ab"))
    (tmp_path / "links.nt").write_text("".join(f"<{ex}{at}> <{ex}links> <{ex}b> .\n" for at in range(3)))
    recipe = load_recipe(
        write(
            tmp_path,
            "description: d\npopularity: links\nsources:\n  - address: labels.nt\n"
            "  - address: links.nt\n    use: links\n",
        )
    )
    run(recipe, tmp_path / "built")
    index = open_index(tmp_path / "built")
    assert isinstance(index, LocalIndex)
    assert {entry.iri: entry.popularity for entry in entries(index)} == {ex + "a": 0, ex + "b": 3}


# Reading recipes ------------------------------------------------------------------------------------------


def test_paths_start_at_the_recipes_folder(tmp_path: Path) -> None:
    recipe = load_recipe(write(tmp_path, "description: d\nsources: [{address: data/a.nt}]"))
    assert recipe.sources[0].path == tmp_path / "data" / "a.nt"


def test_sizes_have_units() -> None:
    assert Source.model_validate({"address": "a.nt", "about": "1.5 GB"}).about == 1_500_000_000


@pytest.mark.parametrize(("text", "message"), cases(__file__, "test_what_cannot_be_used_is_named"))
def test_what_cannot_be_used_is_named(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        load_recipe(write(tmp_path, text))


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(ResourceNotFound, match=r"known: .*dbpedia.*wikidata"):
        load_recipe("freebase")


def test_files_addresses_of_dumps_and_endpoints_are_recipes() -> None:
    assert [source.name for source in recipe_of(["a.ttl", "http://e.org/b.nt.gz"]).sources] == ["a.ttl", "b.nt.gz"]
    endpoint = recipe_of(["https://example.org/sparql"]).endpoint
    assert endpoint is not None
    assert endpoint.address == "https://example.org/sparql"
    with pytest.raises(ConfigError, match="indexed by itself"):
        recipe_of(["https://example.org/sparql", "a.ttl"])


def test_the_rate_is_of_an_endpoint() -> None:
    recipe = Recipe.model_validate({"description": "x", "endpoint": {"address": "http://localhost/sparql"}})
    changed = recipe.with_rate(50).endpoint
    assert changed is not None
    assert changed.rate == 50
    with pytest.raises(ConfigError, match="--rate is for an endpoint"):
        load_recipe("wikidata").with_rate(50)
