from __future__ import annotations

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.doubles import Clock, Counting
from triad.cancelling import Cancellation, Cancelled, cancellable
from triad.errors import QueryTimeout
from triad.kg.base import KnowledgeGraph
from triad.kg.endpoint import EndpointGraph
from triad.kg.local import LocalGraph
from triad.kg.lookups import CachedLookups, LookupTime, QuestionGraph
from triad.kg.schema import Schema
from triad.rdf import ResultSet

EX = "http://x.org/"
TEXT = f"""
@prefix : <{EX}> .
:ann a :Person ; :knows :bob . :bob a :Person . :Person <http://www.w3.org/2000/01/rdf-schema#subClassOf> :Agent .
"""


class Slow(Counting):
    """A graph whose look-ups take some time on a clock, or end when they may not take that long."""

    def __init__(self, graph: KnowledgeGraph, clock: Clock, seconds: float) -> None:
        super().__init__(graph)
        self.clock = clock
        self.seconds = seconds
        self.limits: list[float] = []

    def limited(self, seconds: float) -> KnowledgeGraph:
        self.limits.append(seconds)
        return self

    def lookup(self, query: str) -> ResultSet:
        self.clock.now += min(self.seconds, self.limits[-1])
        if self.seconds > self.limits[-1]:
            raise QueryTimeout("too slow")
        return super().lookup(query)


@pytest.fixture
def graph(kept_file: Callable[[str, str], Path]) -> LocalGraph:
    return LocalGraph.load(kept_file("graph.ttl", TEXT))


QUERY = "SELECT * { ?s ?p ?o } LIMIT 1"


class Held(Slow):
    """A graph whose look-ups begin, and end when it is let go."""

    def __init__(self, graph: KnowledgeGraph, clock: Clock) -> None:
        super().__init__(graph, clock, 0.0)
        self.begun, self.ended = threading.Semaphore(0), threading.Event()

    def lookup(self, query: str) -> ResultSet:
        self.begun.release()
        assert self.ended.wait(120)
        return super().lookup(query)


def test_each_look_up_has_the_time_that_those_before_left(graph: LocalGraph, clock: Clock) -> None:
    slow = Slow(graph, clock, 2.0)
    patient = QuestionGraph(slow, LookupTime(10.0))
    for limit in range(1, 4):
        assert patient.lookup(f"SELECT * {{ ?s ?p ?o }} LIMIT {limit}").rows
    assert slow.limits == [10.0, 8.0, 6.0]


def test_time_between_look_ups_does_not_count(clock: Clock) -> None:
    limit = LookupTime(1.0)
    clock.now += 5.0
    assert limit.left == 1.0


def test_look_ups_at_once_count_once(graph: LocalGraph, clock: Clock) -> None:
    held, limit = Held(graph, clock), LookupTime(10.0)
    held.concurrency = 2
    patient = QuestionGraph(held, limit)
    with ThreadPoolExecutor(2) as pool:
        found = pool.map(patient.lookup, [f"SELECT * {{ ?s ?p ?o }} LIMIT {limit}" for limit in range(1, 3)])
        assert all(held.begun.acquire(timeout=120) for _ in range(2))
        clock.now += 4.0
        held.ended.set()
        list(found)
    assert limit.left == 6.0


def test_to_wait_for_its_turn_takes_no_time_from_a_question(graph: LocalGraph, clock: Clock) -> None:
    held, limit = Held(graph, clock), LookupTime(10.0)
    places = held.concurrency = 3
    with ThreadPoolExecutor(places + 1) as pool:
        busy = [pool.submit(QuestionGraph(held).lookup, QUERY) for _ in range(places)]
        assert all(held.begun.acquire(timeout=120) for _ in busy)
        late: Any = QuestionGraph(held, limit)
        waits = pool.submit(late.lookup, QUERY)
        while not late._turns._cond._waiters:
            time.sleep(0.01)
        clock.now += 5.0
        held.ended.set()
        assert waits.result().rows
    assert limit.left == 10.0


