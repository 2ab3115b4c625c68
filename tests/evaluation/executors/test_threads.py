from __future__ import annotations

import threading
import time

import pytest

from triad.evaluation.executors.base import Outcome, RunStopped, SharedBudget, on_threads
from triad.sections import RunBudget
from triad.trace import Usage


def test_each_job_has_its_outcome() -> None:
    outcomes = dict(on_threads(lambda job: Outcome(seconds=job), range(50), 8))
    assert {job: outcome.seconds for job, outcome in outcomes.items()} == {job: job for job in range(50)}


@pytest.mark.slow(0.1)
def test_no_more_is_begun_than_is_taken() -> None:
    begun: list[int] = []

    def ask(job: int) -> Outcome:
        begun.append(job)
        return Outcome()

    outcomes = on_threads(ask, range(1_000), 4)
    for _ in range(10):
        next(outcomes)
    time.sleep(0.1)
    assert len(begun) <= 10 + 2 * 4
    outcomes.close()


def test_threads_end_when_nobody_listens() -> None:
    outcomes = on_threads(lambda job: Outcome(), range(1_000), 4)
    next(outcomes)
    outcomes.close()
    deadline = time.monotonic() + 120
    while any(thread.name.startswith("question-") for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_a_shared_budget_counts_what_was_spent_before_and_elsewhere() -> None:
    budget = SharedBudget(RunBudget(calls=5), Usage(calls=3))
    assert budget.reached() is None
    budget.add(Usage(calls=2))
    assert budget.reached() == "the budget of 5 calls is used up: 5 calls used"
    with pytest.raises(RunStopped):
        budget.begin()


def test_a_shared_budget_counts_seconds() -> None:
    assert SharedBudget(RunBudget(seconds=60)).reached() is None
    assert SharedBudget(RunBudget(seconds=1e-9)).reached() == "the budget of 1e-09 seconds is used up"
