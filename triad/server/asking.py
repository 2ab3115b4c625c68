"""Asking: from a question that came in to a turn that is kept; it is cancelled when nobody waits for it any more."""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

from triad.admission import ASKER
from triad.agent import Agent
from triad.answers import Answer
from triad.conversation import Conversation
from triad.conversation.turns import Turn
from triad.deadline import Deadline
from triad.errors import AnswerError
from triad.questions import Question
from triad.server.access import Asker
from triad.server.events import Events
from triad.server.limiting import Limiter
from triad.server.metrics import Metrics
from triad.server.problems import Problem
from triad.server.querying import cut
from triad.server.served import Graphs, Served
from triad.server.state.audit import Audit, outcome_of
from triad.server.state.conversations import Conversations, Kept
from triad.server.state.database import new_id
from triad.server.telemetry import Telemetry
from triad.suggestions import SureQuestion
from triad.trace import Step, Usage

T = TypeVar("T")

LONGEST = 2_000
"""Characters of a question."""
LANGUAGE = "^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,6}$"
"""What is a tag of a language; none is so long that it would fill what is kept of questions."""
_NEW = "new"  # in place of the id of a conversation: one that begins with the question
TURNS, SIZE = 500, 10_000_000
"""Turns that a conversation may have, which is read and told whole, and characters from which on it has no more."""


@dataclass(frozen=True, slots=True)
class AskRequest:
    """A question as it came in."""

    question: str
    graph: str | None = None
    language: str | None = None
    conversation: str | None = None
    sentence: bool = False
    min_confidence: float | None = None
    idempotency: str | None = None
    id: str | None = None
    """The id of the turn that it will be."""

    @property
    def options(self) -> str:
        """What decides the answer besides the question, the graph and the conversation."""
        return json.dumps([self.language, self.sentence, self.min_confidence])


