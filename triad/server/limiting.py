"""Limits: how many requests a minute, and how much of the model a day, one key or one address may have.

Requests are counted in memory, or in a Redis that several servers share. While that Redis is away, each server counts
for itself.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from typing import Final, TypeVar
from weakref import WeakValueDictionary

from limits import RateLimitItemPerMinute
from limits.errors import ConfigurationError, StorageError
from limits.storage import MemoryStorage, Storage, storage_from_string
from limits.strategies import MovingWindowRateLimiter
from sqlalchemy import Connection

from triad.deadline import Deadline
from triad.errors import ConfigError
from triad.log import logger
from triad.server.access import Asker
from triad.server.problems import Problem
from triad.server.state.keys import Keys
from triad.trace import Usage

GUESSES: Final = 20
"""Wrong keys a minute that one address may try."""
_AWAY: Final = 10.0  # seconds after which a Redis that was away is asked again
_BACK: Final = 1.0  # seconds by which the clock is set back when it is not only put right

T = TypeVar("T")


class Limiter:
    """Counts requests, in a Redis or at ``memory://``, and what they cost. Safe to use from several threads.

    Raises:
        ConfigError: The address cannot be used.
    """

    def __init__(self, address: str, keys: Keys) -> None:
        self._keys = keys
        self._own = MovingWindowRateLimiter(MemoryStorage())
        self._shared: MovingWindowRateLimiter | None = None
        self._away = Deadline(0.0)
        self._latest = 0.0
        self._dearest: dict[str, tuple[int, float]] = {}  # calls and money of a question, of each graph
        self._turns: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        if not address.startswith("memory://"):
            try:
                options = {"socket_timeout": 1.0, "socket_connect_timeout": 1.0} if "redis" in address else {}
                storage = storage_from_string(address, wrap_exceptions=True, **options)
                assert isinstance(storage, Storage), "counters that are asked in threads"
                self._shared = MovingWindowRateLimiter(storage)
            except (ConfigurationError, ValueError, AssertionError) as error:
                raise ConfigError(f"the counters cannot be opened: {error}; use memory:// or redis://HOST") from error

    def fault(self) -> str | None:
        """Return what is wrong with the shared counters; None if nothing is."""
        if self._shared is None:
            return None
        try:
            return None if self._shared.storage.check() else "the counters do not answer"
        except Exception as error:
            return f"the counters do not answer: {type(error).__name__}"

    async def count_request(self, asker: Asker) -> None:
        """Count a request; a `Problem` says that there were too many in a minute."""
        if most := asker.limits.requests_a_minute:
            item = RateLimitItemPerMinute(most)
            if not await self._counted(lambda limiter: limiter.hit(item, "requests", asker.account)):
                window = await self._counted(lambda limiter: limiter.get_window_stats(item, "requests", asker.account))
                wait = max(window.reset_time - time.time(), 0.0)
                raise Problem("too-many-requests", f"More than {most} requests a minute.", wait=wait)

    async def wrong_key(self, address: str) -> Problem:
        """Count a wrong key, and return what is told of it: another thing where an address tried too many."""
        item = RateLimitItemPerMinute(GUESSES)
        if not await self._counted(lambda limiter: limiter.hit(item, "guesses", address)):
            return Problem("too-many-requests", "Too many wrong keys.", wait=60.0)
        return Problem("not-authorised", "There is no such key, or it was revoked.")

    async def _counted(self, count: Callable[[MovingWindowRateLimiter], T]) -> T:
        if (now := time.time()) < self._latest - _BACK:
            self._own.storage.reset()  # what was counted would be held against who asks until the clock has caught up
        self._latest = now
        if self._shared is None or not self._away.expired:
            return count(self._own)
        try:
            return await asyncio.to_thread(count, self._shared)
        except StorageError as error:
            logger.warning("the shared counters do not answer, so that this server counts for itself: {}", error)
            self._away = Deadline(_AWAY)
            return count(self._own)

    # What is spent in a day

    async def check_spending(self, asker: Asker) -> None:
        """Refuse an asker who spent too much today: raise a `Problem`."""
        if not _is_unlimited(asker):
            _check(asker, *await asyncio.to_thread(self._keys.spent, asker.account))

    @asynccontextmanager
    async def asking(self, asker: Asker, graph: str) -> AsyncIterator[None]:
        """Count a question as spent while it is under way, on all servers: as what the dearest one of its graph took.

        Until that is known here, those of one who has a limit take turns. Raises as `check_spending` does.
        """
        if _is_unlimited(asker):
            yield
            return
        async with AsyncExitStack() as turn:
            if graph not in self._dearest:
                await turn.enter_async_context(self._turns.setdefault(f"{asker.account} {graph}", asyncio.Lock()))
                if graph in self._dearest:
                    await turn.aclose()
            kept = self._dearest.get(graph, (1, 0.0))
            keeping = asyncio.ensure_future(asyncio.to_thread(self._keep, asker, *kept))

            async def give_back() -> None:
                with suppress(Problem):
                    day = await keeping  # which may be over
                    await asyncio.to_thread(self.spend_now, asker, Usage(calls=-kept[0], money=-kept[1]), day)

            try:
                await asyncio.shield(keeping)
                yield
            finally:
                await asyncio.shield(give_back())

    def _keep(self, asker: Asker, calls: int, money: float) -> str:
        with self._keys.database.writing() as connection:
            day = self._keys.spend(connection, asker.account, calls, money)  # first, so that others wait for it
            spent = self._keys.spent(asker.account, connection)
            _check(asker, spent[0] - calls, spent[1] - money)  # which leaves nothing written if it raises
        return day

    def spend_now(self, asker: Asker, usage: Usage, day: str = "") -> None:
        """Add what a question cost of which no turn is kept; what cannot be written is not counted."""
        if usage.calls or usage.money:
            with suppress(Problem), self._keys.database.writing() as connection:
                self._keys.spend(connection, asker.account, usage.calls, usage.money, day)

    def spend(self, connection: Connection, asker: Asker, graph: str, usage: Usage) -> None:
        """Add what a question of a graph cost, in the transaction that keeps its turn."""
        if usage.calls or usage.money:
            self._keys.spend(connection, asker.account, usage.calls, usage.money)
            calls, money = self._dearest.get(graph, (1, 0.0))
            self._dearest[graph] = max(calls, usage.calls), max(money, usage.money)


def _is_unlimited(asker: Asker) -> bool:
    return asker.limits.calls_a_day is asker.limits.money_a_day is None


def _check(asker: Asker, calls: int, money: float) -> None:
    limits = asker.limits
    if limits.calls_a_day is not None and calls >= limits.calls_a_day:
        raise Problem("limit-reached", f"{limits.calls_a_day} calls of the model a day are used up.")
    if limits.money_a_day is not None and money >= limits.money_a_day:
        raise Problem("limit-reached", f"${limits.money_a_day:g} a day are used up.")
