from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.cases import cases
from tests.conversation.talks import DUNE, KUBRICK, LYNCH, NEW_YORK, SHINING, turn
from triad.answers import Answer
from triad.conversation.resolving import Understood
from triad.questions import Question
from triad.rdf import XSD, Literal, Value

Understand = Callable[..., Understood]

DIRECTED = turn("Who directed The Shining?", SHINING, answers=(KUBRICK,))
FILMS = turn("Which films did Stanley Kubrick direct?", KUBRICK, answers=(SHINING, DUNE))


def question(understood: Understood) -> str:
    assert len(understood.interpretations) == 1, understood.interpretations
    return understood.interpretations[0].question


def test_a_first_question_stands_alone(understand: Understand) -> None:
    understood = understand("When was it released?")
    assert question(understood) == "When was it released?"
    assert not understood.dependent
    assert understood.certain


@pytest.mark.parametrize(("asked", "meant"), cases(__file__, "test_words_that_point_back_are_replaced_by_names"))
def test_words_that_point_back_are_replaced_by_names(understand: Understand, asked: str, meant: str) -> None:
    understood = understand(asked, DIRECTED)
    assert understood.interpretations[0].question == meant
    assert understood.dependent


@pytest.mark.parametrize(
    "asked",
    [
        "Who directed Dune?",
        "Is Dune longer than the novel it is based on?",
        "Did David Lynch direct his first film in Missoula?",
        "Is there a film of David Lynch?",
        "What is the longest film?",
    ],
)
def test_a_question_that_needs_nothing_from_before_stays_as_it_is(understand: Understand, asked: str) -> None:
    understood = understand(asked, DIRECTED)
    assert question(understood) == asked
    assert not understood.dependent


def test_a_question_with_a_name_and_nothing_that_points_back_needs_no_model(understand: Understand) -> None:
    assert understand("Who directed Dune?", DIRECTED).certain
    assert not understand("Who directed the longest film?", DIRECTED).certain
    assert not understand("What is the longest film?", DIRECTED).certain


def test_one_thing_that_a_pronoun_may_mean_needs_no_model(understand: Understand) -> None:
    assert understand("Where was he born?", turn("Who is Stanley Kubrick?", KUBRICK)).certain
    two = turn("Did Stanley Kubrick know David Lynch?", KUBRICK, LYNCH)
    assert not understand("Where was he born?", two).certain


def test_the_thing_is_remembered_with_its_iri(understand: Understand) -> None:
    [reading] = understand("When was it released?", DIRECTED).interpretations
    assert reading.known == {"The Shining": SHINING}


def test_two_equally_good_readings_are_both_given(understand: Understand) -> None:
    understood = understand("Where was he born?", turn("Did Stanley Kubrick know David Lynch?", KUBRICK, LYNCH))
    assert [reading.label for reading in understood.interpretations] == ["Stanley Kubrick", "David Lynch"]
    assert understood.interpretations[1].question == "Where was David Lynch born?"


def test_what_the_graph_can_answer_decides_between_two_things(understand: Understand) -> None:
    two = turn("Is Stanley Kubrick from New York?", KUBRICK, NEW_YORK)
    assert question(understand("What is its population?", two)) == "What is New York's population?"


def test_a_relation_of_an_earlier_thing_outweighs_a_later_thing(understand: Understand) -> None:
    born = turn("Where was Stanley Kubrick born?", KUBRICK, answers=(NEW_YORK,))
    assert question(understand("When was it released?", DIRECTED, born)) == "When was The Shining released?"
    assert question(understand("What is its population?", DIRECTED, born)) == "What is New York's population?"


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("Where was the former born?", "Where was Stanley Kubrick born?"),
        ("Where was the latter born?", "Where was David Lynch born?"),
        ("Where was the second one born?", "Where was David Lynch born?"),
    ],
)
def test_of_two_the_former_and_the_latter_are_told_apart(understand: Understand, asked: str, meant: str) -> None:
    two = turn("Did Stanley Kubrick or David Lynch direct Dune?", KUBRICK, LYNCH)
    assert question(understand(asked, two)) == meant


def test_two_turns_may_name_the_former_and_the_latter(understand: Understand) -> None:
    turns = [turn("Who directed The Shining?", SHINING), turn("Who directed Dune?", DUNE)]
    assert question(understand("When was the former released?", *turns)) == "When was The Shining released?"


