"""Why the solver does not know, on the demo graph and on the small one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.lexical.looking import Watched
from triad.agent import Agent
from triad.answers import Reason, Unknown, WordUse
from triad.errors import AnswerError, SearchError
from triad.kg.profile import ClassProfile, GraphProfile, Use
from triad.language.analysis import analyse, load_pack
from triad.lexical.solver import solve
from triad.lexical.unknown import explain_unknown
from triad.questions import Question

Why = Callable[..., Unknown]


@pytest.fixture
def why(demo_agent: Agent) -> Why:
    """Ask the demo a question that it must be very sure of, and return why it does not know."""

    def unknown(text: str, language: str = "en", agent: Agent = demo_agent) -> Unknown:
        with pytest.raises(AnswerError) as caught:
            agent.answer(replace(agent.begin(Question(text, language)), min_confidence=0.999))
        assert caught.value.unknown is not None
        return caught.value.unknown

    return unknown


def reasons(unknown: Unknown) -> list[tuple[str, str]]:
    return [(reason.kind, reason.words) for reason in unknown.reasons]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the capital of Wakanda?", [("name", "Wakanda")]),
        ("Population of Wakanda", [("name", "Wakanda")]),
        ("Is Wakanda a country?", [("name", "Wakanda")]),
        ("Xyzzy Qwert?", [("name", "Xyzzy Qwert")]),
        ("Who founded Intle?", [("name", "Intle")]),
        ("What is the capital of wakanda?", [("words", "wakanda")]),
        ("What is the umbrella?", [("words", "umbrella")]),
        ("e", [("words", "e")]),
        ("What is n?", [("words", "n")]),
        ("What is the blood type of Gordon Moore?", [("relation", "blood type")]),
        ("Blood type of Gordon Moore", [("relation", "Blood type")]),
        ("Which rivers have a blood type?", [("relation", "blood type")]),
        ("How many stars does Intel have on GitHub?", [("relation", "stars"), ("name", "GitHub")]),
        ("What does Zorblax Industries manufacture?", [("name", "Zorblax Industries"), ("words", "manufacture")]),
    ],
)
def test_the_reason_names_the_words_that_nothing_accounts_for(
    why: Why, question: str, expected: list[tuple[str, str]]
) -> None:
    assert reasons(why(question)) == expected


def test_an_unknown_name_comes_with_near_ones(why: Why) -> None:
    [reason] = why("Who founded Intle?").reasons
    assert reason == Reason("name", "Intle", "nothing in the graph is called Intle; near: Intel", ("Intel",))


def test_a_name_in_small_letters_comes_with_near_ones_too(why: Why) -> None:
    [reason] = why("who founded intle?").reasons
    assert (reason.kind, reason.words, reason.near) == ("name", "intle", ("Intel",))
    [name, lacking] = why("blood type intle of Gordon Moore").reasons
    assert [(one.kind, one.words) for one in (name, lacking)] == [("words", "blood type"), ("name", "intle")]


@pytest.mark.slow(0.1)
def test_a_missing_property_comes_with_those_that_there_are(why: Why) -> None:
    unknown = why("What is the blood type of Gordon Moore?")
    assert str(unknown) == (
        "Gordon Moore has no 'blood type' here; there is: alma mater, birth date (When was Gordon Moore born?), "
        "birth place, death date"
    )
    assert str(why("Which rivers have a blood type?")) == (
        "no river has 'blood type' here; there is: country, city, length, river mouth, coordinates"
    )


def test_a_profile_says_what_a_class_has(demo_agent: Agent) -> None:
    ontology = "http://dbpedia.org/ontology/"
    has = Use(ontology + "length", 19, 19, 1.0, 1)
    profile = GraphProfile(classes=(ClassProfile(ontology + "River", outgoing=(has,)),))
    question = Question("Which rivers have a blood type?")
    analysis = analyse(question.text, load_pack("en"))
    unknown = explain_unknown(replace(demo_agent.begin(question), profile=profile), analysis, [])
    assert str(unknown) == "no river has 'blood type' here; there is: length"


def test_the_guess_comes_with_what_it_leaves_out_and_then_without_other_readings(why: Why) -> None:
    unknown = why("Which purple films did Stanley Kubrick direct?")
    assert unknown.guess is not None
    assert unknown.guess.method == "lexical"
    assert unknown.guess.values
    assert unknown.ignored == unknown.guess.ignored == ("purple",)
    assert unknown.readings == ()


def test_of_several_reasons_the_one_that_names_what_would_work_is_told() -> None:
    words, relation = Reason("words", "a", "a"), Reason("relation", "b", "b; there is: c")
    near = Reason("name", "hungray", "near: Hungary", ("Hungary",))
    assert [
        str(Unknown(Question("?"), some)) for some in ((words, relation, near), (words, relation), (words,), ())
    ] == ["near: Hungary", "b; there is: c", "a", ""]


@pytest.mark.slow(0.2)
def test_a_name_that_is_taken_in_place_of_another_is_told(why: Why, demo_agent: Agent) -> None:
    assert why("Who founded Intle?").substituted == (WordUse("Intle", "instead", "Intel"),)
    assert demo_agent.ask("Who founded Intle?").substituted == (WordUse("Intle", "instead", "Intel"),)
    assert demo_agent.ask("Who founded Intel?").substituted == ()


@pytest.mark.slow(0.2)
def test_an_answer_tells_what_it_leaves_out(demo_agent: Agent) -> None:
    assert demo_agent.ask("Who founded Intel?").ignored == ()
    assert demo_agent.ask("Which rivers have a blood type?", min_confidence=0).ignored == ("blood type",)


def test_what_is_doubted_for_no_other_reason_is_told_by_its_confidence(why: Why) -> None:
    unknown = why("Who founded Intel?")
    assert [reason.kind for reason in unknown.reasons] == ["doubt"]
    assert "less than 1.00" in str(unknown)
    assert unknown.ignored == ()


def test_what_is_named_and_not_connected_is_told_so(demo_agent: Agent) -> None:
    question = Question("Intel, Rhine?")
    unknown = explain_unknown(demo_agent.begin(question), analyse(question.text, load_pack("en")), [])
    assert [reason.kind for reason in unknown.reasons] == ["empty"]
    assert str(unknown) == "nothing in the graph connects what the question names"


@pytest.mark.slow(0.3)
def test_reasons_are_in_the_language_of_the_question(why: Why) -> None:
    assert str(why("Was ist die Hauptstadt von Wakanda?", "de")) == "nichts im Graphen heißt Wakanda"
    assert str(why("Quelle est la capitale du Wakanda ?", "fr")) == "rien dans le graphe ne s'appelle Wakanda"


def test_an_index_that_fails_leaves_the_question_unknown(demo_agent: Agent) -> None:
    class Away(Watched):
        def search_many(self, lookups: Any) -> Any:
            raise SearchError("the index is away")

    question = Question("What is the capital of Wakanda?")
    context = replace(demo_agent.begin(question), index=Away(demo_agent.graph))  # type: ignore[arg-type]
    unknown = explain_unknown(context, analyse(question.text, load_pack("en")), [])
    assert [reason.kind for reason in unknown.reasons] == ["empty"]


def test_without_a_least_confidence_every_answer_is_given(demo_agent: Agent) -> None:
    context = replace(demo_agent.begin(Question("What is the blood type of Gordon Moore?")), min_confidence=0.0)
    assert solve(context).values


@pytest.mark.parametrize("text", ["Hello", "What can you answer?"])
def test_who_greets_is_told_what_can_be_asked(why: Why, text: str) -> None:
    assert "It is about: " in str(why(text))


def test_what_no_noun_says_is_no_property(why: Why) -> None:
    assert str(why("How far is Gordon Moore?")) == "'far' was not understood"


@pytest.mark.slow(0.1)
def test_a_superlative_without_a_measure_comes_with_the_measures(why: Why) -> None:
    assert str(why("What is the cheapest river?")) == "no river has 'cheapest' here; there is: length"
