"""What a key sees that is bound to graphs, named graphs and classes: nothing else exists for it, by no protocol."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, Triple
from typer.testing import CliRunner

from tests.server.site import Site, serving, settings
from tests.services.fixtures import TripleStore
from tests.sparql_server import RESULTS_JSON, Reply, Serve
from triad.agent import Agent
from triad.cli.program import app
from triad.configs import Config, make_config
from triad.errors import AnswerError, ConfigError, QueryRejected
from triad.indexing import build
from triad.kg.guard import check
from triad.kg.local import LocalGraph
from triad.opening import Setup
from triad.rdf import INFERRED, RDF, RDF_TYPE, RDFS
from triad.retrieval.passages.building import make_passages
from triad.retrieval.tables.induction import induce
from triad.server.parts import _Part, part_of
from triad.server.settings import Reach, load_settings
from triad.server.state.database import Database
from triad.server.state.keys import Keys

pytestmark = pytest.mark.slow

EX = "http://example.org/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
STAFF = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix zz: <http://example.org/zzquux/> .
ex:City a rdfs:Class ; rdfs:label "city" .
ex:Port rdfs:subClassOf ex:City ; rdfs:label "port" .
ex:population rdfs:label "population" .
ex:mayor rdfs:label "mayor" .
ex:twin rdfs:label "twin town" .
ex:zzquuxSalary rdfs:label "zzquux salary" .
ex:ZzquuxPerson rdfs:label "zzquux person" .
ex:open {
  ex:Ulm a ex:City, ex:ZzquuxPlace ; rdfs:label "Ulm" ; ex:population 126000 ; ex:twin ex:Kiel ;
    ex:mayor ex:zzquuxAnna ; ex:page <http://ulm.example/> .
  ex:Kiel a ex:Port ; rdfs:label "Kiel" ; ex:population 247000 ; ex:twin ex:Ulm .
  ex:Bonn a ex:City ; rdfs:label "Bonn" ; ex:population 330000 .
}
ex:zzquux {
  ex:zzquuxAnna a ex:ZzquuxPerson ; rdfs:label "Zzquux Alba" ; ex:zzquuxSalary 9876598765 ; ex:livesIn ex:Ulm ;
    rdfs:comment "zzquux lives in Ulm" .
  ex:zzquuxBert a ex:ZzquuxPerson ; rdfs:label "Zzquux Carlo" ; ex:zzquuxSalary 4321043210 ; ex:livesIn ex:Kiel .
}
"""
SECRET = re.compile("zzquux|9876598765|4321043210", re.IGNORECASE)
OPEN = Reach(named_graphs=(EX + "open", "default"))
CITIES = Reach(only=(EX + "City",))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The index of a graph with tables and passages, and a document beside it."""
    home = tmp_path_factory.mktemp("staff")
    (home / "staff.trig").write_text(STAFF, encoding="utf-8")
    (home / "documents").mkdir()
    (home / "documents" / "note.md").write_text("# Zzquux\n\nUlm is where zzquux lives.\n", encoding="utf-8")
    build(home / "staff.trig", home / "staff")
    induce(home / "staff")
    make_passages(home / "staff", documents=home / "documents")
    return home / "staff"


@pytest.fixture
def config(folder: Path) -> Config:
    words = {"pay": EX + "zzquuxSalary", "inhabitants": EX + "population"}
    return make_config(
        {
            "graph": str(folder),
            "documents": str(folder.parent / "documents"),
            "words": words,
            "questions": ["Who is Zzquux Alba?"],
        }
    )


def triples(config: Config) -> set[tuple[str, ...]]:
    with Setup.of(config).open_graph() as graph:
        rows = graph.lookup("SELECT ?s ?p ?o { ?s ?p ?o }").rows
        return {tuple(str(term).removeprefix(EX) for term in row) for row in rows}


def test_of_classes_their_things_exist_and_what_is_said_of_them_alone(config: Config) -> None:
    found = triples(part_of(config, CITIES))
    assert not [triple for triple in found if SECRET.search(" ".join(triple))]
    assert {one for one, _, _ in found} == {"Ulm", "Kiel", "Bonn", "City", "Port", "population", "twin"}
    assert {
        ("Ulm", "twin", "Kiel"),
        ("Ulm", "page", "http://ulm.example/"),
        ("population", _LABEL, "population"),
    } < found


def test_of_named_graphs_nothing_else_exists_and_default_names_what_is_in_none(config: Config) -> None:
    both, named = triples(part_of(config, OPEN)), triples(part_of(config, Reach(named_graphs=(EX + "open",))))
    assert named < both
    assert {one for one, _, _ in named} == {"Ulm", "Kiel", "Bonn"}
    assert not any("9876598765" in triple or "zzquuxBert" in triple for triple in both)


def test_a_named_graph_that_is_not_there_leaves_nothing(config: Config) -> None:
    assert triples(part_of(config, Reach(named_graphs=(EX + "none",)))) == set()
    nothing = part_of(config, Reach(only=(EX + "None",)))
    assert triples(nothing) == set()
    with Agent.from_config(nothing) as agent, pytest.raises(AnswerError):
        agent.ask("How many inhabitants does Kiel have?")


def test_a_part_is_made_once_and_has_tables_passages_and_words_of_its_own(config: Config) -> None:
    part = part_of(config, CITIES)
    assert part.graph == part_of(config, CITIES).graph
    assert dict(part.words) == {"inhabitants": (EX + "population",)}
    assert part.questions == ()
    with Agent.from_config(part) as agent:
        assert agent.ask("How many inhabitants does Kiel have?").text == "247,000"
        assert agent.sources.tables is not None
        assert agent.sources.passages is not None
        assert not SECRET.search(repr(agent.sources.tables.schema))
        assert not SECRET.search(repr(agent.sources.passages.search("who lives in Ulm", 50)))


def test_of_definitions_those_are_in_a_part_whose_names_it_has(config: Config) -> None:
    words = {
        "large port": {"of": "large city", "where": "?it a <port>"},
        "large city": {"of": "City", "where": "population > 200000"},
        "well paid": {"of": "zzquux person", "where": "zzquux salary > 5"},
        "well paid place": {"of": "City", "where": "?it ^<livesIn> [ a <well paid> ]"},
        "fan": {"of": "City", "where": f"?it <population> ?p FILTER NOT EXISTS {{ ?it <{EX}zzquuxSalary> ?q }}"},
        "account": {"of": "City", "where": '?it rdfs:label ?l FILTER(STR(?l) IN ("Kiel", "Zzquux Alba"))'},
        "measured": {"of": "City", "where": f'?it <population> ?p FILTER(?p != "5"^^<{EX}zzquuxUnit>)'},
        "capital": {"of": "City", "where": '?it rdfs:label ?l FILTER(STR(?l) = "Kiel")'},
        **config.words,
    }
    part = part_of(config.model_copy(update={"words": words}), CITIES)
    assert set(part.words) == {"large port", "large city", "capital", "inhabitants"}
    with Agent.from_config(part) as agent:
        assert agent.ask("Which large cities are there?").text == "Bonn (330,000); Kiel (247,000)"


def test_a_graph_elsewhere_is_seen_by_named_graphs_and_the_error_says_what_else_works() -> None:
    endpoint = make_config({"graph": "http://localhost:1/sparql", "index": "http://localhost:2/labels", "words": {}})
    chosen = load_settings({"graphs": {"far": {"config": {"graph": "http://localhost:1/sparql"}}}})
    chosen.check_reach(Reach(graphs=("far",), named_graphs=(EX + "open",)))
    for reach in (CITIES, Reach(named_graphs=("default",))):
        with pytest.raises(ConfigError, match="serve a dump of the graph"):
            part_of(endpoint, reach)
        with pytest.raises(ConfigError, match="serve a dump of the graph"):
            chosen.check_reach(reach)
    with pytest.raises(ConfigError, match="has no graph"):
        chosen.check_reach(Reach(graphs=("fra",)))


HIDDEN = """
@prefix e: <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
e:g1 { e:a a e:City ; rdfs:label "Kiel" ; e:p "open" . e:City rdfs:label "city" }
e:g2 { e:b a e:City ; rdfs:label "Ulm" ; e:p "secret" ; e:q e:c . e:c e:q e:d }
"""
SEEKING = (
    "ASK {{ ?s <{ex}p> 'secret' }}",
    "ASK {{ <{ex}b> <{ex}q>+ ?x }}",
    "SELECT ?s {{ VALUES ?s {{ 1 }} FILTER EXISTS {{ ?t <{ex}p> 'secret' }} }}",
    "SELECT ?n {{ {{ SELECT (COUNT(*) AS ?n) {{ ?s <{ex}p> 'secret' }} }} FILTER(?n > 0) }}",
    "ASK {{ GRAPH <{hidden}> {{ ?s ?p ?o }} }}",
    "SELECT ?x {{ VALUES ?x {{ 1 }} FILTER EXISTS {{ GRAPH <{hidden}> {{ ?s ?p ?o }} }} }}",
    "ASK {{ VALUES ?g {{ <{hidden}> }} GRAPH ?g {{ ?s ?p ?o }} }}",
    "SELECT ?s {{ {{ SELECT ?s {{ GRAPH ?g {{ ?s ?p ?o }} FILTER(?g = <{hidden}>) }} }} }}",
    "SELECT ?o FROM <{hidden}> {{ ?s <{ex}p> ?o }}",
)


def test_at_a_real_server_nothing_of_other_named_graphs_is_found(triple_store: TripleStore) -> None:
    address, _, query = triple_store.hold(HIDDEN, RdfFormat.TRIG).partition("?")
    (_, shown), (_, hidden) = parse_qsl(query)
    whole = make_config({"graph": f"{address}?{query}"})  # which names both
    with Agent.from_config(whole) as agent:
        assert agent.graph.ask(check(SEEKING[0].format(ex=EX)))
    part = part_of(whole.model_copy(update={"index": "http://localhost:2/labels"}), Reach(named_graphs=(shown,)))
    assert (part.graph_options, part.index) == ({"only_graphs": (shown,)}, None)
    with Agent.from_config(part) as agent:
        assert agent.graph.ask(check(f"ASK {{ ?s <{EX}p> 'open' }}"))
        for text in SEEKING:
            with suppress(QueryRejected):
                result = agent.graph.select(check(text.format(ex=EX, hidden=hidden)))
                assert (len(result), result.boolean or False) == (0, False), text
        assert agent.index.search("Kiel")
        assert not agent.index.search("Ulm")


def test_no_key_is_bound_to_graphs_of_a_server_that_answers_from_all(sparql_server: Serve) -> None:
    store = Store()
    store.add(Quad(NamedNode(EX + "a"), NamedNode(EX + "b"), NamedNode(EX + "c")))
    with pytest.raises(ConfigError, match="answers from other graphs than those that it is asked for"):
        part_of(make_config({"graph": sparql_server(store).url}), Reach(named_graphs=(EX + "open",)))


def test_no_key_is_bound_to_graphs_of_a_server_that_heeds_them_in_the_address_alone(sparql_server: Serve) -> None:
    store = Store()
    store.add(Quad(NamedNode(EX + "a"), NamedNode(EX + "b"), NamedNode(EX + "c")))
    server = sparql_server(store)
    server.reply_next(Reply(200, '{"head": {}, "boolean": false}', {"Content-Type": RESULTS_JSON}))
    with pytest.raises(ConfigError, match="answers from other graphs than those that it is asked for"):
        part_of(make_config({"graph": server.url}), Reach(named_graphs=(EX + "open",)))
    assert [request.method for request in server.requests] == ["GET", "POST"]


def test_a_named_graph_that_is_called_by_what_may_not_be_seen_has_no_name(tmp_path: Path) -> None:
    file = tmp_path / "own.trig"
    file.write_text(
        f"@prefix ex: <{EX}> . ex:anna {{ ex:Ulm a ex:City ; ex:size 3 }} ex:open {{ ex:Kiel a ex:City }}"
        "ex:anna a ex:Person .",
        encoding="utf-8",
    )
    with Setup.of(part_of(make_config({"graph": str(file)}), CITIES)).open_graph() as graph:
        rows = graph.lookup("SELECT DISTINCT ?g { GRAPH ?g { ?s ?p ?o } }").rows
        assert [str(row[0]) for row in rows] == [EX + "open"]
        assert graph.lookup(f"ASK {{ <{EX}Ulm> <{EX}size> 3 }}").boolean


def test_what_follows_is_in_a_part_too(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    file.write_text(
        f"@prefix ex: <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        "ex:mayor rdfs:subPropertyOf ex:head . ex:Ulm a ex:City ; ex:mayor 'Ann' .",
        encoding="utf-8",
    )
    part = part_of(make_config({"graph": str(file), "infer": True}), CITIES)
    with Agent.from_config(part) as agent:
        assert agent.graph.ask(check(f"ASK {{ <{EX}Ulm> <{EX}head> 'Ann' }}"))


CLINIC = f"""
@prefix ex: <{EX}> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
ex:illness owl:propertyChainAxiom ( ex:visit ex:diagnosis ) ; ex:called "illness" .
ex:called rdfs:subPropertyOf rdfs:label . ex:mentor rdfs:subPropertyOf ex:knows . ex:knows a owl:SymmetricProperty ;
  ex:called "knows" . ex:stay rdfs:domain ex:Person .
