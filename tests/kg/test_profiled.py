"""What the profile tells is what look-ups find, as long as graphs are small enough for look-ups to see all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyoxigraph
import pytest
from hypothesis import given, settings, strategies as st
from pyoxigraph import BlankNode, Literal as Text, NamedNode, Quad, RdfFormat, Store

from triad.indexing.profiling.counting import count_profile
from triad.indexing.triples import Triples
from triad.kg.base import KnowledgeGraph
from triad.kg.labels import LabelFinder, Labels
from triad.kg.local import _result
from triad.kg.profile import GraphProfile
from triad.kg.schema import Hop, Schema
from triad.kg.worker import evaluate
from triad.rdf import IRI, RDF_TYPE, RDFS, ResultSet

pytestmark = pytest.mark.slow(0.2)

EX = "http://x.org/"
LABELS = Labels()

BOOKS = """
@prefix : <http://x.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Novel rdfs:subClassOf :Book ; rdfs:label "novel"@en , "Roman"@de .
:author rdfs:label "written by"@en .
:momo a :Novel ; rdfs:label "Momo" ; :author :ende ; :pages 304 .
:jim a :Novel ; rdfs:label "Jim Button" ; :author :ende .
:atlas a :Book ; :pages 512 ; :cover [ :colour "red" ] .
:ende a :Writer , :Person ; rdfs:label "Michael Ende" .
"""


class InMemory(KnowledgeGraph):
    """A graph in memory that remembers what it was asked."""

    def __init__(self, quads: list[Quad]) -> None:
        self.name, self.timeout, self.row_limit = "memory", 10.0, 10_000
        self.store = Store()
        self.store.extend(quads)
        self.asked: list[str] = []

    def select(self, query: Any, *, timeout: float | None = None) -> ResultSet:
        raise AssertionError("a schema only looks up")

    def lookup(self, query: str) -> ResultSet:
        self.asked.append(query)
        return _result(evaluate(self.store, query, row_limit=self.row_limit, byte_limit=10_000_000))


def both(quads: list[Quad]) -> tuple[Schema, Schema, GraphProfile]:
    """Return the schema of a graph that is asked, and of the same graph with its profile."""
    with Triples() as triples:
        triples.take(quads)
        profile = GraphProfile.from_json(count_profile(triples, labels=LABELS.all).to_json())
    asked, told = (Schema(graph, finder=LabelFinder(graph, LABELS)) for graph in (InMemory(quads), InMemory(quads)))
    told.know(profile)
    return asked, told, profile


def facts(hops: tuple[Hop, ...]) -> list[tuple[object, ...]]:
    """Return what does not depend on which of several values is the sample."""
    return [
        (hop.relation, hop.label, hop.direction, hop.count, hop.classes)
        + ((round(hop.coverage, 9),) if hop.direction == "out" else ())
        for hop in hops
    ]


def books() -> list[Quad]:
    return [Quad(*triple) for triple in pyoxigraph.parse(BOOKS, RdfFormat.TURTLE)]


CLASSES = [NamedNode(f"{EX}C{at}") for at in range(4)]
THINGS = [*(NamedNode(f"{EX}e{at}") for at in range(5)), BlankNode("b1"), BlankNode("b2")]
RELATIONS = [NamedNode(f"{EX}{name}") for name in ("knows", "size")]
VALUES = [Text("1", datatype=NamedNode("http://www.w3.org/2001/XMLSchema#integer")), Text("one", language="en")]
NAMES = [Text("Anna"), Text("Anne", language="en"), Text("Änne", language="de")]
SUBCLASS, LABEL = NamedNode(RDFS + "subClassOf"), NamedNode(RDFS + "label")

TRIPLES = st.one_of(
    st.builds(Quad, st.sampled_from(THINGS), st.just(NamedNode(RDF_TYPE)), st.sampled_from(CLASSES)),
    st.builds(Quad, st.sampled_from(THINGS), st.sampled_from(RELATIONS), st.sampled_from([*THINGS, *VALUES])),
    st.builds(Quad, st.sampled_from(CLASSES), st.just(SUBCLASS), st.sampled_from(CLASSES)),
    st.builds(Quad, st.sampled_from([*THINGS[:5], *CLASSES, *RELATIONS]), st.just(LABEL), st.sampled_from(NAMES)),
)


@pytest.mark.slow
@settings(max_examples=30)  # most of the time of each goes into the counting
@given(quads=st.lists(TRIPLES, max_size=30))
def test_what_the_profile_tells_is_what_look_ups_find(quads: list[Quad]) -> None:
    asked, told, profile = both(quads)
    for known in profile.classes:
        assert_samples_are_values(known.iri, asked, told)
        assert facts(told.class_card(known.iri)) == facts(asked.class_card(known.iri))
        assert told.kinds(known.iri) == asked.kinds(known.iri)
        assert told.superclasses(known.iri) == asked.superclasses(known.iri)
    for relation in profile.relations:
        assert told.relation_ends(relation.iri) == asked.relation_ends(relation.iri)
    names = [*(one.iri for one in profile.classes), *(one.iri for one in profile.relations), EX + "e0", EX + "e1"]
    assert told.labels(names) == asked.labels(names)


def assert_samples_are_values(class_iri: str, asked: Schema, told: Schema) -> None:
    """Samples of a class are values of its instances, and have their labels."""
    instances = asked.instance_pattern("?x", class_iri)
    for hop in told.class_card(class_iri):
        if hop.sample.type != "blank":
            value = hop.sample.n3()
            triple = f"?x <{hop.relation}> {value}" if hop.direction == "out" else f"{value} <{hop.relation}> ?x"
            assert asked.graph.lookup(f"ASK {{ {instances} . {triple} }}").boolean, hop
            if isinstance(hop.sample, IRI):
                assert hop.sample_label == asked.label(hop.sample)


def test_with_a_profile_only_entities_are_looked_up() -> None:
    _, told, _ = both(books())
    graph = told.graph
    assert isinstance(graph, InMemory)
    told.prepare(classes=[EX + "Book", EX + "Writer"])
    card = told.class_card(EX + "Book")
    assert {hop.label for hop in card} == {"written by", "pages", "cover", "label"}
    assert told.relation_ends(EX + "author") == ((EX + "Novel",), (EX + "Person", EX + "Writer"))
    assert told.kinds(EX + "Book") == (EX + "Book", EX + "Novel")
    assert told.superclasses(EX + "Novel") == (EX + "Book",)
    assert graph.asked == []
    assert told.card(EX + "momo")
    assert graph.asked


def test_labels_come_in_the_languages_of_the_schema() -> None:
    _, told, _ = both(books())
    assert told.labels([EX + "Novel"])[EX + "Novel"] == "novel"
    assert told.preferring("de").labels([EX + "Novel"])[EX + "Novel"] == "Roman"


@pytest.mark.parametrize(
    "less",
    [
        pytest.param({"typed_by": (), "named_by": ()}, id="that does not say what its classes and names are by"),
        pytest.param({"typed_by": ("http://x.org/instanceOf",)}, id="with classes by another relation"),
    ],
)
def test_where_a_profile_does_not_tell_the_graph_is_asked(less: dict[str, Any]) -> None:
    asked, told, profile = both(books())
    told.know(replace(profile, **less))
    assert facts(told.class_card(EX + "Book")) == facts(asked.class_card(EX + "Book"))
    assert told.kinds(EX + "Book") == asked.kinds(EX + "Book")
    assert told.relation_ends(EX + "author") == asked.relation_ends(EX + "author")


def test_a_class_that_a_partial_profile_has_no_instances_of_is_asked_about() -> None:
    asked, told, profile = both(books())
    classes = tuple(replace(one, instances=0, direct=0, outgoing=(), naming=(), incoming=()) for one in profile.classes)
    told.know(replace(profile, classes=classes, partial=("It is not known which classes there are.",)))
    assert facts(told.class_card(EX + "Writer")) == facts(asked.class_card(EX + "Writer"))
    assert told.kinds(EX + "Book") == asked.kinds(EX + "Book")


def test_cards_of_relations_that_are_known_from_a_sample_are_asked_for() -> None:
    asked, told, profile = both(books())
    relations = tuple(replace(one, sampled=True) for one in profile.relations)
    told.know(replace(profile, relations=relations))
    assert told.class_card(EX + "Book") == asked.class_card(EX + "Book")


def test_a_card_of_things_has_the_classes_at_their_own_ends() -> None:
    _, told, _ = both([Quad(*one) for one in pyoxigraph.parse(BOOKS + ":song :author :otto .", RdfFormat.TURTLE)])
    assert told.relation_ends(EX + "author")[0] == (EX + "Novel",)
    for brief in (False, True):
        [written] = [hop for hop in told.joint_card([EX + "otto"], brief=brief) if hop.direction == "in"]
        assert written.classes == ()


def test_the_properties_that_hold_labels_are_those_of_the_profile() -> None:
    graph = InMemory(books())
    schema = Schema(graph, finder=LabelFinder(graph))
    _, _, profile = both(books())
    schema.know(profile)
    assert schema.label_properties == LABELS.all
    assert graph.asked == []
