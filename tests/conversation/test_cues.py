"""Whether a turn leans on those before it: what has a cue does, and a complete question is asked as it stands."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.cases import cases
from tests.conversation.talks import SHINING, turn
from tests.phases.films import World
from triad.agent import Agent
from triad.conversation import Conversation, Turn
from triad.conversation.cues import drops_subject, leans
from triad.language.acts import read_act
from triad.language.cues import joins, pointers, set_pointers
from triad.language.pack import load_pack
from triad.questions import Question

FIRST = [
    "Who wrote Dune?",
    "Which writers were born in London?",
    "Which countries border Germany?",
    "Which films did Stanley Kubrick direct?",
    "What is the capital of France?",
    "Which universities are there?",
]
COMPLETE = [
    "Which is the largest city in the world?",
    "What is the average runtime of the films?",
    "What is the biggest country in the world?",
    "What is the oldest book?",
    "Which of the two has more inhabitants, France or Italy?",
    "Which scientists in the graph were born in the 20th century?",
    "List all rivers",
    "I want to know the population of Spain",
]


def said(agent: Agent, *texts: str, **options: Any) -> Turn:
    conversation = Conversation(agent, **options)
    return [conversation.ask(text) for text in texts][-1]


def shown(turn: Turn) -> Any:
    return turn.answer and (turn.answer.boolean, turn.answer.rows, turn.answer.confidence)


@pytest.mark.slow
def test_a_complete_question_gives_after_another_what_it_gives_alone(demo_agent: Agent) -> None:
    alone = {text: said(demo_agent, text) for text in {*FIRST, *COMPLETE}}
    different = []
    for before, text in itertools.product(FIRST, COMPLETE):
        turn = Conversation(demo_agent, turns=[alone[before]]).ask(text)
        if (shown(turn), turn.standalone, turn.dependent) != (shown(alone[text]), alone[text].standalone, False):
            different.append((before, text, turn.standalone, turn.reply))
    assert different == []


@pytest.mark.slow(0.2)
def test_the_largest_city_after_some_writers_is_that_of_the_world(demo_agent: Agent) -> None:
    turn = said(demo_agent, "Which writers were born in London?", "Which is the largest city in the world?")
    assert turn.answer is not None
    assert [value.label for value in turn.answer.values] == ["Istanbul"]


@pytest.mark.slow(0.2)
def test_a_complete_question_chooses_none_of_the_options(demo_agent: Agent) -> None:
    asked, text = "What is the capital of the US state of Georgia?", "What is the biggest country in the world?"
    turn = said(demo_agent, asked, text)
    assert turn.answer is not None
    assert [value.label for value in turn.answer.values] == ["Russia"]


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("text", cases(__file__, "test_what_points_to_nothing_shows_nothing"))
def test_what_points_to_nothing_shows_nothing(demo_agent: Agent, text: str) -> None:
    turn = said(demo_agent, "What is the population of Wakanda?", text)
    assert turn.answer is None
    assert turn.error
    assert turn.standalone == text


@pytest.mark.slow
@pytest.mark.parametrize("text", cases(__file__, "test_what_its_own_words_say_points_to_nothing_before"))
def test_what_its_own_words_say_points_to_nothing_before(demo_agent: Agent, text: str) -> None:
    alone, after = said(demo_agent, text), said(demo_agent, "List the albums of Pink Floyd", text)
    assert alone.answer is not None
    assert after.answer is not None
    assert (after.standalone, after.answer.rows) == (text, alone.answer.rows)


@pytest.mark.slow(0.1)
def test_the_words_that_point_to_nothing_are_said(demo_agent: Agent) -> None:
    turn = said(demo_agent, "What is the population of Wakanda?", "who wrote those books?")
    assert turn.reply == "I don't know what 'those books' stands for here."


@pytest.mark.parametrize(("language", "text"), cases(__file__, "test_words_that_go_on_are_cues_in_each_language"))
def test_words_that_go_on_are_cues_in_each_language(language: str, text: str) -> None:
    pack = load_pack(language)
    assert joins(text, pack) or any(pointers(text, pack)) or any(set_pointers(text, pack))


@pytest.mark.parametrize(("language", "text"), cases(__file__, "test_a_complete_question_has_no_cue_in_any_language"))
def test_a_complete_question_has_no_cue_in_any_language(language: str, text: str) -> None:
    pack = load_pack(language)
    assert not joins(text, pack)
    assert [text[slice(*place)] for place in (*pointers(text, pack), *set_pointers(text, pack))] == []


@pytest.mark.parametrize(("language", "text", "kind"), cases(__file__, "test_what_is_wanted_corrects_only_after_a_no"))
def test_what_is_wanted_corrects_only_after_a_no(language: str, text: str, kind: str) -> None:
    assert read_act(text, load_pack(language)).kind == kind


@pytest.mark.slow(0.1)
@pytest.mark.parametrize("text", cases(__file__, "test_words_that_only_say_where_the_data_is_are_no_condition"))
def test_words_that_only_say_where_the_data_is_are_no_condition(demo_agent: Agent, text: str) -> None:
    turn, plain = said(demo_agent, text), said(demo_agent, "How many rivers are there?")
    assert turn.answer is not None
    assert plain.answer is not None
    assert turn.answer.rows == plain.answer.rows
    assert turn.answer.ignored == ()


# How sure what was made of the last answer is -------------------------------------------------------------


@pytest.mark.slow
def test_what_is_made_of_an_answer_is_as_sure_as_its_own_words_fit(demo_agent: Agent) -> None:
    first = said(demo_agent, "Which rivers flow through Germany?")
    exact, loose = (said(demo_agent, first.question, text) for text in ("with their length", "with their size"))
    assert first.answer is not None
    assert exact.answer is not None
    assert exact.answer.confidence <= first.answer.confidence
    assert loose.answer is None or loose.error or loose.answer.confidence < exact.answer.confidence


@pytest.mark.slow
def test_what_is_asked_of_an_answer_is_no_surer_than_that_answer(demo_agent: Agent) -> None:
    first = said(demo_agent, "Which rivers flow through Germany?")
    turn = said(demo_agent, first.question, "which of them flow through Austria?")
    assert first.answer is not None
    assert turn.answer is not None
    assert turn.answer.confidence < first.answer.confidence


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Which package depends on both plotline and flaskette?"),
        ("en", "which packages rely on numcore, directly or through others?"),
        ("de", "Welche Flüsse fließen durch Österreich und Ungarn?"),
    ],
)
def test_words_of_one_question_lean_on_no_other(language: str, text: str) -> None:
    pack = load_pack(language)
    assert not joins(text, pack)
    assert not list(set_pointers(text, pack))
    assert list(set_pointers("Which of both is longer?", load_pack("en")))


@pytest.mark.slow(0.1)
@pytest.mark.parametrize(
    ("language", "text", "dropped"),
    [
        ("es", "¿Dónde nació?", True),
        ("es", "¿Dónde nació tacoma?", False),
        ("es", "¿Dónde nació Fulano?", False),
        ("en", "Where born?", False),
    ],
)
def test_a_subject_is_left_out_where_a_language_may_and_nothing_is_named(
    world: World, language: str, text: str, dropped: bool
) -> None:
    context = Agent(world.graph, world.index).begin(Question(text, language))
    assert drops_subject(context, load_pack(language), text) is dropped


@pytest.mark.parametrize(
    ("text", "leaning"),
    [
        ("Which has the largest population?", True),
        ("which is the largest?", True),
        ("Which have more than 2 seats?", True),
        ("Which is the largest city?", False),
        ("Which film has the largest population?", False),
        ("What is the population of Tacoma?", False),
        ("the release date", True),
        ("What is the release date?", True),
        ("When was the film released?", True),
        ("When was the film of Stanley Kubrick released?", False),
        ("When was the novel written?", False),
    ],
)
def test_a_text_leans_on_what_was_spoken_of_if_it_does_not_say_of_what_it_asks(
    world: World, text: str, leaning: bool
) -> None:
    context = Agent(world.graph, world.index).begin(Question(text, "en"))
    assert leans(context, load_pack("en"), text, [turn("Who directed The Shining?", SHINING)]) is leaning
