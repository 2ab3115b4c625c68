"""An executor of several processes on this machine, as Python computes on one core per process.

Each process opens graph, index and model for itself, and asks on threads of its own. It is a copy of this one, with all
modules that are imported, as long as this one has but one thread: a copy would lack the others, such as those of the
graph's engine. Else it begins anew, which takes a second or two. The one that started the run hands out the questions,
scores the answers and writes them down, so that the results are those of a run on threads. A process that dies takes
along what it was asked: those questions are failures, tried again when the run is resumed.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from triad import sparql
from triad.configs import NO_MODEL, Config
from triad.errors import ServiceError, TriadError
from triad.evaluation.executors.base import Agents, Job, Outcome, ask, on_threads
from triad.evaluation.folder import RunFailure
from triad.garbage import kept
from triad.log import logger
from triad.questions import Question

if TYPE_CHECKING:
    from loguru import Message


class Processes:
    """Processes that wait for questions, each for so many at once; they start before this process has threads."""

    def __init__(self, config: Config, count: int, threads: int) -> None:
        from loky.backend import get_context

        self._threads = threads
        self._lines: list[Connection] = []
        self._processes = []
        # only with one thread, those of other languages counted, as far as that is known
        copies = sys.platform == "linux" and len(list(Path("/proc/self/task").iterdir())) == 1
        if copies and config.model != NO_MODEL:
            import triad.routing.ladder  # noqa: F401

            sparql.parse("ASK {}")  # once for all copies, each of which needs both
        # Those of loky do not run the program's main module once more, as the standard library's that begin anew do.
        context: Any = multiprocessing.get_context("fork") if copies else get_context("loky")
        for number in range(count):
            here, there = context.Pipe()
            self._lines.append(here)
            # A copy holds this process's ends of all lines, too, and would keep them open when this one has died.
            copied = tuple(self._lines) if copies else ()
            process = context.Process(
                target=_serve, args=(config, there, threads, copied), name=f"questions-{number}", daemon=True
            )
            process.start()
            there.close()
            self._processes.append(process)

    @classmethod
    def of(cls, config: Config) -> Self:
        """Start as many processes as the machine has cores, or the config workers; they share the workers."""
        from loky import cpu_count

        workers = config.run.workers
        count = min(cpu_count(), workers)
        return cls(config, count, -(-workers // count))

    def outcomes(self, jobs: Iterable[Job]) -> Generator[tuple[Job, Outcome]]:
        """Ask questions, and yield each job with its outcome when it is done; jobs are pulled when a thread is free.

        It raises what a process does that cannot open what the config names, and a `ServiceError` if all died.
        """
        todo = enumerate(jobs)
        under_way: dict[Connection, dict[int, Job]] = {line: {} for line in self._lines}

        def begin(line: Connection) -> None:
            for number, job in itertools.islice(todo, 1):
                under_way[line][number] = job
                with suppress(OSError):  # of a process that died, which its line tells next
                    line.send((number, job.item.question, job.repetition))

        for _ in range(self._threads):
            for line in self._lines:
                begin(line)
        while any(under_way.values()):
            ready = wait(list(under_way))
            for line in [line for line in under_way if line in ready]:
                try:
                    match line.recv():
                        case (int() as number, Outcome() as outcome):
                            yield under_way[line].pop(number), outcome
                            begin(line)
                        case (str() as level, str() as message):
                            logger.log(level, "{}", message)
                        case TriadError() as error:
                            raise error
                except (EOFError, OSError):
                    failure = RunFailure(ServiceError.__name__, "the process that asked this question died")
                    for job in under_way.pop(line).values():
                        yield job, Outcome(None, failure)
                    if not under_way:
                        raise ServiceError("all processes that ask questions died; the run can be resumed") from None

    def close(self) -> None:
        """End the processes, whatever they are at."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        for line in self._lines:
            line.close()


def _serve(config: Config, line: Connection, threads: int, copied: Iterable[Connection]) -> None:
    """Run a process: ask the questions that arrive over a connection until it ends."""
    for one in copied:
        one.close()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the one that started the run ends it
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    sending = threading.Lock()

    def send(message: object) -> None:
        with sending:
            line.send(message)

    def log(message: Message) -> None:
        send((message.record["level"].name, message.record["message"]))

    logger.enable("triad")
    logger.remove()
    logger.add(log, level="WARNING", catch=False)
    try:
        with kept():  # for as long as this process lasts
            opened = Agents(config)
        with closing(opened) as agents:

            def outcome(job: tuple[int, Question, int]) -> Outcome:
                _, question, repetition = job
                return ask(agents[repetition], question)

            with closing(on_threads(outcome, _received(line), threads)) as outcomes:
                for (number, *_), done in outcomes:
                    send((number, done))
    except TriadError as error:
        send(error)
    except OSError:  # nobody listens any more
        os._exit(1)


def _received(line: Connection) -> Iterator[Any]:
    while True:
        try:
            yield line.recv()
        except (EOFError, OSError):
            os._exit(1)  # at once: nobody waits for the questions in progress
