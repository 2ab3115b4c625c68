"""A turn of a conversation climbs the same ladder as a question."""

from __future__ import annotations

import pytest

from tests.phases.films import EX, NOTHING, Script, World, world
from triad.agent import Agent
from triad.conversation import Conversation
from triad.examples.nearest import Pair
from triad.models import ScriptedModel
from triad.routing.confirmed import ConfirmedQueries

__all__ = ["world"]


@pytest.mark.slow
def test_a_turn_of_which_the_solver_is_sure_costs_no_call(world: World) -> None:
    script = Script()
    talk = Conversation(Agent(world.graph, world.index, ScriptedModel(script)), language="en")
    turn = talk.ask("Which films did Stanley Kubrick direct?")
    assert turn.answer is not None
    assert (turn.answer.rung, script.asked) == ("solver", [])
    assert talk.ask("And David Lynch?").answer is not None
    assert script.asked == []


@pytest.mark.slow(0.2)
def test_what_is_left_out_of_a_sure_answer_stays_out_beside_a_model() -> None:
    script = Script()
    talk = Conversation(Agent.from_config("demo", model=ScriptedModel(script)), language="en")
    talk.ask("Who directed Arrival?")
    turn = talk.ask("What else did he direct?")
    assert turn.answer is not None
    assert "Arrival" not in {value.label for value in turn.answer.values}
    assert script.asked == []


@pytest.mark.slow
def test_where_another_reading_is_likelier_than_what_words_point_to_the_model_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    script = Script(rephrasing={"kind": "alone", "question": "", "things": []}, parsing=NOTHING)
    talk = Conversation(Agent.from_config("demo", model=ScriptedModel(script)), language="en")
    talk.ask("How long is the Rhine?")
    talk.ask("How long is the Danube?")
    monkeypatch.setattr("triad.conversation.choice._WEIGHTS", {"among": 1.0})
    talk.ask("so which of the two is longer?")
    assert script.asked[:1] == ["rephrasing"]


def test_a_turn_is_not_tried_again_and_the_graph_is_not_explored(world: World) -> None:
    script = Script(parsing=NOTHING)
    talk = Conversation(Agent(world.graph, world.index, ScriptedModel(script)), language="en")
    turn = talk.ask("Which gadgets came out after 2020?")
    assert turn.answer is None or not turn.answer.values
    assert set(script.asked) <= {"parsing", "rephrasing"}


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("sentence", [True, False])
def test_a_sentence_that_was_asked_for_is_the_models_though_the_solver_answered(world: World, sentence: bool) -> None:
    written = "It was Stanley Kubrick who made them."
    script = Script(sentence={"sentence": written})
    agent = Agent(world.graph, world.index, ScriptedModel(script))
    talk = Conversation(agent, language="en", sentence=sentence)
    turn = talk.ask("Who directed The Shining?")
    assert turn.answer is not None
    assert turn.answer.rung == "solver"
    assert turn.reply == (written if sentence else "Stanley Kubrick directed The Shining.")
    assert script.asked == (["sentence"] if sentence else [])


def test_a_confirmed_query_answers_with_a_sentence_of_the_model_and_a_follow_up_knows_what_it_named(
    world: World,
) -> None:
    written = "Stanley Kubrick directed it."
    agent = Agent(world.graph, world.index, ScriptedModel(Script(sentence={"sentence": written})))
    question = "Who is behind The Shining?"
    query = f"SELECT ?who {{ <{EX}Shining> a <{EX}Film> ; <{EX}director> ?who }}"
    agent.confirmed = ConfirmedQueries([Pair.of(question, query)])
    talk = Conversation(agent, language="en", sentence=True)
    turn = talk.ask(question)
    assert turn.answer is not None
    assert (turn.reply, turn.answer.query) == (written, query)
    assert {name: link.kind for name, link in turn.answer.links.items()} == {
        "The Shining": "entity",
        "film": "class",
        "director": "relation",
    }
    assert [(name, thing.iri) for name, thing in turn.things.items()] == [("The Shining", f"{EX}Shining")]
