"""What operators see: readiness, metrics, traces."""

from __future__ import annotations

import os
import re
from pathlib import Path

import httpx
import pytest
import sqlalchemy
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tests.server.site import Site, serving, settings
from triad.server.telemetry import Telemetry, from_environment

pytestmark = pytest.mark.slow(0.1)

QUESTION = {"question": "Who founded Intel?"}


def test_a_server_that_can_answer_is_ready(stranger: httpx.Client) -> None:
    assert stranger.get("/healthz").json() == {"status": "alive"}
    assert stranger.get("/readyz").json() == {"ready": True, "missing": {}}


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded"])
def test_who_asks_by_way_of_a_proxy_is_told_of_no_graph(stranger: httpx.Client, header: str) -> None:
    assert 'graph="demo"' in stranger.get("/metrics").text
    assert stranger.get("/metrics", headers={header: "203.0.113.5"}).status_code == 404
    assert stranger.get("/readyz", headers={header: "203.0.113.5"}).json() == {"ready": True}


def test_a_server_that_could_keep_no_turn_is_not_ready(tmp_path: Path) -> None:
    with serving(settings(tmp_path)) as site, site.stranger() as client:
        engine = site.app.state.database.engine
        engine.dispose()
        sqlalchemy.event.listen(engine, "connect", lambda connection, _: connection.execute("PRAGMA query_only = ON"))
        assert client.get("/api/v1/session").status_code == 200
        ready = client.get("/readyz")
        assert (ready.status_code, ready.json()["missing"]) == (503, {"database": "the database does not answer"})


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="other systems bound no file")
def test_a_server_whose_disk_is_full_is_not_ready_until_there_is_room(tmp_path: Path) -> None:
    import resource

    with serving(settings(tmp_path)) as site, site.stranger() as client:
        _, most = before = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, most))  # to a file that is longer nothing can be written
        try:
            full = client.get("/readyz")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
        assert (full.status_code, full.json()["missing"]) == (503, {"database": "the database does not answer"})
        assert client.get("/readyz").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("replaced", [False, True])
def test_a_database_whose_file_was_removed_is_noticed_before_a_question_is_answered(
    tmp_path: Path, replaced: bool
) -> None:
    with serving(settings(tmp_path)) as site, site.visitor() as client:
        assert client.post("/api/v1/ask", json=QUESTION).status_code == 200
        (tmp_path / "state.db").rename(tmp_path / "gone.db")
        if replaced:
            (tmp_path / "state.db").write_bytes(b"")
        assert client.get("/readyz").status_code == 503
        assert client.post("/api/v1/ask", json=QUESTION).status_code == 503


def test_prometheus_reads_what_was_asked_and_what_was_refused(visitor: httpx.Client) -> None:
    def count(name: str) -> float:
        found = re.search(rf"^{re.escape(name)} ([\d.e+]+)$", visitor.get("/metrics").text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    answered = 'triad_questions_total{graph="demo",outcome="answer"}'
    refused = 'triad_guard_refusals_total{graph="demo"}'
    before = count(answered), count(refused)
    visitor.post("/api/v1/ask", json={"question": "Who founded Intel?"})
    visitor.post("/api/v1/query", json={"query": "INSERT DATA { <a:a> <a:b> <a:c> }"})
    assert (count(answered), count(refused)) == (before[0] + 1, before[1] + 1)
    text = visitor.get("/metrics").text
    for name in ("triad_question_seconds_bucket", "triad_phase_seconds_sum", "triad_queue", "triad_model_tokens_total",
                 "triad_model_dollars_total", "triad_rungs_total", "triad_graph_ready"):  # fmt: skip
        assert name in text, name
    assert "Intel" not in text


def test_a_question_is_a_span_with_one_for_each_call_and_no_words(site: Site, visitor: httpx.Client) -> None:
    spans = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    site.app.state.asking.telemetry = Telemetry(provider)
    try:
        visitor.post("/api/v1/ask", json={"question": "Who founded Intel?"}).raise_for_status()
    finally:
        site.app.state.asking.telemetry = None
    *calls, question = spans.get_finished_spans()
    assert question.name == "question"
    assert question.attributes
    assert question.attributes["triad.outcome"] == "answer"
    assert {"index search", "graph execute"} <= {call.name for call in calls}
    for call in calls:
        assert call.parent
        assert question.context
        assert call.parent.span_id == question.context.span_id
    assert "Intel" not in "".join(span.to_json() for span in (*calls, question))


def test_traces_are_sent_only_where_they_are_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"):
        monkeypatch.delenv(name, raising=False)
    assert from_environment() is None
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    found = from_environment()
    assert found
    found.close()
