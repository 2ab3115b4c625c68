"""Turns whose question is unknown: replies say why, a guess is shown as one, and later turns follow what was shown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from triad.agent import Agent
from triad.answers import Reading
from triad.conversation import Conversation, Store, replies
from triad.language.pack import load_pack

DOUBTED = "What is the blood type of Gordon Moore?"
WHY = (
    "Gordon Moore has no 'blood type' here; there is: alma mater, birth date (When was Gordon Moore born?), "
    "birth place, death date"
)


@pytest.fixture
def conversation(demo_agent: Agent) -> Iterator[Conversation]:
    with Store(":memory:") as store:
        yield Conversation(demo_agent, store=store)


def test_a_turn_without_an_answer_says_why(conversation: Conversation) -> None:
    turn = conversation.ask("What is the capital of Wakanda?")
    assert turn.reply == "I don't know: nothing in the graph is called Wakanda."
    assert turn.answer is None
    assert turn.error is not None
    assert turn.unknown is not None
    assert [reason.words for reason in turn.unknown.reasons] == ["Wakanda"]


@pytest.mark.slow(0.3)
def test_no_guess_is_shown_for_what_was_not_understood(conversation: Conversation) -> None:
    turn = conversation.ask(DOUBTED)
    assert turn.reply == f"I don't know: {WHY}."
    assert turn.readings == ()
    assert turn.answer is None
    assert turn.error is not None
    assert turn.unknown is not None
    assert conversation.ask("And of Robert Noyce?").standalone == "What is the blood type of Robert Noyce?"


def test_a_follow_up_is_about_the_guess_that_was_shown(demo_agent: Agent) -> None:
    sure, demo_agent.min_confidence = demo_agent.min_confidence, 0.999
    try:
        conversation = Conversation(demo_agent)
        guess = conversation.ask("Who founded Intel?")
    finally:
        demo_agent.min_confidence = sure
    assert guess.unknown is not None
    assert guess.answer is not None
    counted = conversation.ask("how many are that?")
    assert counted.answer is not None
    assert [value.label for value in counted.answer.values] == ["2"]


@pytest.mark.slow(0.2)
def test_the_thing_of_an_unknown_question_can_be_spoken_of(conversation: Conversation) -> None:
    conversation.ask(DOUBTED)
    turn = conversation.ask("When was he born?")
    assert turn.standalone == "When was Gordon Moore born?"
    assert turn.reply == "Gordon Moore was born on January 3, 1929."


def test_why_after_an_unknown_question_gives_the_reasons_again(conversation: Conversation) -> None:
    unknown = conversation.ask("What is the capital of Wakanda?")
    assert conversation.ask("why?").reply == unknown.reply


def test_a_guess_of_no_particular_doubt_is_shown_alone(demo_agent: Agent) -> None:
    sure = demo_agent.min_confidence
    demo_agent.min_confidence = 0.999
    try:
        turn = Conversation(demo_agent).ask("Who founded Intel?")
    finally:
        demo_agent.min_confidence = sure
    assert turn.reply == "Perhaps: Gordon Moore and Robert Noyce founded Intel."


def test_an_unknown_turn_is_kept_without_its_trace(conversation: Conversation) -> None:
    turn = conversation.ask(DOUBTED)
    assert conversation.store is not None
    assert conversation.id is not None
    [kept] = conversation.store.turns(conversation.id)
    assert kept.reply == turn.reply
    assert kept.unknown is not None
    assert turn.unknown is not None
    assert kept.unknown.reasons == turn.unknown.reasons
    assert kept.unknown.trace is None


def test_other_readings_are_told_with_their_answers_and_what_was_assumed_before_them() -> None:
    rwanda, angola = Reading("capital of Rwanda", "Kigali"), Reading("capital of Angola", "Luanda", taken="Wakanda")
    pack = load_pack("en")
    assert replies.meanings(pack, (rwanda,)) == ["Did you mean: capital of Rwanda: Kigali"]
    assert replies.meanings(pack, (angola,)) == ["Assumed: Wakanda. Otherwise: capital of Angola: Luanda"]
    assert replies.meanings(pack, (angola, rwanda)) == [
        "Assumed: Wakanda. Otherwise: 1. capital of Angola: Luanda",
        "Did you mean: 2. capital of Rwanda: Kigali",
    ]
    assert replies.meanings(pack, ()) == []


def test_a_question_without_an_answer_and_a_reason_is_not_known() -> None:
    assert replies.unknown(load_pack("en"), None) == "I don't know: the graph has no answer to that."
