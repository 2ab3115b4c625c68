"""Cancelling ends what waits in processes and on sockets, and nothing takes it for an error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.hostile_server import OK, HostileServer
from triad.agent import Agent
from triad.cancelling import Cancellation, Cancelled, cancellable, carried, check
from triad.http import client
from triad.kg.base import SafeQuery
from triad.models import open_model
from triad.trace import Message

CROSSED = SafeQuery("SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }")


def _cancelled_after(seconds: float, work: Callable[[], object]) -> float:
    """Do some work that is cancelled after a while, and return how long it took."""
    cancellation = Cancellation()
    timer = threading.Timer(seconds, cancellation.cancel)
    started = time.monotonic()
    timer.start()
    try:
        with cancellable(cancellation), pytest.raises(Cancelled):
            work()
    finally:
        timer.join()
    return time.monotonic() - started


def test_a_query_in_a_worker_process_is_ended_and_the_next_one_runs(demo_agent: Agent) -> None:
    assert _cancelled_after(0.3, lambda: demo_agent.graph.select(CROSSED, timeout=60)) < 10
    assert demo_agent.graph.ask(SafeQuery("ASK { ?s ?p ?o }"))


def test_a_read_from_a_server_is_ended(hostile_server: Callable[..., HostileServer]) -> None:
    silent = hostile_server(lambda _: [OK, *[b""] * 1_000], 0.05)
    with client() as opened:
        assert _cancelled_after(0.3, lambda: opened.get(silent.url, timeout=60)) < 10


def test_a_call_of_a_model_is_ended_and_not_made_again(hostile_server: Callable[..., HostileServer]) -> None:
    silent = hostile_server(lambda _: [OK, *[b""] * 1_000], 0.05)
    with open_model(f"openai:m@{silent.url}/v1", retries=4) as model:
        assert _cancelled_after(0.3, lambda: model.complete([Message("user", "Who?")])) < 10
    assert len(silent.requests) == 1


def test_what_is_begun_after_cancelling_ends_at_once_in_other_threads_too() -> None:
    cancellation = Cancellation()
    cancellation.cancel()
    seen: list[type[BaseException]] = []

    def work() -> None:
        try:
            check()
        except Cancelled as cancelled:
            seen.append(type(cancelled))

    with cancellable(cancellation):
        thread = threading.Thread(target=carried(work))
    thread.start()
    thread.join()
    assert seen == [Cancelled]
    check()  # this thread's own question was not cancelled


def test_a_question_that_is_not_cancelled_fails_as_ever(tmp_path: Path) -> None:
    with cancellable(Cancellation()), client() as opened, pytest.raises(httpx.ConnectError):
        opened.get("http://127.0.0.1:9/", timeout=5)
