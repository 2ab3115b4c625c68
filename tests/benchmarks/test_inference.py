"""Rows found: which of the rows of a graph with all facts another one has, too."""

from __future__ import annotations

import pytest
from inference import found

from triad.rdf import IRI, ResultSet


def rows(*names: str) -> ResultSet:
    return ResultSet(("x",), tuple((IRI(name),) for name in names))


@pytest.mark.parametrize(
    ("had", "gold", "share"),
    [
        (rows("a", "b", "c"), rows("a", "b"), 1),
        (rows("a"), rows("a", "b"), 0.5),
        (rows("a"), rows("a", "a"), 0.5),
        (rows(), rows(), 1),
        (rows("a"), rows(), 0),
        (ResultSet(boolean=True), ResultSet(boolean=False), 0),
    ],
)
def test_rows_count_as_often_as_they_stand_there(had: ResultSet, gold: ResultSet, share: float) -> None:
    assert found(had, gold) == share