@dataclass
class Asking:
    """Answers questions over the graphs of a server, and keeps the turns."""

    graphs: Graphs
    conversations: Conversations
    limiter: Limiter
    metrics: Metrics
    audit: Audit
    telemetry: Telemetry | None = None
    _one_at_a_time: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def answer(self, asker: Asker, asked: AskRequest, events: Events | None = None) -> Kept:
        """Answer a question; the turn is kept when this returns. If the caller is cancelled, so is the question.

        Raises:
            Problem: It cannot be answered now, or not for this asker.
            TriadError: Something failed.
        """
        if not asked.question.strip():
            raise Problem("bad-request", "The question is empty.")
        if len(asked.question) > LONGEST:
            raise Problem("bad-request", f"The question has more than {LONGEST:,} characters.")
        first, once, key = asked, self.conversations.once, asked.idempotency
        if key and (known := await asyncio.to_thread(once, asker.owner, key)):
            names = asked.graph or asked.conversation in (_NEW, None)
            graph = self.graphs.find(asked.graph, asker.reach).name if names else known.graph
            same = asked.conversation in (_NEW, known.conversation) and known.turn.asked_with in ("", asked.options)
            if not same or (known.graph, known.turn.question.strip()) != (graph, asked.question.strip()):
                raise Problem("unprocessable", "The Idempotency-Key was used for another question or other options.")
            return known
        if asked.conversation == _NEW:
            asked = replace(asked, conversation=await self.begin(asker, asked.graph))
        if (conversation := asked.conversation) is not None:
            listed = await asyncio.to_thread(self.conversations.find, asker.owner, conversation)
            if asked.graph and self.graphs.find(asked.graph, asker.reach).name != listed.graph:
                raise Problem("conflict", f"The conversation is about the graph {listed.graph!r}.")
            asked = replace(asked, graph=listed.graph)
        served = self.graphs.find(asked.graph, asker.reach)
        with served.held():
            await self.limiter.check_spending(asker)
            asked = replace(asked, id=new_id())
            if events:
                events.tell("begin", {"turn": asked.id, "conversation": conversation, "graph": served.name})
            async with self.audit.of(asker, served.name, "question", asked.question) as entry:
                kept = await self._in_time(asker, served, asked, events)
                entry.outcome = kept.turn.outcome
                if answer := kept.turn.answer:
                    entry.query, entry.rows = answer.query, len(answer.rows)
            # The same key came twice at once: what the other one asked is kept, which may be another question.
            return kept if kept.id == asked.id else await self.answer(asker, first)

    async def look_up(
        self, asker: Asker, graph: str | None, kind: str, asked: str, work: Callable[[Agent, Deadline], T]
    ) -> T:
        """Look something up in a graph, and write down what was asked and how much was found.

        Raises:
            Problem: The graph cannot be asked now, or not by this asker.
            TriadError: It failed.
        """
        served = self.graphs.find(graph, asker.reach)
        async with self.audit.of(asker, served.name, kind, asked) as entry:
            found = await served.look_up(work, asker.account)
            rows = getattr(found, "rows", found)
            entry.rows = len(rows) if isinstance(rows, list | tuple) else None
        return found

    async def begin(self, asker: Asker, graph: str | None) -> str:
        """Make a conversation about a graph, and return its id."""
        name = self.graphs.find(graph, asker.reach).name
        return (await asyncio.to_thread(self.conversations.create, asker.owner, name)).id

    async def next_questions(self, asker: Asker, kept: Kept) -> tuple[SureQuestion, ...]:
        """Return what the answer of a turn invites to ask; nothing where it has none.

        Raises:
            Problem: Its graph cannot be asked, or not by this asker.
            TriadError: Something failed.
        """
        if (answer := kept.turn.answer) is None or kept.turn.unknown is not None:
            return ()
        asked = kept.turn.question
        return await self.look_up(asker, kept.graph, "next", asked, lambda agent, _: agent.next_questions(answer))

    async def _in_time(self, asker: Asker, served: Served, asked: AskRequest, events: Events | None) -> Kept:
        seconds = served.settings.limits.seconds
        started = time.perf_counter()
        steps: list[tuple[float, Step]] = []
        alone = self._one_at_a_time.setdefault(asked.conversation or str(asked.id), asyncio.Lock())
        try:
            async with asyncio.timeout(seconds) as limit, alone, AsyncExitStack() as counted:
                if (agent := await served.agent()).models or agent.specialist:
                    await counted.enter_async_context(self.limiter.asking(asker, served.name))
                with self.metrics.under_way.labels(served.name).track_inprogress():
                    turn = await self._turn(asker, served, asked, events, steps)
                turn = replace(turn, asked_with=asked.options if asked.idempotency else "")
                limit.reschedule(None)
                keep = partial(
                    self.conversations.append,
                    asker.owner,
                    served.name,
                    turn,
                    id=asked.id,
                    conversation=asked.conversation,
                    idempotency=asked.idempotency,
                    also=lambda connection: self.limiter.spend(connection, asker, served.name, turn.usage),
                )
                # Nobody may cancel what was paid for and is nearly written: it would be lost or, asked again, doubled.
                kept = await asyncio.shield(asyncio.to_thread(keep))
        except BaseException as error:
            outcome = outcome_of(error)
            self.metrics.questions.labels(served.name, outcome).inc()
            if outcome == "timeout":
                said = f"The question took more than {seconds:g} seconds, and was cancelled."
                raise Problem("timeout", said) from None
            raise
        taken = time.perf_counter() - started
        self.metrics.answered(served.name, turn, taken)
        if self.telemetry:
            self.telemetry.answered(served.name, turn, taken, steps)
        return kept

    async def _turn(
        self, asker: Asker, served: Served, asked: AskRequest, events: Events | None, steps: list[tuple[float, Step]]
    ) -> Turn:
        agent = await served.agent()

        def on_step(step: Step) -> None:
            steps.append((time.time(), step))
            if events:
                events.step(step)

        @contextmanager
        def queued(ahead: int) -> Iterator[None]:
            if events:
                events.tell("queued", {"ahead": ahead})
            with self.metrics.queue.labels(served.name).track_inprogress():
                yield

        def work() -> Turn:
            ASKER.set(asker.account)
            # In this thread, as each change of threads costs as much as a look into the database.
            served.learn(agent, self.conversations)
            before: Sequence[Kept] = ()
            if asked.conversation is not None:
                count, size = self.conversations.extent(asked.conversation)
                if count >= TURNS or size >= SIZE:
                    most = f"{TURNS} turns and {SIZE / 1e6:g} million characters"
                    raise Problem("conflict", f"A conversation has at most {most}: begin a new one.")
                before = self.conversations.turns(asker.owner, asked.conversation)
            try:
                return _cut(_answered(agent, asked, [one.turn for one in before], on_step))
            except BaseException:  # who leaves before there is an answer has spent what was called for it
                self.limiter.spend_now(asker, Usage.total(step.usage for _, step in steps))
                raise

        return await served.questions.do(work, asker.account, queued)


def _cut(turn: Turn) -> Turn:
    """Return a turn with as many rows as may be told and kept; follow-ups go by the query."""
    guess = turn.unknown and turn.unknown.guess
    unknown = replace(turn.unknown, guess=cut(guess)) if turn.unknown and guess else turn.unknown
    return replace(turn, answer=turn.answer and cut(turn.answer), unknown=unknown)


def _answered(agent: Agent, asked: AskRequest, before: list[Turn], on_step: Callable[[Step], None]) -> Turn:
    """Answer a question, in the thread of the caller."""
    if asked.conversation is not None:
        conversation = Conversation(agent, turns=before, sentence=asked.sentence, language=asked.language)
        return conversation.ask(asked.question, on_step)
    question = Question(asked.question.strip(), asked.language or "")
    started = time.perf_counter()
    answer: Answer | None
    try:
        answer = agent.ask(question, sentence=asked.sentence, min_confidence=asked.min_confidence, on_step=on_step)
        unknown, read, reply, trace = None, answer.question, answer.text, answer.trace
    except AnswerError as error:
        if error.unknown is None:
            raise
        unknown, trace = error.unknown, error.trace
        answer, read, reply = unknown.guess, unknown.question, str(unknown)
    return Turn(
        question.text,
        question.text,
        language=read.language,
        reply=reply,
        answer=answer,
        unknown=unknown,
        usage=trace.usage if trace else Usage(),
        seconds=round(time.perf_counter() - started, 4),
        trace=trace,
    )
