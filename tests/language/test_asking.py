from __future__ import annotations

import pytest

from triad.language.asking import Asking, Kind

ENGLISH = Asking("en")


@pytest.mark.parametrize(
    ("relation", "kind", "question"),
    [
        ("population", "numbers", "What is the population of Rome?"),
        ("capacity (MW)", "numbers", "What is the capacity of Rome?"),
        ("director", "texts", "Who is the director of Rome?"),
        ("parent company", "things", "What is the parent company of Rome?"),
        ("beds", "numbers", "How many beds does Rome have?"),
        ("number of pages", "numbers", "How many pages does Rome have?"),
        ("has capital", "places", "What is the capital of Rome?"),
        ("film director", "people", "Who directed Rome?"),
        ("founded by", "people", "Who was Rome founded by?"),
        ("is located in", "places", "Where is Rome located?"),
        ("commissioned", "dates", "When was Rome commissioned?"),
        ("based on", "things", "What is Rome based on?"),
        ("wrote", "things", "What did Rome write?"),
        ("flows through", "places", "What does Rome flow through?"),
        ("birth date", "dates", "When was Rome born?"),
    ],
)
def test_a_relation_is_asked_for_by_the_form_of_its_name(relation: str, kind: Kind, question: str) -> None:
    assert ENGLISH.value(relation, "Rome", kind) == question


@pytest.mark.parametrize(
    ("relation", "kind"),
    [
        ("citypop", "numbers"),
        ("active", "texts"),
        ("capital of", "places"),
        ("first ascent by", "people"),
        ("borders", "places"),
        ("date founded", "dates"),
        ("state province", "texts"),
        ("located in", "dates"),
        ("located in area", "places"),
        ("", "texts"),
        ("length feet", "numbers"),
        ("built year", "dates"),
        ("disposition of ship", "texts"),
    ],
)
def test_a_name_without_a_sure_form_is_not_asked_for(relation: str, kind: Kind) -> None:
    assert ENGLISH.value(relation, "Rome", kind) is None


def test_several_values_are_asked_for_in_the_plural() -> None:
    assert ENGLISH.value("band member", "Queen", "people", several=True) == "Who are the band members of Queen?"
    assert ENGLISH.value("language", "Peru", "things", several=True) == "What are the languages of Peru?"


def test_a_place_that_is_named_as_its_class_is_one_that_a_place_is_in() -> None:
    assert ENGLISH.value("country", "Rome", "places", in_place=True) == "Which country is Rome in?"
    assert ENGLISH.value("country", "the Rhine", "places", in_place=True, several=True) is None


def test_a_measure_has_the_superlative_that_people_say() -> None:
    asked = [ENGLISH.most("lake", name) for name in ("depth", "population", "elevation", "boats", "year", "citypop")]
    assert asked == [
        "Which lake is the deepest?",
        "Which lake has the largest population?",
        "Which lake has the highest elevation?",
        "Which lake has the most boats?",
        None,
        None,
    ]
    assert ENGLISH.most("country", "total area") == "Which country has the largest total area?"
    assert ENGLISH.most("student", "advisor") is None


def test_those_that_share_a_value_are_asked_for_in_the_plural() -> None:
    assert ENGLISH.having("company", "founded by", "Ada") == "Which companies were founded by Ada?"
    assert ENGLISH.having("film", "director", "Ada") == "Which films have Ada as their director?"
    assert ENGLISH.having("person", "wrote", "Emma") == "Which people wrote Emma?"
    assert ENGLISH.having("river", "flows through", "Rome") == "Which rivers flow through Rome?"
    assert ENGLISH.having("country", "borders", "Peru", alike=True) == "Which countries border Peru?"
    assert ENGLISH.having("film", "borders", "Peru") is None
    assert ENGLISH.having("film", "director", "Ada", count=True) == "How many films have Ada as their director?"


def test_what_leads_to_a_thing_may_name_it() -> None:
    assert ENGLISH.named("director", "Titanic") == "the director of Titanic"
    assert ENGLISH.named("wrote", "Ada") is None
    assert ENGLISH.most("river", "length", named=True) == "the longest river"
    assert ENGLISH.most("lake", "elevation", named=True) == "the lake with the highest elevation"


def test_names_that_fit_no_sentence_are_not_used() -> None:
    assert [ENGLISH.thing(name) for name in ("Ada", "17", "a_B", "ada", "X" * 60)] == ["Ada"] + [None] * 4
    assert ENGLISH.thing("Nile", ["river"]) == "the Nile"
    assert ENGLISH.thing("United Kingdom", ["country"]) == "the United Kingdom"
    assert ENGLISH.thing("Duke University") == "Duke University"
    assert ENGLISH.thing("Manchester United", ["club"]) == "Manchester United"
    assert ENGLISH.thing("Battle of Hastings") == "the Battle of Hastings"
    assert ENGLISH.count("furniture") is None
    assert ENGLISH.count("aircraft") == "How many aircraft are there?"
    assert ENGLISH.count("Works On") is None
    assert ENGLISH.count("body of water") == "How many bodies of water are there?"


def test_a_language_without_forms_asks_for_all_names_as_for_nouns_and_for_nothing_in_the_plural() -> None:
    german = Asking("de")
    assert german.value("Länge", "Rhein", "numbers") == "Länge von Rhein?"
    assert german.value("Geburtsort", "Rhein", "places") == "Wo wurde Rhein geboren?"
    assert german.count("Fluss") is None
    assert german.most("Fluss", "Länge") is None
    assert german.having("Fluss", "Land", "Rhein") is None
    assert german.named("Land", "Rhein") is None


def test_a_name_of_a_model_is_not_asked_about_for_it_may_have_an_article() -> None:
    asking = Asking("en")
    assert asking.thing("Boeing 737-800") is None
    assert asking.thing("Apollo 11") == "Apollo 11"
