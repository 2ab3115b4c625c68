"""Places: work of one kind on a graph is done in threads of its own, so much at once; more of it waits, within bounds.

Who asks for much waits in a line of their own, so that nobody else waits for it.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import TypeVar
from weakref import WeakValueDictionary

from anyio import CapacityLimiter

from triad.cancelling import in_thread
from triad.deadline import Deadline
from triad.errors import QueryTimeout
from triad.server.problems import Problem

T = TypeVar("T")


class Places:
    """Places of one kind of work: so much is done at once, and so much of each asker; so much may wait in a line."""

    def __init__(self, name: str, concurrent: int, queue: int, each: int | None = None) -> None:
        self._threads = ThreadPoolExecutor(concurrent, thread_name_prefix=name)
        self._places = CapacityLimiter(concurrent)
        self._queue = queue
        self._each = each or concurrent
        self._lines: WeakValueDictionary[str, CapacityLimiter] = WeakValueDictionary()
        self.under_way = 0
        """How much is being done, or waits."""

    async def do(
        self,
        work: Callable[[], T],
        account: str = "",
        queued: Callable[[int], AbstractContextManager[object]] = lambda _: nullcontext(),
    ) -> T:
        """Do some work in a place; if the caller is cancelled, so is the work, whose place is free when it has ended.

        Args:
            work: The work.
            account: Whose it is.
            queued: Is told how much is ahead, where one has to wait, and left when that is over.

        Raises:
            Problem: Too much waits already.
        """
        task = object()
        taken: list[CapacityLimiter] = []
        self.under_way += 1

        def leave() -> None:
            self.under_way -= 1
            for one in taken:
                one.release_on_behalf_of(task)

        try:
            for line in (self._lines.setdefault(account, CapacityLimiter(self._each)), self._places):
                if (waiting := line.statistics().tasks_waiting) >= self._queue and not line.available_tokens:
                    seconds = 1 + waiting / line.total_tokens
                    raise Problem("busy", f"{waiting} requests wait already; try again later.", wait=seconds)
                with nullcontext() if line.available_tokens else queued(waiting + 1):
                    await line.acquire_on_behalf_of(task)
                taken.append(line)
        except BaseException:
            leave()
            raise
        return await in_thread(work, self._threads, leave)

    async def do_within(self, seconds: float, work: Callable[[Deadline], T], account: str) -> T:
        """Do some work in a place; waiting for it is part of its time.

        Raises:
            Problem: Too much waits already.
            QueryTimeout: It did not end in its time.
        """
        try:
            async with asyncio.timeout(seconds):
                return await self.do(partial(work, Deadline(seconds)), account)
        except TimeoutError:
            raise QueryTimeout(f"it did not end in {seconds:g} seconds, waiting included") from None

    def close(self) -> None:
        """Begin no work any more."""
        self._threads.shutdown(wait=False, cancel_futures=True)
