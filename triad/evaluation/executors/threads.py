"""Asks questions on threads of this process: most of the time they wait for a model or a graph."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterable
from typing import TypeVar

from triad.evaluation.executors.base import Outcome

__all__ = ["on_threads"]

J = TypeVar("J")


def on_threads(ask: Callable[[J], Outcome], jobs: Iterable[J], workers: int) -> Generator[tuple[J, Outcome]]:
    """Do jobs on threads, and yield each with its outcome when it is done.

    The threads are daemons: a program that is interrupted does not wait for the calls under way. They rest while as
    many outcomes as there are threads wait to be taken.

    Args:
        ask: Does a job.
        jobs: The jobs; pulled by one thread at a time, when a thread is free.
        workers: The number of threads.
    """
    todo = iter(jobs)
    lock = threading.Lock()
    room = threading.Semaphore(2 * workers)
    closing = threading.Event()
    outcomes: queue.SimpleQueue[tuple[J, Outcome] | None] = queue.SimpleQueue()

    def work() -> None:
        try:
            while room.acquire() and not closing.is_set():
                with lock:
                    job = next(todo)
                outcomes.put((job, ask(job)))
        except StopIteration:
            pass
        finally:
            outcomes.put(None)

    threads = [threading.Thread(target=work, name=f"question-{number}", daemon=True) for number in range(workers)]
    for thread in threads:
        thread.start()
    try:
        for _ in threads:
            while (outcome := outcomes.get()) is not None:
                yield outcome
                room.release()
    finally:
        closing.set()
        room.release(workers)  # for those that rest
