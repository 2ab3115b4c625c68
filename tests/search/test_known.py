from __future__ import annotations

from triad.questions import Candidate
from triad.search.base import Entry, Lookup
from triad.search.known import KnownFirst
from triad.search.local import LocalIndex

EX = "http://example.org/"
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
    index = KnownFirst(LocalIndex(), known)
    assert index.add([Entry(EX + "Dune_book", "entity", "Dune"), Entry(EX + "film", "class", "film")]) == 2
    found = index.search_many([Lookup("Dune"), Lookup("Dune", ("relation",)), Lookup("film")])
    assert [[one.iri for one in each] for each in found] == [[DUNE.iri], [], [EX + "film"]]
