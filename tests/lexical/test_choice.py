"""Which of two ways to read a question is trusted."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.language.pack import load_pack
from triad.lexical.candidates import CandidateQuery
from triad.lexical.choice import Tried, behind_best, is_doubtful_no, searched_evidence
from triad.lexical.contract import gives_time
from triad.lexical.nodes import Node
from triad.rdf import Literal, ResultSet
from triad.sparql.patterns import Variable
from triad.sparql.query_graph import QueryGraph

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


@pytest.mark.slow(0.3)
def test_a_doubtful_no_gives_way_to_a_yes(open_text: Callable[[str], Agent]) -> None:
    # Nothing has a class here, so that over the schema any relation may connect the two: their agency is tried first.
    assert open_text(LINES).ask("Was Ida Even born in Bonn?", min_confidence=0).boolean is True


def test_what_is_found_stands_behind_better_readings() -> None:
    one, other = ResultSet(("x",), ((Literal("1"),),)), ResultSet(("x",), ((Literal("2"),),))
    ranked = [Tried(features={}, score=4.0, result=one), Tried(features={}, score=1.5, result=other)]
    assert behind_best(one, ranked) == {"behind": 0.0}
    assert behind_best(other, ranked) == {"behind": 0.5}
    assert behind_best(ResultSet(("x",), ()), ranked) == behind_best(one, []) == {"behind": 0.0}


@pytest.mark.parametrize(
    ("value", "timely"),
    [
        ("1998-04-01", True),
        ("June 15, 2009", True),
        ("19984", False),
        ("09:20", True),
        ("Friday", True),
        ("Room 9", False),
    ],
)
def test_a_date_or_a_year_in_a_name_tells_a_time(value: str, timely: bool) -> None:
    assert gives_time(ResultSet(("x",), ((Literal(value),),)), load_pack("en")) is timely
