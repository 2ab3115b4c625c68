"""The audit log: who asked what, by which query, and what came of it in numbers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tests.server.site import serving, settings
from triad.cli.program import app
from triad.server.problems import Problem
from triad.server.state.audit import Audit

pytestmark = pytest.mark.slow

QUESTION = {"question": "Who founded Intel?"}
INTEL = "http://dbpedia.org/resource/Intel"


def test_what_is_asked_by_each_protocol_is_written_down_without_the_values_of_answers(tmp_path: Path) -> None:
    with serving(settings(tmp_path, open=False, audit_days=30)) as site, site.stranger() as client:
        client.headers.update(site.key("ann"))
        query = {"query": "SELECT ?o { ?s <http://www.w3.org/2000/01/rdf-schema#label> ?o } LIMIT 3"}
        turn = client.post("/api/v1/ask", json=QUESTION).raise_for_status().json()["id"]
        client.post("/gerbil", data={"query": "Who founded Intel?"}).raise_for_status()
        client.post("/api/v1/query", json=query).raise_for_status()
        client.post("/api/v1/query/explain", json=query).raise_for_status()
        assert client.post("/api/v1/query", json={"query": "DROP ALL"}).status_code == 400
        client.get("/api/v1/names", params={"q": ["Intel", "Gordon"]}).raise_for_status()
        client.get("/api/v1/things/next", params={"iri": INTEL}).raise_for_status()
        client.get("/api/v1/profile").raise_for_status()
        client.get(f"/api/v1/turns/{turn}/next").raise_for_status()
        client.get("/api/v1/words").raise_for_status()
        call = {"name": "find_names", "arguments": {"text": "Intel"}}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
        client.post("/mcp", json=body, headers={"Accept": "application/json, text/event-stream"}).raise_for_status()
        assert client.get("/api/v1/audit").status_code == 403
        told = client.get("/api/v1/audit", headers=site.key("boss", "admin"))
    entries = told.json()["entries"]
    assert [(one["asker"], one["kind"], one["asked"], one["outcome"]) for one in entries] == [
        ("ann", "question", "Who founded Intel?", "answer"),
        ("ann", "question", "Who founded Intel?", "answer"),
        ("ann", "query", query["query"], "answer"),
        ("ann", "query", query["query"], "answer"),
        ("ann", "query", "DROP ALL", "QueryRejected"),
        ("ann", "names", "Intel\nGordon", "answer"),
        ("ann", "things", INTEL, "answer"),
        ("ann", "profile", "", "answer"),
        ("ann", "next", "Who founded Intel?", "answer"),
        ("ann", "words", "", "answer"),
        ("ann", "names", "Intel", "answer"),
    ]
    assert [one["rows"] for one in entries[:5]] == [2, 2, 3, 1, None]
    assert "foundedBy" in entries[0]["query"]
    assert not {"Gordon Moore", "Robert Noyce"} & set(told.text.split('"'))

    state = ["--state", f"sqlite:///{tmp_path / 'state.db'}"]
    printed = CliRunner().invoke(app, ["audit", *state]).stdout.splitlines()
    assert [json.loads(line)["asked"] for line in printed] == [one["asked"] for one in entries]
    assert CliRunner().invoke(app, ["audit", "--since", "2100-01-01", *state]).stdout == ""


def test_a_character_that_a_database_cannot_keep_is_written_down_as_its_picture(tmp_path: Path) -> None:
    with serving(settings(tmp_path, audit_days=30)) as site, site.visitor() as page:
        page.post("/api/v1/ask", json={"question": "Who founded Intel?\0"}).raise_for_status()
        page.post("/api/v1/query", json={"query": 'ASK { ?s ?p "\0" }'}).raise_for_status()
        first, second = site.app.state.audit.list()
    assert (first.asked, second.asked) == ("Who founded Intel?␀", 'ASK { ?s ?p "␀" }')
    assert "\0" not in f"{first.query} {second.query}"


def test_without_audit_days_nothing_is_kept(tmp_path: Path) -> None:
    with serving(settings(tmp_path)) as site, site.visitor() as page:
        page.post("/api/v1/ask", json=QUESTION).raise_for_status()
        assert site.app.state.audit.list() == []


def test_what_cannot_be_written_down_is_not_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise Problem("busy", "The state of the server cannot be reached.")

    with serving(settings(tmp_path, audit_days=1)) as site, site.visitor() as page:
        monkeypatch.setattr(Audit, "_keep", away)
        for path, body in (("/api/v1/ask", QUESTION), ("/api/v1/query", {"query": "ASK { ?s ?p ?o }"})):
            response = page.post(path, json=body)
            assert response.status_code == 503
            assert "Moore" not in response.text
