"""What is open each day, still has a status, or is valid: no date in the past tells that; and areas in units."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import TriadError

pytestmark = pytest.mark.slow(0.1)

CENTRES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Pool rdfs:label "pool" . :District rdfs:label "district" . :Claim rdfs:label "claim" . :State rdfs:label "state" .
:openedOn rdfs:label "opened on" . :openingTime rdfs:label "opening time" . :closingTime rdfs:label "closing time" .
:validUntil rdfs:label "valid until" . :population rdfs:label "population" . :status rdfs:label "status" .
:lossDate rdfs:label "date of loss" . :Pass rdfs:label "pass" .
:a a :Pool ; rdfs:label "Quay Pool" ; :openedOn "2012-09-01"^^xsd:date ; :openingTime "09:00:00"^^xsd:time ;
  :closingTime "17:00:00"^^xsd:time .
:b a :Pool ; rdfs:label "Hill Pool" ; :openedOn "2004-04-02"^^xsd:date ; :openingTime "10:30:00"^^xsd:time ;
  :closingTime "19:00:00"^^xsd:time .
:d a :District ; rdfs:label "Larkhill" ; :areaSquareKm 11.5 ; :population 12800 .
:e a :District ; rdfs:label "Millfield" ; :areaSquareKm 8.9 ; :population 22150 .
:open a :State ; rdfs:label "open" . :settled a :State ; rdfs:label "settled" .
:c1 a :Claim ; rdfs:label "Claim C-1" ; :status :open ; :lossDate "2023-02-01"^^xsd:date .
:c2 a :Claim ; rdfs:label "Claim C-2" ; :status :settled ; :lossDate "2023-03-01"^^xsd:date .
:p1 a :Pass ; rdfs:label "Pass P-1" ; :validUntil "2021-05-01"^^xsd:date .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("When does the Quay Pool open?", "09:00:00"),
        ("When was the Quay Pool opened?", "2012-09-01"),
        ("Which pool opens earliest?", "Quay Pool"),
        ("Which pool opened first?", "Hill Pool"),
        ("Which district has the largest area?", "Larkhill"),
        ("What is the largest district by area?", "Larkhill"),
        ("What is the area of Millfield?", "8.9"),
    ],
)
def test_what_is_done_each_day_and_areas(open_text: Callable[[str], Agent], question: str, expected: str) -> None:
    found = open_text(CENTRES).ask(question)
    assert [value.label or str(value) for value in found.values] == [expected]
    assert found.confidence >= 0.75


@pytest.mark.parametrize(("claim", "expected"), [("C-1", True), ("C-2", False)])
def test_what_has_a_status_still_has_it_now(open_text: Callable[[str], Agent], claim: str, expected: bool) -> None:
    assert open_text(CENTRES).ask(f"Is claim {claim} still open?").boolean is expected


@pytest.mark.parametrize(
    "question",
    [
        "Is the Quay Pool open on Saturdays?",
        "Is the Quay Pool open today?",
        "Until when is the Quay Pool open?",
        "How long is pass P-1 valid?",
    ],
)
def test_a_date_in_the_past_says_nothing_of_today(open_text: Callable[[str], Agent], question: str) -> None:
    with pytest.raises(TriadError):
        open_text(CENTRES).ask(question)
