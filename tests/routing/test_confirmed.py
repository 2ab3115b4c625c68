"""A query that a person confirmed answers its question, and no other."""

from __future__ import annotations

from tests.phases.films import EX, Script, World, steps, world
from triad.examples.nearest import Pair
from triad.questions import Candidate
from triad.routing.confirmed import CONFIDENCE, ConfirmedQueries

__all__ = ["world"]

DIRECTED = "Which films did Stanley Kubrick direct?"
KUBRICK = f"SELECT ?f {{ ?f a <{EX}Film> ; <{EX}director> <{EX}Kubrick> }}"
LYNCH = KUBRICK.replace("Kubrick", "Lynch")


def test_the_query_that_was_confirmed_last_answers_its_question_without_a_model(world: World) -> None:
    confirmed = ConfirmedQueries([Pair.of(DIRECTED, LYNCH), Pair.of(DIRECTED, KUBRICK)])
    script = Script()
    context = world.context(script, DIRECTED.lower())
    answer = confirmed.answer(context)
    assert answer is not None
    assert sorted(value.label for value in answer.values) == ["2001: A Space Odyssey", "The Shining"]
    assert (answer.query, answer.method, answer.confidence, script.asked) == (KUBRICK, "lexical", CONFIDENCE, [])
    assert answer.notes[-1] == "A person confirmed the query of this question."
    assert {step.phase for step in steps(context)} == {"construction", "answering"}


def test_what_a_confirmed_query_names_can_be_pointed_back_to(world: World) -> None:
    answer = ConfirmedQueries([Pair.of(DIRECTED, KUBRICK)]).answer(world.context(Script(), DIRECTED))
    assert answer is not None
    assert answer.links == {
        label: Candidate(EX + iri, kind, label, score=1.0, exact=True)  # type: ignore[arg-type]
        for label, iri, kind in (
            ("film", "Film", "class"),
            ("director", "director", "relation"),
            ("Stanley Kubrick", "Kubrick", "entity"),
        )
    }


def test_a_question_that_asks_for_yes_or_no_is_answered_so(world: World) -> None:
    ask = f"ASK {{ <{EX}Shining> <{EX}director> <{EX}Kubrick> }}"
    answer = ConfirmedQueries([Pair.of("Is it so?", ask)]).answer(world.context(Script(), "Is it so?"))
    assert answer is not None
    assert (answer.boolean, answer.answer_type) == (True, "boolean")


def test_another_question_has_no_confirmed_query(world: World) -> None:
    confirmed = ConfirmedQueries([Pair.of(DIRECTED, KUBRICK)])
    assert DIRECTED.upper() in confirmed
    assert "Who directed Dune?" not in confirmed
    assert confirmed.answer(world.context(Script(), "Who directed Dune?")) is None


def test_a_confirmed_query_that_may_not_run_now_is_left_aside_and_the_log_says_so(
    world: World, logged: list[str]
) -> None:
    confirmed = ConfirmedQueries([Pair.of(DIRECTED, "SELECT * { SERVICE <http://evil.example/> { ?s ?p ?o } }")])
    assert confirmed.answer(world.context(Script(), DIRECTED)) is None
    assert any(line.startswith("WARNING a query that was confirmed fails: “SERVICE") for line in logged)
