from __future__ import annotations

from triad.questions import Question as Asked
from triad.trace import Step, Trace, Usage


def test_times_and_costs_of_a_phase_add_up() -> None:
    used = [Step("parsing", "model", "parsing", "generalist", usage=Usage(1, 0, 10, 5, 0.1, 1.0), seconds=1.0)] * 3
    trace = Trace(Asked("?"), (*used, Step("linking", "index", "search", seconds=0.5)))
    assert trace.seconds_by("phase") == {"parsing": 3.0, "linking": 0.5}
    assert trace.usage_by("phase")["parsing"] == trace.usage
    assert trace.usage.input_tokens == 30
