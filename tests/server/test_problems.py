"""Problems: what those who ask are told of errors."""

from __future__ import annotations

import pytest

from triad.errors import GraphError, ModelError, QuerySyntaxError, QueryTimeout, SearchError
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
        (
            GraphError("'http://db:1/q' failed (HTTP 500 Oops: “SR171: Does \"Annemarie\"@en …”)"),
            "the server failed (HTTP 500 Oops: “…”)",
        ),
        (
            ModelError("model 'm' at http://10.0.0.1:8000/v1 cannot be reached (refused); is the server running?"),
            "model 'm' at its address cannot be reached (refused); is the server running?",
        ),
        (
            QuerySyntaxError("the graph does not accept the query: “Does Annemarie …”"),
            "the graph does not accept the query: “…”",
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
def test_a_failure_says_what_is_away_and_not_where(error: Exception, told: str, logged: list[str]) -> None:
    assert of(error).detail == told
    assert "Annemarie" not in "".join(logged)


def test_a_step_that_failed_says_where_only_to_those_who_may_see_prompts() -> None:
    step = Step("linking", "graph", "schema", request="labels", error="nothing answers at 'http://db:1/q'")
    assert StepView.of(1, step, inspect=False).error == "nothing answers at its address"
    assert StepView.of(1, step, inspect=True).error == step.error
