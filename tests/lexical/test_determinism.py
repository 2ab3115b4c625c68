"""Answers do not depend on the order of sets: two processes that hash differently give the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from triad.agent import Agent
from triad.errors import AnswerError
from triad.questions import Question

ASK = """
import json, sys
from tests.lexical.test_determinism import told
from triad.agent import Agent

with Agent.from_config("demo", model="none") as agent:
    print(json.dumps([told(agent, *asked) for asked in json.load(sys.stdin)]))
"""
ROOT = Path(__file__).parents[2]
QUESTIONS = ROOT / "configs" / "demo" / "questions.json"


def told(agent: Agent, text: str, language: str) -> Any:
    """All that is told of a question, in values of JSON."""
    try:
        answer = agent.ask(Question(text, language), min_confidence=0)
    except AnswerError as error:
        return str(error)
    return [answer.query, answer.confidence, list(map(str, answer.values)), list(map(repr, answer.readings))]


@pytest.mark.slow(5)
def test_two_processes_that_hash_differently_give_the_same_answers(demo_agent: Agent) -> None:
    records = json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"]
    asked = [[text["string"], text["language"]] for one in records for text in one["question"]][:100:3]
    here = [told(demo_agent, *one) for one in asked]
    seed = "4242" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", ASK]
    there = subprocess.run(
        command, env=environment, input=json.dumps(asked), capture_output=True, text=True, check=True
    )
    assert there.stdout.count("SELECT") > 20
    assert json.loads(there.stdout) == here
