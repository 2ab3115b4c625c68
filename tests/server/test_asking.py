"""Questions over REST: answers, streams of steps, conversations, feedback."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, get_args

import httpx
import pytest

from tests.server.site import PAGE, Site, serving, settings, streamed
from triad.answers import Answer, Unknown
from triad.conversation import Turn
from triad.errors import QuerySyntaxError
from triad.examples.nearest import Pair
from triad.questions import Question
from triad.rdf import IRI, Value
from triad.server import asking, querying
from triad.server.state.conversations import Conversations, Kept
from triad.server.views import StepView
from triad.trace import Phase, Rung, Service, Step

ASK = "/api/v1/ask"


@pytest.mark.slow(0.1)
def test_a_question_is_answered_with_its_query_and_its_facts(visitor: httpx.Client) -> None:
    turn = visitor.post(ASK, json={"question": "Who founded Intel?"}).json()
    assert turn["outcome"] == "answer"
    assert turn["reply"] == "Gordon Moore; Robert Noyce"
    answer = turn["answer"]
    assert [value["label"] for value in answer["values"]] == ["Gordon Moore", "Robert Noyce"]
    assert "dbo:foundedBy" in answer["query"]
    assert answer["facts"][0]["subject"]["value"].endswith("/Intel")
    assert answer["confidence"] > 0.8


@pytest.mark.slow(0.1)
def test_what_is_not_known_is_an_answer_with_reasons(visitor: httpx.Client) -> None:
    response = visitor.post(ASK, json={"question": "Who founded Xyzzyplugh?"})
    assert response.status_code == 200
    turn = response.json()
    assert turn["outcome"] == "unknown"
    assert turn["unknown"]["reasons"]


def test_a_path_tells_its_methods(visitor: httpx.Client) -> None:
    asked = visitor.get(ASK)
    assert (asked.status_code, asked.headers["Allow"]) == (405, "POST")
    assert visitor.get("/api/v1/asked").status_code == 404


@pytest.mark.slow(0.2)
def test_steps_are_told_as_they_happen_and_the_turn_comes_last(visitor: httpx.Client) -> None:
    told = streamed(visitor, ASK, {"question": "Who founded Intel?"})
    assert [one.name for one in told[:1] + told[-1:]] == ["begin", "answer"]
    steps = [one.data for one in told if one.name == "step"]
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    assert {"linking", "construction", "answering"} <= {step["phase"] for step in steps}
    assert told[-1].data["id"] == told[0].data["turn"]
    assert streamed(visitor, ASK, {"question": "Who founded Xyzzyplugh?"})[-1].name == "unknown"


@pytest.mark.slow(0.7)
def test_a_turn_is_found_again_with_all_its_steps(visitor: httpx.Client) -> None:
    turn = visitor.post(ASK, json={"question": "Who founded Intel?"}).json()
    again = visitor.get(f"/api/v1/turns/{turn['id']}").json()
    assert again == turn | {"at": again["at"], "trace": again["trace"]}
    assert again["trace"]["steps"][0]["prompt"] is None


@pytest.mark.slow(0.1)
def test_a_reading_comes_with_its_answer_and_is_chosen_by_its_words(visitor: httpx.Client) -> None:
    asked = {"question": "Which lake is the largest?", "conversation": "new"}
    turn = visitor.post(ASK, json=asked).json()
    first, *_ = turn["unknown"]["readings"]
    assert first.keys() == {"text", "answer", "query", "taken"}
    assert (first["text"], first["answer"]) == ("Which body of water is the longest?", "Nile")
    path = f"/api/v1/conversations/{turn['conversation']}/turns"
    chosen = visitor.post(path, json={"question": first["text"]}).json()
    assert chosen["reply"] == "Nile (6,650 km) is the longest."
    assert [value["label"] for value in chosen["answer"]["values"]] == ["Nile"]


@pytest.mark.slow(0.2)
def test_a_follow_up_is_understood_in_its_conversation(visitor: httpx.Client) -> None:
    first = visitor.post(ASK, json={"question": "Who founded Intel?", "conversation": "new"}).json()
    path = f"/api/v1/conversations/{first['conversation']}"
    second = visitor.post(f"{path}/turns", json={"question": "When was it founded?"}).json()
    assert second["standalone"] == "When was Intel founded?"
    assert second["number"] == 2
    third = streamed(visitor, ASK, {"question": "thanks!", "conversation": first["conversation"]})[-1]
    assert third.name == "said"
    kept = visitor.get(path).json()
    assert [turn["question"] for turn in kept["items"]] == ["Who founded Intel?", "When was it founded?", "thanks!"]
    assert kept["title"] == "Who founded Intel?"


@pytest.mark.slow(0.3)
def test_conversations_are_listed_renamed_exported_and_deleted(visitor: httpx.Client) -> None:
    made = visitor.post("/api/v1/conversations", json={"title": "  Rivers   of Europe "})
    assert made.status_code == 201
    path = f"/api/v1/conversations/{made.json()['id']}"
    visitor.post(f"{path}/turns", json={"question": "Which rivers flow through Germany?"}).raise_for_status()
    assert visitor.patch(path, json={"title": "Rivers"}).json()["title"] == "Rivers"
    visitor.post("/api/v1/conversations", json={}).raise_for_status()
    page = visitor.get("/api/v1/conversations", params={"limit": 1}).json()
    following = visitor.get("/api/v1/conversations", params={"before": page["next"]}).json()
    assert [one["title"] for one in page["conversations"] + following["conversations"]] == ["", "Rivers"]
    markdown = visitor.get(f"{path}/export", params={"format": "markdown"})
    assert "## Which rivers flow through Germany?" in markdown.text
    assert "attachment" in markdown.headers["Content-Disposition"]
    assert visitor.get(f"{path}/export").json()["turns"][0]["reply"]
    assert visitor.delete(path).status_code == 204
    assert visitor.get(path).status_code == 404
    assert visitor.post(f"{path}/turns", json={"question": "and Italy?"}).status_code == 404


@pytest.mark.slow(0.4)
def test_the_same_idempotency_key_gives_the_same_turn_however_often(visitor: httpx.Client) -> None:
    conversation = visitor.post("/api/v1/conversations", json={}).json()["id"]
    key = {"Idempotency-Key": str(uuid.uuid4())}

    def ask(_: int) -> str:
        body = {"question": "Who founded Intel?", "conversation": conversation}
        return str(visitor.post(ASK, json=body, headers=key).json()["id"])

    with ThreadPoolExecutor(6) as pool:
        ids = set(pool.map(ask, range(6)))
    assert len(ids) == 1
    assert visitor.get(f"/api/v1/conversations/{conversation}").json()["turns"] == 1


@pytest.mark.slow(0.1)
def test_an_idempotency_key_that_was_used_for_another_question_is_refused(visitor: httpx.Client) -> None:
    headers = {"Idempotency-Key": "once"}
    assert visitor.post(ASK, json={"question": "Who founded Intel?"}, headers=headers).status_code == 200
    again = visitor.post(ASK, json={"question": "Who founded Apple?"}, headers=headers)
    assert (again.status_code, again.json()["name"]) == (422, "unprocessable")
    assert visitor.post(ASK, json={"question": " Who founded Intel? "}, headers=headers).status_code == 200


@pytest.mark.slow(0.2)
def test_of_two_questions_that_come_at_once_with_one_key_one_is_refused(visitor: httpx.Client) -> None:
    for number in range(3):

        def ask(name: str, key: str = f"at once {number}") -> int:
            body = {"question": f"Who founded {name}?"}
            return visitor.post(ASK, json=body, headers={"Idempotency-Key": key}).status_code

        with ThreadPoolExecutor(2) as pool:
            assert sorted(pool.map(ask, ["Intel", "Apple"])) == [200, 422]


def test_an_idempotency_key_holds_for_the_options_of_a_question(visitor: httpx.Client) -> None:
    first = {"question": "Who founded Intel?", "min_confidence": 0.1}
    for more in ({}, {"language": "en"}, {"sentence": True}, {"min_confidence": 1.0}, {"min_confidence": None}):
        answer = visitor.post(ASK, json=first | more, headers={"Idempotency-Key": "options"})
        assert answer.status_code == (422 if more else 200)
    assert visitor.post(ASK, json=first, headers={"Idempotency-Key": "options"}).status_code == 200


@pytest.mark.slow(0.7)
def test_an_idempotency_key_holds_for_one_graph_and_one_conversation(tmp_path: Path) -> None:
    body = {"question": "Who founded Intel?"}
    with serving(settings(tmp_path, {"demo": "demo", "other": "demo"})) as site, site.visitor() as client:

        def ask(key: str, **more: Any) -> Any:
            return client.post(ASK, json=body | more, headers={"Idempotency-Key": key}).json()

        alone = ask("alone")
        assert ask("alone", graph="demo")["id"] == alone["id"]
        assert ask("alone", graph="other")["name"] == "unprocessable"
        mine, own = (client.post("/api/v1/conversations", json={}).json()["id"] for _ in range(2))
        within = ask("within", conversation=mine)
        assert ask("within", conversation=mine)["id"] == within["id"]
        for elsewhere in ({}, {"conversation": own}, {"conversation": mine, "graph": "other"}):
            assert ask("within", **elsewhere)["name"] == "unprocessable"
        begun = ask("begun", conversation="new")
        assert ask("begun", conversation="new")["id"] == begun["id"]
        assert len(client.get("/api/v1/conversations").json()["conversations"]) == 3  # and none is begun for nothing


@pytest.mark.slow(0.2)
@pytest.mark.parametrize(("bound", "most"), [("TURNS", 2), ("SIZE", 3_500)])
def test_a_conversation_has_so_many_turns_and_no_more(
    visitor: httpx.Client, monkeypatch: pytest.MonkeyPatch, bound: str, most: int
) -> None:
    monkeypatch.setattr(asking, bound, most)
    conversation = "new"
    for _ in range(2):
        turn = visitor.post(ASK, json={"question": "Who founded Intel?", "conversation": conversation}).json()
        conversation = turn["conversation"]
    refused = visitor.post(ASK, json={"question": "Who founded Intel?", "conversation": conversation})
    assert (refused.status_code, refused.json()["name"]) == (409, "conflict")
    assert len(visitor.get(f"/api/v1/conversations/{conversation}").json()["items"]) == 2


@pytest.mark.slow(0.5)
def test_who_reads_long_conversations_reads_one_after_the_other(
    visitor: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    conversation = visitor.post("/api/v1/conversations", json={}).json()["id"]
    read, under_way = Conversations.turns, list[int]()
    most = 0

    def slowly(self: Conversations, owner: str, id: str) -> Sequence[Kept]:
        nonlocal most
        under_way.append(1)
        most = max(most, len(under_way))
        time.sleep(0.05)
        under_way.pop()
        return read(self, owner, id)

    monkeypatch.setattr(Conversations, "turns", slowly)
    with ThreadPoolExecutor(6) as pool:
        paths = [f"/api/v1/conversations/{conversation}{end}" for end in ("", "/export", "/export?format=markdown")] * 2
        assert [answer.status_code for answer in pool.map(visitor.get, paths)] == [200] * 6
    assert most == 1


@pytest.mark.slow(0.3)
def test_turns_of_one_conversation_that_are_asked_at_once_are_all_kept_in_order(visitor: httpx.Client) -> None:
    conversation = visitor.post("/api/v1/conversations", json={}).json()["id"]
    names = ["Italy", "Spain", "Germany", "France", "Japan"]

    def ask(name: str) -> int:
        body = {"question": f"What is the capital of {name}?", "conversation": conversation}
        return int(visitor.post(ASK, json=body).json()["number"])

    with ThreadPoolExecutor(5) as pool:
        assert sorted(pool.map(ask, names)) == [1, 2, 3, 4, 5]


@pytest.mark.slow(0.2)
def test_a_corrected_query_answers_its_question_from_then_on(site: Site, visitor: httpx.Client) -> None:
    question = "Who is the boss of Intel?"
    turn = visitor.post(ASK, json={"question": question}).json()
    query = "SELECT ?who { <http://dbpedia.org/resource/Intel> <http://dbpedia.org/ontology/foundedBy> ?who }"
    path = f"/api/v1/turns/{turn['id']}/feedback"
    said = visitor.post(path, json={"verdict": "corrected", "query": query})
    assert said.status_code == 201
    assert said.json()["used"]
    assert visitor.get(f"/api/v1/turns/{turn['id']}").json()["feedback"]["verdict"] == "corrected"
    with site.visitor() as another:
        again = another.post(ASK, json={"question": question.lower()}).json()
    assert again["answer"]["query"] == query
    assert [value["label"] for value in again["answer"]["values"]] == ["Gordon Moore", "Robert Noyce"]
    assert visitor.delete(path).status_code == 204
    assert visitor.post(ASK, json={"question": question}).json()["answer"] != again["answer"]


@pytest.mark.slow(0.2)
def test_what_a_key_taught_counts_no_more_when_it_is_revoked(site: Site, visitor: httpx.Client) -> None:
    question = {"question": "Who is the head of Intel?"}
    query = "SELECT ?who { <http://dbpedia.org/resource/Intel> <http://dbpedia.org/ontology/foundedBy> ?who }"
    with httpx.Client(base_url=site.url, headers=site.key("mallory"), timeout=60) as mallory:
        turn = mallory.post(ASK, json=question).json()
        body = {"verdict": "corrected", "query": query}
        assert mallory.post(f"/api/v1/turns/{turn['id']}/feedback", json=body).json()["used"]
    assert visitor.post(ASK, json=question).json()["answer"]["query"] == query
    site.keys.revoke("mallory")
    assert visitor.post(ASK, json=question).json()["answer"]["query"] != query


@pytest.mark.slow(0.3)
def test_an_answer_has_so_many_characters_and_no_more(visitor: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    question = {"question": "Which wumpuses are in the cave?"}
    turn = visitor.post(ASK, json=question).json()
    body = {"verdict": "corrected", "query": "SELECT ?s ?o { ?s ?p ?o }"}
    assert visitor.post(f"/api/v1/turns/{turn['id']}/feedback", json=body).status_code == 201
    monkeypatch.setattr("triad.phases.context.CHARACTERS", 1_000)
    answer = visitor.post(ASK, json=question).json()["answer"]
    assert answer["truncated"]
    assert 0 < sum(len(cell["value"]) for row in answer["rows"] for cell in row) <= 1_000
    monkeypatch.setattr("triad.phases.context.CHARACTERS", 1)
    assert visitor.post(ASK, json=question).status_code == 502  # and not that there are none


@pytest.mark.slow(0.3)
def test_an_answer_is_told_and_kept_with_so_many_rows_as_a_query_and_gone_on_from_as_a_whole(
    visitor: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = {"question": "Which films did Stanley Kubrick direct?", "conversation": "new"}
    whole = visitor.post(ASK, json=body).json()["answer"]
    assert len(whole["rows"]) > 3
    assert not whole["truncated"]
    size = sum(len(one["value"]) + len(one["label"]) for row in whole["rows"][:2] for one in row)
    for bound, most in (("ROWS", 2), ("CELLS", 2), ("SIZE", size)):
        with monkeypatch.context() as patched:
            patched.setattr(querying, bound, most)
            turn = visitor.post(ASK, json=body).json()
        assert turn["answer"]["rows"] == whole["rows"][:2]
        assert turn["answer"]["truncated"]
        kept = visitor.get(f"/api/v1/turns/{turn['id']}").json()
        assert kept["answer"] == turn["answer"]
        after = {"question": "how many are there?", "conversation": turn["conversation"]}
        assert visitor.post(ASK, json=after).json()["answer"]["values"][0]["value"] == str(len(whole["rows"]))


def test_the_rows_of_a_guess_and_of_other_rungs_have_the_same_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(querying, "ROWS", 2)
    question, row = Question("Who?"), (Value(IRI("http://e/x"), "x"),)
    answer = Answer(question, variables=("who",), rows=(row,) * 3, below=(Answer(question, rows=(row,) * 3),))
    cut = asking._cut(Turn("Who?", "Who?", answer=answer, unknown=Unknown(question, guess=answer)))
    assert cut.answer
    assert cut.unknown
    assert cut.unknown.guess
    told = (cut.answer, cut.unknown.guess, *cut.answer.below)
    assert [(len(one.rows), one.truncated) for one in told] == [(2, True)] * 3


@pytest.mark.slow(0.7)
def test_a_follow_up_points_back_to_what_a_corrected_query_names(visitor: httpx.Client) -> None:
    question = "Who had the idea of the chip giant Intel?"
    body = {"question": question, "conversation": "new"}
    turn = visitor.post(ASK, json={"question": question}).json()
    query = "SELECT ?who { <http://dbpedia.org/resource/Intel> <http://dbpedia.org/ontology/foundedBy> ?who }"
    path = f"/api/v1/turns/{turn['id']}/feedback"
    visitor.post(path, json={"verdict": "corrected", "query": query}).raise_for_status()
    other = visitor.post(ASK, json={"question": "Who wrote Dune?", "conversation": "new"}).json()
    again = visitor.post(ASK, json=body | {"conversation": other["conversation"]}).json()
    assert again["answer"]["query"] == query
    assert again["answer"]["links"]["Intel"]["iri"] == "http://dbpedia.org/resource/Intel"
    assert again["reply"] == "Gordon Moore and Robert Noyce had the idea of the chip giant Intel."
    follow_up = visitor.post(ASK, json={"question": "When was it founded?", "conversation": again["conversation"]})
    assert follow_up.json()["standalone"] == "When was Intel founded?"
    visitor.delete(path).raise_for_status()


_ROW = "SELECT * { ?s ?p ?o FILTER(" + "1+" * 480 + "1 > 1) }"  # each operator stands in the one after it


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    "query",
    ["DROP ALL", "SELECT * { SERVICE <http://localhost/> { ?s ?p ?o } }", "nonsense", _ROW, "SELECT ?x { ?x <p> ?y }"],
)
def test_a_correction_that_the_guard_refuses_is_refused(visitor: httpx.Client, query: str) -> None:
    turn = visitor.post(ASK, json={"question": "Who founded Intel?"}).json()
    said = visitor.post(f"/api/v1/turns/{turn['id']}/feedback", json={"verdict": "corrected", "query": query})
    assert said.status_code == 400
    assert said.json()["name"] in ("query-rejected", "query-syntax")


@pytest.mark.slow(0.7)
def test_a_query_that_was_confirmed_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[str]()

    def of(question: str, query: str) -> Pair:
        read.append(question)
        if "Apple" in question:
            raise QuerySyntaxError("which takes as long")
        return Pair(question, query, query, query)

    monkeypatch.setattr("triad.server.served.Pair.of", of)
    questions = ["Who founded Intel?", "Who founded Apple Inc.?", "Who founded Adidas?"]
    with serving(settings(tmp_path)) as site, site.visitor() as visitor:
        for question in questions:
            turn = visitor.post(ASK, json={"question": question}).json()
            visitor.post(f"/api/v1/turns/{turn['id']}/feedback", json={"verdict": "right"}).raise_for_status()
        visitor.post(ASK, json={"question": "Who founded Nike?"})
    assert read == questions


@pytest.mark.parametrize(
    ("body", "status", "name"),
    [
        ({}, 422, "unprocessable"),
        ({"question": ""}, 422, "unprocessable"),
        ({"question": "   "}, 400, "bad-request"),
        ({"question": "x" * 2_001}, 422, "unprocessable"),
        ({"question": "Who?", "graph": "none"}, 404, "not-found"),
        ({"question": "Who?", "conversation": "0" * 32}, 404, "not-found"),
        ({"question": "Who?", "graph_options": {"url": "http://localhost"}}, 422, "unprocessable"),
        ({"question": "Who?", "language": "../etc"}, 422, "unprocessable"),
        ({"question": "Who?", "language": f"en{'-abcdefgh' * 9}"}, 422, "unprocessable"),
    ],
)
def test_a_question_that_cannot_be_asked_is_a_problem(
    visitor: httpx.Client, body: dict[str, str], status: int, name: str
) -> None:
    response = visitor.post(ASK, json=body)
    assert (response.status_code, response.json()["name"]) == (status, name)
    assert response.headers["Content-Type"] == "application/problem+json"
    assert response.json()["instance"] == response.headers["X-Request-Id"]


def test_a_stream_of_a_question_that_cannot_be_asked_ends_with_a_problem(visitor: httpx.Client) -> None:
    told = streamed(visitor, ASK, {"question": "Who?", "graph": "none"})
    assert [one.name for one in told] == ["error"]
    assert told[0].data["status"] == 404


@pytest.mark.parametrize(
    ("phase", "rung", "service"),
    [
        *((phase, None, "graph") for phase in get_args(Phase)),
        *(("answering", rung, "model") for rung in get_args(Rung)),
        *(("answering", "retrieval", service) for service in get_args(Service)),
    ],
)
def test_every_step_that_an_answer_can_have_is_told(phase: Phase, rung: Rung | None, service: Service) -> None:
    view = StepView.of(1, Step(phase, service, "search", rung=rung), inspect=True)
    assert (view.phase, view.rung, view.service) == (phase, rung, service)


# Boards


def _pinned(client: httpx.Client, question: str) -> str:
    turn = client.post(ASK, json={"question": question, "conversation": "new"}).json()
    path = f"/api/v1/board/{turn['id']}"
    assert client.put(path).status_code == 204
    return path


@pytest.mark.slow(0.3)
def test_answers_are_pinned_in_order_moved_and_taken_away(visitor: httpx.Client) -> None:
    asked = ["Who founded Intel?", "Who directed The Shining?", "How many films are there?"]
    paths = [_pinned(visitor, question) for question in asked]
    assert visitor.put(paths[0]).status_code == 204
    visitor.put(paths[2], params={"place": 0})
    assert [one["question"] for one in visitor.get("/api/v1/board").json()] == [asked[2], asked[1], asked[0]]
    assert visitor.delete(paths[1]).status_code == 204
    assert visitor.get(paths[1]).status_code == 404
    assert [one["question"] for one in visitor.get("/api/v1/board").json()] == [asked[2], asked[0]]


@pytest.mark.slow(0.2)
def test_whoever_has_the_link_of_a_pinned_answer_opens_it_and_changes_nothing(
    visitor: httpx.Client, stranger: httpx.Client
) -> None:
    path = _pinned(visitor, "Who founded Intel?")
    opened = stranger.get(path).json()
    assert opened["question"] == "Who founded Intel?"
    assert {row[0]["label"] for row in opened["found"]["rows"]} == {"Gordon Moore", "Robert Noyce"}
    assert stranger.delete(path, headers=PAGE).status_code == 204
    assert stranger.put(path, headers=PAGE).status_code == 404
    assert stranger.get("/api/v1/board").json() == []
    assert [one["id"] for one in visitor.get("/api/v1/board").json()] == [path.rpartition("/")[2]]


@pytest.mark.slow(0.2)
def test_a_pinned_answer_goes_with_the_key_that_pinned_it(site: Site, visitor: httpx.Client) -> None:
    with httpx.Client(base_url=site.url, headers=site.key("passing"), timeout=60) as passing:
        path = _pinned(passing, "Who founded Intel?")
    assert visitor.get(path).status_code == 200
    site.keys.revoke("passing")
    assert visitor.get(path).status_code == 404


@pytest.mark.slow(0.1)
def test_a_pinned_answer_goes_with_its_conversation(visitor: httpx.Client) -> None:
    turn = visitor.post(ASK, json={"question": "Who founded Intel?", "conversation": "new"}).json()
    visitor.put(f"/api/v1/board/{turn['id']}")
    visitor.delete(f"/api/v1/conversations/{turn['conversation']}")
    assert visitor.get("/api/v1/board").json() == []


@pytest.mark.slow(0.3)
def test_what_no_query_answered_is_not_pinned(visitor: httpx.Client) -> None:
    turn = visitor.post(ASK, json={"question": "Who founded Xyzzyplugh?"}).json()
    response = visitor.put(f"/api/v1/board/{turn['id']}")
    assert (response.status_code, response.json()["name"]) == (422, "unprocessable")


@pytest.mark.slow(0.2)
def test_a_board_has_an_end(visitor: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("triad.server.state.conversations._PINS", 1)
    path = _pinned(visitor, "Who founded Intel?")
    turn = visitor.post(ASK, json={"question": "Who directed The Shining?"}).json()
    assert visitor.put(f"/api/v1/board/{turn['id']}").status_code == 409
    assert visitor.put(path).status_code == 204


@pytest.mark.slow(1.0)
def test_a_board_tells_when_its_graph_has_changed_and_gives_the_answer_as_it_is_now(tmp_path: Path) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    cars = f'@prefix : <http://e/> . :Car {label} "Car" . :a a :Car ; :price 4 . :b a :Car .'
    (tmp_path / "cars.ttl").write_text(cars, encoding="utf-8")
    (tmp_path / "cars.yaml").write_text("graph: cars.ttl\nmodel: none\n", encoding="utf-8")
    with serving(settings(tmp_path, {"cars": str(tmp_path / "cars.yaml")})) as site, site.stranger() as client:
        client.headers.update(site.key("admin", "ask", "admin"))
        path = _pinned(client, "How many cars are there?")
        assert client.get(path).json()["found"]["rows"][0][0]["value"] == "2"
        [before] = client.get("/api/v1/board").json()
        (tmp_path / "cars.ttl").write_text(f"{cars} :c a :Car .", encoding="utf-8")
        client.post(
            "/api/v1/words", json={"words": "cheap car: {of: Car, where: price < 9}", "add": True}
        ).raise_for_status()
        [after] = client.get("/api/v1/board").json()
        assert before["state"] != after["state"]
        assert client.get(path).json()["found"]["rows"][0][0]["value"] == "3"
