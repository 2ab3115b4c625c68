import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from tests.retrieval.evidence_world import reply
from triad import Agent, Conversation
from triad.errors import AnswerError
from triad.indexing.build import build
from triad.language.written import PLACE, point_of
from triad.models import ScriptedModel
from triad.retrieval.passages.building import make_passages
from triad.route import Route

DEMO = Path(__file__).parents[1] / "configs" / "demo"
FILES = (DEMO / "graph.ttl", DEMO / "places.ttl")
QUESTIONS: list[dict[str, Any]] = json.loads((DEMO / "questions.json").read_text(encoding="utf-8"))["questions"]
TYPES = {"plain", "two-hop", "count", "boolean", "superlative", "comparison", "filter", "list", "group", "date"}
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
    for file in FILES:
        store.load(path=file, format=ox.RdfFormat.TURTLE)
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


def test_the_graph_has_between_1500_and_4500_triples(graph: ox.Store) -> None:
    assert 1500 <= len(graph) <= 4500


def test_no_triple_is_written_twice(graph: ox.Store) -> None:
    triples = [triple for file in FILES for triple in ox.parse(path=file, format=ox.RdfFormat.TURTLE)]
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


@pytest.mark.slow(0.3)
def test_a_second_column_and_a_bound_are_both_heeded() -> None:
    with Agent.from_config("demo", model="none") as agent:
        answer = agent.ask("Which companies in the graph were founded in the 1970s, and by whom?", min_confidence=0)
    assert len(answer.variables) == 2
    assert ("Microsoft", "Bill Gates") in {tuple(str(value) for value in row) for row in answer.rows}


# What it shows besides ------------------------------------------------------------------------------------


def test_every_city_country_river_and_mountain_has_one_place_on_earth(graph: ox.Store) -> None:
    classes = " ".join(f"<http://dbpedia.org/ontology/{name}>" for name in ("City", "Country", "River", "Mountain"))
    found = graph.query(f"SELECT DISTINCT ?x {{ VALUES ?c {{ {classes} }} ?x a ?c }}")
    assert isinstance(found, ox.QuerySolutions)
    points = list(graph.quads_for_pattern(None, ox.NamedNode(PLACE.replace("wktLiteral", "asWKT")), None))
    places = {str(quad.subject): quad.object for quad in points}
    assert len(places) == len(points)
    assert {str(row["x"]) for row in found} <= set(places)
    for place in places.values():
        assert isinstance(place, ox.Literal)
        assert place.datatype.value == PLACE
        assert point_of(place.value)


def test_pictures_are_addresses_of_files_of_wikimedia_commons(graph: ox.Store) -> None:
    depiction = ox.NamedNode("http://xmlns.com/foaf/0.1/depiction")
    pictures = [quad.object for quad in graph.quads_for_pattern(None, depiction, None)]
    start = "https://commons.wikimedia.org/wiki/Special:FilePath/"
    assert len(pictures) > 10
    assert all(isinstance(one, ox.Literal) and one.value.startswith(start) for one in pictures)


@pytest.mark.slow(0.1)
def test_a_place_is_told_as_people_write_it(demo_agent: Agent) -> None:
    [value] = demo_agent.ask("What are the coordinates of Mount Everest?").values
    assert (value.shown, value.term.value) == ("27.99°, 86.93°", "POINT(86.93 27.99)")


@pytest.mark.slow(3.0)
def test_nobody_is_invited_to_ask_for_degrees_or_addresses(demo_agent: Agent) -> None:
    asked = [one.question for one in demo_agent.describe(questions=30).questions]
    for thing in ("Kyiv", "Mount_Everest", "Albert_Einstein"):
        asked += [one.question for one in demo_agent.next_questions(f"http://dbpedia.org/resource/{thing}")]
    assert len(asked) > 20
    words = ("coordinates", "latitude", "longitude", "picture", "lat ")
    assert not [question for question in asked if any(word in question for word in words)]


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many major cities are there?", "19"),
        ("Which long films did Stanley Kubrick direct?", "Eyes Wide Shut (159 min)"),
        ("What is the population density of Germany?", "233.3 people per km²"),
    ],
)
def test_the_words_that_the_demo_defines_are_understood(demo_agent: Agent, question: str, expected: str) -> None:
    assert "; ".join(value.shown for value in demo_agent.ask(question).values) == expected


@pytest.mark.slow(1.8)
def test_the_conversation_is_replayed(demo_agent: Agent) -> None:
    talk = Conversation(demo_agent)
    replies = [talk.ask(line).reply for line in (DEMO / "conversation.txt").read_text(encoding="utf-8").splitlines()]
    assert replies[3] == "Danube and Rhine."
    assert replies[5:7] == ["Intel was founded on July 18, 1968.", "Robert Noyce (December 12, 1927) is older."]
    assert replies[9:] == [
        "Eyes Wide Shut: July 16, 1999.",
        "The coordinate of Mount Everest is 27.99°, 86.93°.",
        "45.98°, 7.66°.",
    ]


LORELEY = "How high does the Loreley rise above the water?"


@pytest.mark.slow(1.9)
def test_a_document_answers_what_the_graph_does_not_have(tmp_path: Path) -> None:
    build(FILES, tmp_path / "world")
    made = make_passages(tmp_path / "world", documents=DEMO / "documents")
    assert made.documents == 4
    with Agent(tmp_path / "world", model="none") as agent, pytest.raises(AnswerError) as caught:
        agent.ask(LORELEY)
    assert caught.value.unknown is not None
    documents = [one.citation.document for one in caught.value.unknown.passages if one.citation.document]
    assert documents[0] == "rivers.md"

    def read(messages: Any, schema: Any) -> str:
        number = next(
            line.split("]")[0].strip("[") for line in messages[-1].content.splitlines() if "The Rhine" in line
        )
        return reply(sentences=[("The Loreley rises 132 metres above the water.", [int(number)])])

    route = Route(rungs=("retrieval",))
    with Agent(tmp_path / "world", model=ScriptedModel(read), route=route) as agent:
        answer = agent.ask(LORELEY)
    assert answer.text == "The Loreley rises 132 metres above the water."
    assert [one.document for one in answer.citations] == ["rivers.md"]
