from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph
import pytest

from tests.sparql_server import Serve
from triad.configs import Config
from triad.doctor import (
    Finding,
    check_embedder,
    check_graph,
    check_index,
    check_model,
    check_roles,
    check_words,
    examine,
)
from triad.embedding import Embedder
from triad.errors import GraphError, ModelError, QueryTimeout, SearchError
from triad.kg import open_graph
from triad.kg.base import KnowledgeGraph, SafeQuery
from triad.models import ReplayModel, ScriptedModel
from triad.opening import Setup
from triad.questions import Candidate, Kind
from triad.rdf import ResultSet
from triad.search.base import Entry, LabelIndex, Lookup

pytestmark = pytest.mark.slow(0.1)

TURTLE = """
@prefix ex: <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
ex:Company rdfs:label "company" .
ex:foundedBy rdfs:label "founded by" .
ex:Intel a ex:Company ; rdfs:label "Intel" ; ex:foundedBy ex:Noyce .
"""
NAMES: dict[Kind, str] = {"entity": "Intel", "relation": "founded by", "class": "company"}
IRIS = {"Intel": "Intel", "founded by": "foundedBy", "company": "Company"}


class FailingGraph(KnowledgeGraph):
    name = "far away"
    timeout = 1.0
    row_limit = 10

    def __init__(self, error: GraphError) -> None:
        self.error = error

    def select(self, query: SafeQuery, *, timeout: float | None = None) -> ResultSet:
        raise self.error

    def ask(self, query: SafeQuery, *, timeout: float | None = None) -> bool:
        raise self.error

    def lookup(self, query: str) -> ResultSet:
        raise self.error


class ListIndex(LabelIndex):
    name = "a list"

    def __init__(self, *kinds: Kind, error: SearchError | None = None) -> None:
        self.kinds = kinds
        self.error = error

    def search_many(self, lookups: Any) -> list[list[Candidate]]:
        if self.error:
            raise self.error
        return [self._found(lookup) for lookup in lookups]

    def _found(self, lookup: Lookup) -> list[Candidate]:
        [kind] = lookup.kinds or ("literal",)
        known = kind in self.kinds and lookup.text == NAMES[kind]
        return [Candidate(f"http://example.org/{IRIS[lookup.text]}", kind, lookup.text)] if known else []