ex:open {{
  ex:bob a ex:Person ; rdfs:label "Bob" ; ex:visit ex:v1 ; ex:mentor ex:ann ; ex:wears ex:ring .
  ex:ann a ex:Person ; rdfs:label "Ann" ; owl:sameAs ex:anna . ex:anna a ex:Person ; ex:age 40 .
}}
ex:hidden {{
  ex:v1 a ex:Visit ; ex:diagnosis "zzquux" ; ex:stay 3 .
  ex:f1 a ex:File ; owl:sameAs ex:ann ; ex:salary 9876598765 ; ex:owns ex:ring . ex:owns owl:inverseOf ex:ownedBy .
}}
"""


def test_what_follows_from_what_may_not_be_seen_is_in_no_part(tmp_path: Path) -> None:
    (tmp_path / "clinic.trig").write_text(CLINIC, encoding="utf-8")
    config = make_config({"graph": str(tmp_path / "clinic.trig"), "infer": True})
    people = triples(part_of(config, Reach(only=(EX + "Person",))))
    assert {one for one, _, _ in people} == {"bob", "ann", "anna", "knows", "mentor"}
    assert {("ann", "knows", "bob"), ("ann", "age", "40"), ("anna", _LABEL, "Ann")} < people
    assert {("bob", "wears", "ring"), ("knows", _LABEL, "knows")} < people
    stated = triples(part_of(config, Reach(named_graphs=("default", EX + "open"))))
    shown = triples(part_of(config, Reach(named_graphs=("default", EX + "open", INFERRED))))
    assert {("ann", "knows", "bob"), ("ann", "age", "40"), ("anna", _LABEL, "Ann")} < shown - stated
    for part in (people, stated, shown):
        assert not [
            one for one in part if SECRET.search(" ".join(one)) or one[0] in ("f1", "v1") or one[1] == "ownedBy"
        ]


def test_an_iri_of_a_reach_is_a_whole_one() -> None:
    for name in ("City", "default"):
        with pytest.raises(ValueError, match="is no IRI"):
            Reach(only=(name,))


def test_an_admin_sees_all(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.db'}")
    database.migrate()
    with pytest.raises(ConfigError, match="one sees what others asked"):
        Keys(database).add("ann", ("admin",), reach=CITIES)
    Keys(database).add("bob", reach=CITIES)
    assert [key.reach for key in Keys(database).list()] == [CITIES]
    database.close()


# Fuzzed, by all protocols

# What exists for each reach, written down by hand: what a query finds there, it is to find in a part.
_CITIES_SEEN = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:City rdfs:label "city" .
ex:Port rdfs:subClassOf ex:City ; rdfs:label "port" .
ex:population rdfs:label "population" .
ex:twin rdfs:label "twin town" .
ex:open {
  ex:Ulm a ex:City ; rdfs:label "Ulm" ; ex:population 126000 ; ex:twin ex:Kiel ; ex:page <http://ulm.example/> .
  ex:Kiel a ex:Port ; rdfs:label "Kiel" ; ex:population 247000 ; ex:twin ex:Ulm .
  ex:Bonn a ex:City ; rdfs:label "Bonn" ; ex:population 330000 .
}
"""
_OPEN_SEEN = STAFF.partition("ex:zzquux {")[0]
_LABELS = (
    "Zzquux Alba",
    "zzquuxBert",
    "Zzquux Carlo",
    "9876598765",
    "4321043210",
    "zzquux lives",
    "zzquux payroll",
    "98765098765",
)
_HIDDEN = {
    CITIES: (*_LABELS, "zzquuxAnna", "zzquuxSalary", "ZzquuxPerson", "zzquux salary", "zzquux person", "ZzquuxPlace"),
    OPEN: _LABELS,
}
_NAMES = ("Ulm", "Kiel", "Bonn", "Zzquux Alba", "Zzquux Carlo", "zzquux", "ZZQUUX lives", "9876598765")
_IRIS = (
    "Ulm",
    "Kiel",
    "City",
    "Port",
    "population",
    "twin",
    "mayor",
    "livesIn",
    "open",
    "zzquux",
    "zzquuxAnna",
    "zzquuxBert",
    "zzquuxSalary",
    "ZzquuxPerson",
    "ZzquuxPlace",
)
_QUESTIONS = (
    "What is the population of {}?",
    "Who is {}?",
    "How many people live in {}?",
    "Who lives in {}?",
    "Which zzquux persons are there?",
    "What is the zzquux salary of {}?",
    "Which cities have more than 100000 inhabitants?",
    "Who is the mayor of {}?",
    "pay of {}",
    "How many zzquux persons are there?",
    "Which person has the highest zzquux salary?",
    "Is {} a city?",
    "How many things are there?",
)
_PATTERNS = (
    "?s ?p ?o",
    "GRAPH ?g {{ ?s ?p ?o }}",
    "GRAPH <{0}> {{ ?s ?p ?o }}",
    "<{0}> ?p ?o",
    "?s <{0}> ?o",
    "?s ?p <{0}>",
    "<{0}> (!<x:x>)+ ?o",
    "?s a <{0}> . ?s ?p ?o",
    "?s <{0}>|^<{1}> ?o",
    "?s ?p ?o MINUS {{ ?s a <{0}> }}",
    "?s ?p ?o FILTER NOT EXISTS {{ ?o <{0}> ?x }}",
    "?s ?p ?o FILTER(?o > 40000)",
    '?s ?p ?o FILTER(CONTAINS(LCASE(STR(?o)), "zzq"))',
    "{{ ?s ?p <{0}> }} UNION {{ GRAPH ?g {{ ?s ?p ?o }} }}",
    "VALUES ?s {{ <{0}> <{1}> }} ?s ?p ?o",
    "?s ?p ?o OPTIONAL {{ GRAPH ?g {{ ?o ?q ?x }} }}",
    "{{ SELECT ?s ?o {{ ?s <{0}>* ?o }} }}",
)
_HEADS = (
    "SELECT * {{ {} }}",
    "SELECT (COUNT(*) AS ?n) {{ {} }}",
    "ASK {{ {} }}",
    "SELECT DISTINCT ?p {{ {} }}",
    "SELECT ?s ?o FROM <{}> {{ ?s ?p ?o }}",
    "SELECT (GROUP_CONCAT(STR(?o)) AS ?all) {{ {} }}",
)


