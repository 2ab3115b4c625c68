"""A query is asked for as a person would ask, or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from triad import Agent, sparql
from triad.kg.guard import check
from triad.queries.questions import Questions

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:River rdfs:label "river" . :City rdfs:label "city" . :Country rdfs:label "country" . :Person rdfs:label "person" .
:length rdfs:label "length" . :country rdfs:label "country" . :mayor rdfs:label "mayor" . :motto rdfs:label "motto" .
:twinTown rdfs:label "twin town" . :river rdfs:label "river" . :website rdfs:label "website" .
:birthDate rdfs:label "birth date" . :capital rdfs:label "capital" . :Waterway rdfs:label "waterway" .
:Rhine a :River ; rdfs:label "Rhine" ; :length 1233 ; :country :Germany , :France .
:Elbe a :River , :Waterway ; rdfs:label "Elbe" .
:Spree a :River ; rdfs:label "Spree" ; :length 400 ; :country :Germany .
:Germany a :Country ; rdfs:label "Germany" . :France a :Country ; rdfs:label "France" .
:Bonn a :City ; rdfs:label "Bonn" ; :river :Rhine ; :country :Germany ; :mayor :Ada ; :twinTown :Lyon ;
  :motto "Freude" ; :capital false ; :website "http://bonn.example/" .
:Lyon a :City ; rdfs:label "Lyon" ; :country :France ; :mayor :Max , :Eve ; :motto "Lyon" .
:Ada a :Person ; rdfs:label "Ada Lang" ; :birthDate "1970-05-01"^^xsd:date .
:Max a :Person ; rdfs:label "Max Roy" . :Eve a :Person ; rdfs:label "Eve Noir" .
"""


@pytest.fixture(scope="module")
def agent(kept_file: Callable[[str, str], Path]) -> Iterator[Agent]:
    with Agent(kept_file("towns.ttl", TURTLE)) as agent:
        yield agent


def asked(agent: Agent, query: str, language: str = "en", **names: str) -> str | None:
    tree = sparql.parse(f"PREFIX : <http://example.org/> {query}")
    rows = [] if tree.ask else agent.graph.select(check(tree)).rows
    values = [term for row in rows for term in row[:1] if term is not None]
    called = {f"http://example.org/{name}": text for name, text in names.items()}
    return Questions(agent.schema, agent.profile, language).of(tree, values, called)


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("SELECT ?x { :Rhine :length ?x }", "What is the length of the Rhine?"),
        ("SELECT ?x { :Bonn :motto ?x }", "What is the motto of Bonn?"),
        ("SELECT ?x { :Bonn :mayor ?x }", "Who is the mayor of Bonn?"),
        ("SELECT ?x { :Lyon :mayor ?x }", "Who are the mayors of Lyon?"),
        ("SELECT ?x { :Ada :birthDate ?x }", "When was Ada Lang born?"),
        ("SELECT ?x { :Bonn :country ?x }", "Which country is Bonn in?"),
        ("SELECT ?x { :Bonn :mayor ?m . ?m :birthDate ?x }", "When was the mayor of Bonn born?"),
        ("SELECT ?x { :Bonn :twinTown ?t . ?t :mayor ?x }", "Who are the mayors of the twin town of Bonn?"),
        ("SELECT ?x { ?x :twinTown :Lyon }", "Which cities have Lyon as their twin town?"),
        ("SELECT ?x { ?x :motto 'Freude' }", "Which cities have Freude as their motto?"),
        ("SELECT ?x { ?x a :River ; :country :Germany }", "Which rivers have Germany as their country?"),
        (
            "SELECT (COUNT(?x) AS ?n) { ?x a :River ; :country :France }",
            "How many rivers have France as their country?",
        ),
        (
            "SELECT (COUNT(?x) AS ?n) { ?x :country :Germany }",  # two rivers and a city
            "How many things have Germany as their country?",
        ),
        ("SELECT (COUNT(?x) AS ?n) { ?x a :River }", "How many rivers are there?"),
        ("SELECT ?x { ?x a :River ; :length ?l } ORDER BY DESC(?l) LIMIT 1", "Which river is the longest?"),
        (
            "SELECT ?c { ?x a :River ; :length ?l ; :country ?c } ORDER BY DESC(?l) LIMIT 1",
            "What is the country of the longest river?",
        ),
    ],
)
def test_a_query_is_put_as_a_person_would_ask(agent: Agent, query: str, question: str) -> None:
    assert asked(agent, query) == question


@pytest.mark.parametrize(
    "query",
    [
        "ASK { :Bonn :river :Rhine }",
        "SELECT ?x { :Nowhere :river ?x }",  # nothing is found
        "SELECT ?x ?y { ?x :mayor ?y }",
        "SELECT ?x { ?y :river ?r . ?r :length ?x }",  # nothing is named
        "SELECT ?x { :Bonn :river ?x ; :mayor :Ada }",  # the mayor would not be told
        "SELECT ?x { :Bonn :river ?x OPTIONAL { ?x :length ?l } }",
        "SELECT ?x { :Bonn :river ?x MINUS { ?x :length 3 } }",
        "SELECT ?x { :Bonn :river ?x BIND(1 AS ?one) }",
        "SELECT ?x { :Bonn :river ?x { ?x :length 1 } UNION { ?x :length ?l } }",
        "SELECT ?x { ?x a :River ; :length ?l FILTER(?l > 500) }",
        "SELECT ?x { ?x a :River ; :length ?l } ORDER BY ?l LIMIT 1",  # the least
        "SELECT (COUNT(?x) AS ?n) { ?x a :River ; :length ?l } ORDER BY DESC(?l) LIMIT 1",
        "SELECT ?x (COUNT(?y) AS ?n) { ?y :country ?x } GROUP BY ?x",
        "SELECT ?x { :Lyon :motto ?x }",  # the answer is in the question
        "SELECT ?x { :Bonn :website ?x }",  # nobody asks for an address
        "SELECT ?x { :Bonn :capital ?x }",  # it is asked by yes or no
    ],
)
def test_what_there_are_no_words_for_is_not_asked(agent: Agent, query: str) -> None:
    assert asked(agent, query) is None


def test_a_thing_is_called_as_it_is_told_from_others(agent: Agent) -> None:
    query = "SELECT ?x { :Bonn :mayor ?x }"
    assert asked(agent, query, Bonn="Bonn on the Rhine") == "Who is the mayor of Bonn on the Rhine?"


def test_of_the_classes_of_a_thing_the_rarest_says_most(agent: Agent) -> None:
    questions = Questions(agent.schema, agent.profile, "en")
    assert questions.class_of("http://example.org/Elbe") == "http://example.org/Waterway"
    assert questions.class_of("http://example.org/Nowhere") is None


def test_it_is_asked_in_the_language_of_the_question(agent: Agent) -> None:
    assert asked(agent, "SELECT ?x { :Bonn :motto ?x }", "de") == "Motto von Bonn?"
