"""What is said, put together with the last question: in place of a part of it, besides it, or with it quoted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pytest

from tests.conversation.conftest import Said
from triad.agent import Agent
from triad.conversation import Turn
from triad.conversation.answered import Answers, TurnRequest
from triad.conversation.dialogue import Dialogue, Utterance
from triad.conversation.wording import added_part, exchanged_part, quoted
from triad.language.pack import load_pack
from triad.questions import Question

Way = Callable[[Utterance], Iterator[Turn]]


Questions = Callable[[Way, str, str], list[str]]


@pytest.fixture
def questions(demo_agent: Agent, demo_turns: Said) -> Questions:
    """Give the questions that a way makes of a text after a question."""
    return partial(made, demo_agent, demo_turns)


def made(agent: Agent, turns: Said, way: Way, before: str, text: str) -> list[str]:
    request = TurnRequest(text, "en", load_pack("en"), agent.begin(Question(text, "en")))
    said = Utterance(request, text, Dialogue(turns(before)), Answers(agent, sentence=False))
    return [turn.standalone for turn in way(said)]


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("way", "before", "text", "question"),
    [
        (exchanged_part, "Which countries border Germany?", "and Austria?", "Which countries border Austria"),
        (exchanged_part, "What is the longest river?", "And the shortest?", "What is the shortest river"),
        (exchanged_part, "How many rivers are there?", "what about cities?", "How many cities are there"),
        (added_part, "Which rivers are there?", "in Germany", "Which rivers are there in Germany"),
        (added_part, "Which rivers are there?", "show their length", "Which rivers are there with their length"),
        (quoted, "Show the runtime of all films", "the average of those?", "average of the runtime of all films"),
        (quoted, "How many films did Stanley Kubrick direct?", "How many of them are longer than 2 hours?", "Kubrick"),
    ],
)
def test_both_are_one_question(questions: Questions, way: Way, before: str, text: str, question: str) -> None:
    found = questions(way, before, text)
    assert any(question in one for one in found), found


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("and in 1971?", "How many films were released in 1971"),
        ("what about after 1990?", "How many films were released after 1990"),
        ("and how many were there in 1971?", "How many films were released in 1971"),
        ("and how many before 1971?", "How many films were released before 1971"),
    ],
)
def test_a_date_stands_in_place_of_a_date_only(questions: Questions, text: str, question: str) -> None:
    assert questions(exchanged_part, "How many films were released in 1980?", text) == [question]


@pytest.mark.parametrize("way", [exchanged_part, added_part])
def test_a_question_by_itself_is_no_part_of_another_one(questions: Questions, way: Way) -> None:
    assert questions(way, "Which rivers are there?", "Which countries border Germany?") == []


@pytest.mark.parametrize("text", ["", "??", "?? ?", "…"])
@pytest.mark.parametrize("way", [exchanged_part, added_part])
def test_what_says_nothing_is_no_part_of_a_question(questions: Questions, way: Way, text: str) -> None:
    assert questions(way, "Who founded Intel?", text) == []


def test_what_points_to_nothing_quotes_nothing(questions: Questions) -> None:
    assert questions(quoted, "Which rivers are there?", "Which countries border Germany?") == []


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("before", "text"), [("Who founded Microsoft?", "and Steve Jobs?"), ("How high is Mount Everest?", "and of Nepal?")]
)
def test_a_name_of_another_kind_takes_no_place_of_one_or_a_part_of_it(
    questions: Questions, before: str, text: str
) -> None:
    assert not any("founded Steve" in one or "Nepal Everest" in one for one in questions(exchanged_part, before, text))
