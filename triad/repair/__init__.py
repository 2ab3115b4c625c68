"""Repair: another query in place of one that failed, made of what the graph has."""

from __future__ import annotations

from triad.answers import Answer
from triad.phases.attempts import Attempt
from triad.phases.context import Context

__all__ = ["repair"]


def repair(context: Context, failed: Attempt) -> Answer | None:
    """Return the answer of a repaired query, with what was changed among its notes; None where there is none.

    Args:
        context: The question, the ports and the roles; its calls count for the rung ``repair``.
        failed: What rung ``template`` tried.

    Raises:
        BudgetExceeded: A limit was reached.
        ReplyError: The model's reply failed its checks.
        ServiceError: The model, the graph or the index failed.
    """
    return None
