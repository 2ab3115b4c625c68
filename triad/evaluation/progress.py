"""How far a run is, and whether it makes sense to go on."""

import time
from dataclasses import dataclass, replace
from typing import Final

from triad.evaluation.folder import Record
from triad.evaluation.metrics.sets import known_mean
from triad.evaluation.report import worth
from triad.trace import Usage

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
        self.at = Progress(done, total, name=name)
        """How far the run is."""
        self._asked = 0
        self._scores: list[float] = []
        self._started = time.monotonic()

    def add(self, record: Record) -> Progress:
        """Count a question."""
        at, self._asked = self.at, self._asked + 1
        if (value := worth(record.scores)) is not None:
            self._scores.append(value)
        self.at = replace(
            at,
            done=at.done + 1,
            declined=at.declined + record.declined,
            failed=at.failed + record.failed,
            score=known_mean(self._scores),
            usage=at.usage + record.usage,
            left=(time.monotonic() - self._started) / self._asked * (at.total - at.done - 1),
        )
        return self.at

    @property
    def hopeless(self) -> bool:
        """True if only failures were counted, and `HOPELESS` of them."""
        return self._asked == self.at.failed == HOPELESS
