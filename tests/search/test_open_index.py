from __future__ import annotations

import json
from pathlib import Path

import pytest

from triad.errors import ConfigError, SearchError
from triad.kg.base import KnowledgeGraph
from triad.search import open_index
from triad.search.base import Entry
from triad.search.endpoint import EndpointIndex
from triad.search.local import LocalIndex


def make(folder: Path) -> None:
    with LocalIndex.create(folder) as index:
        index.add([Entry("http://example.org/Ann", "entity", "Ann")])


def test_the_folder_of_an_index_is_opened(tmp_path: Path) -> None:
    make(tmp_path / "labels")
    assert len(open_index(tmp_path / "labels").search("Ann")) == 1
    assert len(open_index(str(tmp_path / "labels")).search("Ann")) == 1


@pytest.mark.parametrize(("marker", "folder"), [({}, "labels"), ({"labels": "names"}, "names")])
def test_a_built_folder_is_opened_by_its_marker(tmp_path: Path, marker: dict[str, str], folder: str) -> None:
    make(tmp_path / folder)
    (tmp_path / "triad.json").write_text(json.dumps(marker), encoding="utf-8")
    assert len(open_index(tmp_path).search("Ann")) == 1


@pytest.mark.parametrize("text", ["{", "[]", '{"labels": 3}'])
def test_a_malformed_marker_is_an_error(tmp_path: Path, text: str) -> None:
    (tmp_path / "triad.json").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"triad\.json"):
        open_index(tmp_path)


def test_an_endpoint_index_takes_a_dialect(tiny_graph: KnowledgeGraph) -> None:
    assert isinstance(open_index("endpoint", graph=tiny_graph), EndpointIndex)
    assert open_index("endpoint:virtuoso", graph=tiny_graph, languages=["de"]).name == "endpoint:virtuoso"


def test_an_open_index_is_returned_as_it_is() -> None:
    index = LocalIndex()
    assert open_index(index) is index


def test_an_endpoint_index_needs_a_graph() -> None:
    with pytest.raises(ConfigError, match="looks names up in a graph"):
        open_index("endpoint")


def test_an_unknown_dialect_is_named_with_the_known_ones(tiny_graph: KnowledgeGraph) -> None:
    with pytest.raises(ConfigError, match=r"no dialect 'oracle'.*fuseki, graphdb, plain, qlever, virtuoso"):
        open_index("endpoint:oracle", graph=tiny_graph)


def test_an_unknown_option_is_named_with_the_known_ones(tiny_graph: KnowledgeGraph, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no option 'speed'; it takes label_properties, languages"):
        open_index("endpoint", graph=tiny_graph, speed=3)
    with pytest.raises(ConfigError, match="has no option 'speed'; it takes none"):
        open_index(tmp_path, speed=3)


def test_an_address_of_elasticsearch_is_opened_without_asking_it() -> None:
    with open_index("elasticsearch:http://localhost/dbpedia", timeout=3) as index:
        assert index.name == "elasticsearch:http://localhost:9200/dbpedia"


def test_what_is_no_index_is_an_error_that_says_what_works(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no label index 'nowhere'; what works is .*'endpoint'"):
        open_index("nowhere")
    with pytest.raises(SearchError, match="is not a label index"):
        open_index(tmp_path)
