from __future__ import annotations

import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.doubles import Counting
from triad.errors import GraphError, QueryTimeout
from triad.kg.labels import LabelFinder, Labels
from triad.kg.local import LocalGraph
from triad.kg.profile import ClassProfile, GraphProfile
from triad.kg.schema import HUB, SAMPLE, Hop, Schema
from triad.rdf import IRI, OWL, SKOS, Literal
from triad.sparql.patterns import ClassPattern, Variable
from triad.sparql.query_graph import QueryGraph
from triad.sparql.writer import render

EX = "http://example.org/"
BOOKS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .

:Momo a :Novel ; rdfs:label "Momo"@en , "Momó"@es ; :author :Ende ; :year 1973 ; :cover [ :colour "red" ] .
:Story a :Novel ; skos:prefLabel "The Neverending Story"@en ; rdfs:label "Die unendliche Geschichte"@de ;
  :author :Ende ; :year 1979 ; :publisher :Thienemann .
:Poems a :Book ; rdfs:label "  " ; :author :Ende .
:Novel rdfs:subClassOf :Book ; rdfs:label "novel" .
:Book rdfs:subClassOf :Book ; rdfs:comment "something to read"@en , "etwas zu lesen"@de .
:Ende a :Person , :Author ; rdfs:label "Michael Ende" .
:author rdfs:label "author"@en ; rdfs:comment "Autor"@de .
"""


class LookedUp(Counting):
    """A graph that runs no query of a model."""

    def on_query(self, query: str) -> None:
        raise AssertionError("a schema only looks up")


Open = Callable[[str], LookedUp]


@pytest.fixture
def open_text(kept_file: Callable[[str, str], Path]) -> Open:
    return lambda text: LookedUp(LocalGraph.load(kept_file("graph.ttl", text)))


@pytest.fixture
def graph(open_text: Open) -> LookedUp:
    return open_text(BOOKS)


@pytest.fixture
def schema(graph: LookedUp) -> Schema:
    return Schema(graph)


def by_label(hops: tuple[Hop, ...]) -> dict[tuple[str, str], Hop]:
    return {(hop.label, hop.direction): hop for hop in hops}


# Labels ---------------------------------------------------------------------------------------------------


def test_a_property_of_an_index_that_would_end_a_query_ends_none(graph: LookedUp) -> None:
    hostile = f"{EX}name>)) SERVICE <http://127.0.0.1:1/> {{ ?a ?b ?c }} FILTER(?p IN (<{EX}name"
    names = Labels.from_json({"named": [hostile, SKOS + "prefLabel"], "own": [hostile]})
    schema = Schema(graph, finder=LabelFinder(graph, names), hints=(hostile,))
    assert schema.label(IRI(EX + "Story")) == "The Neverending Story"
    assert schema.descriptions([EX + "Book"]) == {EX + "Book": "something to read"}


@pytest.mark.parametrize(
    ("languages", "label"),
    [
        (("en",), "The Neverending Story"),
        (("de",), "Die unendliche Geschichte"),
        (("fr", "de"), "Die unendliche Geschichte"),
    ],
)
def test_the_first_language_that_there_is_a_label_in_counts(
    graph: LookedUp, languages: tuple[str, ...], label: str
) -> None:
    assert Schema(graph, languages).label(IRI(EX + "Story")) == label


def test_what_has_no_label_has_its_local_name(schema: Schema) -> None:
    names = schema.labels([EX + "Poems", EX + "addressCountry", EX + "Thienemann"])
    assert names == {EX + "Poems": "Poems", EX + "addressCountry": "address country", EX + "Thienemann": "Thienemann"}


def test_a_literal_is_its_own_name(schema: Schema) -> None:
    assert schema.label(Literal("1973")) == "1973"


def test_labels_are_looked_up_once_and_in_batches(schema: Schema, graph: LookedUp) -> None:
    iris = [f"{EX}thing{number}" for number in range(450)]
    schema.labels(iris)
    assert len(graph.asked) == 3
    schema.labels(iris)
    assert len(graph.asked) == 3
    assert all("LIMIT" in query for query in graph.asked)


@pytest.mark.parametrize("iri", ["http://example.org/a b", "x> } # ", "http://example.org/{}", 'a"b', "a\\b"])
def test_an_iri_that_sparql_cannot_write_is_never_sent(schema: Schema, graph: LookedUp, iri: str) -> None:
    assert schema.labels([iri])[iri]
    assert schema.descriptions([iri]) == {iri: ""}
    assert (schema.card(iri), schema.class_card(iri), schema.types(iri)) == ((), (), ())
    assert schema.relation_ends(iri) == ((), ())
    assert schema.literal_forms(iri, "x") == []
    assert schema.kinds(iri) == (iri,)
    assert graph.asked == []


def test_descriptions_come_in_the_first_language_that_there_is(schema: Schema, graph: LookedUp) -> None:
    asked = [EX + "Book", EX + "author", EX + "Momo"]
    assert schema.descriptions(asked) == dict(zip(asked, ["something to read", "Autor", ""], strict=True))
    schema.descriptions(asked)
    assert len(graph.asked) == 1
    assert Schema(graph, ("de",)).descriptions([EX + "Book"]) == {EX + "Book": "etwas zu lesen"}


# Cards ----------------------------------------------------------------------------------------------------


def test_a_card_lists_relations_in_both_directions_with_counts_samples_and_classes(schema: Schema) -> None:
    hops = by_label(schema.card(EX + "Ende"))
    author = hops["author", "in"]
    assert (author.relation, author.count, author.classes[0]) == (EX + "author", 3, EX + "Novel")
    assert author.sample_label in {"Momo", "The Neverending Story", "Poems"}
    hops = by_label(schema.card(EX + "Momo"))
    year = hops["year", "out"]
    assert (year.count, year.sample_label, year.classes) == (1, "1973", ())
    assert hops["author", "out"].sample == IRI(EX + "Ende")
    assert set(hops["author", "out"].classes) == {EX + "Person", EX + "Author"}


def test_a_server_is_asked_for_the_relations_of_a_card_and_for_the_classes_at_their_ends_at_once(
    schema: Schema, graph: LookedUp
) -> None:
    class Meeting(Counting):
        """A server whose look-ups for cards wait for each other."""

        concurrency = 2
        barrier = threading.Barrier(2, timeout=120)

        def lookup(self, query: str) -> Any:
            if "?at" in query:
                self.barrier.wait()
            return super().lookup(query)

    assert Schema(Meeting(graph)).card(EX + "Ende") == schema.card(EX + "Ende") != ()


def test_each_relation_is_listed_once_a_direction_most_frequent_first(schema: Schema) -> None:
    hops = schema.card(EX + "Ende")
    keys = [(hop.relation, hop.direction) for hop in hops]
    assert len(keys) == len(set(keys))
    assert [hop.count for hop in hops] == sorted((hop.count for hop in hops), reverse=True)
    assert "type" not in {hop.label for hop in hops}


def test_the_card_of_a_class_is_that_of_its_instances_and_those_of_its_subclasses(schema: Schema) -> None:
    hops = by_label(schema.class_card(EX + "Book"))
    assert hops["author", "out"].count == 3
    assert hops["year", "out"].count == 2


def test_the_card_of_several_things_joins_theirs(schema: Schema) -> None:
    hops = by_label(schema.joint_card([EX + "Momo", EX + "Story"]))
    assert hops["author", "out"].count == 2
    assert ("publisher", "out") in hops
    assert schema.joint_card([]) == ()


def test_a_card_is_looked_up_once(schema: Schema, graph: LookedUp) -> None:
    first = schema.card(EX + "Momo")
    asked = len(graph.asked)
    assert schema.card(EX + "Momo") is first
    assert len(graph.asked) == asked


@pytest.mark.slow(0.2)
def test_a_frequent_relation_does_not_hide_a_rare_one(open_text: Open) -> None:
    crowd = "".join(f":person{number} :citizenOf :Utopia .\n" for number in range(HUB + 1_000))
    graph = open_text(f"@prefix : <{EX}> .\n{crowd}:zealous :presidentOf :Utopia .\n:zebra :zooOf :Utopia .\n")
    hops = by_label(Schema(graph).card(EX + "Utopia"))
    assert {("citizen of", "in"), ("president of", "in"), ("zoo of", "in")} == set(hops)
    assert hops["president of", "in"].sample == IRI(EX + "zealous")


def test_every_look_up_is_bounded(schema: Schema, graph: LookedUp) -> None:
    schema.card(EX + "Momo")
    schema.class_card(EX + "Book")
    schema.relation_ends(EX + "author")
    schema.types(EX + "Momo")
    schema.bindings("x", f"?x <{EX}author> ?y")
    schema.literal_forms(EX + "author", "x")
    assert all("LIMIT" in query for query in graph.asked)


# The rest -------------------------------------------------------------------------------------------------


def test_the_types_of_a_thing_and_the_ends_of_a_relation(schema: Schema) -> None:
    assert schema.types(EX + "Momo") == (EX + "Novel",)
    subjects, objects = schema.relation_ends(EX + "author")
    assert subjects[0] == EX + "Novel"
    assert set(objects) == {EX + "Person", EX + "Author"}


def test_what_the_profile_tells_is_not_looked_up(schema: Schema, graph: LookedUp) -> None:
    novel, book = ClassProfile(EX + "Novel", superclasses=(EX + "Book", OWL + "Thing")), ClassProfile(EX + "Book")
    schema.know(GraphProfile(classes=(novel, book)))
    for each in (schema, schema.preferring("de")):
        assert each.superclasses(EX + "Novel") == (EX + "Book",)
        assert each.superclasses(EX + "Book") == ()
    assert graph.asked == []
    assert schema.superclasses(EX + "Person") == ()
    assert len(graph.asked) == 1


@pytest.mark.slow(0.1)
def test_a_class_that_is_only_its_own_subclass_has_none(open_text: Open) -> None:
    rdfs = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    schema = Schema(open_text(f"@prefix : <{EX}> . :A {rdfs} :A . :B {rdfs} :A2 . :x a :B ."))
    assert schema.kinds(EX + "A") == (EX + "A",)
    assert schema.kinds(EX + "A2") == (EX + "A2", EX + "B")


@pytest.mark.slow(0.2)
def test_subclasses_are_not_needed_where_the_class_is_stated_too(open_text: Open) -> None:
    rdfs = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    stated = Schema(open_text(f"@prefix : <{EX}> . :B {rdfs} :A . :x a :A , :B ."))
    assert stated.kinds(EX + "A") == (EX + "A",)
    unstated = Schema(open_text(f"@prefix : <{EX}> . :C {rdfs} :B . :B {rdfs} :A . :x a :C ."))
    assert unstated.kinds(EX + "A") == (EX + "A", EX + "C")  # nothing is of B itself


@pytest.mark.slow(0.1)
def test_no_class_below_with_instances_is_left_out(open_text: Open) -> None:
    rdfs = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
    below = "".join(f":C{at:03} {rdfs} :A . :x{at} a :C{at:03} . :Empty{at} {rdfs} :A ." for at in range(120))
    graph = open_text(f"@prefix : <{EX}> . {below}")
    kinds = Schema(graph).kinds(EX + "A")
    assert kinds == (EX + "A", *(f"{EX}C{at:03}" for at in range(120)))
    x = Variable("x")
    listing = QueryGraph.of(x, ClassPattern.of(x, kinds, lambda: Variable("kind")))
    assert len(graph.lookup(render(listing)).rows) == 120
    assert "C001" not in render(listing)


def test_bindings_are_a_sample_of_iris(schema: Schema) -> None:
    assert set(schema.bindings("x", f"?x <{EX}author> ?y")) == {EX + "Momo", EX + "Story", EX + "Poems"}
    assert schema.bindings("y", f"<{EX}Momo> <{EX}year> ?y") == []


def test_a_joint_card_takes_a_sample_of_many_things(schema: Schema, graph: LookedUp) -> None:
    schema.joint_card([f"{EX}thing{number}" for number in range(SAMPLE * 5)])
    assert all(query.count(EX + "thing") <= 2 * SAMPLE for query in graph.asked)


@pytest.mark.parametrize("text", ['Mo"mo', "x\ny", "a\\", '"}  UNION { ?s ?p ?v } #', "\r\n\t"])
def test_a_text_in_a_look_up_stays_a_literal(schema: Schema, text: str) -> None:
    assert schema.literal_forms(EX + "author", text) == []


@pytest.mark.slow(0.1)
def test_threads_share_a_schema(graph: LookedUp) -> None:
    schema = Schema(graph)
    iris = [EX + name for name in ("Momo", "Story", "Ende", "Book", "Novel", "author")] * 20

    def look(iri: str) -> tuple[Any, ...]:
        return schema.labels([iri]), schema.card(iri), schema.class_card(iri), schema.descriptions([iri])

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(look, iris))
    assert found == [look(iri) for iri in iris]


def test_a_graph_that_fails_is_not_taken_for_an_empty_one(schema: Schema, graph: LookedUp) -> None:
    graph.graph.close()
    for look in (schema.card, schema.types, schema.class_card, schema.kinds, schema.relation_ends):
        with pytest.raises(GraphError):
            look(EX + "Momo")
    with pytest.raises(GraphError):
        schema.labels([EX + "Momo"])


@pytest.mark.slow(0.2)
def test_a_hub_does_not_hide_its_rare_relations(tmp_path: Path) -> None:
    file = tmp_path / "hub.nt"
    crowd = (f"<{EX}p{n}> <{EX}citizen> <{EX}Hub> .\n" for n in range(HUB + 500))
    file.write_text("".join(crowd) + f"<{EX}z> <{EX}king> <{EX}Hub> .\n", encoding="utf-8")
    with LocalGraph.load(file) as graph:
        counting = Counting(graph)
        assert {hop.relation for hop in Schema(counting).card(EX + "Hub")} == {EX + "citizen", EX + "king"}
    assert all("GROUP BY" in query or "LIMIT" in query for query in counting.asked)


@pytest.mark.slow(0.1)
def test_a_name_whose_label_took_too_long_is_not_kept(open_text: Open) -> None:
    class Hiding(Counting):
        hidden = True

        def on_lookup(self, query: str) -> None:
            if self.hidden and "VALUES ?s" in query and "<http://x.org/b>" in query:
                raise QueryTimeout("too slow")

    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    graph = Hiding(open_text(f'@prefix : <http://x.org/> . :a :r :b . :r {label} "R" . :b {label} "B" .'))
    schema = Schema(graph)
    schema.labels(["http://x.org/r"])
    assert [hop.sample_label for hop in schema.card("http://x.org/a")] == ["b"]
    graph.hidden = False
    assert [hop.sample_label for hop in schema.card("http://x.org/a")] == ["B"]


def test_names_that_queries_make_are_not_kept_for_ever(graph: LookedUp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.kg.schema._MOST", 10)
    schema = Schema(graph)
    for start in range(0, 100, 5):
        named = schema.labels(f"http://example.org/made{number}" for number in range(start, start + 5))
        assert named[f"http://example.org/made{start}"] == f"made{start}"
        schema.labels([f"http://example.org/{'y' * 5000}{start}"])
    assert len(schema._labels) <= 10
    assert all(len(iri) < 100 for iri in schema._labels)


@pytest.mark.slow(1)
def test_functions_remember_no_long_iri_that_a_query_makes(graph: LookedUp) -> None:
    Schema(graph.graph).labels([EX + "Momo"])
    tracemalloc.start()
    try:
        for number in range(50):
            Schema(graph.graph).labels([f"{EX}{'y' * 100_000}{number}"])
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()
