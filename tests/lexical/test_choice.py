"""Which of two ways to read a question is trusted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.lexical.choice import is_doubtful_no, searched_evidence
from triad.lexical.forms import CandidateQuery
from triad.lexical.nodes import Node
from triad.queries.patterns import Variable
from triad.queries.query_graph import QueryGraph

LINES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:agency rdfs:label "agency" . :birthPlace rdfs:label "birth place" . :bornIn rdfs:label "born in" .
:ida rdfs:label "Ida Even" ; :birthPlace :bonn ; :bornIn "a cold house" .
:ray rdfs:label "Ray Odd" ; :agency :ulm, :bonn .
:bonn rdfs:label "Bonn" . :ulm rdfs:label "Ulm" .
"""


def candidate(**features: float) -> CandidateQuery:
    return CandidateQuery(QueryGraph(), "select", "list", Node(Variable("x")), features=features)


def test_a_candidate_is_whole_that_leaves_nothing_out_and_names_things_exactly() -> None:
    def whole(**features: float) -> float:
        return searched_evidence([candidate(**features)], 0, 0.5, [])["whole"]

    assert whole(complete=1.0, least_fit=0.9, exact=1.0) == 0.9
    assert whole(complete=1.0, least_fit=0.9, exact=0.5) == 0.45
    assert whole(complete=0.0, least_fit=0.9, exact=1.0) == 0.0
    assert whole(complete=1.0, least_fit=0.9) == 0.0


@pytest.mark.parametrize(
    ("evidence", "doubtful"),
    [
        ({"no": 1.0, "loose": 1.0, "strained": 0.0}, True),
        ({"no": 1.0, "loose": 0.0, "strained": 0.5}, True),
        ({"no": 1.0, "loose": 0.0, "strained": 0.0}, False),
        ({"no": 0.0, "loose": 1.0, "strained": 0.5}, False),
    ],
)
def test_a_no_is_doubtful_to_what_no_word_says(evidence: dict[str, float], doubtful: bool) -> None:
    assert is_doubtful_no(evidence) is doubtful


def test_a_doubtful_no_gives_way_to_a_yes(open_text: Callable[[str], Agent]) -> None:
    # Nothing has a class here, so that over the schema any relation may connect the two: their agency is tried first.
    assert open_text(LINES).ask("Was Ida Even born in Bonn?", min_confidence=0).boolean is True