@pytest.mark.slow(0.1)
def test_who_is_cancelled_waits_for_no_turn(graph: LocalGraph, clock: Clock) -> None:
    held, cancellation = Held(graph, clock), Cancellation()
    places = held.concurrency = 3

    def ask(cancelled: bool) -> None:
        with cancellable(cancellation if cancelled else None), suppress(Cancelled):
            QuestionGraph(held).lookup(QUERY)

    with ThreadPoolExecutor(places + 1) as pool:
        busy = [pool.submit(ask, False) for _ in range(places)]
        assert all(held.begun.acquire(timeout=120) for _ in busy)
        last = pool.submit(ask, True)
        cancellation.cancel()
        last.result(timeout=100)
        assert not any(one.done() for one in busy)
        held.ended.set()
    assert len(held.asked) == places


def test_a_search_within_a_question_has_a_time_of_its_own_and_shares_what_was_found(graph: LocalGraph) -> None:
    own, inner = LookupTime(10.0), LookupTime(0.0)
    question = QuestionGraph(graph, own)
    with pytest.raises(QueryTimeout):
        question.within(inner).lookup(QUERY)
    assert len(inner.slow) == 1
    assert question.lookup(QUERY) == question.within(inner).lookup(QUERY)


def test_when_no_time_is_left_the_graph_is_not_asked(graph: LocalGraph, clock: Clock) -> None:
    slow = Slow(graph, clock, 5.0)
    limit = LookupTime(0.5)
    patient = QuestionGraph(slow, limit)
    for _ in range(3):
        with pytest.raises(QueryTimeout):
            patient.lookup(QUERY)
    assert len(slow.limits) == 1
    assert len(limit.slow) == 3


def test_a_schema_ends_with_what_is_known_and_asks_again_later(graph: LocalGraph, clock: Clock) -> None:
    slow = Slow(graph, clock, 5.0)
    schema = Schema(slow)
    hurried = schema.over(QuestionGraph(slow, LookupTime(0.02)))
    assert hurried.labels([EX + "ann"]) == {EX + "ann": "ann"}
    assert hurried.card(EX + "ann") == hurried.class_card(EX + "Person") == ()
    assert hurried.relation_ends(EX + "knows") == ((), ())
    assert hurried.kinds(EX + "Agent") == (EX + "Agent",)
    assert hurried.superclasses(EX + "Person") == hurried.types(EX + "ann") == ()
    assert hurried.descriptions([EX + "ann"]) == {EX + "ann": ""}
    assert not hurried.literal_forms(EX + "knows", "x")
    assert not hurried.bindings("x", "?x ?p ?o")
    hurried.prepare([EX + "ann", EX + "bob"], [EX + "Person"])
    slow.seconds = 0.0
    later = schema.over(QuestionGraph(slow, LookupTime(10.0)))
    assert later.card(EX + "ann")
    assert later.class_card(EX + "Person")
    assert later.relation_ends(EX + "knows") == ((EX + "Person",), (EX + "Person",))
    assert later.kinds(EX + "Agent") == (EX + "Agent", EX + "Person")
    assert later.superclasses(EX + "Person") == (EX + "Agent",)


def test_an_endpoint_with_less_time_is_the_same_endpoint() -> None:
    with EndpointGraph("http://127.0.0.1:9/sparql", timeout=30.0) as graph:
        hurried = graph.limited(2.0)
        assert (hurried.timeout, graph.timeout) == (2.0, 30.0)
        assert hurried.fingerprint == graph.fingerprint
        assert graph.limited(60.0).timeout == 30.0


def test_what_is_kept_on_disk_takes_no_time(graph: LocalGraph, clock: Clock, tmp_path: Path) -> None:
    slow: Any = Slow(graph, clock, 0.0)
    cached = CachedLookups(slow, folder=tmp_path)
    QuestionGraph(cached, LookupTime(1.0)).lookup(QUERY)
    slow.seconds = 5.0
    assert QuestionGraph(cached, LookupTime(0.5)).lookup(QUERY).rows
