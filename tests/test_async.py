"""Questions that are asked of the event loop: it goes on meanwhile, and a task that is cancelled ends its question."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.hostile_server import OK, HostileServer
from triad.agent import Agent
from triad.cancelling import check, in_thread
from triad.conversation import Conversation
from triad.errors import AnswerError

pytestmark = pytest.mark.slow(0.1)


def test_questions_are_answered_at_once_as_they_are_one_by_one(demo_agent: Agent) -> None:
    async def ask() -> list[str]:
        questions = "Who founded Intel?", "How long is the Nile?", "When was Gordon Moore born?"
        return [answer.text for answer in await asyncio.gather(*map(demo_agent.aask, questions))]

    intel, nile, moore = asyncio.run(ask())
    assert intel == demo_agent.ask("Who founded Intel?").text
    assert (nile, moore) == ("6,650 km", "January 3, 1929")


def test_a_question_without_an_answer_raises_what_ask_raises(demo_agent: Agent) -> None:
    with pytest.raises(AnswerError, match="Wakanda") as raised:
        asyncio.run(demo_agent.aask("Who founded Wakanda?"))
    assert raised.value.unknown


def test_a_conversation_is_asked_in_turn(demo_agent: Agent) -> None:
    conversation = Conversation(demo_agent)

    async def talk() -> list[str]:
        return [(await conversation.aask(text)).reply for text in ("Who founded Intel?", "When was it founded?")]

    assert len(asyncio.run(talk())) == 2
    assert [turn.question for turn in conversation.turns] == ["Who founded Intel?", "When was it founded?"]


def test_a_task_that_is_cancelled_ends_the_call_of_the_model(hostile_server: Callable[..., HostileServer]) -> None:
    silent = hostile_server(lambda _: [OK, *[b""] * 1_000], 0.05)

    async def leave(agent: Agent) -> None:
        asked = asyncio.create_task(agent.aask("Which companies did Gordon Moore found?"))
        while not silent.requests:
            await asyncio.sleep(0.01)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked

    with Agent.from_config("demo", model=f"openai:m@{silent.url}/v1", route="phases") as agent:
        asyncio.run(asyncio.wait_for(leave(agent), 120))  # ends when the executor's threads have
        assert len(silent.requests) == 1


def test_work_is_cancelled_though_every_thread_is_busy_with_it() -> None:
    busy = threading.Event()

    def work() -> None:
        busy.set()
        while True:
            check()
            time.sleep(0.01)

    async def leave() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        working = asyncio.create_task(in_thread(work))
        while not busy.is_set():
            await asyncio.sleep(0.01)
        working.cancel()
        with pytest.raises(asyncio.CancelledError):
            await working
        await in_thread(lambda: None)  # the only thread is free again

    asyncio.run(asyncio.wait_for(leave(), 120))
