"""Cancelling: who asked has left, so that what is under way for the question is ended, wherever it is.

A question runs in a thread, and its calls wait in processes and on sockets. Whoever can wait registers how its waiting
is ended; `Cancellation.cancel`, from any thread, ends what is registered, and nothing more is begun.

>>> cancellation = Cancellation()
>>> with cancellable(cancellation), under_way(lambda: print("the query is killed")):
...     cancellation.cancel()
Traceback (most recent call last):
    ...
triad.cancelling.Cancelled
"""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager, suppress
from contextvars import ContextVar, copy_context
from typing import TypeVar

T = TypeVar("T")


class Cancelled(BaseException):
    """A question was cancelled. Like KeyboardInterrupt it is no error: nothing is to catch it and go on."""


class Cancellation:
    """Whether one question was cancelled, and what is under way for it. Safe to use from several threads."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()
        self._ends: dict[object, Callable[[], object]] = {}
        self._lock = threading.Lock()

    @property
    def cancelled(self) -> bool:
        """Whether it was."""
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """End all that is under way; what is begun later ends at once."""
        with self._lock:
            self._cancelled.set()
            ends = list(self._ends.values())
        for end in ends:
            with suppress(OSError, ValueError):  # it ended by itself meanwhile
                end()

    @contextmanager
    def under_way(self, end: Callable[[], object]) -> Iterator[None]:
        """Have something ended when the question is cancelled, and raise `Cancelled` then."""
        with self._lock:
            if self.cancelled:
                raise Cancelled
            self._ends[one := object()] = end
        try:
            yield
        except Exception:
            if self.cancelled:
                raise Cancelled from None  # the failure is that of what was ended
            raise
        finally:
            with self._lock:
                del self._ends[one]
        if self.cancelled:
            raise Cancelled


_CURRENT: ContextVar[Cancellation | None] = ContextVar("cancellation", default=None)


@contextmanager
def cancellable(cancellation: Cancellation | None) -> Iterator[None]:
    """Have all that is begun in this thread cancelled by a cancellation."""
    token = _CURRENT.set(cancellation)
    try:
        yield
    finally:
        _CURRENT.reset(token)


@contextmanager
def under_way(end: Callable[[], object]) -> Iterator[None]:
    """Have something ended when the question of this thread is cancelled; `Cancelled` is raised then."""
    if (cancellation := _CURRENT.get()) is None:
        yield
        return
    with cancellation.under_way(end):
        yield


def check() -> None:
    """Raise `Cancelled` if the question of this thread was cancelled."""
    if (cancellation := _CURRENT.get()) is not None and cancellation.cancelled:
        raise Cancelled


def carried(function: Callable[..., T]) -> Callable[..., T]:
    """Return a function that is cancelled with the question of this thread, whichever thread calls it."""
    cancellation = _CURRENT.get()

    def run(*arguments: object) -> T:
        with cancellable(cancellation):
            return function(*arguments)

    return run


async def in_thread(
    work: Callable[[], T], executor: Executor | None = None, ended: Callable[[], object] = lambda: None
) -> T:
    """Do some work in a thread, by default of the event loop's executor; if the caller is cancelled, so is the work.

    ``ended`` is called when the work has ended, which may be some time after the caller was cancelled.
    """
    cancellation = Cancellation()

    def run() -> T:
        with cancellable(cancellation):
            check()  # it may have waited for a thread
            return work()

    # What is known of the caller goes along, into the lines of a log for example.
    future = asyncio.get_running_loop().run_in_executor(executor, copy_context().run, run)
    future.add_done_callback(lambda _: ended())
    try:
        await asyncio.wait([future])  # which does not cancel it: the work ends when it notices
    except asyncio.CancelledError:
        future.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody waits for it any more
        # In a thread of its own: those of the executor may all be busy with what is to be ended.
        threading.Thread(target=cancellation.cancel, name="cancelling", daemon=True).start()
        raise
    return future.result()
