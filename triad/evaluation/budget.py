"""What a whole run may cost, whatever executor asks its questions."""

from __future__ import annotations

import time

from triad.configs import RunBudget
from triad.errors import AnswerError, BudgetExceeded
from triad.models import Budget
from triad.trace import Usage

__all__ = ["RunStopped", "SharedBudget"]


class RunStopped(AnswerError):
    """The budget of the whole run is used up; no `BudgetExceeded`, which a question may survive without its model."""


class SharedBudget(Budget):
    """What is left of a run's budget, after what earlier sessions of the run spent."""

    def __init__(self, limits: RunBudget, spent: Usage = Usage()) -> None:
        super().__init__(**limits.model_dump(exclude={"seconds"}))
        self._spent = spent
        self._seconds = limits.seconds
        self._started = time.monotonic()

    def begin(self) -> None:
        """Ask to make a call, or raise `RunStopped`; `end` must follow."""
        if self._seconds is not None and time.monotonic() - self._started >= self._seconds:
            raise RunStopped(f"the budget of {self._seconds:g} seconds is used up")
        try:
            super().begin()
        except BudgetExceeded as error:
            raise RunStopped(str(error)) from error

    def reached(self) -> str | None:
        """Return which limit is reached, or None."""
        try:
            self.begin()
        except RunStopped as stopped:
            return str(stopped)
        self.end(Usage())
        return None

    def add(self, usage: Usage) -> None:
        """Count calls that were made on other machines."""
        with self._lock:
            self._under_way += 1
        self.end(usage)
