"""A question answered by the rungs of a route, or without a model where there is none, or where it fails."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date
from functools import cache
from typing import TYPE_CHECKING, Final, Literal as Choice

from triad import resources
from triad.answers import Answer, Reason, Unknown
from triad.errors import AnswerError, BudgetExceeded, ModelError, ReplyError
from triad.language.pack import load_pack
from triad.lexical import solver
from triad.lexical.unknown import low_confidence
from triad.log import logger
from triad.phases import answering
from triad.phases.context import Context
from triad.retrieval.sources import Sources
from triad.route import Route
from triad.sections import OnModelFailure

# What only models use takes half as long to import as all the rest: it is imported where it is used.
if TYPE_CHECKING:
    from triad.repair.repairing import Specialist

_FAILURES: Final = (ModelError, BudgetExceeded, ReplyError)
"""Errors of a model or of the limits of one question; those of the limits of a whole run are not among them."""


def solved(
    context: Context,
    route: Route | Choice["phases"],
    specialist: Specialist | None,
    sources: Sources,
    on_failure: OnModelFailure,
) -> Answer:
    """Return the answer by the rungs of the route, or by the solver alone; raises as `triad.Agent.ask` does."""
    if not context.models:
        return _without_model(context, sources)
    from triad.routing.ladder import climb
    from triad.routing.tries import in_tries

    try:
        return in_tries(context) if route == "phases" else climb(context, route, specialist, sources)
    except _FAILURES as failure:
        if on_failure == "error":
            raise
        logger.warning("a question is answered without a model: {}", failure)
        try:
            return _without_model(context, sources)
        except AnswerError as error:
            raise AnswerError(f"{error}; before, the model had failed: {failure}", unknown=error.unknown) from failure


def _without_model(context: Context, sources: Sources) -> Answer:
    """Answer by the solver; where it has no answer, the error has the nearest passages, which nobody has read."""
    try:
        return solver.solve(context)
    except AnswerError as error:
        if error.unknown and (passages := sources.found(context.question.text)):
            error.unknown = replace(error.unknown, passages=passages)
        raise


def in_a_sentence(context: Context, answer: Answer, on_failure: OnModelFailure) -> Answer:
    """Return an answer whose text a model wrote; as it is, where the model fails and may."""
    try:
        return replace(answer, text=answering.sentence(context.at("answering"), answer))
    except _FAILURES as failure:
        if on_failure == "error":
            raise
        logger.warning("an answer is given without a sentence: {}", failure)
        return answer


def doubted(context: Context, answer: Answer) -> AnswerError:
    """Return the error for an answer that is too unsure: it is the guess, if it has any value."""
    question = context.question
    if answer.values:
        return Unknown(question, (low_confidence(context, answer),), answer).error()
    reason = load_pack(question.language).replies["nothing_fits"]
    return Unknown(question, (Reason("empty", question.text, reason),)).error()


@cache  # where the day cannot be kept
def say_that_there_is_no_model() -> None:
    """Say that a model could be asked, once a day."""
    today, said = date.today().isoformat(), resources.cache_folder() / "no_model_said"
    with suppress(OSError):
        if said.exists() and said.read_text(encoding="utf-8") == today:
            return
        said.parent.mkdir(parents=True, exist_ok=True)
        said.write_text(today, encoding="utf-8")
    logger.info(
        "no language model is configured, which would be asked of questions like this one; to use one, name it with "
        "--model or as 'model' in a config, such as openai:gpt-4.1-mini or ollama:llama3.1"
    )
