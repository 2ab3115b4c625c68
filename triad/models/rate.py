"""Keeping to a server's pace: so many calls a minute, so many at a time.

Calls are spaced evenly, 60 / ``per_minute`` seconds apart, so that no minute, wherever it starts, has more than
the server allows. Who waits is served in the order of arrival.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from triad.errors import ConfigError
from triad.models.model import Completion, Model
from triad.models.wrapper import Wrapper
from triad.trace import Message

__all__ = ["RateLimitedModel"]

T = TypeVar("T")


class RateLimitedModel(Wrapper):
    """A model that waits before it calls another, so as not to call it too often or too much at a time.

    Args:
        model: The model that answers.
        per_minute: How many calls may start in a minute; None for any number.
        concurrency: How many calls may be under way at a time; None for any number.
        clock: Tells the time in seconds.
        sleep: Waits for so many seconds.

    Raises:
        ConfigError: A limit is not positive.
    """

    def __init__(
        self,
        model: Model,
        *,
        per_minute: float | None = None,
        concurrency: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        super().__init__(model)
        for name, limit in {"per_minute": per_minute, "concurrency": concurrency}.items():
            if limit is not None and limit <= 0:
                raise ConfigError(f"{name} is {limit!r}, but must be positive")
        self._interval = 60 / per_minute if per_minute else 0.0
        self._queue = _Queue(concurrency) if concurrency else None
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._next_start = clock()

    def complete(self, messages: Sequence[Message], schema: Mapping[str, Any] | None = None) -> Completion:
        """Wait for a turn, then return the reply of the model inside; raises as the model inside does."""
        return self._in_turn(lambda: self.model.complete(messages, schema))

    def complete_many(self, messages: Sequence[Message], count: int) -> list[Completion]:
        """Wait for a turn, then return replies of the model inside; raises as the model inside does."""
        return self._in_turn(lambda: self.model.complete_many(messages, count))

    def _in_turn(self, call: Callable[[], T]) -> T:
        if self._queue is None:
            return self._on_time(call)
        with self._queue.place():
            return self._on_time(call)

    def _on_time(self, call: Callable[[], T]) -> T:
        with self._lock:
            now = self._clock()
            start = max(now, self._next_start)
            self._next_start = start + self._interval
        if start > now:
            self._sleep(start - now)
        return call()


class _Queue:
    """A number of places, taken in the order of arrival; a `threading.Semaphore` may let a newcomer pass."""

    def __init__(self, places: int) -> None:
        self._free = places
        self._lock = threading.Lock()
        self._waiting: deque[threading.Event] = deque()

    @contextmanager
    def place(self) -> Iterator[None]:
        """Wait for a place and hold it."""
        turn = threading.Event()
        with self._lock:
            self._waiting.append(turn)
            self._call_next()
        try:
            turn.wait()
            yield
        finally:
            with self._lock:
                # An interrupted wait ends without a turn: then the name is struck off instead.
                if turn.is_set():
                    self._free += 1
                else:
                    self._waiting.remove(turn)
                self._call_next()

    def _call_next(self) -> None:
        while self._free and self._waiting:
            self._free -= 1
            self._waiting.popleft().set()
