"""The graphs of a server: opened side by side, exchanged without a gap, and opened again where that failed.

A graph that cannot be opened, because its server is down, keeps no other one from being asked; it is tried again when
somebody asks it, though not more often than every few seconds.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import Final, TypeVar

from triad import sparql
from triad.agent import Agent
from triad.cancelling import in_thread
from triad.deadline import Deadline
from triad.description import GraphDescription
from triad.errors import ConfigError, DataError, QuerySyntaxError, TriadError
from triad.examples.nearest import Examples, Pair
from triad.garbage import kept, sweep
from triad.kg.local import LocalGraph
from triad.log import logger
from triad.routing.confirmed import ConfirmedQueries
from triad.search.endpoint import EndpointIndex
from triad.server.parts import part_of
from triad.server.places import Places
from triad.server.problems import Problem
from triad.server.settings import ALL, GraphSettings, Reach, Settings
from triad.server.state.conversations import Conversations
from triad.text import quoted

_LINGER: Final = 5.0  # seconds for which a graph that was exchanged stays open at least
AGAIN: Final = 5.0
"""Seconds after which a graph that could not be opened is tried again."""
_PATIENCE: Final = 3.0  # seconds in which a graph answers that can be asked
_QUESTIONS: Final = 10  # sample questions that a description has
_LOOKUPS: Final = 16  # names and things that are looked up at once, and of them those of one asker
_LOOKUPS_EACH: Final = 4
_LOOKUPS_QUEUE: Final = 1_000
_LOOKUP_SECONDS: Final = 10.0  # that one may take
_EACH: Final = 1  # of one asker's queries that are run at once

T = TypeVar("T")


class Served:
    """One graph of a server, or what somebody sees of it, which is opened when it is asked for."""

    def __init__(
        self, name: str, settings: GraphSettings, open_agent: Callable[[Reach], Agent], reach: Reach = ALL
    ) -> None:
        self.name = name
        self._reach = reach
        self._parts: dict[Reach, Served] = {}
        self.settings = settings
        self.fault: str | None = "it is being opened"
        """Why it cannot be asked; None if it can."""
        self.unusable = False
        """Whether that is a fault of its files or its config, which does not pass by itself."""
        limits = settings.limits
        each = limits.concurrent - limits.concurrent // 4
        self.questions = Places(f"ask-{name}", limits.concurrent, limits.queue, each)
        """Where its questions are answered; one asker has not all places."""
        self.queries = Places(f"query-{name}", limits.queries, limits.queue, _EACH)
        """Where queries that users wrote are run."""
        self.lookups = Places(f"look-up-{name}", _LOOKUPS, _LOOKUPS_QUEUE, _LOOKUPS_EACH)
        """Where names and things are looked up."""
        # Whether it answers is asked apart from all that is asked of it.
        self._apart = ThreadPoolExecutor(1, thread_name_prefix=f"open-{name}")
        self._confirmed = ""  # changes with what people confirmed of its answers, as far as the agent knows it
        self._learning = threading.Lock()  # held while the agent is told of it
        self._pairs: dict[tuple[str, str], Pair | None] = {}  # which take a while to read
        self._configured: Sequence[Pair] | None = None  # the examples that it had before, once they are needed
        self._open_agent = open_agent
        self._agent: Agent | None = None
        self._opening: asyncio.Task[None] | None = None
        self._tried: Deadline | None = None
        self._held = 0
        self._descriptions: dict[tuple[int, str], asyncio.Task[GraphDescription]] = {}

    @property
    def under_way(self) -> int:
        """How much is being done with it and its parts."""
        return sum(one.under_way for one in self._every) + sum(one.under_way for one in self._parts.values())

    @property
    def _every(self) -> tuple[Places, ...]:
        return self.questions, self.queries, self.lookups

    @property
    def title(self) -> str:
        """What people call it."""
        return self.settings.title or self.name

    @property
    def state(self) -> str | None:
        """A text that changes with its graph; None where nothing tells: at an endpoint, or before it is opened."""
        graph = self._agent.graph if self._agent else None
        return graph.fingerprint if isinstance(graph, LocalGraph) else None

    def part(self, reach: Reach) -> Served:
        """Return what somebody sees of it."""
        if reach == self._reach:
            return self
        if reach not in self._parts:
            self._parts.setdefault(reach, Served(self.name, self.settings, self._open_agent, reach))
        return self._parts[reach]

    def open(self) -> asyncio.Task[None]:
        """Begin to open it, unless that is under way."""
        failed = self._opening is not None and self._opening.done() and self._agent is None
        if self._opening is None or (failed and (self._tried is None or self._tried.elapsed > AGAIN)):
            self._opening = asyncio.create_task(self._open())
        return self._opening

    async def missing(self) -> str | None:
        """Return why it cannot be asked; None if it can: its graph answers."""
        if self._agent is None:
            self.open()  # so that it is back by itself
            return "it cannot be opened" if self._tried else "it is being opened"
        graph, index = self._agent.graph.limited(_PATIENCE), self._agent.index
        if not await self._answers(lambda: graph.lookup("ASK { ?s ?p ?o }")):
            return "its graph does not answer"
        # Names that are looked up in the graph itself are there if that is.
        if not isinstance(index, EndpointIndex) and not await self._answers(lambda: index.search("a", 1)):
            return "its index of names does not answer"
        return None

    async def _answers(self, ask: Callable[[], object]) -> bool:
        """Tell whether something that is asked answers soon."""
        try:
            async with asyncio.timeout(_PATIENCE):
                await in_thread(ask, self._apart)
        except (TriadError, TimeoutError):
            return False
        return True

    async def _open(self) -> None:
        self._tried = Deadline()
        try:
            self._agent = await in_thread(partial(self._open_agent, self._reach), self._apart)
            self.fault, self.unusable = None, False
        except TriadError as error:
            self.fault, self.unusable = str(error), isinstance(error, DataError)
            logger.error("the graph {!r} cannot be opened: {}", self.name, error)
        except Exception:
            self.fault = "it cannot be opened; the log says why"
            logger.exception("the graph {!r} cannot be opened", self.name)

    async def agent(self) -> Agent:
        """Return what answers its questions, opening it if need be; a `Problem` if it cannot be opened."""
        if self._agent is None:
            await asyncio.shield(self.open())
        if self._agent is None:
            name = "unusable" if self.unusable else "busy"
            what = "cannot be opened; the log says why." if self.unusable else "cannot be asked now; the log says why."
            raise Problem(name, f"The graph {self.name!r} {what}", wait=AGAIN)
        return self._agent

    async def look_up(self, work: Callable[[Agent, Deadline], T], account: str) -> T:
        """Look something up, for who has an account.

        Raises:
            Problem: It cannot be opened, or too much waits already.
            QueryTimeout: It took too long.
        """
        return await self.lookups.do_within(_LOOKUP_SECONDS, partial(work, await self.agent()), account)

    async def description(self, questions: int, language: str | None = None) -> GraphDescription:
        """Return what it is about, under its name here, for its own may be a path; it is found out once.

        Raises:
            Problem: It cannot be opened.
            TriadError: It failed.
        """
        agent = await self.agent()
        wanted = min(questions, _QUESTIONS), agent.spoken(language)
        if wanted not in self._descriptions:
            found = partial(agent.describe, questions=wanted[0], seconds=10.0, language=wanted[1])
            self._descriptions[wanted] = asyncio.create_task(self.lookups.do(found))
        try:
            return replace(await asyncio.shield(self._descriptions[wanted]), name=self.name)
        except Exception:
            self._descriptions.pop(wanted, None)
            raise

    def learn(self, agent: Agent, conversations: Conversations) -> None:
        """Have its agent know what people confirmed until now, on whichever server.

        A query that was confirmed answers its question from then on, which costs no call, and is among the examples
        that the generalist is shown (`triad.examples`). A part of a graph is told of none: they name what is in all.
        """
        if self._reach != ALL or conversations.confirmed(self.name) == self._confirmed:
            return
        with self._learning:
            if (state := conversations.confirmed(self.name)) == self._confirmed:
                return  # another question has told it meanwhile
            confirmed = conversations.examples(self.name)
            self._pairs = {one: self._pairs[one] if one in self._pairs else _pair(*one) for one in confirmed}
            pairs = [*filter(None, map(self._pairs.get, confirmed))]
            if self._configured is None:
                self._configured = agent.examples.pairs if agent.examples else ()
            agent.confirmed = ConfirmedQueries(pairs)
            every = [*self._configured, *pairs]
            agent.examples = Examples(every, agent.vectors) if every else None
            self._confirmed = state

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep it open while something is done with it."""
        self._held += 1
        try:
            yield
        finally:
            self._held -= 1

    @property
    def _is_held(self) -> bool:
        return bool(self._held) or any(part._is_held for part in self._parts.values())

    async def retire(self) -> None:
        """Close it when nothing is done with it any more, or when the server ends."""
        try:
            await asyncio.sleep(_LINGER)  # who looked it up just now has not begun yet
            while self._is_held or self.under_way:
                await asyncio.sleep(0.2)
        finally:
            self.close()
        sweep()

    def close(self) -> None:
        """Free what it and its parts hold."""
        for part in self._parts.values():
            part.close()
        for places in self._every:
            places.close()
        self._apart.shutdown(wait=False, cancel_futures=True)
        agent, self._agent = self._agent, None
        if agent:
            with suppress(TriadError):
                agent.close()


