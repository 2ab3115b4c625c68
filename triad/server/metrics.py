"""Metrics: what Prometheus reads at ``/metrics``.

Several worker processes count together, in files of a folder that the supervisor makes for them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

from triad.conversation.turns import Turn
from triad.server.served import Graphs
from triad.server.views import outcome

__all__ = ["FOLDER", "Metrics"]

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which several processes count."""

_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class Metrics:
    """Counts of the server."""

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        self._registry = registry = CollectorRegistry()
        self.requests = Counter("triad_requests", "Requests by path and status", ["path", "status"], registry=registry)
        self._questions = Counter(
            "triad_questions", "Questions by what they came to", ["graph", "outcome"], registry=registry
        )
        self._rungs = Counter("triad_rungs", "Answers by the rung that gave them", ["graph", "rung"], registry=registry)
        self._seconds = Histogram(
            "triad_question_seconds", "From question to turn", ["graph"], buckets=_SECONDS, registry=registry
        )
        self._phases = Histogram(
            "triad_phase_seconds",
            "What the calls of a phase took",
            ["graph", "phase"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._calls = Counter("triad_model_calls", "Calls of the model", ["graph"], registry=registry)
        self._tokens = Counter("triad_model_tokens", "Tokens by direction", ["graph", "direction"], registry=registry)
        self._money = Counter("triad_model_dollars", "US dollars", ["graph"], registry=registry)
        self._refused = Counter("triad_guard_refusals", "Queries that the guard refused", ["graph"], registry=registry)
        self._under_way = Gauge(
            "triad_questions_under_way",
            "Questions that were taken and are not answered yet",
            ["graph"],
            registry=registry,
            multiprocess_mode="livesum",
        )
        self._queue = Gauge(
            "triad_queue", "Questions that wait", ["graph"], registry=registry, multiprocess_mode="livesum"
        )
        self._ready = Gauge(
            "triad_graph_ready",
            "Whether a graph can be asked",
            ["graph"],
            registry=registry,
            multiprocess_mode="livemin",
        )

    @contextmanager
    def under_way(self, graph: str) -> Iterator[None]:
        """Count a question while it is under way."""
        with self._under_way.labels(graph).track_inprogress():
            yield

    def waiting(self, graph: str, more: int) -> None:
        """Count questions that wait, or do so no more."""
        self._queue.labels(graph).inc(more)

    def answered(self, graph: str, turn: Turn, seconds: float) -> None:
        """Count a question that was answered, if only with "I don't know"."""
        self._questions.labels(graph, outcome(turn)).inc()
        self._seconds.labels(graph).observe(seconds)
        if turn.answer:
            self._rungs.labels(graph, turn.answer.rung or turn.answer.method).inc()
        if turn.trace:
            for phase, spent in turn.trace.seconds_by_phase().items():
                self._phases.labels(graph, phase).observe(spent)
        self._calls.labels(graph).inc(turn.usage.calls)
        self._tokens.labels(graph, "in").inc(turn.usage.input_tokens)
        self._tokens.labels(graph, "out").inc(turn.usage.output_tokens)
        self._money.labels(graph).inc(turn.usage.money)

    def failed(self, graph: str, why: str) -> None:
        """Count a question that was not answered."""
        self._questions.labels(graph, why).inc()

    def refused(self, graph: str) -> None:
        """Count a query that the guard refused."""
        self._refused.labels(graph).inc()

    def text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        for served in self._graphs:
            self._queue.labels(served.name)
            self._ready.labels(served.name).set(served.fault is None)
        folder = os.environ.get(FOLDER)
        if not folder:
            return generate_latest(self._registry)
        for path in Path(folder).glob("gauge_live*_*.db"):
            if not Path(f"/proc/{(pid := path.stem.rpartition('_')[2])}").exists():
                multiprocess.mark_process_dead(int(pid), folder)  # type: ignore[no-untyped-call]
        every = CollectorRegistry()
        multiprocess.MultiProcessCollector(every, folder)  # type: ignore[no-untyped-call]
        return generate_latest(every)
