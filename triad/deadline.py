"""Deadlines: how many seconds are left for what is under way.

>>> deadline = Deadline(10.0)
>>> 9.0 < deadline.left <= 10.0
True
>>> Deadline(0.0).check("the look-up")
Traceback (most recent call last):
    ...
triad.errors.QueryTimeout: the look-up took longer than 0 seconds
"""

import math
import threading
import time
from collections.abc import Callable
from typing import Self

from triad.errors import QueryTimeout


class Deadline:
    """A moment by which something has to be done. Safe to use from several threads."""

    def __init__(self, seconds: float = math.inf) -> None:
        """Set the deadline so many seconds from now; by default there is none."""
        self.seconds = seconds
        self._started = time.monotonic()

    @property
    def elapsed(self) -> float:
        """The seconds that have passed."""
        return time.monotonic() - self._started

    @property
    def left(self) -> float:
        """The seconds that are left, at least 0."""
        return max(0.0, self.seconds - self.elapsed)

    @property
    def expired(self) -> bool:
        """Whether no time is left."""
        return self.left <= 0

    def renew(self, seconds: float) -> Self:
        """Allow so many seconds from now."""
        self.seconds, self._started = seconds, time.monotonic()
        return self

    def check(self, work: str) -> None:
        """Raise a `QueryTimeout`, which says what work took too long, if no time is left."""
        if self.expired:
            raise QueryTimeout(f"{work} took longer than {self.seconds:g} seconds")


class Pace:
    """No more starts in a second than are allowed: they are spaced evenly, and nothing is saved up.

    Who waits is served in the order of arrival. Safe to use from several threads.
    """

    def __init__(
        self, rate: float, sleep: Callable[[float], None] = time.sleep, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Allow so many starts a second; the first need not wait."""
        self._interval = 1 / rate
        self._sleep = sleep
        self._clock = clock
        self._lock = threading.Lock()
        self._next = clock()

    def wait(self) -> None:
        """Wait until the next may start."""
        with self._lock:
            now = self._clock()
            start = max(now, self._next)
            self._next = start + self._interval
        if start > now:
            self._sleep(start - now)
