"""A relation between things of one kind that is read the other way round answers another question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.phases.films import Script
from triad import Agent, sparql
from triad.errors import AnswerError
from triad.models import ScriptedModel
from triad.questions import Question
from triad.route import Route
from triad.routing.probes import is_turned

pytestmark = pytest.mark.slow

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Package rdfs:label "package" . :Person rdfs:label "person" .
:dependsOn rdfs:label "depends on" . :maintainer rdfs:label "maintainer" . :marriedTo rdfs:label "married to" .
:web a :Package ; rdfs:label "web" ; :dependsOn :net ; :maintainer :Ada .
:net a :Package ; rdfs:label "net" ; :dependsOn :core ; :maintainer :Bob .
:core a :Package ; rdfs:label "core" ; :maintainer :Bob .
:Ada a :Person ; rdfs:label "Ada" ; :marriedTo :Bob . :Bob a :Person ; rdfs:label "Bob" ; :marriedTo :Ada .
:Eve a :Person ; rdfs:label "Eve" ; :marriedTo :Max . :Max a :Person ; rdfs:label "Max" .
"""
PREFIX = "PREFIX : <http://example.org/> "
WEB = "ASK { ?p :dependsOn :web }"
ON_WEB = "SELECT ?p { ?p <depends_on> <web> }"
Open = Callable[..., Agent]


@pytest.fixture
def opened(kept_file: Callable[[str, str], Path]) -> Iterator[Open]:
    agents: list[Agent] = []

    def opened(script: Script, **route: Any) -> Agent:
        agents.append(Agent(kept_file("packages.ttl", TURTLE), model=ScriptedModel(script), route=Route(**route)))
        return agents[-1]

    yield opened
    for agent in agents:
        agent.close()


@pytest.mark.parametrize(
    ("query", "wanted", "turned"),
    [
        ("SELECT ?p { :web :dependsOn ?p }", "SELECT ?p { ?p :dependsOn :web }", True),
        ("SELECT ?x { ?x :dependsOn :web }", "SELECT ?p { ?p a :Package ; :dependsOn :web }", False),
        ("SELECT ?p { :Bob :maintainer ?p }", "SELECT ?p { ?p :maintainer :Bob }", False),  # read in one way only
        ("SELECT ?p { ?p :marriedTo :Max }", "SELECT ?p { :Max :marriedTo ?p }", False),  # holds both ways
        ("SELECT ?p { :net :dependsOn ?p }", "SELECT ?p { ?p :dependsOn :web }", False),  # of another thing
    ],
)
def test_a_query_is_turned_that_reads_a_relation_of_one_kind_the_other_way_round(
    opened: Open, query: str, wanted: str, turned: bool
) -> None:
    context = opened(Script()).begin(Question("Which package depends on web?"))
    assert is_turned(context, PREFIX + query, sparql.parse(PREFIX + wanted)) is turned


def test_without_a_profile_nothing_is_turned(opened: Open) -> None:
    context = replace(opened(Script()).begin(Question("Which package depends on web?")), profile=None)
    assert not is_turned(context, f"{PREFIX} ASK {{ :web :dependsOn ?p }}", sparql.parse(f"{PREFIX} {WEB}"))


def test_what_depends_on_a_thing_is_not_answered_with_what_it_depends_on(opened: Open) -> None:
    script = Script(parsing=ON_WEB, answering={"known": False, "answer": ""})
    with pytest.raises(AnswerError) as declined:
        opened(script, sure=1).ask("Which package depends on web?")
    assert len(script.asked) <= 2
    assert declined.value.unknown is not None
    assert declined.value.unknown.guess is None
