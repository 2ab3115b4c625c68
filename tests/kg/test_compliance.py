"""What every knowledge graph promises, run on each adapter of the port."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from tests.services.fixtures import TRIPLE_STORES
from tests.sparql_server import Serve
from triad.errors import GraphError, QuerySyntaxError
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.kg.endpoint import EndpointGraph
from triad.kg.local import LocalGraph
from triad.rdf import IRI, RDF_LANG_STRING, XSD, BlankNode, Literal, ResultSet

EX = "http://example.org/"

DATA = """
@prefix ex: <http://example.org/> .

ex:intel a ex:Company ;
    ex:name "Intel"@en, "Интел"@ru ;
    ex:motto "He said: \\"Only the\\nparanoid survive\\" 🙂" ;
    ex:employees 124800 ;
    ex:listed true ;
    ex:share 330.0e0 , 1.5e0 , 0.25 ;
    ex:address [ ex:city ex:santa_clara ] .

ex:chips { ex:intel ex:makes ex:xeon . }
"""


def ask(text: str) -> SafeQuery:
    return SafeQuery(f"PREFIX ex: <{EX}> ASK {{ {text} }}")


def select(text: str, form: str = "*", tail: str = "") -> SafeQuery:
    return SafeQuery(f"PREFIX ex: <{EX}> SELECT {form} WHERE {{ {text} }} {tail}")


@pytest.fixture(params=["local", "endpoint", *TRIPLE_STORES])
def open_data(
    request: pytest.FixtureRequest, kept_file: Callable[[str, str], Path], sparql_server: Serve
) -> Iterator[Callable[..., KnowledgeGraph]]:
    """A function that opens the data above with options that all adapters take."""
    opened: list[LocalGraph | EndpointGraph] = []

    def open_(**options: Any) -> KnowledgeGraph:
        if request.param == "local":
            opened.append(LocalGraph.load(kept_file("data.trig", DATA), workers=1, **options))
        elif request.param in ("virtuoso", "fuseki"):
            url = request.getfixturevalue(request.param).hold(DATA, pyoxigraph.RdfFormat.TRIG)
            opened.append(EndpointGraph(url, **options))
        else:
            store = pyoxigraph.Store()
            store.load(DATA.encode(), format=pyoxigraph.RdfFormat.TRIG)
            opened.append(EndpointGraph(sparql_server(store).url, **options))
        return opened[-1]

    yield open_
    for graph in opened:
        graph.close()


@pytest.fixture
def graph(open_data: Callable[..., KnowledgeGraph]) -> KnowledgeGraph:
    return open_data()


def test_a_row_holds_an_iri(graph: KnowledgeGraph) -> None:
    assert graph.select(select("?x a ex:Company")) == ResultSet(("x",), ((IRI(EX + "intel"),),))


@pytest.mark.slow(0.4)
def test_a_literal_keeps_its_language(graph: KnowledgeGraph) -> None:
    found = graph.select(select("ex:intel ex:name ?name", tail="ORDER BY ?name")).column("name")
    assert found == [Literal("Intel", RDF_LANG_STRING, "en"), Literal("Интел", RDF_LANG_STRING, "ru")]


def test_a_literal_keeps_its_datatype(graph: KnowledgeGraph) -> None:
    found = graph.select(select("ex:intel ex:employees ?count")).column("count")
    assert found == [Literal("124800", XSD + "integer")]


def test_a_boolean_is_written_out(graph: KnowledgeGraph) -> None:
    found = graph.select(select("ex:intel ex:listed ?listed")).column("listed")
    assert found == [Literal("true", XSD + "boolean")]


def test_fractions_are_written_in_one_way(graph: KnowledgeGraph) -> None:
    found = graph.select(select("ex:intel ex:share ?share")).column("share")
    expected = [("330", "double"), ("1.5", "double"), ("0.25", "decimal")]
    assert set(found) == {Literal(value, XSD + datatype) for value, datatype in expected}


def test_a_literal_keeps_quotes_line_breaks_and_emoji(graph: KnowledgeGraph) -> None:
    found = graph.select(select("ex:intel ex:motto ?motto")).column("motto")
    assert found == [Literal('He said: "Only the\nparanoid survive" 🙂')]


def test_a_blank_node_is_a_term_of_its_own(graph: KnowledgeGraph) -> None:
    [term] = graph.select(select("ex:intel ex:address ?address")).column("address")
    assert isinstance(term, BlankNode)


def test_an_unbound_variable_is_none(graph: KnowledgeGraph) -> None:
    result = graph.select(select("ex:intel a ?class OPTIONAL { ?class ex:name ?name }", "?class ?name"))
    assert result == ResultSet(("class", "name"), ((IRI(EX + "Company"), None),))


def test_variables_are_known_even_without_rows(graph: KnowledgeGraph) -> None:
    assert graph.select(select("?x a ex:Planet")) == ResultSet(("x",))


def test_variables_come_in_the_order_of_the_projection(graph: KnowledgeGraph) -> None:
    assert graph.select(select("?b a ?a", "?b ?a")).variables == ("b", "a")


def test_named_graphs_belong_to_the_graph(graph: KnowledgeGraph) -> None:
    assert graph.select(select("ex:intel ex:makes ?x")).column("x") == [IRI(EX + "xeon")]


def test_a_query_may_be_in_any_script(graph: KnowledgeGraph) -> None:
    assert graph.ask(ask('ex:intel ex:name "Интел"@ru'))


def test_a_fact_is_true(graph: KnowledgeGraph) -> None:
    assert graph.ask(ask("ex:intel a ex:Company")) is True


def test_what_is_not_in_the_graph_is_false(graph: KnowledgeGraph) -> None:
    assert graph.ask(ask("ex:intel a ex:Planet")) is False


def test_a_select_in_place_of_an_ask_is_an_error(graph: KnowledgeGraph) -> None:
    with pytest.raises(GraphError, match="use ASK"):
        graph.ask(select("?x a ex:Company"))


def test_a_look_up_takes_both_forms(graph: KnowledgeGraph) -> None:
    assert graph.lookup(select("?x a ex:Company")).column("x") == [IRI(EX + "intel")]
    assert graph.lookup(ask("ex:intel a ex:Company")).boolean is True


def test_what_is_not_sparql_is_a_syntax_error(graph: KnowledgeGraph) -> None:
    with pytest.raises(QuerySyntaxError):
        graph.select(SafeQuery("SELECT ?x WHERE { ?x"))


def test_a_look_up_that_is_not_sparql_is_a_syntax_error(graph: KnowledgeGraph) -> None:
    with pytest.raises(QuerySyntaxError):
        graph.lookup("SELECT ?x WHERE { ?x")


def test_a_query_after_a_failed_one_works(graph: KnowledgeGraph) -> None:
    with pytest.raises(QuerySyntaxError):
        graph.select(SafeQuery("SELECT"))
    assert graph.ask(ask("ex:intel a ex:Company"))


def test_comments_do_not_mislead(graph: KnowledgeGraph) -> None:
    query = "# DELETE\nPREFIX ex: <http://example.org/> # INSERT\nASK { # SELECT\n ex:intel a ex:Company }"
    assert graph.ask(SafeQuery(query))


def test_a_query_may_be_long(graph: KnowledgeGraph) -> None:
    values = " ".join(f"ex:{number:05}" for number in range(4_000))  # Virtuoso takes some 5,000
    found = graph.select(select(f"VALUES ?x {{ {values} ex:intel }} ?x a ex:Company"))
    assert found.column("x") == [IRI(EX + "intel")]


def test_rows_beyond_the_limit_are_cut_and_the_result_says_so(open_data: Callable[..., KnowledgeGraph]) -> None:
    result = open_data(row_limit=2).select(select("?s ?p ?o"))
    assert len(result) == 2
    assert result.truncated


def test_as_many_rows_as_the_limit_allows_are_not_cut(open_data: Callable[..., KnowledgeGraph]) -> None:
    result = open_data(row_limit=2).select(select("ex:intel ex:name ?name"))
    assert len(result) == 2
    assert not result.truncated


def test_the_limit_holds_for_look_ups(open_data: Callable[..., KnowledgeGraph]) -> None:
    result = open_data(row_limit=2).lookup(select("?s ?p ?o"))
    assert len(result) == 2
    assert result.truncated


@pytest.mark.slow(0.1)
def test_several_threads_may_ask_at_once(graph: KnowledgeGraph) -> None:
    queries = [select(f"BIND({number} AS ?n) ex:intel a ?class", "?n") for number in range(20)]
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(graph.select, queries))
    assert [result.column("n") for result in results] == [[Literal(str(n), XSD + "integer")] for n in range(20)]


def test_a_graph_is_known_by_its_name(graph: KnowledgeGraph) -> None:
    assert graph.name in repr(graph)


def test_a_graph_may_be_closed_twice(graph: KnowledgeGraph) -> None:
    with graph:
        pass
    graph.close()
