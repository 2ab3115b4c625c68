"""What the ranking sees: which way round the words say a relation."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.lexical.composition.conftest import EX, Reading

pytestmark = pytest.mark.slow(0.1)

RUNNERS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .

:Runner rdfs:label "runner"@en, "coureur"@fr . :trainedBy rdfs:label "trained by"@en, "entraîné par"@fr .
:ida a :Runner ; rdfs:label "Ida" ; :trainedBy :ray .
:ray a :Runner ; rdfs:label "Ray" ; :trainedBy :una .
:una a :Runner ; rdfs:label "Una" .
"""


@pytest.fixture(scope="module")
def runners(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("runners.ttl", RUNNERS)


@pytest.mark.parametrize(
    ("language", "question", "runner"),
    [
        ("en", "Which runners are trained by Ray?", "ida"),
        ("en", "Which runner trains Ray?", "una"),
        ("fr", "Quels coureurs sont entraînés par Ray ?", "ida"),
        ("fr", "Quel coureur entraîne Ray ?", "una"),
    ],
)
def test_the_word_before_who_does_it_tells_which_way_round_a_relation_is_said(
    runners: Reading, language: str, question: str, runner: str
) -> None:
    best = runners.read(question, language).ranked[0]
    assert [str(*row).removeprefix(EX) for row in best.result.rows] == [runner]
