"""Work in threads that ends when nobody waits for it any more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from triad.cancelling import Cancellation, Cancelled, cancellable
from triad.server.problems import Problem

__all__ = ["in_thread"]

T = TypeVar("T")


async def in_thread(work: Callable[..., T], *arguments: Any) -> T:
    """Do some work in a thread; if the caller is cancelled, so is what the work has under way."""
    cancellation = Cancellation()

    def run() -> T:
        with cancellable(cancellation):
            try:
                return work(*arguments)
            except Cancelled:
                raise Problem("timeout", "That was cancelled.") from None

    try:
        return await asyncio.to_thread(run)
    except asyncio.CancelledError:
        await asyncio.shield(asyncio.to_thread(cancellation.cancel))
        raise
