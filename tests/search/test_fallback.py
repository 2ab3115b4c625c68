from __future__ import annotations

import time
from collections.abc import Iterable, Sequence

import pytest

from triad.errors import SearchError
from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup
from triad.search.fallback import FallbackIndex
from triad.search.local import LocalIndex

ANN = Entry("http://example.org/Ann", "entity", "Ann")


class Unsteady(LabelIndex):
    """Fails as long as it is told to."""

    def __init__(self) -> None:
        self.name = "unsteady"
        self.fails = False
        self.asked = 0

    def add(self, entries: Iterable[Entry]) -> int:
        return len(list(entries))

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        self.asked += 1
        if self.fails:
            raise SearchError("the index 'unsteady' cannot be reached")
        return [[] for _ in lookups]


@pytest.fixture
def secondary() -> LocalIndex:
    index = LocalIndex()
    index.add([ANN])
    return index


def test_as_long_as_the_first_index_works_the_second_is_not_asked(secondary: LocalIndex) -> None:
    assert FallbackIndex(Unsteady(), secondary).search("Ann") == []


def test_when_the_first_fails_the_second_is_asked_and_that_is_said_once(
    secondary: LocalIndex, logged: list[str]
) -> None:
    primary = Unsteady()
    index = FallbackIndex(primary, secondary)
    primary.fails = True
    assert [[c.iri for c in index.search("Ann")] for _ in range(5)] == [[ANN.iri]] * 5
    assert primary.asked == 1
    assert logged == [
        "WARNING the index 'unsteady' cannot be reached; until it works again, names are looked up in 'memory'\n"
    ]


def test_the_first_is_asked_again_after_a_while(secondary: LocalIndex, logged: list[str]) -> None:
    primary = Unsteady()
    index = FallbackIndex(primary, secondary, pause=0.02)
    primary.fails = True
    for _ in range(3):
        assert len(index.search("Ann")) == 1
        time.sleep(0.03)
    assert primary.asked == 3
    primary.fails = False
    assert index.search("Ann") == []
    assert [message.split()[0] for message in logged] == ["WARNING", "INFO"]
    assert "works again" in logged[1]


def test_an_error_of_both_is_that_of_the_second() -> None:
    primary, secondary = Unsteady(), Unsteady()
    primary.fails = secondary.fails = True
    with pytest.raises(SearchError, match="cannot be reached"):
        FallbackIndex(primary, secondary).search("Ann")


def test_entries_go_to_the_first(secondary: LocalIndex) -> None:
    assert FallbackIndex(Unsteady(), secondary).add([ANN, ANN]) == 2
    assert len(secondary) == 1
