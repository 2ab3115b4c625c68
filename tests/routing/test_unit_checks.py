"""Numbers are in the unit that the question says, and bounds in that of the relation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.phases.films import Script
from triad import Agent, sparql
from triad.kg.guard import check
from triad.models import ScriptedModel
from triad.phases import answering
from triad.phases.attempts import BuiltQuery
from triad.questions import Question
from triad.routing.doubt import findings

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix unit: <http://dbpedia.org/datatype/> .
:River rdfs:label "river" . :length rdfs:label "length" . :depth rdfs:label "depth (m)" .
:Rhine a :River ; rdfs:label "Rhine" ; :length "1233"^^unit:kilometre ; :depth 25 .
:Spree a :River ; rdfs:label "Spree" ; :length "400"^^unit:kilometre ; :depth 4 .
"""
LENGTH = "SELECT ?l { :Rhine :length ?l }"
LONG = "SELECT ?r { ?r a :River ; :length ?l FILTER(xsd:double(str(?l)) > %s) }"


@pytest.fixture(scope="module")
def agent(kept_file: Callable[[str, str], Path]) -> Iterator[Agent]:
    with Agent(kept_file("rivers.ttl", TURTLE), model=ScriptedModel(Script())) as agent:
        yield agent


def units(agent: Agent, question: str, query: str) -> dict[str, str]:
    """What the checks of units find of an answer."""
    context = agent.begin(Question(question))
    tree = sparql.parse("PREFIX : <http://example.org/> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> " + query)
    built = BuiltQuery(sparql.write(tree), {}, 1.0, context.execute(check(tree), ask=False), tree=tree)
    given = answering.answer(context.at("answering"), built, "select")
    found = findings(context, given)
    return {one.name: one.text for one in found if one.value and one.name in ("unit", "bound_unit")}


@pytest.mark.parametrize("question", ["How many metres long is the Rhine?", "How long is the Rhine in miles?"])
def test_values_in_another_unit_than_asked_for_are_told(agent: Agent, question: str) -> None:
    word = "metres" if "metres" in question else "miles"
    text = f"the question asks for {word}, and the values are in kilometre"
    assert units(agent, question, LENGTH) == {"unit": text}


@pytest.mark.parametrize(
    ("question", "query"),
    [
        ("How long is the Rhine in km?", LENGTH),  # asked so
        ("How long is the Rhine?", LENGTH),  # in whatever unit
        ("How many metres deep is the Rhine?", "SELECT ?d { :Rhine :depth ?d }"),  # the label has the unit
        ("How many metres long is the Rhine?", "SELECT (1000 * xsd:double(str(?l)) AS ?m) { :Rhine :length ?l }"),
        ("How many days is the Rhine long?", LENGTH),  # says nothing of a length
    ],
)
def test_values_in_the_unit_that_is_asked_for_or_in_an_unknown_one_are_not_told(
    agent: Agent, question: str, query: str
) -> None:
    assert units(agent, question, query) == {}


def test_a_bound_that_is_not_converted_is_told(agent: Agent) -> None:
    question = "Which rivers are longer than 500 metres?"
    text = "a bound is held as it stands against values in kilometre"
    assert units(agent, question, LONG % "500") == {"bound_unit": text}
    assert units(agent, question, LONG % "0.5") == {}
    assert units(agent, "Which rivers are longer than 500 km?", LONG % "500") == {}
