"""What the API tells of graphs: profile, names, things; and queries of people."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import httpx
import pyoxigraph
import pytest

from tests.doubles import Clock
from tests.evaluation.recorded import reported
from tests.server.site import serving, settings
from tests.sparql_server import Reply, Serve
from triad import handwritten
from triad.agent import Agent
from triad.deadline import Deadline
from triad.errors import QueryTimeout
from triad.opening import Parts
from triad.rdf import RDF_TYPE, ResultSet
from triad.server import querying, things
from triad.server.querying import CELLS, SIZE, QueryView, instances
from triad.server.routes import graphs
from triad.server.served import Served, _opened as opened
from triad.server.settings import ALL, GraphSettings

pytestmark = pytest.mark.slow

REPORT = json.loads((Path(__file__).parents[1] / "web/graphs/reports/small/report.json").read_text("utf-8"))
ONTOLOGY = "http://dbpedia.org/ontology/"
FILM = f"{ONTOLOGY}Film"
KUBRICK = "http://dbpedia.org/resource/Stanley_Kubrick"


def test_the_graphs_are_listed_without_paths_of_the_machine(visitor: httpx.Client) -> None:
    [graph] = visitor.get("/api/v1/graphs").json()["graphs"]
    assert (graph["name"], graph["default"], graph["ready"], graph["model"]) == ("demo", True, True, None)
    assert "/" not in visitor.get("/api/v1/profile", params={"questions": 0}).json()["name"]


def test_the_profile_has_classes_and_questions_that_are_surely_answered(visitor: httpx.Client) -> None:
    profile = visitor.get("/api/v1/profile", params={"questions": 2}).json()
    assert profile["classes"][0]["instances"] > 100
    assert len(profile["questions"]) == 2
    asked = visitor.post("/api/v1/ask", json={"question": profile["questions"][0]["question"]}).json()
    assert asked["reply"] == profile["questions"][0]["answer"]


def test_a_thing_that_is_not_found_in_time_takes_no_other_along(
    visitor: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow(agent: Agent, deadline: Deadline, iri: str) -> things.ThingView | None:
        if iri.endswith("Intel"):
            raise QueryTimeout("it did not end")
        return things.look_up(agent, deadline, iri)

    monkeypatch.setattr(graphs, "look_up", slow)
    iris = [f"http://dbpedia.org/resource/{name}" for name in ("Intel", "Gordon_Moore")]
    answer = visitor.get("/api/v1/things", params={"iri": iris})
    assert [one["iri"] for one in answer.json()["things"]] == iris[1:]
    assert visitor.get("/api/v1/things", params={"iri": iris[:1]}).status_code == 504


def test_to_show_what_a_query_found_is_part_of_its_time(
    demo_agent: Agent, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*arguments: Any, **options: Any) -> Any:
        answer = handwritten.found_by(*arguments, **options)
        clock.now += 20
        return answer

    monkeypatch.setattr(querying, "found_by", late)
    with pytest.raises(QueryTimeout, match="to show what the query found"):
        querying.result_of(demo_agent, "SELECT ?s { ?s ?p ?o } LIMIT 5", Deadline(10))


@pytest.mark.parametrize(
    ("text", "label"), [("Stanley K", "Stanley Kubrick"), ("kubr", "Stanley Kubrick"), ("INT", "Intel")]
)
def test_a_name_is_completed_from_its_beginning_or_that_of_a_word(visitor: httpx.Client, text: str, label: str) -> None:
    names = visitor.get("/api/v1/names", params={"q": text}).json()["names"]
    assert label in [name["label"] for name in names]


def test_several_texts_are_completed_in_one_request(visitor: httpx.Client) -> None:
    names = visitor.get("/api/v1/names", params={"q": ["by Stanley K", "Stanley K", "Inte"], "limit": 1}).json()[
        "names"
    ]
    assert [(name["completes"], name["label"]) for name in names] == [
        ("Stanley K", "Stanley Kubrick"),
        ("Inte", "Intel"),
    ]
    assert visitor.get("/api/v1/names", params={"q": ["x"] * 6}).status_code == 422
    assert visitor.get("/api/v1/names").status_code == 422


@pytest.mark.parametrize("text", [".*", "a|b", "[", "(((((", "\\", "x{1,9999}", "  ", "\x00"])
def test_completion_takes_any_text_as_text(visitor: httpx.Client, text: str) -> None:
    response = visitor.get("/api/v1/names", params={"q": text})
    assert response.status_code == 200
    assert all(text.strip(".*|[\\( ") in name["label"] for name in response.json()["names"])


def test_a_thing_has_its_relations_in_both_directions(visitor: httpx.Client) -> None:
    [thing] = visitor.get("/api/v1/things", params={"iri": KUBRICK}).json()["things"]
    assert thing["label"] == "Stanley Kubrick"
    assert {"in", "out"} == {relation["direction"] for relation in thing["relations"]}
    assert visitor.get("/api/v1/things", params={"iri": "http://example.org/nothing"}).status_code == 404
    assert visitor.get("/api/v1/things", params={"iri": "x> ?p ?o } DROP ALL #"}).status_code == 400


def test_the_things_of_a_class_are_listed_with_what_many_of_them_have(visitor: httpx.Client) -> None:
    films = visitor.get("/api/v1/instances", params={"iri": FILM}).json()
    assert films["variables"][:3] == ["film", "starring", "film director"]
    assert len(films["rows"]) == 32
    assert not films["truncated"]
    assert next(row[2]["label"] for row in films["rows"] if row[0]["label"] == "2001: A Space Odyssey") == (
        "Stanley Kubrick"
    )
    assert any(";" in row[1]["label"] for row in films["rows"])


def test_of_many_things_of_a_class_the_best_known_come_first(visitor: httpx.Client) -> None:
    some = visitor.get("/api/v1/instances", params={"iri": f"{ONTOLOGY}City", "limit": 3}).json()
    assert [row[0]["label"] for row in some["rows"]] == ["London", "New York City", "Paris"]
    assert some["truncated"]
    assert visitor.get("/api/v1/instances", params={"iri": KUBRICK}).json()["rows"] == []
    assert visitor.get("/api/v1/instances", params={"iri": "x> ?p ?o } #"}).status_code == 422


@pytest.mark.slow(4)
def test_the_things_of_a_large_class_are_listed_in_little_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "items.nt"
    item = "<http://x.org/i{0}> <{1}> <http://x.org/Item> .\n" + "".join(
        f"<http://x.org/i{{0}}> <http://x.org/{name}> <http://x.org/v> .\n" for name in ("at", "by", "of")
    )
    file.write_text("".join(item.format(at, RDF_TYPE) for at in range(10_000)), "utf-8")

    def cpu(work: Callable[[], object]) -> float:
        start = time.thread_time()
        work()
        return time.thread_time() - start

    with Agent(file, model="none") as agent:
        best = agent.schema.best_known("http://x.org/Item", 500)
        assert "LIMIT 1000" in best
        every = best.replace("LIMIT 1000", "LIMIT 10000")
        assert cpu(lambda: agent.graph.lookup(best)) < 0.6 * cpu(lambda: agent.graph.lookup(every))

        def late(*_: object, **__: object) -> ResultSet:
            raise QueryTimeout("not counted in time")

        monkeypatch.setattr(type(agent.graph), "select", late)
        instances(agent, Deadline(60), "http://x.org/Item", 1)  # reads the schema
        listed: list[QueryView] = []
        taken = cpu(lambda: listed.append(instances(agent, Deadline(60), "http://x.org/Item", 500)))
        assert (len(listed[0].rows), listed[0].variables[1:], listed[0].truncated) == (500, ["at", "by", "of"], True)
        assert taken < cpu(lambda: agent.graph.lookup(every))


def test_relations_whose_names_begin_as_that_of_names_are_columns_too(tmp_path: Path) -> None:
    file = tmp_path / "ships.ttl"
    said = "; rdfs:label 'Vega' ; <http://x.org/name> 'Vega' ; <http://x.org/nameday> 'May 1'"
    file.write_text(f"@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . <x:v> a <x:Ship> {said} .", "utf-8")
    with Agent(file, model="none", labels=("http://x.org/name",)) as agent:
        assert instances(agent, Deadline(60), "x:Ship", 5).variables[1:] == ["nameday"]


def test_a_thing_invites_questions_that_are_surely_answered(visitor: httpx.Client) -> None:
    found = visitor.get("/api/v1/things/next", params={"iri": KUBRICK}).json()
    assert found
    assert all("Stanley Kubrick" in one["question"] for one in found)
    asked = visitor.post("/api/v1/ask", json={"question": found[0]["question"]}).json()
    assert asked["reply"] == found[0]["answer"]


def test_what_is_no_iri_hides_no_thing_beside_it(visitor: httpx.Client) -> None:
    found = visitor.get("/api/v1/things", params={"iri": ["http://example.org/a b", KUBRICK]}).json()["things"]
    assert [one["iri"] for one in found] == [KUBRICK]


def test_pictures_and_places_of_things_are_found(tmp_path: Path) -> None:
    (tmp_path / "places.ttl").write_text(
        """@prefix : <http://example.org/> . @prefix foaf: <http://xmlns.com/foaf/0.1/> .
        @prefix geo: <http://www.w3.org/2003/01/geo/wgs84_pos#> .
        @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
        :Bern rdfs:label "Bern" ; geo:lat 46.9 ; geo:long 7.4 ; foaf:depiction <https://example.org/bern.jpg> .
        :Odd rdfs:label "Odd" ; geo:lat "abc"^^xsd:double, "1e9999"^^xsd:double ; geo:long "?"^^xsd:integer ;
            geo:asWKT "POINT(1.2.3 4.5)"^^geo:wktLiteral .
        :Evil rdfs:label "Evil" ; foaf:depiction <javascript:alert(1)> ; geo:lat 4600 ; geo:long 7.4 .
        """
    )
    with (
        serving(settings(tmp_path, {"places": {"graph": str(tmp_path / "places.ttl")}})) as site,
        site.visitor() as client,
    ):
        iris = [f"http://example.org/{name}" for name in ("Bern", "Nothing", "Odd", "Evil")]
        iris += ["relative", "http://[", "urn:"]
        bern, odd, evil = client.get("/api/v1/things", params={"iri": iris}).json()["things"]
        assert bern["image"] == "https://example.org/bern.jpg"
        assert bern["coordinates"] == {"latitude": 46.9, "longitude": 7.4}
        assert (evil["image"], evil["coordinates"]) == (None, None)
        assert (odd["label"], odd["coordinates"]) == ("Odd", None)


def test_a_query_is_run_under_the_guard_and_shown_with_names(visitor: httpx.Client) -> None:
    query = f"SELECT ?film {{ ?film <http://dbpedia.org/ontology/director> <{KUBRICK}> }}"
    found = visitor.post("/api/v1/query", json={"query": query}).json()
    assert "The Shining" in [row[0]["label"] for row in found["rows"]]
    assert "LIMIT 1001" in found["query"]
    assert visitor.post("/api/v1/query", json={"query": "ASK { ?s ?p ?o }"}).json()["boolean"] is True


def test_a_query_is_told_in_words_and_each_part_of_it_is_counted(visitor: httpx.Client) -> None:
    query = "SELECT ?film { ?film dbo:director dbr:Stanley_Kubrick ; dbo:runtime ?runtime FILTER(?runtime > 5000) }"
    told = visitor.post("/api/v1/query/explain", json={"query": query}).json()
    assert "Stanley Kubrick" in told["words"]
    assert "  ?film dbo:runtime ?runtime .\n  FILTER (?runtime > 5000)" in told["query"]
    assert "LIMIT" not in told["query"]
    first, _, last = told["rows"]
    unfiltered = query.replace("FILTER(?runtime > 5000)", "")
    assert len(visitor.post("/api/v1/query", json={"query": unfiltered}).json()["rows"]) == 2
    assert (first["part"], first["alone"], first["without"]) == ("?film dbo:director dbr:Stanley_Kubrick", 4, 0)
    assert (last["part"], last["alone"], last["without"]) == ("FILTER (?runtime > 5000)", None, 2)


@pytest.mark.parametrize("path", ["/api/v1/query", "/api/v1/query/explain"])
@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("SELECT * { SERVICE <http://169.254.169.254/> { ?s ?p ?o } }", "query-rejected"),
        ("SELECT * FROM <file:///etc/passwd> { ?s ?p ?o }", "query-rejected"),
        ("INSERT DATA { <a:a> <a:b> <a:c> }", "query-rejected"),
        ("CONSTRUCT { ?s ?p ?o } { ?s ?p ?o }", "query-rejected"),
        ("SELEC", "query-syntax"),
    ],
)
def test_a_query_that_does_more_than_read_is_refused(visitor: httpx.Client, path: str, query: str, name: str) -> None:
    response = visitor.post(path, json={"query": query})
    assert (response.status_code, response.json()["name"]) == (400, name)


def test_a_query_that_takes_too_long_is_ended(visitor: httpx.Client) -> None:
    crossed = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    response = visitor.post("/api/v1/query", json={"query": crossed, "seconds": 0.3})
    assert (response.status_code, response.json()["name"]) == (504, "query-timeout")


def test_a_wide_result_has_fewer_rows_and_a_long_one_ends_before_it_is_too_long(visitor: httpx.Client) -> None:
    wide = " ".join(f"(?c AS ?x{number})" for number in range(250))
    for columns in (wide, "*"):
        of = (
            "?a ?b ?c . ?d ?e ?f"
            if columns == wide
            else " ".join(f"OPTIONAL {{ ?s{n} ?p{n} ?o{n} }}" for n in range(20))
        )
        answer = visitor.post("/api/v1/query", json={"query": f"SELECT {columns} {{ {of} }}"})
        found = answer.json()
        assert found["truncated"] is True
        assert 1 <= len(found["rows"]) * len(found["variables"]) <= CELLS
    double = " ".join(f"BIND (CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(17))
    long = f'SELECT ?s ?x17 {{ ?s ?p ?o BIND ("ab" AS ?x0) {double} }}'
    answer = visitor.post("/api/v1/query", json={"query": long})
    assert answer.json()["truncated"] is True
    assert 1 <= len(answer.json()["rows"]) < 10
    assert len(answer.content) < 3 * SIZE


def test_reports_of_runs_are_shown_and_no_other_file(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    for name in ("first", "second"):
        (runs / name).mkdir(parents=True)
        (runs / name / "report.json").write_text(json.dumps(REPORT | {"title": name}))
    (runs / "third").mkdir()
    (runs / "third" / "report.json").write_text(json.dumps(REPORT | {"usage": "<b>", "folder": "/secret"}))
    for name, content in (("deep", "[" * 100_000), ("odd", json.dumps(REPORT | {"title": "\ud800"}))):
        (runs / name).mkdir()
        (runs / name / "report.json").write_text(content)
    (tmp_path / "report.json").write_text('{"secret": true}')
    (runs / "linked").symlink_to(tmp_path)
    with serving(settings(tmp_path, runs="runs")) as site, site.visitor() as client:
        every = ["deep", "first", "odd", "second", "third"]
        assert [one["name"] for one in client.get("/api/v1/reports").json()["reports"]] == every
        report = client.get("/api/v1/reports/first").json()
        assert (report["questions"], report["rungs"]["solver"]["answered"]) == (20, 19)
        for name in ("third", "..", "%2e%2e", "..%2f..", "linked", "none", "first%2f..%2f..", "%00"):
            response = client.get(f"/api/v1/reports/{name}")
            assert response.status_code in (404, 422), name
            assert "secret" not in response.text


def test_two_runs_are_compared_and_their_folders_are_not_named(tmp_path: Path) -> None:
    reported(tmp_path / "runs" / "first", 0.0, 1.0, 0.5)
    reported(tmp_path / "runs" / "second", 1.0, 0.0, 0.5)
    (tmp_path / "runs" / "bare").mkdir()
    (tmp_path / "runs" / "bare" / "report.json").write_text(json.dumps(REPORT))
    with serving(settings(tmp_path, runs="runs")) as site, site.visitor() as client:
        told = client.get("/api/v1/reports/second/changes", params={"since": "first"}).json()
        assert [(one["question"], one["before"], one["after"]) for one in told["better"]] == [("Question 1?", 0, 1)]
        assert [(one["question"], one["before"], one["after"]) for one in told["worse"]] == [("Question 2?", 1, 0)]
        assert (told["metric"], told["same"], told["metrics"]["set_f"]["difference"]) == ("set_f", 1, 0)
        for name, since in (("second", "bare"), ("bare", "second"), ("second", ".."), ("none", "second")):
            response = client.get(f"/api/v1/reports/{name}/changes", params={"since": since})
            assert response.status_code == 404, (name, since)
            assert str(tmp_path) not in response.text


def test_a_server_without_what_measures_says_so_and_not_that_the_runs_differ(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("first", "second"):
        reported(tmp_path / "runs" / name, 1.0)
    monkeypatch.setattr("triad.errors.find_spec", lambda _: None)
    with serving(settings(tmp_path, runs="runs")) as site, site.visitor() as client:
        told = client.get("/api/v1/reports/second/changes", params={"since": "first"}).json()
    assert (told["status"], told["name"]) == (400, "bad-request")
    assert told["detail"] == "to measure takes loky and numpy and scipy: pip install 'triad-kgqa[evaluation]'"


@pytest.mark.parametrize(
    ("status", "name"), [(400, "query-syntax"), (403, "graph-failed"), (500, "graph-failed"), (504, "query-timeout")]
)
def test_where_a_graph_is_that_refuses_a_query_is_not_told(
    tmp_path: Path, sparql_server: Serve, status: int, name: str
) -> None:
    endpoint = sparql_server(pyoxigraph.Store())
    config = {"graph": endpoint.url, "index": "endpoint", "model": "none", "graph_options": {"retries": 0}}
    chosen = settings(tmp_path, {"asked": config}, open=True)
    with serving(chosen, ready=False) as site, site.visitor() as client:
        client.get("/api/v1/profile", params={"questions": 0}).raise_for_status()
        endpoint.reply_next(*[Reply(status, "no")] * 2)
        problem = client.post("/api/v1/query", json={"query": "SELECT ?s { ?s ?p <http://a.org/thing> }"}).json()
    assert problem["name"] == name
    assert "127.0.0.1" not in problem["detail"], problem["detail"]


def test_a_graph_is_opened_with_the_profile_that_the_first_question_needs(
    tmp_path: Path, sparql_server: Serve, monkeypatch: pytest.MonkeyPatch, logged: list[str]
) -> None:
    (tmp_path / "films.ttl").write_text("<x:a> a <x:Film> .", encoding="utf-8")
    films = {"graph": str(tmp_path / "films.ttl"), "model": "none", "language": "en"}
    remote = {"graph": sparql_server(pyoxigraph.Store()).url, "model": "none"}
    chosen = settings(tmp_path, {"films": films, "remote": remote})
    for name, has in (("films", True), ("remote", False)):
        with opened(chosen, name, ALL) as agent, monkeypatch.context() as patched:
            patched.setattr(Parts, "profile", Mock(side_effect=AssertionError("it is read now")))
            assert (agent.profile is not None) is has
    assert [line for line in logged if "profile" in line] == ["INFO the graph 'remote' has no profile\n"]


def test_a_graph_that_was_exchanged_is_closed_when_the_server_ends_meanwhile() -> None:
    closed = threading.Event()
    agent = cast(Agent, SimpleNamespace(close=closed.set))

    async def ended() -> None:
        served = Served("old", GraphSettings(config="demo"), lambda _: agent)
        await served.open()
        retiring = asyncio.create_task(served.retire())
        await asyncio.sleep(0)
        retiring.cancel()
        await asyncio.gather(retiring, return_exceptions=True)

    asyncio.run(ended())
    assert closed.is_set()


def test_an_admin_tries_words_and_adds_them_and_others_see_them(tmp_path: Path) -> None:
    (tmp_path / "cars.ttl").write_text(
        '@prefix : <http://e/> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> . :Car r:label "Car" . '
        ':a a :Car ; r:label "Ape" ; :price 4500 . :b a :Car ; r:label "Bee" ; :price 900 .',
        encoding="utf-8",
    )
    config = tmp_path / "cars.yaml"
    config.write_text("graph: cars.ttl\nmodel: none\n", encoding="utf-8")
    said = "cheap car: {of: Car, where: price < 1000, owner: sales}"
    with serving(settings(tmp_path, {"cars": str(config)})) as site:
        admin, anybody = site.key("admin", "ask", "admin"), site.key("anybody")
        with httpx.Client(base_url=site.url, timeout=60) as client:
            assert client.post("/api/v1/words", json={"words": said}, headers=anybody).status_code == 403
            wrong = {"words": "cheap car: {of: Car, where: prise < 1000}"}
            assert "'prise' is no relation of Car" in client.post("/api/v1/words", json=wrong, headers=admin).text
            [tried] = client.post("/api/v1/words", json={"words": said}, headers=admin).json()["words"]
            meaning = "Car with price < 1000"
            assert tried == {"word": "cheap car", "meaning": meaning, "holds": 1, "examples": "Bee", "owner": "sales"}
            assert client.get("/api/v1/words", headers=anybody).json()["words"] == []
            client.post("/api/v1/words", json={"words": said, "add": True}, headers=admin).raise_for_status()
            assert client.get("/api/v1/words", headers=anybody).json()["words"] == [tried]
            asked = client.post("/api/v1/ask", json={"question": "Which cheap cars are there?"}, headers=anybody)
            assert asked.json()["reply"] == "Bee (900)"
    assert '"cheap car": {"of": "Car", "where": "price < 1000", "owner": "sales"}' in config.read_text("utf-8")
