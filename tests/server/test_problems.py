"""Problems: what those who ask are told of errors."""

from __future__ import annotations

import pytest

from triad.errors import GraphError, SearchError
from triad.server.problems import of


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            SearchError("the lookup in 'http://db:1/q' failed: nothing answers at 'http://db:1/q': connection refused"),
            "the lookup in its address failed: nothing answers at its address: connection refused",
        ),
        (GraphError("the index 'elasticsearch:http://db:1/a' is away"), "the index is away"),
    ],
)
def test_a_failure_says_what_is_away_and_not_where(error: Exception, told: str) -> None:
    assert of(error).detail == told
