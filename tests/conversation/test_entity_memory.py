from __future__ import annotations

from tests.conversation.talks import DUNE
from tests.phases.films import World
from triad.conversation.entity_memory import RememberedIndex
from triad.questions import Candidate
from triad.search.base import Entry, LabelIndex, Lookup
from triad.search.local import LocalIndex


class Counting(LocalIndex):
    """Counts what it is asked."""

    asked = 0

    def search_many(self, lookups: list[Lookup]) -> list[list[Candidate]]:  # type: ignore[override]
        self.asked += len(lookups)
        return super().search_many(lookups)


def test_a_known_name_is_found_without_a_search(world: World) -> None:
    index = Counting()
    remembered = RememberedIndex(index, {"Dune": DUNE})
    [[found]] = remembered.search_many([Lookup("dune", ("entity",))])
    assert (found.iri, found.score, found.exact) == (DUNE.iri, 1.0, True)
    assert index.asked == 0


def test_other_names_and_other_kinds_are_looked_up(world: World) -> None:
    remembered: LabelIndex = RememberedIndex(world.index, {"Dune": DUNE})
    found = remembered.search_many(
        [Lookup("The Shining"), Lookup("Dune"), Lookup("Dune", ("relation",)), Lookup("film")]
    )
    assert [items[0].label if items else None for items in found] == ["The Shining", "Dune", None, "film"]
    assert len(found[1]) == 1


def test_a_name_without_an_iri_is_looked_up(world: World) -> None:
    remembered = RememberedIndex(world.index, {"Dune": Candidate("", "entity", "Dune")})
    assert len(remembered.search("Dune", kind="entity")) == 2


def test_entries_go_to_the_index_behind() -> None:
    index = LocalIndex()
    assert RememberedIndex(index, {}).add([Entry("http://example.org/x", "entity", "x")]) == 1
    assert index.search("x")
