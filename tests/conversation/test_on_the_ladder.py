"""A turn of a conversation climbs the same ladder as a question."""

from __future__ import annotations

from tests.phases.films import NOTHING, Script, World, world
from triad.agent import Agent
from triad.conversation import Conversation
from triad.models import ScriptedModel

__all__ = ["world"]


def test_a_turn_of_which_the_solver_is_sure_costs_no_call(world: World) -> None:
    script = Script()
    talk = Conversation(Agent(world.graph, world.index, ScriptedModel(script)), language="en")
    turn = talk.ask("Which films did Stanley Kubrick direct?")
    assert turn.answer is not None
    assert (turn.answer.rung, script.asked) == ("solver", [])
    assert talk.ask("And David Lynch?").answer is not None
    assert script.asked == []


def test_a_turn_is_not_tried_again_and_the_graph_is_not_explored(world: World) -> None:
    script = Script(parsing=NOTHING)
    talk = Conversation(Agent(world.graph, world.index, ScriptedModel(script)), language="en")
    turn = talk.ask("Which gadgets came out after 2020?")
    assert turn.answer is None or not turn.answer.values
    assert set(script.asked) <= {"parsing", "rephrasing"}
