"""How far a run is, and whether it makes sense to go on."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from triad.evaluation.folder import Record
from triad.evaluation.report import worth
from triad.trace import Usage

__all__ = ["HOPELESS", "Progress", "Tally"]

HOPELESS: Final = 20
"""Failures in a row, from a session's first question on, after which it stops: something is wrong with the setup. A
question that no answer was reached for does not count."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is."""

    done: int
    """Questions that are asked, earlier sessions included."""
    total: int
    declined: int = 0
    """Questions that no answer was reached for."""
    failed: int = 0
    """Questions that ended with an error."""
    score: float | None = None
    """The mean so far of the metric that tables show first."""
    usage: Usage = Usage()
    left: float | None = None
    """Seconds that the rest is likely to take."""
    name: str = ""
    """The run's name."""


class Tally:
    """Counts what is done, for the progress bar."""

    def __init__(self, name: str, done: int, total: int) -> None:
        self.name, self.done, self.total = name, done, total
        self.hopeless = False
        self._asked = self._declined = self._failed = self._scored = 0
        self._sum = 0.0
        self._usage = Usage()
        self._started = time.monotonic()

    def add(self, record: Record) -> Progress:
        """Count a question."""
        self.done += 1
        self._asked += 1
        self._declined += record.declined
        self._failed += record.failed
        self._usage += record.usage
        if (value := worth(record.scores)) is not None:
            self._scored += 1
            self._sum += value
        self.hopeless = self._asked == self._failed == HOPELESS
        return self.progress()

    def progress(self) -> Progress:
        """Return how far the run is."""
        seconds = time.monotonic() - self._started
        return Progress(
            self.done,
            self.total,
            self._declined,
            self._failed,
            self._sum / self._scored if self._scored else None,
            self._usage,
            seconds / self._asked * (self.total - self.done) if self._asked else None,
            self.name,
        )
