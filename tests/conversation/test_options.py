from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.phases.films import EX, World
from triad.agent import Agent
from triad.conversation import Conversation
from triad.conversation.options import chosen, described, homonyms, meant, named_apart
from triad.conversation.turns import Interpretation
from triad.language.pack import load_pack
from triad.phases.context import Context
from triad.questions import Candidate, Question

ENGLISH = load_pack("en")

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:Person rdfs:label "person" . :River rdfs:label "river" . :City rdfs:label "city" .
:birth rdfs:label "birth date" . :mayor rdfs:label "mayor" . :length rdfs:label "length" .
:p1 a :Person ; rdfs:label "Ann Lee" ; :birth "1950-02-03"^^xsd:date .
:p2 a :Person ; rdfs:label "Ann Lee" ; :birth "1981-07-09"^^xsd:date .
:r a :River ; rdfs:label "Isar" ; :length 295 .
:c a :City ; rdfs:label "Isar" ; :mayor :p1 .
:n1 a :Person ; rdfs:label "Bo" . :n2 a :Person ; rdfs:label "Bo" .
"""


@pytest.fixture(scope="module")
def agent(cache_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Agent]:
    path = tmp_path_factory.mktemp("names") / "names.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRIAD_CACHE", str(cache_folder))
        with Agent(graph=str(path), model="none") as agent:
            yield agent


@pytest.fixture
def context(agent: Agent) -> Context:
    return agent.begin(Question("?"))


def iris(things: list[Candidate]) -> set[str]:
    return {one.iri.removeprefix(EX) for one in things}


# Things of one name ---------------------------------------------------------------------------------------


@pytest.mark.slow(0.4)
def test_things_of_one_name_are_found_and_those_of_similar_names_are_not(context: Context, world: World) -> None:
    assert iris(homonyms(context, "Isar")) == {"r", "c"}
    assert iris(homonyms(context, "ann lee")) == {"p1", "p2"}
    assert homonyms(context, "Ann") == []
    films = Agent(world.graph, world.index).begin(Question("?"))
    assert iris(homonyms(films, "The Shining")) == {"Shining"}


def test_of_two_that_a_relation_connects_the_better_known_one_is_meant(world: World) -> None:
    context = Agent(world.graph, world.index).begin(Question("?"))
    assert iris(homonyms(context, "Dune")) == {"DuneFilm"}  # the film is based on the novel


def test_they_are_told_apart_by_their_classes(context: Context) -> None:
    assert sorted(described(context, homonyms(context, "Isar"))) == ["Isar (city)", "Isar (river)"]


def test_else_by_their_descriptions(context: Context) -> None:
    things = [Candidate(EX + name, "entity", "Bo", description=text) for name, text in (("n1", "a"), ("n2", "b"))]
    assert described(context, things) == ["Bo (a)", "Bo (b)"]


def test_else_by_a_value_that_differs(context: Context) -> None:
    assert sorted(described(context, homonyms(context, "Ann Lee"))) == ["Ann Lee (1950)", "Ann Lee (1981)"]


def test_else_by_their_addresses(context: Context) -> None:
    assert sorted(described(context, homonyms(context, "Bo"))) == [f"Bo (<{EX}n1>)", f"Bo (<{EX}n2>)"]


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("How long is the river Isar?", {"r"}),  # by its class
        ("What is the length of Isar?", {"r"}),  # by what only it has
        ("Who is the mayor of Isar?", {"c"}),
        ("What is Isar?", {"r", "c"}),
        ("Is Isar a river or a city?", {"r", "c"}),
        ("What colour is Isar?", {"r", "c"}),
    ],
)
def test_which_of_them_is_meant_a_class_or_a_relation_may_tell(
    context: Context, question: str, wanted: set[str]
) -> None:
    assert iris(meant(context, ENGLISH, question, "Isar", homonyms(context, "Isar"))) == wanted


@pytest.mark.parametrize(("known", "wanted"), [(50, {"r", "c"}), (5, {"r"}), (6, {"r", "c"}), (0, {"r"})])
def test_else_the_one_that_is_far_better_known(context: Context, known: int, wanted: set[str]) -> None:
    two = [
        Candidate(EX + "c", "entity", "Isar", popularity=known),
        Candidate(EX + "r", "entity", "Isar", popularity=50),
    ]
    assert iris(meant(context, ENGLISH, "What is Isar?", "Isar", two)) == wanted


# Choices --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("1", 0),
        ("2", 1),
        ("the second", 1),
        ("the last one", 1),
        ("the first one please", 0),
        ("Isar (city)", "city"),
        ("the river", "river"),
        ("the rivers", "river"),
        ("city please", "city"),
        ("Isar", None),
        ("3", None),
        ("how long is the river Isar from its source to its mouth?", None),
        ("", None),
    ],
)
def test_a_choice_is_a_number_a_place_a_name_or_words_that_fit_one(
    context: Context, text: str, wanted: int | str | None
) -> None:
    whole = Interpretation("", "How long is Isar?")
    options = named_apart(context, whole, "Isar", homonyms(context, "Isar"))
    assert {one.question for one in options} == {whole.question}
    found = chosen(context, ENGLISH, text, options)
    by_label = {one.label: one for one in options}
    expected = options[wanted] if isinstance(wanted, int) else by_label.get(f"Isar ({wanted})")
    assert found == expected


# In a conversation ----------------------------------------------------------------------------------------


def test_the_user_chooses_among_things_of_one_name(agent: Agent) -> None:
    conversation = Conversation(agent, language="en")
    asked = conversation.ask("When was Ann Lee born?")
    assert (asked.kind, asked.dependent) == ("clarification", True)
    assert {one.label for one in asked.options} == {"Ann Lee (1950)", "Ann Lee (1981)"}
    assert conversation.ask("the 1981 one").reply == "Ann Lee was born on July 9, 1981."


def test_what_only_one_of_them_has_needs_no_question(agent: Agent) -> None:
    turn = Conversation(agent, language="en").ask("What is the length of Isar?")
    assert turn.kind == "question"
    assert turn.answer is not None
    assert [value.label for value in turn.answer.values] == ["295"]


def test_what_was_spoken_of_is_meant_again(agent: Agent) -> None:
    conversation = Conversation(agent, language="en")
    conversation.ask("When was Ann Lee born?")
    conversation.ask("the 1981 one")
    assert conversation.ask("When was Ann Lee born?").kind == "question"
