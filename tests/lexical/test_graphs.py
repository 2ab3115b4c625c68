"""Graphs of all shapes, and questions that are none: what comes of them is an answer, or an error that says why."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.errors import AnswerError
from triad.questions import Question

pytestmark = pytest.mark.slow

Open = Callable[[str], Agent]

PREFIXES = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
"""
GRAPHS = {
    "without labels": ":Berlin :capitalOf :Germany ; :population 3700000 .",
    "without classes": ':b rdfs:label "Berlin" ; :capitalOf :g . :g rdfs:label "Germany" .',
    "of blank nodes": '[] rdfs:label "Berlin" ; :capitalOf [ rdfs:label "Germany" ] .',
    "with a cycle": ':a rdfs:label "Berlin" ; :near :b . :b rdfs:label "Germany" ; :near :a , :b .',
    "of literals": ':a :name "Berlin" ; :note "Germany"@en ; :size 3 .',
    "of one triple": ":a :b :c .",
    "in French": ':a rdfs:label "Allemagne"@fr ; :capitale :b . :b rdfs:label "Berlin"@fr .',
    "with a circle of classes": ":A rdfs:subClassOf :B . :B rdfs:subClassOf :A . :Berlin a :A .",
    "with a text as a class": ':Berlin a "city" ; :size "3" , "big" .',
    "with nothing in it": "",
}
QUESTIONS = [
    "What is the capital of Germany?",
    "Is Berlin the capital of Germany?",
    "Which city is not the capital of Germany, and when was it founded before 1990?",
    "Germany or Berlin?",
    "!!!",
    "🙂 Berlin 🙂",
    'Berlin \\ " } SELECT * { ?s ?p ?o } #',
    "Кто столица Германии?",
    "word " * 1_000,
    "not",
    "and who?",
    "Berlin\x00Germany\n",
]


@pytest.mark.parametrize("shape", GRAPHS)
def test_a_graph_of_any_shape_gives_an_answer_or_says_that_there_is_none(open_text: Open, shape: str) -> None:
    agent = open_text(PREFIXES + GRAPHS[shape])
    for question in QUESTIONS:
        for language in ("en", "fr") if shape == "in French" else ("en",):
            with contextlib.suppress(AnswerError):
                agent.ask(Question(question, language))


@pytest.mark.parametrize(
    ("graph", "question", "expected"),
    [
        (GRAPHS["without labels"], "What is the population of Berlin?", "3700000"),
        (GRAPHS["without classes"], "What is the capital of Germany?", "Berlin"),
        (':a foaf:name "Ann" ; :boss :b . :b skos:prefLabel "Bob" .', "Who is the boss of Ann?", "Bob"),
        (':a rdfs:label "O\\"Neil \\\\ Co" ; :chief :b . :b rdfs:label "Bob" .', 'chief of O"Neil \\ Co', "Bob"),
    ],
)
def test_names_are_found_however_they_are_given(open_text: Open, graph: str, question: str, expected: str) -> None:
    assert list(map(str, open_text(PREFIXES + graph).ask(question).values)) == [expected]


def test_what_stands_behind_a_blank_node_is_found(open_text: Open) -> None:
    agent = open_text(
        PREFIXES
        + ':B rdfs:label "Belgium" . :D rdfs:label "Dutch" ; a :Language . :F rdfs:label "French" ; a :Language .'
        + "[] :languageInfo :B ; :onLanguage :D ; :percent 60 . [] :languageInfo :B ; :onLanguage :F ; :percent 40 ."
    )
    assert sorted(map(str, agent.ask("Which languages are spoken in Belgium?").values)) == ["Dutch", "French"]


def test_a_name_of_function_words_is_found_by_its_capitals(open_text: Open) -> None:
    agent = open_text(PREFIXES + ':t rdfs:label "They" ; :director :b . :b rdfs:label "Bob" .')
    assert list(map(str, agent.ask("Who is the director of They?").values)) == ["Bob"]


def test_an_adjective_alone_names_no_class(open_text: Open) -> None:
    agent = open_text(
        PREFIXES
        + ':a rdfs:label "Asken" ; :population 12 ; :capital :b . :b a :C ; rdfs:label "Besk" ; :population 30 .'
        + ':C rdfs:label "populated place" .'
    )
    assert list(map(str, agent.ask("What is the population of Asken?").values)) == ["12"]
