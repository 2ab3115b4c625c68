from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.lexical.conftest import Open
from triad.agent import Agent
from triad.language.analysis import analyse, load_pack
from triad.lexical.solver import candidates
from triad.lexical.weights import load_weights
from triad.lexical.word_uses import word_uses
from triad.questions import Question

pytestmark = pytest.mark.slow(0.1)

DEMO = json.loads((Path(__file__).parents[2] / "configs" / "demo" / "questions.json").read_text(encoding="utf-8"))
ENGLISH = [text["string"] for one in DEMO["questions"] for text in one["question"] if text["language"] == "en"]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        (
            "What is the longest river in Germany?",
            {"longest": "the greatest length", "river": "river", "in Germany": "country: Germany"},
        ),
        ("Rivers with their length", {"Rivers": "river", "with their length": "column: length"}),
        ("Who founded Intle?", {"founded": "founded by", "Intle": "Intel"}),
        (
            "Which companies were founded before 1950?",
            {"companies": "company", "founded before 1950": "founding year < 1950"},
        ),
        ("What is the average length of the rivers?", {"average length": "average: length", "rivers": "river"}),
        ("How many films are there for each director?", {"How many films": "number: film"}),
        ("Which rivers have a blood type?", {"rivers": "river", "blood type": ""}),
    ],
)
def test_words_are_told_with_what_they_became(demo_agent: Agent, question: str, expected: dict[str, str]) -> None:
    words = demo_agent.ask(question, min_confidence=0).words
    assert {one.words: one.became for one in words}.items() >= expected.items()


def test_both_ways_to_read_a_question_tell_the_same(demo_agent: Agent) -> None:
    question = Question("Which rivers are in Germany?")
    context = demo_agent.begin(question)
    best = candidates(context, load_weights())[0]
    searched = word_uses(analyse(question.text, load_pack("en")), best, context.schema)
    assert not best.named  # nothing of it was read over the schema
    assert searched == demo_agent.ask(question).words


@pytest.mark.parametrize("question", ENGLISH[::4])
def test_every_word_with_content_is_told(demo_agent: Agent, question: str) -> None:
    pack = load_pack("en")
    analysis = analyse(question, pack)
    told = " ".join(one.words for one in demo_agent.ask(question, min_confidence=0).words)
    for at, word in enumerate(analysis.words):
        assert word.text in told or word.empty or at in analysis.used or pack.is_idle(word.text)


def test_what_words_became_is_told_in_the_language_of_the_question(demo_agent: Agent) -> None:
    answer = demo_agent.ask(Question("Welcher Fluss in Deutschland ist am längsten?", "de"))
    assert "größter Wert: Länge" in {one.became for one in answer.words}


def test_a_condition_of_a_class_holds_for_the_classes_below_it(open_text: Open) -> None:
    pumps = "".join(f":P{at} rdfs:subClassOf :Pump . :p{at} a :P{at} ; :power {at} . " for at in range(30))
    prefixes = "@prefix : <http://ex.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> ."
    agent = open_text(f"{prefixes} {pumps} :p30 a :Pump ; :power 1000 . :power rdfs:label 'power' .")
    answer = agent.ask("Which pumps have a power above average?", min_confidence=0)
    assert answer.query is not None
    assert "a / (rdfs:subClassOf*) :Pump" in answer.query
    assert [value.term.value for value in answer.values] == ["http://ex.org/p30"]
