"""A relation between things of one kind that is read the other way round answers another question."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.phases.films import Script
from triad import Agent, sparql
from triad.errors import AnswerError
from triad.models import ScriptedModel
from triad.phases.context import Context
from triad.questions import Question
from triad.route import Route
from triad.routing.form_checks import is_turned

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
ON_WEB = "SELECT ?p { ?p <depends_on> <web> }"


@pytest.fixture(scope="module")
def packages(kept_file: Callable[[str, str], Path]) -> Path:
    return kept_file("packages.ttl", TURTLE)


@pytest.fixture(scope="module")
def context(packages: Path) -> Iterator[Context]:
    with Agent(packages) as agent:
        yield agent.begin(Question("Which package depends on web?"))


@pytest.mark.parametrize(
    ("query", "wanted", "turned"),
    [
        ("SELECT ?p { :web :dependsOn ?p }", "SELECT ?p { ?p :dependsOn :web }", True),
        ("SELECT ?x { ?x :dependsOn :web }", "SELECT ?p { ?p a :Package ; :dependsOn :web }", False),
        ("SELECT ?p { :Bob :maintainer ?p }", "SELECT ?p { ?p :maintainer :Bob }", False),  # read in one way only
        ("SELECT ?p { ?p :marriedTo :Max }", "SELECT ?p { :Max :marriedTo ?p }", False),  # holds both ways
        ("SELECT ?p { :net :dependsOn ?p }", "SELECT ?p { ?p :dependsOn :web }", False),  # of another thing
        ("ASK { ?p :dependsOn ?q }", "ASK { ?q :dependsOn ?p }", False),  # of nothing that has a name
        ("ASK { :web :dependsOn :net }", "ASK { :net :dependsOn :web }", False),  # between two things that are named
        ("SELECT ?p { ?p (:maintainer|:dependsOn) :web }", "SELECT ?p { :web :dependsOn ?p }", True),
        ("SELECT ?p { :web :dependsOn ?p }", "SELECT ?p { ?p :dependsOn :web . :web :dependsOn ?q }", False),
        ("SELECT ?p { :web :unknown ?p }", "SELECT ?p { ?p :unknown :web }", False),
    ],
)
def test_a_query_is_turned_that_reads_a_relation_of_one_kind_the_other_way_round(
    context: Context, query: str, wanted: str, turned: bool
) -> None:
    assert is_turned(context, PREFIX + query, sparql.parse(PREFIX + wanted)) is turned


def test_without_a_profile_nothing_is_turned(context: Context) -> None:
    wanted = sparql.parse(f"{PREFIX} ASK {{ ?p :dependsOn :web }}")
    assert not is_turned(replace(context, profile=None), f"{PREFIX} ASK {{ :web :dependsOn ?p }}", wanted)


@pytest.mark.slow(0.4)
def test_what_depends_on_a_thing_is_not_answered_with_what_it_depends_on(packages: Path) -> None:
    script = Script(parsing=ON_WEB, answering={"known": False, "answer": ""})
    with (
        Agent(packages, model=ScriptedModel(script), route=Route(sure=1)) as agent,
        pytest.raises(AnswerError) as declined,
    ):
        agent.ask("Which package depends on web?")
    assert len(script.asked) <= 2
    assert declined.value.unknown is not None
    assert declined.value.unknown.guess is None
