"""Whether answers are as good when many ask at once: a model of half a second a call, asked one by one, and by all.

    TRIAD_DATA=… .venv/bin/python benchmarks/crowd.py                     # 500 questions, QALD-9
    TRIAD_DATA=… .venv/bin/python benchmarks/crowd.py --only lcquad --count 100

The model knows gold: it writes the gold query with labels in place of IRIs where the prompt has all of these labels,
and else that the graph has no answer. So a look-up that ran out of time is seen, as a model would not be told of
what it looked for. One by one it does not pause, which changes no answer.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, islice
from typing import Annotated, Any

import typer
from grounding import Asked, asked_of, named
from loguru import logger
from oracle import in_words, values

from triad import sparql
from triad.agent import Agent
from triad.errors import TriadError
from triad.kg.base import SafeQuery
from triad.models import Completion, Model
from triad.route import Route
from triad.text import table
from triad.trace import Message, usage_of

QUESTION = re.compile(r'Question: (".*")')
"""How a prompt has a question, which is the last one that it has."""


class Knowing(Model):
    """Writes gold queries where a prompt has what they name; chooses what is listed first."""

    name = "knowing"

    def __init__(self, agent: Agent, asked: Sequence[Asked]) -> None:
        self.pause = 0.0
        self.templates = {one.question.text: in_words(agent, one.gold) for one in asked}
        self.names = {one.question.text: sorted(set().union(*named(agent, one.gold).values())) for one in asked}

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Return the reply, after the pause."""
        time.sleep(self.pause)
        fields = set(schema["properties"]) if schema else set()
        text = messages[-1].content
        if "answer_type" in fields:
            reply = self._read(text)
        elif "action" in fields:
            reply = {"action": "not_in_graph", "text": "what the question asks"}
        elif "choices" in fields:
            count = sum(line.startswith(("Mention ", "Pattern ")) for line in text.splitlines())
            reply = {"choices": [{"item": at, "candidates": [1]} for at in range(1, count + 1)]}
        else:
            reply = {"query": 1} if "query" in fields else {"known": False, "answer": ""}
        content = json.dumps(reply)
        return Completion(content, usage_of(messages, content))

    def _read(self, prompt: str) -> dict[str, Any]:
        question = json.loads(QUESTION.findall(prompt)[-1])
        if not all(name in prompt for name in self.names[question]):
            return {"answer_type": "select", "not_in_graph": "what the question asks"}
        template = self.templates[question]
        kind = "boolean" if sparql.parse(template).ask else "select"
        return {"answer_type": kind, "sparql": template}


def gold_of(agent: Agent, query: str) -> Any:
    if sparql.parse(query).ask:
        return agent.graph.ask(SafeQuery(query))
    return values(agent.graph.select(SafeQuery(query)).rows)


def ask(agent: Agent, asked: Asked, gold: Any) -> tuple[float | None, int]:
    """Return the F1 of an answer's rows, None for a question that failed, and the calls."""
    try:
        answer = agent.ask(asked.question, min_confidence=0)
    except TriadError:
        return None, 0
    calls = answer.trace.usage.calls if answer.trace else 0
    if isinstance(gold, bool):
        return float(answer.boolean == gold), calls
    found = values(answer.result.rows)
    return 2 * len(gold & found) / (len(gold) + len(found) or 1), calls


def asked_at_once(agent: Agent, asked: Sequence[Asked], golds: Mapping[str, Any], at_once: int) -> list[str]:
    """Return what the table tells of questions of which so many are asked at once."""
    started = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        scores = list(pool.map(lambda one: ask(agent, one, golds[one.gold]), asked))
    seconds = time.perf_counter() - started
    f1 = [score for score, _ in scores if score is not None]
    calls = statistics.mean(calls for _, calls in scores)
    counts = map(str, (at_once, len(asked), len(scores) - len(f1)))
    return [*counts, f"{statistics.mean(f1):.3f}", f"{calls:.2f}", f"{seconds:.0f}"]


def main(
    only: Annotated[str, typer.Option(help="A set of `benchmarks/grounding.py`.")] = "qald9",
    count: Annotated[int, typer.Option(help="Questions at once; those of the set, over and over.")] = 500,
    seconds: Annotated[float, typer.Option(help="What a call takes.")] = 0.5,
) -> None:
    logger.remove()
    rows: list[list[str]] = []
    for agent, part in asked_of(only):
        with agent:
            golds = {one.gold: gold_of(agent, one.gold) for one in part}
            model = Knowing(agent, part)
            agent.models = dict.fromkeys(("generalist", "decision_maker", "advisor"), model)
            agent.route = Route()
            rows.append(asked_at_once(agent, list(islice(cycle(part), count)), golds, 1))
            model.pause = seconds
            rows.append(asked_at_once(agent, list(islice(cycle(part), count)), golds, count))
    print("\n".join(table(["at once", "questions", "failed", "F1", "calls", "s"], rows)))


if __name__ == "__main__":
    typer.run(main)
