"""What pronouns may stand for: who and what was spoken of, and how well each fits."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conversation.talks import DUNE, KUBRICK, LYNCH, NEW_YORK, SHINING, thing, turn
from tests.phases.films import World
from triad.answers import Answer
from triad.conversation import Turn
from triad.conversation.referents import Referent, class_labels, class_names, fitting, pair, referents, time_of
from triad.language.pack import load_pack
from triad.language.turn_schema import Feature
from triad.questions import Candidate, Question
from triad.rdf import XSD, Literal, Value

ENGLISH = load_pack("en")
ALPHABET = thing("Alphabet", "The Alphabet", "Short")
FILMS = turn("Which films did Stanley Kubrick direct?", KUBRICK, answers=(SHINING, DUNE))
DIRECTED = turn("Who directed The Shining?", SHINING, answers=(KUBRICK,))


def alone(*things: Candidate, **more: Any) -> list[Referent]:
    return [Referent(one.label, (one,), **more) for one in things]


def names(found: list[Referent]) -> list[str]:
    return [one.name for one in found]


# What was spoken of ---------------------------------------------------------------------------------------


def test_what_a_question_names_comes_before_what_its_answer_gives() -> None:
    assert names(referents([DIRECTED])) == ["The Shining", "Stanley Kubrick"]


def test_the_latest_turn_comes_first_and_each_thing_once() -> None:
    later = turn("Who directed Dune?", DUNE, answers=(LYNCH,))
    found = referents([FILMS, DIRECTED, later])
    assert names(found)[:4] == ["Dune", "David Lynch", "The Shining", "Stanley Kubrick"]
    assert [one.age for one in found[:4]] == [0, 0, 1, 1]
    assert len({one.things for one in found}) == len(found)


def test_a_list_is_one_thing_and_each_of_its_things_is_one_of_a_list() -> None:
    whole, *single = referents([FILMS])[1:]
    assert (whole.name, whole.is_list, whole.given, whole.listed) == ("The Shining, Dune", True, False, False)
    assert [(one.name, one.is_list, one.listed) for one in single] == [
        ("The Shining", False, True),
        ("Dune", False, True),
    ]


def test_a_long_list_is_named_by_its_first_three_and_its_things_are_not_single() -> None:
    many = tuple(thing(f"T{at}", f"T{at}", "Film") for at in range(6))
    assert names(referents([turn("?", answers=many)])) == ["T0, T1, T2"]
    assert len(referents([turn("?", answers=many[:5])])) == 6


def test_the_only_answer_was_given_and_what_two_turns_name_was_gone_on_with() -> None:
    shining, kubrick = referents([FILMS, DIRECTED])[:2]
    assert (shining.given, kubrick.given) == (False, True)
    born = turn("Where was Stanley Kubrick born?", KUBRICK)
    assert [one.continued for one in referents([FILMS, born])][:1] == [True]
    assert [one.continued for one in referents([DIRECTED, born])][:1] == [False]


def test_only_the_last_five_turns_are_looked_back_on() -> None:
    others = [turn(f"{at}?") for at in range(5)]
    assert names(referents([DIRECTED, *others[:4]])) == ["The Shining", "Stanley Kubrick"]
    assert referents([DIRECTED, *others]) == []


def test_who_was_called_she_is_not_he(world: World) -> None:
    married = turn("Who is she married to?", KUBRICK, answers=(LYNCH,), dependent=True)
    kubrick, lynch = referents([married], ENGLISH)
    assert (kubrick.called, lynch.called) == ("woman", None)
    assert fits(world, [kubrick, lynch], "man")[0] == "David Lynch"
    assert referents([turn("Who is she married to?", KUBRICK)], ENGLISH)[0].called is None  # it points back to nobody


# Two things -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turns", "two"),
    [
        ([FILMS], ["The Shining", "Dune"]),
        ([turn("Did he know him?", KUBRICK, LYNCH)], ["Stanley Kubrick", "David Lynch"]),
        ([turn("?", SHINING), turn("?", DUNE)], ["The Shining", "Dune"]),
        ([DIRECTED, turn("Who directed Dune?", DUNE, answers=(LYNCH,))], ["Stanley Kubrick", "David Lynch"]),
        ([FILMS, turn("?", SHINING)], ["The Shining", "Dune"]),
        ([turn("?", SHINING), turn("?", SHINING)], []),
        ([DIRECTED], []),
        ([], []),
        ([FILMS, *[turn("?")] * 5], []),
    ],
)
def test_two_things_are_those_of_one_turn_or_of_the_last_two(turns: list[Turn], two: list[str]) -> None:
    assert names(pair(turns)) == two


# Then -----------------------------------------------------------------------------------------------------


def dated(label: str, kind: str = "date") -> Turn:
    rows = ((Value(Literal(label, XSD + kind), label),),)
    return Turn("?", "?", answer=Answer(Question("?"), variables=("x",), rows=rows))


@pytest.mark.parametrize(
    ("turns", "year"),
    [
        ([dated("1980-05-23")], "1980"),
        ([dated("-0044-03-15")], "0044"),
        ([dated("1980", "integer")], None),
        ([dated("1980-05-23"), turn("Who died in 1999?")], "1999"),
        ([turn("Was it 1968 or 1980?")], "1980"),
        ([turn("Who has 12.1980 points?")], None),
        ([turn("Who has 31980 points?")], None),
        ([dated("1980-05-23"), *[turn("?")] * 4], "1980"),
        ([dated("1980-05-23"), *[turn("?")] * 5], None),
    ],
)
def test_then_is_the_year_of_the_last_date_or_of_the_last_question_that_names_one(
    turns: list[Turn], year: str | None
) -> None:
    assert time_of(turns) == year


# What fits ------------------------------------------------------------------------------------------------


def fits(world: World, found: list[Referent], *features: Feature, question: str = "?") -> list[str]:
    return names(fitting(world.context(), ENGLISH, found, features, question))


def test_a_pronoun_stands_for_its_kind(world: World) -> None:
    found = alone(SHINING, KUBRICK, NEW_YORK)
    assert fits(world, found, "man") == ["Stanley Kubrick"]
    assert fits(world, found, "thing") == ["The Shining", "New York"]
    assert fits(world, found, "place")[0] == "New York"
    assert fits(world, [*found, Referent("both", (SHINING, DUNE))], "group")[0] == "both"


def test_a_list_is_only_meant_by_words_for_several(world: World) -> None:
    both = [Referent("both", (KUBRICK, LYNCH))]
    assert fits(world, both, "group") == ["both"]
    assert fits(world, both, "man") == fits(world, both, "thing") == fits(world, both, "place") == []
    assert fits(world, [Referent("cities", (NEW_YORK, thing("Tacoma", "Tacoma", "City")))], "place") == ["cities"]


def test_what_is_not_in_the_graph_may_be_anything(world: World) -> None:
    unknown = alone(Candidate("", "entity", "Wakanda"))
    for feature in ("man", "woman", "thing", "place", "group"):
        assert fits(world, unknown, feature) == ["Wakanda"]


def test_what_was_spoken_of_last_is_rather_meant_than_what_was_before(world: World) -> None:
    [lynch], [kubrick] = alone(LYNCH, age=0), alone(KUBRICK, age=1)
    assert fits(world, [kubrick, lynch], "man") == ["David Lynch", "Stanley Kubrick"]
    [continued] = alone(KUBRICK, continued=True)
    assert fits(world, [lynch, continued], "man") == ["Stanley Kubrick", "David Lynch"]
    [given] = alone(KUBRICK, given=True)
    assert fits(world, [lynch, given], "man") == ["Stanley Kubrick", "David Lynch"]
    [listed] = alone(KUBRICK, listed=True)
    assert fits(world, [listed, lynch], "man") == ["David Lynch", "Stanley Kubrick"]


def test_a_relation_that_the_question_names_outweighs_what_was_spoken_of_last(world: World) -> None:
    [kubrick], [lynch] = alone(KUBRICK, age=1), alone(LYNCH)
    assert fits(world, [lynch, kubrick], "man", question="What is his death place?") == [
        "Stanley Kubrick",
        "David Lynch",
    ]


def test_without_anything_of_the_kind_a_relation_may_tell(world: World) -> None:
    found = alone(KUBRICK)
    assert fits(world, found, "thing", question="What is its birth place?") == ["Stanley Kubrick"]
    assert fits(world, found, "thing", question="What is its colour?") == []


def test_the_first_meaning_of_a_pronoun_comes_first(world: World) -> None:
    found = alone(SHINING, KUBRICK)
    assert fits(world, found, "thing", "man") == ["The Shining", "Stanley Kubrick"]
    assert fits(world, found, "man", "thing") == ["Stanley Kubrick", "The Shining"]


# Classes --------------------------------------------------------------------------------------------------


def test_a_thing_is_of_its_classes_and_of_those_above_them(world: World) -> None:
    assert class_names(world.context(), ALPHABET) == {"short film", "short", "film"}
    assert class_labels(world.context(), ALPHABET) == ["short film"]
    untyped = Candidate(ALPHABET.iri, "entity", "The Alphabet")
    assert class_names(world.context(), untyped) == {"short film", "short", "film"}
    assert class_names(world.context(), Candidate("", "entity", "Wakanda")) == set()