def _pair(question: str, query: str) -> Pair | None:
    try:
        return Pair.of(question, query)
    except QuerySyntaxError as error:
        logger.warning("a query that was confirmed is left out: {}", quoted(str(error)))
        return None


def _opened(settings: Settings, name: str, reach: Reach) -> Agent:
    """Open what answers, and have it load what the first question would wait for."""
    config = settings.config(name)
    with kept():
        agent = Agent.from_config(config if reach == ALL else part_of(config, reach))
        agent.language_of("Who?")
        sparql.parse("ASK {}")
        if agent.profile is None:
            logger.info("the graph {!r} has no profile", name)
    return agent


class Graphs:
    """All graphs of a server."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._served = self._made(settings)
        self._retiring: set[asyncio.Task[None]] = set()

    @staticmethod
    def _made(settings: Settings) -> dict[str, Served]:
        return {name: Served(name, one, partial(_opened, settings, name)) for name, one in settings.graphs.items()}

    def __iter__(self) -> Iterator[Served]:
        return iter(self._served.values())

    def seen(self, reach: Reach) -> Iterator[Served]:
        """Return the graphs of which somebody sees something."""
        return (served for served in self if not reach.graphs or served.name in reach.graphs)

    def find(self, name: str | None, reach: Reach) -> Served:
        """Return what somebody sees of a graph, by its name or the id of one of its data sets; else of the first one.

        Raises:
            Problem: There is none, or none of which they see anything.
        """
        seen = [*self.seen(reach)]
        for served in seen:
            if not name or name == served.name or name in served.settings.datasets:
                return served.part(reach.part)
        known = ", ".join(served.name for served in seen) or "none"
        raise Problem("not-found", f"There is no graph of that name; there are: {known}.")

    def open(self) -> None:
        """Begin to open all."""
        for served in self:
            served.open()

    async def check(self) -> None:
        """Open all; a `ConfigError` if none can be asked, now or later."""
        await asyncio.gather(*(one.open() for one in self))
        if all(one.unusable for one in self):
            raise ConfigError("; ".join(f"the graph {one.name!r} cannot be opened: {one.fault}" for one in self))

    async def succeed(self, asked: Collection[str]) -> bool:
        """Open all in place of others, and tell whether those can be asked that can be asked there, and any at all."""
        await asyncio.gather(*(one.open() for one in self))
        able = {one.name for one in self if one.fault is None}
        if not asked or (able and able.issuperset(self._served.keys() & asked)):
            return True
        self.close()
        return False

    async def exchange(self, settings: Settings) -> None:
        """Take other settings: what they name is opened first, and then asked; what was there ends in peace.

        Graphs that cannot be opened keep their places, if they were there.

        Raises:
            ConfigError: No graph can be opened, and what was there stays.
        """
        made, before = self._made(settings), self._served
        await asyncio.gather(*(one.open() for one in made.values()))
        kept = {name: before[name] for name, one in made.items() if one.fault and name in before}
        lost = all(one.fault for one in (made | kept).values()) and not all(one.fault for one in before.values())
        for name in made if lost else kept:
            made[name].close()
        if lost:
            raise ConfigError("none of their graphs can be opened")
        for name in kept:
            logger.error("the graph {!r} stays as it was: {}", name, made[name].fault)
        made |= kept
        self.settings, self._served = settings, made
        for name, one in before.items():
            if made.get(name) is not one:
                task = asyncio.create_task(one.retire())
                self._retiring.add(task)
                task.add_done_callback(self._retiring.discard)

    def close(self) -> None:
        """Free what they hold."""
        for task in self._retiring:
            task.cancel()
        for served in self:
            served.close()
