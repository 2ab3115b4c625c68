from __future__ import annotations

import json
import sys
from pathlib import Path

import pyoxigraph
import pytest
from pyoxigraph import NamedNode, RdfFormat

from triad import Agent
from triad.errors import ConfigError, DataError
from triad.indexing import build, inference
from triad.indexing.entries import Entries, LabelProperties
from triad.indexing.inference import follows
from triad.indexing.pipeline import run
from triad.indexing.profiling.refresh import refresh
from triad.indexing.recipe import recipe_of
from triad.indexing.triples import Triples
from triad.kg import INDEX_MARKER, open_graph
from triad.kg.parsing import ParseLimits
from triad.kg.profile import read_profile
from triad.rdf import INFERRED

PREFIXES = """
PREFIX : <http://example.org/>
PREFIX owl: <http://www.w3.org/2002/07/owl#>
PREFIX psys: <http://proton.semanticweb.org/protonsys#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
FAMILY = f"""{PREFIXES}
:parent owl:inverseOf :child ; rdfs:label "parent" . :child rdfs:label "child" .
:Ann a :Woman ; rdfs:label "Ann" ; :child :Ben . :Ben rdfs:label "Ben" .
:Woman rdfs:subClassOf :Person ; rdfs:label "woman" . :Person rdfs:label "person" .
"""


def inferred(turtle: str) -> set[str]:
    """Return what follows, as words: ``s p o``."""
    with Triples() as triples:
        triples.take(pyoxigraph.parse(PREFIXES + turtle, RdfFormat.TURTLE))
        quads = [quad for batch in follows(triples) for quad in batch]
    assert {quad.graph_name for quad in quads} <= {NamedNode(INFERRED)}
    return {
        " ".join(str(term).strip("<>").rpartition("/")[2].rpartition("#")[2] for term in quad.triple) for quad in quads
    }


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    ("axioms", "facts", "expected"),
    [
        (":C rdfs:subClassOf :D . :D rdfs:subClassOf :E .", ":x a :C .", {"x type D", "x type E"}),
        (":C owl:equivalentClass :D .", ":x a :C . :y a :D .", {"x type D", "y type C"}),
        (":p rdfs:subPropertyOf :q . :q rdfs:subPropertyOf :r .", ":x :p :y .", {"x q y", "x r y"}),
        (":p owl:equivalentProperty :q .", ":x :p :y . :y :q :z .", {"x q y", "y p z"}),
        (":p owl:inverseOf :q .", ":x :p :y . :z :q :y .", {"y q x", "y p z"}),
        (":p a owl:SymmetricProperty .", ":x :p :y .", {"y p x"}),
        (":p a owl:TransitiveProperty .", ":x :p :y . :y :p :z .", {"x p z"}),
        (":p rdfs:domain :C ; rdfs:range :D .", ":x :p :y .", {"x type C", "y type D"}),
        (":u owl:propertyChainAxiom ( :p :q :r ) .", ":x :p :y . :y :q :z . :z :r :w .", {"x u w"}),
        (":u owl:propertyChainAxiom ( [ owl:inverseOf :p ] :q ) .", ":y :p :x . :y :q :z .", {"x u z"}),
        (":p psys:transitiveOver :q .", ":x :p :y . :y :q :z .", {"x p z"}),
        (
            ":r psys:premise1 :p ; psys:premise2 :q ; psys:premise3 :p ; psys:conclusion :u .",
            ":x :p :y . :y :q :z . :z :p :w .",
            {"x u w"},
        ),
        (":x owl:sameAs :y .", ":x :p 1 . :y :q :z . :w :r :y .", {"y p 1", "x q z", "w r x"}),
    ],
)
def test_what_an_axiom_says_follows(axioms: str, facts: str, expected: set[str]) -> None:
    assert {one.replace('"1"^^http:', "").replace("integer", "1") for one in inferred(axioms + facts)} == expected


@pytest.mark.slow(0.2)
def test_axioms_work_together() -> None:
    axioms = ":has owl:inverseOf :of . :of rdfs:subPropertyOf :within . :within a owl:TransitiveProperty ."
    assert inferred(axioms + ":a :has :b . :b :has :c .") == {
        *("b of a", "b within a", "c of b", "c within b", "c within a")
    }


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(
    "turtle",
    [
        ":C rdfs:subClassOf :C, owl:Thing, rdfs:Resource . :x a :C .",
        ":x owl:sameAs :x ; :p :y .",
        ":x owl:sameAs <http://elsewhere.org/x> ; :p :y .",
        ":C rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :p ; owl:someValuesFrom :D ] . :x a :C .",
        ":p rdfs:range xsd:string ; rdfs:domain owl:Thing . :x :p 'a' .",
        ":p owl:inverseOf :q . :x :p 'a' .",
        "rdfs:label rdfs:domain :Named . :x rdfs:label 'a' .",
        ":p a owl:FunctionalProperty . :x :p :y, :z .",
    ],
)
def test_nothing_follows_that_tells_nothing(turtle: str) -> None:
    assert inferred(turtle) == set()


@pytest.mark.slow(0.2)
def test_blank_nodes_and_texts_stay_what_they_are() -> None:
    with Triples() as triples:
        said = list(
            pyoxigraph.parse(f'{PREFIXES} :p rdfs:subPropertyOf :q . [] :p "a\\"b\\\\\\n"@en .', RdfFormat.TURTLE)
        )
        triples.take(said)
        [[quad]] = follows(triples)
    assert (quad.subject, quad.object) in [(one.subject, one.object) for one in said]


@pytest.fixture
def family(tmp_path: Path) -> Path:
    path = tmp_path / "family.ttl"
    path.write_text(FAMILY, encoding="utf-8")
    return path


@pytest.mark.slow(0.7)
def test_what_follows_is_counted_and_stands_apart(family: Path, tmp_path: Path) -> None:
    plain, full = build(family, tmp_path / "plain"), build(family, tmp_path / "full", infer=True)
    assert full.triples == plain.triples + 2
    profiles = [read_profile(tmp_path / name) for name in ("plain", "full")]
    assert [one and one.relation_profile("http://example.org/parent") is not None for one in profiles] == [False, True]
    assert [one and one.sources for one in profiles] == [(), ()]
    with open_graph(tmp_path / "full") as graph:
        assert len(graph.lookup(f"SELECT * {{ GRAPH <{INFERRED}> {{ ?s ?p ?o }} }}")) == 2
        assert len(graph.lookup("SELECT * { ?s a <http://example.org/Person> }")) == 1


@pytest.mark.slow(0.5)
def test_an_answer_says_which_of_its_facts_were_inferred(family: Path, tmp_path: Path) -> None:
    with Agent(str(family), infer=True) as agent:
        answer = agent.ask("who is the parent of Ben?")
    assert [value.label for value in answer.values] == ["Ann"]
    assert [(fact.predicate.value.rpartition("/")[2], fact.inferred) for fact in answer.provenance] == [
        ("parent", True)
    ]
    assert "Ben | parent | Ann | inferred" in str(answer.explain())


@pytest.mark.slow(1.9)
def test_an_index_that_is_made_anew_infers_as_before(family: Path, tmp_path: Path) -> None:
    marker = tmp_path / "made" / INDEX_MARKER
    for infer, remembered in ((None, False), (True, True), (None, True), (False, False), (None, False)):
        build(family, tmp_path / "made", overwrite=True, infer=infer)
        assert ("inferred" in json.loads(marker.read_text())) == remembered


@pytest.mark.slow(1.2)
def test_a_run_that_was_interrupted_infers_once(family: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = recipe_of([family]).model_copy(update={"infer": True})
    whole = run(recipe, tmp_path / "whole")
    with monkeypatch.context() as patched:
        patched.setattr(Entries, "__init__", interrupted)
        with pytest.raises(RuntimeError):
            run(recipe, tmp_path / "made")
    assert run(recipe, tmp_path / "made", resume=True).triples == whole.triples


@pytest.mark.slow(0.6)
@pytest.mark.parametrize("name", ["batch.nq", "given.lp", "inferred.csv", "store-9/LOG"])
def test_a_run_does_not_go_on_where_links_are(
    family: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    recipe = recipe_of([family]).model_copy(update={"infer": True})
    with monkeypatch.context() as patched:
        patched.setattr(Entries, "__init__", interrupted)
        with pytest.raises(RuntimeError):
            run(recipe, tmp_path / "made")
    (tmp_path / "file").write_text("kept", encoding="ascii")
    link = tmp_path / ".made-unfinished" / name
    link.parent.mkdir(exist_ok=True)
    link.symlink_to(tmp_path / "file")
    with pytest.raises(ConfigError, match="is a link to"):
        run(recipe, tmp_path / "made", resume=True)
    assert (tmp_path / "file").read_text(encoding="ascii") == "kept"


def interrupted(*_: object, **__: object) -> None:
    raise RuntimeError


@pytest.mark.slow(1.0)
def test_a_profile_that_is_made_anew_has_what_was_inferred(family: Path, tmp_path: Path) -> None:
    build(family, tmp_path / "made", infer=True)
    before = read_profile(tmp_path / "made")
    for recipe in (None, recipe_of([family])):
        made = refresh(tmp_path / "made", recipe, downloads=tmp_path)
        assert before
        assert (made.triples, made.relations) == (before.triples, before.relations)


CHAIN = f"{PREFIXES} :p a owl:TransitiveProperty ." + " ".join(f":n{at} :p :n{at + 1} ." for at in range(600))
MANY = " ".join(f":p rdfs:subPropertyOf :q{at} . :n{at} :p :m{at} ." for at in range(1_000))


@pytest.mark.slow(1.0)
def test_what_takes_too_long_to_infer_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chain.ttl"
    path.write_text(CHAIN, encoding="utf-8")
    recipe = recipe_of([path]).model_copy(update={"infer": True, "parse_timeout": 0.5})
    with pytest.raises(DataError, match=r"came no further for 0\.5 seconds \('parse_timeout'.*without --infer"):
        run(recipe, tmp_path / "made", keep_unfinished=False)
    assert [one.name for one in tmp_path.iterdir()] == ["chain.ttl"]
    monkeypatch.setattr(inference, "_TIMED", 100)  # more time for more facts
    with Triples() as triples:
        triples.take(pyoxigraph.parse(CHAIN, RdfFormat.TURTLE))
        with pytest.raises(DataError, match=r"for 0\.6 seconds"):
            list(follows(triples, ParseLimits(seconds=0.1)))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds a process to a size")
@pytest.mark.slow(0.5)
def test_what_takes_too_much_memory_to_infer_is_an_error() -> None:
    with Triples() as triples:
        triples.take(pyoxigraph.parse(PREFIXES + MANY, RdfFormat.TURTLE))
        with pytest.raises(DataError, match=r"needs more memory than the 0\.03125 GiB.*'parse_memory'"):
            list(follows(triples, ParseLimits(memory=2**25)))


def test_an_agent_infers_of_files_alone() -> None:
    with pytest.raises(ConfigError, match="is for RDF files"):
        Agent("https://example.org/sparql", infer=True)


def test_who_has_no_engine_is_told_what_to_install(
    family: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triad.errors.find_spec", lambda _: None)
    with pytest.raises(ConfigError, match=r"triad-kgqa\[infer\]"):
        build(family, tmp_path / "made", infer=True)
    assert [path.name for path in tmp_path.iterdir()] == ["family.ttl"]


def test_what_has_no_store_cannot_infer() -> None:
    recipe = recipe_of(["https://example.org/sparql"]).model_copy(update={"infer": True})
    with pytest.raises(ConfigError, match="leave out --infer"):
        run(recipe, "made")


WDT = "http://www.wikidata.org/prop/direct/"
STATIONS = f"""{PREFIXES}
PREFIX wd: <http://www.wikidata.org/entity/>
PREFIX wdt: <{WDT}>
wdt:P31 rdfs:label "instance of" . wdt:P279 rdfs:label "subclass of" . wdt:P84 rdfs:label "architect" .
wd:Q1 rdfs:label "station" . wd:Q2 rdfs:label "terminus" ; wdt:P279 wd:Q1 . wd:Q3 rdfs:label "person" .
wd:Q5 wdt:P31 wd:Q1 ; rdfs:label "Halvik" . wd:Q6 wdt:P31 wd:Q2 ; rdfs:label "Tulla" ; wdt:P84 wd:Q7 .
wd:Q7 wdt:P31 wd:Q3 ; rdfs:label "Ingrid Sund" .
"""


@pytest.mark.slow(0.5)
def test_wikidatas_classes_are_classes(tmp_path: Path) -> None:
    file = tmp_path / "stations.ttl"
    file.write_text(STATIONS, encoding="utf-8")
    with Agent(file) as agent:
        assert agent.ask("How many stations are there?").text == "2"
        assert agent.ask("Which stations have no architect?").text == "Halvik"
        assert agent.profile
        assert not [one for one in agent.profile.relations if one.iri.endswith(("P31", "P279"))]
        assert len(agent.graph.lookup(f"SELECT * {{ ?s <{WDT}P31> ?class ; a ?class }}")) == 3


def test_a_graph_whose_classes_are_named_by_wikidatas_properties_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "stations.ttl"
    file.write_text(STATIONS, encoding="utf-8")
    build(file, tmp_path / "made", properties=LabelProperties(types=(WDT + "P31",)))
    with open_graph(tmp_path / "made") as graph:
        assert not len(graph.lookup("SELECT * { ?s a ?class }"))
