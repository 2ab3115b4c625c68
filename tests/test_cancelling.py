"""Cancelling ends what waits in processes and on sockets, and nothing takes it for an error."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial
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


def _cancelled_when(under_way: Callable[[], object], work: Callable[[], object]) -> float:
    """Do some work that is cancelled when it is under way, and return how long it went on then."""
    cancellation = Cancellation()
    cancelled: list[float] = []

    def cancel() -> None:
        deadline = time.monotonic() + 60
        while not under_way() and time.monotonic() < deadline:
            time.sleep(0.02)
        cancelled.append(time.monotonic())
        cancellation.cancel()

    thread = threading.Thread(target=cancel)
    thread.start()
    try:
        with cancellable(cancellation), pytest.raises(Cancelled):
            work()
    finally:
        thread.join()
    return time.monotonic() - cancelled[0]


@pytest.mark.slow(0.3)
def test_a_query_in_a_worker_process_is_ended_and_the_next_one_runs(demo_agent: Agent) -> None:
    begun = time.monotonic()
    crossed = partial(demo_agent.graph.select, CROSSED, timeout=60)
    assert _cancelled_when(lambda: time.monotonic() > begun + 0.3, crossed) < 20
    assert demo_agent.graph.ask(SafeQuery("ASK { ?s ?p ?o }"))


def test_a_read_from_a_server_is_ended(hostile_server: Callable[..., HostileServer]) -> None:
    silent = hostile_server(lambda _: [OK, *[b""] * 1_000], 0.05)
    with client() as opened:
        assert _cancelled_when(lambda: silent.requests, lambda: opened.get(silent.url, timeout=60)) < 20


def test_a_call_of_a_model_is_ended_and_not_made_again(hostile_server: Callable[..., HostileServer]) -> None:
    silent = hostile_server(lambda _: [OK, *[b""] * 1_000], 0.05)
    with open_model(f"openai:m@{silent.url}/v1", retries=4) as model:
        assert _cancelled_when(lambda: silent.requests, lambda: model.complete([Message("user", "Who?")])) < 20
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
