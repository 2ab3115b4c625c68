from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from triad.errors import ConfigError, DataError, ResourceNotFound
from triad.kg import open_graph
from triad.kg.base import SafeQuery
from triad.kg.endpoint import EndpointGraph
from triad.kg.local import LocalGraph
from triad.kg.stores import build_store
from triad.opening import Setup

COUNT = SafeQuery("SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("files")
    paths = [folder / "one.ttl", folder / "two.nt"]
    for number, path in enumerate(paths):
        path.write_text(f"<http://example.org/a> <http://example.org/b> <http://example.org/{number}> .")
    return paths


def count(source: Any, **options: Any) -> int:
    with open_graph(source, **options) as graph:
        assert isinstance(graph, LocalGraph)
        return int(graph.select(COUNT).column("n")[0].value)


@pytest.mark.parametrize("url", ["http://example.org/sparql", "HTTPS://example.org/sparql"])
def test_an_address_opens_an_endpoint(url: str) -> None:
    graph = open_graph(url, timeout=5, user="me")
    assert isinstance(graph, EndpointGraph)
    assert graph.timeout == 5


@pytest.mark.slow(0.3)
def test_a_file_opens_a_local_graph(files: list[Path]) -> None:
    assert count(files[0]) == 1
    assert count(str(files[0]), timeout=5, lenient=True) == 1


@pytest.mark.slow(0.2)
def test_several_files_open_as_one_graph(files: list[Path]) -> None:
    assert count(files) == 2
    with open_graph([str(path) for path in files]) as graph:
        assert graph.name == f"{files[0]}, {files[1]}"


@pytest.mark.slow(0.2)
def test_a_store_folder_opens_a_local_graph(files: list[Path], tmp_path: Path) -> None:
    build_store(files, tmp_path / "store")
    assert count(tmp_path / "store", workers=1) == 2


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(("marker", "store"), [({}, "store"), ({"store": "graph"}, "graph")])
def test_the_folder_of_an_index_opens_the_store_in_it(
    files: list[Path], tmp_path: Path, marker: str, store: Any
) -> None:
    folder = tmp_path / "index"
    build_store(files, folder / store)
    (folder / "triad.json").write_text(json.dumps(marker))
    assert count(folder) == 2
    with open_graph(str(folder)) as graph:
        assert graph.name == str(folder)


@pytest.mark.slow(0.1)
def test_an_open_graph_is_returned_as_it_is(files: list[Path]) -> None:
    with open_graph(files[0]) as graph:
        assert open_graph(graph) is graph
        with pytest.raises(ConfigError, match="no option 'timeout'; it takes none"):
            open_graph(graph, timeout=5)


@pytest.mark.parametrize("source", ["missing.ttl", "wikidata", "sparql://example.org"])
def test_what_is_not_there_is_an_error_that_says_what_would_be_a_graph(source: Any) -> None:
    with pytest.raises(ResourceNotFound, match=rf"{source}.*https://.*\.ttl.*\.gz"):
        open_graph(source)


def test_a_file_of_another_kind_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    with pytest.raises(DataError, match=r"notes\.txt"):
        open_graph(tmp_path / "notes.txt")


def test_another_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="neither a pyoxigraph store nor written by 'triad index'"):
        open_graph(tmp_path)


@pytest.mark.parametrize("content", ["nonsense", "[]", '{"store": 5}'])
def test_a_malformed_marker_is_an_error(tmp_path: Path, content: str) -> None:
    (tmp_path / "triad.json").write_text(content)
    with pytest.raises(ConfigError, match=r"triad\.json"):
        open_graph(tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        {"timeout": "abc"},
        {"timeout": [1]},
        {"timeout": -1},
        {"timeout": float("nan")},
        {"timeout": float("inf")},
        {"memory_limit": "abc"},
        {"row_limit": -1},
        {"workers": 0},
        {"prefixes": 5},
        {"prefixes": {"a": 5}},
        {"parse_memory": "x"},
        {"parse_timeout": float("nan")},
    ],
)
def test_an_option_of_another_type_is_named(files: list[Path], options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"the option '{next(iter(options))}' of the graph '.*': input should be"):
        open_graph(files[0], **options)
    with pytest.raises(ConfigError, match=f"the option '{next(iter(options))}' of the graph.*: input should be"):
        Setup(graph=str(files[0]), graph_options=options).open()


@pytest.mark.parametrize(
    "options",
    [
        {"headers": [1]},
        {"headers": {"a": 1}},
        {"default_graphs": 5},
        {"default_graphs": [[1]]},
        {"user": 5},
        {"retries": "abc"},
        {"retries": -3},
        {"method": [1]},
        {"dialect": [1]},
        {"source": "http://example.org"},
    ],
)
def test_an_option_of_an_endpoint_of_another_type_is_named(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=f"option '{next(iter(options))}'"):
        open_graph("http://example.org/sparql?apikey=12345", **options)


def test_an_unknown_option_is_an_error_that_lists_the_known_ones(files: list[Path]) -> None:
    with pytest.raises(ConfigError, match=r"no option 'retry'; it takes .*retries, row_limit, timeout"):
        open_graph("http://example.org/sparql", retry=3)
    with pytest.raises(ConfigError, match=r"no option 'user'; it takes .*lenient, memory_limit"):
        open_graph(files[0], user="me")
