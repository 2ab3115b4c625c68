from __future__ import annotations

from collections.abc import Sequence

from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup
from triad.search.local import LocalIndex
from triad.search.wrapped import KnownFirst, RememberingIndex

EX = "http://example.org/"
ANN = Entry(EX + "Ann", "entity", "Ann")
BOB = Entry(EX + "Bob", "entity", "Bob")

DUNE = Candidate(EX + "Dune_film", "entity", "Dune")


class Counting(LocalIndex):
    """Counts what it is asked."""

    asked = 0

    def search_many(self, lookups: list[Lookup]) -> list[list[Candidate]]:  # type: ignore[override]
        self.asked += len(lookups)
        return super().search_many(lookups)


def known(text: str) -> list[Candidate]:
    return [DUNE] if text.casefold() == "dune" else []


def test_a_known_name_is_found_without_a_search() -> None:
    index = Counting()
    [[found]] = KnownFirst(index, known).search_many([Lookup("dune", ("entity",))])
    assert (found.iri, found.score, found.exact) == (DUNE.iri, 1.0, True)
    assert index.asked == 0


def test_other_names_and_other_kinds_are_looked_up_in_the_index_behind() -> None:
    inner = LocalIndex()
    inner.add([Entry(EX + "Dune_book", "entity", "Dune"), Entry(EX + "film", "class", "film")])
    found = KnownFirst(inner, known).search_many([Lookup("Dune"), Lookup("Dune", ("relation",)), Lookup("film")])
    assert [[one.iri for one in each] for each in found] == [[DUNE.iri], [], [EX + "film"]]


# Remembering


class Asked(LabelIndex):
    """Notes the requests that reach it."""

    def __init__(self, *entries: Entry) -> None:
        self.name = "asked"
        self.requests: list[list[str]] = []
        self._index = LocalIndex()
        self._index.add(entries)

    def search_many(self, lookups: Sequence[Lookup]) -> list[list[Candidate]]:
        self.requests.append([lookup.text for lookup in lookups])
        return self._index.search_many(lookups)


def test_only_new_names_are_asked_for_and_in_one_request() -> None:
    inner = Asked(ANN, BOB)
    index = RememberingIndex(inner)
    first = index.search_many([Lookup("Ann"), Lookup("Ann"), Lookup("Eve")])
    again = index.search_many([Lookup("Bob"), Lookup("Ann"), Lookup("Eve")])
    assert inner.requests == [["Ann", "Eve"], ["Bob"]]
    assert first[0] == first[1] == again[1]
    assert [[one.iri for one in found] for found in again] == [[BOB.iri], [ANN.iri], []]


def test_nothing_is_sent_where_all_is_known_and_what_was_given_may_be_changed() -> None:
    inner = Asked(ANN)
    index = RememberingIndex(inner)
    index.search("Ann").clear()
    assert [one.iri for one in index.search("Ann")] == [ANN.iri]
    assert len(inner.requests) == 1


def test_other_limits_and_kinds_are_other_lookups() -> None:
    inner = Asked(ANN)
    index = RememberingIndex(inner)
    index.search_many([Lookup("Ann"), Lookup("Ann", ("class",)), Lookup("Ann", limit=1)])
    assert inner.requests == [["Ann"] * 3]
