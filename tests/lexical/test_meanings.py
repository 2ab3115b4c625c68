"""What else a question may mean is told with its answer, and so is what was assumed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.lexical.conftest import Open
from triad import sparql
from triad.agent import Agent
from triad.answers import CLEAR_LEAD, Answer, Reading
from triad.errors import AnswerError
from triad.kg.base import SafeQuery
from triad.lexical.meanings import OFFERED, Rival, assumed, offered
from triad.questions import Question
from triad.rdf import IRI, Literal, ResultSet, Value

LANDS = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Country rdfs:label "country" . :City rdfs:label "city" . :Film rdfs:label "film" . :Novel rdfs:label "novel" .
:area rdfs:label "area" . :people rdfs:label "population" . :capital rdfs:label "capital" . :tax rdfs:label "tax rate" .
:released rdfs:label "release date" . :author rdfs:label "author" .
:ru a :Country ; rdfs:label "Russia" ; :area 17098246 ; :people 146000000 ; :tax 3 ; :capital :moscow .
:in a :Country ; rdfs:label "India" ; :area 3287263 ; :people 1428000000 ; :tax 2 ; :capital :delhi .
:fj a :Country ; rdfs:label "Fiji" ; :area 18274 ; :people 900000 ; :tax 1 ; :capital :suva .
:moscow a :City ; rdfs:label "Moscow" . :delhi a :City ; rdfs:label "Delhi" . :suva a :City ; rdfs:label "Suva" .
:dune a :Film ; rdfs:label "Dune" ; :released "1984-12-03"^^xsd:date .
:book a :Novel ; rdfs:label "Dune" ; :released "1965-08-01"^^xsd:date ; :author :h . :h rdfs:label "Frank Herbert" .
"""


@pytest.fixture
def lands(open_text: Open) -> Agent:
    return open_text(LANDS)


def said(agent: Agent, question: str) -> list[tuple[str, str]]:
    return [(one.taken, str(one)) for one in agent.ask(question, min_confidence=0).readings]


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("question", "readings"),
    [
        ("What is the largest country?", [("area", "Which country has the largest population? India")]),
        ("What is the capital of the largest country?",
         [("area", "What is the capital of the country with the largest population? Delhi")]),
        ("Which country is the largest by population?", []),  # the words say by what
        ("Which country has the largest area?", []),
        ("What is the smallest country?", []),  # which is the smallest either way
        ("Which country has the highest tax rate?", []),
    ],
)  # fmt: skip
def test_the_measure_of_a_superlative_that_does_not_say_by_what_is_told_with_the_others(
    lands: Agent, question: str, readings: list[tuple[str, str]]
) -> None:
    assert said(lands, question) == readings


def test_which_of_the_things_of_a_name_was_taken_is_told_though_it_is_likelier(lands: Agent) -> None:
    [(taken, other)] = said(lands, "When was Dune released?")
    assert {taken, other.partition("?")[0]} in (
        {"Dune (novel)", "What is the release date of Dune (film)"},
        {"Dune (film)", "What is the release date of Dune (novel)"},
    )


def test_a_reading_has_the_query_that_gives_its_answer(lands: Agent) -> None:
    [reading] = lands.ask("What is the largest country?").readings
    assert reading.query
    assert [str(row["answer"]) for row in lands.graph.select(SafeQuery(reading.query))] == ["http://example.org/in"]


def test_a_clearly_likelier_answer_has_no_readings_and_beside_a_sure_one_none_are_told(lands: Agent) -> None:
    assert lands.ask("What is the capital of Fiji?").readings == ()
    answer = lands.ask("What is the largest country?")
    assert answer.readings
    assert answer.told_readings == ()
    assert replace(answer, confidence=0.79).told_readings == answer.readings


def test_what_is_far_from_the_words_has_no_readings(lands: Agent) -> None:
    with pytest.raises(AnswerError) as caught:
        lands.ask("What is the anthem of Fiji?")
    unknown = caught.value.unknown
    assert unknown is not None
    assert (unknown.guess, unknown.readings) == (None, ())


