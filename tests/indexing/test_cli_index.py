from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest
from elasticsearch import Elasticsearch
from typer.testing import CliRunner, Result

from tests.services.fixtures import index_name
from triad.cli import display
from triad.cli.program import app
from triad.deadline import Pace
from triad.indexing.recipe import load_recipe
from triad.kg import open_graph
from triad.search import open_index
from triad.search.elastic.filling import ElasticStore

pytestmark = pytest.mark.slow

EX = "http://example.org/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
LINE = f'<{EX}a> <{LABEL}> "Ann" .\n'


def index(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["index", *map(str, arguments)])


@pytest.fixture
def recipe(dump_server: Any, tmp_path: Path) -> Path:
    address = dump_server.put("labels_en.ttl", LINE.encode())
    path = tmp_path / "small.yaml"
    path.write_text(
        f"description: a small graph\nsources:\n  - {{address: '{address}', holds: labels, size: {len(LINE)}}}\n"
    )
    return path


def test_a_recipe_is_carried_out(recipe: Path, tmp_path: Path) -> None:
    result = index(recipe, "--to", tmp_path / "built", "--downloads", tmp_path / "downloads")
    assert result.exit_code == 0
    assert "triples\t1\n" in result.stdout
    assert f"--graph {tmp_path / 'built'}" in result.stderr
    assert open_index(tmp_path / "built").search("Ann")[0].iri == EX + "a"
    assert [path.name for path in (tmp_path / "downloads").rglob("*.ttl")] == ["labels_en.ttl"]


def test_a_recipe_is_found_by_name(recipe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "index").mkdir()
    recipe.rename(tmp_path / "index" / "small.yaml")
    monkeypatch.setenv("TRIAD_PATH", str(tmp_path))
    assert "labels_en.ttl" in index("small", "--dry-run").stdout
    monkeypatch.chdir(tmp_path)
    for again in ([], ["--overwrite"]):
        assert index("small", "--to", "small", "--downloads", "downloads", *again).exit_code == 0


def test_a_dry_run_tells_what_would_be_fetched(recipe: Path, dump_server: Any, tmp_path: Path) -> None:
    result = index(recipe, "--dry-run", "--downloads", tmp_path / "downloads")
    header, row, _, rest = result.stdout.splitlines()
    assert header == "file\tsize\there\tholds\taddress"
    assert row.startswith(f"labels_en.ttl\t{len(LINE)} B\tnothing\tlabels\thttp://127.0.0.1")
    assert re.fullmatch(rf"{len(LINE)} B to fetch; all takes about \d+ s at 10 MB/s", rest)
    assert dump_server.requests == []
    assert not (tmp_path / "downloads").exists()


def test_a_dry_run_knows_what_is_there_already(recipe: Path, tmp_path: Path) -> None:
    downloads = ("--downloads", tmp_path / "downloads")
    index(recipe, "--to", tmp_path / "built", *downloads)
    plan = json.loads(index(recipe, "--dry-run", "--json", *downloads).stdout)
    assert plan["fetch"] == 0
    assert plan["steps"][0]["fetched"] == len(LINE)


def test_a_dry_run_of_files_and_of_an_endpoint_reaches_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text(LINE)
    assert f"a.nt\t{len(LINE)} B\tlocal\t" in index(tmp_path / "a.nt", "--dry-run").stdout
    told = index("https://example.org/sparql", "--dry-run").stdout
    assert told == "the endpoint is visited at 62 things a second at most\n"


def test_an_endpoint_is_indexed(sparql_server: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Pace, "wait", lambda _: None)  # two requests a second would take a while
    store = pyoxigraph.Store()
    store.load(LINE.encode(), pyoxigraph.RdfFormat.N_TRIPLES)
    result = index(sparql_server(store).url.replace("://", "://ann:word1@"), "--to", tmp_path / "built")
    assert result.exit_code == 0
    assert f"--graph … --index {tmp_path / 'built'}" in result.stderr
    assert open_index(tmp_path / "built").search("Ann")[0].iri == EX + "a"
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and b"word1" in path.read_bytes()]


def test_malformed_lines_may_be_as_many_as_told(tmp_path: Path) -> None:
    path = tmp_path / "a.nt"
    path.write_text(LINE + "nonsense\nmore nonsense\n")
    refused = index(path, "--to", tmp_path / "built", "--max-errors", "1")
    assert refused.exit_code == 1
    assert "'a.nt', line 3, is not valid" in refused.stderr
    assert "--max-errors" in refused.stderr
    resumed = index(path, "--to", tmp_path / "built", "--max-errors", "2", "--resume")
    assert resumed.exit_code == 0, resumed.stderr
    assert "left out\t2\n" in resumed.stdout
    assert "a.nt, line 2" in resumed.stderr


def test_a_target_is_needed(recipe: Path) -> None:
    result = index(recipe)
    assert result.exit_code == 1
    assert "--to names a folder, or elasticsearch:http://HOST:9200/INDEX" in result.stderr


def test_a_recipe_stands_alone(recipe: Path, tmp_path: Path) -> None:
    result = index(tmp_path / "a.nt", recipe, "--dry-run")
    assert "is carried out by itself" in result.stderr


def test_an_unknown_recipe_lists_the_known_ones() -> None:
    result = index("freebase", "--dry-run")
    assert result.exit_code == 1
    assert "known: " in result.stderr
    assert "dbpedia" in result.stderr


@pytest.fixture
def elastic_target(elasticsearch_url: str) -> Iterator[str]:
    with index_name(elasticsearch_url) as name:
        yield f"elasticsearch:{elasticsearch_url}/{name}"


