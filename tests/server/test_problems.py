"""Problems: what those who ask are told of errors."""

from __future__ import annotations

import pytest

from triad.errors import GraphError, QueryTimeout, SearchError
from triad.server.problems import of
from triad.server.views import StepView
from triad.trace import Step


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            SearchError("the lookup in 'http://db:1/q' failed: nothing answers at 'http://db:1/q': connection refused"),
            "the lookup in its address failed: nothing answers at its address: connection refused",
        ),
        (GraphError("the index 'elasticsearch:http://db:1/a' is away"), "the index is away"),
        (GraphError("'http://db:1/q' failed (HTTP 500)"), "the server failed (HTTP 500)"),
        (QueryTimeout("'http://db:1/q' did not answer in 2 seconds"), "the server did not answer in 2 seconds"),
        (
            SearchError("the lookup in 'http://db:1/q' failed: 'http://db:1/q' gave up on the query: too long"),
            "the lookup in its address failed: the server gave up on the query: too long",
        ),
        (
            GraphError("there is no SPARQL service at this address: 'http://db:1/q' (HTTP 404)"),
            "there is no SPARQL service at this address: (HTTP 404)",
        ),
    ],
)
def test_a_failure_says_what_is_away_and_not_where(error: Exception, told: str) -> None:
    assert of(error).detail == told


def test_a_step_that_failed_says_where_only_to_those_who_may_see_prompts() -> None:
    step = Step("linking", "graph", "schema", request="labels", error="nothing answers at 'http://db:1/q'")
    assert StepView.of(1, step, inspect=False).error == "nothing answers at its address"
    assert StepView.of(1, step, inspect=True).error == step.error
