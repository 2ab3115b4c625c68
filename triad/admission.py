"""Admission: of the questions of a process, few compute at once; another one begins when one of these waits or ends.

Who computes beside hundreds gets the processor late, and what may take so long, such as a search, ends with little
found. A question that waits, for a model or an answer over HTTP, counts no more: as many do as are asked. Only to begin
may take a while; what has begun goes on at once, so that nobody who waits can hold what another one needs.

>>> with questions.admitted(), questions.waiting():
...     pass  # for a model: another question may begin
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from triad.cancelling import under_way


class Admission:
    """Lets work begin in the order of arrival, while less than so much computes. Safe to use from several threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._computing = 0
        self._queue: deque[threading.Event] = deque()
        self._lock = threading.Lock()
        self._thread = threading.local()

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Begin some work when there is room for it, and in a thread that has begun some, at once."""
        if self._counts:
            yield
            return
        turn = threading.Event()
        with self._lock:
            self._queue.append(turn)
        self._count(0)
        try:
            with under_way(turn.set):
                turn.wait()
        except BaseException:
            with self._lock:
                given = turn not in self._queue
                if not given:
                    self._queue.remove(turn)
            self._count(-given)
            raise
        with self._computes():
            yield

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Compute at once, in another thread than the one in which the work began."""
        self._count(1)
        with self._computes():
            yield

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for what computes elsewhere; other work may begin meanwhile."""
        if not self._counts:
            yield
            return
        self._thread.counts = False
        self._count(-1)
        try:
            yield
        finally:
            self._count(1)
            self._thread.counts = True

    @property
    def _counts(self) -> bool:
        """Whether what this thread does is counted."""
        return getattr(self._thread, "counts", False)

    @contextmanager
    def _computes(self) -> Iterator[None]:
        self._thread.counts = True
        try:
            yield
        finally:
            self._thread.counts = False
            self._count(-1)

    def _count(self, change: int) -> None:
        """Count what begins or ends to compute, and let begin what there is room for."""
        with self._lock:
            self._computing += change
            while self._queue and self._computing < self._most:
                self._computing += 1
                self._queue.popleft().set()


questions: Final = Admission(4)
"""The questions of this process. Two keep a processor busy; the others may be at what does not show as waiting."""
