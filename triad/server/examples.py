"""What people said of answers, put to use: a query that was confirmed answers its question from then on.

Questions with their queries become examples that the generalist is shown (`triad.examples`); and who asks just what was
asked before gets the answer to the query that was confirmed, which costs no call.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from loguru import logger

from triad import sparql
from triad.agent import Agent
from triad.answers import Answer
from triad.conversation.turns import Turn
from triad.embedding.vectors import Vectors
from triad.errors import GraphError, QuerySyntaxError
from triad.examples import Examples, Pair
from triad.kg.guard import check
from triad.language.normalize import fold
from triad.phases import answering
from triad.phases.construction import BuiltQuery
from triad.phases.context import Context
from triad.questions import Question
from triad.server.graphs import Confirmed, Served
from triad.server.state.conversations import Conversations
from triad.trace import Step

__all__ = ["answer_to", "confirmed_turn", "learn", "turn_of"]

CONFIRMED: Final = 0.98
"""The confidence of an answer to a query that a person confirmed."""
_NOTE: Final = "A person confirmed the query of this question."


async def learn(served: Served, agent: Agent, conversations: Conversations) -> None:
    """Have a graph's agent know what people confirmed until now, on whichever server."""
    state, confirmed = await asyncio.to_thread(conversations.examples, served.name)
    if state == served.confirmed.state:
        return
    pairs = _pairs(confirmed)
    if served.configured is None:
        served.configured = agent.examples.pairs if agent.examples else ()
    served.confirmed = Confirmed(state, {fold(pair.question): pair.query for pair in pairs})
    vectors = Vectors(agent.embedder) if agent.embedder else None
    every = [*served.configured, *pairs]
    agent.examples = await asyncio.to_thread(Examples, every, vectors) if every else None


def _pairs(confirmed: Sequence[tuple[str, str]]) -> list[Pair]:
    pairs = []
    for question, query in confirmed:
        try:
            pairs.append(Pair.of(question, query))
        except QuerySyntaxError as error:
            logger.warning("a query that was confirmed is left out: {}", error)
    return pairs


def confirmed_turn(
    served: Served, agent: Agent, question: Question, on_step: Callable[[Step], None] | None = None
) -> Turn | None:
    """Return the turn of a question whose query a person confirmed; None if there is none that still works."""
    query = served.confirmed.queries.get(fold(question.text))
    if query is None:
        return None
    started = time.perf_counter()
    context = agent.begin(question, on_step)
    try:
        answer = answer_to(context, query)
    except GraphError as error:
        logger.warning("the query that was confirmed for {!r} fails: {}", question.text, error)
        return None
    trace = context.recorder.trace()
    turn = turn_of(replace(answer, confidence=CONFIRMED, notes=(*answer.notes, _NOTE), trace=trace))
    return replace(turn, seconds=round(time.perf_counter() - started, 4))


def answer_to(context: Context, query: str, timeout: float | None = None) -> Answer:
    """Return what a person's query gives, with names, units and facts, once the guard has passed it.

    Raises:
        GraphError: The guard refused it, or it failed.
    """
    safe = check(query, context.policy)
    tree = sparql.parse(query)
    is_boolean = sparql.FORMS[tree.name] == "ASK"
    result = context.at("construction").execute(safe, ask=is_boolean, timeout=timeout)
    built = BuiltQuery(safe, score=1.0, result=result, tree=tree)
    answer = answering.answer(context.at("answering"), built, "boolean" if is_boolean else "select")
    return replace(answer, query=query, method="lexical")


def turn_of(answer: Answer) -> Turn:
    """Return the turn of a question that stands alone."""
    text = answer.question.text
    return Turn(text, text, language=answer.question.language, reply=answer.text, answer=answer, trace=answer.trace)
