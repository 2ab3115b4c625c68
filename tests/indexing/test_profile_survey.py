from __future__ import annotations

from pathlib import Path

import pyoxigraph
import pytest

from triad.deadline import Pace
from triad.errors import GraphError, QueryTimeout
from triad.indexing.entries import LabelProperties
from triad.indexing.profiling.counting import count_profile
from triad.indexing.profiling.endpoint import survey
from triad.indexing.recipe import Endpoint
from triad.indexing.triples import Triples
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.kg.local import LocalGraph
from triad.kg.profile import GraphProfile
from triad.rdf import ResultSet

pytestmark = pytest.mark.slow(0.2)

EX = "http://x.org/"
TURTLE = """
@prefix : <http://x.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Novel a owl:Class ; rdfs:subClassOf :Book ; rdfs:label "novel"@en , "Roman"@de .
:author a owl:ObjectProperty ; rdfs:label "written by"@en .
:momo a :Novel ; rdfs:label "Momo"@de , "Momo"@en ; :author :ende ; :pages 304 ; :published "1973"^^xsd:gYear .
:jim a :Novel ; rdfs:label "Jim Button"@en ; :author :ende ; :pages 260 ; :published "1960-08-09"^^xsd:date .
:atlas a :Book ; rdfs:label "Atlas" ; :pages 512 ; :weightKg 2.5 ; :genre "atlas" , "fantasy" .
:ende a :Writer ; rdfs:label "Michael Ende" ; :knows :dahl ; :prize [ :called "Book Prize" ; :year 1974 ] .
:dahl rdfs:label "Roald Dahl" .
"""

ENDPOINT = Endpoint(address="http://example.org/sparql", rate=1_000_000)


class Slow(KnowledgeGraph):
    """A graph on which queries with one of some words take too long."""

    def __init__(self, graph: KnowledgeGraph, *words: str) -> None:
        self.name, self.timeout, self.row_limit = graph.name, graph.timeout, graph.row_limit
        self.asked: list[str] = []
        self._graph = graph
        self._words = words

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        raise AssertionError("a survey is made of lookups")

    def lookup(self, query: str) -> ResultSet:
        self.asked.append(query)
        if any(word in query for word in self._words):
            raise QueryTimeout("it takes too long")
        return self._graph.lookup(query)


@pytest.fixture
def books(tmp_path: Path) -> LocalGraph:
    file = tmp_path / "books.ttl"
    file.write_text(TURTLE)
    return LocalGraph.load(file)


def counted_in(trig: str) -> GraphProfile:
    with Triples() as triples:
        triples.take(pyoxigraph.parse(trig, pyoxigraph.RdfFormat.TRIG))
        return count_profile(triples)


def made(graph: KnowledgeGraph) -> GraphProfile:
    return survey(graph, ENDPOINT, LabelProperties())


def test_what_an_endpoint_tells_is_what_is_counted_as_triples_go_by(books: LocalGraph) -> None:
    asked, counted = made(books), counted_in(TURTLE)
    assert asked.relations == counted.relations
    assert (asked.triples, asked.names[0].iri, asked.languages) == (
        counted.triples,
        counted.names[0].iri,
        counted.languages,
    )
    for name in ("Novel", "Writer", "Book"):
        assert asked.class_profile(EX + name) == counted.class_profile(EX + name)
    assert asked.partial == ()


def test_instances_that_are_told_to_be_of_the_upper_class_too_count_once(tmp_path: Path) -> None:
    file = tmp_path / "books.ttl"
    file.write_text(TURTLE.replace(":momo a :Novel", ":momo a :Novel, :Book").replace(":jim a :Novel", ":jim a :Book"))
    book = made(LocalGraph.load(file)).class_profile(EX + "Book")
    assert book is not None
    assert (book.instances, book.direct) == (3, 3)
    assert [(use.relation, use.things, use.triples) for use in book.outgoing if use.relation == EX + "pages"] == [
        (EX + "pages", 3, 3)
    ]


def test_named_graphs_of_relations_and_classes_are_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "books.trig"
    file.write_text(
        "@prefix : <http://x.org/> . :old { :momo a :Novel ; :pages 304 ; :sold 5 . :jim :sold 8 . } "
        ":new { :momo :sold 7 . :jim a :Novel . }"
    )
    asked = made(LocalGraph.load(file))
    counted = counted_in(file.read_text())
    assert asked.relations == counted.relations
    assert asked.classes == counted.classes
    assert counted.graphs == {EX + "old": 4, EX + "new": 2}
    sold, pages = counted.relation_profile(EX + "sold"), counted.relation_profile(EX + "pages")
    assert sold is not None
    assert pages is not None
    assert sold.graphs == {EX + "old": 2, EX + "new": 1}
    assert pages.graphs == {EX + "old": 1}


def test_a_relation_that_takes_too_long_is_asked_about_by_a_sample(
    books: LocalGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triad.indexing.profiling.endpoint._SAMPLE", 2)
    slow = Slow(books, f"{{ ?s <{EX}pages> ?o }} GROUP BY ?s")
    asked = made(slow)
    pages = asked.relation_profile(EX + "pages")
    assert pages is not None
    assert (pages.sampled, pages.triples, pages.subjects) == (True, 3, 2)
    assert asked.partial == ("The figures of 1 relations come from a sample of their triples.",)


def test_after_some_of_these_large_relations_are_asked_about_by_samples_at_once(
    books: LocalGraph, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triad.indexing.profiling.endpoint._SAMPLE", 1)
    monkeypatch.setattr("triad.indexing.profiling.endpoint._SLOW", 1)
    slow = Slow(books, "> ?o } GROUP BY ?s")
    made(slow)
    whole = [query for query in slow.asked if "> ?o } GROUP BY ?s" in query and "LIMIT 1 }" not in query]
    assert len(whole) == 7  # the most frequent relation, and the six with one triple


def test_what_cannot_be_found_out_is_told(books: LocalGraph) -> None:
    asked = made(Slow(books, "GRAPH ?g", "COUNT(DISTINCT ?s) AS ?n) { ?s ?p ?o }"))
    assert asked.things == 0
    assert asked.partial == (
        "It is not known how many things there are (1 times).",
        "It is not known which named graphs there are (1 times).",
    )


def test_a_server_that_fails_again_and_again_is_left_alone(books: LocalGraph, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.indexing.profiling.endpoint._FAILURES", 3)
    slow = Slow(books, "SELECT ?c", "SELECT (", "DISTINCT")
    with pytest.raises(GraphError, match="takes too long"):
        made(slow)
    assert len(slow.asked) == 4


def test_requests_are_held_apart(books: LocalGraph) -> None:
    waits: list[float] = []
    survey(books, ENDPOINT, LabelProperties(), pace=Pace(2.0, waits.append, lambda: 0.0))
    assert waits[:3] == [0.5, 1.0, 1.5]
