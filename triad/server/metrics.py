"""Metrics: what Prometheus reads at ``/metrics``.

Several worker processes count together, in files of a folder that the supervisor makes for them.
"""

import os
from functools import partial
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess

from triad.conversation.turns import Turn
from triad.server.served import Graphs

FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which several processes count."""

_SECONDS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0)


class Metrics:
    """Counts of the server."""

    def __init__(self, graphs: Graphs) -> None:
        self._graphs = graphs
        self._registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=self._registry), partial(Gauge, registry=self._registry)
        seconds = partial(Histogram, buckets=_SECONDS, registry=self._registry)
        graph = ["graph"]
        self.requests = counter("triad_requests", "Requests by path and status", ["path", "status"])
        self.questions = counter("triad_questions", "Questions by what they came to", ["graph", "outcome"])
        self._rungs = counter("triad_rungs", "Answers by the rung that gave them", ["graph", "rung"])
        self._seconds = seconds("triad_question_seconds", "From question to turn", graph)
        self._phases = seconds("triad_phase_seconds", "What the calls of a phase took", ["graph", "phase"])
        self._calls = counter("triad_model_calls", "Calls of the model", graph)
        self._tokens = counter("triad_model_tokens", "Tokens by direction", ["graph", "direction"])
        self._money = counter("triad_model_dollars", "US dollars", graph)
        self.refused = counter("triad_guard_refusals", "Queries that the guard refused", graph)
        under_way = "Questions that were taken and are not answered yet"
        self.under_way = gauge("triad_questions_under_way", under_way, graph, multiprocess_mode="livesum")
        self.queue = gauge("triad_queue", "Questions that wait", graph, multiprocess_mode="livesum")
        self._ready = gauge("triad_graph_ready", "Whether a graph can be asked", graph, multiprocess_mode="livemin")

    def answered(self, graph: str, turn: Turn, seconds: float) -> None:
        """Count a question that was answered, if only with "I don't know"."""
        self.questions.labels(graph, turn.outcome).inc()
        self._seconds.labels(graph).observe(seconds)
        if turn.answer:
            self._rungs.labels(graph, turn.answer.rung or turn.answer.method).inc()
        if turn.trace:
            for phase, spent in turn.trace.seconds_by("phase").items():
                self._phases.labels(graph, phase).observe(spent)
        self._calls.labels(graph).inc(turn.usage.calls)
        self._tokens.labels(graph, "in").inc(turn.usage.input_tokens)
        self._tokens.labels(graph, "out").inc(turn.usage.output_tokens)
        self._money.labels(graph).inc(turn.usage.money)

    def text(self) -> bytes:
        """Return all of it as Prometheus reads it."""
        for served in self._graphs:
            self.queue.labels(served.name)
            self._ready.labels(served.name).set(served.fault is None)
        if not (folder := os.environ.get(FOLDER)):
            return generate_latest(self._registry)
        for path in Path(folder).glob("gauge_live*_*.db"):
            if not Path(f"/proc/{(pid := path.stem.rpartition('_')[2])}").exists():
                multiprocess.mark_process_dead(int(pid), folder)  # type: ignore[no-untyped-call]
        every = CollectorRegistry()
        multiprocess.MultiProcessCollector(every, folder)  # type: ignore[no-untyped-call]
        return generate_latest(every)
