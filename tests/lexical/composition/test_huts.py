"""Huts and lakes in German: heights and depths, ranks, years without dates, and adjectives for things."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.questions import Question

pytestmark = pytest.mark.slow(0.1)

VALLEY = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Hut rdfs:label "Hütte"@de . :Trail rdfs:label "Weg"@de . :Grade rdfs:label "Grad"@de . :Guide rdfs:label "Führer"@de .
:altitude rdfs:label "Seehöhe"@de . :stands rdfs:label "liegt an"@de . :metres rdfs:label "Länge in Metern"@de .
:grade rdfs:label "Schwierigkeit"@de . :made rdfs:label "Baujahr"@de . :birth rdfs:label "Geburtsjahr"@de .
:place rdfs:label "Platzierung"@de . :cold rdfs:label "Wassertemperatur"@de . :deep rdfs:label "Tiefe"@de .
:Pond rdfs:label "Weiher"@de .
:easy a :Grade ; rdfs:label "leicht"@de . :hard a :Grade ; rdfs:label "schwer"@de .
:t1 a :Trail ; rdfs:label "Talweg"@de ; :metres 900 ; :grade :easy .
:t2 a :Trail ; rdfs:label "Panoramaweg"@de ; :metres 4100 ; :grade :easy .
:t3 a :Trail ; rdfs:label "Nordgrat"@de ; :metres 2600 ; :grade :hard .
:h1 a :Hut ; rdfs:label "Moosalm"@de ; :altitude 970 ; :stands :t2 ; :made 1988 .
:h2 a :Hut ; rdfs:label "Sternhaus"@de ; :altitude 2140 ; :stands :t3 ; :made 1931 .
:h3 a :Hut ; rdfs:label "Birkenstube"@de ; :altitude 1510 ; :stands :t3 ; :made 2004 .
:g1 a :Guide ; rdfs:label "Lena Moser"@de ; :birth 1990 ; :place 1 .
:g2 a :Guide ; rdfs:label "Paul Gruber"@de ; :birth 1975 ; :place 3 .
:p1 a :Pond ; rdfs:label "Schwarzweiher"@de ; :cold 4.5 ; :deep 3 .
:p2 a :Pond ; rdfs:label "Kreuzweiher"@de ; :cold 14.5 ; :deep 11 .
"""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Welche Hütten liegen über 2000 Metern?", ["Sternhaus"]),
        ("Welche Hütten liegen höher als 1000 Meter?", ["Birkenstube", "Sternhaus"]),
        ("Welche Hütte liegt am höchsten?", ["Sternhaus"]),
        ("Wie hoch liegt die Moosalm?", ["970"]),
        ("Welcher Weiher hat die tiefste Wassertemperatur?", ["Schwarzweiher"]),
        ("Welcher Weiher ist der tiefste?", ["Kreuzweiher"]),
        ("Wer hat die beste Platzierung?", ["Lena Moser"]),
        ("Wer hat die schlechteste Platzierung?", ["Paul Gruber"]),
        ("Was ist die älteste Hütte?", ["Sternhaus"]),
        ("Welche Hütte ist die neueste?", ["Birkenstube"]),
        ("Wer ist der jüngste Führer?", ["Lena Moser"]),
        ("Welche leichten Wege gibt es?", ["Panoramaweg", "Talweg"]),
        ("Welche leichten Wege sind länger als 1000 Meter?", ["Panoramaweg"]),
        ("Welche Wege sind leicht und länger als 1000 Meter?", ["Panoramaweg"]),
        ("Welche schweren Wege sind kürzer als 3000 Meter?", ["Nordgrat"]),
    ],
)
def test_german_measures_and_adjectives(open_text: Callable[[str], Agent], question: str, expected: list[str]) -> None:
    found = open_text(VALLEY).ask(Question(question, "de"))
    assert sorted(value.label or str(value) for value in found.values) == expected
    assert found.confidence >= 0.5


@pytest.mark.parametrize("question", ["Ist das Sternhaus älter als die Moosalm?", "Ist der Talweg ein leichter Weg?"])
def test_german_comparisons_and_kinds(open_text: Callable[[str], Agent], question: str) -> None:
    assert open_text(VALLEY).ask(Question(question, "de")).boolean is True
