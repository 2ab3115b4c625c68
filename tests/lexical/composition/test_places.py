"""Places within places: the chain from what is somewhere to the place that a question names is followed to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.lexical.composition.conftest import Reading
from triad.agent import Agent
from triad.errors import AnswerError
from triad.questions import Question

pytestmark = pytest.mark.slow(0.1)

REGIONS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Region rdfs:label "region" . :Mill rdfs:label "mill" . :Town rdfs:label "town" .
:isPartOf rdfs:label "is part of" . :borders rdfs:label "borders" . :site rdfs:label "site" . :seat rdfs:label "seat" .
:north a :Region ; rdfs:label "Norland" ; :seat :aa .
:fen a :Region ; rdfs:label "Fenmark" ; :isPartOf :north ; :borders :dale .
:bog a :Region ; rdfs:label "Bogshire" ; :isPartOf :fen .
:dale a :Region ; rdfs:label "Daleland" ; :borders :fen .
:aa a :Town ; rdfs:label "Aaby" ; :isPartOf :bog . :bb a :Town ; rdfs:label "Beeby" ; :isPartOf :bog .
:cc a :Town ; rdfs:label "Ceeby" ; :isPartOf :dale .
:m1 a :Mill ; rdfs:label "Old Mill" ; :site :aa . :m2 a :Mill ; rdfs:label "New Mill" ; :site :bb .
:m3 a :Mill ; rdfs:label "Red Mill" ; :site :cc . :m4 a :Mill ; rdfs:label "Top Mill" ; :site :aa .
"""


@pytest.fixture(scope="module")
def regions(open_reading: Callable[[str, str], Reading]) -> Reading:
    return open_reading("regions.ttl", REGIONS)


@pytest.fixture(scope="module")
def demo() -> Iterator[Agent]:
    with Agent.from_config("demo") as agent:
        yield agent


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which regions are in Norland?", {("fen",), ("bog",)}),
        ("Which towns are in Bogshire?", {("aa",), ("bb",)}),
        ("Which towns are in Norland?", {("aa",), ("bb",)}),
        ("Is Bogshire in Norland?", True),
        ("Is Norland in Bogshire?", False),
        ("Is Ceeby in Norland?", False),
        ("Which regions border Daleland?", {("fen",)}),
    ],
)
def test_what_is_in_a_part_of_a_place_is_in_the_place(
    regions: Reading, question: str, expected: set[tuple[str, ...]] | bool
) -> None:
    assert regions.found(question) == expected


@pytest.mark.parametrize(
    ("language", "question", "expected"),
    [
        ("en", "Which cities are in Germany?", 11),
        ("en", "List the cities of Germany", 11),
        ("de", "Welche Städte liegen in Deutschland?", 11),
        ("fr", "Quelles villes sont en Allemagne ?", 11),
        ("en", "How many cities are in California?", "9"),
        ("en", "How many scientists were born in Europe?", "15"),
        ("en", "Which companies are based in the United States?", 10),
        ("en", "Was Albert Einstein born in Germany?", True),
        ("en", "Was Marie Curie born in Germany?", False),
        ("de", "Wurde Marie Curie in Polen geboren?", True),
        ("en", "Does Nvidia have its headquarters in California?", True),
        ("en", "Is SAP based in the United States?", False),
    ],
)
def test_the_chain_of_places_is_followed_in_every_form_of_question(
    demo: Agent, language: str, question: str, expected: int | str | bool
) -> None:
    result = demo.ask(Question(question, language)).result
    if isinstance(expected, bool):
        assert result.boolean is expected
    elif isinstance(expected, str):
        assert str(result.rows[0][0]) == expected
    else:
        assert len(result.rows) == expected


@pytest.mark.slow
def test_what_the_graph_places_nowhere_is_not_said_to_be_elsewhere(demo: Agent) -> None:
    with pytest.raises(AnswerError):
        demo.ask("Was Steven Spielberg born in Germany?")
