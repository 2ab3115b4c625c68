from __future__ import annotations

import pytest

from triad.errors import GraphError, SearchError
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.kg.dialects import DIALECTS
from triad.rdf import IRI, XSD, Literal, ResultSet
from triad.search.base import Entry, Lookup
from triad.search.endpoint import EndpointIndex

EX = "http://example.org/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
INTEGER = XSD + "integer"


class RecordingGraph(KnowledgeGraph):
    """Notes the queries and gives the same rows to the first of each lookup."""

    def __init__(self, *rows: tuple[str, str]) -> None:
        self.name = "recording"
        self.timeout = 1.0
        self.row_limit = 100
        self.queries: list[str] = []
        self._rows = rows

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        return self.lookup(query)

    def ask(self, query: SafeQuery, *, timeout: float | None = None) -> bool:
        return False

    def lookup(self, query: str) -> ResultSet:
        self.queries.append(query)
        if "?at" not in query:
            return ResultSet(("iri", "property", "value"))
        rows = tuple((Literal("0", INTEGER), IRI(iri), Literal(label, language="en")) for iri, label in self._rows)
        return ResultSet(("at", "iri", "label"), rows)


def query_of(dialect: str, text: str) -> str:
    graph = RecordingGraph()
    EndpointIndex(graph, dialect, label_properties=[LABEL]).search(text)
    [query] = graph.queries
    return query


def test_virtuoso_searches_by_bif_contains() -> None:
    assert """?label <bif:contains> "'stanley' AND 'kubrick'" .""" in query_of("virtuoso", "Stanley Kubrick")


def test_fuseki_searches_by_text_query() -> None:
    assert (
        f'?iri <http://jena.apache.org/text#query> (<{LABEL}> "stanley AND kubrick" 100) . ?iri <{LABEL}> ?label'
        in query_of("fuseki", "Stanley Kubrick")
    )


def test_graphdb_searches_by_its_full_text_predicate() -> None:
    assert '?label <http://www.ontotext.com/fts> ("stanley AND kubrick" "*" 100) .' in query_of(
        "graphdb", "Stanley Kubrick"
    )


def test_blazegraph_searches_by_bds() -> None:
    search = "http://www.bigdata.com/rdf/search#"
    assert f'?label <{search}search> "stanley kubrick" ; <{search}matchAllTerms> "true" .' in query_of(
        "blazegraph", "Stanley Kubrick"
    )


def test_qlever_searches_by_words_of_text_records() -> None:
    builtin = "http://qlever.cs.uni-freiburg.de/builtin-functions/"
    query = query_of("qlever", "Stanley Kubrick")
    assert f'?text <{builtin}contains-word> "stanley kubrick" .' in query
    assert f"?text <{builtin}contains-entity> ?label ." in query


def test_plain_needs_no_full_text_index() -> None:
    query = query_of("plain", "Stanley Kubrick")
    assert 'CONTAINS(LCASE(STR(?label)), "stanley") && CONTAINS(LCASE(STR(?label)), "kubrick")' in query


def test_equal_names_are_looked_up_in_several_forms_and_in_the_languages() -> None:
    query = query_of("plain", "film_directors")
    for form in ('"film_directors"@en', '"film directors"@en', '"Film Directors"', '"Film director"@en'):
        assert form in query


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("text", ["one' OR 'two", 'one" } # two', "one\\two", "-one two*", "(one:two)", "one\ntwo~"])
def test_only_words_reach_the_full_text_search(dialect: str, text: str) -> None:
    properties = [LABEL]
    words = [word for word in ("one", "or", "two") if word in text.lower()]
    assert DIALECTS[dialect](words, properties, 100) in query_of(dialect, text)


@pytest.mark.parametrize("text", ['"', "\\", '\\"', '" } DELETE WHERE { ?s ?p ?o } #', "a\nb\rc", "'''"])
def test_a_text_cannot_leave_its_literal(text: str, tiny_graph: KnowledgeGraph) -> None:
    assert not any(candidate.exact for candidate in EndpointIndex(tiny_graph).search(text))


def test_an_iri_that_would_end_the_query_is_left_out() -> None:
    graph = RecordingGraph((EX + "a> } DELETE WHERE { ?s ?p ?o } #", "Film"), (EX + "Film", "Film"))
    EndpointIndex(graph).search("Film")
    assert "DELETE" not in graph.queries[1]
    assert f"<{EX}Film>" in graph.queries[1]


def test_all_look_ups_cost_two_queries(tiny_graph: KnowledgeGraph) -> None:
    index = EndpointIndex(tiny_graph)
    index.search_many([Lookup("Film"), Lookup("Sampa"), Lookup("Country")])
    assert len(tiny_graph.queries) == 2  # type: ignore[attr-defined]


def test_what_is_used_as_a_class_or_relation_is_one_without_being_declared(tiny_graph: KnowledgeGraph) -> None:
    import pyoxigraph

    node = pyoxigraph.NamedNode
    store = tiny_graph._store  # type: ignore[attr-defined]
    type_ = node("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
    store.add(pyoxigraph.Quad(node(EX + "Metropolis"), type_, node(EX + "City")))
    store.add(pyoxigraph.Quad(node(EX + "Metropolis"), node(EX + "mayor"), node(EX + "Ann")))
    for name in ("City", "mayor", "Ann"):
        store.add(pyoxigraph.Quad(node(EX + name), node(LABEL), pyoxigraph.Literal(name)))
    index = EndpointIndex(tiny_graph)
    assert [index.search(name)[0].kind for name in ("City", "mayor", "Ann")] == ["class", "relation", "entity"]


class Server(RecordingGraph):
    """A server with a dialect, whose full-text search finds what it is told to."""

    def __init__(self, found: int | GraphError) -> None:
        super().__init__()
        self._found = found

    @property
    def dialect(self) -> str:
        return "virtuoso"

    def lookup(self, query: str) -> ResultSet:
        if "?at" in query or "?property ?value" in query:
            return super().lookup(query)
        self.queries.append(query)
        if "bif:contains" not in query:
            return ResultSet(("label",), ((Literal("Stanley Kubrick", language="en"),),))
        if isinstance(self._found, GraphError):
            raise self._found
        return ResultSet(("label",), ((Literal("Stanley Kubrick", language="en"),),) * self._found)


def test_the_dialect_is_that_of_the_graph_and_found_out_once() -> None:
    graph = Server(found=1)
    index = EndpointIndex(graph)
    index.search("film")
    index.search("film")
    assert index.name == "endpoint"
    assert len(graph.queries) == 2 + 2  # is it in use, once; then one query each, as nothing is found
    assert all("bif:contains" in query for query in graph.queries[2:])


@pytest.mark.parametrize("found", [0, GraphError("no text index")])
def test_a_full_text_search_that_is_not_in_use_is_done_without(found: int | GraphError) -> None:
    graph = Server(found)
    EndpointIndex(graph).search("film")
    assert "CONTAINS(LCASE" in graph.queries[-1]


def test_it_takes_no_entries(tiny_graph: KnowledgeGraph) -> None:
    with pytest.raises(SearchError, match="takes no entries"):
        EndpointIndex(tiny_graph).add([Entry(EX + "x", "entity", "x")])


def test_an_error_of_the_graph_is_one_of_the_index() -> None:
    class BrokenGraph(RecordingGraph):
        def lookup(self, query: str) -> ResultSet:
            raise GraphError("gone")

    with pytest.raises(SearchError, match="the lookup in 'recording' failed: gone"):
        EndpointIndex(BrokenGraph()).search("Film")
