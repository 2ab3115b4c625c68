"""Setups that are wrong in one way each: the doctor must find it and say how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from tests.sparql_server import Reply, Serve
from triad.configs import make_config
from triad.doctor import Finding, examine
from triad.errors import ConfigError

pytestmark = pytest.mark.slow

TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Intel a ex:Company ; rdfs:label "Intel" ; ex:foundedBy ex:Noyce .
"""
NOBODY = "http://127.0.0.1:9"
"""An address where nobody listens."""


@pytest.fixture
def good(tmp_path: Path, kept_file: Callable[[str, str], Path]) -> dict[str, Any]:
    """A config that is well, but for what a test changes."""
    graph = kept_file("graph.ttl", TURTLE)
    (tmp_path / "replies.jsonl").write_text('{"prompt": "[user]\\nx", "content": "y"}\n', encoding="utf-8")
    return {"graph": str(graph), "model": f"replay:{tmp_path / 'replies.jsonl'}", "folder": tmp_path}


def problems(config: dict[str, Any]) -> list[Finding]:
    found = [finding for finding in examine(make_config(config)) if not finding.ok]
    assert all(finding.mend for finding in found)
    return found


def test_nothing_is_wrong_with_a_good_setup(good: dict[str, Any]) -> None:
    assert problems(good) == []


@pytest.mark.parametrize(
    ("change", "check", "said"),
    [
        pytest.param({"graph": "nowhere.ttl"}, "graph", "nowhere.ttl", id="no-such-file"),
        pytest.param({"graph": NOBODY + "/sparql"}, "graph", "127.0.0.1:9", id="endpoint-is-down"),
        pytest.param({"index": "no-such-index"}, "index", "no-such-index", id="no-such-index"),
        pytest.param({"index": f"elasticsearch:{NOBODY}/x"}, "index", "127.0.0.1:9", id="elasticsearch-is-down"),
        pytest.param({"model": "openai:gpt-4.1-mini"}, "model", "OPENAI_API_KEY", id="no-key"),
        pytest.param(
            {"model": f"openai:llama@{NOBODY}/v1", "model_options": {"retries": 0}},
            "model",
            "running",
            id="model-is-down",
        ),
        pytest.param({"model": "replay:nowhere.jsonl"}, "model", "nowhere.jsonl", id="no-recording"),
        pytest.param({"roles": {"advisor": {"trise": 2}}}, "roles", "tries", id="misspelt-key-of-a-role"),
        pytest.param({"roles": {"advisor": "nobody"}}, "roles", "advisor", id="no-such-role"),
        pytest.param(
            {"roles": {"advisor": {"prompts": {"answering": "nothing"}}}}, "prompts", "nothing", id="no-such-prompt"
        ),
    ],
)
def test_what_is_wrong_is_found(good: dict[str, Any], change: dict[str, Any], check: str, said: str) -> None:
    found = [finding for finding in problems(good | change) if finding.check.startswith(check)]
    assert found
    assert any(said in finding.detail + finding.mend for finding in found)


def test_a_malformed_file_is_named_with_its_place(good: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "graph.ttl").write_text("<a> <b> .", encoding="utf-8")
    [finding, *_] = problems(good | {"graph": str(tmp_path / "graph.ttl")})
    assert finding.check == "graph"
    assert "graph.ttl" in finding.detail


def test_missing_credentials_are_named(good: dict[str, Any], sparql_server: Serve) -> None:
    server = sparql_server(pyoxigraph.Store())
    server.reply_next(*[Reply(401)] * 20)
    found = problems(good | {"graph": server.url, "index": "endpoint:plain"})
    assert any("password" in finding.detail + finding.mend for finding in found)


def test_an_index_of_another_graph_is_noticed(good: dict[str, Any], tmp_path: Path) -> None:
    from triad.indexing import build

    (tmp_path / "other.ttl").write_text(TURTLE.replace("Intel", "Adidas").replace("Noyce", "Dassler"), encoding="utf-8")
    build(tmp_path / "other.ttl", tmp_path / "other")
    found = problems(good | {"index": str(tmp_path / "other")})
    assert any(finding.check.startswith("index of entities") for finding in found)


def test_an_index_that_elasticsearch_does_not_have_is_named(good: dict[str, Any], elasticsearch_url: str) -> None:
    found = problems(good | {"index": f"elasticsearch:{elasticsearch_url}/no-such-index"})
    assert any(
        "no-such-index" in finding.detail and "triad index" in finding.detail + finding.mend for finding in found
    )


def test_a_misspelt_key_of_the_config_is_named_with_the_known_ones(good: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"unknown key 'modle'.*model"):
        make_config(good | {"modle": "x"})
