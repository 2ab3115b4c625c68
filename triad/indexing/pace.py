"""Requests to a server that does not belong to us: not more of them in a second than are allowed."""

from __future__ import annotations

import time
from collections.abc import Callable

__all__ = ["Pace"]


class Pace:
    """Holds requests apart."""

    def __init__(self, rate: float, sleep: Callable[[float], None] = time.sleep) -> None:
        """Start; the first request need not wait.

        Args:
            rate: Requests a second at most.
            sleep: Waits so many seconds.
        """
        self._rate = rate
        self._sleep = sleep
        self._next = 0.0

    def wait(self) -> None:
        """Wait until the next request may be sent."""
        self._sleep(max(self._next - time.monotonic(), 0.0))
        self._next = time.monotonic() + 1 / self._rate
