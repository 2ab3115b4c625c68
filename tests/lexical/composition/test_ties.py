"""Superlatives whose first place is shared: all are given, and a note says so."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.questions import Question

pytestmark = pytest.mark.slow(0.2)

WARDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Ward rdfs:label "ward" . :beds rdfs:label "beds" .
:a a :Ward ; rdfs:label "Alder" ; :beds 24 .
:b a :Ward ; rdfs:label "Birch" ; :beds 30 .
:c a :Ward ; rdfs:label "Cedar" ; :beds 30 .
"""


@pytest.mark.parametrize(
    ("question", "values", "notes"),
    [
        ("Which ward has the most beds?", ["Birch", "Cedar"], ["2 are equal here: none is ahead of the others"]),
        ("Which ward has the fewest beds?", ["Alder"], []),
    ],
)
def test_all_that_share_the_first_place_are_given_with_a_note(
    question: str, values: list[str], notes: list[str], open_text: Callable[[str], Agent]
) -> None:
    answer = open_text(WARDS).ask(Question(question, "en"), min_confidence=0)
    assert sorted(map(str, answer.values)) == values
    assert [note for note in answer.notes if "equal" in note] == notes