@pytest.fixture
def path(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("intel.ttl", TURTLE)


@pytest.fixture
def graph(path: Path) -> Iterator[KnowledgeGraph]:
    with open_graph(path) as graph:
        yield graph


def problems(findings: list[Finding]) -> dict[str, str]:
    return {finding.check: finding.detail for finding in findings if not finding.ok}


def test_every_problem_says_how_to_mend_it(tmp_path: Path) -> None:
    config = Config(graph=str(tmp_path / "none.ttl"), model="nonsense", roles={"advisor": "nobody"})
    findings = list(examine(config))
    assert set(problems(findings)) == {"roles", "graph", "index", "model"}
    assert all(finding.mend for finding in findings if not finding.ok)


def test_of_an_endpoint_that_is_away_that_alone_is_to_be_mended() -> None:
    address = "http://127.0.0.1:9/sparql"
    findings = list(examine(Config(graph=address)))
    assert [one.check for one in findings] == ["roles", "prompts", "graph", "index", "model"]
    assert {one.check: one.mend for one in findings if not one.ok} == {
        "graph": "is the server running, and is this the address of its SPARQL endpoint?",
        "index": "mend the graph first",
    }


# The graph ------------------------------------------------------------------------------------------------


def test_a_graph_that_answers_is_well(graph: KnowledgeGraph) -> None:
    finding = check_graph(graph)
    assert (finding.check, finding.ok) == ("graph", True)
    assert " ms" in finding.detail


def test_an_empty_graph_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "empty.ttl"
    path.write_text("")
    with open_graph(path) as graph:
        assert problems([check_graph(graph)]) == {"graph": f"{str(path)!r} is empty"}


@pytest.mark.parametrize(
    ("error", "mend"),
    [(QueryTimeout("too slow"), "graph_options.timeout"), (GraphError("gone"), "is the server running")],
)
def test_a_graph_that_fails_is_a_problem(error: GraphError, mend: str) -> None:
    finding = check_graph(FailingGraph(error))
    assert (finding.ok, finding.detail) == (False, str(error))
    assert mend in finding.mend


# The embedder ---------------------------------------------------------------------------------------------


class FixedEmbedder(Embedder):
    name = "fixed"

    def __init__(self, *vectors: list[float], error: ModelError | None = None) -> None:
        self.vectors = list(vectors)
        self.error = error

    def embed(self, texts: Any) -> list[list[float]]:
        if self.error:
            raise self.error
        return self.vectors


def test_an_embedder_that_knows_synonyms_is_well() -> None:
    finding = check_embedder(FixedEmbedder([1, 0], [1, 0.1], [0, 1]))
    assert finding.ok
    assert finding.detail.startswith("'fixed' gives vectors of 2 numbers in ")


def test_an_embedder_that_knows_none_or_fails_is_a_problem() -> None:
    finding = check_embedder(FixedEmbedder([1, 0], [0, 1], [1, 0]))
    assert (finding.ok, finding.mend) == (False, "use a model for sentence embeddings, such as all-MiniLM-L6-v2")
    assert problems([check_embedder(FixedEmbedder(error=ModelError("it is away")))]) == {"embedder": "it is away"}


@pytest.mark.slow
def test_the_embedder_of_a_config_is_checked(path: Path, minilm: Path) -> None:
    found = {finding.check: finding for finding in examine(Config(graph=str(path), embedder=f"fastembed:{minilm}"))}
    assert found["embedder"].ok
    assert "vectors of 384 numbers" in found["embedder"].detail
    found = {finding.check: finding for finding in examine(Config(graph=str(path), embedder="fastembed:./nowhere"))}
    assert "embedder=null" in found["embedder"].mend
    assert found["index"].ok


# The label index ------------------------------------------------------------------------------------------


def test_an_index_that_knows_the_graph_is_well(graph: KnowledgeGraph) -> None:
    findings = check_index(ListIndex("entity", "relation", "class"), graph)
    assert problems(findings) == {}
    assert [finding.check for finding in findings] == [
        "index",
        "index of entities",
        "index of relations",
        "index of classes",
    ]


def test_a_kind_of_thing_that_an_index_lacks_is_a_problem(graph: KnowledgeGraph) -> None:
    found = problems(check_index(ListIndex("entity"), graph))
    assert found == {
        "index of relations": "'founded by' and the like are not found",
        "index of classes": "'company' and the like are not found",
    }


def test_an_index_without_a_graph_is_only_reached(graph: KnowledgeGraph) -> None:
    assert [finding.check for finding in check_index(ListIndex(), None)] == ["index"]


def test_an_index_that_fails_is_a_problem(graph: KnowledgeGraph) -> None:
    assert problems(check_index(ListIndex(error=SearchError("gone")), graph)) == {"index": "gone"}


def test_a_graph_that_fails_while_its_names_are_taken_is_a_problem() -> None:
    assert problems(check_index(ListIndex(), FailingGraph(GraphError("gone")))) == {"index": "gone"}


# The model ------------------------------------------------------------------------------------------------


# The glossary ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "ok", "detail"),
    [
        ({"firm": "ex:Company", "created by": "ex:foundedBy"}, True, "the graph has all that the 2 words"),
        ({"firm": ["ex:Company", "ex:Firm"]}, False, "the graph does not have 'firm': <http://example.org/Firm>"),
        ({"firm": "x:Company"}, False, "'firm': the prefix of 'x:Company' is not known"),
        ({"firm": "?it a <Company>"}, True, "the graph has all that the 1 words"),
        (
            {"firm": {"of": "Company", "where": "label = 'x'"}},
            False,
            "definitions that hold of nothing: 'firm': company",
        ),
    ],
)
def test_a_glossary_is_checked(path: Path, words: dict[str, Any], ok: bool, detail: str) -> None:
    setup = Setup(graph=str(path), words=words, graph_options={"prefixes": {"ex": "http://example.org/"}}).prepared()
    with setup.open_graph() as graph, setup.open_index(graph, None) as index:
        [finding] = check_words(setup, graph, index)
        assert (finding.check, finding.ok) == ("words", ok)
        assert detail in finding.detail


def test_without_a_glossary_nothing_is_checked(path: Path) -> None:
    assert not [finding for finding in examine(Config(graph=str(path), model="none")) if finding.check == "words"]
    named = Config(graph=str(path), model="none", words={"firm": "<http://example.org/Company>"})
    assert [finding.ok for finding in examine(named) if finding.check == "words"] == [True]


