"""Models that write nonsense, little or too much: no answer is worse for them, and what they take is found out."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.models.openai_server import Connect, Server, completion
from tests.phases.films import World, world
from triad.agent import Agent
from triad.answers import Answer
from triad.errors import AnswerError, ModelError
from triad.route import Route

pytestmark = pytest.mark.slow(0.1)

__all__ = ["world"]

Reply = Callable[[Any], tuple[int, Any]]
"""What a server answers to a request."""
DIRECTED = "Which films did Stanley Kubrick direct?"
NOBODY = "Where was Zaphod Beeblebrox born?"
TEMPLATE = json.dumps(
    {"answer_type": "select", "sparql": "SELECT DISTINCT ?f { ?f a <film> ; <director> <Stanley_Kubrick> }"}
)


def says(content: str, finish_reason: str = "stop") -> Reply:
    return lambda body: (200, completion(content, finish_reason))


def denies(missing: str, **more: Any) -> Reply:
    return says(json.dumps({"answer_type": "select", "sparql": "", "not_in_graph": missing, "general": True} | more))


def echoes(body: Any) -> tuple[int, Any]:
    return 200, completion("\n".join(message["content"] for message in body["messages"]))


def refused(message: str, **error: Any) -> tuple[int, Any]:
    return 400, {"error": {"message": message, **error}}


def of_context(tokens: int) -> Reply:
    def reply(body: Any) -> tuple[int, Any]:
        sent = sum(len(message["content"]) for message in body["messages"]) // 4
        if sent > tokens:
            return refused(
                f"request ({sent} tokens) exceeds the available context size ({tokens} tokens)",
                type="exceed_context_size_error",
                n_ctx=tokens,
            )
        return 200, completion(TEMPLATE)

    return reply


@pytest.fixture
def agent(server: Server, connect: Connect, world: World) -> Callable[..., Agent]:
    """Make an agent that always asks a model, which replies by a rule; its server keeps the requests."""

    def agent(reply: Reply, **options: Any) -> Agent:
        server.rule = reply
        return Agent(world.graph, world.index, connect(), route=Route(sure=1), **options)

    return agent


def prompts(server: Server) -> list[str]:
    return ["\n".join(message["content"] for message in body["messages"]) for body in server.requests]


NONSENSE = [
    pytest.param(says("The director of a film is the film of a director."), id="prose"),
    pytest.param(says('{"answer_type": "select", "sparql": "SELECT SELECT SELECT"}'), id="no-sparql"),
    pytest.param(says('{"answer_type": "select", "sparql": "SELECT ?x { ?x <zq> <vw> }"}'), id="other-names"),
    pytest.param(says('{"sparql": "SELECT ?f ?f ?f ?f ?f', "length"), id="no-end"),
    pytest.param(says(""), id="empty"),
    pytest.param(echoes, id="echo"),
    pytest.param(denies("12"), id="lacks-a-number"),
    pytest.param(denies("the jurisdiction of"), id="lacks-what-nobody-asks-for"),
    pytest.param(denies("films"), id="lacks-what-the-graph-has"),
    pytest.param(denies("films by Kubrick", other=[", "]), id="lacks-it-and-reads-it-otherwise"),
    pytest.param(says('{"known": true, "answer": "Lolita", "action": "find", "text": "film"}'), id="knows"),
    pytest.param(of_context(20), id="no-context"),
]


@pytest.mark.parametrize("reply", NONSENSE)
def test_nonsense_makes_no_answer_worse_than_no_model(agent: Callable[..., Agent], reply: Reply) -> None:
    answer = agent(reply).ask(DIRECTED)
    assert (answer.rung, answer.source) == ("solver", "graph")
    assert [value.label for value in answer.values] == ["2001: A Space Odyssey", "The Shining"]


@pytest.mark.parametrize("reply", NONSENSE)
def test_nonsense_does_not_make_up_an_answer(agent: Callable[..., Agent], reply: Reply) -> None:
    with pytest.raises(AnswerError) as caught:
        agent(reply).ask(NOBODY)
    assert caught.value.unknown is not None


def test_a_model_that_is_away_is_no_nonsense(agent: Callable[..., Agent]) -> None:
    with pytest.raises(ModelError, match="503"):
        agent(lambda body: (503, {"error": {"message": "loading"}})).ask(DIRECTED)


def test_json_in_prose_is_read(agent: Callable[..., Agent]) -> None:
    answer = agent(says(f"Sure! This is the query:\n```json\n{TEMPLATE[:-1]},}}\n```\nI hope it helps.")).ask(DIRECTED)
    assert (answer.rung, len(answer.values)) == ("template", 2)


def test_a_server_without_forms_of_replies_is_asked_in_words(agent: Callable[..., Agent], server: Server) -> None:
    def reply(body: Any) -> tuple[int, Any]:
        return refused("response_format is not supported") if "response_format" in body else says(TEMPLATE)(body)

    one = agent(reply)
    assert one.ask(DIRECTED).rung == "template"
    asked = len(server.requests)
    assert one.ask(DIRECTED).rung == "template"
    assert len(server.requests) == asked + 1  # what was refused is not tried again


def test_a_short_context_gets_a_prompt_without_examples_then_with_fewer_lines(
    agent: Callable[..., Agent], server: Server
) -> None:
    assert agent(of_context(2_048)).ask(DIRECTED).rung == "template"
    for steps in (1, 2, 3):
        longest = min(map(len, prompts(server))) // 4 - 9
        server.requests.clear()
        assert agent(of_context(longest)).ask(DIRECTED).rung == "template"
        sent = prompts(server)
        assert len(sent) == steps + 1
        assert sent == sorted(sent, key=len, reverse=True)
        assert all(DIRECTED in one for one in sent)
        assert ["Denmark" in one for one in sent] == [True] + [False] * steps  # an example


@pytest.mark.parametrize(
    "complaint",
    [
        "This model's maximum context length is 2048 tokens. However, you requested 9000 tokens (808 in the messages, "
        "8192 in the completion).",
        "max_tokens is too large: 8192. This model supports at most 4096 completion tokens.",
    ],
)
def test_where_prompt_and_reply_do_not_fit_the_reply_is_allowed_less(
    server: Server, agent: Callable[..., Agent], complaint: str
) -> None:
    one = agent(lambda body: refused(complaint) if body["max_tokens"] > 1_200 else says(TEMPLATE)(body))
    assert one.ask(DIRECTED).rung == "template"
    assert [body["max_tokens"] for body in server.requests] == [8_192, 4_096, 2_048, 1_024]


def test_a_reply_has_an_end_though_the_model_finds_none(agent: Callable[..., Agent], server: Server) -> None:
    agent(says("la la la", "length")).ask(DIRECTED)
    assert all(body["max_tokens"] == 8_192 for body in server.requests)


def test_the_time_of_a_question_ends_its_calls(agent: Callable[..., Agent], server: Server) -> None:
    def slow(body: Any) -> tuple[int, Any]:
        time.sleep(0.4)
        return says("no")(body)

    started = time.monotonic()
    answer = agent(slow, budget={"seconds": 1.0}).ask(DIRECTED)
    assert (answer.rung, len(answer.values)) == ("solver", 2)
    assert time.monotonic() - started < 20
    assert len(server.requests) <= 3


@pytest.mark.slow
def test_a_call_ends_when_the_time_of_its_question_does(agent: Callable[..., Agent], server: Server) -> None:
    left = threading.Event()

    def hangs(body: Any) -> tuple[int, Any]:
        left.wait(60)
        return says("no")(body)

    started = time.monotonic()
    answer: Answer = agent(hangs, budget={"seconds": 2.0}).ask(DIRECTED)
    assert answer.rung == "solver"
    assert time.monotonic() - started < 30
    assert len(server.requests) == 1
    left.set()
