"""The same questions through servers: Virtuoso or Fuseki, and Elasticsearch, in place of the local store and index."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.services.fixtures import TRIPLE_STORES, TripleStore, index_name, require
from triad import Agent
from triad.errors import ModelError
from triad.evaluation.metrics.sets import set_f
from triad.indexing.pipeline import run
from triad.indexing.recipe import recipe_of
from triad.models import Model, ScriptedModel
from triad.route import Route
from triad.trace import Message

ROOT = Path(__file__).parents[1]
GRAPH = ROOT / "configs" / "demo" / "graph.ttl"
DEMO = json.loads((ROOT / "configs" / "demo" / "questions.json").read_text(encoding="utf-8"))["questions"]

ALWAYS = Route(sure=1)
"""The model is asked, however sure the solver is."""
TIE = "What suppliers - I need name, country and price - deliver the 6th to 10th most expensive hardware items."
"""Items of the same price stand at the tenth place, so that LIMIT may cut in different ways."""
DIVISION = "Which coil has the highest density?"
"""Virtuoso divides integers without remainder."""
ROUNDED = "For each supplier, what's the average price (in EUR) of what they sell, round reasonably?"
"""Virtuoso gives other averages for the recorded query, which rounds them to cents."""


def by_question(recording: Path) -> Model:
    """Return a model that gives the recorded replies by question and task, whatever else is in the prompt.

    Samples in a vocabulary differ from server to server, so that whole prompts do.
    """
    replies: dict[tuple[str, str], str] = {}
    for line in recording.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        replies[_task(record["prompt"]), _question(record["prompt"])] = record["content"]

    def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        key = _task(messages[0].content), _question(messages[-1].content)
        if key not in replies:
            raise ModelError(f"no reply is recorded for {key[1]}")
        return replies[key]

    return ScriptedModel(reply)


def _question(prompt: str) -> str:
    return prompt.rpartition("Question: ")[2].partition("\n")[0]


def _task(prompt: str) -> str:
    return prompt.removeprefix("[system]\n").partition("\n")[0]


@pytest.fixture(scope="module")
def indexed(elasticsearch_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path], str]]:
    """Index RDF files in Elasticsearch, each once, and return what opens the index."""
    with index_name(elasticsearch_url) as name:

        @cache
        def index(path: Path) -> str:
            target = f"elasticsearch:{elasticsearch_url}/{name}-{path.parent.name}"
            run(recipe_of([path]), target, downloads=tmp_path_factory.mktemp("downloads"))
            return target

        yield index


@pytest.fixture(scope="module")
def agent_at(indexed: Callable[[Path], str]) -> Iterator[Callable[[str], Agent]]:
    """Open an agent over the demo on a server, once."""
    with ExitStack() as opened:

        @cache
        def agent(kind: str) -> Agent:
            model = by_question(ROOT / "tests" / "replies" / "demo.jsonl")
            address = TripleStore(require(kind)).address("demo")
            return opened.enter_context(Agent(address, indexed(GRAPH), model, route=ALWAYS))

        yield agent


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        pytest.param(*store.values, record, marks=store.marks, id=f"{store.values[0]}-{record['id']}")
        for at, store in enumerate(TRIPLE_STORES)
        for record in DEMO[at :: len(TRIPLE_STORES)]  # each question is asked of one of the servers
    ],
)
def test_a_server_gives_the_same_answers(agent_at: Callable[[str], Agent], kind: str, record: dict[str, Any]) -> None:
    [result] = record["answers"]
    if "boolean" in result:
        gold = {str(result["boolean"]).lower()}
    else:
        gold = {binding["value"] for row in result["results"]["bindings"] for binding in row.values()}
    answer = agent_at(kind).ask(record["question"][0]["string"])
    assert set_f(gold, {one.term.value for one in answer}) == 1


CORPORATE = by_question(ROOT / "tests" / "replies" / "ck25.jsonl")
Found = dict[str, frozenset[str]]


def corporate(folder: Path) -> list[str]:
    """The corporate questions."""
    records = yaml.safe_load((folder / "questions.yml").read_text(encoding="utf-8"))["questions"]
    return [record["question"]["en"] for record in records]


def found(agent: Agent, questions: Sequence[str]) -> Found:
    """The values of the answers to some questions."""
    return {question: frozenset(one.term.value for one in agent.ask(question)) for question in questions}


@pytest.fixture(scope="module")
def local(shared_data: Path) -> Found:
    """What the local store and the local index give, which each server is held against."""
    with Agent(shared_data / "ck25" / "kg.nt.gz", model=CORPORATE, route=ALWAYS) as agent:
        return found(agent, corporate(shared_data / "ck25"))


@pytest.mark.parametrize(
    ("kind", "at"), [pytest.param(*store.values, at, marks=store.marks) for at, store in enumerate(TRIPLE_STORES)]
)
def test_corporate_questions_have_the_same_answers(
    kind: str, at: int, local: Found, indexed: Callable[[Path], str], shared_data: Path
) -> None:
    asked = corporate(shared_data / "ck25")[at :: len(TRIPLE_STORES)]  # each question is asked of one of the servers
    address, index = TripleStore(require(kind)).address("ck25"), indexed(shared_data / "ck25" / "kg.nt.gz")
    with Agent(address, index, CORPORATE, route=ALWAYS) as agent:
        remote = found(agent, asked)
    different = {question for question, values in remote.items() if set_f(local[question], values) < 1}
    assert different <= {TIE, DIVISION, ROUNDED}
