"""What people said of answers, put to use: a query that was confirmed answers its question from then on.

Questions with their queries become examples that the generalist is shown (`triad.examples`); and who asks just what was
asked before gets the answer to the query that was confirmed, which costs no call.
"""

from __future__ import annotations

from collections.abc import Sequence

from triad.agent import Agent
from triad.embedding.vectors import Vectors
from triad.errors import QuerySyntaxError
from triad.examples import Examples, Pair
from triad.log import logger
from triad.routing.confirmed import ConfirmedQueries
from triad.server.served import Served
from triad.server.state.conversations import Conversations

__all__ = ["learn"]


def learn(served: Served, agent: Agent, conversations: Conversations) -> None:
    """Have a graph's agent know what people confirmed until now, on whichever server."""
    if conversations.examples(served.name)[0] == served.confirmed:
        return
    with served.learning:
        state, confirmed = conversations.examples(served.name)
        if state == served.confirmed:
            return  # another question has told it meanwhile
        pairs = _pairs(confirmed)
        if served.configured is None:
            served.configured = agent.examples.pairs if agent.examples else ()
        agent.confirmed = ConfirmedQueries(pairs)
        vectors = Vectors(agent.embedder) if agent.embedder else None
        every = [*served.configured, *pairs]
        agent.examples = Examples(every, vectors) if every else None
        served.confirmed = state


def _pairs(confirmed: Sequence[tuple[str, str]]) -> list[Pair]:
    pairs = []
    for question, query in confirmed:
        try:
            pairs.append(Pair.of(question, query))
        except QuerySyntaxError as error:
            logger.warning("a query that was confirmed is left out: {}", error)
    return pairs
