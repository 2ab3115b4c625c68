"""Properties that are worked out once, and functions that remember what they gave today.

What one object waits for, the answer of a server or a file, holds no other object up. Two threads that ask one object
at once may both work it out, and the later result stays.
"""

import functools
import sys
from collections.abc import Callable
from contextlib import nullcontext
from datetime import date
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):  # noqa: N801  # named as what it stands for
        """As in Python 3.12: in 3.11 one lock is held for all objects of a class while one works its property out."""

        def __init__(self, func: Any) -> None:
            super().__init__(func)
            self.lock = nullcontext()


def remembered_today(size: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Return a decorator for a function that remembers its latest values until the day ends: what is "this year"."""

    def decorated(work: Callable[P, T]) -> Callable[P, T]:
        kept = functools.lru_cache(size)(lambda _day, *args, **named: work(*args, **named))
        return functools.wraps(work)(lambda *args, **named: kept(date.today(), *args, **named))

    return decorated
