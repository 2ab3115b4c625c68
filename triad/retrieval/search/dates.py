"""Dates as numbers that can be compared: 2024-05 begins on 20240501 and ends on 20240531."""

from __future__ import annotations

import re
from typing import Final

__all__ = ["first_day", "last_day"]

_DATE: Final = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?")


def first_day(date: str) -> int:
    """Return the first day of a date, a month or a year as ISO 8601 writes them; 0 if it is none.

    >>> first_day("2024-05"), first_day("soon")
    (20240501, 0)
    """
    match = _DATE.match(date)
    return int(match[1] + (match[2] or "01") + (match[3] or "01")) if match else 0


def last_day(date: str) -> int:
    """Return a number that no day after it is below: the 31st also of short months.

    >>> last_day("2024")
    20241231
    """
    match = _DATE.match(date)
    return int(match[1] + (match[2] or "12") + (match[3] or "31")) if match else 0