def test_a_part_may_repeat_words_of_the_question_before(understand: Understand) -> None:
    before = turn("Which scenes play aboard The Shining?", SHINING)
    assert question(understand("And aboard Dune?", before)) == "Which scenes play aboard Dune?"
    assert not understand("And beneath Dune?", before).certain


def test_a_part_completes_a_question_that_says_a_name_in_its_own_way(understand: Understand) -> None:
    before = replace(turn("Who directed The Shining?"), things={"La brillance": replace(SHINING, label="La brillance")})
    assert question(understand("And Dune?", before)) == "Who directed Dune?"


def test_a_name_that_the_graph_does_not_have_is_no_relation(understand: Understand) -> None:
    assert question(understand("And The Piano?", DIRECTED)) == "Who directed The Piano?"


def test_a_noun_that_the_graph_does_not_know_is_one_of_what_was_spoken_of(understand: Understand) -> None:
    lived = turn("What is the population of New York?", NEW_YORK)
    assert question(understand("Who is the mayor?", lived)) == "Who is the mayor of New York?"


@pytest.mark.parametrize("asked", ["Who was born then?", "Who was born in that year?", "Who was born at that time?"])
def test_then_is_the_year_of_the_last_answer(understand: Understand, asked: str) -> None:
    rows = ((Value(Literal("1980-05-23", XSD + "date"), "1980-05-23"),),)
    answer = Answer(Question("?"), variables=("x",), rows=rows)
    released = replace(turn("When was The Shining released?", SHINING), answer=answer)
    understood = understand(asked, released)
    assert question(understood) == "Who was born in 1980?"
    assert understood.dependent


def test_less_good_readings_are_kept(understand: Understand) -> None:
    later = turn("Who directed Dune?", DUNE, answers=(LYNCH,))
    understood = understand("When was it released?", DIRECTED, later)
    assert "When was The Shining released?" in [reading.question for reading in understood.others]


def test_a_name_is_no_relation(understand: Understand) -> None:
    assert not understand("What about Tacoma?", turn("Which films are there?")).dependent


def test_a_thing_takes_the_place_of_one_of_its_kind_only(understand: Understand) -> None:
    assert question(understand("What about New York?", DIRECTED)) != "Who directed New York?"


def test_a_word_that_asks_nothing_repeats_no_question(understand: Understand) -> None:
    assert not understand("and then?", DIRECTED).dependent


def test_a_question_without_things_hides_nothing_before_it(understand: Understand) -> None:
    assert question(understand("And Dune?", DIRECTED, turn("Which films are there?"))) == "Who directed Dune?"


def test_there_is_a_place(understand: Understand) -> None:
    born = turn("Where was Stanley Kubrick born?", answers=(NEW_YORK,))
    assert question(understand("Who died there?", born)) == "Who died in New York?"
    assert question(understand("Who is from there?", born)) == "Who is from New York?"


def test_they_are_the_list_before(understand: Understand) -> None:
    [reading] = understand("When were they released?", FILMS).interpretations
    assert [one.iri for one in reading.each] == [SHINING.iri, DUNE.iri]
    assert reading.question == "When were The Shining released?"


def test_the_latest_turn_counts_most(understand: Understand) -> None:
    later = turn("Who directed Dune?", DUNE, answers=(LYNCH,))
    assert question(understand("When was it released?", DIRECTED, later)) == "When was Dune released?"
    assert question(understand("Where was he born?", DIRECTED, later)) == "Where was David Lynch born?"


def test_a_pronoun_stands_for_nothing_of_another_kind(understand: Understand) -> None:
    understood = understand("Where was he born?", turn("What is Dune?", DUNE))
    assert question(understood) == "Where was he born?"
    assert not understood.dependent


def test_a_label_with_the_possessed_in_it_is_not_doubled(understand: Understand) -> None:
    assert (
        question(understand("When was its shining?", turn("What is The Shining?", SHINING))) == "When was The Shining?"
    )


@pytest.mark.parametrize(("language", "asked", "meant"), cases(__file__, "test_other_languages_point_back_too"))
def test_other_languages_point_back_too(understand: Understand, language: str, asked: str, meant: str) -> None:
    alone = turn("Who directed Dune?" if asked.startswith("Und") else "?", DUNE if asked == "Und Dune?" else KUBRICK)
    assert question(understand(asked, alone, language=language)) == meant


def test_a_language_without_words_is_left_to_the_model(understand: Understand) -> None:
    assert not understand("Kje se je rodil on?", DIRECTED, language="sl").certain
