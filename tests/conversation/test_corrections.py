from __future__ import annotations

from collections.abc import Callable

import pytest

from triad.agent import Agent
from triad.conversation import Conversation, Turn

Talk = Callable[..., Conversation]


def said(agent_or_talk: Conversation, *texts: str) -> Turn:
    return [agent_or_talk.ask(text) for text in texts][-1]


@pytest.fixture
def demo(demo_agent: Agent) -> Conversation:
    return Conversation(demo_agent)


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("texts", "reply"),
    [
        (["What is the capital of Italy?", "no, I meant Spain"], "The capital of Spain is Madrid."),
        (["What is the capital of Italy?", "Spain, not Italy"], "The capital of Spain is Madrid."),
        (["What is the capital of Italy?", "no, the population"], "The population of Rome is 2,750,000."),
        (["How large is Italy?", "sorry, I meant France. What is its capital?"], "France's capital is Paris."),
    ],
)
def test_another_name_or_another_relation_is_meant(demo: Conversation, texts: list[str], reply: str) -> None:
    assert said(demo, *texts).reply == reply


def test_the_last_turn_is_taken_for_what_was_meant(demo: Conversation) -> None:
    turn = said(demo, "What is the capital of Italy?", "no, I meant Spain")
    assert turn.corrects
    assert demo.ask("undo").kind == "undo"
    assert demo.ask("undo").reply == "There is nothing to undo."


@pytest.mark.slow(0.1)
def test_the_other_of_two_is_meant(demo: Conversation) -> None:
    turn = said(demo, "Who founded Intel?", "When was Gordon Moore born?", "no, the other one")
    assert (turn.corrects, turn.reply) == (True, "Robert Noyce was born on December 12, 1927.")


@pytest.mark.slow(0.1)
def test_the_other_option_is_meant(demo: Conversation) -> None:
    turn = said(demo, "Who founded Intel?", "when was he born?", "1", "no, the other one")
    assert (turn.corrects, turn.reply) == (True, "Robert Noyce was born on December 12, 1927.")


def test_another_thing_of_the_same_name_is_meant(talk: Talk) -> None:
    conversation = talk()
    film = said(conversation, "When was Dune released?")
    novel = said(conversation, "no, I meant the novel")
    assert (film.reply, novel.reply) == ("December 3, 1984.", "The release date of Dune (novel) is August 1, 1965.")
    assert novel.corrects


@pytest.mark.slow(0.1)
def test_what_is_meant_may_come_with_a_question(talk: Talk) -> None:
    turn = said(talk(), "When was Dune released?", "no, I meant the novel. Who is its author?")
    assert turn.reply == "Dune's author is Frank Herbert."
    assert not turn.corrects


def test_a_turn_that_is_wrong_is_asked_about(demo: Conversation) -> None:
    turn = said(demo, "What is the capital of Italy?", "that's wrong")
    assert turn.kind == "complaint"
    assert "I understood: What is the capital of Italy. " in turn.reply
    assert said(demo, "Spain").reply == "The capital of Spain is Madrid."


def test_there_is_nothing_to_correct_before_the_first_answer(demo: Conversation) -> None:
    assert not demo.ask("no, I meant the capital of Spain").corrects
