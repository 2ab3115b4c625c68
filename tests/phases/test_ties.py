"""Superlatives have everything that shares their last place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from triad.agent import Agent
from triad.answers import Answer
from triad.errors import AnswerError
from triad.models import ScriptedModel
from triad.route import Route

pytestmark = pytest.mark.slow

GRAPH = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Film ; rdfs:label "A" ; :year 1990 ; :director :x .
:b a :Film ; rdfs:label "B" ; :year 1990 ; :director :x, :y .
:c a :Film ; rdfs:label "C" ; :year 1995 ; :director :y .
:d a :Film ; rdfs:label "D" ; :year 1999 .
:x rdfs:label "X" . :y rdfs:label "Y" .
"""


@pytest.fixture(scope="module")
def file(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("films.ttl", GRAPH)


def answered(file: Path, sparql: str) -> Answer:
    reply = json.dumps({"answer_type": "select", "sparql": sparql})
    with Agent(file, model=ScriptedModel([reply]), route=Route(rungs=("template",)), min_confidence=0) as agent:
        return agent.ask("Which?")


@pytest.mark.parametrize(
    ("sparql", "found", "limit"),
    [
        ("SELECT ?f { ?f a <Film> ; <year> ?y } ORDER BY ?y LIMIT 1", "A (1990); B (1990)", "LIMIT 2"),
        (
            "SELECT DISTINCT ?f { ?f a <Film> ; <year> ?y } ORDER BY DESC(?y) LIMIT 3",
            "D (1999); C (1995); A (1990); B (1990)",
            "LIMIT 4",
        ),
        ("SELECT ?f { ?f a <Film> ; <year> ?y } ORDER BY DESC(?y) LIMIT 2", "D (1999); C (1995)", "LIMIT 2"),
        ("SELECT ?f { ?f a <Film> ; <year> ?y } ORDER BY ?y LIMIT 1 OFFSET 2", "C (1995)", "LIMIT 1\nOFFSET 2"),
        ("SELECT ?d { ?f a <Film> ; <director> ?d } GROUP BY ?d ORDER BY DESC(COUNT(?f)) LIMIT 1", "X; Y", "LIMIT 2"),
        (
            "SELECT ?d (COUNT(?f) AS ?n) { ?f a <Film> ; <director> ?d } GROUP BY ?d ORDER BY DESC(?n) LIMIT 1",
            "X, 2; Y, 2",
            "LIMIT 2",
        ),
    ],
)
def test_what_shares_the_last_place_is_in_the_answer_and_in_the_limit(
    file: Path, sparql: str, found: str, limit: str
) -> None:
    answer = answered(file, sparql)
    assert sorted(answer.text.split("; ")) == sorted(found.split("; "))
    assert (answer.query or "").endswith(limit)


def test_a_class_is_not_dropped_from_what_is_not_so(file: Path) -> None:
    with pytest.raises(AnswerError):
        answered(file, "SELECT ?f { ?f a <Film> . ?f <label> ?n FILTER NOT EXISTS { ?f <year> ?z } }")