@pytest.fixture(scope="module")
def guarded(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A closed server of that graph and of another one, of which some keys see nothing."""
    home = tmp_path_factory.mktemp("guarded")
    (home / "payroll.ttl").write_text(f"<{EX}x> <{EX}zzquuxPayroll> 98765098765 .", encoding="utf-8")
    configs = {
        "staff": {"graph": str(folder), "words": {"pay": EX + "zzquuxSalary"}},
        "payroll": {
            "config": {"graph": str(home / "payroll.ttl")},
            "title": "Zzquux payroll",
            "datasets": ["zzquux payroll"],
        },
    }
    chosen = settings(home, configs, open=False, limits={"requests_a_minute": None})
    with serving(chosen) as site:
        admin = site.key("all", "ask", "query")
        with site.stranger() as client:  # who sees all teaches a query that names what others do not see
            turn = client.post(
                "/api/v1/ask", json={"question": "Who is Zzquux Alba?", "graph": "staff"}, headers=admin
            ).json()
            taught = {"verdict": "corrected", "query": f"SELECT ?o {{ <{EX}zzquuxAnna> <{EX}zzquuxSalary> ?o }}"}
            assert client.post(f"/api/v1/turns/{turn['id']}/feedback", json=taught, headers=admin).status_code == 201
        yield site


def _request(chance: random.Random) -> dict[str, Any]:
    """Return a request of any protocol that asks for anything, seen or not."""
    graph = chance.choice(["staff", "staff", "staff", "staff", None, "payroll", "zzquux payroll"])
    name, question = chance.choice(_NAMES), chance.choice(_QUESTIONS).format(chance.choice(_NAMES))
    iris = [EX + one for one in chance.sample(_IRIS, 2)]
    head = chance.choice(_HEADS)
    query = head.format(iris[0] if "FROM" in head else chance.choice(_PATTERNS).format(*iris))
    named = {"graph": graph} if graph else {}
    tools: list[tuple[str, dict[str, Any]]] = [
        ("ask", {"question": question}),
        ("find_names", {"text": name}),
        ("describe", {"iri": iris[0]}),
        ("profile", {}),
        ("run_query", {"query": query}),
        ("schema", {}),
        ("shape", {"class_": iris[0]}),
        ("diagnose", {"query": query}),
    ]
    tool, arguments = chance.choice(tools)
    called = {"name": tool, "arguments": {**arguments, **named}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": called}
    accept, stream = {"Accept": "application/json, text/event-stream"}, {"Accept": "text/event-stream"}
    chat = {"model": graph or "", "messages": [{"role": "user", "content": question}], "stream": chance.random() < 0.3}
    listed = chance.choice(["/api/v1/graphs", "/v1/models", "/api/v1/conversations", f"/v1/models/{graph}"])
    form = {"question": question, "dataset": graph or "staff"}
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/api/v1/ask", {"json": {"question": question, **named, "min_confidence": 0}}),
        ("POST", "/api/v1/ask", {"json": {"question": question, **named}, "headers": stream}),
        ("POST", "/api/v1/ask", {"json": {"question": question, **named, "conversation": "new"}}),
        ("POST", "/api/v1/query", {"json": {"query": query, **named}}),
        ("POST", "/api/v1/query", {"json": {"query": query, **named}}),
        ("POST", "/api/v1/query/explain", {"json": {"query": query, **named}}),
        ("GET", "/api/v1/names", {"params": {"q": name[: chance.randint(1, 12)], **named}}),
        ("GET", "/api/v1/things", {"params": {"iri": iris, **named}}),
        ("GET", "/api/v1/things/next", {"params": {"iri": iris[0], **named}}),
        ("GET", "/api/v1/instances", {"params": {"iri": iris[0], **named}}),
        ("GET", "/api/v1/profile", {"params": named}),
        ("GET", listed, {}),
        ("POST", "/mcp", {"json": call, "headers": accept}),
        ("POST", "/v1/chat/completions", {"json": chat}),
        ("GET", chance.choice(["/text2sparql", "/"]), {"params": form}),
        ("POST", f"/gerbil/{graph}" if graph else "/gerbil", {"data": {"query": question}}),
    ]
    method, url, options = chance.choice(requests)
    return {"method": method, "url": url, **options}


@pytest.mark.parametrize(
    ("reach", "seen"), [(CITIES, _CITIES_SEEN), (OPEN, _OPEN_SEEN)], ids=["classes", "named-graphs"]
)
def test_of_250_requests_by_all_protocols_none_tells_what_a_key_may_not_see(
    guarded: Site, tmp_path: Path, reach: Reach, seen: str
) -> None:
    (tmp_path / "seen.trig").write_text(seen, encoding="utf-8")
    header = guarded.key(f"fuzz {len(reach.only)}", reach=reach.model_copy(update={"graphs": ("staff",)}))
    chance, answers, rows, asked_before = random.Random(7), 0, 0, ""
    with guarded.stranger() as client, LocalGraph.load(tmp_path / "seen.trig") as reference:
        for _ in range(250):
            asked = _request(chance)
            response = client.request(**{**asked, "headers": {**header, **asked.get("headers", {})}})
            own = json.dumps(asked).casefold()
            asked_before += own
            said = asked_before if asked["url"] == "/api/v1/conversations" else own
            told = response.text.replace("\\u0022", '"')
            hidden = [one.casefold() for one in _HIDDEN[reach]]
            leaked = [one for one in hidden if one in told.casefold() and one not in said]
            assert not leaked, (leaked, asked, told)
            assert response.status_code in (200, 400, 403, 404, 422), (asked, told)
            answers += response.status_code == 200
            if asked["url"] == "/api/v1/query" and response.status_code == 200:
                rows += _agree(reference, asked["json"]["query"], response.json())
        for one in client.get("/api/v1/conversations", headers=header).json()["conversations"]:
            turns = client.get(f"/api/v1/conversations/{one['id']}/export", headers=header).text.casefold()
            assert not [one for one in hidden if one in turns and one not in asked_before], turns
    assert answers > 100
    assert rows > 20


def _agree(reference: LocalGraph, query: str, told: dict[str, Any]) -> int:
    """Hold what a query gave against what it gives where nothing else exists, and return how many rows that are."""
    expected = reference.lookup(query)
    assert told["boolean"] == expected.boolean, (query, told)
    if "GROUP_CONCAT" not in query:  # whose order is the engine's
        found = [[cell and cell["value"] for cell in row] for row in told["rows"]]
        wanted = [[cell and cell.value for cell in row] for row in expected.rows]
        assert sorted(found, key=repr) == sorted(wanted, key=repr), query
    return len(expected.rows)


def test_a_key_that_is_bound_to_graphs_finds_no_others(guarded: Site) -> None:
    header = guarded.key("bound", reach=Reach(graphs=("payroll",)))
    with guarded.stranger() as client:
        client.headers.update(header)
        listed = client.get("/api/v1/graphs").json()["graphs"]
        assert [(one["name"], one["default"]) for one in listed] == [("payroll", True)]
        assert [one["id"] for one in client.get("/v1/models").json()["data"]] == ["payroll"]
        assert client.post("/api/v1/query", json={"query": "ASK { ?s ?p 98765098765 }"}).json()["boolean"] is True
        requests: list[dict[str, Any]] = [
            {"method": "POST", "url": "/api/v1/ask", "json": {"question": "Who?", "graph": "staff"}},
            {"method": "POST", "url": "/api/v1/query", "json": {"query": "ASK { ?s ?p ?o }", "graph": "staff"}},
            {"method": "POST", "url": "/api/v1/query/explain", "json": {"query": "ASK { ?s ?p ?o }", "graph": "staff"}},
            {"method": "GET", "url": "/api/v1/profile?graph=staff"},
            {"method": "GET", "url": "/v1/models/staff"},
            {"method": "POST", "url": "/api/v1/conversations", "json": {"graph": "staff"}},
            {"method": "GET", "url": "/text2sparql?question=Who&dataset=staff"},
        ]
        for request in requests:
            response = client.request(**request)
            assert response.status_code == 404, request
            assert response.json()["detail"] == "There is no graph of that name; there are: payroll."


def test_what_is_confirmed_of_a_part_teaches_nobody(guarded: Site) -> None:
    header = guarded.key("teacher", reach=CITIES)
    with guarded.stranger() as client:
        client.headers.update(header)
        turn = client.post("/api/v1/ask", json={"question": "How many cities are there?", "graph": "staff"}).json()
        said = client.post(f"/api/v1/turns/{turn['id']}/feedback", json={"verdict": "right"}).json()
    assert said["used"] is False


def test_a_pinned_answer_is_given_again_of_what_who_opens_it_sees_and_refused_to_who_sees_less(guarded: Site) -> None:
    whole, cities, other = guarded.key("sees all"), guarded.key("cities", reach=CITIES), guarded.key("open", reach=OPEN)
    elsewhere = guarded.key("elsewhere", reach=Reach(graphs=("payroll",)))
    part_of_another = guarded.key("part of another", reach=CITIES.model_copy(update={"graphs": ("payroll",)}))
    question = {"question": "How many cities are there?", "graph": "staff"}
    with guarded.stranger() as client:

        def pinned(header: dict[str, str]) -> str:
            path = f"/api/v1/board/{client.post('/api/v1/ask', json=question, headers=header).json()['id']}"
            assert client.put(path, headers=header).status_code == 204
            return path

        by_all, by_part = pinned(whole), pinned(cities)
        for path, header, status in (
            (by_all, whole, 200),
            (by_all, cities, 403),
            (by_all, other, 403),
            (by_all, elsewhere, 404),
            (by_all, part_of_another, 404),
            (by_part, whole, 200),
            (by_part, cities, 200),
            (by_part, other, 403),
        ):
            opened = client.get(path, headers=header)
            assert opened.status_code == status
            assert ("cities" in opened.text) == (status == 200)
        assert client.get(by_part).status_code == 401
        [pin] = client.get("/api/v1/board", headers=cities).json()
        assert pin["part"]["only"] == [EX + "City"]


def test_a_triple_within_a_triple_is_not_told_of_classes(tmp_path: Path) -> None:
    store = Store()
    said = Triple(NamedNode(EX + "zzquuxAnna"), NamedNode(EX + "zzquuxSalary"), Literal("9876598765"))
    store.add(Quad(NamedNode(EX + "Ulm"), NamedNode(RDF_TYPE), NamedNode(EX + "City")))
    store.add(Quad(NamedNode(EX + "Ulm"), NamedNode(EX + "stated"), said))
    assert [quad.object for quad in _Part(store, CITIES)] == [NamedNode(EX + "City")]


@pytest.mark.parametrize(
    ("only", "seen"),
    [
        (("Person", "Company"), set()),
        (("Person", "Company", RDF + "Statement"), {"annaAcme"}),
        (("Person", RDF + "Statement"), set()),
        (("Company", RDF + "Statement"), set()),
    ],
)
def test_a_fact_about_what_may_not_be_seen_is_not_told_of(only: tuple[str, ...], seen: set[str]) -> None:
    store = Store()
    text = f"""@prefix : <{EX}> . @prefix rdf: <{RDF}> . @prefix rdfs: <{RDFS}> .
        :Anna a :Person . :Acme a :Company . :Secret a :Agency ; :name "9876598765" .
        :annaAcme a rdf:Statement ; rdf:subject :Anna ; rdf:predicate :worksFor ; rdf:object :Acme ; :since 2019 .
        :annaSecret a rdf:Statement ; rdf:subject :Anna ; rdf:predicate :spiesFor ; rdf:object :Secret ; :since 2020 .
        :told a rdf:Statement ; rdf:reifies <<( :Anna :spiesFor :Secret )>> ; :since 2021 .
        :about rdfs:subPropertyOf rdf:subject . :note a rdf:Statement ; :about :Secret ; :since 2023 .
        :doubt a rdf:Statement ; rdf:subject :annaSecret ; rdf:predicate :saidBy ; rdf:object :Acme ; :since 2022 ."""
    store.load(text.encode(), RdfFormat.TURTLE)
    reach = Reach(only=tuple(one if one.startswith(RDF) else EX + one for one in only))
    found = {str(quad.subject).strip("<>").removeprefix(EX) for quad in _Part(store, reach)}
    assert found - {"Anna", "Acme"} == seen


def test_a_claim_about_what_may_not_be_seen_is_not_told_of() -> None:
    store = Store()
    text = f"""@prefix : <{EX}> . @prefix wikibase: <http://wikiba.se/ontology#> . @prefix p: <{EX}p/> .
        :P1 wikibase:claim p:P1 ; wikibase:statementProperty p:ps1 . :Anna a :Person . :Acme a :Company .
        :Secret a :Agency . :Anna p:P1 :good , :bad . :Secret p:P1 :worse . :good a :Claim ; p:ps1 :Acme ; :since 2019 .
        :bad a :Claim ; p:ps1 :Secret ; :since 2020 . :worse a :Claim ; p:ps1 :Acme ; :since 2021 ."""
    store.load(text.encode(), RdfFormat.TURTLE)
    part = _Part(store, Reach(only=(EX + "Person", EX + "Company", EX + "Claim")))
    assert {str(quad.subject).strip("<>").removeprefix(EX) for quad in part} == {"Anna", "Acme", "good"}
    assert not any(quad.object == NamedNode(EX + "bad") for quad in part)


def test_keys_are_bound_on_the_command_line_and_listed_with_what_they_see(tmp_path: Path) -> None:
    state = ["--state", f"sqlite:///{tmp_path / 'state.db'}"]
    run = CliRunner().invoke
    bound = ["--graphs", "demo", "--named-graphs", "default", "--named-graphs", EX + "open", "--only", EX + "City"]
    assert run(app, ["keys", "add", "ann", *bound, *state]).exit_code == 0
    listed = run(app, ["keys", "list", *state]).stdout
    assert listed.endswith(f", graphs: demo, named graphs: default {EX}open, only: {EX}City\n")
    for wrong, said in (
        (["--graphs", "dmo"], "no graph 'dmo'"),
        (["--only", "City"], "'City' is no IRI"),
        (["--only", EX + "City", "--scope", "admin"], "sees what others asked"),
    ):
        refused = run(app, ["keys", "add", "bob", *wrong, *state])
        assert refused.exit_code == 1
        assert said in " ".join(refused.stderr.split())
