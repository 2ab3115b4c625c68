"""Replies: the answer in a sentence, why there is none, what explains it, and which of several things is meant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.conversation.talks import DUNE, KUBRICK, SHINING, turn
from tests.phases.films import EX, World
from triad.answers import Answer, Reason, Unknown
from triad.conversation import Turn
from triad.conversation.replies import ask_back, explained, guessed, in_a_sentence, unknown
from triad.language.pack import load_pack
from triad.questions import Candidate, Question
from triad.rdf import IRI, XSD, Literal, Triple, Value

ENGLISH = load_pack("en")


def named(*labels: str) -> tuple[tuple[Value, ...], ...]:
    return tuple((Value(IRI(EX + label.replace(" ", "_")), label),) for label in labels)


def answer(*labels: str, **more: Any) -> Answer:
    return Answer(Question("?"), **{"variables": ("x",), "rows": named(*labels), "confidence": 0.9, **more})


@pytest.mark.parametrize(
    ("given", "reply"),
    [
        (answer("Rhine"), "Rhine."),
        (answer("Acme Inc."), "Acme Inc."),
        (answer("Who?"), "Who?"),
        (answer("And then..."), "And then."),
        (answer("Rhine", "Elbe"), "Rhine and Elbe."),
        (answer("Rhine", "Elbe", "Po"), "Rhine, Elbe and Po."),
        (answer("Rome, Italy", "Paris", "Berlin"), "Rome, Italy; Paris and Berlin."),
        (answer(*"abcdefgh"), "a, b, c, d, e, f, g and h."),
        (answer(*"abcdefghi"), "a, b, c, d, e, and 4 more (9 in all)."),
        (answer(*"abcdefghi", truncated=True), "a, b, c, d, e, and 4 more (9+ in all)."),
        (answer(boolean=True), "Yes."),
        (answer(boolean=False), "No."),
        (answer(), "I don't know: the graph has no answer to that."),
        (answer(text="red"), "I don't know: the graph has no answer to that."),
        (answer(text="red", source="model"), "red. (from the model's own knowledge, not from the graph)"),
    ],
)
def test_values_are_told_in_a_line(given: Answer, reply: str) -> None:
    assert in_a_sentence(ENGLISH, "?", given) == reply


def test_rows_are_told_with_what_they_belong_to() -> None:
    [[rhine], [elbe]] = named("Rhine", "Elbe")
    long, short = (Value(Literal(number, XSD + "integer"), number) for number in ("1233", "1094"))
    rows = answer(variables=("river", "length"), rows=((rhine, long), (elbe, short)))
    assert in_a_sentence(ENGLISH, "How long are the rivers?", rows) == "Rhine: 1233 and Elbe: 1094."
    again = answer(variables=("river", "name"), rows=((rhine, rhine), (elbe, None)))
    assert in_a_sentence(ENGLISH, "?", again) == "Rhine and Elbe."


def test_a_relation_that_was_only_guessed_is_no_part_of_a_sentence() -> None:
    question = "Who directed Dune?"
    sure = answer("David Lynch", method="lexical", links={"directed": Candidate(EX + "d", "relation", "director")})
    for score, label, reply in (
        (1.0, "director", "David Lynch directed Dune."),
        (0.5, "director", "David Lynch."),
        (0.0, "maker", "David Lynch."),
        (0.0, "directed", "David Lynch directed Dune."),
    ):
        links = {"directed": Candidate(EX + "d", "relation", label, score=score)}
        assert in_a_sentence(ENGLISH, question, replace(sure, links=links)) == reply
        by_model = replace(sure, links=links, method="model")
        assert in_a_sentence(ENGLISH, question, by_model) == "David Lynch directed Dune."


def test_the_reason_that_helps_most_is_given() -> None:
    question = Question("?")
    doubt, name = Reason("doubt", "", "in doubt"), Reason("name", "Qwert", "nothing is called Qwert")
    assert unknown(ENGLISH, Unknown(question, (name,))) == "I don't know: nothing is called Qwert."
    assert unknown(ENGLISH, Unknown(question)) == "I don't know: the graph has no answer to that."
    assert guessed(ENGLISH, "?", answer("Rhine"), Unknown(question, (doubt,))) == "Perhaps: Rhine."
    told = guessed(ENGLISH, "?", answer("Rhine"), Unknown(question, (name,)))
    assert told == "I don't know: nothing is called Qwert. Perhaps: Rhine."


def test_an_answer_is_explained_by_its_facts_else_by_its_query(world: World) -> None:
    context = world.context()

    def told(one: Turn) -> str:
        return explained(context, ENGLISH, one)

    fact = Triple(IRI(SHINING.iri), IRI(EX + "director"), IRI(KUBRICK.iri))
    released = Triple(IRI(DUNE.iri), IRI(EX + "released"), Literal("1984-12-03", XSD + "date"))
    base = turn("Who directed The Shining?", SHINING, answers=(KUBRICK,))
    assert base.answer is not None
    facts = replace(base, answer=replace(base.answer, provenance=(fact, released), query="SELECT"))
    assert told(facts) == (
        "Because the graph says:\n- The Shining – director – Stanley Kubrick\n- Dune – release date – 1984-12-03"
    )
    many = replace(base, answer=replace(base.answer, provenance=(fact,) * 20))
    assert told(many).count("\n") == 8
    assert told(replace(base, answer=replace(base.answer, query="ASK { }"))) == "This query gave the answer:\nASK { }"
    assert told(base) == "There is no query to show: the last answer does not come from one."
    own = replace(base, reply="Red.", answer=replace(base.answer, source="model"))
    assert told(own) == "Red. (from the model's own knowledge, not from the graph)"


def test_without_an_answer_why_says_why_there_is_none(world: World) -> None:
    context, question = world.context(), Question("?")
    name = Reason("name", "Qwert", "nothing is called Qwert")
    for one, reply in (
        (Turn("?", "?", unknown=Unknown(question, (name,))), "I don't know: nothing is called Qwert."),
        (Turn("?", "?", error="too slow"), "I don't know: the graph has no answer to that. (too slow)"),
        (Turn("hello", "hello"), "There is no answer yet to go on from."),
    ):
        assert explained(context, ENGLISH, one) == reply


def test_options_have_numbers_and_a_line_each() -> None:
    assert ask_back(ENGLISH, ["Ann\nLee", "Bo"]) == "Which one do you mean?\n1. Ann Lee\n2. Bo"
