"""What is not in the graph is said to be so, and the model's own knowledge is asked of names only."""

from __future__ import annotations

import pytest

from tests.phases.films import NOTHING, Script, World, world
from tests.routing.conftest import Make
from tests.routing.test_ladder import DIRECTED, KUBRICK, MISSING, UNKNOWN
from triad.agent import Agent
from triad.errors import AnswerError
from triad.models import ScriptedModel
from triad.route import Route

__all__ = ["world"]


@pytest.mark.slow(0.1)
def test_what_the_graph_does_not_know_is_declined_in_two_calls(make: Make) -> None:
    script = Script(parsing="SELECT ?x { <Zaphod_Beeblebrox> <birth_place> ?x }", answering=UNKNOWN)
    with pytest.raises(AnswerError) as caught:
        make(script).ask("Where was Zaphod Beeblebrox born?")
    assert len(script.asked) <= 2
    assert caught.value.unknown is not None
    assert "Zaphod Beeblebrox" in str(caught.value.unknown)


def test_own_knowledge_is_asked_of_a_name_and_marked(make: Make) -> None:
    known = {"known": True, "answer": "Betelgeuse"}
    script = Script(parsing="SELECT ?x { <Zaphod_Beeblebrox> <birth_place> ?x }", answering=known)
    answer = make(script).ask("Where was Zaphod Beeblebrox born?", min_confidence=0)
    assert (answer.text, answer.source, answer.rung) == ("Betelgeuse", "model", "knowledge")


def test_the_models_own_knowledge_may_be_all_that_is_asked(make: Make) -> None:
    script = Script(answering={"known": True, "answer": "Betelgeuse"})
    answer = make(script, rungs=("knowledge",)).ask("Where was Zaphod Beeblebrox born?", min_confidence=0)
    assert (answer.text, answer.answer_type, answer.rung) == ("Betelgeuse", "select", "knowledge")


def test_another_try_may_say_what_the_graph_lacks(make: Make) -> None:
    lacks = {"answer_type": "select", "sparql": "", "not_in_graph": "films by Stanley Kubrick", "general": False}
    script = Script(parsing=[NOTHING, lacks])
    with pytest.raises(AnswerError, match="this is not in the graph: films by Stanley Kubrick"):
        make(script, rungs=("template", "repair", "exploration", "knowledge")).ask(DIRECTED)
    assert script.asked == ["parsing", "parsing"]


def test_own_knowledge_of_a_yes_or_no_is_one(make: Make) -> None:
    script = Script(parsing="ASK { <Zaphod> <birth_place> <Betelgeuse> }", answering={"known": True, "answer": "yes"})
    answer = make(script, rungs=("template", "knowledge")).ask("Was Zaphod born on Betelgeuse?", min_confidence=0)
    assert (answer.boolean, answer.answer_type, answer.source) == (True, "boolean", "model")


def test_own_knowledge_is_not_asked_where_the_graph_has_an_answer(make: Make) -> None:
    script = Script(parsing=KUBRICK)
    answer = make(script, rungs=("template", "knowledge"), content=1).ask(DIRECTED)
    assert (answer.rung, script.asked) == ("template", ["parsing"])


def test_own_knowledge_is_not_asked_for_a_list_of_the_graphs_own_things(make: Make) -> None:
    script = Script(parsing=NOTHING, exploration=MISSING)
    with pytest.raises(AnswerError) as caught:
        make(script, rungs=("template", "exploration", "knowledge")).ask("Which films came out after 2020?")
    assert script.asked == ["parsing", "exploration"]
    assert caught.value.unknown is not None
    [reason] = caught.value.unknown.reasons
    assert (reason.kind, reason.words, reason.text) == ("empty", "Which films came out after 2020?", MISSING["text"])


def test_with_one_try_nothing_is_tried_again(make: Make) -> None:
    script = Script(parsing=NOTHING, answering=UNKNOWN)
    cards = {"advisor": {"tries": 1, "own_knowledge": "none"}}
    with pytest.raises(AnswerError):
        make(script, cards=cards, rungs=("template", "repair", "exploration", "knowledge")).ask("Which films?")
    assert script.asked == ["parsing"]


def test_that_nothing_is_what_users_define_is_the_answer(world: World) -> None:
    words = {"classic": {"of": "film", "where": "release date < 1900-01-01"}}
    script = Script(parsing="SELECT ?f { ?f a <classic> }", exploration=MISSING)
    route = Route(rungs=("solver", "template", "exploration", "knowledge"), sure=1)
    agent = Agent(world.graph, world.index, ScriptedModel(script), words=words, route=route)
    with pytest.raises(AnswerError) as declined:
        agent.ask("Which classics are there?")
    assert script.asked == ["parsing"]
    assert declined.value.unknown is not None
    [reason] = declined.value.unknown.reasons
    assert (reason.kind, reason.words) == ("empty", "classic")
    assert reason.text == "nothing here is 'classic': film with release date < 1900-01-01"


def test_a_union_with_a_name_that_nothing_has_keeps_the_others_and_says_so(make: Make) -> None:
    union = (
        "SELECT DISTINCT ?f { { ?f a <film> ; <director> <Stanley_Kubrick> } UNION { ?f a <xylophone_concerto> } } "
        "ORDER BY ?f"
    )
    answer = make(Script(parsing=union), rungs=("template",)).ask(DIRECTED)
    assert len(answer.values) == 2
    assert answer.notes == ("nothing in the graph is called xylophone concerto",)


def test_what_the_graph_lacks_of_an_answer_is_said_with_the_rest(make: Make) -> None:
    reply = {"answer_type": "select", "sparql": KUBRICK, "not_in_graph": "the reviews of films"}
    answer = make(Script(parsing=reply), rungs=("template",)).ask(
        "Which films did Stanley Kubrick direct, and reviews?"
    )
    assert len(answer.values) == 2
    assert answer.notes == ("this is not in the graph: the reviews of films",)