def test_elasticsearch_is_a_target(recipe: Path, elastic_target: str) -> None:
    result = index(recipe, "--to", elastic_target)
    assert result.exit_code == 0
    assert f"--index {elastic_target}" in result.stderr
    with open_index(elastic_target) as opened:
        assert opened.search("Ann")[0].iri == EX + "a"


def test_a_recipe_says_how_an_index_in_elasticsearch_is_spread(
    recipe: Path, elastic_target: str, elasticsearch_url: str
) -> None:
    recipe.write_text(recipe.read_text() + "elasticsearch: {shards: 2, replicas: 1}\n")
    assert index(recipe, "--to", elastic_target).exit_code == 0
    with Elasticsearch(elasticsearch_url) as client:
        [found] = client.indices.get_settings(index=elastic_target.rpartition("/")[2]).values()
    settings = found["settings"]["index"]
    assert (settings["number_of_shards"], settings["number_of_replicas"]) == ("2", "1")
    assert settings.get("auto_expand_replicas", "false") == "false"
    with open_index(elastic_target) as opened:
        assert opened.search("Ann")[0].iri == EX + "a"
    recipe.write_text(recipe.read_text().replace("shards: 2", "shards: 0"))
    result = index(recipe, "--to", elastic_target)
    assert result.exit_code == 1
    assert "elasticsearch.shards" in result.stderr


def test_a_build_in_elasticsearch_goes_on_where_it_was_interrupted(
    recipe: Path, elastic_target: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(ElasticStore, "_swap", killed)
        assert index(recipe, "--to", elastic_target).exit_code == 130
    result = index(recipe, "--to", elastic_target, "--resume")
    assert result.exit_code == 0
    assert "going on with the index" in result.stderr
    with open_index(elastic_target) as opened:
        assert opened.search("Ann")[0].iri == EX + "a"


def test_sizes_and_durations_are_rounded() -> None:
    assert [display._bytes(size) for size in (999, 1500, 12_345_678, 2 * 10**12)] == [
        "999 B",
        "1.5 kB",
        "12.3 MB",
        "2 TB",
    ]
    assert [display._duration(seconds) for seconds in (5, 600, 7200)] == ["5 s", "10 min", "2.0 h"]


SLOW = """
import sys, time
from triad.indexing import reading
real = reading.read
def read(*arguments, **options):
    print("reading", flush=True)
    sys.stdin.readline()
    return real(*arguments, **options)
reading.read = read
from triad.cli import main
sys.argv[0] = "triad"
main()
"""


def slow_index(*arguments: str | Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", SLOW, "index", *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "reading\n"
    return process


@pytest.mark.parametrize("before", [(), ("--overwrite",), ("--resume",)])
def test_a_target_that_another_process_makes_is_refused_at_once(tmp_path: Path, before: tuple[str, ...]) -> None:
    path, target = tmp_path / "a.nt", tmp_path / "built"
    path.write_text(LINE)
    if before:
        assert index(path, "--to", target).exit_code == 0
        path.write_text(LINE + LINE.replace("Ann", "Bob"))
    with slow_index(path, "--to", target, *{*before, "--overwrite"}) as first:
        for options in [(), ("--overwrite",), ("--resume",)]:
            second = index(path, "--to", target, *options)
            assert second.exit_code == 1
            assert f"another process, {first.pid}, is writing to '{target}'" in " ".join(second.stderr.split())
        _, complaints = first.communicate("go on\n", timeout=180)
    assert first.returncode == 0, complaints
    with open_graph(target) as graph:
        assert len(graph.lookup("SELECT * { ?s ?p ?o }").rows) == (2 if before else 1)
    assert {path.name for path in tmp_path.iterdir()} == {"a.nt", "built"}


def test_a_process_that_was_killed_holds_no_target(tmp_path: Path) -> None:
    path, target = tmp_path / "a.nt", tmp_path / "built"
    path.write_text(LINE)
    with slow_index(path, "--to", target) as first:
        first.kill()
        first.communicate()
    assert index(path, "--to", target).exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"a.nt", "built"}


def test_what_the_parser_may_take_can_be_told(tmp_path: Path) -> None:
    path = tmp_path / "deep.rdf"
    start = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://example.org/">'
    path.write_text(start + "<rdf:Description><e:b>" * 200_000)
    result = index(path, "--to", tmp_path / "built", "--parse-timeout", "1")
    assert result.exit_code == 1
    assert "'deep.rdf' cannot be read as RDF/XML: the parser came no further for 1 seconds" in result.stderr
    assert load_recipe(recipe_file(tmp_path, "parse_memory: 3 GB")).parse_limits.memory == 3 * 10**9


def recipe_file(folder: Path, more: str) -> Path:
    path = folder / "recipe.yaml"
    path.write_text(f"description: deep\nsources: [{{address: deep.rdf}}]\n{more}\n")
    return path


def test_labels_may_be_named(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text(f'<{EX}a> <{EX}called> "Ann" .\n<{EX}a> <{EX}name> "Annie" .\n')
    assert index(tmp_path / "a.nt", "--to", tmp_path / "built", "--labels", f"{EX}called").exit_code == 0
    assert open_index(tmp_path / "built").search("Ann")[0].label == "Ann"
    refused = index(tmp_path / "a.nt", "--to", tmp_path / "other", "--labels", "foo:called")
    assert (refused.exit_code, "foo:called" in refused.stderr) == (1, True)
