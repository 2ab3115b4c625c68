"""Answers do not depend on the order of sets: two processes that hash differently give the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ASK = """
import json, sys
from triad.agent import Agent
from triad.errors import AnswerError
from triad.questions import Question

told = []
with Agent.from_config("demo", model="none", min_confidence=0) as agent:
    for text, language in json.load(sys.stdin):
        try:
            answer = agent.ask(Question(text, language))
            found = list(map(str, answer.values)), list(map(repr, answer.readings))
            told.append([answer.query, answer.confidence, *found])
        except AnswerError as error:
            told.append(str(error))
print(json.dumps(told))
"""
QUESTIONS = Path(__file__).parents[2] / "configs" / "demo" / "questions.json"


@pytest.mark.slow
def test_two_processes_that_hash_differently_give_the_same_answers() -> None:
    records = json.loads(QUESTIONS.read_text(encoding="utf-8"))["questions"]
    asked = [[text["string"], text["language"]] for one in records for text in one["question"]][:100:2]
    told = []
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", ASK]
        ran = subprocess.run(
            command, env=environment, input=json.dumps(asked), capture_output=True, text=True, check=True
        )
        told.append(ran.stdout)
    assert told[0].count("SELECT") > 20
    assert told[0] == told[1]
