"""Answers in the words of their questions."""

from __future__ import annotations

import pytest

from triad.language.pack import load_pack
from triad.language.telling import in_question_words


def told(question: str, values: str, *names: str, language: str = "en", **about: bool) -> str | None:
    return in_question_words(load_pack(language), question, names, values, **about)


@pytest.mark.parametrize(
    ("question", "values", "sentence"),
    [
        ("Who founded Intel?", "Ann and Bob", "Ann and Bob founded Intel"),
        ("Which river flows through Ulm?", "Danube", "Danube flows through Ulm"),
        ("Which films did Ann Lee direct?", "Dune", "Ann Lee directed Dune"),
        ("Which countries does the Rhine flow through?", "France", "The Rhine flows through France"),
        ("What did Ann write?", "Emma", "Ann wrote Emma"),
        ("In which city was Ann born?", "Ulm", "Ann was born in Ulm"),
        ("Where was Ann born?", "Ulm", "Ann was born in Ulm"),
        ("When was Acme founded?", "1968", "Acme was founded in 1968"),
        ("Which year did the fair Acme happen in?", "1968", "The fair Acme happened in 1968"),
        ("When did the battle take place?", "1968", "The battle took place in 1968"),
        ("Where did the battle take place?", "Ulm", "The battle took place in Ulm"),
        ("When did Ann start to work at Acme?", "1968", "Ann started to work at Acme in 1968"),
        ("How many films did Ann direct?", "4", "Ann directed 4 films"),
        ("How many countries are there?", "9", "There are 9 countries"),
        ("How many countries are there?", "1", "There is 1 country"),
        ("How many professors are there?", "9", "There are 9 professors"),
        ("How many countries border Peru?", "5", "5 countries border Peru"),
        ("What is Peru's capital?", "Lima", "Peru's capital is Lima"),
        ("Which lake is the deepest?", "Baikal", "Baikal is the deepest"),
        ("List the names of all climbers.", "Ann", "The name of all climbers is Ann"),
        ("Which packages do not depend on anything?", "a", "A does not depend on anything"),
    ],
)
def test_a_sentence_has_the_words_of_the_question(question: str, values: str, sentence: str) -> None:
    names = ("Intel", "Ulm", "Ann Lee", "Ann", "the Rhine", "Acme", "Peru", "professors")
    assert told(question, values, *names, several=" and " in values) == sentence


@pytest.mark.parametrize(
    ("question", "several", "sentence"),
    [
        ("Who is the founder of Acme?", True, "The founders of Acme are X"),
        ("What are the languages of Peru?", False, "The language of Peru is X"),
        ("Which rivers flow through Ulm?", False, "X flows through Ulm"),
        ("Which river flows through Ulm?", True, "X flow through Ulm"),
        ("Which film was directed by Ann?", True, "X were directed by Ann"),
        ("Who has won the prize?", True, "X have won the prize"),
    ],
)
def test_verbs_and_nouns_have_the_number_of_what_is_told(question: str, several: bool, sentence: str) -> None:
    assert told(question, "X", "Acme", "Peru", "Ulm", "Ann", several=several) == sentence


def test_yes_and_no_are_told_with_what_is_so_and_what_is_not() -> None:
    assert told("Did Ann write Emma?", "Yes.", "Ann", "Emma", truth=True) == "Yes, Ann wrote Emma"
    assert told("Did Ann write Emma?", "No.", "Ann", "Emma", truth=False) == "No, Ann did not write Emma"
    assert told("Is Lima the capital of Peru?", "No.", "Lima", truth=False) == "No, Lima is not the capital of Peru"
    assert told("Are there any lakes?", "No.", truth=False) == "No, there are no lakes"


def test_a_whole_date_is_one_that_something_is_on() -> None:
    assert told("When did Ann die?", "May 1, 1990", "Ann", whole_date=True) == "Ann died on May 1, 1990"


def test_languages_whose_forms_are_not_known_are_told_where_the_words_fit_as_they_are() -> None:
    assert told("Wer hat Emma geschrieben?", "Ann", "Emma", language="de") == "Ann hat Emma geschrieben"
    assert told("Wer hat Emma geschrieben?", "A und B", language="de", several=True) == "A und B haben Emma geschrieben"
    assert told("Wer schrieb Emma?", "A und B", "Emma", language="de", several=True) is None
    assert (
        told("Ist Lima die Hauptstadt?", "", "Lima", language="de", truth=False)
        == "Nein, Lima ist nicht die Hauptstadt"
    )
    assert told("¿Quién escribió Emma?", "Ann", "Emma", language="es") == "Ann escribió Emma"


def test_what_fits_no_pattern_is_no_sentence() -> None:
    assert told("films by Ann", "Dune", "Ann") is None
    assert told("How high is Ben Nevis?", "1345", "Ben Nevis") is None
