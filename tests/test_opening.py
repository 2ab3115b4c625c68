from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.configs import make_config
from triad.errors import ConfigError, ResourceNotFound
from triad.kg.base import KnowledgeGraph
from triad.kg.local import LocalGraph
from triad.opening import Setup
from triad.search.endpoint import EndpointIndex
from triad.search.local import LocalIndex

pytestmark = pytest.mark.slow(0.1)

EX = "http://example.org/"
TURTLE = f"""
@prefix : <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a1 a :Airport ; :airportName "Schiphol" ; :code "AMS" .
:a2 a :Airport ; :airportName "Orly" ; :code "ORY" .
"""


@pytest.fixture
def file(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("airports.ttl", TURTLE)


def test_files_are_opened_with_the_index_that_is_made_of_them(file: Path) -> None:
    with Setup(graph=str(file)).open() as parts:
        assert isinstance(parts.index, LocalIndex)
        assert parts.graph.name == str(file)


@pytest.mark.parametrize("labels", [(), (EX + "code",)])
def test_what_is_shown_is_what_is_indexed(file: Path, labels: tuple[str, ...]) -> None:
    name = "AMS" if labels else "Schiphol"
    with Setup(graph=str(file), labels=labels).open() as parts:
        [found] = parts.index.search(name, kind="entity", limit=1)
        assert (found.iri, found.label) == (EX + "a1", name)
        assert parts.schema.labels([found.iri]) == {found.iri: name}


@pytest.mark.parametrize("labels", [(), (EX + "code",)])
def test_an_endpoint_is_searched_by_what_is_shown(file: Path, labels: tuple[str, ...]) -> None:
    name = "AMS" if labels else "Schiphol"
    with LocalGraph.load(file) as graph, Setup(graph=graph, labels=labels).open() as parts:
        assert isinstance(parts.index, EndpointIndex)
        [found] = parts.index.search(name, limit=1)
        assert (found.iri, found.label) == (EX + "a1", name)
        assert parts.schema.labels([found.iri]) == {found.iri: name}


def test_an_index_with_other_labels_is_warned_of(
    file: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("triad.opening.logger.warning", lambda text, *values: said.append(text.format(*values)))
    folder = Setup(graph=str(file)).prepared().graph
    assert isinstance(folder, str)
    with Setup(graph=folder, labels=("schema:name",)).open():
        assert len(said) == 1
    assert "has labels by" in said[0]
    assert "schema:name" in said[0]


def test_what_was_opened_is_closed_where_the_rest_cannot_be(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[KnowledgeGraph] = []
    monkeypatch.setattr(LocalGraph, "close", lambda self: closed.append(self))
    with pytest.raises(ConfigError, match="no label index"):
        Setup(graph=str(file), index="nowhere").open()
    assert len(closed) == 1
    graph = LocalGraph.load(file)
    with pytest.raises(ConfigError, match="no label index"):
        Setup(graph=graph, index="nowhere").open()
    assert graph not in closed


def test_a_graph_that_is_not_there_is_named() -> None:
    with pytest.raises(ResourceNotFound, match="nowhere"):
        Setup(graph="nowhere", index="endpoint").open()


def test_an_agent_is_opened_as_its_config_says(file: Path) -> None:
    config = make_config({"graph": str(file), "labels": [EX + "code"], "language": "nl", "model": "none"})
    with Agent.from_config(config) as agent:
        assert agent.schema.label_properties == (EX + "code",)
        assert agent.schema.languages == ("nl", "en")
        assert agent.schema.labels([EX + "a1"]) == {EX + "a1": "AMS"}
