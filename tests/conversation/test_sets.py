from __future__ import annotations

import pytest

from triad.agent import Agent
from triad.answers import Answer
from triad.conversation.referents import pair
from triad.conversation.sets import AboutSet, points_to_set, set_of, set_of_pair
from triad.conversation.turns import Turn, things_of
from triad.language.acts import without_joining
from triad.language.follow_ups import FollowUp
from triad.language.pack import load_pack
from triad.phases.context import Context
from triad.questions import AnswerSet, Question
from triad.rdf import IRI, Literal, Value

DBO = "http://dbpedia.org/ontology/"
DBR = "http://dbpedia.org/resource/"
RIVERS = f"SELECT DISTINCT ?river {{ ?river a <{DBO}River> . ?river <{DBO}country> <{DBR}Germany> }}"
ENGLISH = load_pack("en")


@pytest.fixture
def context(demo_agent: Agent) -> Context:
    return demo_agent.begin(Question("?"))


@pytest.fixture
def about(context: Context) -> AboutSet:
    return AboutSet.of(context, ENGLISH, AnswerSet(DBO + "River", RIVERS, "river"))


def entity(name: str) -> Value:
    return Value(IRI(DBR + name), name.replace("_", " "))


def answer(query: str | None, *columns: tuple[str, tuple[Value, ...]], **more: object) -> Answer:
    names, values = zip(*columns, strict=True) if columns else ((), ())
    rows = tuple(zip(*values, strict=True))
    return Answer(Question("?"), query=query, variables=tuple(names), rows=rows, **more)  # type: ignore[arg-type]


MOORE = f"SELECT ?x {{ <{DBR}Intel> <{DBO}foundedBy> ?x }}"
FOUNDERS = (entity("Gordon_Moore"), entity("Robert_Noyce"))


# The class of an answer -----------------------------------------------------------------------------------


def test_the_class_of_an_answer_is_the_one_that_its_query_names(context: Context) -> None:
    found = set_of(context, answer(RIVERS, ("river", (entity("Rhine"), entity("Elbe")))))
    assert found == AnswerSet(DBO + "River", RIVERS, "river")


def test_else_it_is_the_smallest_that_its_entities_have_in_common(context: Context) -> None:
    found = set_of(context, answer(MOORE, ("x", FOUNDERS)))
    assert found is not None
    profile = context.profile
    assert profile is not None
    sizes = {one.iri: one.instances for one in profile.classes}
    rows = context.graph.lookup(f"SELECT ?c {{ <{DBR}Gordon_Moore> a ?c . <{DBR}Robert_Noyce> a ?c }}")
    assert sizes[found.cls] == min(sizes[str(row["c"])] for row in rows if str(row["c"]) in sizes)


def test_entities_without_a_class_in_common_are_no_set(context: Context) -> None:
    mixed = (entity("Rhine"), entity("Robert_Noyce"))
    query = f"SELECT ?x {{ VALUES ?x {{ <{DBR}Rhine> <{DBR}Robert_Noyce> }} }}"
    found = set_of(context, answer(query, ("x", mixed)))
    assert found is None or found.cls not in (DBO + "River", DBO + "Scientist")


def test_what_is_counted_is_a_set(context: Context) -> None:
    query = f"SELECT (COUNT(DISTINCT ?river) AS ?n) {{ ?river a <{DBO}River> . ?river <{DBO}country> <{DBR}Germany> }}"
    four = Value(Literal("4"), "4")
    found = set_of(context, answer(query, ("n", (four,)), answer_type="count"))
    assert found is not None
    assert (found.cls, found.variable) == (DBO + "River", "river")
    assert "COUNT" not in found.query


def test_of_several_columns_the_first_with_entities_is_the_set(context: Context) -> None:
    lengths = (Value(Literal("1230"), "1230"), Value(Literal("1094"), "1094"))
    rivers = (entity("Rhine"), entity("Elbe"))
    query = f"SELECT ?length ?river {{ ?river a <{DBO}River> ; <{DBO}length> ?length }}"
    both = answer(query, ("length", lengths), ("river", rivers))
    assert things_of(both) == ("river", [DBR + "Rhine", DBR + "Elbe"])
    found = set_of(context, both)
    assert found is not None
    assert found.variable == "river"


def test_numbers_a_yes_and_an_answer_without_a_query_are_no_sets(context: Context) -> None:
    number = (Value(Literal("1"), "1"),)
    assert things_of(answer("SELECT ?x { ?x ?y 1 }", ("x", number))) == (None, [])
    assert set_of(context, answer("SELECT ?x { ?y ?z ?x }", ("x", number))) is None
    assert set_of(context, answer(None, ("x", FOUNDERS))) is None
    assert set_of(context, answer("ASK { ?x ?y ?z }", boolean=True)) is None


def test_two_things_that_were_spoken_of_are_a_set(context: Context) -> None:
    turn = Turn("Who founded Intel?", "Who founded Intel?", answer=answer(MOORE, ("x", FOUNDERS)))
    found = set_of_pair(context, pair([turn]))
    assert found is not None
    assert DBR + "Gordon_Moore" in found.query
    assert DBR + "Robert_Noyce" in found.query
    assert set_of_pair(context, []) is None


