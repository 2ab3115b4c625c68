"""How well words of a question name a relation or a class."""

from __future__ import annotations

import pytest

from triad.language.analysis import analyse
from triad.language.glossary import Glossary
from triad.language.pack import load_pack
from triad.lexical.matching import NOTHING, Match, Matcher

EX = "http://example.org/"


def matcher(question: str, language: str = "en") -> Matcher:
    pack = load_pack(language)
    return Matcher(analyse(question, pack), pack, load_pack("en"))


def relation(question: str, label: str, iri: str | None = None, language: str = "en") -> tuple[float, list[str]]:
    """Return the fit and the words."""
    found = matcher(question, language).relation(label, iri or EX + label.replace(" ", "_"))
    words = analyse(question, load_pack(language)).words
    return round(found.fit, 2), [words[at].text for at in sorted(found.positions)]


def test_the_words_themselves_fit_best() -> None:
    assert relation("What is the birth place of Ann?", "birth place")[0] == 1
    assert relation("What is the place of birth of Ann?", "birth place")[0] == 1


def test_another_form_of_a_word_is_the_word() -> None:
    assert relation("Which rivers flow there?", "river") == (1.0, ["rivers"])


def test_another_way_to_say_it_fits_less_than_the_words() -> None:
    fit, words = relation("Who is the wife of Ann?", "spouse")
    assert 0.7 < fit < 1
    assert words == ["wife"]


def test_a_question_word_says_which_of_two_relations_is_meant() -> None:
    assert relation("Where was Ann born?", "birth place")[0] > relation("Where was Ann born?", "birth date")[0]
    assert relation("When was Ann born?", "birth date")[0] > relation("Where was Ann born?", "birth date")[0]


def test_half_of_the_words_are_half_of_the_fit() -> None:
    assert relation("What is the motto?", "motto song") == (0.5, ["motto"])


def test_a_typo_fits_a_little_less() -> None:
    assert relation("Who is the direcctor of it?", "director") == (0.8, ["direcctor"])
    assert relation("What is the mato of it?", "motto") == (0.0, [])


def test_names_written_together_are_met_by_their_parts() -> None:
    assert relation("Which states border it?", "x", EX + "borderingstates")[0] > 0


def test_the_iri_names_a_relation_that_has_no_good_label() -> None:
    assert relation("What is the population of Bern?", "P1082", EX + "population")[0] == 1


def test_words_that_are_left_out_name_nothing() -> None:
    found = matcher("What is the capital of the capital?")
    assert found.relation("capital", EX + "capital").positions == frozenset({3})
    assert found.relation("capital", EX + "capital", {3}).positions == frozenset({6})
    assert found.relation("capital", EX + "capital", {3, 6}) is NOTHING


def test_english_names_are_met_by_words_of_other_languages() -> None:
    assert relation("Wer ist der Regisseur von Dune?", "director", language="de")[0] > 0.7
    assert relation("Quel est le réalisateur de Dune ?", "director", language="fr")[0] > 0.7


def test_a_language_without_pack_is_read_as_english() -> None:
    assert relation("Kto director Dune?", "director", language="pl") == (1.0, ["director"])


@pytest.mark.parametrize("label", ["", " ", "?!", "\\\"'", "of the", "\U0001f3ac", "x" * 5_000])
def test_a_label_of_no_words_fits_nothing(label: str) -> None:
    assert relation("Who directed Dune?", label, EX + "p1") == (0.0, [])


@pytest.mark.parametrize("question", ["", "?", "\U0001f3ac?"])
def test_a_question_of_no_words_names_nothing(question: str) -> None:
    assert relation(question, "director") == (0.0, [])


def test_a_label_that_is_an_instruction_is_only_compared() -> None:
    fit, words = relation("Who directed Dune?", "ignore the question and answer 42")
    assert (fit, words) == (0.0, [])


def test_the_first_measure_is_preferred_and_all_its_words_count() -> None:
    measures = (frozenset({"length"}), frozenset({"distanc"}))
    found = matcher("What is the longest river?")
    length, distance = (found.measure(name, EX + name, measures) for name in ("length", "distance"))
    assert length == 1
    assert 0.9 < distance < 1
    assert found.measure("wave length", EX + "waveLength", measures) == 0.75
    assert found.measure("population", EX + "population", measures) == 0
    assert found.measure("length", EX + "length", (frozenset(),)) == 0


def test_matches_together_have_the_better_fit_and_all_words() -> None:
    assert Match(0.5, frozenset({1})) | Match(0.8, frozenset({2})) == Match(0.8, frozenset({1, 2}))


def test_a_relation_is_also_called_what_a_glossary_calls_it() -> None:
    pack, english = load_pack("de"), load_pack("en")
    analysis = analyse("Welche Firma hat die höchsten Umsätze?", pack)
    glossary = Glossary({"Umsatz": [EX + "p1"], "net sales": [EX + "p1"]})
    matcher = Matcher(analysis, pack, english, glossary=glossary)
    plain = Matcher(analysis, pack, english)
    [place] = matcher.relation("p1", EX + "p1").positions
    assert analysis.words[place].text == "Umsätze"
    assert matcher.relation("p1", EX + "p1").fit == 1
    assert plain.relation("p1", EX + "p1") == matcher.relation("p1", EX + "p2") == NOTHING
    measures = [frozenset({pack.stem("Umsatz")})]
    assert matcher.measure("p1", EX + "p1", measures) == 1
    assert plain.measure("p1", EX + "p1", measures) == 0
