from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.deadline import Deadline
from triad.errors import ConfigError
from triad.server.tools import diagnosis_of, schema_of, shape_of

pytestmark = pytest.mark.slow(0.2)

BOOKS = """
@prefix ex: <http://x.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Novel rdfs:label "novel" ; rdfs:subClassOf ex:Book . ex:author rdfs:label "author" . ex:pages rdfs:label "pages" .
ex:momo a ex:Novel ; rdfs:label "Momo"@de ; ex:author ex:ende ; ex:pages 304 .
ex:jim a ex:Novel ; rdfs:label "Jim Button" ; ex:author ex:ende ; ex:pages 260 .
ex:ende a ex:Writer ; rdfs:label "Michael Ende" .
"""


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    file = tmp_path_factory.mktemp("books") / "books.ttl"
    file.write_text(BOOKS, encoding="utf-8")
    with Agent(file, model="none") as found:
        yield found


@pytest.mark.slow
def test_a_schema_is_told_in_the_prefixes_of_the_graph(agent: Agent) -> None:
    lines = schema_of(agent, Deadline(60)).lines
    assert "prefix ex: <http://x.org/>" in lines
    assert "class ex:Novel (novel): 2 instances, below ex:Book" in lines
    assert "relation ex:author (author): 2 triples, ex:Novel → ex:Writer" in lines


@pytest.mark.slow
def test_a_shape_tells_what_instances_have_and_shows_some(agent: Agent) -> None:
    lines = shape_of(agent, Deadline(60), "ex:Novel", 1).lines
    assert lines[0] == "ex:Novel (novel)"
    assert "ex:author (author): 100% have it, to ex:Writer, such as ex:ende" in lines
    assert "ex:author ex:ende" in lines[-1]
    assert len(shape_of(agent, Deadline(60), "<http://x.org/Novel>", 0).lines) == len(lines) - 1
    assert any(line.startswith("^ex:author") for line in shape_of(agent, Deadline(60), "ex:Writer", 0).lines)
    with pytest.raises(ConfigError):
        shape_of(agent, Deadline(60), "Novel", 0)


def test_a_diagnosis_names_the_pattern_that_finds_nothing_and_what_is_there(agent: Agent) -> None:
    def told(query: str) -> str:
        return " ".join(diagnosis_of(agent, Deadline(60), query).lines)

    assert told("SELECT ?x { ?x ex:author ex:ende }") == "It finds something: 2 rows."
    assert told("ASK { ex:momo ex:pages 304 }") == "It finds something: 1 rows."
    wrong = told("SELECT ?x { ?x a ex:Novel ; ex:writer ex:ende }")
    assert "The pattern ?x ex:writer ex:ende has no match. Relations of ex:ende: <- ex:author" in wrong
    assert "Without FILTER (?p > 1000): 2, ?p such as" in told("SELECT ?x { ?x ex:pages ?p FILTER(?p > 1000) }")
    assert "compare STR(?text)" in told('SELECT ?x { ?x rdfs:label "Momo" }')
    jim = told("SELECT ?x { ?x ex:author ex:ende ; ex:pages 304 FILTER(?x = ex:jim) }")
    assert "?x such as ex:" in jim


def test_prefixes_that_a_query_declares_hold(agent: Agent) -> None:
    query = "PREFIX ex: <http://y.org/> SELECT ?x { ?x a ex:Novel }"
    assert diagnosis_of(agent, Deadline(60), query).lines[0] == "It finds nothing."


@pytest.mark.slow
def test_a_graph_without_a_profile_has_its_classes_told(tmp_path: Path) -> None:
    file = tmp_path / "books.ttl"
    file.write_text(BOOKS, encoding="utf-8")

    with Agent(file, model="none") as agent:
        agent._known.__dict__["_profile"] = None
        assert "class ex:Novel (novel): 2 instances" in schema_of(agent, Deadline(60)).lines