def test_a_guess_that_nothing_but_its_confidence_speaks_against_has_readings(lands: Agent) -> None:
    with pytest.raises(AnswerError) as caught:
        lands.ask("When was Dune released?", min_confidence=0.79)
    unknown = caught.value.unknown
    assert unknown is not None
    assert unknown.guess is not None
    assert unknown.readings == unknown.guess.readings
    assert 0 < len(unknown.readings) <= OFFERED
    assert unknown.guess.text not in {one.answer for one in unknown.readings}


# Which are offered ----------------------------------------------------------------------------------------


def found(*names: str) -> ResultSet:
    return ResultSet(("x",), tuple((IRI(f"http://example.org/{name}"),) for name in names))


def rival(relation: str, likely: float, *names: str) -> Rival:
    return Rival(
        sparql.parse(f"SELECT ?x {{ <http://example.org/ru> <http://example.org/{relation}> ?x }}"),
        found(*names),
        likely,
    )


def offer(agent: Agent, *rivals: Rival, confidence: float = 0.5) -> list[Reading]:
    question, name = Question("Which?", "en"), "http://example.org/ru"
    rows = ((Value(IRI(name), "Russia"),),)
    answer = Answer(question, variables=("x",), rows=rows, text="Russia", confidence=confidence)
    tree = sparql.parse("SELECT ?x { ?x <http://example.org/area> ?y }")
    return [*offered(agent.begin(question), answer, tree, rivals)]


def test_the_likeliest_come_first_and_each_answer_once(lands: Agent) -> None:
    less, more = rival("capital", 0.3, "fj"), rival("people", 0.4, "in")
    same, again = rival("tax", 0.45, "ru"), rival("author", 0.28, "in")
    assert [str(one) for one in offer(lands, less, more, same, again)] == [
        "What is the population of Russia? India",
        "What is the capital of Russia? Fiji",
    ]


def test_what_is_clearly_less_likely_is_not_offered(lands: Agent) -> None:
    assert offer(lands, rival("people", 0.5 - CLEAR_LEAD - 0.01, "in")) == []
    assert len(offer(lands, rival("people", 0.5 - CLEAR_LEAD, "in"))) == 1


def test_many_values_are_counted(lands: Agent) -> None:
    tree = sparql.parse(
        "SELECT ?x { ?x a <http://example.org/Country> ; <http://example.org/capital> <http://example.org/suva> }"
    )
    [one] = offer(lands, Rival(tree, found(*(f"n{number:02}" for number in range(14))), 0.5))
    assert one.answer.startswith("n00; n01; ")
    assert one.answer.endswith("; n09, and 4 more")


@pytest.mark.parametrize(
    ("one", "other", "terms"),
    [
        ("SELECT ?x { ?x <ex:area> ?y } ORDER BY ?y LIMIT 1", "SELECT ?z { ?z <ex:height> ?h } ORDER BY ?h LIMIT 1",
         (IRI("ex:area"),)),
        ("SELECT ?x { ?x <ex:year> 2024 }", "SELECT ?x { ?x <ex:year> 2023 }",
         (Literal("2024", "http://www.w3.org/2001/XMLSchema#integer"),)),
        ("SELECT ?x { ?x <ex:area> ?y }", "SELECT ?x { ?x <ex:area> ?y ; <ex:height> ?z }", ()),
        ("SELECT ?x { ?x <ex:area> ?y }", "SELECT ?y { ?x <ex:height> ?y }", ()),
        ("SELECT ?x { ?x <ex:area> ?y }", "SELECT ?x { ?x <ex:area> ?y }", ()),
    ],
)  # fmt: skip
def test_what_is_assumed_is_the_one_term_in_which_queries_differ(
    lands: Agent, one: str, other: str, terms: tuple[object, ...]
) -> None:
    context = lands.begin(Question("Which?", "en"))
    assert assumed(context, sparql.parse(one), sparql.parse(other)) == terms
