"""What runs in a worker process: pipes to its parent, an alarm and a cap on memory around one job.

It is started as a script, and imports nothing of Triad and nothing of the program that Triad is part of, so that it
starts quickly. Its first argument is the file of a job, whose ``main`` gets a `Harness` and the other arguments.
"""

from __future__ import annotations

import os
import signal
import sys
from _pickle import dump, load  # what pickle takes them from, without the rest of it
from _thread import TIMEOUT_MAX
from importlib.util import module_from_spec, spec_from_file_location

TYPE_CHECKING = False  # typing takes as long to import as the engine
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, BinaryIO, Literal

    Reply = tuple[Literal["result"], Any] | tuple[Literal["syntax", "rejected", "late", "memory", "failure"], str]
    """A result; or what went wrong, and a message."""

EXPIRED = 124 if sys.platform == "win32" else -signal.SIGALRM
"""The exit status of a worker that reached a deadline, as its parent sees it."""


class Harness:
    """What a job has in its process. Messages to and from its parent are pickles."""

    def __init__(self, source: BinaryIO, target: BinaryIO) -> None:
        """Take what comes from the parent, and what goes to it."""
        self.source = source
        self._target = target
        self._timer: Any = None

    def send(self, message: object) -> None:
        """Send a message."""
        dump(message, self._target, -1)
        self._target.flush()

    def serve(self, run: Callable[..., Reply], *, grace: float = 0.0) -> None:
        """Answer requests, whose last part is their time in seconds, until there are no more.

        A request that takes so many seconds of grace more than its time ends this process.
        """
        self.send(("result", None))
        while True:
            try:
                request = load(self.source)
            except EOFError:
                return
            self.alarm(request[-1] + grace)
            try:
                reply = run(*request)
            except MemoryError as error:
                reply = ("memory", str(error))
            except BaseException as error:  # a panic of an engine is no Exception
                reply = ("failure", str(error))
            finally:
                self.alarm(None)
            self.send(reply)

    def alarm(self, seconds: float | None) -> None:
        """End this process after so many seconds, whatever it is doing then; None for not at all."""
        if seconds is not None:
            seconds = min(max(seconds, 0.001), TIMEOUT_MAX)
        if sys.platform != "win32":  # the signal's default is to end the process; no Python code has to run for it
            signal.setitimer(signal.ITIMER_REAL, seconds or 0)
            return
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if seconds is not None:
            import threading

            self._timer = threading.Timer(seconds, os._exit, [EXPIRED])
            self._timer.daemon = True
            self._timer.start()

    @staticmethod
    def limit_memory(size: int) -> None:
        """Cap the growth of the address space, where the system can; 0 is no cap.

        The present size does not count: the threads that a store starts reserve much, and use little of it.
        """
        if sys.platform == "linux" and size:
            import resource

            with open("/proc/self/statm", encoding="ascii") as statistics:  # noqa: PTH123 - pathlib takes long to import
                now = int(statistics.read().split()[0]) * resource.getpagesize()
            hard = resource.getrlimit(resource.RLIMIT_AS)[1]
            soft = now + size if hard == resource.RLIM_INFINITY else min(now + size, hard)
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole process group, but is meant for the parent
    file, *arguments = sys.argv[1:]
    found = spec_from_file_location("job", file)
    assert found is not None
    assert found.loader is not None
    job = module_from_spec(found)
    found.loader.exec_module(job)
    job.main(Harness(sys.stdin.buffer, sys.stdout.buffer), *arguments)
