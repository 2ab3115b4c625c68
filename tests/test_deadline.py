from __future__ import annotations

import math
import time

import pytest

from tests.doubles import Clock
from triad.deadline import Deadline
from triad.errors import QueryTimeout
from triad.kg.lookups import LookupTime


def test_a_deadline_passes(clock: Clock) -> None:
    work = Deadline(5.0)
    clock.now += 3
    assert (work.elapsed, work.left, work.expired) == (3.0, 2.0, False)
    work.check("work")
    clock.now += 3
    assert (work.left, work.expired) == (0.0, True)
    with pytest.raises(QueryTimeout, match="work took longer than 5 seconds"):
        work.check("work")


def test_without_a_number_there_is_no_deadline() -> None:
    assert Deadline().left == math.inf
    assert not Deadline().expired


def test_a_deadline_may_be_renewed(clock: Clock) -> None:
    work = Deadline(5.0)
    clock.now += 6
    assert work.renew(5.0).left == 5.0


def test_the_time_of_lookups_passes_while_somebody_waits(clock: Clock) -> None:
    shared = LookupTime(5.0)
    clock.now += 10
    assert shared.left == 5.0
    with shared.waiting(), shared.waiting():
        clock.now += 2
        assert shared.left == 3.0
    clock.now += 10
    assert shared.left == 3.0
    assert shared.renew(4.0).left == 4.0


@pytest.mark.slow(0.1)
def test_what_a_thread_waits_for_others_is_no_work() -> None:
    shared = LookupTime(5.0)
    with shared.working():
        time.sleep(0.2)
        sum(range(100_000))
    assert 0 < shared.elapsed < 0.15
