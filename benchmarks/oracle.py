"""How well templates are linked that say what gold queries say, and how often a choice is needed; no model is asked.

    TRIAD_DATA=… .venv/bin/python benchmarks/oracle.py
    TRIAD_DATA=… .venv/bin/python benchmarks/oracle.py --only qald9 --limit 50 --wrong

Each gold query is written with labels in place of IRIs, as a template that knows the graph would be. Where the
decision-maker is asked, it takes what is listed first.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import typer
from grounding import LIMITS, STANDARD, Asked, asked_of
from loguru import logger

from triad import sparql
from triad.agent import Agent
from triad.errors import TriadError
from triad.kg.base import SafeQuery
from triad.models import ScriptedModel
from triad.queries.template import written
from triad.rdf import IRI
from triad.roles import load_roles
from triad.text import table
from triad.trace import Message


def reply_to(template: str, calls: list[str]) -> Any:
    def reply(messages: Sequence[Message], schema: Mapping[str, Any] | None) -> str:
        fields = set(schema["properties"]) if schema else set()
        if "sparql" in fields:
            kind = "boolean" if sparql.parse(template).ask else "select"
            return json.dumps({"answer_type": kind, "sparql": template})
        if "choices" in fields:
            text = messages[-1].content
            calls.append("entities" if "\nMention 1: " in text else "relations")
            count = sum(line.startswith(("Mention ", "Pattern ")) for line in text.splitlines())
            return json.dumps({"choices": [{"item": at, "candidates": [1]} for at in range(1, count + 1)]})
        if "query" in fields:
            calls.append("queries")
            return json.dumps({"query": 1})
        return json.dumps({"known": False, "answer": ""})

    return reply


def in_words(agent: Agent, query: str) -> str:
    """Return a query as the template that has labels in place of IRIs."""
    tree = sparql.parse(query)
    iris = [str(term) for term in sparql.terms(tree) if isinstance(term, IRI) and not str(term).startswith(STANDARD)]
    names = {IRI(iri): written(name) for iri, name in agent.schema.labels(iris).items()}
    return sparql.write(sparql.substituted(tree, names), {})


def values(rows: Any) -> set[tuple[str, ...]]:
    return {tuple(str(term) if term is not None else "" for term in row) for row in rows}


def ask(agent: Agent, asked: Asked) -> tuple[float, list[str], float, str]:
    """Return the F1 of rows, the choices that were needed, the seconds, and the query."""
    gold = (
        agent.graph.ask(SafeQuery(asked.gold))
        if sparql.parse(asked.gold).ask
        else values(agent.graph.select(SafeQuery(asked.gold)).rows)
    )
    calls: list[str] = []
    model = ScriptedModel(reply_to(in_words(agent, asked.gold), calls))
    agent.models = dict.fromkeys(("generalist", "decision_maker", "advisor"), model)
    started = time.perf_counter()
    try:
        answer = agent.ask(asked.question, min_confidence=0)
    except TriadError as error:
        return 0.0, calls, time.perf_counter() - started, str(error)
    seconds = time.perf_counter() - started
    if isinstance(gold, bool):
        return float(answer.boolean == gold), calls, seconds, answer.query or ""
    found = values(answer.result.rows)
    if not gold or not found:
        return float(gold == found), calls, seconds, answer.query or ""
    right = len(gold & found)
    return 2 * right / (len(gold) + len(found)), calls, seconds, answer.query or ""


def main(
    only: Annotated[str, typer.Option(help="Sets, with commas.")] = ",".join(LIMITS),
    limit: Annotated[int | None, typer.Option(help="Questions of each set at most.")] = None,
    wrong: Annotated[bool, typer.Option("--wrong", help="Print the queries that are not right.")] = False,
) -> None:
    logger.remove()
    rows: list[list[str]] = []
    for name in only.split(","):
        if limit:
            LIMITS[name] = min(limit, LIMITS[name] or limit)
        scores: list[float] = []
        needed: Counter[str] = Counter()
        seconds = 0.0
        for agent, part in asked_of(name):
            agent.roles = load_roles({"generalist": {"grounding": 0}, "advisor": {"tries": 1}})
            with agent:
                for asked in part:
                    score, calls, took, query = ask(agent, asked)
                    scores.append(score)
                    needed.update(calls)
                    seconds += took
                    if wrong and (score < 1 or calls):
                        print(
                            f"{score:.2f} {calls} {asked.question.text}\n  {asked.gold}\n  {query}".replace("\n", " ")[
                                :700
                            ]
                        )
        choices = " ".join(f"{kind} {needed[kind] / len(scores):.3f}" for kind in ("entities", "relations", "queries"))
        rows.append(
            [name, str(len(scores)), f"{sum(scores) / len(scores):.3f}", choices, f"{1000 * seconds / len(scores):.0f}"]
        )
        print("\t".join(rows[-1]), flush=True)
    print("\n".join(table(["set", "questions", "F1", "choices a question", "ms"], rows)))


if __name__ == "__main__":
    typer.run(main)
