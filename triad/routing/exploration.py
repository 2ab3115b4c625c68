"""Exploration: a model looks at the graph with a few tools until it can write the query that answers.

It takes one step a call, at most so many, and sees the results of the steps before. No model needs to know how tools
are called: a step is one JSON object. The result of its last query is the answer; the model never gives one in words.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal as Choice

from pydantic import BaseModel

from triad import sparql
from triad.answers import Answer
from triad.phases import answering
from triad.phases.attempts import Attempt, BuiltQuery
from triad.phases.context import Context
from triad.prompts import quoted
from triad.questions import AnswerType
from triad.routing.doubt import in_english
from triad.routing.graph_tools import GraphTools, within
from triad.sparql.patterns import Aggregate
from triad.text import one_line

_TRANSCRIPT: Final = 6_000  # characters of the results of all steps, about 1,500 tokens
_DIAGNOSIS: Final = 800  # characters of what is told of a template that found nothing


class _Step(BaseModel):
    action: Choice["find", "describe", "relations", "values", "query", "answer", "not_in_graph"]
    text: str = ""
    thing: int = 0
    other: int = 0
    sparql: str = ""


@dataclass(frozen=True, slots=True)
class Explored:
    """How an exploration ended."""

    answer: Answer | None = None
    absent: str = ""
    """What the graph lacks, as the model says."""


def explore(context: Context, steps: int, before: Sequence[Answer] = (), attempt: Attempt | None = None) -> Explored:
    """Have the model look at the graph, in at most so many steps."""
    context = context.at("construction")
    tools = GraphTools(context)
    first = [options[0].candidate for options in attempt.links.values() if options] if attempt else []
    known = list(dict.fromkeys(tools.show(one) for one in first if one.iri))[:6]
    told = list(_before(before, attempt))
    taken: list[dict[str, Any]] = []
    for left in range(steps, 0, -1):
        inputs = {
            "question": context.question.text,
            "before": told,
            "known": known,
            "steps": within(taken, _TRANSCRIPT),
            "left": left,
        }
        step = context.call("generalist", "exploration", inputs, _Step)
        if step.action == "not_in_graph":
            return Explored(absent=one_line(step.text) or "what the question needs is not in the graph")
        action, query, result = _done(tools, step)
        found = query is not None and query.result is not None and not query.result.is_empty
        if step.action == "answer" and query and (left == 1 or found):
            return Explored(answering.answer(context.at("answering"), query, _answer_type(query)))
        if step.action == "answer" and query:
            result = [*result, "That is no answer yet: look further, or say that it is not in the graph."]
        if any(one["action"] == action for one in taken):
            result = ["This step was taken before: take another one."]
        taken.append({"action": action, "result": result})
    return Explored()


def _done(tools: GraphTools, step: _Step) -> tuple[str, BuiltQuery | None, list[str]]:
    """Return a step in words, its query, and its result."""
    match step.action:
        case "find":
            return f"find {quoted(step.text, 80)}", None, tools.find(step.text)
        case "describe":
            return f"describe <{step.thing}>", None, tools.describe(step.thing)
        case "values":
            return f"values <{step.thing}>", None, tools.values(step.thing)
        case "relations":
            return f"relations <{step.thing}> <{step.other}>", None, tools.relations(step.thing, step.other)
    return f"{step.action} {one_line(step.sparql, 400)}", *tools.query(step.sparql)


def _answer_type(query: BuiltQuery) -> AnswerType:
    if query.tree.ask:
        return "boolean"
    columns = query.tree.columns
    counted = len(columns) == 1 and any(one.function == "COUNT" for one in sparql.nodes(columns, Aggregate))
    return "count" if counted else "select"


def _before(answers: Sequence[Answer], attempt: Attempt | None) -> Iterator[str]:
    """Yield what a template lacked, and a line for each result of the rungs below, with what speaks against it."""
    if attempt and attempt.diagnosis and not attempt.answer:
        yield one_line(attempt.diagnosis, _DIAGNOSIS)
    for answer in {answer.text: answer for answer in answers if answer.values}.values():
        doubts = one_line(in_english(answer.doubts[:3]), 240)
        yield f"another way found {quoted(answer.text, 120)}, {f'but {doubts}' if doubts else 'which is in doubt'}"
