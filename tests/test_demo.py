import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from triad import Agent

DEMO = Path(__file__).parents[1] / "configs" / "demo"
QUESTIONS: list[dict[str, Any]] = json.loads((DEMO / "questions.json").read_text(encoding="utf-8"))["questions"]
TYPES = {
    "plain",
    "two-hop",
    "count",
    "boolean",
    "superlative",
    "comparison",
    "filter",
    "list",
    "group",
    "date",
}
ANSWER_TYPES = {"resource", "number", "date", "string", "boolean", "list"}
RESOURCE = "http://dbpedia.org/resource/"
RDF_TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")
RDFS_LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"

Term = tuple[str, ...]
Row = frozenset[tuple[str, Term]]


@pytest.fixture(scope="module")
def graph() -> ox.Store:
    store = ox.Store()
    store.load(path=DEMO / "graph.ttl", format=ox.RdfFormat.TURTLE)
    return store


def has_english_label(graph: ox.Store, subject: ox.NamedNode) -> bool:
    labels = (quad.object for quad in graph.quads_for_pattern(subject, RDFS_LABEL, None))
    return any(isinstance(label, ox.Literal) and label.language == "en" for label in labels)


def named_subjects(graph: ox.Store) -> set[ox.NamedNode]:
    return {quad.subject for quad in graph if isinstance(quad.subject, ox.NamedNode)}


def stored_rows(answer: dict[str, Any]) -> Counter[Row]:
    def term(value: dict[str, str]) -> Term:
        if value["type"] == "uri":
            return ("uri", value["value"])
        return ("literal", value["value"], value.get("datatype", XSD_STRING), value.get("xml:lang", ""))

    return Counter(
        frozenset((name, term(value)) for name, value in row.items()) for row in answer["results"]["bindings"]
    )


def computed_rows(solutions: ox.QuerySolutions) -> Counter[Row]:
    def term(value: ox.NamedNode | ox.Literal) -> Term:
        if isinstance(value, ox.NamedNode):
            return ("uri", value.value)
        language = value.language or ""
        return ("literal", value.value, XSD_STRING if language else value.datatype.value, language)

    names = [variable.value for variable in solutions.variables]
    return Counter(frozenset((name, term(row[name])) for name in names if row[name] is not None) for row in solutions)


def test_the_graph_has_between_1500_and_4000_triples(graph: ox.Store) -> None:
    assert 1500 <= len(graph) <= 4000


def test_no_triple_is_written_twice(graph: ox.Store) -> None:
    triples = list(ox.parse(path=DEMO / "graph.ttl", format=ox.RdfFormat.TURTLE))
    assert len(triples) == len(graph)


def test_the_graph_has_no_blank_nodes(graph: ox.Store) -> None:
    assert not [
        quad for quad in graph if isinstance(quad.subject, ox.BlankNode) or isinstance(quad.object, ox.BlankNode)
    ]


def test_every_subject_has_a_type(graph: ox.Store) -> None:
    assert not [
        subject
        for subject in named_subjects(graph)
        if not any(True for _ in graph.quads_for_pattern(subject, RDF_TYPE, None))
    ]


def test_every_subject_has_an_english_label(graph: ox.Store) -> None:
    assert not [subject for subject in named_subjects(graph) if not has_english_label(graph, subject)]


def test_every_resource_that_is_linked_to_has_a_label(graph: ox.Store) -> None:
    linked = {
        quad.object
        for quad in graph
        if isinstance(quad.object, ox.NamedNode) and quad.object.value.startswith(RESOURCE)
    }
    assert linked
    assert not [resource for resource in linked if not has_english_label(graph, resource)]


def test_every_class_and_property_used_is_declared(graph: ox.Store) -> None:
    ontology = "http://dbpedia.org/ontology/"
    classes = {quad.object for quad in graph.quads_for_pattern(None, RDF_TYPE, None)}
    used = classes | {quad.predicate for quad in graph}
    declared = named_subjects(graph)
    terms = {term for term in used if isinstance(term, ox.NamedNode)}
    assert not [term for term in terms if term.value.startswith(ontology) and term not in declared]


@pytest.mark.parametrize("name", ["border", "spouse"])
def test_symmetric_properties_hold_in_both_directions(graph: ox.Store, name: str) -> None:
    links = {
        (quad.subject, quad.object)
        for quad in graph.quads_for_pattern(None, ox.NamedNode(f"http://dbpedia.org/ontology/{name}"), None)
        if quad.subject != ox.NamedNode(f"http://dbpedia.org/ontology/{name}")
    }
    assert links
    assert links == {(end, start) for start, end in links}


def test_question_ids_are_unique() -> None:
    ids = [question["id"] for question in QUESTIONS]
    assert len(ids) == len(set(ids))


def test_every_question_type_occurs_at_least_four_times() -> None:
    counts = Counter(question["type"] for question in QUESTIONS)
    assert set(counts) == TYPES
    assert min(counts.values()) >= 4


def test_every_question_has_a_known_answer_type_and_an_english_wording() -> None:
    for question in QUESTIONS:
        assert question["answertype"] in ANSWER_TYPES
        assert question["question"][0]["language"] == "en"
        assert question["question"][0]["string"]


@pytest.mark.parametrize("question", QUESTIONS, ids=[question["id"] for question in QUESTIONS])
def test_the_gold_query_gives_the_stored_answers(graph: ox.Store, question: dict[str, Any]) -> None:
    result = graph.query(question["query"]["sparql"])
    (answer,) = question["answers"]
    if isinstance(result, ox.QueryBoolean):
        assert bool(result) is answer["boolean"]
    else:
        assert isinstance(result, ox.QuerySolutions)
        assert [variable.value for variable in result.variables] == answer["head"]["vars"]
        assert computed_rows(result) == stored_rows(answer)


def test_a_second_column_and_a_bound_are_both_heeded() -> None:
    with Agent.from_config("demo", model="none") as agent:
        answer = agent.ask("Which companies in the graph were founded in the 1970s, and by whom?", min_confidence=0)
    assert len(answer.variables) == 2
    assert ("Microsoft", "Bill Gates") in {tuple(str(value) for value in row) for row in answer.rows}
