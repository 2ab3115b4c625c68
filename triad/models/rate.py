"""Keeping to a server's pace: so many calls a minute.

Calls are spaced evenly, 60 / ``per_minute`` seconds apart, so that no minute, wherever it starts, has more than
the server allows. Who waits is served in the order of arrival.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence

from triad.errors import ConfigError
from triad.models.model import Completion, Model
from triad.models.wrapper import Wrapper
from triad.trace import Message

__all__ = ["RateLimitedModel"]


class RateLimitedModel(Wrapper):
    """A model that waits before it calls another, so as not to call it too often.

    Args:
        model: The model that answers.
        per_minute: How many calls may start in a minute.
        clock: Tells the time in seconds.
        sleep: Waits for so many seconds.

    Raises:
        ConfigError: The limit is not positive.
    """

    def __init__(
        self,
        model: Model,
        *,
        per_minute: float,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(model)
        if per_minute <= 0:
            raise ConfigError(f"per_minute is {per_minute!r}, but must be positive")
        self._interval = 60 / per_minute
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next_start = clock()

    def _pass_on(self, messages: Sequence[Message], call: Callable[[], list[Completion]]) -> list[Completion]:
        with self._lock:
            now = self._clock()
            start = max(now, self._next_start)
            self._next_start = start + self._interval
        if start > now:
            self._sleep(start - now)
        return call()
