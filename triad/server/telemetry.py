"""Traces for OpenTelemetry: a span a question, and below it one for each of its calls.

They are sent where the usual variables say, such as ``OTEL_EXPORTER_OTLP_ENDPOINT``; without these, or without the
extra ``telemetry``, nothing is sent. Questions and prompts are not in them: they may be confidential.
"""

import os
import time
from typing import Any, Final

from triad.conversation.turns import Turn
from triad.trace import Step

_NANO: Final = 1_000_000_000


class Telemetry:
    """Sends traces to a provider of OpenTelemetry."""

    def __init__(self, provider: Any) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("triad")

    def answered(self, graph: str, turn: Turn, seconds: float, steps: list[tuple[float, Step]]) -> None:
        """Send a question that was answered, and its calls, each with the time at which it ended."""
        from opentelemetry import trace

        ended = time.time()
        question = self._tracer.start_span(
            "question",
            start_time=int((ended - seconds) * _NANO),
            attributes={
                "triad.graph": graph,
                "triad.outcome": turn.outcome,
                "triad.language": turn.language,
                "triad.model.calls": turn.usage.calls,
                "triad.model.dollars": turn.usage.money,
            },
        )
        within = trace.set_span_in_context(question)
        for end, step in steps:
            span = self._tracer.start_span(
                f"{step.service} {step.action}",
                context=within,
                start_time=int((end - step.seconds) * _NANO),
                attributes={
                    "triad.phase": step.phase,
                    "triad.rung": step.rung or "",
                    "gen_ai.usage.input_tokens": step.usage.input_tokens,
                    "gen_ai.usage.output_tokens": step.usage.output_tokens,
                },
            )
            if step.error:
                span.set_status(trace.StatusCode.ERROR)
            span.end(int(end * _NANO))
        question.end(int(ended * _NANO))

    def close(self) -> None:
        """Send what was not sent yet."""
        self._provider.shutdown()


def from_environment() -> Telemetry | None:
    """Return what sends traces; None if they are not wanted, or the extra is not installed."""
    wanted = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
    if not any(os.environ.get(name) for name in wanted) or os.environ.get("OTEL_SDK_DISABLED") == "true":
        return None
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        return None
    name = os.environ.get("OTEL_SERVICE_NAME", "triad")
    provider = TracerProvider(resource=Resource.create({"service.name": name}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return Telemetry(provider)