def test_a_model_that_replies_in_json_is_well() -> None:
    [finding] = check_model(ScriptedModel(['{"ok": true}']))
    assert finding.ok
    assert "replies in JSON after" in finding.detail


def test_a_model_that_writes_prose_is_a_problem() -> None:
    [finding] = check_model(ScriptedModel(["Certainly!"]))
    assert not finding.ok
    assert "does not write JSON" in finding.mend


def test_a_model_that_fails_is_a_problem() -> None:
    def asleep(*_: object) -> str:
        raise ModelError("asleep")

    assert problems(check_model(ScriptedModel(asleep))) == {"model": "asleep"}


def test_of_a_recording_nothing_is_asked(tmp_path: Path) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text("")
    [finding] = check_model(ReplayModel(path))
    assert finding.ok
    assert str(path) in finding.detail


def test_a_missing_key_is_a_problem_and_no_model_is_none(path: Path) -> None:
    config = Config(graph=str(path), model="openai:gpt-4.1-mini")
    findings = list(examine(config))
    assert problems(findings) == {"model": "there is no key for 'openai:gpt-4.1-mini'"}
    assert findings[-1].mend.endswith("--model ollama:llama3.1, or none")
    for name in ("none", None):
        findings = list(examine(config.model_copy(update={"model": name})))
        assert problems(findings) == {}
        assert findings[-1].detail == "none: questions are answered by the lexical solver"


def test_a_role_with_a_model_among_others_without_is_a_problem(path: Path) -> None:
    config = Config(graph=str(path), roles={"advisor": {"model": "ollama:x"}})
    found = problems(list(examine(config)))
    assert found.keys() == {"model"}
    assert "role 'generalist' has no model" in found["model"]


def test_who_answers_while_the_model_fails_is_told(path: Path) -> None:
    config = Config(graph=str(path), model="openai:gpt-4.1-mini", on_model_failure="lexical")
    told = {finding.check: finding for finding in examine(config)}
    assert told["model failure"].ok
    assert not told["model"].ok


def test_the_models_of_single_roles_are_checked_too(path: Path, tmp_path: Path) -> None:
    replies = tmp_path / "replies.jsonl"
    replies.write_text("")
    config = Config(graph=str(path), model=f"replay:{replies}", roles={"advisor": {"model": "nonsense"}})
    found = problems(list(examine(config)))
    assert found.keys() == {"model"}
    assert "'nonsense'" in found["model"]


# Roles and prompts ----------------------------------------------------------------------------------------


def test_shipped_roles_and_prompts_are_well() -> None:
    assert problems(check_roles(Config(graph="none", model="none"))) == {}


def test_a_role_that_cannot_be_used_is_a_problem() -> None:
    found = problems(check_roles(Config(graph="none", model="none", roles={"advisor": {"trys": 2}})))
    assert "unknown key 'trys'" in found["roles"]


def test_a_prompt_that_cannot_be_used_is_a_problem() -> None:
    changed = {"advisor": {"prompts": {"answering": "nobody", "sentence": "answer_in_a_sentence"}}}
    found = problems(check_roles(Config(graph="none", model="none", roles=changed)))
    assert "'nobody'" in found["prompts"]


# A whole setup --------------------------------------------------------------------------------------------


def test_names_of_an_endpoint_are_looked_up_in_itself(sparql_server: Serve, tmp_path: Path) -> None:
    store = pyoxigraph.Store()
    store.load(TURTLE.encode(), pyoxigraph.RdfFormat.TURTLE)
    replies = tmp_path / "replies.jsonl"
    replies.write_text("")
    findings = list(examine(Config(graph=sparql_server(store).url, model=f"replay:{replies}")))
    assert {finding.check for finding in findings if finding.ok} >= {"graph", "index", "index of entities", "model"}


def test_an_index_is_checked_though_the_graph_is_not_there(tmp_path: Path) -> None:
    from triad.search.local import LocalIndex

    with LocalIndex.create(tmp_path / "labels") as index:
        index.add([Entry("http://example.org/Intel", "entity", "Intel")])
    config = Config(graph=str(tmp_path / "none.ttl"), index=str(tmp_path / "labels"), model="nonsense")
    assert problems(list(examine(config))).keys() == {"graph", "model"}
