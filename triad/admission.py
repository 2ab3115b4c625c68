"""Admission: of the questions of a process, few compute at once; another one begins when one of these waits or ends.

Who computes beside hundreds gets the processor late, and what may take so long, such as a search, ends with little
found. A question that waits, for a model or an answer over HTTP, counts no more: as many do as are asked. Nor does one
that computes for long, which thus delays others a while and no more. What has begun goes on at once, so that nobody who
waits can hold what another one needs. Askers take turns, and who has none under way begins one besides, unless that of
more askers than the few computes, so that nobody waits for all that somebody else asks.

>>> with questions.admitted(), questions.waiting():
...     pass  # for a model: another question may begin
"""

import threading
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from triad.cancelling import under_way
from triad.deadline import Deadline

ASKER: Final[ContextVar[str]] = ContextVar("asker", default="")
"""Who asks, in the context of a question."""
_LONG: Final = 5.0  # seconds after which what computes counts no more


class Admission:
    """Lets work of each asker in turn begin, while less than so much computes. Safe to use from several threads."""

    def __init__(self, most: int, long: float = _LONG) -> None:
        self._most = most
        self._long = long
        self._computing: dict[threading.Event, tuple[str, Deadline]] = {}
        """What computes, for whom, and for how long it counts."""
        self._begun: Counter[str] = Counter()
        self._queue: dict[str, deque[threading.Event]] = {}
        self._lock = threading.Lock()
        self._thread = threading.local()  # has that of what it does as ``turn``, if it is counted

    @contextmanager
    def admitted(self) -> Iterator[None]:
        """Begin some work when there is room for it, and in a thread that has begun some, at once."""
        if getattr(self._thread, "turn", None):
            yield
            return
        turn, asker = threading.Event(), ASKER.get()
        with self._lock:
            self._queue.setdefault(asker, deque()).append(turn)
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
                    self._queue[asker].remove(turn)
                else:
                    self._begun[asker] -= 1
                    self._begun += Counter()  # which keeps those alone that have some
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
        if not (turn := getattr(self._thread, "turn", None)):
            yield
            return
        self._thread.turn = None
        self._end(turn)
        try:
            yield
        finally:
            self._begin(turn)
            self._thread.turn = turn

    def _begin(self, turn: threading.Event) -> None:
        with self._lock:
            self._computing[turn] = ASKER.get(), Deadline(self._long)

    def _end(self, turn: threading.Event) -> None:
        with self._lock:
            del self._computing[turn]
        self._admit()

    def _admit(self) -> None:
        """Let begin what there is room for."""
        with self._lock:
            counted = [asker for asker, counts in self._computing.values() if not counts.expired] if self._queue else []
            while can := self._next(counted):
                if turns := self._queue.pop(asker := can[0]):
                    self._queue[asker] = turns  # after all others
                    self._begun[asker] += 1
                    counted.append(asker)
                    self._computing[turn := turns.popleft()] = asker, Deadline(self._long)
                    turn.set()

    def _next(self, counted: list[str]) -> list[str]:
        """Return who may begin something beside those whose work computes, the next one first."""
        if len(counted) < self._most:
            return [*self._queue]
        return [one for one in self._queue if not self._begun[one]] if len({*counted}) <= self._most else []


questions: Final = Admission(4)
"""The questions of this process. Two keep a processor busy; the others may be at what does not show as waiting."""
