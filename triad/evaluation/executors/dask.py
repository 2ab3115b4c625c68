"""Asks questions on a Dask cluster: for runs that one machine is too small for.

The cluster's workers open graph, index and model themselves, once for each process, so paths and addresses of the
config must hold on their machines too. Answers come back as they are; the machine that started the run scores them
and writes them down, so that the results are those of a run on threads.

Needs the extra ``dask``: ``pip install 'triad-kgqa[dask]'``.
"""

import itertools
import json
import threading
from collections.abc import Generator, Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from triad.configs import Config, make_config
from triad.errors import TriadError
from triad.evaluation.executors.base import Agents, Job, Outcome, ask
from triad.evaluation.folder import RunFailure
from triad.indexing.cluster import connected, room
from triad.questions import Question


def on_dask(config: Config, jobs: Iterable[Job]) -> Generator[tuple[Job, Outcome]]:
    """Ask questions on the cluster that a config names, and yield each job with its outcome when it is done.

    Jobs are pulled when a worker is about to be free. Raises a `ServiceError` if the cluster cannot be reached.
    """
    keys = json.dumps(config.resolved())
    todo = iter(jobs)
    under_way: dict[str, Job] = {}
    with connected(config.run.executor or "") as client:
        from distributed import as_completed

        def begin(job: Job) -> Any:
            future = client.submit(_ask, keys, job.item.question, job.repetition, pure=False)
            under_way[future.key] = job
            return future

        finished = as_completed([begin(job) for job in itertools.islice(todo, room(client))], loop=client.loop)
        for future in finished:
            try:
                outcome: Outcome = future.result()
            except TriadError:
                raise  # the worker cannot open what the config names; no question would be answered
            except Exception as error:  # the worker died; the question fails, and is tried again by --resume
                outcome = Outcome(None, RunFailure(type(error).__name__, str(error)))
            yield under_way.pop(future.key), outcome
            for job in itertools.islice(todo, 1):
                finished.add(begin(job))


def _ask(keys: str, question: Question, repetition: int) -> Outcome:
    with _opening:
        agent = _agents(keys)[repetition]
    return ask(agent, question)


_opening = threading.Lock()  # else the threads of a worker would open an agent each


@lru_cache(maxsize=2)
def _agents(keys: str) -> Agents:
    return Agents(make_config({**json.loads(keys), "folder": Path("/")}))
