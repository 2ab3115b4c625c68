"""Admission: of the questions of a process, few compute at once; another one begins when one of these waits or ends.

Who computes beside hundreds gets the processor late, and what may take so long, such as a search, ends with little
found. A question that waits, for a model or an answer over HTTP, counts no more: as many do as are asked. Nor does one
that computes for long, which thus delays others a while and no more. What has begun goes on at once, so that nobody who
waits can hold what another one needs.

>>> with questions.admitted(), questions.waiting():
...     pass  # for a model: another question may begin
"""

import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from triad.cancelling import under_way
from triad.deadline import Deadline

_LONG: Final = 5.0
"""Seconds after which what computes counts no more."""


class Admission:
    """Lets work begin in the order of arrival, while less than so much computes. Safe to use from several threads."""

    def __init__(self, most: int, long: float = _LONG) -> None:
        self._most = most
        self._long = long
        self._computing: dict[threading.Event, Deadline] = {}
        """What computes, and for how long it counts."""
        self._queue: deque[threading.Event] = deque()
        self._lock = threading.Lock()
        self._thread = threading.local()

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Begin some work when there is room for it, and in a thread that has begun some, at once."""
        if self._turn:
            yield
            return
        turn = threading.Event()
        with self._lock:
            self._queue.append(turn)
        try:
            with under_way(turn.set):
                self._admit()
                while not turn.wait(self._long):
                    self._admit()
            self._thread.turn = turn
            yield
        finally:
            self._thread.turn = None
            with self._lock:
                if self._computing.pop(turn, None) is None:
                    self._queue.remove(turn)
            self._admit()

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Compute at once, in another thread than the one in which the work began."""
        turn = self._thread.turn = threading.Event()
        self._begin(turn)
        try:
            yield
        finally:
            self._thread.turn = None
            self._end(turn)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Wait for what computes elsewhere; other work may begin meanwhile."""
        if not (turn := self._turn):
            yield
            return
        self._thread.turn = None
        self._end(turn)
        try:
            yield
        finally:
            self._begin(turn)
            self._thread.turn = turn

    @property
    def _turn(self) -> threading.Event | None:
        """That of this thread, if what it does is counted."""
        return getattr(self._thread, "turn", None)

    def _begin(self, turn: threading.Event) -> None:
        with self._lock:
            self._computing[turn] = Deadline(self._long)

    def _end(self, turn: threading.Event) -> None:
        with self._lock:
            del self._computing[turn]
        self._admit()

    def _admit(self) -> None:
        """Let begin what there is room for."""
        with self._lock:
            room = self._most - sum(not each.expired for each in self._computing.values()) if self._queue else 0
            for turn in [self._queue.popleft() for _ in range(min(room, len(self._queue)))]:
                self._computing[turn] = Deadline(self._long)
                turn.set()


questions: Final = Admission(4)
"""The questions of this process. Two keep a processor busy; the others may be at what does not show as waiting."""
