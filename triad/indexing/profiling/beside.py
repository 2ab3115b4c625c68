"""A profile that is counted in a process of its own, beside the label index, once a graph is large enough.

Python computes on one core per process, and counting takes as long as all the rest. A small graph is counted here:
it would be done before another process had begun.
"""

from __future__ import annotations

import gc
import signal
import sys
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from triad.errors import ServiceError, TriadError
from triad.indexing.labels import LabelProperties
from triad.indexing.profiling.collector import ProfileCollector
from triad.kg.parsing import Statements
from triad.kg.profile import GraphProfile

__all__ = ["ProfileBeside"]

_HERE: Final = 2
"""Batches of some megabytes up to which the profile is counted in this process."""
_AHEAD: Final = 4
"""Batches that wait until the other process takes them."""


class ProfileBeside:
    """Collects the figures of a profile, as `ProfileCollector` does, in another process if there are many triples."""

    def __init__(self, properties: LabelProperties, folder: Path) -> None:
        """Start with nothing collected.

        Args:
            properties: Which properties hold names, and which classes.
            folder: Where the files lie to which triples are written that outgrow memory.
        """
        self._properties = properties
        self._folder = folder
        self._collector: ProfileCollector | _Process = ProfileCollector(properties, folder=folder)
        self._waiting: list[Statements] = []

    def take(self, batch: Statements) -> None:
        """Take a batch of triples."""
        if isinstance(self._collector, _Process):
            self._collector.call("take", batch.text or list(batch))
            return
        self._waiting.append(batch)
        if len(self._waiting) > _HERE:
            self._moved()

    def append(self, folder: Path, state: Mapping[str, Any]) -> None:
        """Take what another collector took after this one: the files of its folder, and its state."""
        self._moved().call("append", folder, state).result()

    def state(self) -> dict[str, Any]:
        """Write all to files, and return the state for `restore` in a form that JSON can hold."""
        self._take_waiting()
        if isinstance(self._collector, _Process):
            state: dict[str, Any] = self._collector.call("state").result()
            return state
        return self._collector.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """Come back to the point where the state was taken; the collector must be new, and its folder the same."""
        assert isinstance(self._collector, ProfileCollector)
        self._collector.restore(state)

    def begin_profile(self, **arguments: Any) -> Callable[[], GraphProfile]:
        """Begin to make a profile, with the arguments of `ProfileCollector.profile`; return what waits for it."""
        self._take_waiting()
        if isinstance(self._collector, _Process):
            return self._collector.call("profile", **arguments).result
        return partial(self._collector.profile, **arguments)

    def close(self) -> None:
        """Close the files, and end the other process."""
        self._collector.close()

    def _moved(self) -> _Process:
        """Go on in another process, if not there yet."""
        if isinstance(self._collector, ProfileCollector):
            state = self._collector.state()
            self._collector.close()
            self._collector = _Process(self._properties, self._folder)
            self._collector.call("restore", state)
            for waiting in self._waiting:
                self.take(waiting)
            self._waiting.clear()
        return self._collector

    def _take_waiting(self) -> None:
        if isinstance(self._collector, ProfileCollector):
            for batch in self._waiting:
                self._collector.take(batch)
        self._waiting.clear()


class _Process:
    """A process with a collector, whose methods are called one after the other."""

    def __init__(self, properties: LabelProperties, folder: Path) -> None:
        context = get_context("spawn")
        self._line, there = context.Pipe()
        self._process = context.Process(target=_serve, args=(properties, folder, there), name="profile", daemon=True)
        program, sys.modules["__main__"] = sys.modules["__main__"], ModuleType("__main__")
        try:  # without what it is the program of, which the process would else run once more
            self._process.start()
        finally:
            sys.modules["__main__"] = program
        there.close()
        self._pool = ThreadPoolExecutor(1, "profile")
        self._called: deque[Future[Any]] = deque()
        self._failure: Exception | None = None

    def call(self, method: str, *values: Any, **named: Any) -> Future[Any]:
        """Call a method of the collector when those before are done, and fail as they did; wait where many are not."""
        while len(self._called) > _AHEAD:
            self._called.popleft().result()
        future = self._pool.submit(self._call, method, values, named)
        self._called.append(future)
        return future

    def _call(self, method: str, values: tuple[Any, ...], named: dict[str, Any]) -> Any:
        if self._failure:  # what follows would leave out what was to be taken
            raise self._failure
        try:
            self._line.send((method, values, named))
            done, result = self._line.recv()
        except (EOFError, OSError) as error:
            self._failure = ServiceError("the process that counts the profile died; is there too little memory?")
            raise self._failure from error
        if not done:
            self._failure = result
            raise result
        return result

    def close(self) -> None:
        self._process.terminate()  # whatever it is at; then a call that waits for it ends
        self._process.join()
        self._pool.shutdown(cancel_futures=True)
        self._line.close()


def _serve(properties: LabelProperties, folder: Path, line: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the one that indexes ends it
    gc.disable()
    collector = ProfileCollector(properties, folder=folder)
    while True:
        try:
            method, values, named = line.recv()
        except (EOFError, OSError):
            return  # nobody listens any more
        if method == "take":
            [content] = values
            values = (Statements(content) if isinstance(content, bytes) else content,)
        try:
            line.send((True, getattr(collector, method)(*values, **named)))
        except (TriadError, OSError) as error:
            line.send((False, error))
