from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pyoxigraph
import pytest
from typer.testing import CliRunner

from tests.sparql_server import SparqlServer
from triad import Agent
from triad.answers import Answer
from triad.cli.program import app
from triad.errors import AnswerError, ConfigError, DataError
from triad.indexing.entries import LabelProperties
from triad.indexing.profiling.endpoint import survey
from triad.indexing.recipe import Endpoint
from triad.kg.endpoint import EndpointGraph
from triad.kg.ontology import Notes, ask_notes, notes_of, read_notes
from triad.phases.grounding import vocabulary
from triad.questions import Question
from triad.rdf import IRI, RDFS, SHACL, SKOS, BlankNode, Literal

EX = "http://example.org/"
PREFIXES = f"""
@prefix ex: <{EX}> .
@prefix sh: <{SHACL}> .
@prefix rdfs: <{RDFS}> .
@prefix skos: <{SKOS}> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix om: <http://www.ontology-of-units-of-measure.org/resource/om-2/> .
"""
DATA = """
ex:a a ex:Pol ; rdfs:label "Alpha cover" ; ex:pr1 "EUR 120" ; ex:pr2 "EUR 100" ; ex:st "open" ; ex:len 12.5 .
ex:b a ex:Pol ; rdfs:label "Beta cover" ; ex:pr1 "EUR 220" ; ex:pr2 "EUR 150" ; ex:st "closed" ; ex:len 7 .
ex:c a ex:Pol ; rdfs:label "Gamma cover" ; ex:pr1 "EUR 90" ; ex:pr2 "EUR 80" ; ex:st "open" ; ex:len 3 .
"""
SHAPES = """
[] a sh:NodeShape ; sh:targetClass ex:Pol ; sh:name "policy" ; sh:description "A contract of insurance." ; sh:property
  [ sh:path ex:pr1 ; sh:name "gross premium" ; sh:order 1 ; sh:description "What a customer pays, taxes included." ] ,
  [ sh:path ex:pr2 ; sh:name "net premium" ; sh:order 2 ; sh:agentInstruction "Take it for sales of the company." ] ,
  [ sh:path ex:st ; sh:name "status" ; sh:in ("open" "closed" "lapsed") ; sh:order 0 ] ,
  [ sh:path [ sh:inversePath ex:st ] ; sh:name "backwards" ] .
ex:len qudt:unit <http://qudt.org/vocab/unit/KiloM> ; rdfs:label "reach" ; skos:altLabel "extent" .
"""
ONTOLOGY = """
ex:Pol a owl:Class ; rdfs:label "policy" ; skos:hiddenLabel "insurance contract" ; rdfs:comment "A contract." .
ex:Claim a owl:Class ; rdfs:label "claim" .
ex:pr1 a owl:DatatypeProperty ; rdfs:label "gross premium" ; ex:usage "What a customer pays, taxes included." .
ex:pr2 a owl:DatatypeProperty ; rdfs:label "net premium" ; rdfs:comment "Counts as sales of the company." .
ex:st a owl:DatatypeProperty ; rdfs:label "status"@en , "Zustand"@de .
ex:len a owl:DatatypeProperty ; rdfs:label "reach" ; skos:altLabel "extent" ; om:hasUnit om:kilometre .
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("policies")
    for name, text in {"shaped": DATA + SHAPES, "data": DATA, "schema": ONTOLOGY}.items():
        (folder / f"{name}.ttl").write_text(PREFIXES + text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def shaped(files: Path) -> Iterator[Agent]:
    with Agent(files / "shaped.ttl") as agent:
        yield agent


@pytest.fixture(scope="module")
def beside(files: Path) -> Iterator[Agent]:
    with Agent(files / "data.ttl", ontology=files / "schema.ttl", hints=[f"{EX}usage"]) as agent:
        yield agent


def values(answer: Answer) -> list[str]:
    return [str(value.term) for value in answer.values]


def lines(agent: Agent, question: str) -> list[str]:
    return vocabulary(agent.begin(Question(question)), 900)


def test_what_a_shape_says_is_said_of_the_relation_of_its_path() -> None:
    shape, head, rest = "_:shape", "_:head", "_:rest"
    rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    notes = notes_of(
        [
            (shape, SHACL + "path", IRI(f"{EX}state")),
            (shape, SHACL + "name", Literal("state")),
            (shape, SHACL + "order", Literal("2")),
            (shape, SHACL + "in", BlankNode("head")),
            (head, rdf + "first", Literal("open")),
            (head, rdf + "rest", BlankNode("rest")),
            (rest, rdf + "first", IRI(f"{EX}wellDone")),
            (rest, rdf + "rest", BlankNode("head")),
        ]
    )
    note = Notes("relation", labels=(Literal("state"),), values=("open", "well done"), order=2.0)
    assert notes == {f"{EX}state": note}


@pytest.mark.parametrize(
    ("term", "unit"),
    [
        (IRI("http://qudt.org/vocab/unit/M2"), "square metre"),
        (IRI("http://qudt.org/vocab/unit/KiloW-HR"), "kilowatt hour"),
        (IRI("http://qudt.org/vocab/unit/DEG_C"), "degree celsius"),
        (IRI("http://qudt.org/vocab/unit/CCY_EUR"), "EUR"),
        (IRI("http://www.ontology-of-units-of-measure.org/resource/om-2/squareMetre"), "square metre"),
        (Literal("kg"), "kg"),
    ],
)
def test_a_unit_is_called_as_people_call_it(term: IRI | Literal, unit: str) -> None:
    [note] = notes_of([(f"{EX}size", "http://qudt.org/schema/qudt/unit", term)]).values()
    assert note.units == (unit,)


@pytest.mark.parametrize(
    ("description", "units"),
    [
        ("Length in kilometres (km).", ("kilometres",)),
        ("Running time in minutes.", ("minutes",)),
        ("The depth of an item measured in millimeter.", ("millimeter",)),
        ("Published in year.", ()),
        ("Award won in law.", ()),
    ],
)
def test_a_description_may_end_with_the_unit(description: str, units: tuple[str, ...]) -> None:
    [note] = notes_of([(f"{EX}size", RDFS + "comment", Literal(description))]).values()
    assert note.units == units


@pytest.mark.slow
def test_a_graph_counted_here_and_one_on_a_server_are_read_alike(
    shaped: Agent, files: Path, sparql_server: Callable[[pyoxigraph.Store], SparqlServer]
) -> None:
    store = pyoxigraph.Store()
    store.load(path=str(files / "shaped.ttl"))
    address = sparql_server(store).url
    with EndpointGraph(address) as graph:
        asked = survey(graph, Endpoint(address=address, rate=1_000), LabelProperties())
    assert shaped.profile
    assert asked.notes == shaped.profile.notes
    assert asked.notes[f"{EX}st"].values == ("open", "closed", "lapsed")
    assert f"{EX}st" in asked.notes
    assert all("backwards" not in note.names for note in asked.notes.values())


@pytest.mark.slow(0.4)
def test_a_server_that_follows_no_lists_tells_the_rest(shaped: Agent) -> None:
    notes = ask_notes(lambda query: None if "UNION" in query else shaped.graph.lookup(query), [f"{EX}len"])
    assert notes[f"{EX}st"] == Notes("relation", labels=(Literal("status"),), order=0.0)
    assert notes[f"{EX}len"].units == ("kilometre",)


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many policies are there?", ["3"]),
        ("What is the net premium of Alpha cover?", ["EUR 100"]),
        ("What is the extent of Beta cover in metres?", ["7000"]),
        ("Which policies have the status closed?", [f"{EX}b"]),
    ],
)
@pytest.mark.parametrize("which", ["shaped", "beside"])
def test_questions_are_asked_in_the_words_of_shapes_and_of_an_ontology(
    which: str, question: str, expected: list[str], request: pytest.FixtureRequest
) -> None:
    agent: Agent = request.getfixturevalue(which)
    assert values(agent.ask(question, min_confidence=0.5)) == expected


@pytest.mark.slow(0.5)
def test_an_ontology_beside_the_graph_names_its_terms_in_all_their_languages(beside: Agent) -> None:
    assert values(beside.ask("How many insurance contracts are there?")) == ["3"]
    assert values(beside.ask("Welchen Zustand hat Alpha cover?")) == ["open"]
    assert [one.iri for one in beside.begin(Question("?")).index.search("insurance contract")] == [f"{EX}Pol"]


def test_what_an_ontology_says_of_terms_that_the_graph_does_not_use_is_no_answer(beside: Agent) -> None:
    assert beside.graph.lookup(f"ASK {{ ?s <{RDFS}comment> ?o }}").boolean is False
    with pytest.raises(AnswerError):
        beside.ask("How many claims are there?")


def test_descriptions_are_shown_with_a_class_and_its_relations_in_the_order_of_the_shapes(shaped: Agent) -> None:
    [policy] = shaped.describe(questions=0).classes
    assert (policy.label, policy.description) == ("policy", "A contract of insurance.")
    assert [(one.label, one.description) for one in policy.relations] == [
        ("status", ""),
        ("gross premium", "What a customer pays, taxes included."),
        ("net premium", "Take it for sales of the company."),
        ("reach", ""),
    ]


def test_properties_that_a_config_names_describe_before_others(beside: Agent) -> None:
    assert beside.schema.descriptions([f"{EX}pr1", f"{EX}Pol", f"{EX}st"]) == {
        f"{EX}pr1": "What a customer pays, taxes included.",
        f"{EX}Pol": "A contract.",
        f"{EX}st": "",
    }


@pytest.mark.slow(0.4)
def test_hints_in_the_graph_itself_are_read_by_their_prefix(tmp_path: Path) -> None:
    file = tmp_path / "hinted.ttl"
    file.write_text(f'{PREFIXES}{DATA} ex:pr1 ex:usage "With taxes." ; rdfs:comment "A text." .', encoding="utf-8")
    with Agent(file, hints=["ex:usage"]) as agent:
        assert agent.profile
        assert [one.value for one in agent.profile.notes[f"{EX}pr1"].descriptions] == ["With taxes.", "A text."]
    with pytest.raises(ConfigError, match=r"'hints'.*prefix of 'nobody:usage' is not known"):
        Agent(file, hints=["nobody:usage"])


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("which", ["shaped", "beside"])
def test_a_description_stands_in_the_vocabulary_only_where_it_decides_between_near_names(
    which: str, request: pytest.FixtureRequest
) -> None:
    agent: Agent = request.getfixturevalue(which)
    [paid] = [line for line in lines(agent, "Which premium does a customer pay for Alpha cover?") if "means" in line]
    assert paid == 'gross premium means "What a customer pays, taxes included."'
    [sold] = [line for line in lines(agent, "Which premium of Alpha cover is sales of the company?") if "means" in line]
    assert sold.startswith('net premium means "')
    for question in ("What is the net premium of Alpha cover?", "Which premium has Alpha cover?", "How is Beta cover?"):
        assert not any("means" in line for line in lines(agent, question)), question


@pytest.mark.slow
def test_an_index_keeps_the_ontology_that_is_named_with_it(files: Path, tmp_path: Path) -> None:
    target = str(tmp_path / "policies")
    schema = ["--ontology", str(files / "schema.ttl")]
    made = CliRunner().invoke(app, ["index", str(files / "data.ttl"), "--to", target, *schema])
    assert made.exit_code == 0, made.stderr
    with Agent(target) as agent:
        assert values(agent.ask("How many insurance contracts are there?")) == ["3"]
    shown = CliRunner().invoke(app, ["describe", target, "--questions", "0"]).stdout
    assert "net premium: Counts as sales of the company." in shown
    assert CliRunner().invoke(app, ["index", "--to", target, *schema]).exit_code == 0
    assert len(list((tmp_path / "policies" / "ontology").iterdir())) == 1
    nowhere = CliRunner().invoke(app, ["index", "--to", str(tmp_path), *schema])
    assert "no folder of 'triad index'" in nowhere.stderr


@pytest.mark.slow(0.4)
def test_a_config_names_an_ontology_by_a_path_from_its_folder(files: Path) -> None:
    config = files / "policies.yaml"
    config.write_text("graph: data.ttl\nontology: [schema.ttl]\n", encoding="utf-8")
    with Agent.from_config(config) as agent:
        assert values(agent.ask("How many insurance contracts are there?")) == ["3"]
    config.write_text("graph: data.ttl\nontology: schema.ttl\n", encoding="utf-8")
    shown = CliRunner().invoke(app, ["describe", str(config), "--questions", "0", "--json"])
    assert json.loads(shown.stdout)["classes"][0]["description"] == "A contract."


@pytest.mark.slow(0.2)
def test_the_terms_of_a_server_without_a_profile_are_called_as_an_ontology_beside_it_says(
    files: Path, sparql_server: Callable[[pyoxigraph.Store], SparqlServer]
) -> None:
    store = pyoxigraph.Store()
    store.load(path=str(files / "data.ttl"))
    with Agent(sparql_server(store).url, ontology=[files / "schema.ttl"], lookup_hours=0) as agent:
        assert agent.schema.labels([f"{EX}pr2", f"{EX}a"]) == {f"{EX}pr2": "net premium", f"{EX}a": "Alpha cover"}
        assert [one.iri for one in agent.begin(Question("?")).index.search("insurance contract")][:1] == [f"{EX}Pol"]
        [policy] = agent.describe(questions=0).classes
        assert (policy.label, policy.description) == ("policy", "A contract.")


@pytest.mark.slow(0.1)
def test_an_ontology_that_is_not_there_is_an_error(files: Path) -> None:
    with pytest.raises(DataError, match=r"missing\.ttl"):
        read_notes([files / "missing.ttl"])
