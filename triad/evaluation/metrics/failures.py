"""Failure analysis: the first step to an answer that went wrong, judged by the gold query."""

from __future__ import annotations

from typing import Literal as Choice

from triad.answers import Answer
from triad.datasets import Item
from triad.datasets.base import answer_type
from triad.evaluation.metrics.queries import iris, tree_of
from triad.evaluation.metrics.scoring import score
from triad.rdf import ResultSet

__all__ = ["FailureCause", "failure_cause"]

FailureCause = Choice["question understanding", "entity", "relation", "query", "execution"]
"""The step to an answer that went wrong."""


def failure_cause(item: Item, gold: ResultSet, answer: Answer | None) -> FailureCause | None:
    """Return the first step that went wrong; None if the answer is right, or if there is no gold query.

    - ``execution``: there is no answer, its query failed or was cut, or the query is the gold query;
    - ``question understanding``: no query was made, or one for another type of answer;
    - ``entity``, ``relation``: the query lacks one that the gold query names;
    - ``query``: all terms are there, but the query combines them differently.

    Args:
        item: The question.
        gold: Its gold answers.
        answer: What was answered; None if the question failed.
    """
    wanted = iris(item.gold_query)
    if wanted is None or score(item, gold, answer).values["exact_match"] == 1:
        return None
    if answer is None:
        return "execution"
    if answer.query is None:
        return "question understanding"
    found = iris(answer.query)
    if found is None:
        return "query"
    if answer_type(answer.query) != item.answer_type:
        return "question understanding"
    if not wanted.entities <= found.entities:
        return "entity"
    if not wanted.relations <= found.relations:
        return "relation"
    same = item.gold_query is not None and tree_of(item.gold_query) == tree_of(answer.query)
    return "execution" if same or answer.truncated or _failed(answer) else "query"


def _failed(answer: Answer) -> bool:
    """Return whether the last query that was executed failed."""
    steps = answer.trace.steps if answer.trace else ()
    executed = [step for step in steps if step.service == "graph" and step.action == "execute"]
    return bool(executed and executed[-1].error)
