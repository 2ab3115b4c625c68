"""The lexical solver as the whole ladder, where there is no model."""

from __future__ import annotations

from dataclasses import replace

from triad.answers import Answer
from triad.errors import AnswerError
from triad.lexical.solver import solve
from triad.phases.context import Context

__all__ = ["without_model"]


def without_model(context: Context) -> Answer:
    """Answer by the lexical solver alone; raises as `triad.lexical.solver.solve` does."""
    try:
        return replace(solve(replace(context, models={})), method="lexical")
    except AnswerError as error:
        if error.unknown and (guess := error.unknown.guess):
            error.unknown = replace(error.unknown, guess=replace(guess, method="lexical"))
        raise
