"""Schema lookups through Virtuoso and Fuseki, compared with those of the embedded store, on the demo graph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.fixtures import TripleStore
from triad.kg.endpoint import EndpointGraph
from triad.kg.local import LocalGraph
from triad.kg.schema import SAMPLE, Hop, Schema
from triad.rdf import IRI, RDF_TYPE

DEMO = Path(__file__).parents[2] / "configs" / "demo" / "graph.ttl"


@pytest.fixture(scope="module")
def local() -> Iterator[Schema]:
    with LocalGraph.load(DEMO) as graph:
        yield Schema(graph)


@pytest.fixture
def remote(triple_store: TripleStore) -> Iterator[Schema]:
    with EndpointGraph(triple_store.address("demo")) as graph:
        yield Schema(graph)


def column(schema: Schema, query: str) -> list[str]:
    [variable] = (result := schema.graph.lookup(query)).variables
    return [str(term) for term in result.column(variable) if isinstance(term, IRI)]


@pytest.fixture(scope="module")
def classes(local: Schema) -> list[str]:
    return column(local, f"SELECT DISTINCT ?c {{ ?s <{RDF_TYPE}> ?c }} ORDER BY ?c")


@pytest.fixture(scope="module")
def relations(local: Schema) -> list[str]:
    return column(local, "SELECT DISTINCT ?p { ?s ?p ?o } ORDER BY ?p")


@pytest.fixture(scope="module")
def entities(local: Schema, classes: list[str]) -> list[str]:
    """Two things of each class."""
    found = [column(local, f"SELECT ?x {{ ?x <{RDF_TYPE}> <{name}> }} ORDER BY ?x LIMIT 2") for name in classes]
    return list(dict.fromkeys(name for names in found for name in names))


def facts(hops: tuple[Hop, ...]) -> list[tuple[object, ...]]:
    """Return what does not depend on which of several values is the sample."""
    return [(hop.relation, hop.label, hop.direction, hop.count, hop.classes) for hop in hops]


def test_labels_and_descriptions(
    local: Schema, remote: Schema, classes: list[str], relations: list[str], entities: list[str]
) -> None:
    names = [*classes, *relations, *entities]
    assert remote.labels(names) == local.labels(names)
    assert remote.descriptions(names) == local.descriptions(names)


def test_cards_of_entities(local: Schema, remote: Schema, entities: list[str]) -> None:
    for name in entities:
        assert facts(remote.card(name)) == facts(local.card(name))


def test_samples_are_values(local: Schema, remote: Schema, entities: list[str]) -> None:
    for name in entities[:10]:
        for hop in remote.card(name):
            ends = (name, hop.sample) if hop.direction == "out" else (hop.sample, name)
            subject, value = (IRI(end).n3() if isinstance(end, str) else end.n3() for end in ends)
            assert local.graph.lookup(f"ASK {{ {subject} <{hop.relation}> {value} }}").boolean, hop


def test_cards_of_several_things(local: Schema, remote: Schema, entities: list[str]) -> None:
    assert facts(remote.joint_card(entities)) == facts(local.joint_card(entities))


def test_cards_of_classes(local: Schema, remote: Schema, classes: list[str]) -> None:
    for name in classes:
        assert facts(remote.class_card(name)) == facts(local.class_card(name))


def test_classes_and_their_order(local: Schema, remote: Schema, classes: list[str], entities: list[str]) -> None:
    for name in entities:
        assert sorted(remote.types(name)) == sorted(local.types(name))
    for name in classes:
        assert remote.superclasses(name) == local.superclasses(name)
        assert remote.instance_pattern("?x", name) == local.instance_pattern("?x", name)


def test_ends_of_relations(local: Schema, remote: Schema, relations: list[str]) -> None:
    rare = [name for name in relations if len(local.graph.lookup(f"SELECT * {{ ?s <{name}> ?o }}")) <= SAMPLE]
    assert rare
    for name in rare:  # of others each server looks at a sample of its own
        assert remote.relation_ends(name) == local.relation_ends(name)


def test_bindings(local: Schema, remote: Schema, classes: list[str]) -> None:
    for name in classes:
        where = local.instance_pattern("?x", name)
        assert sorted(remote.bindings("x", where)) == sorted(local.bindings("x", where))


def test_forms_of_literals(local: Schema, remote: Schema, entities: list[str]) -> None:
    label = "http://www.w3.org/2000/01/rdf-schema#label"
    for name, text in local.labels(entities).items():
        forms = remote.literal_forms(label, text)
        assert forms == local.literal_forms(label, text), name
