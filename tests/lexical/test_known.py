from __future__ import annotations

import pytest

from triad.agent import Agent
from triad.lexical.known import asked
from triad.lexical.weights import load_weights
from triad.questions import Question
from triad.rdf import ResultSet

pytestmark = pytest.mark.slow(0.1)

QUESTIONS = [
    "Who founded Intel?",
    "What is the capital of Switzerland?",
    "Which rivers flow through Austria?",
    "How many films did Christopher Nolan direct?",
    "Is Bern the capital of Switzerland?",
    "Which country has the highest population?",
]


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_told_is_what_the_solver_answers(demo_agent: Agent, question: str) -> None:
    answer = demo_agent.ask(question, min_confidence=0)
    right = {value.term for value in answer.values}

    def judge(result: ResultSet) -> float:
        if result.boolean is not None or answer.boolean is not None:
            return float(result.boolean == answer.boolean)
        return float({term for row in result.rows for term in row} == right)

    known = asked(demo_agent.begin(Question(question)), judge)
    told = known.told(load_weights())
    assert told.value == 1
    assert told.confidence == pytest.approx(answer.confidence, abs=1e-3)
