"""Few questions of a process compute at once, and nobody who waits holds up another."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
import tenacity

from tests.doubles import Counting
from tests.hostile_server import OK
from triad.admission import ASKER, Admission, questions
from triad.agent import Agent
from triad.cancelling import Cancellation, Cancelled, cancellable
from triad.errors import TriadError
from triad.kg.base import KnowledgeGraph
from triad.kg.endpoint import EndpointGraph
from triad.kg.labels import LabelFinder
from triad.kg.lookups import QuestionGraph
from triad.models import Completion, Model
from triad.roles import ROLES
from triad.trace import Message


class Crowd:
    """Threads that begin some work each, and go on when they are told to."""

    askers: Sequence[str] = [""] * 9

    def __init__(self, admission: Admission) -> None:
        self.admission = admission
        self.begun: list[int] = []
        self._may_end = [threading.Event() for _ in range(9)]
        self._threads: dict[int, threading.Thread] = {}

    def begin(self, number: int) -> None:
        """Have one ask to begin, after those before."""
        thread = self._threads[number] = threading.Thread(target=self._work, args=(number,))
        thread.start()

    def _work(self, number: int) -> None:
        ASKER.set(self.askers[number])
        with self.admission.admitted():
            self.begun.append(number)
            self._may_end[number].wait(60)

    def end(self, number: int) -> None:
        """Have one end, and wait for it."""
        self._may_end[number].set()
        self._threads[number].join(60)

    def wait_for(self, *begun: int) -> None:
        """Wait until just these have begun."""
        pause = threading.Event()
        for _ in range(600):
            if len(self.begun) >= len(begun):
                break
            pause.wait(0.1)
        pause.wait(0.05)
        assert self.begun == list(begun)


@pytest.mark.slow(0.1)
def test_work_begins_in_the_order_of_arrival_while_there_is_room() -> None:
    crowd = Crowd(Admission(2))
    for number in range(4):
        crowd.begin(number)
        crowd.wait_for(*range(min(number + 1, 2)))
    crowd.end(1)
    crowd.wait_for(0, 1, 2)
    for number in (0, 2, 3):
        crowd.end(number)
    crowd.wait_for(0, 1, 2, 3)


@pytest.mark.slow(0.1)
def test_who_waits_leaves_room_and_goes_on_at_once() -> None:
    crowd = Crowd(admission := Admission(1))
    with admission.admitted():
        with admission.waiting():
            crowd.begin(1)
            crowd.wait_for(1)
        crowd.begin(2)
        crowd.end(1)
        crowd.wait_for(1)  # the second waits, as the first that waited goes on
    crowd.wait_for(1, 2)
    crowd.end(2)


@pytest.mark.slow(0.1)
def test_what_computes_beside_counts_and_what_begins_within_does_not() -> None:
    crowd = Crowd(admission := Admission(1))
    with admission.admitted():
        with admission.admitted():
            pass
        with ThreadPoolExecutor(1) as pool:
            pool.submit(admission.beside()(lambda: None)).result(60)
        crowd.begin(0)
        crowd.wait_for()
    crowd.wait_for(0)
    crowd.end(0)


@pytest.mark.slow(0.1)
def test_who_leaves_before_it_begins_holds_no_room() -> None:
    crowd = Crowd(admission := Admission(1))
    cancellation = Cancellation()
    with admission.admitted(), ThreadPoolExecutor(1) as pool:

        def ask() -> None:
            with cancellable(cancellation), admission.admitted():
                crowd.begun.append(8)

        asked = pool.submit(ask)
        cancellation.cancel()
        with pytest.raises(Cancelled):
            asked.result(60)
        crowd.begin(0)
    crowd.wait_for(0)
    crowd.end(0)


@pytest.mark.slow(0.1)
def test_who_computes_for_long_delays_others_a_while_only() -> None:
    crowd = Crowd(Admission(1, long=0.2))
    crowd.begin(0)
    crowd.begin(1)
    crowd.wait_for(0, 1)
    crowd.end(1)
    crowd.end(0)


@pytest.mark.slow(0.6)
def test_askers_take_turns() -> None:
    crowd = Crowd(Admission(1))
    crowd.askers = "aaabbaaaa"
    for number in (0, 1, 2):
        crowd.begin(number)
        crowd.wait_for(0)
    crowd.begin(3)  # who has none under way begins besides
    crowd.wait_for(0, 3)
    crowd.begin(4)
    crowd.wait_for(0, 3)
    crowd.end(0)
    crowd.wait_for(0, 3, 1)
    crowd.end(3)
    crowd.wait_for(0, 3, 1, 4)
    for number in (1, 4, 2):
        crowd.end(number)
    crowd.wait_for(0, 3, 1, 4, 2)


def test_nobody_waits_for_all_that_goes_on_at_once_for_somebody_else() -> None:
    crowd = Crowd(admission := Admission(1, long=300.0))
    begun, come_back, back, ended = threading.Barrier(4), threading.Event(), threading.Barrier(4), threading.Event()

    def ask() -> None:
        ASKER.set("z")
        with admission.admitted():
            with admission.waiting():
                begun.wait(60)
                come_back.wait(60)
            back.wait(60)
            ended.wait(300)

    with ThreadPoolExecutor(3) as pool:
        for _ in range(3):
            pool.submit(ask)
        begun.wait(60)
        come_back.set()
        back.wait(60)
        try:
            crowd.begin(0)
            crowd.wait_for(0)
        finally:
            ended.set()
    crowd.end(0)


@pytest.mark.slow(0.1)
def test_an_asker_who_leaves_before_it_begins_leaves_nothing_behind() -> None:
    crowd, cancellation = Crowd(admission := Admission(1)), Cancellation()
    crowd.begin(0)
    crowd.wait_for(0)

    def ask() -> None:
        with cancellable(cancellation), admission.admitted():
            crowd.begun.append(8)

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(ask)
        cancellation.cancel()
        with pytest.raises(Cancelled):
            asked.result(60)
    crowd.end(0)
    assert not admission._begun
    crowd.begin(1)
    crowd.wait_for(0, 1)
    crowd.end(1)


# What waits


def _others_begin_while(
    work: Callable[[], object], release: Callable[[], object], wait: Callable[[], object] = lambda: None
) -> None:
    """Assert that others begin while some work of questions waits, which is waited for, and end it."""

    def ask() -> None:
        with suppress(TriadError), questions.admitted():
            work()

    every = 5
    with ThreadPoolExecutor(every) as pool:
        asked = [pool.submit(ask) for _ in range(every)]
        crowd = Crowd(questions)
        try:
            wait()
            crowd.begin(0)
            crowd.wait_for(0)
        finally:
            release()
        crowd.end(0)
        for one in asked:
            one.result(60)


@pytest.mark.slow(0.1)
def test_a_body_that_comes_slowly_is_waited_for(hostile_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    server = hostile_server(lambda _: itertools.chain([OK + b"\r\n"], itertools.repeat(b" ")), pause=0.05)
    graph = EndpointGraph(server.url, timeout=300.0, retries=0)
    comes, receive = threading.Semaphore(0), graph._receive

    def received(response: Any) -> bytearray:
        comes.release()
        return receive(response)

    monkeypatch.setattr(graph, "_receive", received)
    _others_begin_while(lambda: graph.lookup("ASK {}"), server.close, lambda: [comes.acquire() for _ in range(5)])


def test_so_is_the_next_try(hostile_server: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sleeps, ended = threading.Semaphore(0), threading.Event()

    def sleep(_: float) -> None:
        sleeps.release()
        ended.wait(300)

    monkeypatch.setattr(tenacity.nap, "time", SimpleNamespace(sleep=sleep))
    busy = b"HTTP/1.1 429 Busy\r\nRetry-After: 8\r\nContent-Length: 0\r\n\r\n"
    graph = EndpointGraph(hostile_server(lambda _: [busy]).url, timeout=300.0)
    _others_begin_while(lambda: graph.lookup("ASK {}"), ended.set, lambda: [sleeps.acquire() for _ in range(5)])


class Held(Counting):
    """A graph elsewhere, whose look-ups end when it is let go."""

    concurrency = 2

    def __init__(self, graph: KnowledgeGraph) -> None:
        super().__init__(graph)
        self.ended = threading.Event()

    def on_lookup(self, query: str) -> None:
        assert self.ended.wait(300)


@pytest.mark.slow(0.2)
@pytest.mark.parametrize("many", [1, 2])
def test_so_is_what_is_looked_up_at_once_and_a_turn(many: int) -> None:
    with Agent.from_config("demo") as agent:
        held = Held(agent.graph)
        asked = [f"ASK {{ ?s ?p {number} }}" for number in range(many)]
        look = QuestionGraph(held).lookup
        _others_begin_while(lambda: held.at_once(look, asked), held.ended.set)


@pytest.mark.slow(0.2)
def test_so_are_label_properties_that_another_question_looks_for() -> None:
    with Agent.from_config("demo") as agent:
        held = Held(agent.graph)
        finder = LabelFinder(held)
        _others_begin_while(lambda: finder.labels, held.ended.set)


class Gathering(Model):
    """A model that answers when so many have called it."""

    name = "gathering"

    def __init__(self, many: int) -> None:
        self.all = threading.Barrier(many)

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Reply with nonsense once all are there."""
        with suppress(threading.BrokenBarrierError):
            self.all.wait(60)
        return Completion("no")


@pytest.mark.slow(1)
def test_a_model_is_asked_by_all_at_once_and_questions_leave_nothing_behind() -> None:
    model = Gathering(12)
    with Agent.from_config("demo", route={"rungs": ["template"]}) as agent:
        agent.models = dict.fromkeys(ROLES, model)

        def ask(_: int) -> None:
            with suppress(TriadError):
                agent.ask("Who wrote the book on which the film Blade Runner is based?")

        with ThreadPoolExecutor(12) as pool:
            list(pool.map(ask, range(12)))
    assert not model.all.broken
    crowd = Crowd(questions)
    for number in range(4):
        crowd.begin(number)
    for number in range(4):
        crowd.end(number)
    assert sorted(crowd.begun) == [0, 1, 2, 3]
