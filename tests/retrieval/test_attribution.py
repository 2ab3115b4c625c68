"""An attribution tells which evidence an answer rests on, and before that what it takes to find out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.retrieval.evidence_world import World, asked, bikes, reply
from triad import attribute
from triad.answers import Answer
from triad.citations import Citation, CitedSentence
from triad.errors import BudgetExceeded, ConfigError, ReplyError
from triad.questions import Question
from triad.retrieval.attribution import attribution_plan

__all__ = ["bikes"]

TEXT = "The battery is guaranteed for 4 years. It used to be two."
ANSWER = Answer(
    Question("How long is the battery guaranteed?", "en"),
    text=TEXT,
    sentences=(CitedSentence(TEXT, (1, 2, 3)),),
    citations=(
        Citation(1, "documents", "New terms", "The battery is guaranteed for 4 years."),
        Citation(2, "documents", "Old terms", "It used to be two years, said the maker in spring."),
        Citation(3, "documents", "New terms", "The battery is guaranteed for 4 years."),
    ),
)


def test_what_says_the_same_is_left_out_together_and_the_calls_are_told_before() -> None:
    plan = attribution_plan(ANSWER)
    assert plan.clusters == ((1, 3), (2,))
    assert plan.calls == 2
    assert plan.tokens > 2_000


def test_more_clusters_than_calls_allow_are_made_fewer() -> None:
    texts = ["one apple", "two pears or so", "three plums, ripe", "four dates", "five figs of late"]
    many = tuple(Citation(at, "passages", f"Fruit {at}", text) for at, text in enumerate(texts, 1))
    plan = attribution_plan(replace(ANSWER, citations=many), most=2)
    assert plan.calls == 2
    assert sorted(number for cluster in plan.clusters for number in cluster) == [1, 2, 3, 4, 5]


@pytest.mark.slow(0.4)
def test_an_answer_rests_on_what_it_changes_without(bikes: World) -> None:
    agent, model = bikes([reply(missing="The sources do not tell."), reply(sentences=[(TEXT, [1])])])
    found = attribute(agent, ANSWER)
    first, second = found.shares
    assert (first.numbers, first.distance, first.without) == ((1, 3), 1.0, "")
    assert (second.numbers, second.distance, second.without) == ((2,), 0.0, TEXT)
    assert first.share > 0.99
    assert first.share + second.share == pytest.approx(1)
    assert found.calls == len(model.calls) == 2
    assert "[1]" not in asked(model, 0)
    assert "[2] document" in asked(model, 0)
    assert "Nothing more can be asked for" in asked(model, 0)


def test_the_only_evidence_takes_no_call(bikes: World) -> None:
    agent, model = bikes([])
    found = attribute(agent, replace(ANSWER, citations=ANSWER.citations[:1]))
    assert [(one.share, one.distance) for one in found.shares] == [(1.0, 1.0)]
    assert (found.calls, model.calls) == (0, [])


def test_the_limits_of_a_question_hold(bikes: World) -> None:
    agent, _ = bikes([reply(missing="No.")] * 9, budget={"calls": 1})
    with pytest.raises(BudgetExceeded):
        attribute(agent, ANSWER)


def test_a_model_that_talks_nonsense_ends_it(bikes: World) -> None:
    agent, _ = bikes(lambda messages, schema: "blah")
    with pytest.raises(ReplyError):
        attribute(agent, ANSWER)


def test_what_cites_nothing_cannot_be_attributed(bikes: World) -> None:
    with pytest.raises(ConfigError, match="cites no evidence"):
        attribution_plan(replace(ANSWER, citations=()))
    with pytest.raises(ConfigError, match="at least one call"):
        attribution_plan(ANSWER, most=0)
    agent, _ = bikes([])
    agent.models = {}
    with pytest.raises(ConfigError, match="there is none"):
        attribute(agent, ANSWER)


def test_a_result_is_shown_with_its_columns_and_its_rows(bikes: World) -> None:
    result = Citation(
        4, "table", "Bike", '["label", "price_EUR"]\n["Brett 3", 2099]', query="SELECT label, price_EUR FROM Bike"
    )
    agent, model = bikes([reply(missing="Not told.")] * 2)
    attribute(agent, replace(ANSWER, citations=(ANSWER.citations[1], result)))
    assert '["label", "price_EUR"]\n  1 row:\n  ["Brett 3", 2099]' in asked(model, 0)