# Its words ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("which of these is the longest?", "which rivers is the longest?"),
        ("how many of them are there?", "how many rivers are there?"),
        ("the ones in Germany", "which rivers in Germany"),
        ("and only those in Germany", "which rivers in Germany"),
        ("of these longer than 1000 km", "which rivers longer than 1000 km"),
        ("what is their length?", "what is length of the rivers?"),
        ("how long are they?", "how long are the rivers?"),
        ("which have bridges over them?", "which rivers have bridges?"),
        ("which have bridges over them?", "which have bridges over the rivers?"),
        ("do their mouths lie in Spain?", "do mouths of the rivers lie in Spain?"),
        ("are there any of them in Spain?", "are there any of the rivers in Spain?"),
        ("how long are these, and those?", "how long are the rivers, and the rivers?"),
    ],
)
def test_words_for_the_answer_become_its_class(about: AboutSet, text: str, question: str) -> None:
    assert question in about.explicit(text)


@pytest.mark.parametrize(
    "text", ["which rivers are there?", "how many long lakes are there?", "who is he?", "how long is the Rhine?"]
)
def test_other_words_do_not(about: AboutSet, text: str) -> None:
    assert about.explicit(text) == []
    assert "there?" not in text or about.pointed(text) == []


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("how long is that river?", ["how long is the rivers?"]),
        ("who owns that boat?", ["who owns the rivers?"]),
        ("how long is it?", ["how long is the rivers?"]),
        ("what is its length?", ["what is length of the rivers?"]),
        (
            "what is the length of it and its width?",
            ["what is the length of it and width of the rivers?", "what is the length of the rivers and its width?"],
        ),
        ("is there one?", []),
        ("who is her captain?", []),
    ],
)
def test_words_for_one_thing_become_the_noun_of_the_answer(about: AboutSet, text: str, questions: list[str]) -> None:
    assert about.pointed(text) == questions


@pytest.mark.parametrize(
    ("text", "named", "single", "alone"),
    [
        ("the rivers", True, True, True),
        ("who named the river?", True, True, True),
        ("the names of the rivers", True, True, True),
        ("how long are those rivers?", True, True, True),
        ("the rivers in Spain", True, True, False),
        ("how long is that river?", False, True, False),
        ("how long is that boat?", False, False, False),
        ("the longest rivers", False, False, False),
        ("rivers", False, False, False),
    ],
)
def test_the_class_with_an_article_or_a_demonstrative_names_the_answer(
    about: AboutSet, text: str, named: bool, single: bool, alone: bool
) -> None:
    assert about.is_named(text) is named
    assert about.is_named(text, single=True) is single
    assert about.is_named(text, alone=True) is alone


@pytest.mark.parametrize(
    ("text", "points"),
    [("which of these?", True), ("the ones", True), ("both of them", True), ("rivers", False), ("which?", False)],
)
def test_words_for_the_things_of_an_answer_point_to_them(text: str, points: bool) -> None:
    assert points_to_set(text, ENGLISH) is points


def test_that_stands_for_several_things_only_where_it_may(about: AboutSet) -> None:
    assert about.explicit("how long are those?") == ["how long are the rivers?"]


def test_words_for_two_things_are_words_of_their_own(about: AboutSet) -> None:
    assert about.explicit("which of the two is longer?", pair=True) == ["which rivers is longer?"]
    assert about.explicit("which of the three is longer?", pair=True) == []


@pytest.mark.parametrize(
    ("text", "follow_up"),
    [
        ("the ones longer than 1000 km", FollowUp("only", what="longer than 1000 km")),
        ("and the ones in Germany?", FollowUp("only", what="in Germany")),
        ("the ones", None),
        ("in Germany", None),
    ],
)
def test_what_is_said_of_the_ones_can_be_kept(about: AboutSet, text: str, follow_up: FollowUp | None) -> None:
    assert about.kept(text) == follow_up


def test_words_that_only_join_are_left_out() -> None:
    assert without_joining("and the longest?", ENGLISH) == "the longest"
    assert without_joining("and", ENGLISH) == "and"


def test_a_text_without_a_noun_is_completed_in_several_ways(about: AboutSet) -> None:
    assert list(about.completed("which is the longest?")) == ["which rivers is the longest?"]
    assert next(about.completed("longer than 1000 km")) == "which rivers longer than 1000 km"
    assert list(about.completed("how many per country?")) == ["how many rivers per country?"]
    assert list(about.completed("the longest")) == ["which rivers the longest", "the longest of the rivers"]
    assert list(about.completed("length")) == ["length of the rivers", "which rivers length"]


def test_a_condition_is_told_from_a_property(about: AboutSet) -> None:
    assert about.is_condition("in Germany")
    assert about.is_condition("longer than 1000 km")
    assert not about.is_condition("length")
